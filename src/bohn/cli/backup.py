"""`bohn backup`: a copy of the server's database, also while it runs."""

from __future__ import annotations

import argparse
from pathlib import Path

from bohn.i18n import Catalog
from bohn.server.store.place import data_folder, database_in


def add_arguments(parser: argparse.ArgumentParser, catalog: Catalog) -> None:
    """Declare what `bohn backup` understands."""
    say = catalog.text
    parser.add_argument("file", type=Path, metavar="FILE", help=say("arg.backup-file"))
    parser.add_argument("--data", type=Path, metavar="DIR", help=say("arg.data"))


def run(options: argparse.Namespace, catalog: Catalog) -> int:
    """Copy the database into a new file, check the copy, and say what is in it."""
    from bohn.server.store.backup import back_up  # here, so that a wrong option is told at once

    found = back_up(database_in(options.data or data_folder()), options.file)
    print(catalog.text("backup.done", file=str(options.file), tables=found.tables, batches=found.batches))
    return 0
