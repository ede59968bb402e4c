"""`bohn move`: what a server has stored, from its data folder into PostgreSQL or back."""

from __future__ import annotations

import argparse
import asyncio
import sys

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from bohn.cli.console import output
from bohn.i18n import Catalog


def add_arguments(parser: argparse.ArgumentParser, catalog: Catalog) -> None:
    """Declare what `bohn move` understands."""
    say = catalog.text
    parser.add_argument("source", metavar="FROM", help=say("arg.move-from"))
    parser.add_argument("target", metavar="TO", help=say("arg.move-to"))


def run(options: argparse.Namespace, catalog: Catalog) -> int:
    """Move everything, show how far it is, compare both ends, and say what has arrived."""
    from bohn.server.store.choosing import without_postgres  # here, so that a wrong option is told at once

    try:
        from bohn.server.store.moving.copying import Progress
        from bohn.server.store.moving.places import name_of
        from bohn.server.store.moving.run import move
    except ImportError:
        raise without_postgres() from None

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=output(file=sys.stderr)) as bar:
        steps = {
            step: bar.add_task(catalog.text(f"move.{step}"), total=None) for step in ("copying", "comparing")
        }

        def told(progress: Progress) -> None:
            bar.update(steps[progress.step], completed=progress.done, total=progress.total)

        moved = asyncio.run(move(options.source, options.target, told))
    print(
        catalog.text(
            "move.done",
            place=name_of(options.target),
            tables=moved.tables,
            batches=moved.batches,
            people=moved.people,
            digest=moved.digest[:16],
        )
    )
    return 0
