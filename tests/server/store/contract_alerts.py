"""The contract of alerts: a turn that begins is noted with its batch, and is looked after by one."""

from __future__ import annotations

import asyncio

from msgspec.structs import replace

from bohn.server.store.alerts import TOLD, UNVERIFIED_FOR, Alert, Channel, Preferences, TurnBegun
from bohn.server.store.protocol import Append, Committed, Conflict, Store
from tests.server.store.samples import AT, row, user
from tests.server.store.telling import Stores, story

CHANNEL = Channel("c1", "anna", "push", '{"endpoint":"https://push.example"}', "Phone", AT, "s1")
TURN = TurnBegun("anna", AT + 10, days=True)


def beginning(seq: int = 1, turn: TurnBegun = TURN, back: tuple[str, ...] = ()) -> Append:
    """Return an append with which a turn begins."""
    return Append(row=row("t1", seq, "ben"), turns=(turn,), back=back)


def alert(seq: int = 1, **more: object) -> Alert:
    """Return the alert of that turn."""
    return replace(Alert("t1", "anna", seq, AT + seq, AT + 10), **more)


class AlertsContract(Stores):
    """Channels, preferences, and what is to be sent."""

    @story
    async def test_channel_is_read_back_whole(self, store: Store) -> None:
        """Oldest first; and only its owner deletes it."""
        later = replace(CHANNEL, id="c0", created=AT + 1, verified=False)
        await store.add_channel(later)
        await store.add_channel(CHANNEL)

        assert await store.channels_of("anna") == (CHANNEL, later)
        assert await store.channel("c1") == CHANNEL
        assert await store.channel("c2") is None
        assert not await store.drop_channel("ben", "c1")
        assert await store.drop_channel("anna", "c1")
        assert await store.channels_of("anna") == (later,)

    @story
    async def test_channel_goes_to_whoever_subscribes_last(self, store: Store) -> None:
        """A browser in which somebody else comes in tells that one and nobody else."""
        await store.add_channel(CHANNEL)
        await store.note_delivery("c1", AT)
        await store.add_channel(replace(CHANNEL, user="ben", session="s2"))

        assert await store.channels_of("anna") == ()
        assert await store.channels_of("ben") == (replace(CHANNEL, user="ben", session="s2"),)

    @story
    async def test_first_failure_of_a_channel_counts(self, store: Store) -> None:
        """Until something arrives again."""
        await store.add_channel(CHANNEL)
        await store.note_delivery("c1", AT + 1)
        await store.note_delivery("c1", AT + 2)
        assert await store.channel("c1") == replace(CHANNEL, failed=AT + 1)
        await store.note_delivery("c1", 0)

        assert await store.channel("c1") == CHANNEL

    @story
    async def test_channel_is_verified(self, store: Store) -> None:
        """One that is there."""
        await store.add_channel(replace(CHANNEL, verified=False))

        assert await store.verify_channel("c1")
        assert not await store.verify_channel("c2")
        assert await store.channel("c1") == CHANNEL

    @story
    async def test_channel_is_found_by_its_address(self, store: Store) -> None:
        """Once it is verified, whoever's it is; and one without an address never."""
        mine = replace(CHANNEL, kind="mail", found_by="d1")
        theirs = replace(mine, id="c2", user="ben", verified=False, created=AT + 1)
        for channel in (theirs, mine, replace(CHANNEL, id="c3")):
            await store.add_channel(channel)

        assert await store.channels_found_by("d1") == (mine,)
        await store.verify_channel("c2")
        assert await store.channels_found_by("d1") == (mine, replace(theirs, verified=True))
        assert await store.channels_found_by("") == ()

    @story
    async def test_channel_of_no_turns_is_told_none(self, store: Store) -> None:
        """It stays, and is told again once its owner wants it."""
        await store.add_channel(CHANNEL)
        assert await store.set_active("c1", False)
        assert not await store.set_active("c2", False)
        assert await store.channel("c1") == replace(CHANNEL, active=False)
        await store.append(beginning())
        assert await store.alerts_of("anna") == ()
        await store.set_active("c1", True)
        await store.append(beginning(2))

        assert await store.alerts_of("anna") == (alert(2),)

    @story
    async def test_channel_that_nobody_verifies_is_dropped(self, store: Store) -> None:
        """After two days, a few at a time; one that is verified stays."""
        late = replace(CHANNEL, verified=False)
        for channel in (late, replace(late, id="c2"), replace(late, id="c3", created=AT + 1)):
            await store.add_channel(channel)
        await store.add_channel(replace(CHANNEL, id="c4"))

        assert await store.drop_expired(AT + UNVERIFIED_FOR - 1, 0) == 0
        assert await store.drop_expired(AT + UNVERIFIED_FOR, 0, 1) == 1
        assert await store.drop_expired(AT + UNVERIFIED_FOR, 0) == 1
        assert [one.id for one in await store.channels_of("anna")] == ["c4", "c3"]

    @story
    async def test_preferences_are_read_back_whole(self, store: Store) -> None:
        """And replaced."""
        assert await store.preferences_of("anna") is None
        wanted = Preferences("anna", every=True, quiet_from=1320, quiet_to=420, zone="Europe/Berlin")
        await store.put_preferences(replace(wanted, every=False))
        await store.put_preferences(wanted)

        assert await store.preferences_of("anna") == wanted

    @story
    async def test_turn_is_noted_with_its_batch(self, one: Store, two: Store) -> None:
        """And not where the batch is not written."""
        await one.add_channel(CHANNEL)
        assert await one.append(beginning()) == Committed()
        assert await two.append(replace(beginning(), row=row("t1", 3))) == Conflict()

        assert await two.alerts_of("anna") == (alert(),)

    @story
    async def test_whoever_has_no_channel_is_not_noted(self, store: Store) -> None:
        """Nor one whose channel is not verified."""
        await store.add_channel(replace(CHANNEL, verified=False))
        await store.append(beginning())

        assert await store.alerts_of("anna") == ()

    @story
    async def test_other_tables_are_noted_for_whoever_wants_them(self, store: Store) -> None:
        """Where the clock does not count in hours."""
        turn = replace(TURN, days=False)
        await store.add_channel(CHANNEL)
        await store.append(beginning(1, turn))
        assert await store.alerts_of("anna") == ()
        await store.put_preferences(Preferences("anna", every=True))
        await store.append(beginning(2, turn))

        assert await store.alerts_of("anna") == (alert(2),)

    @story
    async def test_next_turn_goes_on_where_the_one_before_was(self, store: Store) -> None:
        """Whoever was told and has not come back is not told again, but reminded of the later turn."""
        await store.add_channel(CHANNEL)
        await store.append(beginning())
        assert await store.settle_alert(alert(stage=TOLD, due=None))
        await store.append(beginning(2))

        assert await store.alerts_of("anna") == (alert(2, stage=TOLD),)

    @story
    async def test_whoever_came_back_is_told_of_the_next_turn(self, store: Store) -> None:
        """By looking at the table, or by something that he does there."""
        await store.add_channel(CHANNEL)
        await store.append(beginning())
        await store.settle_alert(alert(stage=TOLD, due=None))
        await store.came_back("t1", "anna", AT + 7)
        assert await store.alerts_of("anna") == (alert(stage=TOLD, seen=True, due=AT + 7),)
        await store.append(beginning(2))
        assert await store.alerts_of("anna") == (alert(2),)

        await store.settle_alert(alert(2, stage=TOLD, due=None))
        await store.append(Append(row=row("t1", 3, "anna"), back=("anna",)))
        assert await store.alerts_of("anna") == (alert(2, stage=TOLD, seen=True, due=AT + 3),)
        await store.append(beginning(4, replace(TURN, here=True)))
        assert await store.alerts_of("anna") == (alert(4),)

    @story
    async def test_alert_is_taken_by_one(self, one: Store, two: Store) -> None:
        """Of two workers, until what it was taken for is over."""
        await one.add_channel(CHANNEL)
        await one.append(beginning())
        assert await one.take_alerts(AT + 9, AT + 50) == ()
        got = await asyncio.gather(*(store.take_alerts(AT + 10, AT + 50) for store in (one, two) * 3))
        assert [found for found in got if found] == [(alert(taken=AT + 50),)]
        assert await two.take_alerts(AT + 49, AT + 90) == ()

        assert await two.take_alerts(AT + 50, AT + 90) == (alert(taken=AT + 90),)
        assert await two.settle_alert(alert(due=AT + 60, attempts=1, remaining="c1"))
        assert await one.take_alerts(AT + 59, AT + 99) == ()
        assert await one.take_alerts(AT + 60, AT + 99) == (
            alert(due=AT + 60, attempts=1, remaining="c1", taken=AT + 99),
        )

    @story
    async def test_turn_that_begins_meanwhile_is_not_lost(self, store: Store) -> None:
        """Whoever looks after the one before neither settles nor drops it, and it may be taken at once."""
        await store.add_channel(CHANNEL)
        await store.append(beginning())
        (taken,) = await store.take_alerts(AT + 10, AT + 50)
        await store.append(beginning(2))

        assert not await store.drop_alert(taken)
        assert await store.take_alerts(AT + 10, AT + 50) == (alert(2, taken=AT + 50),)
        assert not await store.settle_alert(replace(taken, stage=TOLD))
        assert await store.take_alerts(AT + 10, AT + 50) == (alert(2, taken=AT + 50),)

    @story
    async def test_coming_back_meanwhile_is_not_lost(self, store: Store) -> None:
        """It is looked at again at once."""
        await store.add_channel(CHANNEL)
        await store.append(beginning())
        (taken,) = await store.take_alerts(AT + 10, AT + 50)
        await store.came_back("t1", "anna", AT + 11)
        assert await store.settle_alert(replace(taken, stage=TOLD, due=AT + 99))
        (again,) = await store.take_alerts(AT + 11, AT + 50)

        assert (again.seen, again.stage) == (True, TOLD)
        assert await store.drop_alert(again)
        assert await store.alerts_of("anna") == ()
        assert not await store.settle_alert(again)

    @story
    async def test_alerts_go_with_their_user(self, store: Store) -> None:
        """And his channels and preferences."""
        await store.put_user(replace(user("Anna"), id="anna"))
        await store.add_channel(CHANNEL)
        await store.put_preferences(Preferences("anna", every=True))
        await store.append(beginning())
        await store.forget_user("anna")

        assert await store.alerts_of("anna") == ()
        assert await store.channels_of("anna") == ()
        assert await store.preferences_of("anna") is None

    @story
    async def test_key_of_the_server_is_made_once(self, one: Store, two: Store) -> None:
        """All workers sign by the same."""
        got = await asyncio.gather(*(store.vapid_key(bytes([n]) * 32) for n, store in enumerate((one, two))))

        assert got[0] == got[1]
        assert await one.vapid_key(b"other") == got[0]
