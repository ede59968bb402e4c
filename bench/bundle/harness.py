"""A server whose clock, ids, tokens and chance are given: what it sends to whom is written down."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager
from random import Random
from typing import Any
from unittest.mock import patch
from zlib import crc32

import msgspec
import structlog

# the bundle
from bench.bundle.writing import Folder, encoded

# the rules, views and players, for people who play like simple bots
from bohn.bots import PLAYERS
from bohn.play.seat import Choices
from bohn.rules import legal_commands, offer_space
from bohn.rules.state import EndPhase

# the server
from bohn.server import run
from bohn.server.settings import Settings
from bohn.server.store import sqlite
from bohn.server.store.protocol import Store
from bohn.server.store.worker import Worker
from bohn.server.tables.audience import TableWatcher
from bohn.server.web.app import make_app
from bohn.server.web.connections import Connection
from bohn.views.knowledge import know
from bohn.views.view import view

# what the server's tests know of it: bots in this process, a clock that stands still, calls without sockets
from tests.server.bots.company import HomePool
from tests.server.support import asgi
from tests.server.support.clock import StillClock
from tests.server.support.entropy import RepeatableEntropy
from tests.server.support.http import HttpReply
from tests.server.support.serving import PLENTY

PACE = 140
"""Milliseconds between two commands."""

SETTINGS = Settings(limits=PLENTY)


class Bots(HomePool):
    """Bots in this process, asked at once; they never search."""

    uses_compiled = False

    def __init__(self, *_: object) -> None:
        """Know the players of a server."""
        super().__init__("bohn.server.lessons:PLAYERS")

    def use_compiled(self) -> None:
        """Stay as it is."""


class AtOnce(Worker[Any]):
    """A store's worker without a thread: every request is served in the same turn of the loop."""

    _connection: sqlite3.Connection

    async def start(self) -> None:
        """Connect."""
        self._connection = self._connect()

    def _hand_over(self) -> None:
        tasks, self._submitted = self._submitted, []
        while tasks:
            group, tasks = tasks[: self._group], tasks[self._group :]
            self._serve(self._connection, group)
            for task in group:
                task.resolve()

    async def stop(self) -> None:
        """Serve what waits, and close the connection."""
        self._hand_over()
        self._connection.close()


class Inline(ThreadPoolExecutor):
    """The loop's executor without threads: the work is done at once."""

    def submit(self, work: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        """Do it now."""
        future: Future[Any] = Future()
        try:
            future.set_result(work(*args, **named))
        except Exception as error:  # noqa: BLE001 - it is raised where the result is awaited
            future.set_exception(error)
        return future


def _of_viewer(viewer: TableWatcher) -> int:
    """Hash a viewer by who he is: sets of viewers have the same order in every run."""
    return crc32(f"{viewer.table} {viewer.user}".encode())


def _of_connection(connection: Connection) -> int:
    """Hash a connection by whose it is."""
    return crc32(f"{connection.address} {connection.session}".encode())


class Log:
    """The server's own log: every line without its time."""

    def __init__(self) -> None:
        """Begin."""
        self.lines: list[bytes] = []

    def take(self, _: object, level: str, line: Any) -> Any:
        """Store a line and print nothing."""
        told = {name: str(value) for name, value in sorted(line.items())}
        self.lines.append(encoded({"level": level, **told}))
        raise structlog.DropEvent


class ScriptedServer:
    """One running server, and the people who visit it by a script."""

    def __init__(self, services: Any, clock: StillClock, store: Store, folder: Folder) -> None:
        """Begin to write below a folder."""
        self.services = services
        self.app = make_app(services)
        self.clock = clock
        self.store = store
        self.folder = folder
        self.http: list[str | bytes] = []
        self.cookies: dict[str, str] = {"stranger": ""}
        self.listeners: dict[str, asgi.Socket | asgi.Lines] = {}
        self.players: dict[str, Any] = {}
        self._sent = 0

    # requests

    async def ask(self, who: str, method: str, path: str, body: Any = None) -> HttpReply:
        """Send a request, let time pass until it is answered, and write both down."""
        asking = self._begin(who, method, path, body)
        await self.clock.settle()
        while not asking.done():
            await self.clock.advance(PACE)
        return self._note(f"{who} {method} {path}", body, await asking)

    async def upload(self, who: str, record: bytes) -> HttpReply:
        """Send a record; another process verifies it, for which the time here stands still."""
        path = "/api/records"
        answer = await self._begin(who, "POST", path, record, {"content-type": "application/x-ndjson"})
        await self.clock.settle()
        return self._note(f"{who} POST {path}", record, answer)

    def _begin(
        self, who: str, method: str, path: str, body: Any, headers: dict[str, str] | None = None
    ) -> asyncio.Future[HttpReply]:
        shown = {"cookie": self.cookies[who]} if self.cookies[who] else {}
        given = {**shown, **(headers or {})}
        return asyncio.ensure_future(asgi.request(self.app, method, path, body, headers=given))

    def _note(self, what: str, body: Any, answer: HttpReply) -> HttpReply:
        said = body if isinstance(body, bytes) else b"" if body is None else encoded(body)
        self.http += [f"> {what}", said[:2_000], f"< {answer.status} {answer.headers}", answer.body]
        return answer

    async def get(self, who: str, path: str) -> Any:
        """Return what a request answers, if it is JSON."""
        answer = await self.ask(who, "GET", path)
        return answer.json() if "application/json" in answer.header("content-type") else answer.body

    async def post(self, who: str, path: str, body: Any = None) -> Any:
        """Return what a request answers."""
        return (await self.ask(who, "POST", path, body)).json()

    async def come(self, *names: str) -> None:
        """Let guests come in."""
        for name in names:
            answer = await self.ask("stranger", "POST", "/api/guests", {"name": name.capitalize()})
            self.cookies[name] = answer.cookie

    async def open_table(self, host: str, **body: Any) -> str:
        """Open a table and return its id."""
        table: str = (await self.post(host, "/api/tables", body))["table"]
        return table

    async def room(self, who: str, table: str, **command: Any) -> HttpReply:
        """Send a command over HTTP, under an id of its own."""
        self._sent += 1
        body = {"id": f"h{self._sent}", "command": command}
        return await self.ask(who, "POST", f"/api/tables/{table}/commands", body)

    # open connections

    async def watch(self, label: str, who: str, table: str, more: str = "", *, lines: bool = False) -> None:
        """Connect somebody; what he is sent is written under the label."""
        headers = {"cookie": self.cookies[who]} if self.cookies[who] else {}
        listener: asgi.Socket | asgi.Lines
        if lines:
            listener = asgi.Lines(self.app, f"/api/tables/{table}/stream{more}", headers)
        else:
            listener = asgi.Socket(self.app, f"/ws?table={table}{more}", headers)
        self.listeners[label] = listener
        listener.begin()
        await self.clock.settle()

    async def leave(self, label: str) -> None:
        """Disconnect."""
        await self.listeners[label].hang_up()
        await self.clock.settle()

    async def send(self, label: str, frame: dict[str, Any] | str) -> None:
        """Send a frame, numbered if it has no id."""
        self._sent += 1
        if isinstance(frame, dict):
            frame = {"id": f"f{self._sent}", **frame}
        listener: Any = self.listeners[label]
        listener.send(frame)
        await self.clock.settle()

    async def command(self, label: str, **command: Any) -> None:
        """Send a command, and let a moment pass."""
        await self.send(label, {"type": "command", "command": command})
        await self.clock.advance(PACE)

    # people who play

    async def state(self, table: str) -> Any:
        """Return the position of a table, or ``None`` before its deal."""
        return (await self.services.tables.peek(table)).state

    async def move(self, label: str, table: str, seat: int, bot: str) -> bool:
        """Let whoever is connected do what a simple player would; tell whether he did anything."""
        peek = await self.services.tables.peek(table)
        state = peek.state
        if state is None or isinstance(state.phase, EndPhase):
            return False
        player = self.players.setdefault(f"{table} {label}", PLAYERS[bot](seat + 1))
        seen, legal = view(peek.rules, state, seat), legal_commands(peek.rules, state, seat)
        space = offer_space(peek.rules, state, seat)
        if not legal and not space.slots:
            return False
        command = player.decide(seen, Choices(legal, space), know(seen))
        if command is None:
            return False
        await self.command(label, **msgspec.to_builtins(command))
        return True

    async def play(self, table: str, people: dict[str, tuple[int, str]], rounds: int, seed: int = 1) -> None:
        """Let people at a table play for a number of moments, or to the end; trading ends now and then."""
        chance = Random(seed)
        for _ in range(rounds):
            label = chance.choice(tuple(people))
            seat, bot = people[label]
            state = await self.state(table)
            if state is None or isinstance(state.phase, EndPhase):
                return
            trading = type(state.phase).__name__ == "TradePhase"
            if trading and seat == state.active_player and chance.random() < 0.15:
                await self.command(label, do="end-trading", player=seat)
                await self.clock.advance(4_000)
            elif trading and chance.random() < 0.1:
                await self.command(label, do="pass", player=seat)
            elif not await self.move(label, table, seat, bot):
                await self.clock.advance(700)

    # the end

    async def close(self) -> None:
        """Write what everybody was sent, and what is stored."""
        for listener in self.listeners.values():
            if not listener.ended:
                await listener.hang_up()
        for label, listener in self.listeners.items():
            self.folder.keep(
                f"{label}.jsonl", b"\n".join(part.rstrip(b"\n") for part in listener.got) + b"\n"
            )
        self.folder.lines("http.txt", self.http)
        counted = self.services.metrics.text().decode().splitlines()
        self.folder.lines(
            "metrics.txt", (line for line in counted if "_seconds" not in line and "_created" not in line)
        )

    async def log(self, table: str) -> None:
        """Write the log of a table."""
        self.folder.lines(f"log-{table}.jsonl", [encoded(row) for row in await self.store.rows(table)])


@asynccontextmanager
async def standing(
    folder: Folder,
    store: Store,
    settings: Settings = SETTINGS,
    clock: StillClock | None = None,
    seed: str = "",
) -> AsyncIterator[ScriptedServer]:
    """Run a server without sockets, threads and other processes."""
    still = clock or StillClock()
    entropy = RepeatableEntropy(seed or folder.path.name)
    log = Log()
    structlog.configure(processors=[log.take])  # before loggers are bound
    asyncio.get_running_loop().set_default_executor(Inline(1))
    try:
        with ExitStack() as given:
            given.enter_context(patch.object(run, "Pool", Bots))
            given.enter_context(patch.object(sqlite, "Worker", AtOnce))
            given.enter_context(patch.object(TableWatcher, "__hash__", _of_viewer))
            given.enter_context(patch.object(Connection, "__hash__", _of_connection))
            async with run.running(settings, store, still, entropy) as services:
                services.ready = True
                server = ScriptedServer(services, still, store, folder)
                yield server
                await server.close()
    finally:
        structlog.reset_defaults()
    folder.lines("log.jsonl", log.lines)
