"""`bohn archive`: every finished game of a server into a folder of records, also while the server runs."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bohn.cli.console import output
from bohn.cli.serve import add_place, settings_from
from bohn.i18n import Catalog

if TYPE_CHECKING:
    from bohn.server.retention.archiving import Archived

INCOMPLETE = 1
"""The exit status if there are games that could not be written."""


def add_arguments(parser: argparse.ArgumentParser, catalog: Catalog) -> None:
    """Declare what `bohn archive` understands."""
    say = catalog.text
    parser.add_argument("folder", type=Path, metavar="FOLDER", help=say("arg.archive-folder"))
    parser.add_argument("--names", action="store_true", help=say("arg.archive-names"))
    add_place(parser, catalog)


def run(options: argparse.Namespace, catalog: Catalog) -> int:
    """Write what is not there yet, show how far it is, and say which games could not be written."""
    found = asyncio.run(_archive(options, catalog))
    for table, why in found.failed.items():
        print(catalog.text("archive.failed", table=table, why=why), file=sys.stderr)
    folder = str(options.folder)
    print(catalog.text("archive.done", folder=folder, written=found.written, there=found.there))
    return INCOMPLETE if found.failed else 0


async def _archive(options: argparse.Namespace, catalog: Catalog) -> Archived:
    from bohn.server import logs  # here, so that a wrong option is told at once
    from bohn.server.retention.archiving import archive
    from bohn.server.retention.folder import ArchiveFolder
    from bohn.server.store.choosing import beside
    from bohn.server.store.place import data_folder
    from bohn.server.store.retaining import NEVER

    logs.configure("error")
    settings = settings_from(options)
    folder = ArchiveFolder(options.folder)
    store = beside(settings.store, options.data or data_folder())
    await store.open()
    try:
        folder.require()
        now = time.time_ns() // 1_000_000
        total = (await store.holdings(now, NEVER)).due
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=output(file=sys.stderr)) as bar:
            task = bar.add_task(catalog.text("archive.writing"), total=total)

            def told(found: Archived) -> None:
                bar.update(task, completed=found.done)

            return await archive(store, folder, now, told, names=options.names)
    finally:
        await store.close()
