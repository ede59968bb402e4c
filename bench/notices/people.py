"""People at tables over days who come when they are told, and some who come by themselves."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from msgspec.structs import replace

from bohn.protocol.room import Options
from bohn.protocol.room_commands import Sit, Start
from tests.server.support.http import Http, HttpReply
from tests.server.support.serving import Serving
from tests.server.support.wire import Guest, come_in, do, open_table

PLAYERS = 3
OPTIONS = Options(players=PLAYERS, edition="full", clock="24h", listed=True)

ORDER = (
    "pass", "end-trading", "plant-set-aside", "reveal", "plant", "keep-hand", "discard-from-hand", "harvest",
    "buy-field", "make-offer", "set-wish", "make-promise", "decline-offer",
)  # fmt: skip
"""Which of the legal commands is done: the first of these."""

BY_THEMSELVES = 0.25
"""The share of turns whose player comes without waiting to be told, about when that is due."""

ROUND_ABOUT = 2.0
"""Seconds before and behind the moment in which a message is due, in which they come."""

AGAIN = 0.05
"""Seconds until somebody asks again who was not answered, or not in time."""


class Workers:
    """The workers that run now; whoever asks takes any of them, and another one if that has died."""

    def __init__(self, servers: list[Serving], rand: Random) -> None:
        """Take workers that run."""
        self.servers = servers
        self.up = set(range(len(servers)))
        self.rand = rand

    def any(self) -> int | None:
        """Return the number of a worker, if one runs."""
        return self.rand.choice(sorted(self.up)) if self.up else None


@dataclass
class Coming:
    """When somebody comes whom the game waits for: told, or at this time in any case."""

    since: float
    at: float
    by_himself: bool


@dataclass
class Company:
    """Three people at one table after another."""

    workers: Workers
    rand: Random
    told_after: float
    owed: float
    enough: Callable[[], bool]
    overdue: Callable[[str], None]
    guests: dict[str, Guest] = field(default_factory=dict)
    tables: list[str] = field(default_factory=list)
    told: dict[str, float] = field(default_factory=dict)
    coming: dict[str, Coming] = field(default_factory=dict)
    bell: asyncio.Event = field(default_factory=asyncio.Event)
    commands: int = 0
    asked_again: int = 0
    seq: int = 0
    _number: int = 0
    _lines: dict[int, Http] = field(default_factory=dict)

    async def come(self, number: int, subscription: Callable[[str], dict[str, Any]]) -> None:
        """Come in, let a phone be told, and sit down."""
        http = Http(self.workers.servers[number % len(self.workers.servers)].port)
        try:
            for seat in range(PLAYERS):
                guest = await come_in(http, f"P{number}.{seat}")
                self.guests[guest.user] = guest
                path = "/api/me/alerts/channels"
                await http.expect(200, "POST", path, subscription(guest.user), cookie=guest.cookie)
            await self._sit(http)
        finally:
            await http.close()

    async def _sit(self, http: Http) -> None:
        host, *others = self.guests.values()
        table = await open_table(http, host, replace(OPTIONS))
        for seat, guest in enumerate(others, 1):
            await do(http, guest, table, Sit(seat), f"sit-{seat}")
        await do(http, host, table, Start(), "start")
        self.tables.append(table)
        self.seq = 0
        self.told.clear()
        self.coming.clear()

    def hear(self, user: str, after: float = 0.0) -> None:
        """Let somebody be told, who comes ``after`` some seconds."""
        self.told.setdefault(user, time.monotonic() + after)
        self.bell.set()

    def under_way(self) -> int:
        """Return how many are to be told and were not yet."""
        return sum(user not in self.told for user in self.coming)

    async def play(self) -> None:
        """Play until it is enough."""
        while not self.enough():
            waited = await self._waited()
            if waited is None:
                await self._begin_again()
                continue
            user = await self._next(waited)
            if user is not None:
                await self._act(user)

    async def end(self) -> None:
        """Close all connections."""
        for http in self._lines.values():
            await http.close()

    async def _begin_again(self) -> None:
        """Sit down at another table; a worker that dies meanwhile leaves one behind at which nobody plays."""
        number = self.workers.any()
        try:
            if number is not None:
                await self._sit(self._line(number))
        except (OSError, asyncio.IncompleteReadError):
            await asyncio.sleep(AGAIN)

    async def _next(self, waited: frozenset[str]) -> str | None:
        """Wait for the next of those whom the game waits for; return who comes."""
        now = time.monotonic()
        self.coming = {user: self.coming.get(user) or self._plan(now) for user in waited}
        while not self.enough():
            now = time.monotonic()
            for user, coming in self.coming.items():
                if now >= self.told.get(user, coming.at):
                    if user not in self.told and not coming.by_himself:
                        self.overdue(f"{self.tables[-1]}, {user}: not told in {now - coming.since:.1f} s")
                    return user
            self.bell.clear()
            first = min(self.told.get(user, coming.at) for user, coming in self.coming.items())
            try:
                await asyncio.wait_for(self.bell.wait(), max(0.0, min(first - now, 1.0)))
            except TimeoutError:
                continue
        return None

    def _plan(self, now: float) -> Coming:
        if self.rand.random() < BY_THEMSELVES:
            due = self.told_after + self.rand.uniform(-ROUND_ABOUT, ROUND_ABOUT)
            return Coming(now, now + max(0.0, due), by_himself=True)
        return Coming(now, now + self.owed, by_himself=False)

    async def _act(self, user: str) -> None:
        """Do whatever is to be done until the game waits for somebody else."""
        while not self.enough():
            shown = await self._look(user)
            if user not in (waited_in(shown) or ()):
                break
            legal = (shown["choices"] or {}).get("legal", [])
            self._number += 1
            command = min(legal, key=lambda one: ORDER.index(one["do"]))
            body = {"id": f"k{self._number}", "command": command}
            reply = await self._ask(user, "POST", "/commands", body)
            if reply.status == 200:  # he has come back: from now on he is told again
                self.commands += 1
                self.seq = max(self.seq, reply.json()["seq"])
                self.told.pop(user, None)
            else:
                self.asked_again += 1
                await asyncio.sleep(AGAIN)
        self.coming.pop(user, None)

    async def _waited(self) -> frozenset[str] | None:
        """Return the users whom the game waits for; nobody once it is over."""
        return waited_in(await self._look(next(iter(self.guests))))

    async def _look(self, user: str) -> dict[str, Any]:
        """Return the table as somebody sees it, by a worker that has read all that is known here.

        That he asks for it does not say that he has come.
        """
        while True:
            reply = await self._ask(user, "GET", "")
            shown: dict[str, Any] = reply.json()
            if reply.status == 200 and shown["seq"] >= self.seq:
                self.seq = shown["seq"]
                return shown
            self.asked_again += 1
            await asyncio.sleep(AGAIN)

    async def _ask(self, user: str, method: str, what: str, body: Any = None) -> HttpReply:
        """Ask any worker, and another one with the same words if that dies."""
        path = f"/api/tables/{self.tables[-1]}{what}"
        while True:
            number = self.workers.any()
            if number is not None:
                try:
                    return await self._line(number).request(
                        method, path, body, cookie=self.guests[user].cookie
                    )
                except (OSError, asyncio.IncompleteReadError):
                    pass
            await asyncio.sleep(AGAIN)

    def _line(self, number: int) -> Http:
        if number not in self._lines:
            self._lines[number] = Http(self.workers.servers[number].port)
        return self._lines[number]


def waited_in(shown: dict[str, Any]) -> frozenset[str] | None:
    """Return the users whom a game waits for; ``None`` once it is over."""
    if shown["room"]["status"] != "playing":
        return None
    seats = shown["room"]["seats"]
    return frozenset(seats[seat]["user"] for seat in shown["game"]["waiting"])
