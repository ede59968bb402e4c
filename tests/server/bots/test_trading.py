"""When bots look at a trading, and what they may do there."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bohn.bots.api import TradeView
from bohn.rules.commands import (
    AcceptOffer,
    AnyCommand,
    Claim,
    EditOffer,
    Harvest,
    MakeOffer,
    Pick,
    WithdrawOffer,
)
from bohn.server.bots import seats
from bohn.server.bots.messages import Question
from tests.server.bots.actors import KINDS, TIMES, ActorHouse, accept, ask_for, decline, gift, staged, wish

# -- who looks -----------------------------------------------------------------------------------------


def test_everybody_looks_once_after_the_trading_began() -> None:
    """Each bot that trades looks once, in its time; and then not before something concerns it."""

    async def act(house: ActorHouse) -> None:
        await house.trading("anna", "pk", "pk")
        await house.wait(60_000)
        looked = house.looked()

        assert sorted(seat for _, seat in looked) == [1, 2]
        assert all(800 <= at <= 2_500 for at, _ in looked)

    staged(act)


def test_people_look_first_at_the_trading_of_a_bot() -> None:
    """Bots look 1.6 s later when it begins, and in their usual time at what follows."""

    async def act(house: ActorHouse) -> None:
        await house.trading("pk", "anna", "pk")
        await house.wait(5_000)
        looked = house.looked()
        begun = house.clock.now() - house.began
        await house.person(ask_for(1, 0))
        await house.wait(3_000)
        offered = house.looked()

        assert sorted(seat for _, seat in looked) == [0, 2]
        assert all(2_400 <= at <= 4_100 for at, _ in looked)
        assert [seat for _, seat in offered] == [0]
        assert 800 <= offered[0][0] - begun <= 2_500

    staged(act)


def test_bots_that_do_not_trade_never_look() -> None:
    """Whose class says that it does not trade is not asked in the trading."""

    async def act(house: ActorHouse) -> None:
        await house.trading("anna", "no-trade", "pk")
        await house.person(ask_for(0, 1, 2))
        await house.wait(20_000)

        assert {seat for _, seat in house.looked()} == {2}

    staged(act)


def test_offer_is_looked_at_by_those_it_reaches() -> None:
    """An offer concerns its addressees, as much after it was edited, and nobody else."""

    async def act(house: ActorHouse) -> None:
        await house.trading("anna", "pk", "pk")
        await house.wait(5_000)
        house.looked()
        await house.person(ask_for(0, 2))
        await house.wait(10_000)
        first = house.looked()
        (offer,) = await house.offers()
        await house.person(EditOffer(0, offer.id, offer.revision, (1,), (), (), offer.want))
        await house.wait(10_000)
        second = house.looked()

        assert [seat for _, seat in first] == [2]
        assert 5_800 <= first[0][0] <= 7_500
        assert [seat for _, seat in second] == [1]
        assert 15_800 <= second[0][0] <= 17_500

    staged(act)


def test_bot_lets_people_answer_first() -> None:
    """An offer that also reaches people is looked at after three to four and a half seconds."""

    async def act(house: ActorHouse) -> None:
        await house.trading("anna", "bert", "pk")
        await house.wait(5_000)
        house.looked()
        await house.person(ask_for(0, 1, 2))
        await house.wait(20_000)
        looked = house.looked()

        assert [seat for _, seat in looked] == [2]
        assert 8_000 <= looked[0][0] <= 9_500

    staged(act)


def test_no_offer_is_answered_before_its_time() -> None:
    """An earlier look for another reason does not answer the offer that people are to answer first."""

    async def act(house: ActorHouse) -> None:
        house.actors.says = accept
        await house.trading("anna", "bert", "pk")
        await house.person(gift(await house.phase(), 0, 1, 2))
        await house.wait(2_900)
        early = house.looked()
        still = await house.offers()
        await house.wait(5_000)

        assert [seat for _, seat in early] == [2]
        assert len(still) == 1
        assert await house.offers() == ()

    staged(act)


@pytest.mark.parametrize("stirring", ["harvest", "exchange"])
def test_exchange_and_harvest_concern_everybody(stirring: str) -> None:
    """After an exchange or a harvest by anybody all bots look again."""

    async def act(house: ActorHouse) -> None:
        await house.trading("anna", "bert", "pk", "pk")
        await house.wait(10_000)
        house.looked()
        if stirring == "harvest":
            await house.person(Harvest(0, 0))
        else:
            await house.person(gift(await house.phase(), 0, 1))
            await house.person(AcceptOffer(1, 1, 1), "bert")
        await house.wait(20_000)
        looked = house.looked()

        assert sorted(seat for _, seat in looked) == [2, 3]
        assert all(10_800 <= at <= 12_500 for at, _ in looked)

    staged(act)


def test_several_reasons_at_once_make_one_look() -> None:
    """While a look is to come, a further stir does not ask for a second one, nor for a later one."""

    async def act(house: ActorHouse) -> None:
        await house.trading("anna", "bert", "pk")
        await house.person(gift(await house.phase(), 0, 1))
        await house.person(AcceptOffer(1, 1, 1), "bert")
        await house.wait(20_000)
        looked = house.looked()

        assert len(looked) == 1
        assert looked[0][0] <= 2_500

    staged(act)


def test_talk_concerns_nobody() -> None:
    """Wishes make nobody look, so that bots cannot talk each other awake."""

    async def act(house: ActorHouse) -> None:
        await house.trading("anna", "pk", "pk")
        await house.wait(5_000)
        house.looked()
        await house.person(wish(0))
        await house.wait(20_000)

        assert house.looked() == []

    staged(act)


def test_offer_that_is_gone_is_not_looked_at() -> None:
    """Whoever withdraws his offer in time is not answered."""

    async def act(house: ActorHouse) -> None:
        await house.trading("anna", "pk", "pk")
        await house.wait(5_000)
        house.looked()
        await house.person(ask_for(0, 1))
        await house.person(WithdrawOffer(0, 1))
        await house.wait(20_000)

        assert house.looked() == []

    staged(act)


# -- what they do --------------------------------------------------------------------------------------


def test_bot_goes_on_until_it_wants_nothing_more() -> None:
    """After an open act a bot looks again, in its time, until it passes."""
    acts = [ask_for(1, 0, kind=3), None]

    async def act(house: ActorHouse) -> None:
        house.actors.says = lambda question: (
            accept(question) if question.seat == 2 else acts.pop(0) if acts and question.seat == 1 else None
        )
        await house.trading("anna", "pk", "pk")
        await house.person(gift(await house.phase(), 0, 1, 2, open_=True))
        await house.wait(30_000)
        looked = house.looked()

        assert (await house.offers())[0].claims[0].player == 2
        assert [seat for _, seat in looked].count(2) >= 2

    staged(act)


def test_one_look_declines_several_offers() -> None:
    """Refusals are secret and take no time of their own: nobody can count them by the clock."""

    async def act(house: ActorHouse) -> None:
        house.actors.says = decline
        await house.trading("anna", "pk", "no-trade")
        await house.wait(5_000)
        house.looked()
        for kind in range(3):
            await house.person(ask_for(0, 1, kind=kind))
        await house.wait(20_000)
        looked = house.looked()
        moments = sorted({at for at, _ in looked})

        assert all(offer.declined == (1,) for offer in await house.offers())
        assert len(moments) <= 3
        assert len(looked) > len(moments)

    staged(act)


def test_maker_waits_for_the_answers_of_bots_before_it_proposes_again() -> None:
    """While its offer to bots is out a bot may answer, but not propose; then it may."""
    offers = [ask_for(0, 2, kind=kind) for kind in range(5)]

    def says(question: Question) -> AnyCommand | None:
        return offers.pop(0) if question.seat == 0 and question.tries > 0 else None

    async def act(house: ActorHouse) -> None:
        house.actors.says = says
        await house.trading("pk", "anna", "no-trade")
        while not await house.offers():
            await house.wait(10)
        house.looked()
        house.actors.questions.clear()
        await house.person(ask_for(1, 0))
        await house.wait(4_000)
        early = [question.tries for question in house.actors.questions]
        await house.wait(16_000)

        assert early == [0]
        assert [question.tries for question in house.actors.questions] == [0, 4]

    staged(act, times=replace(TIMES, bot_chatter=(9_000, 9_000), bot_quiet=60_000))


@pytest.mark.parametrize(
    ("names", "most"), [(("no-trade", "pk", "anna"), 5), (("anna", "pk", "no-trade"), 2)]
)
def test_no_seat_offers_more_than_so_often_a_turn(names: tuple[str, ...], most: int) -> None:
    """After five offers to bots a bot's tries are used up until the next turn; people hear two."""
    kinds = iter(range(50))

    def says(question: Question) -> AnyCommand | None:
        if question.seat != 1 or question.tries <= 0:
            return None
        return ask_for(1, 0, kind=next(kinds) % 8)

    async def act(house: ActorHouse) -> None:
        house.actors.says = says
        await house.trading(*names)
        await house.wait(100_000)
        made = [command for actor, command in await house.commands() if actor == "bot:1"]

        assert len([one for one in made if isinstance(one, MakeOffer)]) == most
        assert [question.tries for question in house.actors.questions if question.seat == 1][-1] == 5 - most

    staged(act, times=replace(TIMES, bot_quiet=120_000))


def test_offers_to_people_stand_while_a_bot_goes_on_among_bots() -> None:
    """A bot that edits its one offer replaces none that people think about: the third goes to bots only."""

    def says(question: Question) -> AnyCommand | None:
        phase = question.view.phase
        if question.seat != 0 or question.tries <= 0 or not isinstance(phase, TradeView):
            return None
        own = next((offer for offer in phase.offers if offer.maker == 0), None)
        if own is None:
            return ask_for(0, 1, 2, kind=question.tries)
        return EditOffer(0, own.id, own.revision, (1, 2), (), (), (KINDS[question.tries],))

    async def act(house: ActorHouse) -> None:
        house.actors.says = says
        await house.trading("pk", "anna", "no-trade")
        await house.wait(30_000)
        shown = [(offer.to, offer.want, offer.revision) for offer in await house.offers()]

        assert shown == [
            ((1, 2), (KINDS[5],), 1),
            ((1, 2), (KINDS[4],), 1),
            ((2,), (KINDS[1],), 3),
        ]

    staged(act, times=replace(TIMES, bot_quiet=60_000))


def test_claim_concerns_the_maker_at_once() -> None:
    """A bot whose open offer is claimed looks after the usual time, and may pick."""

    def says(question: Question) -> AnyCommand | None:
        if question.seat != 0:
            return None
        if question.tries == 5:
            phase = question.view.phase
            assert isinstance(phase, TradeView)
            return MakeOffer(0, (1, 2), (), question.offers.face_up[:1], (), open=True)
        return next((one for one in question.legal if isinstance(one, Pick)), None)

    async def act(house: ActorHouse) -> None:
        house.actors.says = says
        await house.trading("pk", "anna", "no-trade")
        while not await house.offers():
            await house.wait(50)
        await house.wait(1_600)
        house.began = house.clock.now()
        house.looked()
        await house.person(Claim(1, 1, 1))
        await house.wait(2_600)
        looked = house.looked()

        assert [seat for _, seat in looked][:1] == [0]
        assert 800 <= looked[0][0] <= 2_500
        assert isinstance([command for _, command in await house.commands()][-1], Pick)

    staged(act)


def test_bot_that_acts_without_end_is_heard_no_more() -> None:
    """A bot that claims and takes back for ever is left alone for the rest of the trading."""

    def says(question: Question) -> AnyCommand | None:
        return accept(question) or decline(question) if question.seat == 2 else None

    async def act(house: ActorHouse) -> None:
        house.actors.says = says
        await house.trading("anna", "pk", "pk")
        await house.person(gift(await house.phase(), 0, 2, open_=True))
        await house.wait(600_000)
        acts = [command for actor, command in await house.commands() if actor == "bot:2"]

        assert len(acts) == seats.ACTS_A_TURN

    staged(act)
