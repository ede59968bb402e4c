"""People who play by any of several workers: who is cut off goes to the next one, and sends again."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any

import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus, WebSocketException

from bench.faults.history import Sent, Stretch, Viewer, digest_of_batch
from bohn.protocol import frames
from bohn.rules.commands import AnyCommand, MakeOffer
from bohn.rules.state import TradePhase
from bohn.views.view import TradeView
from tests.server.support.mirror import Gap, Mirror
from tests.server.support.wire import AnySent, Guest, Player, decode

PASSING = {"not-saved", "server-stopping", "rate-limited", "server-full", "internal", "too-many"}
"""Refusals that pass by themselves: nothing was done, and the same is sent again."""

AGAIN = 1.0
"""Seconds after which a command that was refused in passing is sent again."""

UNHEARD = 6.0
"""Seconds without an answer after which a person goes to another worker: more than a worker may take."""

LONGEST = 30.0
"""Seconds to which that, and the pause before the next try, grow at most."""

HANDSHAKE = 4.0
"""Seconds in which a worker must welcome somebody."""

TO_ALL = 0.25
"""The share of commands in the trading that are offers to several people, whose acceptances are gathered."""

BACK_OFF = 0.1
"""Seconds between two tries to come back; each goes to another worker."""


class Client(Player):
    """A person with a ledger; everything he is sent and told is kept for the checker."""

    def __init__(self, guest: Guest, table: str, seat: int, seed: int, places: list[str], port: int) -> None:
        """Begin at any of the workers, which are at ``places``."""
        super().__init__(guest, table, seed)
        self.places, self.port = places, port
        self.at = self.rand.randrange(len(places))
        self.record = Viewer(table, guest.user, seat)
        self.waiting: dict[str, tuple[Sent, AnySent]] = {}
        self.last: dict[str, float] = {}
        self.again: dict[str, float] = {}
        self.ended = False
        self.tries = 0
        self.patience = UNHEARD
        """It grows while nobody answers, so that a crowd does not overrun workers that are slow."""
        self._came = 0.0

    # -- coming back -------------------------------------------------------------------------------

    async def _come_back(self) -> None:
        while not self._stopping:
            try:
                await self._stay()
            except (Gap, msgspec.ValidationError) as fault:
                self.record.complaints.append(f"{type(fault).__name__}: {fault}")
                self.mirror = Mirror()
            except InvalidStatus as refused:
                if refused.response.status_code not in {500, 502, 503, 429}:
                    self.record.complaints.append(f"turned away: {refused}")
            except (OSError, WebSocketException, TimeoutError, EOFError):
                pass
            finally:
                self.socket = None
                self._leaves()
            if not self._stopping:
                self.at = (self.at + 1) % len(self.places)
                self.tries += 1
                await asyncio.sleep(self.rand.uniform(BACK_OFF, min(LONGEST, BACK_OFF * 2**self.tries)))

    async def _stay(self) -> None:
        place = f"{self.places[self.at]}:{self.port}"
        after = f"&after={self.mirror.seq}" if self.mirror.seq else ""
        async with connect(
            f"ws://{place}/ws?table={self.table}{after}",
            additional_headers=self.greeting(),
            origin=f"http://{place}",  # type: ignore[arg-type]  # - a NewType of str
            compression=None, max_size=None, max_queue=None, ping_interval=None,
            open_timeout=HANDSHAKE, close_timeout=1, proxy=None,
        ) as self.socket:  # fmt: skip
            async with asyncio.timeout(HANDSHAKE):
                await self._take(await self._next())
            while True:
                await self._take(await self._next())

    async def _next(self) -> bytes:
        assert self.socket is not None  # noqa: S101 - it is called inside the connection only
        message = await self.socket.recv()
        return message if isinstance(message, bytes) else message.encode()

    def _leaves(self) -> None:
        if self.welcomed.is_set():
            self.record.links.append((self._came, time.monotonic(), self.at))
        self.welcomed.clear()
        self.last.clear()

    async def _take(self, raw: bytes) -> None:
        frame = decode(raw)
        self.mirror.take(frame)
        match frame:
            case frames.Welcome():
                if frame.fresh:
                    self.record.stretches.append(Stretch(frame.seq, [], []))
                if not self.welcomed.is_set():
                    self.tries = 0
                    self._came = time.monotonic()
                    self.welcomed.set()
                    await self.returned()
            case frames.Batch():
                stretch = self.record.stretches[-1]
                stretch.digests.append(digest_of_batch(frame))
                stretch.times.append(time.monotonic())
            case frames.Ack() | frames.Refused():
                self.answer(frame)
            case _:
                pass

    # -- sending -----------------------------------------------------------------------------------

    async def returned(self) -> None:
        """Send what has no answer yet once more, with the same ids."""
        for key in list(self.waiting):
            await self._transmit(key)

    async def command(self, command: AnySent, due: float) -> None:
        """Send a command under a new id; without a connection it goes out after the return."""
        self.number += 1
        key = f"{self.guest.user[:12]}.{self.number}"
        entry = Sent(key, msgspec.json.encode(command).decode(), due)
        self.record.sent.append(entry)
        self.waiting[key] = entry, command
        if self.welcomed.is_set():
            await self._transmit(key)

    async def _transmit(self, key: str) -> None:
        found = self.waiting.get(key)
        if found is None:
            return
        entry, command = found
        entry.sent += 1
        self.last[key] = time.monotonic()
        self.again.pop(key, None)
        await self._send(frames.Send(key, command))

    def answer(self, frame: frames.AnyServerFrame) -> None:
        """Note an answer; one that contradicts an earlier answer is a fault."""
        key = getattr(frame, "id", None)
        if key is None or key not in self.waiting:
            self._answered_again(frame)
            return
        entry, _ = self.waiting[key]
        if isinstance(frame, frames.Refused) and frame.reason in PASSING:
            now = time.monotonic()
            if frame.reason == "not-saved":
                entry.unsaved = now
            self.last.pop(key, None)
            self.again[key] = now + AGAIN
            return
        entry.answered = time.monotonic()
        self.patience = UNHEARD
        self.tries = 0
        if isinstance(frame, frames.Ack):
            entry.seq = frame.seq
        elif isinstance(frame, frames.Refused):
            entry.refusal = frame.reason
        del self.waiting[key]
        self.last.pop(key, None)
        self.again.pop(key, None)

    def _answered_again(self, frame: frames.AnyServerFrame) -> None:
        if not isinstance(frame, frames.Ack | frames.Refused):
            return
        entry = next((one for one in reversed(self.record.sent) if one.id == frame.id), None)
        if entry is None or (isinstance(frame, frames.Refused) and frame.reason in PASSING):
            return
        said = frame.seq if isinstance(frame, frames.Ack) else frame.reason
        before = entry.seq if entry.seq is not None else entry.refusal
        if said != before:
            self.record.complaints.append(f"{entry.id}: answered {said!r} after {before!r}")

    async def look(self, now: float) -> None:
        """Send again what was refused in passing, and leave a worker that does not answer."""
        for key, at in list(self.again.items()):
            if at <= now and self.welcomed.is_set():
                await self._transmit(key)
        socket = self.socket
        if socket is not None and any(now - at > self.patience for at in self.last.values()):
            self.last.clear()
            self.patience = min(2 * self.patience, LONGEST)
            # nothing is thrown away: what this worker has not read yet it may still do, beside the next one
            socket.transport.close()

    # -- playing -----------------------------------------------------------------------------------

    def chosen(self) -> AnyCommand | None:
        """Draw something to do, now and then an offer to several people."""
        game = self.mirror.game
        if isinstance(getattr(game, "phase", None), TradeView) and self.rand.random() < TO_ALL:
            offer = self._offer_to_several()
            if offer is not None:
                return offer
        return self.choose()

    def _offer_to_several(self) -> MakeOffer | None:
        space, game = self.mirror.offers, self.mirror.game
        if (
            game is None
            or game.viewer is None
            or len(space.partners) < 2
            or not space.slots
            or not space.hand
        ):
            return None
        return MakeOffer(
            game.viewer,
            space.partners,
            hand=(self.rand.choice(space.hand),),
            want=(self.rand.choice(space.kinds),) if self.rand.random() < 0.3 else (),
            hand_revision=space.hand_revision,
        )

    async def finish(self) -> Viewer:
        """End, and return what there is to tell."""
        if not self.ended:
            self.ended = True
            if self.welcomed.is_set():
                self.record.final = self._final()
            with contextlib.suppress(Exception):
                await self.end()
        return self.record

    def _final(self) -> frames.Welcome | None:
        mirror: Any = self.mirror
        if mirror.room is None or mirror.seq != mirror.at:
            return None
        choices = frames.Choices(mirror.legal, mirror.offers, mirror.previews, mirror.gifts, mirror.discards)
        return frames.Welcome(
            protocol=1, table=self.table, seq=mirror.seq, now=0, user=self.guest.user, seat=mirror.seat,
            room=mirror.room, people=mirror.people, game=mirror.game, worth=mirror.worth,
            choices=choices if mirror.game is not None else None, clocks=mirror.clocks,
        )  # fmt: skip


def trades(client: Client) -> bool:
    """Whether a person is asked for something now, or may trade."""
    game = client.mirror.game
    return bool(client.mirror.legal) or (game is not None and isinstance(game.phase, TradeView | TradePhase))
