"""What others say to a computer player: what they can spare, and what they promise it (TALK-1, TALK-2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from msgspec.structs import replace

from bohn.bots.bargaining import useful
from bohn.bots.farming import hand, lying_before, seat
from bohn.rules.beans import Bean
from bohn.rules.state import Promise
from bohn.views.knowledge import Knowledge
from bohn.views.view import View


def promises_of(view: View, player: int) -> Iterator[Promise]:
    """Yield what a player says he will give to the viewer, oldest first."""
    for promise in view.talk.promises:
        if promise.player == player and promise.to == view.viewer and promise.give:
            yield promise


def own_promises(view: View) -> Iterator[Promise]:
    """Yield what the viewer has promised, oldest first."""
    return (promise for promise in view.talk.promises if promise.player == view.viewer)


def said_to_give(view: View, player: int) -> frozenset[Bean]:
    """Return the kinds that a player has said he can spare, or will give to the viewer."""
    promised = [bean for promise in promises_of(view, player) for bean in promise.give]
    return frozenset((*view.talk.wishes[player].spare, *promised))


def of_use(view: View, player: int) -> set[Bean]:
    """Return the kinds a player has a use for: he grows them, has said he wants them, or is to be paid so."""
    hoped = [bean for promise in promises_of(view, player) for bean in promise.get]
    return {*useful(view, player), *view.talk.wishes[player].want, *hoped}


def hearing(view: View, knowledge: Knowledge, others: Collection[int]) -> Knowledge:
    """Return what is known with what others say they will give, until they refuse to give it."""
    if not knowledge.shown:
        return knowledge
    shown = list(knowledge.shown)
    for other in others:
        counts = list(shown[other])
        for bean in said_to_give(view, other):
            if not knowledge.refusals[other][bean]:
                counts[bean] = max(counts[bean], 1)
        shown[other] = tuple(counts)
    return replace(knowledge, shown=tuple(shown))


def breaks_promise(view: View, gives: Iterable[Bean], to: Collection[int]) -> bool:
    """Tell whether the viewer would give some players what he has promised to another."""
    given, left = Counter(gives), Counter(hand(view) + lying_before(view, seat(view)))
    left.subtract(given)
    return any(given[bean] and left[bean] < number for bean, number in promised_by(view, to).items())


def promised_by(view: View, but: Collection[int]) -> Counter[Bean]:
    """Count what the viewer has promised to give to others than some players."""
    return Counter(bean for one in own_promises(view) if one.to not in but for bean in one.give)
