"""Batches that a viewer may not see: their numbers reach him with the next one of which he sees something."""

from __future__ import annotations

from typing import Any

import msgspec

from bohn.protocol.frames import Line
from bohn.protocol.room import Options
from bohn.protocol.room_commands import CallForChoice
from bohn.rules.beans import Bean
from bohn.rules.commands import DeclineOffer, MakeOffer, SetWish
from bohn.rules.state import Copy, State, TradePhase
from bohn.server.room.clocks import view_of
from bohn.server.settings import Settings, Times
from bohn.server.store.protocol import LogRow, Timer
from bohn.server.tables.shown import sees
from bohn.server.tables.snapshot import Snapshot, snapshot_of
from bohn.server.tables.viewpoint import Viewpoint, public_view
from bohn.server.tables.writes import LISTED_EVERY
from tests.server.support.memory_store import MemoryStore
from tests.server.support.playing import Hands
from tests.server.support.tables import Ear, House
from tests.server.tables.test_service import THREE, run

FOUR = (*THREE, "dagur")


class Secretive:
    """A table of four at which the active player asks one after the other, and everybody declines."""

    def __init__(self, house: House, table: str, active: int) -> None:
        """Take a table where beans are traded."""
        self.house = house
        self.table = table
        self.active = active
        self.to, self.third, self.fourth = ((active + way) % 4 for way in (1, 2, 3))

    @classmethod
    async def at(cls, settings: Settings | None = None, **options: Any) -> Secretive:
        """Open the table, and go on to the trading."""
        house = await House(settings).begin()
        table = await house.table(*FOUR, options=Options(players=4, **options))
        return cls(house, table, await house.until_trading(table, FOUR))

    async def state(self) -> State:
        """Return the game."""
        state = (await self.house.tables.peek(self.table)).state
        assert state is not None
        return state

    async def ask(self, *to: int) -> int:
        """Make an offer to these, or the one who declines, and return its number."""
        phase = (await self.state()).phase
        assert isinstance(phase, TradePhase)
        given = (Copy(0, phase.face_up[0]),)
        offer = MakeOffer(self.active, to or (self.to,), face_up=given)
        await self.house.do(self.table, FOUR[self.active], offer)
        phase = (await self.state()).phase
        assert isinstance(phase, TradePhase)
        return phase.offers[-1].id

    async def decline(self, offer: int, seat: int | None = None) -> int:
        """Decline an offer, and return the batch."""
        seat = self.to if seat is None else seat
        return await self.house.do(self.table, FOUR[seat], DeclineOffer(seat, offer, 1))

    async def wish(self, seat: int) -> int:
        """Do something that everybody sees, and return the batch."""
        wanted = Bean.SOY in (await self.state()).talk.wishes[seat].want
        return await self.house.do(
            self.table, FOUR[seat], SetWish(seat, Bean.SOY, "none" if wanted else "want")
        )

    async def listen(self, seat: int | None, after: int | None = None) -> Ear:
        """Watch from a seat, or as a spectator."""
        ear = Ear()
        await self.house.tables.watch(self.table, "erik" if seat is None else FOUR[seat], ear, after)
        return ear

    async def told(self, seat: int) -> tuple[int, int]:
        """Return the numbers that somebody reads who asks again."""
        tables = self.house.tables
        welcome = await tables.welcome(self.table, FOUR[seat])
        return welcome.seq, (await tables.legal(self.table, FOUR[seat])).seq


def numbers(ear: Ear) -> list[int]:
    """Return the numbers of all batches that came."""
    return [batch["seq"] for batch in ear.of("batch")]


# -- the stream --------------------------------------------------------------------------------------------


def test_number_of_a_secret_batch_comes_with_the_next_one_that_is_seen() -> None:
    """Who may not see a refusal hears nothing of it; its bare number comes with the next batch."""

    async def test() -> None:
        played = await Secretive.at()
        offer = await played.ask()
        third, spectator = await played.listen(played.third), await played.listen(None)
        seq = await played.decline(offer)
        for ear in (third, spectator):
            assert numbers(ear) == []
        await played.wish(played.fourth)
        for ear in (third, spectator):
            bare, seen = ear.raw[-2:]
            assert bare == b'{"type":"batch","seq":%d}' % seq
            assert msgspec.json.decode(seen)["events"][0]["event"] == "wish-set"
            assert numbers(ear) == [seq, seq + 1]
        await played.house.end()

    run(test())


def test_number_of_a_secret_batch_comes_once_to_who_joins_in_between() -> None:
    """All viewers from one seat are told the same numbers, whenever they have come."""

    async def test() -> None:
        played = await Secretive.at()
        offer, other = await played.ask(played.to, played.fourth), await played.ask(played.to, played.fourth)
        early = await played.listen(played.third)
        seq = await played.decline(offer)
        between = await played.listen(played.third)
        await played.decline(other, played.fourth)
        await played.wish(played.active)
        late = await played.listen(played.third)
        await played.wish(played.active)
        for ear, first in ((early, seq), (between, seq), (late, seq + 3)):
            assert ear.of("welcome")[0]["seq"] == first - 1
            assert numbers(ear) == list(range(first, seq + 4))
        await played.house.end()

    run(test())


def test_number_of_a_secret_batch_comes_before_another_that_only_some_see() -> None:
    """The maker of an offer hears who declines it, behind the numbers of what he did not see."""

    async def test() -> None:
        played = await Secretive.at()
        mine = await played.ask(played.third, played.fourth)
        gift = (Copy(0, (await played.state()).players[played.to].hand[0]),)
        other = MakeOffer(played.to, (played.active,), hand=gift)
        await played.house.do(played.table, FOUR[played.to], other)
        maker, third = await played.listen(played.active), await played.listen(played.third)
        to = await played.listen(played.to)
        seq = await played.decline(mine, played.fourth)
        await played.decline(mine + 1, played.active)
        assert [numbers(ear) for ear in (maker, to, third)] == [[seq, seq + 1], [seq, seq + 1], []]
        assert [ear.events for ear in (maker, to)] == [["offer-declined"] * 2, ["offer-declined"]]
        await played.house.end()

    run(test())


def test_number_of_a_secret_batch_does_not_come_with_what_is_no_batch() -> None:
    """Who comes and goes, and what is said, has no number: it does not tell of a refusal either."""

    async def test() -> None:
        played = await Secretive.at()
        offer = await played.ask()
        ear = await played.listen(played.third)
        await played.decline(offer)
        await played.listen(played.fourth)
        played.house.tables.post(played.table, Line(1, FOUR[0], 0, text="hello"))
        assert ear.of("presence")
        assert ear.of("line")
        assert numbers(ear) == []
        await played.house.end()

    run(test())


def test_number_of_a_secret_batch_waits_for_delayed_spectators_too() -> None:
    """In the past that they see, the number comes with the next batch of which they see something."""

    async def test() -> None:
        played = await Secretive.at(delay=30)
        offer = await played.ask()
        await played.house.clock.advance(31_000)
        ear = await played.listen(None)
        seq = await played.decline(offer)
        await played.house.clock.advance(31_000)
        assert numbers(ear) == []
        await played.wish(played.third)
        await played.house.clock.advance(31_000)
        assert numbers(ear) == [seq, seq + 1]
        await played.house.end()

    run(test())


# -- asking again ------------------------------------------------------------------------------------------


def test_coming_back_tells_no_secret_batch() -> None:
    """Whoever asks again, or comes back with the number he has, is told of a refusal no earlier."""

    async def test() -> None:
        played = await Secretive.at()
        offer = await played.ask()
        before = await played.told(played.third)
        seq = await played.decline(offer)
        assert await played.told(played.third) == before == (seq - 1, seq - 1)
        assert await played.told(played.active) == await played.told(played.to) == (seq, seq)
        back = await played.listen(played.third, seq - 1)
        assert (back.of("welcome")[0]["seq"], back.of("welcome")[0]["fresh"]) == (seq - 1, False)
        assert numbers(back) == []
        further = await played.listen(played.third, seq - 3)
        assert numbers(further) == [seq - 2, seq - 1]
        await played.house.end()

    run(test())


def test_coming_back_to_a_table_that_was_loaded_anew_tells_no_secret_batch() -> None:
    """How far somebody has been told is read off the log: it is the same after a restart."""

    async def test() -> None:
        played = await Secretive.at()
        seq = await played.decline(await played.ask())
        played.house.drop(played.table)
        assert await played.told(played.third) == (seq - 1, seq - 1)
        ear = await played.listen(played.third, seq - 2)
        await played.wish(played.active)
        assert numbers(ear) == [seq - 1, seq, seq + 1]
        await played.house.end()

    run(test())


def test_lobby_does_not_tell_when_a_secret_batch_was() -> None:
    """The row at which the lobby would be told that the table is in use waits for one that everybody sees."""

    async def test() -> None:
        played = await Secretive.at()
        offer, seq = await played.ask(), 0
        while seq % LISTED_EVERY != LISTED_EVERY - 1:
            seq = await played.wish(played.third)
        (before,) = await played.house.store.listings()
        await played.house.clock.advance(5_000)
        await played.decline(offer)
        assert await played.house.store.listings() == (before,)
        await played.house.clock.advance(5_000)
        await played.wish(played.fourth)
        (after,) = await played.house.store.listings()
        assert after.moved == played.house.clock.now()
        await played.house.end()

    run(test())


# -- what a secret batch changes -----------------------------------------------------------------------------


def test_secret_batch_changes_nothing_for_who_may_not_see_it() -> None:
    """Nothing is missing while its number is held back: view, choices, clocks and room are as before."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*FOUR, options=Options(players=4, clock="slow"))
        await Hands(table, FOUR, (house.tables,), 4, clock=house.clock).play_on(150)
        rows = await house.store.rows(table)
        secret = [row.seq for row in rows if not sees(row, None)]
        assert len(secret) > 5
        for seq in secret:
            before, after = snapshot_of(rows[: seq - 1]), snapshot_of(rows[:seq])
            assert (after.room, after.timers) == (before.room, before.timers)
            for viewer in (None, *range(4)):
                if not sees(rows[seq - 1], viewer):
                    assert looked(after, viewer) == looked(before, viewer)
        await house.end()

    run(test())


def looked(snapshot: Snapshot, viewer: int | None) -> tuple[Any, Any]:
    """Return what a viewer sees of the game and may do."""
    point = Viewpoint(viewer, snapshot, public_view(snapshot))
    return point.game, point.choices


def test_every_batch_is_seen_by_whose_command_it_was() -> None:
    """An acknowledged command comes back to its author at once: nobody waits for what is held back."""

    async def test() -> None:
        house = await House().begin()
        table = await house.table(*FOUR)
        ears = [Ear() for _ in FOUR]
        for user, ear in zip(FOUR, ears, strict=True):
            await house.tables.watch(table, user, ear, None)
        hands = Hands(table, FOUR, (house.tables,), 4, clock=house.clock)
        await hands.play_on(60)
        rows = await house.store.rows(table)
        assert all(sees(row, seat_of(row)) for row in rows)
        for key, seq in hands.acked.items():
            assert seq in numbers(ears[int(key[0])])
        for seat, ear in enumerate(ears):
            told = snapshot_of(rows).told_to(seat)
            assert numbers(ear) == list(range(ear.of("welcome")[0]["seq"] + 1, told + 1))
        await house.end()

    run(test())


def seat_of(row: LogRow) -> int | None:
    """Return the seat whose command of the game a row was; what is done to the table is seen by all."""
    return getattr(row.command, "player", None)


def test_clocks_read_with_a_secret_batch_are_told_with_one_that_all_see() -> None:
    """Another process has put off a clock: who reads that with a refusal tells it later, but does tell it."""

    async def test() -> None:
        played = await Secretive.at(clock="slow")
        offer, one = await played.ask(), played.house
        two = await House(one.settings, MemoryStore(shared=one.backing), one.clock, one.entropy).begin()
        ear = Ear()
        await two.tables.watch(played.table, FOUR[played.third], ear, None)
        await played.decline(offer)
        (timer,) = await one.store.timers(played.table)
        assert timer.due is not None
        later = Timer(timer.key, timer.due + 5_000)
        one.backing.timers[played.table] = {later.key: later}
        loaded = two.tables.loaded.find(played.table)
        assert loaded is not None
        async with loaded.lock:
            await two.tables._log.catch_up(loaded)
        assert (await two.tables.peek(played.table)).seq == (await one.tables.peek(played.table)).seq
        assert numbers(ear) == []
        await two.tables.execute(
            played.table, FOUR[played.fourth], "w", SetWish(played.fourth, Bean.SOY, "want")
        )
        assert ear.of("batch")[-1]["clocks"] == [msgspec.to_builtins(one) for one in view_of((later,))]
        await two.end()
        await one.end()

    run(test())


# -- the silence ---------------------------------------------------------------------------------------------


def test_silence_is_told_with_every_batch_that_moves_the_game() -> None:
    """A batch says since when it is quiet, where the room is not told anyway; a secret one says nothing."""

    async def test() -> None:
        played = await Secretive.at()
        offer = await played.ask()
        ear, maker = await played.listen(played.third), await played.listen(played.active)
        await played.house.clock.advance(7_000)
        await played.decline(offer)
        await played.house.clock.advance(7_000)
        await played.wish(played.fourth)
        now = played.house.clock.now()
        assert [batch.get("quiet_since") for batch in ear.of("batch")] == [None, now]
        assert [batch.get("quiet_since") for batch in maker.of("batch")] == [None, now]
        assert (await played.house.tables.welcome(played.table, FOUR[played.third])).room.quiet_since == now
        await played.house.end()

    run(test())


def test_silence_before_a_call_is_the_one_that_is_shown() -> None:
    """Somebody declines in the middle of a silence: a call is taken when what is shown says so."""

    async def test() -> None:
        played = await Secretive.at(Settings(times=Times(silence=60_000)))
        offer = await played.ask()
        shown = (await played.house.tables.welcome(played.table, FOUR[played.third])).room.quiet_since
        await played.house.clock.advance(40_000)
        await played.decline(offer)
        await played.house.clock.advance(shown + 60_000 - played.house.clock.now())
        await played.house.do(played.table, FOUR[played.third], CallForChoice())
        room = (await played.house.tables.peek(played.table)).room
        assert (room.called, room.quiet_since) == ((FOUR[played.third],), shown)
        await played.house.end()

    run(test())
