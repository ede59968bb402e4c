"""A script of :mod:`tests.server.support.lookalike_games` on the real application, every byte kept."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec.structs import replace

from bohn.rules import commands as c
from bohn.rules.events import Dealt, Event
from bohn.rules.state import TradePhase
from bohn.server.run import running
from bohn.server.settings import Settings
from bohn.server.store.protocol import SecretDeal
from bohn.server.tables import lobby, plan
from bohn.server.web.app import make_app
from tests.server.support import asgi
from tests.server.support.clock import StillClock
from tests.server.support.entropy import RepeatableEntropy
from tests.server.support.http import HttpReply
from tests.server.support.lookalike_games import Script
from tests.server.support.memory_store import MemoryStore
from tests.server.support.serving import PLENTY

PACE = 137
"""Milliseconds between two commands."""

LOOKS_EVERY = 25
"""Steps after which the viewer asks again for everything there is."""

SECRET_OF_ALL = "c0" * 32
"""The commitment both worlds publish, whatever secret and nonce are behind it."""

Got = list[tuple[str, bytes]]
"""Every byte that came to one viewer, with where from."""


@contextmanager
def dealt(deal: tuple[Event, ...], world: str) -> Iterator[None]:
    """Let the application deal this, from a secret that is this world's, under a commitment that is not."""

    def secret(one: bytes, two: bytes) -> SecretDeal:
        return SecretDeal(sha256(world.encode() + one).digest(), sha256(world.encode() + two).digest())

    with (
        patch.object(plan, "opening", lambda *_: deal),
        patch.object(lobby, "SecretDeal", secret),
        patch.object(lobby, "commitment", lambda *_: SECRET_OF_ALL),
    ):
        yield


class Performance:
    """One world: the players at their sockets, spectators, and a viewer whose bytes are kept."""

    def __init__(self, script: Script, viewer: int | None, *, lookalike: Dealt | None = None) -> None:
        """Prepare the world of the script, or its look-alike with another deal."""
        self.script = script
        self.viewer = viewer
        self.lookalike = lookalike
        self.got: Got = []
        self.clock = StillClock()
        self.entropy = RepeatableEntropy()
        self.cookies: list[str] = []
        self.table = ""
        self.sockets: list[asgi.Socket] = []
        self.lines: asgi.Lines | None = None
        self.app: asgi.App = None  # type: ignore[assignment]  # - from perform() on
        self.tables: Any = None

    async def perform(self, probes: list[c.Command]) -> Got:
        """Play the whole script and return what the viewer was told."""
        deal = (self.lookalike or self.script.dealt, *self.script.began)
        settings = Settings(limits=replace(PLENTY), bots=0)
        with dealt(deal, "look-alike" if self.lookalike else "one"):
            async with running(settings, MemoryStore(), self.clock, self.entropy) as site:
                site.ready = True
                self.app, self.tables = make_app(site), site.tables
                await self._gather()
                for number, command in enumerate(self.script.steps):
                    await self._step(number, command)
                    if number % LOOKS_EVERY == LOOKS_EVERY - 1:
                        await self._look()
                await self._try(probes)
                await self._look()
                await self._come_again()
                for socket in self.sockets:
                    await socket.hang_up()
                assert self.lines is not None
                await self.lines.hang_up()
        self.got += [("socket", frame) for frame in self.sockets[self._mine].got]
        self.got += [("stream", line) for line in self.lines.got]
        return self.got

    @property
    def _mine(self) -> int:
        """The socket whose bytes count: the viewer's, or that of the spectator behind the players."""
        return self.script.rules.players if self.viewer is None else self.viewer

    async def _ask(self, method: str, path: str, body: Any = None, *, who: int | None = None) -> HttpReply:
        """Ask as the viewer, and keep the answer, or as somebody else, and do not."""
        mine = who is None
        cookie = self.cookies[self._mine if who is None else who]
        asking = asyncio.ensure_future(asgi.request(self.app, method, path, body, headers={"cookie": cookie}))
        await self.clock.settle()
        while not asking.done():  # acceptances of an offer to several are gathered for a moment
            await self.clock.advance(PACE)
        answer = await asking
        if mine:
            self.got.append((f"{method} {path}", msgspec.json.encode([answer.status, answer.headers])))
            self.got.append((f"{method} {path}", answer.body))
        return answer

    async def _do(self, who: int, key: str, command: dict[str, Any]) -> None:
        body = {"id": key, "command": command}
        answer = await self._ask("POST", f"/api/tables/{self.table}/commands", body, who=who)
        assert answer.status == 200, answer

    async def _gather(self) -> None:
        """Let everybody come in, sit down and connect, and deal."""
        rules = self.script.rules
        for number in range(rules.players + 1):
            came = await asgi.request(self.app, "POST", "/api/guests", {"name": f"Guest {number}"})
            self.cookies.append(came.cookie)
        options = {"edition": rules.edition, "players": rules.players, "clock": "slow", "listed": True}
        made = await self._ask("POST", "/api/tables", {"options": options}, who=0)
        self.table = made.json()["table"]
        for seat in range(1, rules.players):
            await self._do(seat, f"sit{seat}", {"do": "sit", "seat": seat, "salt": f"{seat:02x}"})
        for cookie in self.cookies:
            socket = asgi.Socket(self.app, f"/ws?table={self.table}", {"cookie": cookie})
            self.sockets.append(socket)
            socket.begin()
            await self.clock.settle()
        self.lines = asgi.Lines(
            self.app, f"/api/tables/{self.table}/stream", {"cookie": self.cookies[self._mine]}
        )
        self.lines.begin()
        await self.clock.settle()
        await self._do(0, "start", {"do": "start"})
        await self.clock.settle()

    async def _step(self, number: int, command: c.Command) -> None:
        """Send one command from its player's socket; an end of trading twice, for there is a last call."""
        if self.lookalike is not None:
            command = self.script.lookalike.get(number, command)
        await self._send(f"s{number}", command)
        if isinstance(command, c.EndTrading):
            await self._send(f"s{number}.final", command)

    async def _send(self, key: str, command: c.Command) -> None:
        socket = self.sockets[command.player]
        seen = len(socket.got)
        socket.send({"type": "command", "id": key, "command": msgspec.to_builtins(command)})
        await self.clock.settle()
        await self.clock.advance(PACE + (500 if isinstance(command, c.AcceptOffer) else 0))
        ack = f'{{"type":"ack","id":"{key}"'.encode()
        assert any(frame.startswith(ack) for frame in socket.got[seen:]), (key, command, socket.got[seen:])

    async def _look(self) -> None:
        """Ask for everything that can be asked for."""
        for path in ("", "/legal", "/chat", "/record", "/links"):
            await self._ask("GET", f"/api/tables/{self.table}{path}")
        for path in ("/api/tables", "/api/me", "/api/me/tables", "/api/me/tokens", "/readyz"):
            await self._ask("GET", path)
        stranger = await asgi.request(self.app, "GET", f"/api/tables/{self.table}")
        self.got.append(("stranger", stranger.body))

    async def _try(self, probes: list[c.Command]) -> None:
        """Let the viewer try commands: all are checked, and those that must be refused are sent as well."""
        state = (await self.tables.peek(self.table)).state
        own = state.players[self.viewer or 0].hand
        for number, command in enumerate(probes):
            body = {"command": msgspec.to_builtins(command)}
            verdict = await self._ask("POST", f"/api/tables/{self.table}/check", body)
            socket = self.sockets[self._mine]
            socket.send({"type": "check", "id": f"check{number}", **body})
            if verdict.status != 200 or not verdict.json()["legal"]:
                socket.send({"type": "command", "id": f"try{number}", **body})
                await self._ask("POST", f"/api/tables/{self.table}/commands", {"id": f"p{number}", **body})
            await self.clock.settle()
        assert isinstance(state.phase, TradePhase)
        draft = {
            "to": [state.active_player],
            "hand": [[0, own[0]]] if own and self.viewer is not None else [],
        }
        await self._ask("POST", f"/api/tables/{self.table}/draft", {**draft, "want": [3, 4]})
        self.sockets[self._mine].send({"type": "draft", "id": "draft", **draft, "want": [2, 2]})
        await self.clock.settle()

    async def _come_again(self) -> None:
        """Come back in three ways: with the whole gap, with a part of it, and afresh."""
        for after in ("&after=1", "&after=40", ""):
            target = f"/ws?table={self.table}{after}"
            socket = asgi.Socket(self.app, target, {"cookie": self.cookies[self._mine]})
            socket.begin()
            await self.clock.settle()
            self.got += [(target, frame) for frame in socket.got]
            await socket.hang_up()
            await self.clock.settle()


def performed(
    script: Script, viewer: int | None, probes: list[c.Command], lookalike: Dealt | None = None
) -> Got:
    """Perform a script in a world of its own and return what the viewer was told."""
    return asyncio.run(Performance(script, viewer, lookalike=lookalike).perform(probes))


def differences(one: Got, two: Got) -> list[tuple[str, bytes, bytes]]:
    """Return where two viewers were told differently, with where from."""
    found = [(name, a, b) for (name, a), (other, b) in zip(one, two, strict=False) if (name, a) != (other, b)]
    if len(one) != len(two):
        found.append((f"{len(one)} pieces, or {len(two)}", b"", b""))
    return found
