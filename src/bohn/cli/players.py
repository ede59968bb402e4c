"""`bohn players`: the computer players by name."""

from __future__ import annotations

import argparse
import inspect

from rich.text import Text

from bohn.bots import DEFAULT, PLAYERS
from bohn.cli.console import grid, output
from bohn.i18n import Catalog
from bohn.sim.warmth import may_compile

SEARCHES = "strongest"
"""Who is more than another only where code compiles."""


def add_arguments(parser: argparse.ArgumentParser, catalog: Catalog) -> None:
    """Declare that `bohn players` takes nothing."""


def run(options: argparse.Namespace, catalog: Catalog) -> int:  # noqa: ARG001 - one signature for all sub-commands
    """List every computer player with what it is like."""
    table = grid(3)
    for name, maker in PLAYERS.items():
        about = (inspect.getdoc(maker) or "").partition("\n\n")[0].replace("\n", " ")
        note = catalog.text("players.default") if name == DEFAULT else ""
        if name == SEARCHES and not may_compile():
            note = catalog.text("players.as-strong")
        table.add_row(Text(name, "bold"), Text(about).append(f" {note}" if note else "", "dim"))
    output(highlight=False).print(table)
    return 0
