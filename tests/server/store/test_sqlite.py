"""The store in a SQLite file keeps the contract, and writes in groups."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from bohn.server.store.appending import prepare
from bohn.server.store.operating_sql import Statement
from bohn.server.store.protocol import Append, Committed, Store, StoreUnavailable, Timer
from bohn.server.store.sqlite import SqliteStore
from tests.server.store.contract import StoreContract
from tests.server.store.contract_log import everything
from tests.server.store.samples import append, line, row, user
from tests.server.store.telling import held


class TestSqliteStore(StoreContract):
    """The contract, with two stores on one file: compare and set holds across connections."""

    def make(self, folder: Path) -> tuple[Store, Store]:
        """Return two stores on the same file, without the lock that keeps processes apart."""
        path = folder / "data" / "bohn.sqlite"
        return SqliteStore(path, exclusive=False), SqliteStore(path, exclusive=False)


def tell(path: Path, story: Callable[[SqliteStore], Awaitable[None]]) -> None:
    """Run a story with one open store."""

    async def run() -> None:
        store = SqliteStore(path)
        await store.open()
        try:
            await story(store)
        finally:
            await store.close()

    asyncio.run(run())


def test_appends_that_wait_are_committed_in_one_transaction(tmp_path: Path) -> None:
    """However many batches wait for the disk, one commit takes them all."""
    texts: list[str] = []

    async def story(store: SqliteStore) -> None:
        await store._change(lambda connection: connection.set_trace_callback(texts.append))
        gate = await held(store)
        texts.clear()
        waiting = [asyncio.create_task(store.append(append(f"t{n}"))) for n in range(100)]
        await asyncio.sleep(0)
        gate.set()
        assert await asyncio.gather(*waiting) == [Committed()] * 100

    tell(tmp_path / "s", story)
    assert texts.count("COMMIT") == 2  # that of the task which held the writer, and that of the group


def test_group_has_a_limit(tmp_path: Path) -> None:
    """More than a group waits for the next one, and nobody is forgotten."""
    texts: list[str] = []

    async def story(store: SqliteStore) -> None:
        await store._change(lambda connection: connection.set_trace_callback(texts.append))
        gate = await held(store)
        texts.clear()
        waiting = [asyncio.create_task(store.append(append(f"t{n}"))) for n in range(600)]
        await asyncio.sleep(0)
        gate.set()
        assert await asyncio.gather(*waiting) == [Committed()] * 600

    tell(tmp_path / "s", story)
    assert texts.count("COMMIT") == 1 + 3  # 256, 256 and 88, behind the task which held the writer


def test_append_at_fault_fails_alone_and_wholly(tmp_path: Path) -> None:
    """In a group one append that cannot be written leaves nothing, not even its row; the others are kept."""

    async def story(store: SqliteStore) -> None:
        await store._change(
            lambda connection: (
                connection.execute(
                    """CREATE TRIGGER poison BEFORE INSERT ON grants WHEN NEW.user_id = 'poison'
                   BEGIN SELECT RAISE(ABORT, 'no'); END"""
                ).rowcount
            )
        )
        gate = await held(store)
        bad = replace(everything("bad"), grants=("carl", "poison"))
        appends = [everything("good"), bad, append("fine")]
        waiting = [asyncio.create_task(store.append(what)) for what in appends]
        await asyncio.sleep(0)
        gate.set()
        good, failed, fine = await asyncio.gather(*waiting, return_exceptions=True)

        assert (good, fine) == (Committed(), Committed())
        assert isinstance(failed, StoreUnavailable)
        assert failed.kind == "failed"
        assert await store.heads(("good", "bad", "fine")) == {"good": 1, "fine": 1}
        assert await store.timers("bad") == ()
        assert await store.listing("bad") is None
        assert await store.deal("bad") is None
        assert not await store.granted("bad", "carl")
        assert len(await store.timers("good")) == 2

    tell(tmp_path / "s", story)


def test_text_that_no_database_takes_hurts_nobody_else(tmp_path: Path) -> None:
    """Half a surrogate pair is refused to whoever sent it; what waited with it is kept."""

    async def story(store: SqliteStore) -> None:
        gate = await held(store)
        waiting: list[asyncio.Task[object]] = [
            asyncio.create_task(store.put_user(user("fine"))),
            asyncio.create_task(store.put_user(user("\ud800"))),
            asyncio.create_task(store.append(Append(row=row("t1", actor="\ud800")))),
            asyncio.create_task(store.append(append("t2"))),
        ]
        await asyncio.sleep(0)
        gate.set()
        outcomes = await asyncio.gather(*waiting, return_exceptions=True)

        assert [type(outcome) for outcome in outcomes] == [
            type(None), UnicodeEncodeError, UnicodeEncodeError, Committed,
        ]  # fmt: skip
        assert await store.heads(("t1", "t2")) == {"t2": 1}
        assert len(await store.users(("id-fine",))) == 1

    tell(tmp_path / "s", story)


def test_append_outlives_the_one_who_waited(tmp_path: Path) -> None:
    """A caller who gives up disturbs nobody; his batch is kept, and told when he asks again."""

    async def story(store: SqliteStore) -> None:
        gate = await held(store)
        gone = asyncio.create_task(store.append(append(command_id="c")))
        other = asyncio.create_task(store.append(append("t2")))
        await asyncio.sleep(0)
        gone.cancel()
        gate.set()
        assert await other == Committed()
        assert await store.find("t1", "anna", "c") == row(command_id="c")

    tell(tmp_path / "s", story)


def test_close_writes_what_is_waiting(tmp_path: Path) -> None:
    """Whatever was sent before the close is committed and answered."""

    async def story(store: SqliteStore) -> None:
        waiting = [asyncio.create_task(store.append(append(f"t{n}"))) for n in range(50)]
        await asyncio.sleep(0)
        await store.close()
        assert await asyncio.gather(*waiting) == [Committed()] * 50
        await store.open()
        assert len(await store.heads(tuple(f"t{n}" for n in range(50)))) == 50

    tell(tmp_path / "s", story)


def test_close_leaves_no_thread(tmp_path: Path) -> None:
    """All three threads end with the store; those of other tests may end meanwhile."""
    before = set(threading.enumerate())
    own: set[threading.Thread] = set()

    async def story(_store: SqliteStore) -> None:
        own.update(set(threading.enumerate()) - before)
        assert len(own) == 3

    tell(tmp_path / "s", story)
    assert not any(thread.is_alive() for thread in own)


def test_loop_that_ends_first_leaves_the_thread_in_peace(tmp_path: Path) -> None:
    """A store that was never closed does not fail when its event loop has gone; what it was sent is kept."""
    path = tmp_path / "s"

    async def forget() -> SqliteStore:
        store = SqliteStore(path)
        await store.open()
        gate = await held(store)
        assert store._writer is not None
        for seq in range(1, 4):
            store._writer.submit(prepare(append(seq=seq)))
        gate.set()
        return store

    store = asyncio.run(forget())
    assert store._writer is not None
    assert store._reader is not None
    for worker in (store._writer, store._reader):
        worker._waiting.put(None)
        worker._thread.join(10)
    assert store._lock is not None
    store._lock.drop()

    async def look(again: SqliteStore) -> None:
        assert await again.heads(("t1",)) == {"t1": 3}

    tell(path, look)


def test_writer_commits_for_good(tmp_path: Path) -> None:
    """The write-ahead log is synced at every commit, and deleted values are overwritten."""

    async def story(store: SqliteStore) -> None:
        def asked(connection: sqlite3.Connection) -> list[object]:
            names = ("journal_mode", "synchronous", "secure_delete", "busy_timeout")
            return [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

        assert await store._change(asked) == ["wal", 2, 2, 2_000]

    tell(tmp_path / "s", story)


def test_reader_cannot_write(tmp_path: Path) -> None:
    """The connection for reading is read-only, whatever it is asked."""

    async def story(store: SqliteStore) -> None:
        with pytest.raises(StoreUnavailable):
            await store._ask(lambda connection: connection.execute("DELETE FROM log").rowcount)

    tell(tmp_path / "s", story)


def test_deleted_chat_is_not_in_the_file(tmp_path: Path) -> None:
    """What a user has deleted cannot be found in the database's bytes."""
    path = tmp_path / "s"
    regretted = "never-to-be-read-again"

    async def story(store: SqliteStore) -> None:
        for text in ("one", regretted, "three"):
            await store.say(line(text=text))
        await store.delete_line("t1", 2)

    tell(path, story)
    assert regretted.encode() not in path.read_bytes()
    assert b"three" in path.read_bytes()


def test_timers_beyond_one_statement_are_kept(tmp_path: Path) -> None:
    """More rows than one insert takes are written in several."""
    timers = tuple(Timer(f"{n:05}", n) for n in range(9_001))

    async def story(store: SqliteStore) -> None:
        usual = (sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 32_766)  # some builds take more
        await store._change(lambda connection: connection.setlimit(*usual))
        await store.append(replace(append(), timers=timers))
        assert await store.timers("t1") == timers

    tell(tmp_path / "s", story)


def test_thinning_looks_tables_up_by_their_ids(tmp_path: Path) -> None:
    """Not by walking over all that are over: with many of those each batch would take a second."""
    plans: list[str] = []

    async def story(store: SqliteStore) -> None:
        changed = store._changed

        async def explained(statements: Sequence[Statement]) -> list[int]:
            for text, params in statements:
                found = await store._fetch(f"EXPLAIN QUERY PLAN {text}", *params)
                plans.extend(str(step[3]) for step in found)
            return await changed(statements)

        store._changed = explained  # type: ignore[method-assign]  # - to look on
        await store.thin(("t1", "t2"), "finished", 5, 9)

    tell(tmp_path / "s", story)
    assert any("log USING INDEX sqlite_autoindex_log_1 (table_id=?" in plan for plan in plans)
    assert not [plan for plan in plans if "status" in plan]
    assert {plan for plan in plans if plan.startswith("SCAN")} <= {
        "SCAN json_each VIRTUAL TABLE INDEX 1:", "SCAN reports"
    }  # fmt: skip
