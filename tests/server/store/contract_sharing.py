"""The contract of a store that several workers share: leases with epochs, company, notices, the bell."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from bohn.notation.records import Cause
from bohn.rules.commands import AcceptOffer
from bohn.server.store import formats
from bohn.server.store.protocol import (
    Append,
    Committed,
    Conflict,
    Fenced,
    Repeated,
    Store,
    Timer,
    Withdrawn,
)
from bohn.server.store.shared import BUCKETS, Acceptance, Present, SharedStore, bucket_of, is_shared
from tests.server.store.samples import append, link, listing, row
from tests.server.store.telling import Stores, story

LENGTH = 400
"""Ms of a lease: short, for the stores' own time cannot be moved."""

LONG = 60_000


async def renew(store: Store, worker: str, length: int = LONG, least: int = LONG) -> dict[int, int]:
    """Renew a worker's leases, and return the epochs that it has now."""
    return (await shared(store).renew(worker, worker.upper(), length, least)).epochs


def shared(store: Store) -> SharedStore:
    """Return a store as one that is shared."""
    assert is_shared(store)
    return store


async def outlast(length: int = LENGTH) -> None:
    """Wait until leases of this length have ended."""
    await asyncio.sleep(length / 1_000 + 0.05)


def accepting(actor: str, name: str = "c", *, revision: int = 1, user: str | None = "ben") -> Acceptance:
    """Return an acceptance."""
    cause: Cause = "bot" if user is None else "player"
    return Acceptance("t1", actor, name, cause, user, 7, AcceptOffer(1, 7, revision))


def gathered(actor: str, seq: int, name: str = "c") -> Append:
    """Return the append by which an acceptance is done."""
    done = replace(row(seq=seq), actor=actor, command_id=name)
    return Append(row=done, gathered=True)


class SharingContract(Stores):
    """Leases, presence, notices and rings."""

    # leases

    @story
    async def test_lone_worker_has_all_leases(self, store: Store) -> None:
        """Every bucket is his, each for the first time."""
        assert await renew(store, "a") == dict.fromkeys(range(BUCKETS), 1)
        assert await renew(store, "a") == dict.fromkeys(range(BUCKETS), 1)

    @story
    async def test_workers_share_the_leases_evenly(self, one: Store, two: Store) -> None:
        """Who has more than his share gives some up, and nobody has one twice."""
        await renew(one, "a")
        held: list[dict[int, int]] = []
        for _ in range(3):
            held = [await renew(one, "a"), await renew(two, "b")]

        assert [len(epochs) for epochs in held] == [BUCKETS // 2, BUCKETS // 2]
        assert held[0].keys().isdisjoint(held[1])
        assert set(held[1].values()) == {2}

    @story
    async def test_leases_of_a_dead_worker_are_taken(self, one: Store, two: Store) -> None:
        """Once they have ended, with the next epoch; and never before."""
        await renew(one, "a", LENGTH)
        assert await renew(two, "b") == {}
        await outlast()

        assert await renew(two, "b") == dict.fromkeys(range(BUCKETS), 2)

    @story
    async def test_renewal_tells_when_a_lease_of_another_ends(self, one: Store, two: Store) -> None:
        """So whoever waits for it asks again at that moment; where there is nobody else there is none."""
        alone = await shared(one).renew("a", "A", LONG, LONG)
        beside = await shared(two).renew("b", "B", LONG, LONG)
        await shared(one).leave("a")
        after = await shared(two).renew("b", "B", LONG, LONG)

        assert (alone.free, beside.free, after.free) == (None, alone.until, None)

    @story
    async def test_own_lease_that_has_ended_is_taken_anew(self, store: Store) -> None:
        """Whoever stood still longer than his lease begins a new epoch, like anybody else."""
        await renew(store, "a", LENGTH)
        await outlast()
        renewal = await shared(store).renew("a", "A", LENGTH, LONG)

        assert renewal.epochs == dict.fromkeys(range(BUCKETS), 2)
        assert renewal.taken == frozenset(range(BUCKETS))
        assert renewal.until - renewal.now == LENGTH

    @story
    async def test_worker_that_leaves_frees_its_leases_at_once(self, one: Store, two: Store) -> None:
        """Nobody waits for the end of the lease of whoever has said goodbye."""
        await renew(one, "a")
        await shared(one).leave("a")

        assert len(await renew(two, "b")) == BUCKETS
        assert await shared(two).workers() == {"b": "B"}

    @story
    async def test_workers_that_renew_at_once_never_hold_the_same(self, one: Store, two: Store) -> None:
        """However they race, every bucket has one holder, and every taking is an epoch of its own."""
        names = [(one, "a"), (two, "b"), (one, "c"), (two, "d")]
        held: list[dict[int, int]] = []
        for _ in range(6):
            held = await asyncio.gather(*(renew(store, name) for store, name in names))
        counted = Counter(bucket for epochs in held for bucket in epochs)

        assert max(counted.values()) == 1
        takings = await shared(one).takings()
        assert len({(one.bucket, one.epoch) for one in takings}) == len(takings)

    @story
    async def test_history_of_leases_tells_every_taking(self, one: Store, two: Store) -> None:
        """Bucket, epoch, worker and time, in order."""
        await renew(one, "a")
        await shared(one).leave("a")
        await renew(two, "b")
        takings = [taking for taking in await shared(one).takings() if taking.bucket == 7]

        assert [(taking.epoch, taking.worker) for taking in takings] == [(1, "a"), (2, "b")]
        assert takings[0].at <= takings[1].at <= await shared(one).time()

    @story
    async def test_old_takings_go_and_leases_stay(self, one: Store, two: Store) -> None:
        """Nothing but the history is deleted: epochs rise as before."""
        await renew(one, "a")
        await shared(one).leave("a")
        now = await shared(one).time()
        await asyncio.sleep(0.01)
        held = await renew(two, "b")

        assert await two.drop_history(now, 200) == 200
        assert await one.drop_history(now) == BUCKETS - 200
        assert {taking.epoch for taking in await shared(one).takings()} == {2}
        assert await renew(two, "b") == held

    @story
    async def test_tables_that_are_attended_are_not_given_up(self, one: Store, two: Store) -> None:
        """Somebody looks at one of them, by whichever worker."""
        await renew(one, "a")
        for table in ("t1", "t2"):
            await one.append(replace(append(table), listing=listing(table, status="playing", moved=5)))
        await shared(one).show_present(Present("t1", "a", "anna"))

        assert await two.unmoved(5) == ("t2",)

    @story
    async def test_epochs_of_all_buckets_are_told(self, one: Store, two: Store) -> None:
        """Whoever holds them, and those that nobody has had yet."""
        assert await shared(two).epochs() == dict.fromkeys(range(BUCKETS), 0)
        await renew(one, "a")

        assert await shared(two).epochs() == dict.fromkeys(range(BUCKETS), 1)

    # the fence

    @story
    async def test_row_of_the_present_epoch_is_written(self, store: Store) -> None:
        """What the holder of the lease does for the server is done; what people do needs no epoch."""
        epochs = await renew(store, "a")
        mine = epochs[bucket_of("t1")]

        assert await store.append(replace(append(seq=1), epoch=mine)) == Committed()
        assert await store.append(append(seq=2)) == Committed()

    @story
    async def test_row_of_a_stale_epoch_is_refused(self, one: Store, two: Store) -> None:
        """Who was taken the lease writes nothing for the server any more, and nothing comes with it."""
        stale = (await renew(one, "a", LENGTH))[bucket_of("t1")]
        await outlast()
        fresh = (await renew(two, "b"))[bucket_of("t1")]
        late = Append(row=row(), timers=(Timer("a", 1),), grants=("carl",), epoch=stale)

        assert await one.append(late) == Fenced()
        assert await one.rows("t1") == ()
        assert await one.timers("t1") == ()
        assert not await one.granted("t1", "carl")
        assert await two.append(replace(late, epoch=fresh)) == Committed()

    # acceptances that wait

    @story
    async def test_acceptances_wait_in_the_order_in_which_they_came(self, one: Store, two: Store) -> None:
        """Each as it came first, with the moment; who is sent one again is told of the one that waits."""
        before = await shared(one).time()
        first = await shared(one).gather(accepting("ben"))
        await shared(two).gather(accepting("anna", user=None))
        again = await shared(two).gather(accepting("ben", revision=2))
        waiting = await shared(two).gathered_at("t1")

        assert before <= first.at <= await shared(one).time()
        assert again == first
        assert [(one.actor, one.user, one.command.revision) for one in waiting] == [
            ("ben", "ben", 1),
            ("anna", None, 1),
        ]
        assert await shared(one).gathered_at("t2") == ()
        assert await shared(one).gathering_in((bucket_of("t1"), bucket_of("t2"))) == ("t1",)
        assert await shared(one).gathering_in((bucket_of("t2"),)) == ()

    @story
    async def test_acceptance_ends_with_its_batch(self, store: Store) -> None:
        """In the same transaction; a conflict leaves it as it is, and a second time it is known."""
        epochs = await renew(store, "a")
        await shared(store).gather(accepting("ben"))
        done = replace(gathered("ben", 1), epoch=epochs[bucket_of("t1")])
        late = replace(gathered("ben", 3), epoch=epochs[bucket_of("t1")])

        assert await store.append(late) == Conflict()
        assert len(await shared(store).gathered_at("t1")) == 1
        assert await store.append(done) == Committed()
        assert await shared(store).gathered_at("t1") == ()
        assert await store.append(done) == Repeated(done.row)

    @story
    async def test_acceptance_that_was_taken_back_is_not_done(self, one: Store, two: Store) -> None:
        """Nothing is written of it, and whoever takes it back knows whether he was in time."""
        epochs = await renew(one, "a")
        await shared(one).gather(accepting("ben"))

        assert await shared(two).take_back("t1", "ben", "c")
        late = replace(gathered("ben", 1), epoch=epochs[bucket_of("t1")])
        assert await one.append(late) == Withdrawn()
        assert await one.rows("t1") == ()
        assert not await shared(two).take_back("t1", "ben", "c")

    @story
    async def test_acceptance_is_ended_in_its_epoch_only(self, one: Store, two: Store) -> None:
        """A worker that lost the lease neither does nor refuses it."""
        stale = (await renew(one, "a", LENGTH))[bucket_of("t1")]
        await shared(one).gather(accepting("ben"))
        await outlast()
        fresh = (await renew(two, "b"))[bucket_of("t1")]

        assert await one.append(replace(gathered("ben", 1), epoch=stale)) == Fenced()
        assert not await shared(one).take_back("t1", "ben", "c", stale)
        assert len(await shared(two).gathered_at("t1")) == 1
        assert await shared(two).take_back("t1", "ben", "c", fresh)

    @story
    async def test_acceptance_is_either_done_or_taken_back(self, one: Store, two: Store) -> None:
        """However both race."""
        epochs = await renew(one, "a")
        for number in range(1, 9):
            await shared(one).gather(accepting("ben", f"c{number}"))
            seq = len(await one.rows("t1")) + 1
            done = replace(gathered("ben", seq, f"c{number}"), epoch=epochs[bucket_of("t1")])
            outcome, back = await asyncio.gather(
                one.append(done), shared(two).take_back("t1", "ben", f"c{number}")
            )
            assert outcome == (Withdrawn() if back else Committed())

    # counting

    @story
    async def test_those_with_the_same_key_come_one_by_one(self, one: Store, two: Store) -> None:
        """By whichever worker; nobody is kept out by another key, or by one who has failed."""
        inside = 0
        seen: list[int] = []

        async def come(store: Store, key: str, *, fails: bool = False) -> None:
            nonlocal inside
            async with shared(store).one_by_one(key):
                inside += 1
                seen.append(inside)
                await asyncio.sleep(0.01)
                inside -= 1
                if fails:
                    raise KeyError(key)

        with pytest.raises(KeyError):
            await come(one, "a", fails=True)
        await asyncio.gather(*(come(store, "a") for store in (one, two) for _ in range(4)))
        assert seen == [1] * 9
        async with shared(one).one_by_one("a"):
            await come(two, "b")

    # what workers know

    @story
    async def test_renewal_tells_what_all_workers_know(self, one: Store, two: Store) -> None:
        """The least of all that are registered, for one more length after a lease has ended."""
        first = await shared(one).renew("a", "A", LONG, LONG)
        older = await shared(two).renew("b", "B", LENGTH, LONG, formats.FIRST)
        beside = await shared(one).renew("a", "A", LENGTH, LONG)
        await outlast()
        late = await shared(one).renew("a", "A", LENGTH, LONG)
        await outlast()
        alone = await shared(one).renew("a", "A", LENGTH, LONG)

        assert first.formats == alone.formats == formats.NEWEST
        assert {older.formats, beside.formats, late.formats} == {formats.FIRST}

    # time that nobody served

    @story
    async def test_time_without_an_owner_is_credited(self, one: Store, two: Store) -> None:
        """Timers and invitations of a bucket are put off by the time in which nobody had its lease."""
        await renew(one, "a", LENGTH)
        now = await shared(one).time()
        await one.append(Append(row=row("t1"), timers=(Timer("a", now + 1_000), Timer("b", None, 5))))
        await one.put_link(replace(link(table="t1"), expires=now + 5_000))
        await outlast(2 * LENGTH)
        renewal = await shared(two).renew("b", "B", LONG, 100)

        assert renewal.credited == frozenset(range(BUCKETS))
        (first, second) = await two.timers("t1")
        assert first.due is not None
        assert 2 * LENGTH <= first.due - now - 1_000 < 10_000
        assert second == Timer("b", None, 5)
        kept = await two.link("l1")
        assert kept is not None
        assert kept.expires - now - 5_000 == first.due - now - 1_000

    @story
    async def test_short_time_without_an_owner_is_not_credited(self, one: Store, two: Store) -> None:
        """A lease that changes hands in good order costs nobody's clock anything."""
        await renew(one, "a")
        await one.append(Append(row=row("t1"), timers=(Timer("a", 77),)))
        await shared(one).leave("a")
        renewal = await shared(two).renew("b", "B", LONG, 5_000)

        assert renewal.credited == frozenset()
        assert await two.timers("t1") == (Timer("a", 77),)

    @story
    async def test_due_timers_are_told_by_bucket(self, store: Store) -> None:
        """A worker is told of those it serves, earliest first."""
        for table, due in (("t1", 30), ("t2", 20), ("t3", 10)):
            await store.append(Append(row=row(table), timers=(Timer("a", due),)))
        buckets = (bucket_of("t1"), bucket_of("t3"))

        found = await shared(store).due_in(30, buckets)
        assert [timer.table for timer in found] == ["t3", "t1"]
        assert [timer.table for timer in await shared(store).due_in(30, buckets, 1)] == ["t3"]
        assert await shared(store).due_in(9, buckets) == ()
        assert await shared(store).due_in(30, ()) == ()

    # who is there

    @story
    async def test_presence_is_known_to_all_workers(self, one: Store, two: Store) -> None:
        """Who looks at a table by one worker is known to the others, as he is shown last."""
        await renew(one, "a")
        anna = Present("t1", "a", "anna", "Anna")
        await shared(one).show_present(anna)
        await shared(one).show_present(replace(anna, sign="composing", until=9))
        await shared(one).show_present(Present("t2", "a", "", count=3))

        assert await shared(two).present_at(("t1", "t3")) == (replace(anna, sign="composing", until=9),)
        assert await shared(two).attended((bucket_of("t1"),)) == ("t1",)
        assert set(await shared(two).attended(tuple(range(BUCKETS)))) == {"t1", "t2"}

    @story
    async def test_presence_ends_when_nobody_is_left(self, store: Store) -> None:
        """Nobody stays behind as a ghost."""
        await renew(store, "a")
        await shared(store).show_present(Present("t1", "a", "anna"))
        await shared(store).show_present(Present("t1", "a", "anna", count=0))

        assert await shared(store).present_at(("t1",)) == ()

    @story
    async def test_presence_ends_with_its_worker(self, one: Store, two: Store) -> None:
        """Whether it says goodbye or dies."""
        await renew(one, "a", LENGTH)
        await renew(two, "b")
        await shared(one).show_present(Present("t1", "a", "anna"))
        await shared(two).show_present(Present("t1", "b", "ben"))
        await outlast()
        assert [one.user for one in await shared(two).present_at(("t1",))] == ["ben"]
        await shared(two).leave("b")
        assert await shared(one).present_at(("t1",)) == ()
        assert await shared(one).attended(tuple(range(BUCKETS))) == ()

    # what workers tell each other

    @story
    async def test_notices_of_others_are_read_in_order(self, one: Store, two: Store) -> None:
        """Every worker reads what the others have told since a time, and not his own words."""
        since = await shared(one).time()
        await shared(one).notify("a", "t1", b"one")
        await shared(two).notify("b", "", b"two")
        await shared(one).notify("a", "t2", b"three")
        found = await shared(two).notices("b", since)

        assert [(notice.worker, notice.table, notice.body) for notice in found] == [
            ("a", "t1", b"one"),
            ("a", "t2", b"three"),
        ]
        assert [notice.body for notice in await shared(one).notices("a", since)] == [b"two"]
        assert await shared(two).notices("b", found[-1].at + 1) == ()

    @story
    async def test_rings_are_heard_by_all(self, one: Store, two: Store) -> None:
        """First that some may have been missed, then every ring, those of notices among them."""
        heard: list[str | None] = []
        listening = asyncio.create_task(shared(two).listen(heard.append))
        await _until(lambda: heard == [None])
        await shared(one).ring("a t1 t2")
        await shared(one).notify("a", "t1", b"one")
        await _until(lambda: len(heard) >= 3)
        listening.cancel()

        assert heard == [None, "a t1 t2", "a"]


async def _until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    for _ in range(500):
        if holds():
            return
        await asyncio.sleep(0.01)
    raise AssertionError
