"""`bohn export`: a finished table of a server as a record."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path

import bohn
from bohn.cli.errors import UsageError
from bohn.cli.saving import SUFFIX, naming_file, reason_of
from bohn.i18n import Catalog
from bohn.notation.records import read_record, verify
from bohn.server.store.place import data_folder, database_in

LONGEST_TABLE = 64
"""In characters, as part of a file's name; the server's ids are shorter."""

_STRANGE = re.compile(r"[^\w-]", re.ASCII)


def add_arguments(parser: argparse.ArgumentParser, catalog: Catalog) -> None:
    """Declare what `bohn export` understands."""
    say = catalog.text
    parser.add_argument("table", metavar="TABLE", help=say("arg.table"))
    parser.add_argument("file", type=Path, metavar="FILE", nargs="?", help=say("arg.export-file"))
    parser.add_argument("--data", type=Path, metavar="DIR", help=say("arg.data"))


def run(options: argparse.Namespace, catalog: Catalog) -> int:
    """Write the record of a table into a new file."""
    path: Path = options.file or Path(_STRANGE.sub("_", options.table[:LONGEST_TABLE]) + SUFFIX)
    if path.exists():
        raise _exists(path)
    data = record_in(database_in(options.data or data_folder()), options.table)
    record = naming_file(path, lambda: read_record(data))
    naming_file(path, lambda: verify(record))  # what `bohn verify` refuses is not handed out
    write_new(path, data)
    count = len(record.entries)
    print(catalog.text("export.done", file=str(path), table=options.table, count=count))
    return 0


def record_in(database: Path, table: str) -> bytes:
    """Return the record of a finished table in a database."""
    from bohn.protocol.refusals import Refusal
    from bohn.server.store.reading import read_table
    from bohn.server.tables.archive.export import record_of  # here, so that a wrong option is told at once

    stored = read_table(database, table)
    if not stored.rows:
        msg = f"there is no table {table[:80]!r} in {database}"
        raise UsageError(msg)
    try:
        return record_of(stored.rows, stored.names, stored.deal, f"bohn {bohn.__version__}")
    except Refusal:
        msg = f"table {table} is not finished; a record tells all cards, so only finished games have one"
        raise UsageError(msg) from None
    except ValueError as error:
        msg = f"the log of table {table} is damaged: {error}"
        raise UsageError(msg) from None


def write_new(path: Path, data: bytes) -> None:
    """Write a file that does not exist yet; when this returns it is on the disk, whole."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot_write(path, error) from None
    try:
        file = path.open("xb")
    except FileExistsError:
        raise _exists(path) from None
    except OSError as error:
        raise _cannot_write(path, error) from None
    try:
        with file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        path.unlink(missing_ok=True)
        raise _cannot_write(path, error) from None


def _exists(path: Path) -> UsageError:
    return UsageError(f"{path} exists already, and a record is never overwritten; name another file")


def _cannot_write(path: Path, error: OSError) -> UsageError:
    return UsageError(f"cannot write {path}: {reason_of(error)}")
