"""Turns and shelves: how many wait for what takes long, and what is kept of it."""

from __future__ import annotations

import asyncio

import pytest

from bohn.server.past.turns import Shelf, Turns
from bohn.server.refusals import Problem, Refusal


def test_turns_come_one_after_the_other() -> None:
    """In the order in which they were asked for."""
    seen: list[str] = []

    async def work(turns: Turns, name: str) -> None:
        async with turns.turn(name):
            seen.append(name)
            await asyncio.sleep(0)
            seen.append(name)

    async def scenario() -> None:
        turns = Turns(3, 1_000)
        await asyncio.gather(*(work(turns, name) for name in "abc"))
        turns.require_room("a")

    asyncio.run(scenario())
    assert seen == ["a", "a", "b", "b", "c", "c"]


def test_turn_is_refused_where_too_many_wait() -> None:
    """And told when to ask again; whoever leaves makes room."""

    async def scenario() -> None:
        turns = Turns(1, 1_000)
        async with turns.turn():
            with pytest.raises(Refusal) as refused:
                turns.require_room("a")
        assert (refused.value.problem, refused.value.params) == (Problem.RATE_LIMITED, {"retry_after": 1_000})
        turns.require_room("a")

    asyncio.run(scenario())


def test_user_waits_for_one_turn() -> None:
    """Others have theirs meanwhile; somebody who is cut off leaves his place."""

    async def hold(turns: Turns) -> None:
        async with turns.turn("a"):
            await asyncio.Event().wait()

    async def scenario() -> None:
        turns = Turns(5, 1_000)
        holder = asyncio.create_task(hold(turns))
        await asyncio.sleep(0)
        with pytest.raises(Refusal):
            async with turns.turn("a"):
                pass
        turns.require_room("b")
        turns.require_room()
        holder.cancel()
        await asyncio.gather(holder, return_exceptions=True)
        turns.require_room("a")

    asyncio.run(scenario())


def test_shelf_lets_go_what_was_asked_for_longest_ago() -> None:
    """As soon as all of it together is too large."""
    shelf: Shelf[str] = Shelf(10)
    shelf.put("a", "A", 5)
    shelf.put("b", "B", 5)
    assert shelf.get("a") == "A"
    shelf.put("c", "C", 3)

    assert (shelf.get("a"), shelf.get("b"), shelf.get("c")) == ("A", None, "C")


def test_shelf_does_not_keep_what_is_too_large() -> None:
    """All the rest stays."""
    shelf: Shelf[str] = Shelf(10)
    shelf.put("a", "A", 5)
    shelf.put("b", "B", 11)

    assert (shelf.get("a"), shelf.get("b")) == ("A", None)
