"""How long a bot takes to look: drawn from public facts and chance, before anybody sees a card. In ms."""

from __future__ import annotations

from random import Random

from msgspec import Struct

from bohn.rules.state import Offer
from bohn.server.room.state import Room
from bohn.server.settings import Times

HASTE = 0.1
"""Where no people play, everything takes a tenth of the time."""


class Posted(Struct, frozen=True):
    """The public part of an offer: to whom it goes, and who has asked to be picked."""

    id: int
    revision: int
    maker: int
    to: tuple[int, ...]
    claimers: tuple[int, ...]


def posted(offer: Offer) -> Posted:
    """Return the public part of an offer; who has declined is none."""
    claimers = tuple(claim.player for claim in offer.claims)
    return Posted(offer.id, offer.revision, offer.maker, offer.to, claimers)


def people(room: Room) -> frozenset[int]:
    """Return the seats that their owners play themselves."""
    return frozenset(place for place, seat in enumerate(room.seats) if seat.user and not seat.bot)


class Pace:
    """Draws delays, in ms."""

    def __init__(self, times: Times, rand: Random) -> None:
        """Draw from this chance."""
        self._times = times
        self._rand = rand

    def delay(self, room: Room) -> float:
        """Draw how long a bot takes to look at what concerns it."""
        return self._drawn(room, self._times.bot_delay)

    def answer(self, room: Room, offer: Posted, seat: int) -> float:
        """Draw how long a bot takes to look at an offer: long beside people who have not answered yet."""
        beside = (people(room) & set(offer.to)) - {seat, *offer.claimers}
        return self._drawn(room, self._times.bot_beside_people if beside else self._times.bot_delay)

    def patience(self, room: Room, offer: Posted) -> float:
        """Draw how long a bot waits for answers to its offer: as long as the slowest bot may need.

        Where only people are asked, it is the time of quiet after which the trading may end.
        """
        times = self._times
        asked = people(room) & set(offer.to)
        if asked == set(offer.to):
            return self._scaled(room, times.bot_quiet)
        slowest = (times.bot_beside_people if asked else times.bot_delay)[1]
        return self._scaled(room, slowest) + times.collect + self.delay(room)

    def quiet(self, room: Room) -> float:
        """Return how long nothing public may have happened before a bot ends the trading."""
        return self._scaled(room, self._times.bot_quiet)

    def _drawn(self, room: Room, bounds: tuple[int, int]) -> float:
        return self._scaled(room, self._rand.uniform(*bounds))

    def _scaled(self, room: Room, milliseconds: float) -> float:
        return milliseconds if people(room) else milliseconds * HASTE
