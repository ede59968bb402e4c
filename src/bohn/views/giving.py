"""Which of its own cards a seat may give or discard now, and which are given first.

Worked out here and sent, because the page has no rules.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from bohn.rules.beans import BEANS, Bean
from bohn.rules.commands import Command, DiscardFromHand
from bohn.rules.giving import Source, available, first_copies, has_choice, ways_to_give
from bohn.rules.state import Copies, Copy
from bohn.views.view import GiftView, OfferView, TradeView, View


class Answer(Struct, frozen=True, gc=False):
    """The viewer's copies of what an offer asks for, as many as he has, first given first (OFFER-12).

    ``choice`` is true if other copies could be given instead.
    """

    hand: Copies
    face_up: Copies
    choice: bool


class Way(Struct, frozen=True, gc=False):
    """One card with which a named kind could be delivered; ``hand`` is how ``name-gift`` names it (DD-6)."""

    source: Source
    place: int
    hand: Copies


class GiftWays(Struct, frozen=True, gc=False):
    """The ways to deliver one kind, the default one first; naming a kind without any is a bluff (DD-9)."""

    bean: Bean
    ways: tuple[Way, ...]


def answer(view: View, offer: OfferView) -> Answer | None:
    """Return the cards with which the viewer would answer an offer; ``None`` if it is not made to him."""
    if view.own is None or view.viewer not in offer.to:
        return None
    hand, face_up = view.own.hand, _own_face_up(view)
    found = first_copies(hand, face_up, available(face_up + hand, offer.want))
    assert found is not None  # noqa: S101 - only what is there is asked for
    return Answer(*found, has_choice(face_up + hand, offer.want))


def gift_ways(view: View) -> tuple[GiftWays, ...]:
    """Return the kinds that the viewer could give while a gift is haggled over; all others are bluffs."""
    if view.own is None or not isinstance(view.phase, GiftView):
        return ()
    hand, face_up = view.own.hand, _own_face_up(view)
    kinds = [bean for bean in BEANS if bean in hand or bean in face_up]
    return tuple([GiftWays(bean, _ways(hand, face_up, bean)) for bean in kinds])


def _ways(hand: tuple[Bean, ...], face_up: tuple[Bean, ...], bean: Bean) -> tuple[Way, ...]:
    return tuple(
        [
            Way(source, place, (Copy(place, bean),) if source == "hand" else ())
            for source, place in ways_to_give(hand, face_up, bean)
        ]
    )


def discards(view: View, legal: Iterable[Command]) -> Copies:
    """Return the hand cards of which one may be discarded: any, where a discard is legal (DUEL-7)."""
    if view.own is None or not any(isinstance(command, DiscardFromHand) for command in legal):
        return ()
    return tuple([Copy(place, bean) for place, bean in enumerate(view.own.hand)])


def _own_face_up(view: View) -> tuple[Bean, ...]:
    """Return the face-up cards that are the viewer's to give: those of the active player (TRADE-2, DD-9)."""
    phase = view.phase
    mine = view.viewer == view.active_player
    return phase.face_up if mine and isinstance(phase, TradeView | GiftView) else ()
