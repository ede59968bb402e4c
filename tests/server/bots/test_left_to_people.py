"""What people are left: the beans of an offer to them, and all beans while they put an offer together."""

from __future__ import annotations

from typing import Any

import pytest

from bohn.bots.api import TradeView
from bohn.rules.commands import AcceptOffer, AnyCommand, MakeOffer
from bohn.rules.state import Copy
from bohn.server.bots.messages import Question
from tests.server.bots.actors import ActorHouse, staged

LEFT = {"relaxed": 16_000, "normal": 8_000, "brisk": 4_000}
"""Ms for which it is left to him at each pace."""


def hasty(question: Question) -> AnyCommand | None:
    """Offer the first face-up bean to seat 1, as seat 0; ask for the same one, as seat 2, and get it."""
    phase = question.view.phase
    assert isinstance(phase, TradeView)
    makers = {offer.maker for offer in phase.offers}
    if question.seat == 0 and not makers and question.tries == 5:
        return MakeOffer(0, (1,), (), (Copy(0, phase.face_up[0]),), ())
    if question.seat == 2 and makers == {0}:
        return MakeOffer(2, (0,), (), (), (phase.face_up[0],))
    return next((one for one in question.legal if isinstance(one, AcceptOffer) and question.seat == 0), None)


async def come(house: ActorHouse, **options: Any) -> None:
    """Come to a trading in which seat 0 has just offered a face-up bean to Anna."""
    house.actors.says = hasty
    await house.trading("pk", "anna", "pk", **options)
    while not await house.offers():
        await house.wait(10)


async def stood(house: ActorHouse) -> int:
    """Return for how many ms from now on the offer to Anna stands."""
    began = house.clock.now()
    while any(offer.to == (1,) for offer in await house.offers()):
        await house.wait(10)
    return house.clock.now() - began


@pytest.mark.parametrize("pace", LEFT)
def test_offer_to_a_person_is_not_traded_away_at_once(pace: str) -> None:
    """Its maker waits with an exchange that would end it, longer where all is slower, and then does it."""

    async def act(house: ActorHouse) -> None:
        await come(house, pace=pace)

        assert LEFT[pace] - 100 <= await stood(house) <= LEFT[pace] + 500
        assert len((await house.now()).players[2].set_aside) == 1

    staged(act)


def test_offer_is_not_left_to_who_has_traded_enough() -> None:
    """He does not look at it: nobody waits for him."""

    async def act(house: ActorHouse) -> None:
        await come(house)
        await house.tables.give_sign(house.table_id, "anna", "enough")

        assert await stood(house) <= 4_000

    staged(act)


def test_offer_ends_at_once_by_what_its_person_asks_for_himself() -> None:
    """He gets the bean by his own offer: that is his doing, and the bot answers in its usual time."""

    async def act(house: ActorHouse) -> None:
        await come(house)
        await house.person(MakeOffer(1, (0,), (), (), ((await house.phase()).face_up[0],)))

        assert await stood(house) <= 4_000
        assert len((await house.now()).players[1].set_aside) == 1

    staged(act)


def among(question: Question) -> AnyCommand | None:
    """Ask seat 0 for the first face-up bean, as seat 2; give it, as seat 0."""
    phase = question.view.phase
    assert isinstance(phase, TradeView)
    if question.seat == 2 and not phase.offers:
        return MakeOffer(2, (0,), (), (), (phase.face_up[0],))
    return next((one for one in question.legal if isinstance(one, AcceptOffer) and question.seat == 0), None)


def test_nothing_is_traded_away_while_a_person_puts_an_offer_together() -> None:
    """Bots wait with their exchanges; once he has put it away they go on."""

    async def act(house: ActorHouse) -> None:
        house.actors.says = among
        await house.trading("pk", "anna", "pk")
        await house.tables.give_sign(house.table_id, "anna", "composing")
        await house.wait(10_000)
        assert not (await house.now()).players[2].set_aside
        assert len(await house.offers()) == 1

        await house.tables.give_sign(house.table_id, "anna", None)
        await house.wait(4_000)
        assert (await house.now()).players[2].set_aside

    staged(act)


def test_offer_among_bots_is_not_held_for_ever() -> None:
    """Twelve seconds from when it would have been taken, however long somebody puts an offer together."""

    async def act(house: ActorHouse) -> None:
        house.actors.says = among
        await house.trading("pk", "anna", "pk")
        for _ in range(9):
            await house.tables.give_sign(house.table_id, "anna", "composing")
            await house.wait(2_000)
        assert (await house.now()).players[2].set_aside

    staged(act)


def test_offer_among_bots_is_not_held_against_a_newer_one_of_a_person() -> None:
    """Whoever has made his offer since is answered, though he goes on looking: what the bot likes best."""

    async def act(house: ActorHouse) -> None:
        house.actors.says = among
        await house.trading("pk", "anna", "pk")
        await house.tables.give_sign(house.table_id, "anna", "composing")
        while not await house.offers():
            await house.wait(50)
        await house.person(MakeOffer(1, (0,), (), (), ((await house.phase()).face_up[1],)))
        await house.tables.give_sign(house.table_id, "anna", "composing")
        await house.wait(5_000)

        assert (await house.now()).players[2].set_aside

    staged(act)


@pytest.mark.parametrize("beside", ["an older one of his", "a newer one of a bot"])
def test_offer_among_bots_is_held_whatever_else_is_offered(beside: str) -> None:
    """What the person offered before, and what bots offer besides, change nothing."""

    def says(question: Question) -> AnyCommand | None:
        phase = question.view.phase
        assert isinstance(phase, TradeView)
        own = [offer for offer in phase.offers if offer.maker == 2]
        most = 2 if beside == "a newer one of a bot" else 1
        if question.seat == 2 and len(own) < most:
            return MakeOffer(2, (0,), (), (), (phase.face_up[len(own)],))
        ids = [offer.id for offer in own]
        accepts = (one for one in question.legal if isinstance(one, AcceptOffer) and one.offer in ids)
        return next(accepts, None) if question.seat == 0 else None

    async def act(house: ActorHouse) -> None:
        await house.trading("pk", "anna", "pk")
        asked = (await house.phase()).face_up[1]
        if beside == "an older one of his":
            await house.person(MakeOffer(1, (0,), (), (), (asked,)))
        house.actors.says = says
        await house.tables.give_sign(house.table_id, "anna", "composing")
        while not any(offer.maker == 2 for offer in await house.offers()):
            await house.wait(50)
        await house.wait(7_000)

        assert not (await house.now()).players[2].set_aside

    staged(act)


def test_offer_among_bots_is_held_though_another_bot_has_a_newer_one_of_a_person() -> None:
    """Only whoever is to answer the person must not wait."""

    def says(question: Question) -> AnyCommand | None:
        phase = question.view.phase
        assert isinstance(phase, TradeView)
        if question.seat == 0 and not phase.offers and question.tries == 5:
            return MakeOffer(0, (2,), (), (Copy(0, phase.face_up[0]),), ())
        return next(
            (one for one in question.legal if isinstance(one, AcceptOffer) and question.seat == 2), None
        )

    async def act(house: ActorHouse) -> None:
        house.actors.says = says
        await house.trading("pk", "anna", "pk")
        await house.tables.give_sign(house.table_id, "anna", "composing")
        while not await house.offers():
            await house.wait(50)
        await house.person(MakeOffer(1, (0,), (), (), ((await house.phase()).face_up[1],)))
        await house.tables.give_sign(house.table_id, "anna", "composing")
        await house.wait(7_000)

        assert not (await house.now()).players[2].set_aside

    staged(act)


def test_who_puts_an_offer_together_is_answered_all_the_same() -> None:
    """An exchange with him waits for nothing."""

    async def act(house: ActorHouse) -> None:
        house.actors.says = among
        await house.trading("pk", "anna", "no-trade")
        await house.tables.give_sign(house.table_id, "anna", "composing")
        await house.person(MakeOffer(1, (0,), (), (), ((await house.phase()).face_up[0],)))
        await house.tables.give_sign(house.table_id, "anna", "composing")
        await house.wait(4_000)

        assert len((await house.now()).players[1].set_aside) == 1

    staged(act)
