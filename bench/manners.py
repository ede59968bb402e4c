"""What computer players offer to a person: ``python -m bench.manners [--games 40] [--level strong ...]``.

In every game ``pk`` sits in seat 0 and counts as a person; three computer players of one level trade with it
as at a table: with manners, and taking up what it refused. Counted are their offers to it: how many ask for
cards that it has not, bring a kind that it grows, or beg; its exchanges a turn; and what they promise it,
and how often they then offer or take just that.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from typing import Any

from bohn.bots import PLAYERS, current_name
from bohn.bots.farming import grown
from bohn.play.floor import BRISK, play_game
from bohn.play.seat import Choices
from bohn.rules import resolve
from bohn.rules.commands import Command, EditOffer, MakeOffer, MakePromise
from bohn.rules.events import Event, Traded
from bohn.rules.state import State
from bohn.server.bots.haggling import AS_PROMISED
from bohn.server.bots.messages import BotAnswer, Question, Terms, terms_of
from bohn.server.bots.worker import BotCache
from bohn.views.knowledge import Knowledge
from bohn.views.view import View

PERSON = 0
ASKS = 2
"""Offers of one player in a turn that reach the person, as at a table."""


class Mannered:
    """A computer player in its seat at a table with a person."""

    trades = True
    off_turn = False
    uses_knowledge = True

    def __init__(self, cache: BotCache, name: str, seat: int) -> None:
        """Play as ``name``, with the bots of ``cache``."""
        self.name = name
        self._cache, self._seat, self._turn = cache, seat, -1
        self._made: list[Terms] = []
        self.kept = 0

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Return the next command; what would reach the person once too often is not offered."""
        if view.turn != self._turn:
            self._turn, self._made = view.turn, []
        legal: Any = choices.legal
        question = Question(
            "bench", self._seat, self.name, self._seat, view, legal, choices.offers, choices.tries,
            tuple(self._made), knowledge, frozenset({PERSON}),
        )  # fmt: skip
        answer = self._cache.reply(question)
        if not isinstance(answer, BotAnswer):
            raise TypeError(answer.what)
        command = answer.command
        self.kept += answer.reason == AS_PROMISED
        if isinstance(command, MakeOffer | EditOffer):
            if PERSON in command.to and sum(PERSON in terms.to for terms in self._made) >= ASKS:
                return None
            self._made.append(terms_of(command))
        return command


class Count:
    """Counts what reaches the person in one game or many."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.counts: Counter[str] = Counter()

    def watch(self, before: State, command: Command, events: Sequence[Event], _after: State) -> None:
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
        for event in events:
            if isinstance(event, Traded) and PERSON in (event.maker, event.partner):
                self.counts["exchanges"] += 1
                self.counts["its own"] += event.maker == PERSON


def measure(level: str, games: int, seed: str) -> Counter[str]:
    """Play the games and return the counts, with the number of turns and the wins of the person."""
    rules, count, wins = resolve("full", 4), Count(), 0.0
    for game in range(games):
        cache = BotCache(PLAYERS)
        company = [Mannered(cache, current_name(level), seat) for seat in range(1, 4)]
        result = play_game(rules, f"{seed}:{game}", [PLAYERS["pk"](game), *company], BRISK, watch=count.watch)
        count.counts["turns"] += result.turns
        count.counts["kept"] += sum(one.kept for one in company)
        wins += result.shares[PERSON]
    count.counts["wins in percent"] = round(100 * wins / games)
    return count.counts


def main() -> None:
    """Print a line for each level."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--level", nargs="+", default=["beginner", "gentle", "fair", "strong"])
    parser.add_argument("--seed", default="manners")
    options = parser.parse_args()
    heads = "".join(f"{head:>8}" for head in ("offers", "lacks", "grows", "begs", "a turn"))
    print(f"{'level':10}{heads}{'wins':>6}{'promises':>10}{'kept':>6}")
    for level in options.level:
        found = measure(level, options.games, options.seed)
        share = {key: 100 * found[key] / max(1, found["offers"]) for key in ("lacks", "grows", "begs")}
        rates = "".join(f"{share[key]:7.1f}%" for key in share)
        a_turn = found["exchanges"] / found["turns"]
        told = f"{found['wins in percent']:5}%{found['promises']:10}{found['kept']:6}"
        print(f"{level:10}{found['offers']:8}{rates}{a_turn:8.2f}{told}")


if __name__ == "__main__":
    main()
