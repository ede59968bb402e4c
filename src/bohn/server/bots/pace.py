"""How long a bot waits before it looks, in ms: drawn at random, from public facts only.

Where people are part of what is looked at, a bot takes its time, so that they can follow; what bots propose
to each other beside them they see come and go. Where no people play bots are quick among themselves, and in a
lesson, which tells its own story.
"""

from __future__ import annotations

from random import Random

from msgspec import Struct

from bohn.protocol.room import Room
from bohn.rules.state import GiftPhase, Offer, State
from bohn.server.room.clocks import FACTORS
from bohn.server.settings import Times

UNHURRIED = 4
"""Factor on how long people who play without a clock have for an offer: up to a minute."""

BESIDE_ALONE = 3
"""Factor on how long a bot leaves that person to answer first what both are asked: 9 to 13.5 s."""

FIRST_LOOKS = 2
"""Shortest looks that people have first at the cards of a bot that are turned over: 1.6 s at normal pace."""

SEEN = 2
"""Shortest looks for which people see an offer among bots before it is answered: 1.6 s at normal pace."""

LEAVING = 4
"""Silences for which bots leave a person the beans of an offer to him: 8 s at normal pace."""

READING = 6
"""Silences that a market has at least before its last call: 12 s at normal pace, for people to look at it."""

THINKING = 4
"""Silences for which a market waits for a person's next offer behind what he does: 8 s at normal pace."""

HOLDING = 6
"""Silences for which an offer among bots is held while a person puts one together: 12 s at normal pace."""

HASTE = 0.1
"""Factor on every delay where no people play: nobody has to follow."""


class PublicOffer(Struct, frozen=True):
    """The public part of an offer: to whom it goes, and who has asked to be picked."""

    id: int
    revision: int
    maker: int
    to: tuple[int, ...]
    claimers: tuple[int, ...]


def public_offer(offer: Offer) -> PublicOffer:
    """Return the public part of an offer; who has declined it is not public."""
    claimers = tuple(claim.player for claim in offer.claims)
    return PublicOffer(offer.id, offer.revision, offer.maker, offer.to, claimers)


def people(room: Room) -> frozenset[int]:
    """Return the seats that their owners play themselves."""
    return frozenset(place for place, seat in enumerate(room.seats) if seat.user and not seat.bot)


def unhurried(room: Room) -> bool:
    """Tell whether people play without a clock: bots wait for their answers."""
    return room.options.clock == "none" and bool(people(room))


def is_first_market(room: Room, state: State) -> bool:
    """Tell whether this is the first market of the game that a bot ends; a lesson has times of its own."""
    here, seats = people(room), len(state.players)
    before = {(state.starter + turn) % seats for turn in range(min(state.turn - 1, seats))}
    return room.lesson is None and state.active_player not in here and before <= here


class Pace:
    """Draws delays, in ms."""

    def __init__(self, times: Times, rand: Random) -> None:
        """Draw from ``rand``."""
        self._times = times
        self._rand = rand

    def move(self, room: Room, state: State) -> float:
        """Draw how long a bot takes outside the trading; to haggle over a gift takes as long as in it."""
        if isinstance(state.phase, GiftPhase):
            return self.delay(room)
        return self._drawn(room, self._usual(room, self._times.bot_move))

    def delay(self, room: Room) -> float:
        """Draw how long a bot takes to look at what concerns it in a trading."""
        return self._drawn(room, self._usual(room, self._times.bot_delay))

    def first_look(self, room: Room) -> float:
        """Draw how long a bot takes to look at the trading of a bot that begins: people look first."""
        if not people(room) or room.lesson is not None:
            return self.delay(room)
        return self._scaled(room, FIRST_LOOKS * self._times.bot_delay[0]) + self.delay(room)

    def answer(self, room: Room, offer: PublicOffer, seat: int) -> float:
        """Draw how long a bot takes to look at an offer: long beside people who have not answered yet."""
        here = people(room)
        if (here & set(offer.to)) - {seat, *offer.claimers}:
            longer = BESIDE_ALONE if unhurried(room) and len(here) == 1 else 1
            return longer * self._drawn(room, self._times.bot_beside_people)
        if offer.maker in here:
            return self.delay(room)
        return SEEN * self._followed(room) + self._drawn(room, self._times.bot_chatter)

    def patience(self, room: Room, offer: PublicOffer) -> float:
        """Draw when a bot goes on after its offer.

        Offers that reach people stand, so it need not wait for their answers. Among bots it waits as long as
        the slowest may need, so that it need not offer twice what is taken.
        """
        times = self._times
        if people(room) & set(offer.to):
            return self._followed(room) + self._drawn(room, self._usual(room, times.bot_move))
        collecting = times.collect if len(offer.to) > 1 else 0
        slowest = SEEN * self._followed(room) + self._scaled(room, times.bot_chatter[1]) + collecting
        return slowest + self._drawn(room, times.bot_chatter)

    def open(self, room: Room) -> float:
        """Draw how long a bot leaves the trading open for people who are asked by an offer, from now on."""
        longer = UNHURRIED if unhurried(room) else 1
        return longer * self._drawn(room, self._times.bot_open)

    def leaving(self, room: Room) -> float:
        """Return for how long bots leave a person the beans of an offer to him, from when it came."""
        return self._scaled(room, LEAVING * self._times.bot_quiet)

    def holding(self, room: Room) -> float:
        """Return for how long bots hold an offer of theirs while a person puts one together, at most."""
        return self._scaled(room, HOLDING * self._times.bot_quiet)

    def quiet(self, room: Room) -> float:
        """Return how long nothing may have happened before a bot ends the trading.

        Where people sit by, there is a last call behind it; where none do, every bot must have looked.
        """
        times = self._times
        long = times.bot_quiet if people(room) else max(times.bot_quiet, 2 * times.bot_delay[1])
        return self._scaled(room, long)

    def reading(self, room: Room, *, first: bool = False) -> float:
        """Return how long a market stays open for people who look at it, whether they are asked or not.

        ``first``: they have not seen one yet in this game, and one of them has done nothing in it so far.
        """
        usual = READING * self._times.bot_quiet
        return self._scaled(room, max(usual, self._times.bot_first_market) if first else usual)

    def thinking(self, room: Room) -> float:
        """Return how long a market stays open after an offer or exchange of a person, for his next offer."""
        return self._scaled(room, THINKING * self._times.bot_quiet)

    def _followed(self, room: Room) -> float:
        """Return the shortest time people need to follow what a bot does, where they have to."""
        return self._scaled(room, self._times.bot_delay[0]) if people(room) and room.lesson is None else 0.0

    def _usual(self, room: Room, bounds: tuple[int, int]) -> tuple[int, int]:
        """Return these bounds; in a lesson every bot takes the same time: one is to follow the story."""
        return bounds if room.lesson is None else (self._times.lesson_delay,) * 2

    def _drawn(self, room: Room, bounds: tuple[int, int]) -> float:
        return self._scaled(room, self._rand.uniform(*bounds))

    def _scaled(self, room: Room, milliseconds: float) -> float:
        return milliseconds * (FACTORS[room.options.pace] if people(room) else HASTE)
