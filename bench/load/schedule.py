"""An open-loop schedule: every command has its time, whether the server keeps up or not."""

from __future__ import annotations

import asyncio
import gc
import time
from collections import Counter
from collections.abc import Callable
from random import Random

import msgspec
from msgspec import Struct

from bench.load.sockets import Socket

WISHES = 0.45
"""The share of wishes: they are always legal, so that the rate is kept."""

WARM_UP = 2.0
PATIENCE = 5.0


class Figures(Struct):
    """What one run has shown; times in ms, sorted. ``late`` is by how much sending lagged behind its time.

    ``cpu`` are the generator's cores in use, ``other_cpu`` the seconds of processor time of the server.
    """

    sent: int
    acknowledged: list[float]
    refused: Counter[str]
    lost: int
    late: list[float]
    mix: Counter[str]
    cpu: float
    other_cpu: float
    gaps: int
    behind: int
    batches: int
    received: int


def percentile(values: list[float], share: float) -> float:
    """Return the value below which this share of the sorted values lies."""
    return values[min(len(values) - 1, int(len(values) * share))] if values else float("nan")


class Generator:
    """Sends commands of many tables at a steady rate and measures from the time each one was due."""

    def __init__(self, tables: list[list[Socket]], seed: int) -> None:
        """Take the sockets of every table, by seat."""
        self.tables = tables
        self.rand = Random(seed)
        self.waiting: dict[str, tuple[float, str]] = {}
        self.acknowledged: list[float] = []
        self.refused: Counter[str] = Counter()
        self.late: list[float] = []
        self.mix: Counter[str] = Counter()
        self.counting_from = 0.0
        self.sent = 0

    def answered(self, key: str, acknowledged: bool, frame: bytes) -> None:
        """Take an answer."""
        now = time.perf_counter()
        due, what = self.waiting.pop(key, (0.0, ""))
        if due < self.counting_from:
            return
        if acknowledged:
            self.acknowledged.append((now - due) * 1000)
            self.mix[what] += 1
        else:
            self.refused[f"{what}: {msgspec.json.decode(frame)['reason']}"] += 1

    async def run(self, rate: float, seconds: float, other: Callable[[], float]) -> Figures:
        """Send for ``seconds``, after a warm-up, then wait for the last answers.

        ``other`` tells the processor time of the server so far.
        """
        loop_begin = time.perf_counter()
        self.counting_from = loop_begin + WARM_UP
        end = self.counting_from + seconds
        order = self.rand.sample(range(len(self.tables)), len(self.tables))
        number, cpu, theirs = 0, 0.0, 0.0
        gc.collect()
        gc.disable()
        try:
            while (due := loop_begin + number / rate) < end:
                now = time.perf_counter()
                if due > now:
                    await asyncio.sleep(due - now)
                    continue
                if not cpu and due >= self.counting_from:
                    cpu, theirs = time.process_time(), other()
                self._send(self.tables[order[number % len(order)]], number, due)
                number += 1
                if not number % 8:
                    await asyncio.sleep(0)
            cpu, theirs = time.process_time() - cpu, other() - theirs
            await self._patiently()
        finally:
            gc.enable()
        return self._figures(cpu / seconds, theirs)

    async def _patiently(self) -> None:
        until = time.perf_counter() + PATIENCE
        while self.waiting and time.perf_counter() < until:  # noqa: ASYNC110 - an event would cost loop time
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.3)  # the last batches behind the last answers

    def _figures(self, cpu: float, theirs: float) -> Figures:
        sockets = [socket for table in self.tables for socket in table]
        return Figures(
            self.sent,
            sorted(self.acknowledged),
            self.refused,
            sum(due >= self.counting_from for due, _ in self.waiting.values()),
            sorted(self.late),
            self.mix,
            cpu,
            theirs,
            sum(socket.gaps for socket in sockets),
            sum(
                socket.public < max(other.public for other in table)
                for table in self.tables
                for socket in table
            )
            + sum(socket.lost for socket in sockets),
            sum(socket.batches for socket in sockets),
            sum(socket.received for socket in sockets),
        )

    def _send(self, table: list[Socket], number: int, due: float) -> None:
        socket, what, command = self.command(table)
        key = f"c{number}"
        self.waiting[key] = (due, what)
        socket.send(key, command)
        if due >= self.counting_from:
            self.sent += 1
            self.late.append((time.perf_counter() - due) * 1000)

    # -- what is sent ------------------------------------------------------------------------------

    def command(self, table: list[Socket]) -> tuple[Socket, str, bytes]:
        """Draw a command: a wish, an offer, an answer, or whatever goes on with the game."""
        if self.rand.random() < WISHES:
            return self._wish(self.rand.choice(table))
        found: dict[str, list[tuple[Socket, bytes]]] = {}
        for socket in table:
            for command in socket.legal():
                found.setdefault(name_of(command), []).append((socket, command))
        trading = "end-trading" in found
        roll = self.rand.random()
        if trading and roll < 0.5:
            offer = self._offer(self.rand.choice(table))
            if offer is not None:
                return offer
        answers = [name for name in found if name in {"accept-offer", "claim", "pick", "decline-offer"}]
        going = [name for name in found if name not in {"harvest", "withdraw-offer", *answers}]
        names = answers if trading and answers and roll < 0.9 else going or answers or list(found)
        if not names:
            return self._wish(self.rand.choice(table))
        name = self.rand.choice(names)
        socket, command = self.rand.choice(found[name])
        return socket, name, command

    def _wish(self, socket: Socket) -> tuple[Socket, str, bytes]:
        mark, bean = "none", socket.wish
        if bean is None:
            mark, bean = "want", self.rand.choice((2, 3, 4, 5, 6, 7, 8))
            socket.wish = bean
        else:
            socket.wish = None
        command = b'{"do":"set-wish","player":%d,"bean":%d,"mark":"%b"}' % (socket.seat, bean, mark.encode())
        return socket, "set-wish", command

    def _offer(self, socket: Socket) -> tuple[Socket, str, bytes] | None:
        """Return an offer of one card: to one partner or open to all, so that none is collected."""
        space = socket.space()
        if not space.slots or not space.hand or not space.partners:
            return None
        opened = space.may_be_open and self.rand.random() < 0.5
        to = space.partners if opened else (self.rand.choice(space.partners),)
        offer = {
            "do": "make-offer",
            "player": socket.seat,
            "to": to,
            "hand": (self.rand.choice(space.hand),),
            "want": (self.rand.choice(space.kinds),) if self.rand.random() < 0.7 else (),
            "open": opened,
            "hand_revision": space.hand_revision,
        }
        return socket, "make-offer", msgspec.json.encode(offer)


def name_of(command: bytes) -> str:
    """Return the name of a command as it came: ``{"do":"plant",...``."""
    return command[7 : command.find(b'"', 7)].decode()
