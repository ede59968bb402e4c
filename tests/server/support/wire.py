"""Players on the wire: guests who play at random, come back by themselves, and note every answer."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException

from bohn.bots import PLAYERS, Bot
from bohn.bots.api import Choices
from bohn.protocol import frames
from bohn.protocol.room import Options
from bohn.protocol.room_commands import AnyRoomCommand, Sit, Start
from bohn.rules.commands import AnyCommand, SetWish
from bohn.rules.state import EndPhase
from bohn.views.knowledge import know
from bohn.views.view import TradeView
from tests.patience import PATIENCE
from tests.server.support.http import Http
from tests.server.support.mirror import Mirror

AnySent = AnyCommand | AnyRoomCommand

decode = msgspec.json.Decoder(frames.AnyServerFrame).decode
encode = msgspec.json.encode

WISHES = 0.3
"""The share of wishes, which keep the rate where nothing else is to be done."""

BACK_OFF = 0.03
"""Seconds between two tries to come back."""


@dataclass
class Entry:
    """One command in the ledger: what was sent under which id, and what the server said to it.

    ``sent`` and ``answered`` are monotonic times, ``resent_at``, of the first repetition, is one of the day.
    """

    id: str
    command: AnySent
    sent: float
    seq: int | None = None
    refusal: frames.Refused | None = None
    resent: int = 0
    resent_at: float = 0.0
    answered: float = 0.0

    @property
    def open(self) -> bool:
        """Whether no answer has come yet."""
        return self.seq is None and self.refusal is None


@dataclass
class Guest:
    """Somebody who has come in: his cookie, and his id that others see."""

    port: int
    name: str
    cookie: str
    user: str


async def come_in(http: Http, name: str, language: str = "en") -> Guest:
    """Come in as a guest."""
    answer = await http.request("POST", "/api/guests", {"name": name, "language": language})
    if answer.status != 200:
        msg = f"no guest: {answer.status} {answer.body!r}"
        raise RuntimeError(msg)
    return Guest(http.port, name, answer.cookie, answer.json()["user"])


async def open_table(http: Http, host: Guest, options: Options, *, sit: bool = True, **more: Any) -> str:
    """Open a table and return its id."""
    body = {"options": msgspec.to_builtins(options), "sit": sit, **more}
    made = await http.expect(200, "POST", "/api/tables", body, cookie=host.cookie)
    return str(made["table"])


async def do(http: Http, who: Guest, table: str, command: AnySent, key: str) -> int:
    """Do a command over HTTP and return its seq."""
    body = {"command": msgspec.to_builtins(command), "id": key}
    done = await http.expect(200, "POST", f"/api/tables/{table}/commands", body, cookie=who.cookie)
    return int(done["seq"])


async def seated_table(
    http: Http, options: Options, names: str, *, start: bool = True
) -> tuple[str, list[Guest]]:
    """Open a listed table with a guest in every seat, and start the game."""
    guests = [await come_in(http, f"{names}{seat}") for seat in range(options.players)]
    table = await open_table(http, guests[0], options)
    for seat, guest in enumerate(guests[1:], 1):
        await do(http, guest, table, Sit(seat), f"sit-{seat}")
    if start:
        await do(http, guests[0], table, Start(), "start")
    return table, guests


class Stream:
    """One socket of a viewer that comes back by itself; every frame goes through a :class:`Mirror`.

    ``frames`` keeps the raw frames if ``keep`` is set. Answers to own frames are handed to :meth:`answer`.
    """

    def __init__(self, port: int, table: str, cookie: str = "", *, keep: bool = False) -> None:
        """Aim at a table; nothing is opened yet."""
        self.port = port
        self.table = table
        self.cookie = cookie
        self.mirror = Mirror()
        self.socket: ClientConnection | None = None
        self.keep = keep
        self.frames: list[bytes] = []
        self.goodbyes: list[frames.Goodbye] = []
        self.returns: list[tuple[float, frames.Welcome]] = []
        self.welcomed = asyncio.Event()
        self.moved = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None
        self._stopping = False

    def answer(self, frame: frames.AnyServerFrame) -> None:
        """Take the answer to an own frame."""

    async def returned(self) -> None:
        """Do what must be done after every welcome."""

    def begin(self) -> asyncio.Task[None]:
        """Start to keep the connection; an error that is the server's fault ends the task with it."""
        self._task = asyncio.create_task(self._keep(), name=f"stream {self.table}")
        return self._task

    async def end(self) -> None:
        """Close, and raise what went wrong meanwhile."""
        self._stopping = True
        if self.socket is not None:
            with contextlib.suppress(WebSocketException, OSError):
                await self.socket.close()
        if self._task is not None:
            await asyncio.wait([self._task], timeout=5)
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def drop(self) -> None:
        """Tear the connection down without a goodbye; it comes back by itself."""
        if self.socket is not None:
            self.socket.transport.abort()

    def target(self) -> str:
        """Return the address to come (back) to."""
        after = f"&after={self.mirror.seq}" if self.mirror.seq else ""
        return f"ws://127.0.0.1:{self.port}/ws?table={self.table}{after}"

    def greeting(self) -> dict[str, str]:
        """Return the headers of the handshake."""
        return {"Cookie": self.cookie} if self.cookie else {}

    async def _keep(self) -> None:
        try:
            await self._come_back()
        finally:
            async with self.moved:
                self.moved.notify_all()

    async def _come_back(self) -> None:
        while not self._stopping:
            try:
                async with connect(
                    self.target(),
                    additional_headers=self.greeting(),
                    origin=f"http://127.0.0.1:{self.port}",  # type: ignore[arg-type]  # - a NewType of str
                    compression=None,
                    max_size=None,
                    max_queue=None,
                    ping_interval=None,
                    close_timeout=1,
                    proxy=None,
                ) as self.socket:
                    async for message in self.socket:
                        await self._take(message if isinstance(message, bytes) else message.encode())
            except InvalidStatus as refused:
                if refused.response.status_code not in {500, 503}:
                    raise
            except (OSError, WebSocketException, TimeoutError, EOFError):
                pass
            finally:
                self.socket = None
                self.welcomed.clear()
            if not self._stopping:
                await asyncio.sleep(BACK_OFF)

    async def _take(self, raw: bytes) -> None:
        if self.keep:
            self.frames.append(raw)
        frame = decode(raw)
        self.mirror.take(frame)
        match frame:
            case frames.Welcome():
                self.returns.append((time.monotonic(), frame))
                self.welcomed.set()
                await self.returned()
            case frames.Goodbye():
                self.goodbyes.append(frame)
            case frames.Batch() | frames.Presence() | frames.People():
                pass
            case _:
                self.answer(frame)
        async with self.moved:
            self.moved.notify_all()

    def check(self) -> None:
        """Raise what has ended the stream, if anything has."""
        if self._task is not None and self._task.done() and not self._stopping:
            self._task.result()

    async def until(self, seen: Any, seconds: float = PATIENCE) -> None:
        """Wait until ``seen()`` is true; raises ``TimeoutError``, or what ended the stream."""
        async with asyncio.timeout(seconds), self.moved:
            while not seen():
                self.check()
                await self.moved.wait()


@dataclass
class Ledger:
    """What a player has sent, by command id, in the order of sending."""

    entries: dict[str, Entry] = field(default_factory=dict)

    @property
    def open(self) -> list[Entry]:
        """Those without an answer."""
        return [entry for entry in self.entries.values() if entry.open]

    @property
    def acked(self) -> list[Entry]:
        """Those that are on the disk, as the server says."""
        return [entry for entry in self.entries.values() if entry.seq is not None]

    @property
    def refused(self) -> list[Entry]:
        """Those of which nothing must be on the disk."""
        return [entry for entry in self.entries.values() if entry.refusal is not None]


class Player(Stream):
    """A guest at a table who plays at random in every way the rules know, and keeps a ledger.

    Unanswered commands are sent again with the same id after every return.
    """

    def __init__(self, guest: Guest, table: str, seed: int, *, keep: bool = False) -> None:
        """Sit behind a guest's cookie; the chance is his own."""
        super().__init__(guest.port, table, guest.cookie, keep=keep)
        self.guest = guest
        self.rand = Random(seed)
        self.bot: Bot = PLAYERS["random-trader"](seed)
        self.ledger = Ledger()
        self.others: list[frames.AnyServerFrame] = []
        self.number = 0

    def answer(self, frame: frames.AnyServerFrame) -> None:
        """Note an answer in the ledger; one that contradicts an earlier answer is the server's fault."""
        match frame:
            case frames.Ack(id=key, seq=seq) if key in self.ledger.entries:
                entry = self.ledger.entries[key]
                if entry.refusal is not None or entry.seq not in {None, seq}:
                    msg = f"{key}: acknowledged as {seq} after {entry.seq} or {entry.refusal}"
                    raise Contradiction(msg)
                entry.seq, entry.answered = seq, time.monotonic()
            case frames.Refused(id=str(key)) if key in self.ledger.entries:
                entry = self.ledger.entries[key]
                if entry.seq is not None:
                    msg = f"{key}: refused ({frame.reason}) after it was acknowledged as {entry.seq}"
                    raise Contradiction(msg)
                entry.refusal, entry.answered = frame, time.monotonic()
            case _:
                self.others.append(frame)

    async def returned(self) -> None:
        """Send what has no answer yet once more, with the same ids."""
        for entry in self.ledger.open:
            entry.resent += 1
            entry.resent_at = entry.resent_at or time.time()
            await self._send(frames.Send(entry.id, entry.command))

    async def send(self, command: AnySent) -> Entry:
        """Send a command under a new id; without a connection it goes out after the return."""
        self.number += 1
        key = f"{self.guest.user[:12]}.{self.number}"
        entry = Entry(key, command, time.monotonic())
        self.ledger.entries[key] = entry
        if self.welcomed.is_set():
            await self._send(frames.Send(key, command))
        return entry

    async def _send(self, frame: frames.AnyClientFrame) -> None:
        if self.socket is not None:
            with contextlib.suppress(WebSocketException, OSError):
                await self.socket.send(encode(frame), text=True)

    async def said(self, command: AnySent, seconds: float = PATIENCE) -> Entry:
        """Send a command and wait for the answer."""
        entry = await self.send(command)
        await self.until(lambda: not entry.open, seconds)
        return entry

    # -- playing -----------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        game = self.mirror.game
        return game is not None and isinstance(game.phase, EndPhase)

    def choose(self) -> AnyCommand | None:
        """Draw something to do: what a random trader does, else a wish; nothing before or after the game."""
        game = self.mirror.game
        if game is None or game.viewer is None or self.over:
            return None
        mirror = self.mirror
        asked = bool(mirror.legal) or isinstance(game.phase, TradeView)
        if not asked or self.rand.random() < WISHES:
            return self.wish()
        chosen: Any = self.bot.decide(game, Choices(mirror.legal, mirror.offers), know(game))
        return chosen or self.wish()

    def wish(self) -> SetWish:
        """Toggle a wish: the command that is nearly always legal."""
        game = self.mirror.game
        if game is None or game.viewer is None:
            raise LookupError("no game")
        bean = self.rand.choice(game.rules.kinds)
        wishes = game.talk.wishes[game.viewer]
        marked = bean in wishes.want or bean in wishes.spare
        return SetWish(game.viewer, bean, "none" if marked else self.rand.choice(("want", "spare")))

    async def play(self, pause: float, at_once: int = 4) -> None:
        """Send about one command every ``pause`` seconds until the game is over; cancel it to stop."""
        while not self.over:
            await asyncio.sleep(self.rand.uniform(0, 2 * pause))
            if self.welcomed.is_set() and len(self.ledger.open) < at_once:
                command = self.choose()
                if command is not None:
                    await self.send(command)


class Contradiction(Exception):  # noqa: N818 - it says what happened
    """The server has said one thing and then another."""
