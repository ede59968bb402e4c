"""The engine that plays by `bohn.play.floor`, with every computer player, programs and factories of yours."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

from bohn.arena.engine import ChunkResult, Game
from bohn.arena.errors import ArenaError
from bohn.arena.guard import GuardedGame, Occupant, Pulse, Silence
from bohn.arena.lines import Programs
from bohn.arena.plan import Chunk, Fault, chance
from bohn.arena.surplus import Tally
from bohn.arena.timing import Histogram
from bohn.bots import LOADED_LAZILY, PLAYERS, compile_traders, recorded_name
from bohn.play.floor import FLOOR_SETTINGS, GameResult, outcome
from bohn.play.seat import Bot, BotFactory
from bohn.rules.deal import opening
from bohn.rules.evolve import fold
from bohn.rules.policies import WINNERS
from bohn.rules.resolve import resolve
from bohn.rules.ruleset import Rules
from bohn.rules.scoring import PENNIES_A_COIN
from bohn.rules.shuffle import seed_from

HANGS = 3
"""Games of a chunk in which a bot may hang; each costs the whole time it has."""

LINE_SLACK = 5.0
"""Seconds that the watchdog waits longer for a program: it is timed by the worker that asks it."""

Finished = Callable[[Game, tuple[Fault, ...]], None]
"""Called with every game as soon as it is over."""


class CoreEngine:
    """Plays by the rules of `bohn.rules` themselves: slow, complete, and the measure of all others."""

    name = "core"

    def __init__(self, factories: Mapping[str, BotFactory] | None = None) -> None:
        """Take factories of players beside those of ``bohn.bots.PLAYERS``; they travel to other processes."""
        self._factories: dict[str, BotFactory] = {**PLAYERS, **(factories or {})}
        self.pulse: Pulse = Silence()
        self.finished: Finished | None = None

    def players(self) -> tuple[str, ...]:
        """Return the names of all players that need no program."""
        return tuple(self._factories)

    def play(self, chunk: Chunk) -> ChunkResult:
        """Play all games of a chunk but the first ``chunk.skip``."""
        programs = Programs(chunk.limits)
        try:
            return self._play(chunk, programs)
        finally:
            programs.close()

    def _play(self, chunk: Chunk, programs: Programs) -> ChunkResult:
        rules = resolve(chunk.edition, chunk.players, *chunk.house_rules)
        if not set(LOADED_LAZILY).isdisjoint(map(recorded_name, chunk.bots.values())):
            compile_traders()  # where nobody is timed: compiled decisions begin with a minute of compiling
        times: dict[str, Histogram] = {}
        games: list[Game] = []
        faults: list[Fault] = []
        for number in range(chunk.skip, chunk.games):
            play = _Play(self, chunk, rules, programs, number)
            play.barred = barred((*chunk.known, *faults), play.deal, play.arrangement)
            game, found = play.run(times)
            games.append(game)
            faults += found
            if self.finished is not None:
                self.finished(game, found)
        return ChunkResult(chunk.cell, chunk.first, tuple(games), tuple(faults), times)

    def factory(self, spec: str) -> BotFactory:
        """Return the factory of a player.

        Raises :class:`ArenaError` if there is none.
        """
        return factory_at(spec) if spec.startswith("py:") else self._factories[recorded_name(spec)]


class _Play:
    """One game of a chunk."""

    def __init__(
        self, engine: CoreEngine, chunk: Chunk, rules: Rules, programs: Programs, number: int
    ) -> None:
        self.chunk = chunk
        self.pulse = engine.pulse
        place, self.arrangement = divmod(number, len(chunk.line_ups))
        self.deal = chunk.first + place
        self.barred: frozenset[str] = frozenset()
        self._engine = engine
        self._rules = rules
        self._programs = programs
        self._seed = chunk.seeds[place]

    def run(self, times: dict[str, Histogram]) -> tuple[Game, tuple[Fault, ...]]:
        """Play it."""
        names = self.chunk.line_ups[self.arrangement]
        occupants = tuple(
            Occupant(self, seat, times.setdefault(name, {}), *self._how(name, seat))
            for seat, name in enumerate(names)
        )
        tally = Tally(self._rules)
        state = fold(opening(self._rules, seed_from(self._seed)))
        table = GuardedGame(self._rules, state, occupants, FLOOR_SETTINGS[self.chunk.setting], tally.watch)
        table.play()
        faults = tuple(occupant.fault for occupant in occupants if occupant.fault is not None)
        for fault in faults:
            spec = self.chunk.bots[fault.player]
            if spec.startswith("cmd:"):
                self._programs.drop(spec[4:], fault.seat)
        return self._game(outcome(table), tally, faults), faults

    def _how(self, name: str, seat: int) -> tuple[Callable[[], Bot], float]:
        """Return how the bot of a seat is made, and how much longer the watchdog waits for it."""
        spec = self.chunk.bots[name]
        seed = chance(self._seed, self.arrangement, seat)
        if spec.startswith("cmd:"):
            sit: Callable[[], Any] = partial(
                self._programs.sit, name, spec[4:], seat, seed, self._rules, self.chunk.setting
            )
            return sit, LINE_SLACK
        return partial(_made, self._engine, spec, seed), 0.0

    def _game(self, result: GameResult, tally: Tally, faults: tuple[Fault, ...]) -> Game:
        out = {fault.seat for fault in faults} if self.chunk.limits.on_fault == "forfeit" else set()
        pennies = tuple(
            coins * PENNIES_A_COIN + rest for coins, rest in zip(result.coins, result.pennies, strict=True)
        )
        shares = forfeited(self._rules, pennies, result.hand_cards, out) if out else result.shares
        return Game(
            self.deal,
            self.arrangement,
            shares,
            tuple(0.0 if seat in out else value / PENNIES_A_COIN for seat, value in enumerate(pennies)),
            result.turns,
            result.stats.trades,
            result.stats.gifts,
            tuple(tally.offers),
            tuple(tally.acceptances),
            tuple(round(gain, 6) for gain in tally.gains),
            tuple(round(gain, 6) for gain in tally.joint),
        )


def barred(faults: Iterable[Fault], deal: int, arrangement: int) -> frozenset[str]:
    """Return the players that have hung too often in a chunk before this game to be asked again."""
    games = {(one.player, one.deal, one.arrangement) for one in faults if one.reason == "hang"}
    before = [player for player, *game in games if game < [deal, arrangement]]
    return frozenset(player for player in before if before.count(player) >= HANGS)


def _made(engine: CoreEngine, spec: str, seed: int) -> Bot:
    return engine.factory(spec)(seed)


def forfeited(
    rules: Rules, pennies: tuple[int, ...], hand_cards: tuple[int, ...], out: set[int]
) -> tuple[float, ...]:
    """Return the shares of a game in which some seats have forfeited: the others compare among themselves.

    Ties are broken by the edition's own rule. If everybody has forfeited, nobody has a share.
    """
    if len(out) == len(pennies):
        return (0.0,) * len(pennies)
    worth = tuple(-1 if seat in out else value for seat, value in enumerate(pennies))
    winners = WINNERS[rules.tie](worth, hand_cards)
    return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(len(pennies)))


def factory_at(spec: str) -> BotFactory:
    """Return the factory that ``py:MODULE:MAKER`` names; modules of the current folder are found too.

    Raises :class:`ArenaError` if it cannot be imported.
    """
    module, _, attribute = spec.removeprefix("py:").partition(":")
    if os.getcwd() not in sys.path:  # noqa: PTH109 - sys.path holds texts
        sys.path.append(os.getcwd())  # noqa: PTH109 - as above
    try:
        made: BotFactory = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise ArenaError(f"{spec[:80]!r}: expected py:MODULE:MAKER ({error})") from error
    return made
