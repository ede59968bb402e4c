"""Seed, secret, record, position, draw pile and other hands leave the server in no form before the end.

Every route of the OpenAPI document is asked, in every way a GET can be, by everybody; sockets, streams,
metrics and logs are read; and then the same search is made where the things may be found.
"""

from __future__ import annotations

import asyncio
import io
import itertools
import logging
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
import structlog

from bohn.protocol.openapi import document
from bohn.protocol.room_commands import EndTable
from bohn.rules.events import Event
from bohn.rules.evolve import fold
from bohn.rules.ruleset import Rules
from bohn.rules.state import State
from bohn.server import logs
from bohn.server.run import running
from bohn.server.settings import Settings
from bohn.server.store.protocol import SecretDeal
from bohn.server.web.app import make_app
from tests.server.support import asgi
from tests.server.support.clock import StillClock
from tests.server.support.entropy import RepeatableEntropy
from tests.server.support.memory_store import MemoryStore
from tests.server.support.needles import Needles, needles, of_secret, seen_in
from tests.server.support.playing import Hands
from tests.server.support.serving import PLENTY

SEATS = 4
STREAMS = ("/api/tables/{table}/stream",)
Hidden = tuple[Rules, list[State], SecretDeal]
"""The rules, all positions from the deal on, and the secret behind it."""

WHO = ("host", "player", "third", "fourth", "spectator", "stranger")
"""Who asks: the owners of the seats, a guest who watches, and somebody without a cookie."""


class Scene:
    """An unfinished table in the application, with everything that was told to anybody."""

    def __init__(self) -> None:
        """Nothing has happened yet."""
        self.clock = StillClock()
        self.entropy = RepeatableEntropy()
        self.store = MemoryStore()
        self.cookies: list[str] = []
        self.secrets: list[str] = []
        self.table = ""
        self.told: dict[str, list[bytes]] = {who: [] for who in WHO}
        self.public: list[bytes] = []
        self.app: asgi.App = None  # type: ignore[assignment]  # - from prepare() on
        self.tables: Any = None
        self.ids: list[str] = []

    def headers(self, who: str) -> dict[str, str]:
        """Return the headers somebody sends."""
        place = WHO.index(who)
        return {"cookie": self.cookies[place]} if place < len(self.cookies) else {}

    async def ask(self, who: str, method: str, path: str, body: Any = None) -> Any:
        """Ask, and keep every byte of the answer."""
        answer = await asgi.request(self.app, method, path, body, headers=self.headers(who))
        said = b"\n".join(f"{name}: {value}".encode() for name, value in answer.headers)
        self.told[who] += [said, answer.body]
        return answer

    async def prepare(self, app: asgi.App, tables: Any) -> None:
        """Seat four people, play until beans are traded, and have something of everything."""
        self.app, self.tables = app, tables
        for number in range(SEATS + 1):
            came = await asgi.request(app, "POST", "/api/guests", {"name": f"Guest {number}"})
            self.cookies.append(came.cookie)
            self.secrets.append(came.cookie.partition("=")[2])
            self.ids.append(came.json()["user"])
        options = {"edition": "full", "players": SEATS, "clock": "slow", "listed": True}
        made = await self.ask("host", "POST", "/api/tables", {"options": options})
        self.table = made.json()["table"]
        for seat, who in enumerate(WHO[1:SEATS], 1):
            await self.do(who, f"sit{seat}", {"do": "sit", "seat": seat})
        await self.do("host", "start", {"do": "start"})
        link = await self.ask("host", "POST", f"/api/tables/{self.table}/links")
        token = await self.ask("host", "POST", "/api/me/tokens", {"label": "mine"})
        self.secrets += [link.json()["token"], token.json()["token"]]
        await self.ask("host", "POST", f"/api/tables/{self.table}/chat", {"text": "Hello"})
        hands = Hands(self.table, tuple(self.ids[:SEATS]), (tables,), 7, haste=0.1, clock=self.clock)
        await hands.play_on(90)

    async def do(self, who: str, key: str, command: dict[str, Any]) -> Any:
        """Do a command over HTTP."""
        body = {"id": key, "command": command}
        return await self.ask(who, "POST", f"/api/tables/{self.table}/commands", body)

    async def crawl(self) -> None:
        """Let everybody ask for everything, over HTTP, sockets and streams."""
        paths = sorted(msgspec.json.decode(document())["paths"])
        for who, path in itertools.product(WHO, [*paths, "/", "/api/openapi.json", f"/tables/{self.table}"]):
            if path not in STREAMS:
                for target in self.targets(path):
                    await self.ask(who, "GET", target)
        for who in WHO:
            await self.look_on(who)
        for who in WHO[:SEATS]:
            tries: list[dict[str, Any]] = [{"do": "reveal"}, {"do": "pick", "offer": 1, "revision": 1}]
            for number, command in enumerate(tries):
                whole = command | {"player": WHO.index(who)} | ({"claimer": 1} if number else {})
                await self.ask(who, "POST", f"/api/tables/{self.table}/check", {"command": whole})
                await self.do(who, f"try{number}", whole)
        for who, entry in itertools.product(WHO, (0, 3)):
            origin = {"table": self.table, "entry": entry, "seat": 1}
            answer = await self.ask(who, "POST", "/api/tables", {"origin": origin})
            assert answer.status in (401, 409)

    def targets(self, path: str) -> Iterator[str]:
        """Yield a path with its parameters filled in, and with queries."""
        names = {
            "table": self.table, "token": "0" * 16, "link": "none", "line": "1", "record": self.table,
            "report": "1", "sanction": "none", "passkey": "0" * 16, "user": self.ids[0],
            "channel": "none", "key": "none", "order": "none", "first": "none",
        }  # fmt: skip
        for query in ("", "?since=0", "?after=1", "?since=1&after=0", "?seat=1&hands=1"):
            yield path.format(**names) + query

    async def look_on(self, who: str) -> None:
        """Open sockets and streams, afresh and with the gap from the first row on."""
        for query in ("", "since=0", "since=1", "since=30"):
            path = f"/api/tables/{self.table}/stream?{query}"
            lines = asgi.Lines(self.app, path, self.headers(who))
            socket = asgi.Socket(
                self.app, f"/ws?table={self.table}&{query.replace('since', 'after')}", self.headers(who)
            )
            for one in (lines, socket):
                one.begin()
                await self.clock.settle()
                await one.hang_up()
                self.told[who] += one.got
            assert lines.got
            assert socket.got


async def positions(scene: Scene) -> list[State]:
    """Return every position of the game, from the log."""
    found: list[State] = []
    for row in await scene.store.rows(scene.table):
        events: Any = [event for event in row.events if isinstance(event, Event)]
        if events:
            found.append(fold(events, found[-1]) if found else fold(events))
    return found


@pytest.fixture(scope="module")
def crawled() -> Iterator[tuple[Scene, Hidden, bytes, bytes]]:
    """Crawl an unfinished table, then give it up; return all answers, what is hidden, logs, the end."""
    before, root = structlog.get_config(), logging.getLogger()
    handlers, level = root.handlers, root.level
    heard = io.StringIO()
    logs.configure("debug", heard)

    async def play() -> tuple[Scene, Hidden, bytes]:
        scene = Scene()
        settings = Settings(limits=PLENTY, bots=0, metrics_open=True)
        async with running(settings, scene.store, scene.clock, scene.entropy) as site:
            site.ready = True
            await scene.prepare(make_app(site), site.tables)
            await scene.crawl()
            peek, deal = await site.tables.peek(scene.table), await scene.store.deal(scene.table)
            assert deal is not None
            hidden = (peek.rules, await positions(scene), deal)
            assert hidden[1][-1] == peek.state
            await site.tables.execute(scene.table, scene.ids[0], "end", EndTable())
            end = await asgi.request(scene.app, "GET", f"/api/tables/{scene.table}")
            return scene, hidden, end.body

    scene, hidden, end = asyncio.run(play())
    yield scene, hidden, heard.getvalue().encode(), end
    structlog.configure(**before)
    root.handlers, root.level = handlers, level


Crawled = tuple[Scene, Hidden, bytes, bytes]


@pytest.mark.parametrize("who", WHO)
def test_unfinished_tables_tell_nobody_what_is_hidden(crawled: Crawled, who: str) -> None:
    """Whoever asks, and whatever he asks for, finds neither seed nor piles nor other hands."""
    scene, hidden, _, _ = crawled
    place = WHO.index(who)
    wanted = needles(*hidden, place if place < SEATS else None)
    assert len(scene.told[who]) > 50
    assert {name for text in scene.told[who] for name in seen_in(text, wanted)} == set()


def test_unfinished_tables_log_nothing_that_is_hidden(crawled: Crawled) -> None:
    """The logs, down to debug, hold no seed, no card in a hand, and no token of anybody."""
    scene, hidden, heard, _ = crawled
    wanted = needles(*hidden, None)
    wanted |= {f"token {number}": secret.encode() for number, secret in enumerate(scene.secrets)}
    assert heard.count(b"committed") > 50
    assert seen_in(heard, wanted) == []


def test_answers_hold_no_other_secrets_of_people(crawled: Crawled) -> None:
    """Nobody is told another's cookie, token or link."""
    scene = crawled[0]
    for who, texts in scene.told.items():
        place = WHO.index(who)
        others = [secret for number, secret in enumerate(scene.secrets[: SEATS + 1]) if number != place]
        others += [] if who == "host" else scene.secrets[SEATS + 1 :]
        wanted = {secret: secret.encode() for secret in others}
        assert [name for text in texts for name in seen_in(text, wanted)] == []


def test_search_finds_the_secret_when_it_may_be_told(crawled: Crawled) -> None:
    """Behind the end of the table the same search finds secret and nonce: they check the deal."""
    _, (_, _, deal), _, end = crawled
    assert seen_in(end, of_secret("secret", deal.secret)) == ["secret, hex"]
    assert seen_in(end, of_secret("nonce", deal.nonce)) == ["nonce, hex"]


def leaks(hidden: Hidden) -> Iterator[bytes]:
    """Yield texts in which something is told that must not be."""
    _, states, deal = hidden
    yield msgspec.json.encode(states[-1])
    yield repr(states[-1]).encode()
    yield msgspec.json.encode({"hand": states[0].players[1].hand})
    yield msgspec.json.encode(states[0].draw_pile[3:16])
    yield str(deal).encode()
    yield msgspec.json.encode({"seed": states[0].seed})


def test_search_finds_planted_leaks(crawled: Crawled) -> None:
    """The search is not blind: a whole state, a hand, a part of the pile or a secret is found in any text."""
    hidden = crawled[1]
    wanted: Needles = needles(*hidden, 0)
    noise = Random(1).randbytes(2_000)
    for leak in leaks(hidden):
        assert seen_in(noise + leak + noise, wanted)
