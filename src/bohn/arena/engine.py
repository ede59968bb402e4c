"""Engines: what plays a chunk, what it returns, and where engines are looked up."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Protocol, cast

from msgspec import Struct

from bohn.arena.errors import ArenaError
from bohn.arena.plan import Chunk, Fault
from bohn.bots import recorded_name


class Game(Struct, frozen=True, array_like=True):
    """One finished game; tuples are by seat.

    ``shares`` is what each seat has won, ``coins`` with bonus cards as fractions. ``offers`` counts offers
    made and edited, ``acceptances`` the exchanges a seat has accepted. ``gains`` is what a seat's exchanges
    were worth to it and ``joint`` what the same exchanges were worth to both sides, in coins by the public
    yardstick of :mod:`bohn.arena.surplus`; ``None`` where an engine does not value them.
    """

    deal: int
    arrangement: int
    shares: tuple[float, ...]
    coins: tuple[float, ...]
    turns: int
    trades: int
    gifts: int
    offers: tuple[int, ...]
    acceptances: tuple[int, ...]
    gains: tuple[float, ...] | None = None
    joint: tuple[float, ...] | None = None


Times = dict[str, dict[int, int]]
"""By player the histogram of its decisions: how many in each bucket of :mod:`bohn.arena.timing`."""


class ChunkResult(Struct, frozen=True):
    """What came of a chunk: its games in order, and the faults in them.

    ``times`` depend on the machine, so they are stored apart from what is compared.
    """

    cell: str
    first: int
    games: tuple[Game, ...]
    faults: tuple[Fault, ...] = ()
    times: Times = {}


class Engine(Protocol):
    """Plays chunks; the same chunk gives the same result in any process."""

    name: str

    def players(self) -> tuple[str, ...]:
        """Return the names of the players this engine has."""
        ...

    def play(self, chunk: Chunk) -> ChunkResult:
        """Play all games of a chunk but the first ``chunk.skip``, and return them in order."""
        ...


class Entry(Struct, frozen=True):
    """Where an engine is (``module:name``, made when it is asked for), and how many games suit one chunk.

    ``programs`` tells whether it plays ``cmd:`` and ``py:`` bots too, ``lacks`` names games it does not play.
    """

    place: str
    games: int
    programs: bool = False
    lacks: tuple[str, ...] = ()


ENGINES: dict[str, Entry] = {
    "core": Entry("bohn.arena.core:CoreEngine", games=48, programs=True),
    "twin": Entry("bohn.arena.twin_engine:TwinEngine", games=400, lacks=("das-duell",)),
}
"""Every engine by its name, best last: ``auto`` takes the last that has all the players."""


def engine_named(name: str) -> Engine:
    """Return an engine.

    Raises :class:`ArenaError` if there is none of that name, or it cannot be loaded here.
    """
    if name not in ENGINES:
        raise ArenaError(f"engine {name!r}: expected one of: {', '.join(ENGINES)}")
    module, _, attribute = ENGINES[name].place.partition(":")
    try:
        made = cast("Callable[[], Engine]", getattr(import_module(module), attribute))
        return made()
    except ImportError as error:
        raise ArenaError(f"engine {name!r} cannot be loaded: {error}") from error


def lacking(engine: Engine, bots: dict[str, str]) -> tuple[str, ...]:
    """Return the names of the bots that an engine cannot play."""
    known = engine.players()
    programs = engine.name in ENGINES and ENGINES[engine.name].programs
    return tuple(
        name
        for name, spec in bots.items()
        if recorded_name(spec) not in known and not (programs and spec.startswith(("cmd:", "py:")))
    )


def choose(name: str, bots: dict[str, str], game: str = "main") -> Engine:
    """Return the engine of that name, or with ``auto`` the best that has all bots and plays the game.

    Raises :class:`ArenaError` if a bot is unknown to it, or the game is.
    """
    if name != "auto":
        engine = engine_named(name)
        if game in ENGINES[name].lacks:
            raise ArenaError(f"engine {name!r} does not play {game}; expected: core")
        missing = lacking(engine, bots)
        if missing:
            raise ArenaError(
                f"engine {name!r} has no player {bots[missing[0]][:60]!r}; expected one of: "
                f"{', '.join(engine.players())}"
                + (", or cmd:COMMAND LINE, or py:MODULE:MAKER" if ENGINES[name].programs else "")
            )
        return engine
    for candidate in reversed(ENGINES):
        if game in ENGINES[candidate].lacks:
            continue
        try:
            engine = engine_named(candidate)
        except ArenaError:  # an extra that is not installed
            continue
        if not lacking(engine, bots):
            return engine
    return choose("core", bots, game)  # says what is unknown
