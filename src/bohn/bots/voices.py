"""Voices: which reasons computer players say aloud. Little, and only to people."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from bohn.bots.reasons import THANKS, Reason
from bohn.rules.commands import AcceptOffer, BuyField, Command, Harvest
from bohn.rules.events import Event, OfferDeclined, OfferEdited, OfferMade, OfferWithdrawn, Traded


class Saying(Struct, frozen=True):
    """Something a seat says, to everybody or (``to``) to one seat alone; perhaps about its own ``offer``."""

    seat: int
    reason: Reason
    to: int | None = None
    offer: int | None = None


class Voices:
    """What the computer players of one table say, and how often.

    In one turn each of them gives a reason for one offer that reaches people (anew if it changes it), and
    for one harvest or purchase, and thanks them for one exchange. Whoever it refuses is told why each time:
    a bare no leaves him to guess which price was too high. Why it takes an offer back it says if it has a
    reason, which it has where the offer was made to people. Where nobody listens, nothing is said. Losing
    this state costs repeated words only.
    """

    def __init__(self) -> None:
        """Begin with nothing said."""
        self._turn = 0
        self._said: dict[tuple[int, str], int | None] = {}

    def sayings(
        self,
        turn: int,
        command: Command,
        events: Sequence[Event],
        reason: Reason | None,
        people: Collection[int],
    ) -> tuple[Saying, ...]:
        """Return what is said after a command: by whoever gave it, with its ``reason``, or by its partner."""
        if turn != self._turn:
            self._turn, self._said = turn, {}
        if not people:
            return ()
        found = []
        for occasion, saying in _wanted(command, events, reason, people):
            key = saying.seat, occasion
            if key not in self._said or (saying.offer is not None and self._said[key] == saying.offer):
                self._said[key] = saying.offer
                found.append(saying)
        return tuple(found)


def _wanted(
    command: Command, events: Sequence[Event], reason: Reason | None, people: Collection[int]
) -> Iterator[tuple[str, Saying]]:
    """Yield what there is to say, each with the occasion of which there is one a turn."""
    me = command.player
    told = None if me in people else reason
    if told is not None and isinstance(command, Harvest | BuyField):
        yield "farm", Saying(me, told)
    for event in events:
        if isinstance(event, Traded):
            yield from (("trade", saying) for saying in _thanks(event, command, reason, people))
        elif told is None:
            continue
        elif isinstance(event, OfferMade | OfferEdited) and not set(event.offer.to).isdisjoint(people):
            yield "offer", Saying(me, told, offer=event.offer.id)
        elif isinstance(event, OfferWithdrawn):
            yield f"withdrawal {event.offer}", Saying(me, told)
        elif isinstance(event, OfferDeclined) and event.maker in people:
            yield f"refusal {event.offer} {event.revision}", Saying(me, told, event.maker)


def _thanks(
    event: Traded, command: Command, reason: Reason | None, people: Collection[int]
) -> Iterator[Saying]:
    """Yield what computer players say to people they trade with: why they accepted, or thanks."""
    given = event.maker_hand + event.maker_face_up
    back = event.partner_hand + event.partner_face_up
    for me, other, received in ((event.maker, event.partner, back), (event.partner, event.maker, given)):
        if me in people or other not in people:
            continue
        if isinstance(command, AcceptOffer) and command.player == me and reason is not None:
            yield Saying(me, reason)
        elif received:
            yield Saying(me, THANKS)
