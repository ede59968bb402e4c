"""Play very many games and check every invariant: ``python bench/soak.py --games 100000``.

All editions and numbers of players in turn, at most tables only random players that trade in every way
the rules know. Checked: no card is lost or made (at the end of every turn), folding all events leads to
the state that was played (at the end of every game), every game ends within 10,000 commands other
than offers, answers and talk. Where beans are traded, a game must see some trades, gifts, off-turn
harvests and purchases on the average, else the games prove little.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from random import Random

from bohn.bots import PLAYERS, Bot
from bohn.play.floor import BRISK, FREE, GameResult, Stats, play_game
from bohn.rules.beans import BEANS, Bean
from bohn.rules.commands import Command
from bohn.rules.editions import EDITIONS
from bohn.rules.events import Event, GameEnded, TurnBegan
from bohn.rules.evolve import fold
from bohn.rules.resolve import resolve
from bohn.rules.ruleset import Rules
from bohn.rules.state import State

TABLES = [(edition, players) for edition, by_players in EDITIONS.items() for players in by_players]
MOST_COMMANDS = 10_000
LEAST = {"trades": 3.0, "gifts": 1.0, "off_turn_harvests": 0.5, "purchases": 0.3}
"""What a game must see on the average, in every edition where beans are traded."""

OTHERS = ("pk", "b4", "random", "b3", "b6", "no-trade", "random-trader")
CHUNK = 50

Sums = dict[str, dict[str, int]]


class Broken(Exception):  # noqa: N818 - it says what happened
    """An invariant does not hold."""


def cards_in(state: State) -> list[Bean]:
    """Return every card of a position, wherever it lies, sorted."""
    phase = state.phase
    lying = [getattr(phase, where, ()) for where in ("face_up", "leftovers", "gift", "unscored")]
    held = [
        chain(player.hand, player.treasury, player.face_down, player.set_aside, *player.fields)
        for player in state.players
    ]
    return sorted(chain(state.draw_pile, state.discard_pile, state.box, *lying, *held))


def bonus_cards_in(state: State) -> list[int]:
    """Return every bonus card of a position, sorted."""
    held = [chain(player.bonus.hand, player.bonus.claimed) for player in state.players]
    return sorted(chain(state.bonus.draw, state.bonus.discard, *held))


class Witness:
    """Watches one game and counts its cards at the end of every turn."""

    def __init__(self, rules: Rules) -> None:
        """Count the deck once."""
        self.deck = [bean for bean in BEANS for _ in range(rules.deck[bean] + rules.boxed[bean])]
        self.bonus = list(range(len(rules.bonus_cards)))
        self.last: State | None = None

    def __call__(self, before: State, command: Command, events: tuple[Event, ...], after: State) -> None:  # noqa: ARG002 - one signature
        """Check the cards if a turn has ended."""
        self.last = after
        if isinstance(events[-1], TurnBegan | GameEnded):
            if cards_in(after) != self.deck:
                raise Broken("a card was lost or made")
            if bonus_cards_in(after) != self.bonus:
                raise Broken("a bonus card was lost or made")


def line_up(players: int, number: int) -> tuple[str, ...]:
    """Return the players of a game: four times out of five only random players that trade."""
    chance = Random(number)
    if number % 5:
        return ("random-trader",) * players
    return tuple(chance.choice(OTHERS) for _ in range(players))


def checked_game(number: int) -> GameResult:
    """Play one game and check it."""
    edition, players = TABLES[number % len(TABLES)]
    names = line_up(players, number // len(TABLES))
    bots = [PLAYERS[name](number * 10 + seat) for seat, name in enumerate(names)]
    try:
        return checked(resolve(edition, players), number, bots)
    except Exception as error:
        error.add_note(f"game {number}: {edition} with {players} players: {', '.join(names)}")
        raise


def checked(rules: Rules, number: int, bots: list[Bot]) -> GameResult:
    """Play one game under the eyes of a witness, then fold its events once more."""
    witness = Witness(rules)
    setting = BRISK if number % 2 else FREE
    result = play_game(rules, f"soak/{number}", bots, setting, with_moves=True, watch=witness)
    if fold(chain(result.opening, *(move.events for move in result.moves))) != witness.last:
        raise Broken("folding the events leads elsewhere")
    if result.stats.other_commands > MOST_COMMANDS:
        raise Broken(f"{result.stats.other_commands} commands")
    return result


def chunk(numbers: Sequence[int]) -> Sums:
    """Play some games and return sums by edition."""
    sums: Sums = {}
    for number in numbers:
        result = checked_game(number)
        row = sums.setdefault(table_name(result), dict.fromkeys(("games", *Stats.__struct_fields__), 0))
        row["games"] += 1
        for key in Stats.__struct_fields__:
            row[key] += getattr(result.stats, key)
    return sums


def table_name(result: GameResult) -> str:
    """Return the edition, and for the duel of a trading edition that it is one."""
    game = resolve(result.edition, result.players).game
    return result.edition if game == "main" else f"{result.edition} ({game})"


def soak(games: int, workers: int) -> Sums:
    """Play a number of games in parallel."""
    totals: Sums = {}
    begin = time.monotonic()
    done = 0
    with ProcessPoolExecutor(workers) as pool:
        for sums in pool.map(
            chunk, [range(start, min(start + CHUNK, games)) for start in range(0, games, CHUNK)]
        ):
            for name, row in sums.items():
                total = totals.setdefault(name, dict.fromkeys(row, 0))
                for key, value in row.items():
                    total[key] += value
                done += row["games"]
            if sys.stderr.isatty():
                print(f"\r{done} games, {done / (time.monotonic() - begin):.0f}/s", end="", file=sys.stderr)
    return totals


def report(totals: Sums) -> bool:
    """Print means a game by edition; tell whether every trading edition has seen enough."""
    keys = (*LEAST, "offers", "commands")
    print(f"{'edition':<28}{'games':>8}" + "".join(f"{key.replace('_', ' '):>19}" for key in keys))
    good = True
    for name, row in sorted(totals.items()):
        means = {key: row[key] / row["games"] for key in keys}
        print(f"{name:<28}{row['games']:>8}" + "".join(f"{means[key]:>19.2f}" for key in keys))
        if "(" not in name:
            for key, least in LEAST.items():
                if means[key] < least:
                    print(f"  too few {key.replace('_', ' ')}: {means[key]:.2f} a game, expected {least}")
                    good = False
    return good


def main() -> int:
    """Play, print, and return 1 if the games prove too little."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    begin = time.monotonic()
    totals = soak(options.games, options.workers)
    print(f"{options.games} games in {time.monotonic() - begin:.0f} s: every invariant holds")
    return 0 if report(totals) else 1


if __name__ == "__main__":
    sys.exit(main())
