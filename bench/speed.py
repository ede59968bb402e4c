"""How quick players are: ``python -m bench.speed [--player strong strong-1]``; or ``BOHN_INTERPRET=1``.

Printed are the games a second of four of each on one core, in compiled code, and the ratio to the last one
named; and how long a decision takes in the player's seat, of which the slowest hundredth takes longer than
the 99 of 100. Players are measured in turn, in processor time, so that other work on the machine falls on
all of them. Of interpreted code only decisions are measured, in few games: nobody would wait for more.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence

import numpy as np

from bench.exploiting.forms import seat_of
from bohn.arena.timing import Histogram, count, quantile
from bohn.bots import PLAYERS, current_name
from bohn.lab.compiling import COMPILED
from bohn.lab.players.driver import play
from bohn.lab.players.player_memory import MEMORY
from bohn.lab.players.styles import styles_of
from bohn.lab.row import ROW, Rows
from bohn.play.floor import FLOOR_SETTINGS, play_game
from bohn.play.seat import Bot, Choices
from bohn.rules import resolve
from bohn.rules.commands import Command
from bohn.views.knowledge import Knowledge
from bohn.views.view import View

MILLISECOND = 1e-3


class Timed:
    """A player whose decisions are timed."""

    def __init__(self, bot: Bot, times: Histogram) -> None:
        """Play as ``bot``."""
        self._bot, self._times = bot, times
        self.name, self.trades, self.off_turn = bot.name, bot.trades, bot.off_turn
        self.uses_knowledge = bot.uses_knowledge

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Return what it decides; working out what is legal is no part of it."""
        _ = choices.legal, choices.offers
        began = time.thread_time()
        command = self._bot.decide(view, choices, knowledge)
        count(self._times, time.thread_time() - began)
        return command


def games_a_second(name: str, table: str, first: int, games: int) -> float:
    """Return how many games a second as many of a player as sit at a table play among themselves."""
    seat = seat_of(f"{name}:{table}")
    styles, states = styles_of((name,)), np.zeros(2, ROW)
    memories: Rows = np.zeros(2 * seat.players, MEMORY)
    began = time.thread_time()
    for deal in range(first, first + games):
        play(seat.rules, states, 0, seat.table, styles, memories, deal)
    return games / (time.thread_time() - began)


def time_decisions(name: str, times: Histogram, floor: str, seed: int) -> None:
    """Let four of a player play one game as at a table, and add how long each decision took."""
    bots = [Timed(PLAYERS[name](4 * seed + seat), times) for seat in range(4)]
    play_game(resolve("full", 4), seed, bots, FLOOR_SETTINGS[floor])


def main(options: Sequence[str] | None = None) -> None:
    """Print both figures of every player."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--player", nargs="+", default=["strong", "strong-1"])
    parser.add_argument("--runs", type=int, default=7, help="runs of each player, in turn (default: 7)")
    parser.add_argument("--games", type=int, default=20, help="compiled games of a run (default: 20)")
    parser.add_argument("--decided", type=int, default=2, help="games at a table of a run (default: 2)")
    parser.add_argument("--floor", choices=list(FLOOR_SETTINGS), default="free")
    given = parser.parse_args(options)
    names = [current_name(name) for name in given.player]
    if COMPILED:
        print_games(names, given)
    print_decisions(names, given)


def print_games(names: Sequence[str], given: argparse.Namespace) -> None:
    """Print the games a second, with the ratios to the last player."""
    speeds: dict[str, list[float]] = {name: [] for name in names}
    games_a_second(names[0], given.floor, 0, 1)  # compiles, or loads what was compiled
    for run in range(given.runs):
        for name, found in speeds.items():
            found.append(games_a_second(name, given.floor, run * given.games, given.games))
    for name, found in speeds.items():
        ratios = [one / other for one, other in zip(found, speeds[names[-1]], strict=True)]
        print(
            f"four {name}: {statistics.median(found):.1f} games/s, {statistics.median(ratios):.2f} times "
            f"{names[-1]} [{min(ratios):.2f}..{max(ratios):.2f}]",
            flush=True,
        )


def print_decisions(names: Sequence[str], given: argparse.Namespace) -> None:
    """Print how long decisions take: half of them, 99 of 100, the longest."""
    times: dict[str, Histogram] = {name: {} for name in names}
    for name in names:  # the first game compiles, loads and fills caches
        time_decisions(name, {}, given.floor, 0)
    for run in range(given.runs * given.decided):
        for name, found in times.items():
            time_decisions(name, found, given.floor, 1 + run)
    how = "compiled" if COMPILED else "interpreted"
    for name, found in times.items():
        half, most, longest = (quantile(found, part) / MILLISECOND for part in (0.5, 0.99, 1.0))
        print(
            f"decision of {name}, {how}: {half:.2f} ms in the middle, 99 of 100 within {most:.1f} ms, "
            f"the longest {longest:.0f} ms; {sum(found.values()):,} of them"
        )


if __name__ == "__main__":
    main()
