"""Bad days of the disk: a clear answer to everybody, nothing half kept, and work again afterwards."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from bohn.server.store.protocol import Append, Committed, StoreUnavailable, Timer
from bohn.server.store.sqlite import SqliteStore
from tests.server.store.contract_log import everything
from tests.server.store.samples import append, line, played
from tests.server.store.telling import held

Story = Callable[[SqliteStore], Awaitable[None]]


def tell(path: Path, story: Story) -> None:
    """Run a story with one open store that waits only a moment for locks."""

    async def run() -> None:
        store = SqliteStore(path, busy=50)
        await store.open()
        try:
            await story(store)
        finally:
            await store.close()

    asyncio.run(run())


async def most_pages(store: SqliteStore, more: int) -> None:
    """Let the file grow by a number of pages and no further, as if the disk were full then."""

    def limit(connection: sqlite3.Connection) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + more}").fetchall()

    await store._change(limit)


def large(table: str, seq: int = 1) -> Append:
    """Return an append that needs some pages of its own."""
    timers = tuple(Timer(f"{n:0200}", n) for n in range(100))
    return replace(everything(table, seq), timers=timers)


# -- the disk is full ------------------------------------------------------------------------------


def test_full_disk_refuses_and_keeps_nothing_of_the_group(tmp_path: Path) -> None:
    """Whoever waits for a commit that finds no room is told so, and none of the group is kept."""

    async def story(store: SqliteStore) -> None:
        await store.append(append("before"))
        await most_pages(store, 3)
        tables = tuple(f"t{n}" for n in range(20))
        outcomes = await asyncio.gather(
            *(store.append(large(table)) for table in tables), store.say(line()), return_exceptions=True
        )

        failures = [outcome for outcome in outcomes if isinstance(outcome, StoreUnavailable)]
        assert {failure.kind for failure in failures} == {"full"}
        kept = await store.heads((*tables, "before"))
        assert len(kept) - 1 + len(failures) >= len(tables)
        for table, outcome in zip(tables, outcomes, strict=False):
            assert (outcome == Committed()) == (table in kept)
            assert bool(await store.timers(table)) == (table in kept)
            assert await store.granted(table, "carl") == (table in kept)

    tell(tmp_path / "s", story)


def test_full_disk_keeps_nothing_of_a_group_in_part(tmp_path: Path) -> None:
    """What would have found room alone is not kept either: the group is one transaction."""

    async def story(store: SqliteStore) -> None:
        await most_pages(store, 5)
        gate = await held(store)
        waiting = [asyncio.create_task(store.append(what)) for what in (append("small"), large("t1"))]
        await asyncio.sleep(0)
        gate.set()
        outcomes = await asyncio.gather(*waiting, return_exceptions=True)

        assert [getattr(outcome, "kind", outcome) for outcome in outcomes] == ["full", "full"]
        assert await store.heads(("small", "t1")) == {}
        assert await store.append(append("small")) == Committed()

    tell(tmp_path / "s", story)


def test_full_disk_still_lets_read(tmp_path: Path) -> None:
    """What is there can be read while nothing can be written."""

    async def story(store: SqliteStore) -> None:
        await store.append(append())
        await most_pages(store, 0)
        with pytest.raises(StoreUnavailable):
            await store.append(large("t2"))
        assert len(await store.rows("t1")) == 1

    tell(tmp_path / "s", story)


def test_store_works_again_when_there_is_room(tmp_path: Path) -> None:
    """The same append that found no room is committed once there is some."""

    async def story(store: SqliteStore) -> None:
        await most_pages(store, 0)
        with pytest.raises(StoreUnavailable) as caught:
            await store.append(large("t1"))
        assert caught.value.kind == "full"
        await most_pages(store, 100_000)
        assert await store.append(large("t1")) == Committed()
        assert len(await store.timers("t1")) == 100

    tell(tmp_path / "s", story)


# -- somebody else holds the lock --------------------------------------------------------------------


def locked(path: Path) -> sqlite3.Connection:
    """Return a connection of another program that holds the write lock."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return other


def test_locked_database_refuses_after_a_while(tmp_path: Path) -> None:
    """While another program holds the lock, all who want to write are told; reading goes on."""
    path = tmp_path / "s"

    async def story(store: SqliteStore) -> None:
        await store.append(append())
        other = locked(path)
        outcomes = await asyncio.gather(
            *(store.append(append(f"t{n}", 2 if n == 1 else 1)) for n in range(1, 6)),
            store.beat("w", 1),
            return_exceptions=True,
        )
        assert [getattr(outcome, "kind", outcome) for outcome in outcomes] == ["locked"] * 6
        assert await store.heads(tuple(f"t{n}" for n in range(1, 6))) == {"t1": 1}
        other.close()

    tell(path, story)


def test_store_works_again_when_the_lock_has_gone(tmp_path: Path) -> None:
    """The same append that met the lock is committed once it is free."""
    path = tmp_path / "s"

    async def story(store: SqliteStore) -> None:
        other = locked(path)
        with pytest.raises(StoreUnavailable):
            await store.append(append())
        other.execute("ROLLBACK")
        other.close()
        assert await store.append(append()) == Committed()

    tell(path, story)


# -- the file is damaged ---------------------------------------------------------------------------


def filled(path: Path) -> None:
    """Keep a whole game in a database."""

    async def story(store: SqliteStore) -> None:
        for batch in played("t1"):
            await store.append(Append(row=batch))

    tell(path, story)


def damage(path: Path) -> None:
    """Write garbage over all pages of a database but the first."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4_096)
        file.write(b"\xa5" * (size - 4_096))


def test_damage_while_running_is_told_to_readers_and_writers(tmp_path: Path) -> None:
    """Garbage over the pages of an open database is answered as damage, again and again; nothing hangs."""
    path = tmp_path / "s"
    filled(path)

    async def story(store: SqliteStore) -> None:
        damage(path)
        for ask in (store._ask, store._change):  # what is still in memory is not damaged
            await ask(lambda connection: connection.execute("PRAGMA shrink_memory").fetchall())
        for attempt in (store.rows("t1"), store.append(append("t1")), store.rows("t1"), store.say(line())):
            with pytest.raises(StoreUnavailable) as caught:
                await attempt
            assert caught.value.kind == "damaged"

    tell(path, story)


def test_damage_is_refused_at_open(tmp_path: Path) -> None:
    """A database whose first page is whole and whose others are not is refused in a sentence."""
    path = tmp_path / "s"
    filled(path)
    damage(path)

    with pytest.raises(StoreUnavailable, match="is damaged") as caught:
        tell(path, _nothing)
    assert caught.value.kind == "damaged"


@pytest.mark.parametrize("events", ["[{", '[{"event":"from-the-future"}]', '"text"'])
def test_row_that_cannot_be_read_disturbs_no_other_table(tmp_path: Path, events: str) -> None:
    """One batch that is damaged is told to whoever reads that table; what waits with him is committed."""

    async def story(store: SqliteStore) -> None:
        await store.append(append("bad", command_id="c"))
        await store._execute("UPDATE log SET events = CAST(? AS BLOB)", events)
        with pytest.raises(StoreUnavailable):
            await store.rows("bad")
        again, other = await asyncio.gather(
            store.append(append("bad", 2, command_id="c")), store.append(append("t1")), return_exceptions=True
        )
        assert isinstance(again, StoreUnavailable)
        assert other == Committed()
        assert len(await store.rows("t1")) == 1

    tell(tmp_path / "s", story)


@pytest.mark.parametrize("kept", [0.9, 0.5, 0.1], ids=lambda part: f"{part:.0%}")
def test_truncated_file_is_refused_at_open(tmp_path: Path, kept: float) -> None:
    """A database that has lost its end is refused in a sentence, not served in part."""
    path = tmp_path / "s"
    filled(path)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * kept)])

    with pytest.raises(StoreUnavailable, match="is damaged") as caught:
        tell(path, _nothing)
    assert caught.value.kind == "damaged"


@pytest.mark.parametrize("data", [b"\xa5" * 10_000, b"not a database\n", b"\0" * 5_000])
def test_garbage_is_refused_at_open(tmp_path: Path, data: bytes) -> None:
    """A file that is no database is refused in a sentence and left as it is."""
    path = tmp_path / "s"
    path.write_bytes(data)

    with pytest.raises(StoreUnavailable, match="damaged, or no database") as caught:
        tell(path, _nothing)
    assert caught.value.kind == "damaged"
    assert path.read_bytes() == data


async def _nothing(_store: SqliteStore) -> None:
    """Only open and close."""


# -- the file is gone ------------------------------------------------------------------------------


def swap(path: Path) -> None:
    """Put a copy in the place of a database."""
    copy = path.with_name("copy")
    copy.write_bytes(path.read_bytes())
    copy.replace(path)


def away(path: Path) -> None:
    """Give a database another name."""
    path.rename(path.with_name("away"))


def cut(path: Path) -> None:
    """Let a database lose the second half of what lies in its file."""
    os.truncate(path, path.stat().st_size // 2)


@pytest.mark.parametrize("lose", [Path.unlink, swap, away])
def test_file_that_is_not_there_any_more_takes_nothing(tmp_path: Path, lose: Callable[[Path], None]) -> None:
    """Whatever would go into a file that is gone or another one is refused, again and again, and together."""
    path = tmp_path / "s"

    async def story(store: SqliteStore) -> None:
        await store.append(append())
        assert await store.heads(("t1",)) == {"t1": 1}
        lose(path)
        for _ in range(2):
            outcomes = await asyncio.gather(
                store.append(append(seq=2)), store.beat("w", 1), store.say(line()), return_exceptions=True
            )
            assert [getattr(outcome, "kind", outcome) for outcome in outcomes] == ["failed"] * 3
        assert await store.heads(("t1",)) == {"t1": 1}

    tell(path, story)


@pytest.mark.parametrize("lose", [Path.unlink, swap, away, cut])
def test_file_that_is_lost_is_named_in_the_log_once(tmp_path: Path, lose: Callable[[Path], None]) -> None:
    """The operator reads in one line which file is gone and what to do; what is refused later adds none."""
    path = tmp_path / "s"
    filled(path)

    async def story(store: SqliteStore) -> None:
        await store.beat("w", 1)
        lose(path)
        for now in (2, 3):
            with pytest.raises(StoreUnavailable) as caught:
                await store.beat("w", now)
            assert caught.value.kind == "failed"

    with capture_logs() as logged:
        tell(path, story)

    assert [(line["event"], line["log_level"]) for line in logged] == [("database-gone", "error")]
    assert logged[0]["reason"] == (
        f"{path} was deleted, renamed, replaced or cut while it was open: nothing is written; start again"
    )


def test_file_that_was_vacuumed_is_written_on(tmp_path: Path) -> None:
    """A database that another program has made smaller lacks nothing."""
    path = tmp_path / "s"
    filled(path)

    async def story(store: SqliteStore) -> None:
        await store.beat("w", 1)
        before = path.stat().st_size
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("DELETE FROM log")
            other.execute("VACUUM")
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        assert path.stat().st_size < before
        assert await store.append(append("t2")) == Committed()
        assert len(await store.rows("t2")) == 1

    tell(path, story)


def test_file_that_comes_back_is_believed_when_opened_anew(tmp_path: Path) -> None:
    """Once lost is lost until the store is opened again, which then writes as ever."""
    path = tmp_path / "s"

    async def story(store: SqliteStore) -> None:
        away = path.rename(tmp_path / "away")
        with pytest.raises(StoreUnavailable):
            await store.append(append())
        away.rename(path)
        with pytest.raises(StoreUnavailable):
            await store.append(append())
        await store.close()
        await store.open()
        assert await store.append(append()) == Committed()

    tell(path, story)
