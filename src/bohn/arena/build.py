"""Plans from what somebody asks for: one candidate, a cross-play matrix, the league."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

import bohn
from bohn.arena.core import factory_at
from bohn.arena.engine import ENGINES, choose
from bohn.arena.errors import ArenaError
from bohn.arena.plan import Cell, Kind, Limits, Plan, Stopping
from bohn.arena.seating import MOST, number_of
from bohn.bots import LEVELS, PLAYERS, current_name, digests_of, recorded_name
from bohn.rules.editions import DEFAULT_EDITION
from bohn.rules.resolve import resolve

NAME = re.compile(r"[A-Za-z0-9][\w.+-]{0,29}")
"""What a name of one's own looks like."""


class Order(Struct, frozen=True):
    """What holds for a whole run; ``budgets`` are the most deals of cells in which a slow player sits."""

    edition: str = DEFAULT_EDITION
    players: int = 4
    house_rules: tuple[str, ...] = ()
    setting: str = "free"
    seed: str = "0"
    engine: str = "auto"
    deals: int = 100
    budgets: dict[str, int] = {}
    chunk: int | None = None
    stopping: Stopping = Stopping()
    limits: Limits = Limits()


class Bots:
    """The players that may be named: those of the project, and what the user has given names."""

    def __init__(self, named: Iterable[str] = ()) -> None:
        """Take definitions ``NAME=SPEC``.

        Raises :class:`ArenaError` if one is no definition.
        """
        self._named: dict[str, str] = {}
        for text in named:
            name, equals, spec = text.partition("=")
            if not equals or not NAME.fullmatch(name) or current_name(name) in PLAYERS:
                raise ArenaError(
                    f"{text[:60]!r}: expected NAME=PLAYER, with a new name of at most 30 letters, as "
                    "mine=cmd:python bot.py"
                )
            self._named[name] = _checked(spec, text)

    def line(self, text: str) -> tuple[str, ...]:
        """Return the names in a list with commas, for a level its player; a command line stands alone.

        Raises :class:`ArenaError` for an unknown one.
        """
        if text.startswith(("cmd:", "py:")):
            self._named.setdefault(text, _checked(text, text))
            return (text,)
        names = tuple(_own(name.strip()) for name in text.split(","))
        for name in names:
            if current_name(name) not in PLAYERS and name not in self._named:
                known = ", ".join((*PLAYERS, *LEVELS, *self._named))
                raise ArenaError(
                    f"player {name[:40]!r}: expected one of: {known}; or cmd:COMMAND LINE, or py:MODULE:MAKER"
                )
        return names

    def specs(self, names: Iterable[str]) -> dict[str, str]:
        """Return what each of these names stands for."""
        return {name: self._named.get(name, name) for name in dict.fromkeys(names)}


def _own(name: str) -> str:
    """Return the own name of the player of a level, and any other name as it is."""
    return LEVELS.get(name, name)


def _checked(spec: str, text: str) -> str:
    """Return a player that exists, by its own name."""
    if spec.startswith("py:"):
        factory_at(spec)
    elif spec.startswith("cmd:"):
        try:
            words = shlex.split(spec[4:])
        except ValueError as error:
            raise ArenaError(f"{text[:60]!r}: {error}; expected a command line") from error
        if not words or shutil.which(words[0]) is None:
            raise ArenaError(f"{text[:60]!r}: expected a program that can be run after cmd:")
    elif current_name(spec) not in PLAYERS:
        raise ArenaError(
            f"{text[:60]!r}: expected a player ({', '.join((*PLAYERS, *LEVELS))}), cmd:COMMAND LINE or "
            "py:MODULE:MAKER"
        )
    return _own(spec)


def against(candidate: str, others: Sequence[str], order: Order) -> Cell:
    """Return a cell: the candidate against copies of one player, or against as many as there are seats.

    Raises :class:`ArenaError` for another number.
    """
    left = order.players - 1
    if len(others) not in (1, left):
        raise ArenaError(
            f"{candidate} against {','.join(others)}: expected 1 name or {left}, as there are "
            f"{order.players} players"
        )
    line_up = (candidate, *(tuple(others) if len(others) == left else tuple(others) * left))
    deals = min([order.deals, *(order.budgets[name] for name in line_up if name in order.budgets)])
    return Cell(f"{candidate} vs {'+'.join(others)}", line_up, deals)


def run_cells(candidate: str, tables: Iterable[Sequence[str]], order: Order) -> tuple[Cell, ...]:
    """Return a cell for each table of opponents."""
    cells = (against(candidate, others, order) for others in tables)
    return tuple({cell.name: cell for cell in cells}.values())


def matrix_cells(rows: Iterable[str], columns: Sequence[str], order: Order) -> tuple[Cell, ...]:
    """Return the cross play: each row against copies of each column, itself too."""
    pairs = [(row, column) for row in dict.fromkeys(rows) for column in dict.fromkeys(columns)]
    return tuple(against(row, (column,), order) for row, column in pairs)


def plan_of(kind: Kind, cells: Sequence[Cell], bots: Bots, order: Order) -> Plan:
    """Return the plan of these cells.

    Raises :class:`ArenaError` for players that the engine lacks, ``UnknownEdition`` for rules that do not
    exist.
    """
    game = resolve(order.edition, order.players, *order.house_rules).game
    specs = bots.specs(name for cell in cells for name in cell.line_up)
    engine = choose(order.engine, specs, game)
    most = max(min(MOST, number_of(cell.line_up)) for cell in cells)
    return Plan(
        kind,
        order.edition,
        order.players,
        order.house_rules,
        order.setting,
        order.seed,
        engine.name,
        tuple(cells),
        specs,
        order.chunk or max(1, ENGINES[engine.name].games // most),
        order.stopping,
        order.limits,
        bohn.__version__,
        digests=digests_of(map(recorded_name, specs.values())),
    )


def budgets_of(texts: Iterable[str], known: Mapping[str, object]) -> dict[str, int]:
    """Return budgets ``NAME=DEALS`` as numbers.

    Raises :class:`ArenaError` if one is none.
    """
    found: dict[str, int] = {}
    for text in texts:
        name, _, number = text.partition("=")
        name = _own(name)
        if name not in known or not number.isdecimal() or int(number) < 1:
            raise ArenaError(f"{text[:60]!r}: expected NAME=DEALS with a player of this run, as pk=50")
        found[name] = int(number)
    return found
