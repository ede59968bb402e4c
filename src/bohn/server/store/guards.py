"""Triggers by which the database itself refuses to change the log of operators.

Migrations make them. Whoever owns the database can still take them away; then the chain of the rows tells.
"""

from __future__ import annotations

REFUSED = "the log of operators is never changed"
"""What the database says."""

GUARDS: dict[str, tuple[str, ...]] = {
    "sqlite": (
        f"CREATE TRIGGER deeds_kept BEFORE UPDATE ON deeds BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END",
        f"CREATE TRIGGER deeds_stay BEFORE DELETE ON deeds BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END",
        # INSERT OR REPLACE deletes without the trigger for that
        "CREATE TRIGGER deeds_follow BEFORE INSERT ON deeds"
        " WHEN NEW.id <> (SELECT coalesce(max(id), 0) + 1 FROM deeds)"
        f" BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END",
    ),
    "postgresql": (
        "CREATE FUNCTION deeds_are_kept() RETURNS trigger LANGUAGE plpgsql AS"
        f" $$ BEGIN RAISE EXCEPTION '{REFUSED}'; END $$",
        "CREATE TRIGGER deeds_kept BEFORE UPDATE OR DELETE ON deeds"
        " FOR EACH ROW EXECUTE FUNCTION deeds_are_kept()",
        "CREATE TRIGGER deeds_stay BEFORE TRUNCATE ON deeds"
        " FOR EACH STATEMENT EXECUTE FUNCTION deeds_are_kept()",
    ),
}
"""The statements for each kind of database."""
