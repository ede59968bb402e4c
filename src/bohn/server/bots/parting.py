"""What a computer player does about beans that would ruin a row of its own, before the trading ends.

It offers each to whoever grows it: for a kind that it grows itself, and at last for nothing. So it is among
people, who would not understand that somebody ploughs up three blue beans for a bean that his neighbour would
have taken. Such are face-up beans and, for players that are to be good company, the card that they must plant
first in their next turn; that one they also offer in the turns of others. Good company gives such a bean, or
one that it has said it can spare, to whoever has offered something for it in vain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bohn.bots.bargaining import Proposal, clockwise, copies_of, kinds_grown, useful
from bohn.bots.farming import hand, lying_before, seat
from bohn.rules.beans import Bean
from bohn.server.bots.common_sense import (
    burdens_of,
    enriches,
    harmful,
    leads,
    plain_gain,
    rows_kept,
    unwanted_card,
)
from bohn.server.bots.haggling import Aim, partners_of, proposal_of
from bohn.server.bots.levels import is_hard
from bohn.server.bots.said import promised_by
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
            for wanted in _wanted(view, bean):
                if wanted not in useful(view, other):
                    yield _proposal(view.phase, other, bean, (wanted,))
    for bean in unwanted:
        lying = [one for one in view.phase.face_up if one == bean]
        for other in dict.fromkeys((*_wishers(view, bean), *_growers(view, bean), *_with_room(view))):
            if not leads(view, other) and not enriches(view, other, lying):
                yield _proposal(view.phase, other, bean, ())


def hand_partings(view: View, *, gifts_only: bool = False) -> Iterator[Proposal]:
    """Yield the same for the front card of the hand, in any turn; as a gift only to who grows or wants it."""
    bean = unwanted_card(view)
    if bean is None:
        return
    card = copies_of(hand(view), (bean,))
    for other in () if gifts_only else _growers(view, bean):
        for wanted in _wanted(view, bean):
            if wanted not in useful(view, other):
                yield Proposal((other,), card, (), (wanted,))
    for other in dict.fromkeys((*_wishers(view, bean), *_growers(view, bean))):
        if not leads(view, other) and not enriches(view, other, (bean,)):
            yield Proposal((other,), card, (), ())


def given_instead(view: View, bot: str, aim: Aim) -> Proposal | None:
    """Return what good company gives for nothing to whose offer for it was refused.

    That is what would cost it a row, and one of each kind that it has said it can spare, but for what it has
    promised: whoever asked for it as a gift would have been given it, and nobody need beg. While an own price
    for it stands he is to answer that.
    """
    if not aim.countered or aim.offer is not None or aim.near is None:
        return None
    if is_hard(bot) or leads(view, aim.seat):
        return None
    burdens, own = burdens_of(view, bot), Counter(hand(view) + lying_before(view, seat(view)))
    asked = Counter(aim.near.give)
    spared = asked & Counter(view.talk.wishes[seat(view)].spare)
    free = Counter({bean: number for bean, number in asked.items() if bean in burdens}) | spared
    gift = tuple((free & (own - promised_by(view, (aim.seat,)))).elements())
    if not gift or enriches(view, aim.seat, gift) or plain_gain(view, (), gift, with_front=True) < 0:
        return None
    return proposal_of(view, aim.seat, gift, ())


def _wanted(view: View, given: Bean) -> list[Bean]:
    """Return what the viewer likes for a bean: kinds that he grows, on rows that stay without it."""
    lying = Counter(bean for bean in lying_before(view, seat(view)) if bean == given)
    kept = rows_kept(view, seat(view), lying)
    return [bean for bean in kinds_grown(view) if bean in kept]


def _growers(view: View, bean: Bean) -> list[int]:
    """Return those to trade with who grow a kind and have room for more, who grows most of it first."""
    most = {
        other: max(len(field) for field in view.players[other].fields if field and field[-1] == bean)
        for other in partners_of(view)
        if bean in useful(view, other)
    }
    full = view.rules.beanometers[bean][-1][0]
    return sorted((other for other in most if most[other] < full), key=lambda other: -most[other])


def _wishers(view: View, bean: Bean) -> list[int]:
    """Return those to trade with who have said that they want a kind."""
    return [other for other in partners_of(view) if bean in view.talk.wishes[other].want]


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
