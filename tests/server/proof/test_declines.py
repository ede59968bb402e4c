"""Who has declined an offer cannot be guessed from when others hear that something happened.

Somebody at the table knows how long each of the others takes to answer. An offer stands for three of them,
one declines, and at a moment that does not depend on him the offer is withdrawn. The listener guesses by when
he first heard of anything in between: by a frame of his stream, or by a greater number when he asks again.
"""

from __future__ import annotations

import asyncio
from random import Random

import msgspec
import pytest

from bohn.rules.beans import Bean
from bohn.rules.commands import DeclineOffer, MakeOffer, WithdrawOffer
from bohn.rules.state import TradePhase
from bohn.server.settings import Settings, Times
from bohn.server.tables import snapshot
from tests.server.support.tables import Ear, House

FIVE = ("anna", "bert", "chiyo", "dagur", "erik")
OFFERS = 400
HABITS = (900, 1_600, 2_300)
"""Milliseconds that each of the three asked usually takes to decline."""

SPREAD = 500
"""Milliseconds by which they differ from their habit, at most."""

STANDS = (HABITS[-1] + SPREAD, 4_000)
"""Milliseconds after which an offer is withdrawn, from and to."""

CHANCE = 1 / 3
LUCK = 3 * (CHANCE * (1 - CHANCE) / OFFERS) ** 0.5
"""What blind guesses exceed a third by once in seven hundred times."""


UNHURRIED = Settings(times=Times(poll=3_600_000, beat=3_600_000))
"""Nothing runs beside the players: the test is quicker so."""


class Listener(Ear):
    """Somebody at a table who notes when he first hears of a batch behind one that he knows."""

    def __init__(self, house: House) -> None:
        """Know nothing; the time is that of the house."""
        super().__init__()
        self.house = house
        self.known = 0
        self.heard: int | None = None

    def push(self, frame: bytes) -> None:
        """Hear a frame of the stream."""
        super().push(frame)
        self.hear(msgspec.json.decode(frame).get("seq", 0))

    def hear(self, seq: int) -> None:
        """Hear of a batch."""
        if seq > self.known and self.heard is None:
            self.heard = self.house.clock.now()

    def guess(self, since: int) -> int:
        """Return whose habit fits best to what was heard since a moment."""
        assert self.heard is not None
        took = self.heard - since
        return min(range(len(HABITS)), key=lambda one: abs(HABITS[one] - took))


async def guessed() -> float:
    """Return for which share of the offers the listener names who has declined."""
    house = await House(UNHURRIED).begin()
    table = await house.table(*FIVE)
    maker = await house.until_trading(table, FIVE)
    *asked, listening = (seat for seat in range(5) if seat != maker)
    rand, listener, hits = Random(5), Listener(house), 0
    await house.tables.watch(table, FIVE[listening], listener, None)
    for _ in range(OFFERS):
        listener.known = await house.do(table, FIVE[maker], MakeOffer(maker, tuple(asked), want=(Bean.RED,)))
        listener.heard, made = None, house.clock.now()
        phase = (await house.tables.peek(table)).state.phase  # type: ignore[union-attr]  # - the game has begun
        assert isinstance(phase, TradePhase)
        who, offer = rand.randrange(len(asked)), phase.offers[0]
        await house.clock.advance(HABITS[who] + rand.randint(-SPREAD, SPREAD))
        await house.do(table, FIVE[asked[who]], DeclineOffer(asked[who], offer.id, offer.revision))
        listener.hear((await house.tables.legal(table, FIVE[listening])).seq)
        await house.clock.advance(made + rand.randint(*STANDS) - house.clock.now())
        await house.do(table, FIVE[maker], WithdrawOffer(maker, offer.id))
        hits += listener.guess(made) == who
    await house.end()
    return hits / OFFERS


def test_declines_are_guessed_no_better_than_by_chance() -> None:
    """Of 400 declined offers nobody who may not know it names the decliner more often than a blind guess."""
    assert asyncio.run(guessed()) < CHANCE + LUCK


def test_declines_that_are_told_at_once_are_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a number is sent in its moment, the listener names most decliners: he finds a leak."""
    monkeypatch.setattr(snapshot, "sees", lambda *_: True)
    assert asyncio.run(guessed()) > 2 / 3
