"""What computer players offer to a person: ``python -m bench.manners [--games 40] [--level strong ...]``.

In every game ``pk`` sits in seat 0 and counts as a person; three computer players of one level trade with it
as at a table: with manners, taking up what it refused, and each in its own time (``AS_SEATED``). Counted are
their offers to it: how many ask for cards that it has not, bring a kind that it grows, or beg; its exchanges
a turn; and what they promise it, and how often they then offer or take just that. Of the computer players
themselves: how many of their offers are accepted, how many exchanges there are in a turn, and how many beans
they plough up for nothing a turn, single ones not counted. With ``--alone`` they take it for one of their
kind, and play without manners. With ``--read FILE`` all that happens is written there in words.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from bench.reading import Story
from bohn.bots import PLAYERS, current_name
from bohn.bots.farming import grown
from bohn.play.floor import AS_SEATED, Watch, play_game
from bohn.play.seat import Choices
from bohn.rules import resolve
from bohn.rules.commands import Command, EditOffer, MakeOffer, MakePromise
from bohn.rules.events import Event, Harvested, Traded
from bohn.rules.state import State
from bohn.server.bots.haggling import AS_PROMISED
from bohn.server.bots.messages import BotAnswer, Question, Terms, terms_of
from bohn.server.bots.worker import BotCache
from bohn.views.knowledge import Knowledge
from bohn.views.view import View

PERSON = 0
NAMES = ("Person", "Anna", "Ben", "Clara")
ASKS = 2
"""Offers of one player in a turn that reach the person, as at a table."""


class Mannered:
    """A computer player in its seat at a table with a person."""

    trades = True
    off_turn = False
    uses_knowledge = True

    def __init__(self, cache: BotCache, name: str, seat: int, person: int | None = PERSON) -> None:
        """Play as ``name`` beside a person, if there is one, with the bots of ``cache``."""
        self.name = name
        self._cache, self._seat, self._turn = cache, seat, -1
        self._people = frozenset[int]() if person is None else frozenset({person})
        self._made: list[Terms] = []
        self.kept = 0
        self.story: Story | None = None

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Return the next command; what would reach the person once too often is not offered."""
        if view.turn != self._turn:
            self._turn, self._made = view.turn, []
        legal: Any = choices.legal
        question = Question(
            "bench", self._seat, self.name, self._seat, view, legal, choices.offers, choices.tries,
            tuple(self._made), knowledge, self._people,
        )  # fmt: skip
        answer = self._cache.reply(question)
        if not isinstance(answer, BotAnswer):
            raise TypeError(answer.what)
        command = answer.command
        self.kept += answer.reason == AS_PROMISED
        if self.story is not None:
            self.story.reason = answer.reason
        if isinstance(command, MakeOffer | EditOffer):
            asked = [terms for terms in self._made if self._people.intersection(terms.to)]
            if self._people.intersection(command.to) and len(asked) >= ASKS:
                return None
            self._made.append(terms_of(command))
        return command


class Count:
    """Counts what reaches the person in one game or many."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.counts: Counter[str] = Counter()

    def watch(self, before: State, command: Command, events: Sequence[Event], after: State) -> None:  # noqa: ARG002 - one signature
        """Count one move."""
        person = before.players[PERSON]
        if isinstance(command, MakeOffer | EditOffer) and PERSON in command.to and command.player != PERSON:
            terms = terms_of(command)
            lying = getattr(before.phase, "face_up", ()) if before.active_player == PERSON else ()
            self.counts["offers"] += 1
            self.counts["lacks"] += bool(Counter(terms.want) - Counter(person.hand) - Counter(lying))
            self.counts["grows"] += not grown(person.fields).isdisjoint(terms.give)
            self.counts["begs"] += not terms.give
        if isinstance(command, MakePromise):
            self.counts["promises"] += command.to == PERSON
        self._count_all(command, events)
        for event in events:
            if isinstance(event, Traded) and PERSON in (event.maker, event.partner):
                self.counts["exchanges"] += 1
                self.counts["its own"] += event.maker == PERSON

    def _count_all(self, command: Command, events: Sequence[Event]) -> None:
        """Count what the computer players do, whoever is asked."""
        self.counts["all offers"] += isinstance(command, MakeOffer | EditOffer) and command.player != PERSON
        for event in events:
            if isinstance(event, Traded):
                self.counts["all exchanges"] += 1
                self.counts["taken"] += event.maker != PERSON
            if (
                isinstance(event, Harvested)
                and event.player != PERSON
                and not event.coins
                and len(event.discards) > 1
            ):
                self.counts["lost"] += len(event.discards)


def measure(
    level: str,
    games: int,
    seed: str,
    out: TextIO | None = None,
    person: int | None = PERSON,
) -> Counter[str]:
    """Play the games and return the counts, with the number of turns and the wins of the person.

    Without a ``person`` he is taken for a computer player. What happens is
    written to ``out``, if there is one.
    """
    rules, count, wins = resolve("full", 4), Count(), 0.0
    for game in range(games):
        cache = BotCache(PLAYERS)
        company = [Mannered(cache, current_name(level), seat, person) for seat in range(1, 4)]
        watches: list[Watch] = [count.watch]
        if out is not None:
            print(f"\n# {level}, game {game}", file=out)
            story = Story(out, rules, NAMES, frozenset() if person is None else frozenset({person}))
            watches.append(story.watch)
            for one in company:
                one.story = story

        seats = [PLAYERS["pk"](game), *company]
        result = play_game(rules, f"{seed}:{game}", seats, AS_SEATED, watch=partial(_all_watch, watches))
        count.counts["turns"] += result.turns
        count.counts["kept"] += sum(one.kept for one in company)
        wins += result.shares[PERSON]
    count.counts["wins in percent"] = round(100 * wins / games)
    return count.counts


def _all_watch(watches: list[Watch], *move: Any) -> None:
    for one in watches:
        one(*move)


def main() -> None:
    """Print a line for each level."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--level", nargs="+", default=["beginner", "gentle", "fair", "strong"])
    parser.add_argument("--seed", default="manners")
    parser.add_argument("--alone", action="store_true", help="nobody is taken for a person")
    parser.add_argument(
        "--read", type=Path, metavar="FILE", help="write all that happens to a file, in words"
    )
    options = parser.parse_args()
    with options.read.open("w", encoding="utf-8") if options.read else nullcontext() as out:
        print_levels(options, out)


def print_levels(options: argparse.Namespace, out: TextIO | None) -> None:
    """Measure the levels and print a line for each."""
    heads = "".join(f"{head:>8}" for head in ("offers", "lacks", "grows", "begs", "a turn"))
    print(
        f"{'level':10}{heads}{'wins':>6}{'promises':>10}{'kept':>6}{'taken':>7}{'all a turn':>12}{'lost':>6}"
    )
    person = None if options.alone else PERSON
    for level in options.level:
        found = measure(level, options.games, options.seed, out, person)
        share = {key: 100 * found[key] / max(1, found["offers"]) for key in ("lacks", "grows", "begs")}
        rates = "".join(f"{share[key]:7.1f}%" for key in share)
        a_turn = found["exchanges"] / found["turns"]
        told = f"{found['wins in percent']:5}%{found['promises']:10}{found['kept']:6}"
        taken = 100 * found["taken"] / max(1, found["all offers"])
        told += f"{taken:6.1f}%{found['all exchanges'] / found['turns']:12.2f}"
        told += f"{found['lost'] / found['turns']:6.2f}"
        print(f"{level:10}{found['offers']:8}{rates}{a_turn:8.2f}{told}")


if __name__ == "__main__":
    main()
