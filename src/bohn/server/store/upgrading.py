"""Migrations: from an empty file, or any earlier version, to the schema of this program."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.pool import NullPool

FOLDER = Path(__file__).parent / "migrations"


def config() -> Config:
    """Return Alembic's configuration, which has no file."""
    made = Config()
    made.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    made.set_main_option("path_separator", "os")
    return made


def revisions() -> tuple[str, ...]:
    """Return every revision, the newest first."""
    return tuple(script.revision for script in ScriptDirectory.from_config(config()).walk_revisions())


def known(revision: str) -> bool:
    """Return whether this program knows a revision; an unknown one is from a newer program."""
    return revision in revisions()


def engine(path: Path, busy: float = 5.0) -> Engine:
    """Return SQLAlchemy's engine, whose transactions include changes of the schema."""
    made = create_engine(
        URL.create("sqlite", database=str(path)), poolclass=NullPool, connect_args={"timeout": busy}
    )

    @event.listens_for(made, "begin")
    def _begun(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # the driver would begin at the first insert only

    return made


def upgrade(path: Path, busy: float = 5.0, revision: str = "head") -> None:
    """Bring a database to a revision in one transaction: wholly or not at all. ``busy`` is in seconds."""
    using = engine(path, busy)
    try:
        with using.begin() as connection:
            upgrade_over(connection, revision)
    finally:
        using.dispose()


def upgrade_over(connection: Connection, revision: str = "head") -> None:
    """Bring the database behind a connection to a revision, within its transaction."""
    settings = config()
    settings.attributes["connection"] = connection
    command.upgrade(settings, revision)
