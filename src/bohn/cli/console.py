"""Where the command line writes to."""

from __future__ import annotations

from typing import Any, NoReturn

from rich.console import Console

NARROWEST = 40
"""Columns below which tables are no longer squeezed; the terminal wraps them instead."""


class Output(Console):
    """A console that lets a closed pipe reach ``main`` instead of leaving the program itself."""

    def on_broken_pipe(self) -> NoReturn:
        """Raise what Rich would turn into an exit."""
        raise BrokenPipeError


def output(**options: Any) -> Output:
    """Return a console; ``options`` are Rich's."""
    console = Output(**options)
    console.width = max(console.width, NARROWEST)
    return console
