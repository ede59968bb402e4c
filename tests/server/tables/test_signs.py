"""The signs that people give while beans are traded: who composes an offer, and who has traded enough."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Options
from bohn.protocol.room_commands import Pause, Resume, Stand, TakeBack
from bohn.rules.commands import DeclineOffer, EndTrading, MakeOffer, SetWish, WithdrawOffer
from bohn.rules.resolve import resolve
from bohn.rules.state import TradePhase
from bohn.server.tables import clocks
from tests.server.support.tables import Ear, House
from tests.server.tables.test_service import THREE, refused, run

OPTIONS = Options(players=3, house_rules=("starter=seat:0",))
KINDS = resolve("full", 3).kinds


class Trading(House):
    """A house with a table at which Anna trades; ``ear`` is Cleo's, who gives no signs herself."""

    table_id = ""

    async def at(self, options: Options = OPTIONS) -> Trading:
        """Begin, and come to the trading."""
        await self.begin()
        self.table_id = await self.table(*THREE, options=options)
        await self.until_trading(self.table_id, THREE)
        self.ear = Ear()
        await self.tables.watch(self.table_id, "cleo", self.ear, None)
        return self

    async def sign(self, user: str, sign: Any, turn: int | None = None) -> Any:
        """Give a sign, meant for the trading of a turn if one is named."""
        return await self.tables.give_sign(self.table_id, user, sign, turn)

    async def trades(self, table: str | None = None) -> bool:
        """Tell whether beans are traded still, at another table if one is named."""
        state = (await self.tables.peek(table or self.table_id)).state
        return state is not None and isinstance(state.phase, TradePhase)

    def told(self) -> list[tuple[list[int], list[int]]]:
        """Return what Cleo was told: who composes, and who has enough."""
        return [(frame["composing"], frame["enough"]) for frame in self.ear.of("signs")]


def test_sign_is_told_to_everybody_and_in_no_batch() -> None:
    """It comes in a frame of its own, and in the welcome of who comes later; the log knows nothing of it."""

    async def test() -> None:
        house = await Trading().at()
        rows = len(await house.store.rows(house.table_id))
        await house.sign("bert", "composing")
        await house.sign("cleo", "enough")
        later = await house.tables.welcome(house.table_id, "anna")

        assert house.told() == [([1], []), ([1], [2])]
        assert (later.composing, later.enough) == ((1,), (2,))
        assert len(await house.store.rows(house.table_id)) == rows
        await house.end()

    run(test())


@pytest.mark.parametrize("sign", ["enough", "composing", None])
def test_sign_for_an_earlier_trading_counts_for_nothing(sign: Any) -> None:
    """Who was done with a market that has ended meanwhile is asked in the next one all the same."""

    async def test() -> None:
        house = await Trading().at()
        turn = (await house.tables.peek(house.table_id)).state.turn  # type: ignore[union-attr]  # - it is dealt
        await house.sign("bert", "composing", turn)

        assert await house.sign("bert", sign, turn - 1) is None
        assert house.told() == [([1], [])]
        assert await house.sign("bert", "enough", turn) == "enough"
        await house.end()

    run(test())


def test_sign_of_composing_ends_by_itself() -> None:
    """Twelve seconds after it was given last."""

    async def test() -> None:
        house = await Trading().at()
        await house.sign("bert", "composing")
        await house.clock.advance(8_000)
        await house.sign("bert", "composing")
        await house.clock.advance(11_900)
        before = house.told()
        await house.clock.advance(200)

        assert before == [([1], [])]
        assert house.told() == [([1], []), ([], [])]
        await house.end()

    run(test())


def test_signs_of_composing_hold_for_a_minute_of_a_trading() -> None:
    """However often it is given, or ended and given again."""

    async def test() -> None:
        house = await Trading().at()
        given = []
        for second in range(100):
            given.append(await house.sign("bert", "composing" if second % 2 == 0 else None))
            await house.clock.advance(1_000)

        assert given.count("composing") == 20
        assert house.told()[-1] == ([], [])
        await house.end()

    run(test())


@pytest.mark.parametrize(("pace", "signs"), [("relaxed", 30), ("brisk", 15)])
def test_signs_of_composing_hold_longer_at_a_relaxed_pace(pace: Any, signs: int) -> None:
    """Two minutes of a trading; a brisk pace leaves a minute, as a normal one does."""

    async def test() -> None:
        house = await Trading().at(replace(OPTIONS, pace=pace))
        given = []
        for _ in range(40):
            given.append(await house.sign("bert", "composing"))
            await house.clock.advance(4_000)

        assert given.count("composing") == signs
        await house.end()

    run(test())


def test_signs_of_composing_hold_for_five_minutes_in_a_lesson() -> None:
    """The market waits while a learner reads what the teacher says."""

    async def test() -> None:
        house = await Trading().at()
        loaded = house.tables.loaded.find(house.table_id)
        assert loaded is not None
        lesson = replace(loaded.snapshot.room, lesson="first-game")
        loaded.snapshot = replace(loaded.snapshot, room=lesson)
        given = []
        for _ in range(100):
            given.append(await house.sign("bert", "composing"))
            await house.clock.advance(4_000)

        assert given.count("composing") == 75
        await house.end()

    run(test())


def test_signs_end_with_the_trading() -> None:
    """The next one begins without any."""

    async def test() -> None:
        house = await Trading().at()
        await house.sign("bert", "composing")
        await house.sign("cleo", "enough")
        await house.do(house.table_id, "anna", EndTrading(0))
        await house.do(house.table_id, "anna", EndTrading(0))

        assert not await house.trades()
        assert house.told()[-1] == ([], [])
        assert await house.sign("bert", "composing") is None
        await house.end()

    run(test())


def test_who_is_offered_something_new_has_not_had_enough() -> None:
    """What stood when he said so is what he meant; a refusal, which is secret, changes nothing."""

    async def test() -> None:
        house = await Trading().at()
        offer = MakeOffer(0, (1, 2), (), (), (KINDS[0],))
        await house.do(house.table_id, "anna", offer)
        await house.sign("bert", "enough")
        await house.do(house.table_id, "bert", DeclineOffer(1, 1, 1))
        after_no = house.told()[-1]
        await house.do(house.table_id, "anna", replace(offer, want=(KINDS[1],)))

        assert after_no == ([], [1])
        assert house.told()[-1] == ([], [])
        await house.end()

    run(test())


def test_who_does_something_has_not_had_enough() -> None:
    """Even a wish tells that he goes on."""

    async def test() -> None:
        house = await Trading().at()
        await house.sign("bert", "enough")
        await house.do(house.table_id, "bert", SetWish(1, KINDS[0], "want"))

        assert house.told()[-1] == ([], [])
        await house.end()

    run(test())


def test_last_call_waits_for_who_composes_and_not_for_the_active_player() -> None:
    """Whoever has ended the trading does not hold it open himself."""

    async def test() -> None:
        house = await Trading().at()
        await house.do(house.table_id, "anna", EndTrading(0))
        await house.sign("bert", "composing")
        await house.sign("anna", "composing")
        await house.clock.advance(6_000)
        during = await house.trades()
        await house.sign("bert", None)
        await house.clock.advance(200)

        assert during
        assert not await house.trades()
        await house.end()

    run(test())


def test_last_call_that_waits_keeps_no_other_clock_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many stand first among those that are due, the others are reached."""

    async def test() -> None:
        house = await Trading().at()
        other = await house.table(*THREE, options=OPTIONS)
        await house.until_trading(other, THREE)
        await house.do(house.table_id, "anna", EndTrading(0))
        await house.sign("bert", "composing")
        await house.clock.advance(1_000)
        await house.do(other, "anna", EndTrading(0))
        await house.clock.advance(6_000)

        assert await house.trades()
        assert not await house.trades(other)
        await house.end()

    monkeypatch.setattr(clocks, "AT_ONCE", 1)
    run(test())


def test_offer_that_a_last_call_has_waited_for_has_its_time() -> None:
    """Though the call was prolonged before."""

    async def test() -> None:
        house = await Trading().at()
        await house.do(house.table_id, "anna", EndTrading(0))
        await house.do(house.table_id, "cleo", MakeOffer(2, (0,), (), (), (KINDS[0],)))
        await house.sign("bert", "composing")
        await house.clock.advance(8_000)
        await house.do(house.table_id, "bert", MakeOffer(1, (0,), (), (), (KINDS[0],)))
        await house.sign("bert", None)
        await house.clock.advance(5_800)
        during = await house.trades()
        await house.clock.advance(400)

        assert during
        assert not await house.trades()
        await house.end()

    run(test())


def test_active_player_who_composes_does_not_prolong_his_last_call() -> None:
    """He has ended the trading; his changes of an offer prolong it once, as they always do."""

    async def test() -> None:
        house = await Trading().at()
        await house.do(house.table_id, "anna", EndTrading(0))
        await house.sign("anna", "composing")
        for kind in KINDS[:2]:
            await house.do(house.table_id, "anna", MakeOffer(0, (1, 2), (), (), (kind,)))
            await house.sign("anna", "composing")
            await house.clock.advance(3_000)

        assert not await house.trades()
        await house.end()

    run(test())


def test_signs_fall_when_a_bot_plays_the_seat() -> None:
    """Who comes back has not traded enough, and composes nothing."""

    async def test() -> None:
        house = await Trading().at()
        await house.sign("bert", "enough")
        await house.sign("cleo", "composing")
        await house.do(house.table_id, "bert", Stand())
        await house.do(house.table_id, "bert", TakeBack())
        of_bert = house.told()[-1]
        await house.do(house.table_id, "cleo", Stand())

        assert of_bert == ([2], [])
        assert house.told()[-1] == ([], [])
        await house.end()

    run(test())


def test_sign_that_is_given_on_and_off_has_one_that_waits_for_its_end() -> None:
    """However often it is given in its time."""

    async def test() -> None:
        house = await Trading().at()
        before = len(asyncio.all_tasks())
        for _ in range(8):
            await house.sign("bert", "composing")
            await house.sign("bert", None)
        await house.sign("bert", "composing")
        waiting = len(asyncio.all_tasks()) - before
        await house.clock.advance(12_100)

        assert waiting == 1
        assert house.told()[-1] == ([], [])
        await house.end()

    run(test())


def test_sign_of_somebody_without_a_seat_is_refused() -> None:
    """Who only looks on composes nothing."""

    async def test() -> None:
        house = await Trading().at()
        with pytest.raises(Refusal) as caught:
            await house.sign("dora", "composing")

        assert refused(caught) is Problem.NOT_SEATED
        await house.end()

    run(test())


def test_delayed_spectators_are_told_of_no_signs() -> None:
    """They are of the present."""

    async def test() -> None:
        house = await Trading().at(replace(OPTIONS, delay=30))
        late = Ear()
        await house.clock.advance(31_000)
        await house.tables.watch(house.table_id, "dora", late, None)
        await house.sign("bert", "composing")
        welcome = await house.tables.welcome(house.table_id, "dora")

        assert late.of("signs") == []
        assert welcome.composing == ()
        await house.end()

    run(test())


# -- a last call that has nobody left to wait for ------------------------------------------------------


def test_last_call_ends_once_everybody_else_has_enough() -> None:
    """The last of them ends it, long before its time."""

    async def test() -> None:
        house = await Trading().at()
        await house.do(house.table_id, "anna", EndTrading(0))
        await house.sign("bert", "enough")
        await house.clock.settle()
        with_one = await house.trades()
        await house.sign("cleo", "enough")
        await house.clock.settle()

        assert with_one
        assert not await house.trades()
        await house.end()

    run(test())


def test_nobody_is_called_a_last_time_who_had_enough_before() -> None:
    """Then the trading ends as soon as it is to."""

    async def test() -> None:
        house = await Trading().at()
        await house.sign("bert", "enough")
        await house.sign("cleo", "enough")
        await house.do(house.table_id, "anna", EndTrading(0))
        await house.clock.settle()

        assert not await house.trades()
        await house.end()

    run(test())


def test_last_call_goes_on_while_a_computer_player_is_asked() -> None:
    """It may answer still, and that it has declined is secret."""

    async def test() -> None:
        house = await Trading().at()
        await house.do(house.table_id, "anna", MakeOffer(0, (2,), (), (), (KINDS[0],)))
        await house.do(house.table_id, "cleo", Stand())
        await house.do(house.table_id, "anna", EndTrading(0))
        await house.sign("bert", "enough")
        await house.clock.settle()
        asked = await house.trades()
        await house.do(house.table_id, "anna", WithdrawOffer(0, 1))
        await house.clock.settle()

        assert asked
        assert not await house.trades()
        await house.end()

    run(test())


def test_last_call_in_a_pause_ends_when_the_game_goes_on() -> None:
    """What was said before the pause still holds."""

    async def test() -> None:
        house = await Trading().at()
        await house.do(house.table_id, "anna", EndTrading(0))
        await house.sign("bert", "enough")
        await house.do(house.table_id, "anna", Pause())
        await house.sign("cleo", "enough")
        await house.clock.settle()
        paused = await house.trades()
        await house.do(house.table_id, "anna", Resume())
        await house.sign("cleo", "enough")
        await house.clock.settle()

        assert paused
        assert not await house.trades()
        await house.end()

    run(test())


# -- a last call at a table without other people -------------------------------------------------------


async def alone() -> Trading:
    """Return a house in which Anna trades with two computer players."""
    house = Trading()
    await house.begin()
    house.table_id = await house.table("anna", options=OPTIONS)
    await house.until_trading(house.table_id, ("anna",))
    return house


async def refuse(house: Trading, seat: int, offer: int = 1) -> None:
    """Let a computer player refuse an offer."""
    command = DeclineOffer(seat, offer, 1)
    await house.tables.execute_for_bot(house.table_id, seat, house.fresh_id(), command)
    await house.clock.settle()


def test_last_call_among_computer_players_ends_once_all_have_refused() -> None:
    """A second later, in which the last of them may make an offer of its own."""

    async def test() -> None:
        house = await alone()
        await house.do(house.table_id, "anna", MakeOffer(0, (1, 2), (), (), (KINDS[0],)))
        await house.do(house.table_id, "anna", EndTrading(0))
        await refuse(house, 1)
        await house.clock.advance(1_500)
        with_one = await house.trades()
        await refuse(house, 2)
        await house.clock.advance(900)
        a_moment_later = await house.trades()
        await house.clock.advance(200)

        assert with_one
        assert a_moment_later
        assert not await house.trades()
        await house.end()

    run(test())


def test_last_call_among_computer_players_goes_on_behind_another_offer() -> None:
    """One of them asks for something else instead: that is for the person to answer."""

    async def test() -> None:
        house = await alone()
        await house.do(house.table_id, "anna", MakeOffer(0, (1,), (), (), (KINDS[0],)))
        await house.do(house.table_id, "anna", EndTrading(0))
        await refuse(house, 1)
        await house.clock.advance(500)
        offer = MakeOffer(1, (0,), (), (), (KINDS[1],))
        await house.tables.execute_for_bot(house.table_id, 1, house.fresh_id(), offer)
        await house.clock.advance(5_000)

        assert await house.trades()
        await house.end()

    run(test())


def test_last_call_among_computer_players_waits_for_who_composes() -> None:
    """As long as it lasts in any case: the player may have a better offer in the tray."""

    async def test() -> None:
        house = await alone()
        await house.do(house.table_id, "anna", MakeOffer(0, (1,), (), (), (KINDS[0],)))
        await house.do(house.table_id, "anna", EndTrading(0))
        await house.sign("anna", "composing")
        await refuse(house, 1)
        await house.clock.advance(4_000)
        during = await house.trades()
        await house.sign("anna", None)
        await house.clock.advance(1_100)

        assert during
        assert not await house.trades()
        await house.end()

    run(test())


def test_trading_ends_at_once_where_all_computer_players_have_refused() -> None:
    """Nobody is called a last time who has said no already."""

    async def test() -> None:
        house = await alone()
        await house.do(house.table_id, "anna", MakeOffer(0, (1, 2), (), (), (KINDS[0],)))
        await refuse(house, 1)
        await refuse(house, 2)
        await house.do(house.table_id, "anna", EndTrading(0))

        assert not await house.trades()
        await house.end()

    run(test())
