"""The waiting line for slow work, and the cache of its results."""

from __future__ import annotations

import asyncio

import pytest

from bohn.protocol.refusals import Problem, Refusal
from bohn.server.tables.archive.waiting_line import SizedCache, WaitingLine


def test_turns_come_one_after_the_other() -> None:
    """In the order in which they were asked for."""
    seen: list[str] = []

    async def work(line: WaitingLine, name: str) -> None:
        async with line.turn(name):
            seen.append(name)
            await asyncio.sleep(0)
            seen.append(name)

    async def scenario() -> None:
        line = WaitingLine(3, 1_000)
        await asyncio.gather(*(work(line, name) for name in "abc"))
        line.require_room("a")

    asyncio.run(scenario())
    assert seen == ["a", "a", "b", "b", "c", "c"]


def test_turn_is_refused_where_too_many_wait() -> None:
    """And told when to ask again; whoever leaves makes room."""

    async def scenario() -> None:
        line = WaitingLine(1, 1_000)
        async with line.turn():
            with pytest.raises(Refusal) as refused:
                line.require_room("a")
        assert (refused.value.problem, refused.value.params) == (Problem.RATE_LIMITED, {"retry_after": 1_000})
        line.require_room("a")

    asyncio.run(scenario())


def test_user_waits_for_one_turn() -> None:
    """Others have theirs meanwhile; somebody who is cut off leaves his place."""

    async def hold(line: WaitingLine) -> None:
        async with line.turn("a"):
            await asyncio.Event().wait()

    async def scenario() -> None:
        line = WaitingLine(5, 1_000)
        holder = asyncio.create_task(hold(line))
        await asyncio.sleep(0)
        with pytest.raises(Refusal):
            async with line.turn("a"):
                pass
        line.require_room("b")
        line.require_room()
        holder.cancel()
        await asyncio.gather(holder, return_exceptions=True)
        line.require_room("a")

    asyncio.run(scenario())


def test_cache_drops_what_was_used_longest_ago() -> None:
    """As soon as all of it together is too large."""
    cache: SizedCache[str] = SizedCache(10)
    cache.put("a", "A", 5)
    cache.put("b", "B", 5)
    assert cache.get("a") == "A"
    cache.put("c", "C", 3)

    assert (cache.get("a"), cache.get("b"), cache.get("c")) == ("A", None, "C")


def test_cache_does_not_take_what_is_too_large() -> None:
    """All the rest stays."""
    cache: SizedCache[str] = SizedCache(10)
    cache.put("a", "A", 5)
    cache.put("b", "B", 11)

    assert (cache.get("a"), cache.get("b")) == ("A", None)
