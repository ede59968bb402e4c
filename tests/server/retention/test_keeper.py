"""The keeper: what is due goes, in batches that may break off anywhere, and nothing else does."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bohn.notation.records import read_record, verify
from bohn.protocol.refusals import Problem, Refusal
from bohn.server.retention import keeper
from bohn.server.retention.folder import ArchiveError, ArchiveFolder
from bohn.server.settings import Retention
from bohn.server.store.operating import Deed, Sanction
from bohn.server.store.protocol import Session, Store, StoreUnavailable, User
from bohn.server.store.retaining import DAY, Thinned
from tests.server.retention.conftest import LOG, NOW, OLD, House, log_of, put, story
from tests.server.store.samples import head, line, link, report
from tests.server.support.memory_store import MemoryStore
from tests.server.support.rooms import ANNA, BERT
from tests.server.support.tables import House as TableHouse

DAYS = Retention(finished=365, abandoned=30, guests=365, visitors=30, chat=180, records=100, reports=365)


async def heads(store: Store) -> dict[str, int]:
    """Return the tables that are stored, with the length of their logs."""
    return await store.heads(tuple(f"t{number}" for number in range(20)))


def test_what_is_due_goes_and_everything_else_stays(store: Store) -> None:
    """Tables that are over for long; one that is open, in play or young keeps its log to the byte."""

    async def tell(house: House) -> None:
        for table, status, moved in (
            ("t1", "finished", OLD), ("t2", "abandoned", NOW - 31 * DAY), ("t3", "finished", NOW - 364 * DAY),
            ("t4", "abandoned", NOW - 29 * DAY), ("t5", "open", 1), ("t6", "playing", 1),
        ):  # fmt: skip
            await put(house.store, table, status, moved)  # type: ignore[arg-type]  # - statuses
        await house.look()

        assert (await heads(house.store)).keys() == {"t3", "t4", "t5", "t6"}
        for table in ("t3", "t4", "t5", "t6"):
            assert await house.store.rows(table) == log_of(table)
        assert (house.removed("finished"), house.removed("abandoned")) == (1, 1)
        assert house.removed("rows") == 2 * len(LOG)

    story(store, DAYS, tell)


def test_what_stays_for_ever_stays(store: Store) -> None:
    """Without days nothing of a kind is deleted, however old."""

    async def tell(house: House) -> None:
        await put(house.store, "t1", moved=0)
        await house.store.put_user(User(ANNA, "Anna", "de", 0))
        await house.store.say(replace(line("t1", ANNA), at=0))
        await house.store.keep_record(head(user=ANNA, at=0), b"text", 9)
        await house.store.report(replace(report(), at=0))
        await house.store.report(replace(report(), at=1))
        await house.store.write_deed(Deed(0, 1, "terminal:root", "settle", "", report=1))
        await house.look()

        assert await house.store.rows("t1") == log_of("t1")
        assert len(await house.store.chat("t1")) == 1
        assert len(await house.store.records_of(ANNA)) == 1
        assert len(await house.store.reports()) == 2
        assert ANNA in await house.store.users((ANNA,))

    story(store, Retention(0, 0, 0, 0, 0, 0, 0, 0, 0), tell)


def test_everything_old_goes_and_is_counted(store: Store) -> None:
    """Links, cookies, chat, records, guests with what they left, and reports that were settled."""

    async def tell(house: House) -> None:
        await put(house.store, "t1", moved=NOW)
        await house.store.put_user(User(ANNA, "Anna", "de", OLD))
        await house.store.put_user(User(BERT, "Bert", "de", OLD))
        await house.store.put_user(User("carl", "Carl", "de", NOW))
        await house.store.put_session(Session("s1", ANNA, OLD, cookie=True, used=OLD))
        await house.store.put_session(Session("s2", BERT, OLD, cookie=True, used=NOW))
        await house.store.put_link(link("l1"))
        for at in (NOW - 181 * DAY, NOW):
            await house.store.say(replace(line("t1", BERT), at=at))
        for name, at in (("r1", NOW - 101 * DAY), ("r2", NOW)):
            await house.store.keep_record(head(name, BERT, at), b"text", 9)
        for at in (OLD, OLD, NOW):
            await house.store.report(replace(report(), table="t9", at=at))
        await house.store.write_deed(Deed(0, OLD, "terminal:root", "settle", "", report=1))
        await house.look()

        assert {kind: house.removed(kind) for kind in ("expired", "lines", "records", "reports")} == {
            "expired": 2, "lines": 1, "records": 1, "reports": 1
        }  # fmt: skip
        assert [one.at for one in await house.store.chat("t1")] == [NOW]
        assert [one.id for one in await house.store.records_of(BERT)] == ["r2"]
        assert [one.id for one in await house.store.filed_reports()] == [3, 2]
        assert len(await house.store.deeds()) == 1
        assert house.removed("guests") == 1  # Anna; her table stays

    story(store, DAYS, tell)


def test_what_nothing_needs_any_more_goes(store: Store) -> None:
    """Sanctions after their days, what is noted of servers after a month; the log of operators stays."""

    async def tell(house: House) -> None:
        for name, until in (("s1", OLD), ("s2", NOW - 364 * DAY), ("s3", None)):
            begun = Sanction(name, "ban", ANNA, None, 1, until, "rude")
            await house.store.write_deed(Deed(0, 1, "terminal:root", "ban", ANNA, sanction=name), begun)
        for worker, at in (("a", OLD), ("b", NOW - 31 * DAY), ("c", NOW - 29 * DAY)):
            await house.store.beat(worker, at)
        await house.look()

        assert (house.removed("sanctions"), house.removed("history")) == (1, 2)
        assert [one.id for one in await house.store.sanctions(OLD - 1)] == ["s2", "s3"]
        assert len(await house.store.deeds()) == 3
        assert await house.store.last_beat() == NOW - 29 * DAY

    story(store, DAYS, tell)


def test_guest_who_never_came_back_becomes_a_seat(store: Store, tmp_path: Path) -> None:
    """His name goes, his games stay until it is their time; then nothing is left of him."""

    async def tell(house: House) -> None:
        await put(house.store, "t1", moved=NOW - 364 * DAY)
        await house.store.put_user(User(ANNA, "Anna", "de", OLD))
        await house.store.put_user(User(BERT, "Bert", "de", OLD))
        await house.store.put_session(Session("s2", BERT, OLD, cookie=True, used=NOW))
        await house.look()

        assert house.removed("guests") == 1
        assert (await house.store.users((ANNA,)))[ANNA].name == ""
        house.retention = replace(DAYS, finished=100, archive=str(tmp_path / "records"), names=True)
        await house.look()
        text = ArchiveFolder(tmp_path / "records").place("t1", NOW - 364 * DAY).read_bytes()
        assert read_record(text).header.seats == ("Player1", "Bert", "Bot1:pk", "Bot2:b3")
        assert (await house.store.users((ANNA, BERT))).keys() == {BERT}

    story(store, DAYS, tell)


def test_games_are_written_before_they_go(store: Store, tmp_path: Path) -> None:
    """Each record follows its rules, and people stand in it as seats; abandoned tables have none."""
    folder = ArchiveFolder(tmp_path / "records")

    async def tell(house: House) -> None:
        await house.store.put_user(User(ANNA, "Anna", "de", NOW))
        for table in ("t1", "t2"):
            await put(house.store, table)
        await put(house.store, "t3", "abandoned", rows=4)
        await house.look()

        assert await heads(house.store) == {}
        assert house.removed("archived") == 2
        for table in ("t1", "t2"):
            assert folder.has(table, OLD)
            record = read_record(folder.place(table, OLD).read_bytes())
            verify(record)
            assert record.header.seats == ("Player1", "Player2", "Bot1:pk", "Bot2:b3")
        assert not folder.has("t3", OLD)

    story(store, replace(DAYS, archive=str(folder.path)), tell)


def test_game_that_cannot_be_written_stays(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk deletes no game; everything else is done, and the next time the games go."""

    def full(*_: object) -> None:
        msg = "cannot write records: no space left on device"
        raise ArchiveError(msg)

    async def tell(house: House) -> None:
        for table in ("t1", "t2"):
            await put(house.store, table)
        await put(house.store, "t3", "abandoned")
        await house.store.put_link(link("l1"))
        monkeypatch.setattr(ArchiveFolder, "write", full)
        await house.look()
        assert (await heads(house.store)).keys() == {"t1", "t2"}
        assert await house.store.rows("t1") == log_of("t1")
        assert (house.failed("archive"), house.removed("expired"), house.removed("finished")) == (1, 1, 0)

        monkeypatch.undo()
        await house.look()
        assert await heads(house.store) == {}

    story(store, replace(DAYS, archive=str(tmp_path / "records")), tell)


def test_game_without_a_record_stays_and_holds_nobody_up(store: Store, tmp_path: Path) -> None:
    """One whose log is damaged, and one whose record is no longer what was written."""
    folder = ArchiveFolder(tmp_path / "records")

    async def tell(house: House) -> None:
        await put(house.store, "t1", rows=5)  # it is said to be finished, and its log is not
        for table in ("t2", "t3"):
            await put(house.store, table)
        house.here.memory = {"t3"}
        await house.look()
        assert (await heads(house.store)).keys() == {"t1", "t3"}
        assert house.failed("record") == 1

        await put(house.store, "t2")
        folder.place("t2", OLD).write_bytes(b"damaged")
        house.here.memory.clear()
        await house.look()
        assert (await heads(house.store)).keys() == {"t1", "t2"}
        assert folder.place("t2", OLD).read_bytes() == b"damaged"
        assert folder.has("t3", OLD)

    story(store, replace(DAYS, archive=str(folder.path)), tell)


def test_log_that_is_damaged_in_the_store_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is passed over; where the whole store fails, nothing more is tried."""
    kinds: list[Any] = ["damaged"]

    async def tell(house: House) -> None:
        async def rows(table: str, *args: Any) -> Any:
            if table == "t1":
                raise StoreUnavailable(kinds[0], "what is kept cannot be read")
            return await MemoryStore.rows(house.store, table, *args)  # type: ignore[arg-type]  # - it is one

        monkeypatch.setattr(house.store, "rows", rows)
        for table in ("t1", "t2"):
            await put(house.store, table)
        await house.look()
        assert (await heads(house.store)).keys() == {"t1"}
        kinds[0] = "lost"
        with pytest.raises(StoreUnavailable):
            await house.look()

    story(MemoryStore(), replace(DAYS, archive=str(tmp_path / "records")), tell)


def test_table_in_memory_is_passed_over(store: Store) -> None:
    """Somebody looks at it, or has just done so; the next time it may go."""

    async def tell(house: House) -> None:
        for table in ("t1", "t2"):
            await put(house.store, table)
        house.here.memory.add("t1")
        await house.look()
        assert (await heads(house.store)).keys() == {"t1"}
        house.here.memory.clear()
        await house.look()
        assert await heads(house.store) == {}

    story(store, DAYS, tell)


def test_long_log_goes_in_pieces(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """No batch deletes more rows than it may, whether of one table or of many."""
    monkeypatch.setattr(keeper, "ROWS_AT_ONCE", 50)
    pieces: list[Thinned] = []

    async def tell(house: House) -> None:
        thin = house.store.thin

        async def counted(*args: Any) -> Thinned:
            pieces.append(await thin(*args))
            return pieces[-1]

        monkeypatch.setattr(house.store, "thin", counted)
        await put(house.store, "t1")
        for number in range(2, 7):
            await put(house.store, f"t{number}", rows=20)
        await house.look()
        assert await heads(house.store) == {}

    story(store, DAYS, tell)
    assert max(piece.rows for piece in pieces) <= 50
    assert sum(piece.rows for piece in pieces) == len(LOG) + 5 * 20
    assert sum(piece.tables for piece in pieces) == 6


def test_rest_is_as_long_as_the_settings_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """So many times as long as the batch took, that it waited behind commands included."""

    async def tell(house: House) -> None:
        thin = house.store.thin

        async def slow(*args: Any) -> Thinned:
            await asyncio.sleep(0.05)
            return await thin(*args)

        monkeypatch.setattr(house.store, "thin", slow)
        await put(house.store, "t1")
        await house.look()
        assert max(house.clock.rests) >= 3 * 50
        assert min(house.clock.rests) >= keeper.LEAST_REST
        monkeypatch.setattr(keeper, "MOST_REST", 100)
        house.clock.rests.clear()
        await put(house.store, "t1")
        await house.look()
        assert max(house.clock.rests) == 100

    story(MemoryStore(), replace(DAYS, rest=3.0), tell)


def test_nothing_is_done_without_the_lease(store: Store) -> None:
    """It is another worker's business; whoever loses the lease stops before the next batch."""

    async def tell(house: House) -> None:
        await put(house.store, "t1")
        house.here.mine = 0
        await house.look()
        assert (await heads(house.store)).keys() == {"t1"}

    story(store, DAYS, tell)


def test_lost_lease_ends_the_work_before_the_next_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each batch asks for it: what is left is the business of the worker that has it now."""
    monkeypatch.setattr(keeper, "ROWS_AT_ONCE", 50)

    async def tell(house: House) -> None:
        thin = house.store.thin

        async def losing(*args: Any) -> Thinned:
            house.here.mine = 0
            return await thin(*args)

        monkeypatch.setattr(house.store, "thin", losing)
        for table in ("t1", "t2"):
            await put(house.store, table)
        await house.look()
        assert (await heads(house.store)).keys() == {"t1", "t2"}
        assert house.removed("rows") == 50

    story(MemoryStore(), DAYS, tell)


def test_work_that_breaks_off_anywhere_is_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After each question for the lease it may be lost: what is left is whole or about to go, and goes."""
    monkeypatch.setattr(keeper, "ROWS_AT_ONCE", 60)

    async def tell(house: House) -> None:
        number = 0
        while True:
            number += 1
            await put(house.store, "t1", moved=OLD + 1)
            await put(house.store, "t2", moved=OLD)
            await put(house.store, "t3", "playing", 1)
            house.retention = replace(DAYS, archive=str(tmp_path / str(number)))
            house.here.mine = number
            await house.look()
            whole = house.here.mine > 0
            left = await heads(house.store)
            folder = ArchiveFolder(tmp_path / str(number))
            for table, moved in (("t1", OLD + 1), ("t2", OLD)):
                rows = await house.store.rows(table)
                assert rows == log_of(table) or folder.has(table, moved)
                assert rows == log_of(table)[len(LOG) - len(rows) :]
            house.here.mine = 1_000_000
            await house.look()
            assert await heads(house.store) == {"t3": len(LOG)}
            assert await house.store.rows("t3") == log_of("t3")
            assert folder.has("t1", OLD + 1)
            assert folder.has("t2", OLD)
            if whole:
                assert left.keys() == {"t3"}
                break
        assert number > 10

    story(MemoryStore(), DAYS, tell)


def test_games_thinned_before_are_not_written_anew(tmp_path: Path) -> None:
    """A log without its beginning makes no record: if none was written it stays, and is told."""

    async def tell(house: House) -> None:
        await put(house.store, "t1")
        await house.store.thin(("t1",), "finished", OLD, 10)
        await house.look()
        assert (await heads(house.store)).keys() == {"t1"}
        assert house.failed("record") == 1

    story(MemoryStore(), replace(DAYS, archive=str(tmp_path / "records")), tell)


def test_what_is_left_is_shown(store: Store) -> None:
    """How many tables are over and due, how old the oldest one is, and how large the file."""

    async def tell(house: House) -> None:
        await put(house.store, "t1", moved=NOW - 100 * DAY)
        await put(house.store, "t2", "abandoned", moved=OLD)
        house.here.memory = {"t2"}
        await house.look()
        text = house.metrics.text().decode()
        assert "bohn_over_tables 2.0" in text
        assert "bohn_due_tables 1.0" in text
        assert "bohn_oldest_table_seconds 3.456e+07" in text  # 400 days

    story(store, DAYS, tell)


def test_table_that_is_being_deleted_is_none() -> None:
    """Whoever opens it is told that there is none, as he will be when it is gone."""

    async def run() -> None:
        house = await TableHouse().begin()
        table = await house.table("anna", "ben", "carl")
        house.drop(table)
        house.backing.logs[table] = house.backing.logs[table][1:]
        with pytest.raises(Refusal) as refused:
            await house.tables.enter(table, "anna")
        assert refused.value.problem is Problem.NO_SUCH_TABLE
        await house.end()

    asyncio.run(run())


def test_server_does_not_start_without_its_folder(tmp_path: Path) -> None:
    """It says why at once, and not when the first game is due."""
    (tmp_path / "file").write_text("")
    house = House(MemoryStore(), replace(DAYS, archive=str(tmp_path / "file" / "records")))
    with pytest.raises(ArchiveError, match="cannot write"):
        house.keeper().require_folder()
    House(MemoryStore(), DAYS).keeper().require_folder()


def test_table_that_is_named_is_the_only_one(store: Store) -> None:
    """A batch deletes its own tables, not whatever is as old."""

    async def tell(house: House) -> None:
        for table in ("t1", "t2"):
            await put(house.store, table)
        assert await house.store.thin(("t2",), "finished", OLD, 9_999) == Thinned(len(LOG), 1)
        assert await house.store.rows("t1") == log_of("t1")

    story(store, DAYS, tell)
