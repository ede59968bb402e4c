"""Somebody sets the clock of the machine on which a game runs: no clock freezes, and none is killed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bohn.server.run import running
from bohn.server.settings import Settings, Times
from bohn.server.store.sqlite import SqliteStore
from bohn.server.web.app import make_app
from tests.patience import PATIENCE
from tests.server.support.site import Visitor, checked

HOUR = 3_600_000
YEAR = 365 * 24 * HOUR
BEAT = 50
LONG, SHORT = 60_000, 600
"""Ms for a decision with slow clocks, which are only looked at, and with fast ones, which expire."""

EARLY = 5
"""Ms by which two clocks of a machine may differ when both are rounded."""


class Machine:
    """This machine, with a system clock that is ``by`` ms off, and a server on it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Take over the system's clock."""
        times = Times(slow_decision=LONG, fast_decision=SHORT, fast_trading=SHORT, poll=10, beat=BEAT)
        self.settings = Settings(times=times, bots=0)
        self.store = folder / "bohn.sqlite"
        self.by = 0
        right = time.time_ns
        monkeypatch.setattr(time, "time_ns", lambda: right() + self.by * 1_000_000)

    @asynccontextmanager
    async def serving(self, cookie: str = "") -> AsyncIterator[Visitor]:
        """Start a server, and stop it at the end; the visitor comes with his cookie, or without one."""
        async with running(self.settings, SqliteStore(self.store)) as services:
            services.ready = True
            yield Visitor(make_app(services), cookie)

    async def times_of(self, table: str) -> list[int]:
        """Return when the batches of a table were made."""
        store = SqliteStore(self.store)
        await store.open()
        rows = await store.rows(table)
        await store.close()
        return [row.at for row in rows]

    async def last_beat(self) -> int:
        """Return when a server was last alive; none runs now."""
        store = SqliteStore(self.store)
        await store.open()
        last = await store.last_beat()
        await store.close()
        assert last is not None
        return last


async def begun(stranger: Visitor, clock: str) -> tuple[Visitor, str]:
    """Return a player, and a game with such clocks that waits for him alone; the others are away."""
    guests = []
    for name in ("Anna", "Bert", "Cleo"):
        answer = await stranger.ask("POST", "/api/guests", {"name": name, "language": "en"})
        guests.append(Visitor(stranger.app, answer.cookie))
    table = await guests[0].open_table(options={"players": 3, "clock": clock, "listed": True})
    for number, guest in enumerate((*guests[1:], guests[0])):
        command: dict[str, Any] = {"do": "sit", "seat": number + 1} if number < 2 else {"do": "start"}
        key = {"Idempotency-Key": f"k{number}"}
        checked(await guest.ask("POST", f"/api/tables/{table}/commands", {"command": command}, key))
    return guests[0], f"/api/tables/{table}"


def left(shown: Any) -> int:
    """Return how many ms the clock of a welcome has left."""
    (clock,) = shown["clocks"]
    return int(clock["due"]) - int(shown["now"])


async def look(player: Visitor, address: str) -> Any:
    """Return a welcome, with the moments (in s) before and after it was asked for."""
    begun = time.monotonic()
    shown = await player.get(address)
    return shown | {"begun": begun, "ended": time.monotonic()}


def unmoved(before: Any, after: Any, given: int = 0) -> None:
    """See that a clock still runs, with no more than it had; ``given`` ms of it counted for nobody."""
    assert after["seq"] == before["seq"]
    assert 0 < left(after) <= left(before) + given


async def expires(player: Visitor, address: str, shown: Any) -> None:
    """See that the clock of a welcome expires in its time: not in an hour, and not before."""
    ends = shown["begun"] + left(shown) / 1000
    async with asyncio.timeout(PATIENCE):
        while (await player.get(address))["seq"] == shown["seq"]:  # noqa: ASYNC110 - as a page without a socket
            await asyncio.sleep(0.01)
    assert time.monotonic() >= ends - EARLY / 1000


def test_clock_set_while_a_game_runs_freezes_and_kills_no_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The running clock ends where it was to end, and time goes on as if nothing had happened."""

    async def test() -> None:
        machine = Machine(tmp_path, monkeypatch)
        async with machine.serving() as stranger:
            player, address = await begun(stranger, "slow")
            before = await look(player, address)
            for by in (-HOUR, HOUR):
                machine.by = by
                await asyncio.sleep(BEAT / 1000)
                after = await look(player, address)
                unmoved(before, after)
                passed = after["now"] - before["now"]
                assert passed >= (after["begun"] - before["ended"]) * 1000 - EARLY
                assert passed <= (after["ended"] - before["begun"]) * 1000 + EARLY
            player, address = await begun(stranger, "fast")
            shown = await look(player, address)
            machine.by = -HOUR
            await expires(player, address, shown)

    asyncio.run(test())


def test_clock_set_before_a_start_freezes_and_kills_no_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clock goes on with what it had, cookies and invitations hold, and no log runs backwards."""

    async def test() -> None:
        machine = Machine(tmp_path, monkeypatch)
        async with machine.serving() as stranger:
            player, address = await begun(stranger, "slow")
            link = await player.post(f"{address}/links")
            shown = await look(player, address)
        for by in (HOUR, YEAR, -HOUR):
            machine.by = by
            alive = await machine.last_beat()
            async with machine.serving(player.headers["cookie"]) as player:
                before, shown = shown, await look(player, address)
                unmoved(before, shown, max(before["now"] - alive, 0))
                invited = {"token": link["token"], "name": "Dora"}
                checked(await Visitor(player.app).ask("POST", "/api/links", invited))
        at = await machine.times_of(shown["table"])
        assert all(earlier <= later for earlier, later in pairwise(at))

    asyncio.run(test())


@pytest.mark.parametrize("by", [HOUR, -HOUR])
def test_clock_of_a_game_expires_though_the_systems_clock_was_set_before_a_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: int
) -> None:
    """It has what it had, and no hour more."""

    async def test() -> None:
        machine = Machine(tmp_path, monkeypatch)
        async with machine.serving() as stranger:
            player, address = await begun(stranger, "fast")
        machine.by = by
        async with machine.serving(player.headers["cookie"]) as player:
            await expires(player, address, await look(player, address))

    asyncio.run(test())
