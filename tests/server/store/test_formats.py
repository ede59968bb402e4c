"""Which kinds of rows the programs know: nothing new is written before every worker can read it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room_commands import AnyRoomCommand
from bohn.protocol.room_events import AnyRoomEvent
from bohn.rules.beans import Bean
from bohn.rules.commands import AnyCommand, SetWish
from bohn.rules.events import AnyEvent
from bohn.server.store import formats
from bohn.server.store.upgrading import revisions
from tests.server.support.shared_memory_store import SharedMemoryStore
from tests.server.support.tables import workers
from tests.server.tables.test_service import THREE, refused, run

KNOWN = Path(__file__).parent / "kinds_of_format_1.txt"
"""The commands and events of the log that every program knows that serves a database with others."""


def kinds() -> dict[str, type]:
    """Return every kind that a row may hold, by its tag."""
    found: dict[str, type] = {}
    for word, union in (
        ("command", AnyCommand | AnyRoomCommand),
        ("event", AnyEvent | AnyRoomEvent),
    ):
        for kind in get_args(union):
            assert issubclass(kind, msgspec.Struct)
            found[f"{word} {kind.__struct_config__.tag}"] = kind
    return found


def test_every_kind_of_row_has_a_number() -> None:
    """Whoever adds a command or an event says which number a worker must have that reads it."""
    first = set(KNOWN.read_text(encoding="utf-8").split("\n")) - {""}
    later = {name for name, kind in kinds().items() if kind in formats.INTRODUCED}

    assert first | later == kinds().keys()
    assert first & later == set()
    assert all(formats.FIRST < number <= formats.NEWEST for number in formats.INTRODUCED.values())


def test_every_number_came_with_a_revision() -> None:
    """So a program that does not know it does not start on a database in which such rows may stand."""
    came = [formats.REVISIONS[number] for number in range(formats.FIRST, formats.NEWEST + 1)]

    assert came == sorted(set(came))
    assert set(came) <= set(revisions())


def test_new_kind_is_written_only_once_every_worker_knows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until then it is refused as not saved, for that passes; nothing is stored of it."""

    async def test() -> None:
        one, two = await workers()
        store, times = one.store, one.settings.times
        assert isinstance(store, SharedMemoryStore)
        table = await one.table(*THREE)
        monkeypatch.setitem(formats.INTRODUCED, SetWish, formats.NEWEST)
        await store.renew("older", "older", times.lease, 60_000, formats.FIRST)
        await one.clock.advance(times.beat + 1)
        head = (await store.heads((table,)))[table]
        wish = SetWish(0, Bean.SOY, "want")
        for house in (one, two):
            with pytest.raises(Refusal) as caught:
                await house.do(table, "anna", wish, name="wish")
            assert refused(caught) is Problem.NOT_SAVED
        assert (await store.heads((table,)))[table] == head

        await one.clock.advance(2 * times.lease + times.beat)
        assert await two.do(table, "anna", wish, name="wish") == head + 1
        await one.end()
        await two.end()

    run(test())


def test_mark_of_a_kind_that_is_kept_waits_for_every_worker() -> None:
    """The command is old, and what it says is new: workers of before could not read it."""

    async def test() -> None:
        one, two = await workers()
        store = one.store
        assert isinstance(store, SharedMemoryStore)
        table = await one.table(*THREE)
        await store.renew("older", "older", one.settings.times.lease, 60_000, formats.ACCEPTANCES)
        await one.clock.advance(one.settings.times.beat + 1)
        await one.do(table, "anna", SetWish(0, Bean.SOY, "spare"), name="spare")
        with pytest.raises(Refusal) as caught:
            await one.do(table, "anna", SetWish(0, Bean.SOY, "keep"), name="keep")
        assert refused(caught) is Problem.NOT_SAVED
        await one.end()
        await two.end()

    run(test())


def test_worker_that_has_just_come_writes_nothing_new(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before its first renewal it does not know what the others know."""
    monkeypatch.setitem(formats.INTRODUCED, SetWish, formats.NEWEST)

    async def test() -> None:
        one, two = await workers()
        assert one.tables._ownership.writes(formats.NEWEST)
        fresh = type(one)(one.settings, SharedMemoryStore(two.store._shared), one.clock, one.entropy)  # type: ignore[attr-defined]  # - it is shared
        assert not fresh.tables._ownership.writes(formats.NEWEST)
        await asyncio.gather(one.end(), two.end())

    run(test())
