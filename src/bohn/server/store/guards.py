"""Triggers by which the database itself refuses to change the log of operators.

Migrations make them. Whoever owns the database can still take them away; then the chain of the rows tells.
"""

from __future__ import annotations

REFUSED = "the log of operators is never changed"
"""What the database says."""

_SQLITE = (
    "CREATE TRIGGER deeds_{name} BEFORE {change} ON deeds {when}BEGIN SELECT RAISE(ABORT, '{refused}'); END"
)
_OTHER_NUMBER = "WHEN NEW.id <> (SELECT coalesce(max(id), 0) + 1 FROM deeds) "
"""INSERT OR REPLACE deletes without the trigger for that."""

_POSTGRES = (
    "CREATE TRIGGER deeds_{name} BEFORE {change} ON deeds FOR EACH {each} EXECUTE FUNCTION deeds_are_kept()"
)
_FUNCTION = """
    CREATE FUNCTION deeds_are_kept() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION '{refused}'; END $$
"""

GUARDS: dict[str, tuple[str, ...]] = {
    "sqlite": (
        _SQLITE.format(name="kept", change="UPDATE", when="", refused=REFUSED),
        _SQLITE.format(name="stay", change="DELETE", when="", refused=REFUSED),
        _SQLITE.format(name="follow", change="INSERT", when=_OTHER_NUMBER, refused=REFUSED),
    ),
    "postgresql": (
        _FUNCTION.format(refused=REFUSED),
        _POSTGRES.format(name="kept", change="UPDATE OR DELETE", each="ROW"),
        _POSTGRES.format(name="stay", change="TRUNCATE", each="STATEMENT"),
    ),
}
"""The statements for each kind of database."""
