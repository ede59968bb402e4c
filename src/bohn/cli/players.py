"""`bohn players`: the computer players by name."""

from __future__ import annotations

import argparse
import inspect

from rich.text import Text

from bohn.bots import DEFAULT, FORMER, LEVELS, PLAYERS, level_of
from bohn.cli.console import grid, output
from bohn.i18n import Catalog
from bohn.lab.compile_cache import may_compile

SEARCHES = "strongest"
"""The level whose players play as `strong` where their code cannot be compiled."""


def add_arguments(parser: argparse.ArgumentParser, catalog: Catalog) -> None:
    """Declare that `bohn players` takes nothing."""


def run(options: argparse.Namespace, catalog: Catalog) -> int:  # noqa: ARG001 - one signature for all sub-commands
    """List every computer player with what it is like."""
    table = grid(3)
    for name, maker in PLAYERS.items():
        about = (inspect.getdoc(maker) or "").partition("\n\n")[0].replace("\n", " ")
        note = catalog.text("players.default") if name == DEFAULT else ""
        level = level_of(name)
        if level == SEARCHES and not may_compile():
            note = catalog.text("players.as-strong")
        former = [old for old, new in FORMER.items() if new == name]
        if former:
            note = catalog.text("players.formerly", name=", ".join(former))
        called = f"{level} = {name}" if LEVELS.get(level) == name else name
        table.add_row(Text(called, "bold"), Text(about).append(f" {note}" if note else "", "dim"))
    output(highlight=False).print(table)
    return 0
