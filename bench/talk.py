"""What lies bring beside computer players that hear what is said: ``python -m bench.talk --games 100``.

In every game a ``pk`` that speaks sits among three computer players of one level and counts as a person, in
each seat in turn; they have manners, and learn whom to believe. Each deal is played once by every speaker:

- *silent* says nothing;
- *honest* wishes for what it grows, spares what it holds and does not grow, and promises one such card to the
  player who is next, for a bean that it grows; it takes back what is so no longer;
- *liar* wishes for what it has no use for, spares what others grow and it does not have or will not give, and
  promises a card that it does not have;
- *sly* wishes truly, and spares and promises as the liar does.

All trade as ``pk`` does. Printed are the share of the wins and the coins over the others, and by how much
they differ from those of the honest one on the same deals, with a 95 % interval over deals.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from bench.exploiting.table import WIDTH
from bench.learning.jury import Floats
from bench.manners import Mannered
from bohn.bots import PLAYERS, current_name
from bohn.bots.bargaining import own_useful, useful
from bohn.bots.farming import hand, seat
from bohn.play.floor import BRISK, FloorGame, outcome
from bohn.play.seat import Choices
from bohn.rules import resolve
from bohn.rules.beans import Bean
from bohn.rules.commands import Command, MakePromise, SetWish, WithdrawPromise
from bohn.rules.deal import opening
from bohn.rules.evolve import fold
from bohn.rules.shuffle import seed_from
from bohn.rules.state import Promise
from bohn.server.bots.said import own_promises
from bohn.server.bots.worker import BotCache
from bohn.views.knowledge import Knowledge
from bohn.views.view import View

PLAYERS_AT_THE_TABLE = 4

WORDS = 40
"""Things that somebody may say before he does something; nobody comes near it."""

TOLD = 25
"""Deals after which what was found so far is told."""


class Words(NamedTuple):
    """What a speaker would have said by now: kinds that it wants and spares, and one promise if any."""

    want: frozenset[Bean] = frozenset()
    spare: frozenset[Bean] = frozenset()
    promise: MakePromise | None = None

    def mark_of(self, bean: Bean) -> Literal["want", "spare", "none"]:
        """Return what is said of a kind."""
        return "want" if bean in self.want else "spare" if bean in self.spare else "none"


def silent(view: View) -> Words:  # noqa: ARG001 - one signature for all speakers
    """Say nothing."""
    return Words()


def honest(view: View) -> Words:
    """Say what is true: what it grows, and what it would give for that."""
    grows = frozenset(own_useful(view))
    spare = frozenset(hand(view)) - grows
    return Words(grows, spare, _promise(view, spare))


def liar(view: View) -> Words:
    """Say what is not true: spare what others would like and will not get, wish for what is of no use."""
    spare = _false_spares(view)
    return Words(frozenset(view.rules.kinds) - own_useful(view) - spare, spare, _false_promise(view))


def sly(view: View) -> Words:
    """Wish truly, and lie about what it gives."""
    grows = frozenset(own_useful(view))
    return Words(grows, _false_spares(view) - grows, _false_promise(view))


SPEAKERS: dict[str, Callable[[View], Words]] = {"silent": silent, "honest": honest, "liar": liar, "sly": sly}
"""Those who speak, by name."""


def _false_spares(view: View) -> frozenset[Bean]:
    """Return the kinds that others grow and the viewer does not hold, or grows as well: it gives none."""
    others = set[Bean]().union(*(useful(view, at) for at in range(len(view.players)) if at != seat(view)))
    return frozenset(others - (set(hand(view)) - own_useful(view)))


def _false_promise(view: View) -> MakePromise | None:
    return _promise(view, frozenset(view.rules.kinds) - set(hand(view)))


def _promise(view: View, given: frozenset[Bean]) -> MakePromise | None:
    """Return the promise of one of some kinds to whoever is next and grows it, for what the viewer grows.

    One that was made stays while it is due, and what it gives is among these kinds.
    """
    me, following = seat(view), (view.active_player + 1) % len(view.players)
    for promise in own_promises(view):
        if promise.to in (view.active_player, following) and given.issuperset(promise.give):
            return MakePromise(me, promise.to, promise.give, promise.get, promise.due)
    if me in (view.active_player, following):
        return None
    give = sorted(given & useful(view, following) - own_useful(view))
    get = sorted(own_useful(view) - useful(view, following))
    return MakePromise(me, following, (give[0],), (get[0],), "next-turn") if give and get else None


def next_word(view: View, words: Words) -> Command | None:
    """Return what is to be said next, so that these words and no others stand; ``None`` if they do."""
    me, said = seat(view), view.talk.wishes[seat(view)]
    for bean in view.rules.kinds:
        if said.mark_of(bean) != words.mark_of(bean):
            return SetWish(me, bean, words.mark_of(bean))
    standing = list(own_promises(view))
    stale = next((one for one in standing if not _is_meant(one, words.promise)), None)
    if stale is not None:
        return WithdrawPromise(me, stale.id)
    return None if standing else words.promise


def _is_meant(promise: Promise, words: MakePromise | None) -> bool:
    """Tell whether a promise that stands is the one that is to be made."""
    return words is not None and (promise.to, promise.give, promise.get) == (words.to, words.give, words.get)


class Person:
    """A ``pk`` that says something before it does anything."""

    trades = True
    off_turn = True
    uses_knowledge = False

    def __init__(self, speaker: Callable[[View], Words], seed: int) -> None:
        """Speak as ``speaker`` does."""
        self.name = "pk"
        self._player, self._speaker = PLAYERS["pk"](seed), speaker

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Return the next thing to say, else what ``pk`` does."""
        said = next_word(view, self._speaker(view))
        return self._player.decide(view, choices, knowledge) if said is None else said


class TalkingGame(FloorGame):
    """A game in which talk takes nobody's turn to do something, as at a table."""

    def ask(self, seat: int, tries: int = 0, legal: tuple[Command, ...] | None = None) -> Command | None:
        """Return what a seat decides once it has said what it says."""
        for _ in range(WORDS):
            command = super().ask(seat, tries, legal)
            if not isinstance(command, SetWish | MakePromise | WithdrawPromise):
                return command
            self.apply(command)
        msg = f"{self.bots[seat].name} in seat {seat} does nothing but talk"
        raise RuntimeError(msg)


class Played(NamedTuple):
    """What the person took in one game: the share of the win, and coins over the others."""

    share: float
    coins: float


def play(level: str, speaker: str, deal: int, seed: str) -> Played:
    """Play one game of a speaker in the person's seat, which follows from the deal."""
    rules, person = resolve("full", PLAYERS_AT_THE_TABLE), deal % PLAYERS_AT_THE_TABLE
    cache = BotCache(PLAYERS)
    bots: list[Mannered | Person] = [
        Mannered(cache, current_name(level), at, person) for at in range(PLAYERS_AT_THE_TABLE)
    ]
    bots[person] = Person(SPEAKERS[speaker], deal)
    game = TalkingGame(rules, fold(opening(rules, seed_from(f"{seed}:{deal}"))), bots, BRISK)
    game.play()
    result = outcome(game)
    others = [coins for at, coins in enumerate(result.coins) if at != person]
    return Played(result.shares[person], result.coins[person] - sum(others) / len(others))


def rows(level: str, found: dict[str, Floats]) -> list[str]:
    """Return a row of a table of Markdown for each speaker; differences are to the honest one."""
    told = []
    for speaker, values in found.items():
        share, coins = 100 * values[:, 0], values[:, 1]
        row = f"| three `{current_name(level)}` | {speaker} | {_mean(share)} % | {coins.mean():+.2f} "
        if speaker == "honest" or "honest" not in found:
            told.append(row + f"| | | {len(values):,} |")
            continue
        more = values - found["honest"]
        told.append(row + f"| {_mean(100 * more[:, 0])} | {_mean(more[:, 1], 2)} | {len(values):,} |")
    return told


def _mean(values: Floats, places: int = 1) -> str:
    """Return a mean with half its 95 % interval; of one value there is none."""
    error = WIDTH * float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return f"{values.mean():.{places}f} ± {error:.{places}f}"


HEAD = (
    "| among | speaker | share of the wins | coins over the others | points more than honest "
    "| coins more | deals |\n|---|---|--:|--:|--:|--:|--:|"
)


def main(options: Sequence[str] | None = None) -> None:
    """Play all speakers at all levels, deal by deal, and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=100, help="deals of each level (default: 100)")
    parser.add_argument("--level", nargs="+", default=["gentle", "strong"])
    parser.add_argument("--speaker", nargs="+", choices=list(SPEAKERS), default=list(SPEAKERS))
    parser.add_argument("--seed", default="talk")
    given = parser.parse_args(options)
    found: dict[str, dict[str, list[Played]]] = {
        level: {speaker: [] for speaker in given.speaker} for level in given.level
    }
    for deal in range(given.games):
        for level, speakers in found.items():
            for speaker, played in speakers.items():
                played.append(play(level, speaker, deal, given.seed))
        if (deal + 1) % TOLD == 0 and deal + 1 < given.games:
            print(_table(found), file=sys.stderr, flush=True)
    print(_table(found))


def _table(found: dict[str, dict[str, list[Played]]]) -> str:
    """Return the table of what was found so far."""
    lines = [HEAD]
    for level, speakers in found.items():
        lines += rows(level, {speaker: np.array(played) for speaker, played in speakers.items()})
    return "\n".join(lines)


if __name__ == "__main__":
    main()
