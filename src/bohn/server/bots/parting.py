"""What a computer player does about face-up beans that would ruin a row of its own, before its trading ends.

It offers each to whoever grows it: for a kind that it grows itself, and at last for nothing. So it is among
people, who would not understand that somebody ploughs up three blue beans for a bean that his neighbour would
have taken. All of it follows from what everybody sees.
"""

from __future__ import annotations

from collections.abc import Iterator

from bohn.bots.bargaining import Proposal, clockwise, copies_of, kinds_grown, useful
from bohn.rules.beans import Bean
from bohn.server.bots.common_sense import enriches, harmful, leads
from bohn.views.view import TradeView, View

KEPT_FOR_PARTING = 2
"""Offers of a turn that are left for these, where there is something to be rid of."""


def partings(view: View, *, gifts_only: bool = False) -> Iterator[Proposal]:
    """Yield such offers: the bean that does most harm first, exchanges before gifts, who grows most first.

    Nothing where nothing does harm; no gift to somebody who leads or whom it would bring much.
    ``gifts_only``: it is the last offer.
    """
    if view.viewer != view.active_player or not isinstance(view.phase, TradeView):
        return
    unwanted = harmful(view)
    for bean in () if gifts_only else unwanted:
        for other in _growers(view, bean):
            for wanted in kinds_grown(view):
                if wanted not in useful(view, other):
                    yield _proposal(view.phase, other, bean, (wanted,))
    for bean in unwanted:
        lying = [one for one in view.phase.face_up if one == bean]
        for other in dict.fromkeys((*_wishers(view, bean), *_growers(view, bean), *_with_room(view))):
            if not leads(view, other) and not enriches(view, other, lying):
                yield _proposal(view.phase, other, bean, ())


def _growers(view: View, bean: Bean) -> list[int]:
    """Return those who grow a kind, who grows most of it first."""
    most = {
        other: max(len(field) for field in view.players[other].fields if field and field[-1] == bean)
        for other in clockwise(view)
        if bean in useful(view, other)
    }
    return sorted(most, key=lambda other: -most[other])


def _wishers(view: View, bean: Bean) -> list[int]:
    """Return those who have said that they want a kind."""
    return [other for other in clockwise(view) if bean in view.talk.wishes[other].want]


def _with_room(view: View) -> list[int]:
    """Return those who have an empty field and nothing yet to plant on it."""
    players = view.players
    return [
        other for other in clockwise(view) if not all(players[other].fields) and not players[other].set_aside
    ]


def _proposal(phase: TradeView, to: int, bean: Bean, want: tuple[Bean, ...]) -> Proposal:
    """Return the offer of all beans of a kind that lie face up."""
    lying = [one for one in phase.face_up if one == bean]
    return Proposal((to,), (), copies_of(phase.face_up, lying), want)
