"""When bots end a trading, or pass."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace

from bohn.bots.api import TradeView
from bohn.protocol.room_events import LastCallBegan, LastCallProlonged
from bohn.rules.commands import (
    AcceptOffer,
    AnyCommand,
    DeclineOffer,
    EditOffer,
    EndTrading,
    MakeOffer,
    Pass,
)
from bohn.rules.events import TradingClosed
from bohn.rules.state import Copy, TradePhase
from bohn.server.bots.messages import Question
from bohn.server.settings import Times
from tests.server.bots.actors import TIMES, ActorHouse, accept, ask_for, decline, staged, wish

UNANIMOUS = ("closing=unanimous",)


async def ended(house: ActorHouse, within: int) -> int | None:
    """Return after how many ms the trading was ended, or its last call begun, if within ``within`` ms."""
    start = house.clock.now()
    while house.clock.now() - start <= within:
        if any(isinstance(command, EndTrading) for _, command in await house.commands()):
            return house.clock.now() - start
        await house.wait(50)
    return None


def test_bot_ends_its_trading_after_a_silence() -> None:
    """An active bot with nothing more to do ends the trading when all was quiet for two seconds.

    Before that people have had their time to look.
    """

    async def act(house: ActorHouse) -> None:
        await house.trading("pk", "anna", "no-trade")
        after = await ended(house, 16_000)

        assert after is not None
        assert 11_900 <= after <= 12_550

    staged(act)


def test_whatever_all_see_breaks_the_silence() -> None:
    """Even a wish prolongs the trading: somebody is still there."""

    async def act(house: ActorHouse) -> None:
        await house.trading("pk", "anna", "no-trade")
        await house.wait(11_500)
        await house.person(wish(1))
        after = await ended(house, 10_000)

        assert after is not None
        assert 1_900 <= after <= 2_200

    staged(act)


def test_market_waits_for_the_next_offer_of_a_person() -> None:
    """Eight seconds after his last one, so that a no can be followed by another price."""

    async def act(house: ActorHouse) -> None:
        house.actors.says = lambda _question: None
        await house.trading("pk", "anna", "no-trade")
        await house.wait(11_500)
        await house.person(ask_for(1, 0))
        after = await ended(house, 20_000)

        assert after is not None
        assert 8_000 <= after <= 8_500

    staged(act)


def test_market_waits_for_the_next_offer_of_who_has_exchanged() -> None:
    """Eight seconds behind an exchange with a person, so that he sees what it changes and offers more."""

    def says(question: Question) -> AnyCommand | None:
        if question.seat != 0 or question.tries != 5 or not isinstance(question.view.phase, TradeView):
            return None
        return MakeOffer(0, (1,), (), (Copy(0, question.view.phase.face_up[0]),), (), open=False)

    async def act(house: ActorHouse) -> None:
        house.actors.says = says
        await house.trading("pk", "anna", "no-trade")
        await house.wait(11_500)
        (offer,) = await house.offers()
        await house.person(AcceptOffer(1, offer.id, offer.revision))
        after = await ended(house, 20_000)

        assert after is not None
        assert 8_000 <= after <= 8_500

    staged(act)


def test_market_waits_for_the_next_offer_of_whose_offer_was_taken() -> None:
    """Eight seconds behind the exchange, not behind the offer that it came of."""

    async def act(house: ActorHouse) -> None:
        house.actors.says = lambda question: accept(question) if question.seat == 0 else None
        await house.trading("pk", "anna", "no-trade")
        await house.wait(11_500)
        await house.person(MakeOffer(1, (0,), (), (), ((await house.phase()).face_up[0],)))
        while not (await house.now()).players[1].set_aside:
            await house.wait(50)
        after = await ended(house, 20_000)

        assert after is not None
        assert 8_000 <= after <= 8_500

    staged(act)


@pytest.mark.parametrize(("names", "most"), [(("anna", "no-trade"), 600), (("anna", "bert"), 2_100)])
def test_market_waits_for_no_next_offer_of_who_has_enough(names: tuple[str, ...], most: int) -> None:
    """It ends as soon as he has traded enough, whatever he offered before; beside others after a silence."""

    async def act(house: ActorHouse) -> None:
        house.actors.says = lambda _question: None
        await house.trading("pk", *names)
        await house.wait(11_500)
        await house.person(ask_for(1, 0))
        await house.wait(3_000)
        await house.tables.give_sign(house.table_id, "anna", "enough")
        after = await ended(house, 20_000)

        assert after is not None
        assert after <= most

    staged(act)


def test_secret_refusal_breaks_no_silence() -> None:
    """That somebody has declined neither hastens nor delays the end, where a clock runs."""

    def says(question: Question) -> AnyCommand | None:
        return ask_for(0, 1) if question.seat == 0 and question.tries == 5 else None

    times: list[int | None] = []

    async def act(house: ActorHouse) -> None:
        house.actors.says = says
        await house.trading("pk", "anna", "no-trade", clock="slow")
        while not await house.offers():
            await house.wait(50)
        await house.wait(1_000)
        if times:
            await house.person(DeclineOffer(1, 1, 1))
        times.append(await ended(house, 20_000))

    staged(act)
    staged(act)

    assert times[0] is not None
    assert times[0] == times[1]


def test_trading_is_open_until_bots_beside_people_have_had_their_look() -> None:
    """An offer to all is there for people first; before the last call is over, bots have looked as well."""

    def says(question: Question) -> AnyCommand | None:
        if question.seat == 0 and question.tries == 5:
            return MakeOffer(0, (1, 2), (), question.offers.face_up[:1], ())
        return accept(question) if question.seat == 2 else None

    async def act(house: ActorHouse) -> None:
        house.actors.says = says
        await house.trading("pk", "anna", "pk")
        await house.wait(28_000)
        events = [type(event).__name__ for row in await house.rows(house.table_id) for event in row.events]

        assert events.index("OfferMade") < events.index("Traded") < events.index("TradingClosed")

    staged(act)


def test_bots_look_before_the_earliest_end() -> None:
    """By the usual times, a bot beside people has looked before silence and last call can be over."""
    times = Times()

    assert times.bot_beside_people[1] < times.bot_quiet + times.last_call


def test_haggling_among_bots_neither_keeps_a_trading_open_nor_prolongs_it() -> None:
    """While people sit by, bots propose to bots during silence and last call, which end all the same."""
    kinds = iter(range(100))

    def says(question: Question) -> AnyCommand | None:
        return ask_for(0, 2, kind=next(kinds) % 9) if question.seat == 0 and question.tries > 0 else None

    async def act(house: ActorHouse) -> None:
        house.actors.says = says
        await house.trading("pk", "anna", "no-trade")
        await house.wait(24_000)
        rows = await house.rows(house.table_id)
        events = [event for row in rows for event in row.events]
        offers = [row.at - house.began for row in rows if isinstance(row.command, MakeOffer | EditOffer)]
        (closed,) = (
            row.at - house.began
            for row in rows
            if any(isinstance(event, TradingClosed) for event in row.events)
        )

        assert [at > 2_000 for at in offers].count(True) >= 2
        assert not any(isinstance(event, LastCallProlonged) for event in events)
        assert closed <= 22_000

    staged(act, times=replace(TIMES, bot_chatter=(300, 500)))


def test_trading_is_kept_open_for_what_people_are_asked() -> None:
    """Two offers to people, a moment apart: the last has its time, drawn when it was made."""

    def says(question: Question) -> AnyCommand | None:
        return ask_for(0, 1, kind=question.tries) if question.seat == 0 and question.tries > 3 else None

    async def act(house: ActorHouse) -> None:
        house.actors.says = says
        await house.trading("pk", "anna", "no-trade", clock="slow")
        while len(await house.offers()) < 2:
            await house.wait(50)
        after = await ended(house, 20_000)

        assert after is not None
        assert 11_900 <= after <= 15_100

    staged(act)


def test_bot_does_not_end_twice_during_the_last_call() -> None:
    """The table holds the last call; a second end of trading would cut it short."""

    async def act(house: ActorHouse) -> None:
        await house.trading("pk", "anna", "no-trade")
        await ended(house, 16_000)
        await house.wait(10_000)
        ends = [row for row in await house.rows(house.table_id) if isinstance(row.command, EndTrading)]

        assert isinstance(ends[0].events[0], LastCallBegan)
        assert [row.cause for row in ends] == ["bot", "clock"]

    staged(act)


def test_last_call_may_be_longer_than_the_silence() -> None:
    """A bot leaves the end of a long last call to the table as well."""

    async def act(house: ActorHouse) -> None:
        await house.trading("pk", "anna", "no-trade")
        await house.wait(20_000)
        ends = [row.cause for row in await house.rows(house.table_id) if isinstance(row.command, EndTrading)]

        assert ends == ["bot", "clock"]

    staged(act, times=replace(TIMES, bot_quiet=1_000))


def test_last_call_of_a_bot_leaves_time_to_answer() -> None:
    """It is half as long again as that of a person, by the pace of the table."""
    found: dict[str, int] = {}

    async def act(house: ActorHouse, pace: str) -> None:
        await house.trading("pk", "anna", "no-trade", pace=pace)
        await ended(house, 30_000)
        rows = await house.rows(house.table_id)
        (found[pace],) = (
            event.until - row.at for row in rows for event in row.events if isinstance(event, LastCallBegan)
        )

    for pace in ("relaxed", "normal", "brisk"):
        staged(partial(act, pace=pace))

    assert found == {"relaxed": 18_000, "normal": 9_000, "brisk": 4_500}


@pytest.mark.parametrize(("pace", "long"), [("relaxed", 12_000), ("normal", 6_000), ("brisk", 3_000)])
def test_last_call_of_a_person_leaves_time_to_answer(pace: str, long: int) -> None:
    """The others must see it, think and press, by the pace of the table."""

    async def act(house: ActorHouse) -> None:
        await house.trading("anna", "bert", "no-trade", pace=pace)
        await house.do(house.table_id, "anna", EndTrading(0))
        rows = await house.rows(house.table_id)
        (until,) = (event.until for row in rows for event in row.events if isinstance(event, LastCallBegan))

        assert until == rows[-1].at + long

    staged(act)


def test_people_are_left_to_end_their_trading() -> None:
    """No bot ends the trading of somebody else."""

    async def act(house: ActorHouse) -> None:
        await house.trading("anna", "pk", "pk")
        await house.wait(60_000)

        assert isinstance((await house.now()).phase, TradePhase)

    staged(act)


def test_bots_pass_where_all_must_pass() -> None:
    """Each bot passes when it has nothing to do; not before it has looked."""

    async def act(house: ActorHouse) -> None:
        await house.trading("anna", "pk", "no-trade", house_rules=UNANIMOUS)
        await house.wait(700)
        assert (await house.phase()).passes == ()
        await house.wait(6_000)

        assert sorted((await house.phase()).passes) == [1, 2]

    staged(act)


def test_bots_pass_again_after_their_pass_fell() -> None:
    """A new offer makes a pass fall; the bot answers it and passes once more, if it trades or not."""

    async def act(house: ActorHouse) -> None:
        house.actors.says = decline
        await house.trading("anna", "pk", "no-trade", house_rules=UNANIMOUS)
        await house.wait(6_000)
        await house.person(ask_for(0, 1, 2))
        assert (await house.phase()).passes == ()
        await house.wait(6_000)
        passes = [actor for actor, command in await house.commands() if isinstance(command, Pass)]

        assert sorted(passes) == ["bot:1", "bot:1", "bot:2", "bot:2"]
        assert sorted((await house.phase()).passes) == [1, 2]

    staged(act)


def test_maker_passes_when_its_offer_has_waited() -> None:
    """Where all must pass, a bot does not pass while its offer is out for answers."""

    def says(question: Question) -> AnyCommand | None:
        return ask_for(1, 0) if question.seat == 1 and question.tries == 5 else None

    async def act(house: ActorHouse) -> None:
        house.actors.says = says
        await house.trading("anna", "pk", "no-trade", house_rules=UNANIMOUS)
        while not await house.offers():
            await house.wait(10)
        await house.wait(250)
        early = (await house.phase()).passes
        await house.wait(8_000)

        assert 1 not in early
        assert sorted((await house.phase()).passes) == [1, 2]

    staged(act)


def test_bots_alone_make_haste() -> None:
    """Where only bots sit, looks and silence take a tenth of the time."""

    async def act(house: ActorHouse) -> None:
        await house.trading("pk", "pk", "pk")
        house.began = house.clock.now()
        await house.wait(1_500)
        looked = house.looked()

        assert {seat for _, seat in looked[:3]} == {0, 1, 2}
        assert all(at <= 250 for at, _ in looked[:3])
        assert any(isinstance(command, EndTrading) for _, command in await house.commands())

    staged(act)


def test_trading_is_open_until_bots_have_looked_however_short_the_last_call() -> None:
    """Where silence and last call are over sooner than bots look, the end waits for their answers."""

    def says(question: Question) -> AnyCommand | None:
        if question.seat == 0 and question.tries == 5:
            return MakeOffer(0, (1, 2), (), question.offers.face_up[:1], ())
        return accept(question) if question.seat == 2 else None

    async def act(house: ActorHouse) -> None:
        house.actors.says = says
        await house.trading("pk", "anna", "pk")
        await house.wait(25_000)
        names = [type(command).__name__ for _, command in await house.commands()]

        assert names.index("AcceptOffer") < names.index("EndTrading")

    staged(act, times=replace(TIMES, bot_quiet=100, last_call=100))
