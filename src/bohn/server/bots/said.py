"""What people say to a computer player: what they can spare, and what they promise it (TALK-1, TALK-2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec.structs import replace

from bohn.bots.bargaining import useful
from bohn.rules.beans import Bean
from bohn.rules.state import Promise
from bohn.views.knowledge import Knowledge
from bohn.views.view import View


def promises_of(view: View, person: int) -> Iterator[Promise]:
    """Yield what a person says he will give to the viewer, oldest first."""
    for promise in view.talk.promises:
        if promise.player == person and promise.to == view.viewer and promise.give:
            yield promise


def said_to_give(view: View, person: int) -> frozenset[Bean]:
    """Return the kinds that a person has said he can spare, or will give to the viewer."""
    promised = [bean for promise in promises_of(view, person) for bean in promise.give]
    return frozenset((*view.talk.wishes[person].spare, *promised))


def of_use(view: View, player: int) -> set[Bean]:
    """Return the kinds a player has a use for: he grows them, has said he wants them, or is to be paid so."""
    hoped = [bean for promise in promises_of(view, player) for bean in promise.get]
    return {*useful(view, player), *view.talk.wishes[player].want, *hoped}


def hearing(view: View, knowledge: Knowledge, people: Collection[int]) -> Knowledge:
    """Return what is known with what people say they will give, until they refuse to give it."""
    if not knowledge.shown:
        return knowledge
    shown = list(knowledge.shown)
    for person in people:
        counts = list(shown[person])
        for bean in said_to_give(view, person):
            if not knowledge.refusals[person][bean]:
                counts[bean] = max(counts[bean], 1)
        shown[person] = tuple(counts)
    return replace(knowledge, shown=tuple(shown))
