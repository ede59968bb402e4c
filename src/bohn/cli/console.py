"""The console of the command line, and tables that stay readable in a narrow terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.styled import Styled
from rich.table import Column, Table
from rich.text import Text

NARROWEST = 30
"""The least width, in columns: the longest key needs it; a narrower terminal wraps lines."""

NARROW = 60
"""Columns below which a table that does not fit is shown as a block for each row."""

UNBOUNDED = 10_000
"""Columns in which every table fits, to measure its width."""


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


class Sheet(Table):
    """A table, or a block for each row where words would be cut or there is little space."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self._fits(console, options):
            yield from super().__rich_console__(console, options)
        else:
            yield from self._blocks(console)

    def _fits(self, console: Console, options: ConsoleOptions) -> bool:
        """Tell whether the table is readable in the space there is."""
        size = console.measure(self, options=options.update(max_width=UNBOUNDED))
        room = options.max_width
        return size.maximum <= room or (room >= NARROW and size.minimum <= room)

    def _blocks(self, console: Console) -> Iterator[RenderableType]:
        """Return the rows one below the other, with the first cell at the margin."""
        cells = zip(*(column.cells for column in self.columns), strict=True)
        for index, row in enumerate(cells):
            style = self.get_row_style(console, index)
            for column, cell in zip(self.columns, row, strict=True):
                margin = 0 if column is self.columns[0] else 2
                text = _labelled(column, cell)
                if text:
                    yield Styled(Padding(text, (0, 0, 0, margin)), style)


def grid(gap: int, *, expand: bool = False) -> Sheet:
    """Return a sheet without headings, with a gap of columns between its own."""
    return Sheet(box=None, show_header=False, pad_edge=False, padding=(0, gap, 0, 0), expand=expand)


def _labelled(column: Column, cell: RenderableType) -> Text:
    """Return a cell with its heading before it."""
    text = cell.copy() if isinstance(cell, Text) else Text(str(cell))
    text.style = text.style or column.style
    return Text(f"{column.header}: ", "dim").append_text(text) if column.header else text
