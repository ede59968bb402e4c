"""Which copies of a bean are given first: for an offer, a gift or a discard (OFFER-12, DD-9, DUEL-7).

These functions take cards alone: the rules pass those of a state, the views those that one seat sees.
"""

from __future__ import annotations

from typing import Literal

from bohn.rules.beans import Bean
from bohn.rules.state import Copies, Copy

Cards = tuple[Bean, ...]
Source = Literal["face-up", "hand"]


def front_copies(cards: Cards, want: Cards) -> tuple[int, ...] | None:
    """Return the front-most places that hold these kinds, or ``None`` if they are not all there."""
    places: list[int] = []
    for bean in want:
        start = 0
        while True:
            try:
                place = cards.index(bean, start)
            except ValueError:
                return None
            if place not in places:
                places.append(place)
                break
            start = place + 1
    return tuple(places)


def first_copies(hand: Cards, face_up: Cards, want: Cards) -> tuple[Copies, Copies] | None:
    """Return the hand and face-up copies that serve these kinds, or ``None`` (OFFER-12).

    ``face_up`` are the cards that are the giver's to give: they go before his hand, from which the
    front-most go.
    """
    if not want:
        return (), ()
    lying: list[Copy] = []
    if face_up:
        left = list(want)
        for place, bean in enumerate(face_up):
            if bean in left:
                left.remove(bean)
                lying.append(Copy(place, bean))
        want = tuple(left)
    places = front_copies(hand, want)
    if places is None:
        return None
    return tuple([Copy(place, hand[place]) for place in places]), tuple(lying)


def available(cards: Cards, want: Cards) -> Cards:
    """Return which of the wanted kinds the cards have, each as often as it is both wanted and there."""
    left = list(cards)
    found: list[Bean] = []
    for bean in want:
        if bean in left:
            left.remove(bean)
            found.append(bean)
    return tuple(found)


def has_choice(cards: Cards, want: Cards) -> bool:
    """Tell whether other copies could serve these kinds than those that go first (OFFER-12)."""
    return any(cards.count(bean) > want.count(bean) for bean in want)


def ways_to_give(hand: Cards, face_up: Cards, bean: Bean) -> tuple[tuple[Source, int], ...]:
    """Return each source and place from which a named kind can be delivered, the default one first (DD-9).

    ``face_up`` are the cards that are the giver's to give; of equal ones only the first counts. For a
    bluff there is none.
    """
    lying: tuple[tuple[Source, int], ...] = (("face-up", face_up.index(bean)),) if bean in face_up else ()
    return lying + tuple([("hand", place) for place, card in enumerate(hand) if card == bean])
