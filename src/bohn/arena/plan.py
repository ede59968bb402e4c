"""What is to be played: a plan of cells, and the chunks it is cut into.

Everything here is data: a plan is written beside its results, and the same plan gives the same chunks.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Literal

from msgspec import Struct

from bohn.arena.seating import Arrangement, arrangements

OnFault = Literal["replace", "forfeit"]
"""What becomes of a bot that breaks its contract; `docs/arena.md` has the whole rule."""

Reason = Literal["crash", "hang", "illegal", "late"]

REPLACEMENT = "no-trade"
"""The player that plays on for a faulty bot: plain and without trading, so that a fault never pays."""


class Fault(Struct, frozen=True):
    """A bot that broke its contract, and where: the cell and deal, its seat, and at which asking.

    ``asked`` counts what this seat was asked in the game, from 1; 0 is before the first.
    """

    player: str
    cell: str
    deal: int
    arrangement: int
    seat: int
    asked: int
    reason: Reason
    detail: str


class Limits(Struct, frozen=True):
    """What a bot may take, and what happens when it takes more.

    A decision that took longer than ``seconds`` is late. A bot that has not answered after ``seconds``
    and ``grace`` hangs: its process is ended.
    """

    seconds: float = 10.0
    grace: float = 5.0
    on_fault: OnFault = "replace"


class Stopping(Struct, frozen=True):
    """When a cell is played no longer.

    ``half_width`` is the wanted half width of the interval of the candidate's share of the wins; ``goal``
    a share with which it is compared. With neither, every deal is played and there is one look.
    """

    half_width: float | None = None
    goal: float | None = None
    first: int = 0

    @property
    def looks(self) -> bool:
        """Tell whether anybody looks before the end."""
        return self.half_width is not None or self.goal is not None


class Cell(Struct, frozen=True):
    """One line-up: the candidate first, then the others; ``deals`` is the most that are played."""

    name: str
    line_up: tuple[str, ...]
    deals: int

    @property
    def candidate(self) -> str:
        """The player the cell is about."""
        return self.line_up[0]


Kind = Literal["run", "matrix", "league"]


class Plan(Struct, frozen=True):
    """Everything that decides what comes out, and nothing else (no number of processes).

    ``bots`` says what each name stands for: a player of ``bohn.bots``, ``cmd:`` and a command line, or
    ``py:`` and ``module:maker``. ``chunk`` is the number of deals of one chunk. ``digests`` say what the
    players of ``bohn.bots`` did when the plan was made; plans of before they had own names have none.
    """

    kind: Kind
    edition: str
    players: int
    house_rules: tuple[str, ...]
    setting: str
    seed: str
    engine: str
    cells: tuple[Cell, ...]
    bots: dict[str, str]
    chunk: int
    stopping: Stopping = Stopping()
    limits: Limits = Limits()
    version: str = ""
    format: int = 1
    digests: dict[str, str] = {}


class Chunk(Struct, frozen=True):
    """A piece of work that depends on nothing else: some deals of one cell, each in all arrangements.

    ``line_ups`` are names by seat, one for each arrangement; ``seeds`` the seeds of the deals, of which the
    first is number ``first`` of the cell. Games are in the order of deals, and within a deal in that of the
    arrangements; the first ``skip`` of them are played already. ``known`` are faults that the watchdog has
    found: such a bot is replaced at that asking without being asked.
    """

    cell: str
    edition: str
    players: int
    house_rules: tuple[str, ...]
    setting: str
    line_ups: tuple[Arrangement, ...]
    first: int
    seeds: tuple[str, ...]
    bots: dict[str, str]
    limits: Limits = Limits()
    skip: int = 0
    known: tuple[Fault, ...] = ()

    @property
    def games(self) -> int:
        """The number of games, those that are skipped too."""
        return len(self.seeds) * len(self.line_ups)


def deal_seed(seed: str, deal: int) -> str:
    """Return the seed of a deal: the same in every cell of a plan, so that cells compare on equal cards."""
    return f"{seed}/{deal}"


def chance(seed: str, arrangement: int, seat: int) -> int:
    """Return the seed of one bot's chance; it depends on nothing else, so neither do results."""
    digest = sha256(f"{seed}/{arrangement}/{seat}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1  # a signed 64-bit number, for compiled engines


def chunks_of(plan: Plan, cell: Cell, first: int, last: int) -> tuple[Chunk, ...]:
    """Return the chunks of a cell that hold the deals from ``first`` to before ``last``.

    ``first`` is a multiple of the plan's chunk.
    """
    line_ups = arrangements(cell.line_up, plan.seed)
    bots = {name: plan.bots[name] for name in dict.fromkeys(cell.line_up)}
    return tuple(
        Chunk(
            cell.name,
            plan.edition,
            plan.players,
            plan.house_rules,
            plan.setting,
            line_ups,
            start,
            tuple(deal_seed(plan.seed, deal) for deal in range(start, min(start + plan.chunk, last))),
            bots,
            plan.limits,
        )
        for start in range(first, last, plan.chunk)
    )
