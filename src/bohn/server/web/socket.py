"""The WebSocket ``/ws``: answers the client's frames, and sends everything the viewer may see of a table.

An idle socket is one sleeping task; a second one runs only while a slow client is waited for.
"""

from __future__ import annotations

import time
from contextlib import AsyncExitStack

import msgspec
import structlog
from msgspec import Struct, UnsetType
from starlette.types import Receive, Scope, Send

from bohn.protocol import frames
from bohn.protocol.api import Scope as Scoped
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.sanctions import SanctionKind
from bohn.rules.errors import IllegalCommand
from bohn.server.buckets import Bucket, group
from bohn.server.moderation.sanctions import require
from bohn.server.people.service import Identity
from bohn.server.store.protocol import StoreUnavailable
from bohn.server.web.api_request import address, identify, query_number, query_text
from bohn.server.web.decoding import decode, is_id, readable_id
from bohn.server.web.responses import as_frame, internal, refusal
from bohn.server.web.services import Services
from bohn.server.web.socket_connection import MISTAKE, SocketConnection

LOG = structlog.get_logger("bohn.socket")

_ACTING = (frames.Send, frames.Say, frames.GiveSign)
"""What wants the scope ``play``."""

DECODER = msgspec.json.Decoder(frames.AnyClientFrame)


_BARRED: dict[type, SanctionKind] = {
    frames.Send: "suspend", frames.GiveSign: "suspend", frames.Say: "mute"
}  # fmt: skip
"""From which sanction on a frame is refused; the others from a ban on."""


class FrameHandler:
    """Answers the frames of one client on one socket, one after the other."""

    __slots__ = ("_bucket", "_identity", "_limits", "_over_rate", "_services", "_socket", "_table")

    def __init__(
        self, services: Services, socket: SocketConnection, identity: Identity | None, table: str
    ) -> None:
        """Handle frames of this user at a table; without ``identity`` he may only watch."""
        self._limits = limits = services.limits
        self._services = services
        self._socket = socket
        self._identity = identity
        self._table = table
        self._bucket = Bucket(limits.commands_at_once, limits.commands_a_second, time.monotonic())
        self._over_rate = 0

    async def handle(self, text: str | None) -> None:
        """Answer one frame; ``None`` is a binary one."""
        if self._limits is not self._services.limits:
            self._limits = limits = self._services.limits
            self._bucket = Bucket(limits.commands_at_once, limits.commands_a_second, time.monotonic())
        if wait := self._bucket.take(time.monotonic()):
            self._refuse_rate(text, wait)
            return
        self._over_rate = 0
        limits = self._services.settings.limits
        try:
            frame = decode(DECODER, text or "", limits.json_depth)  # a binary frame is refused as no JSON
        except Refusal as refused:
            self._services.metrics.turned_away(refused.problem.value)
            self._refuse(readable_id(text or "", limits.json_depth), refused)
            return
        self._services.metrics.received(type(frame).__name__)
        await self._answer(frame)

    def _refuse_rate(self, text: str | None, wait: int) -> None:
        """Refuse a frame over the rate; after as many in a row as may come at once the socket is cut."""
        self._over_rate += 1
        self._services.metrics.turned_away(Problem.RATE_LIMITED.value)
        if self._over_rate > self._services.limits.commands_at_once:
            self._socket.cut("rate-limited")
            return
        found = readable_id(text or "", self._services.settings.limits.json_depth)
        self._refuse(found, Refusal(Problem.RATE_LIMITED, retry_after=wait))

    def _refuse(self, command_id: str | None, refused: Refusal | IllegalCommand) -> None:
        self._socket.answer(as_frame(command_id, refused))

    async def _answer(self, frame: frames.AnyClientFrame) -> None:
        """Do what a frame asks; every error is answered with a refusal."""
        try:
            await self._do(frame)
        except (Refusal, IllegalCommand) as refused:
            self._refuse(frame.id, refused)
        except StoreUnavailable as error:
            LOG.warning("store-unavailable", kind=error.kind, table=self._table)
            self._refuse(frame.id, Refusal(Problem.NOT_SAVED))
        except Exception as error:
            LOG.exception("mistake", kind=type(error).__name__, table=self._table, command_id=frame.id)
            self._refuse(frame.id, internal())

    async def _do(self, frame: frames.AnyClientFrame) -> None:
        if isinstance(frame, frames.Ping):
            self._socket.answer(frames.Pong(frame.id, self._services.clock.now()))
            return
        require(
            self._services.standing(self._identity, self._socket.address), _BARRED.get(type(frame), "ban")
        )
        user = self._user_with("play" if isinstance(frame, _ACTING) else "read")
        match frame:
            case frames.Send():
                await self._command(user, frame)
            case frames.Check():
                found = await self._services.tables.check(self._table, user, frame.command)
                refused = None if found is None else as_frame(frame.id, found)
                self._socket.answer(frames.Checked(frame.id, refused))
            case frames.Draft():
                preview = await self._services.tables.preview(self._table, user, frame)
                self._socket.answer(frames.Previewed(frame.id, preview))
            case frames.Say():
                self._services.lines.take(user)
                line = await self._services.chat.say(self._table, user, frame.text, frame.key)
                self._socket.answer(frames.Said(frame.id, line.line))
            case frames.GiveSign():
                self._services.commands.take(user)
                turn = None if isinstance(frame.turn, UnsetType) else frame.turn
                sign = await self._services.tables.give_sign(self._table, user, frame.sign, turn)
                self._socket.answer(frames.SignGiven(frame.id, sign))

    def _user_with(self, scope: Scoped) -> str:
        """Return the id of the user, who needs this scope; raises ``no-guest`` or ``scope-missing``."""
        if self._identity is None:
            raise Refusal(Problem.NO_GUEST)
        if scope not in self._identity.scopes:
            raise Refusal(Problem.SCOPE_MISSING, scope=scope)
        return self._identity.user.id

    async def _command(self, user: str, frame: frames.Send) -> None:
        """Do a command; its ``ack`` is sent before anybody, the sender too, is sent the new batch."""
        begun = time.perf_counter()
        self._services.commands.take(user)
        try:
            await self._services.tables.execute(
                self._table,
                user,
                frame.id,
                frame.command,
                acked=lambda seq: self._socket.answer(frames.Ack(frame.id, seq)),
            )
        finally:
            self._services.metrics.acknowledged(time.perf_counter() - begun)


async def serve_socket(services: Services, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a handshake, and serve the socket until one side ends it."""
    try:
        handshake = await _handshake(services, scope)
    except Refusal as refused:
        services.metrics.turned_away(refused.problem.value)
        await refusal(refused).send(send, "websocket")
    except StoreUnavailable as error:
        LOG.warning("store-unavailable", kind=error.kind)
        await refusal(Refusal(Problem.NOT_SAVED)).send(send, "websocket")
    else:
        await _ServedSocket(
            services, SocketConnection(services, scope, send, handshake.identity), handshake, receive, send
        ).serve()


class _Handshake(Struct, frozen=True):
    """What a handshake asks for: the user, the table, and the last batch he has."""

    identity: Identity | None
    table: str
    after: int | None

    @property
    def user(self) -> str | None:
        return None if self.identity is None else self.identity.user.id


async def _handshake(services: Services, scope: Scope) -> _Handshake:
    """Return what a handshake asks for; raises :class:`Refusal`."""
    services.requests.take(group(address(scope)))
    services.connections.admit(address(scope))
    identity = await identify(services, scope)
    if identity is not None and "read" not in identity.scopes:
        raise Refusal(Problem.SCOPE_MISSING, scope="read")
    table = query_text(scope, "table") or ""
    after = query_number(scope, "after")
    if after is None:
        after = query_number(scope, "since")  # as the line stream calls it
    if not is_id(table):
        raise Refusal(Problem.NOT_UNDERSTOOD, path="?table")
    services.connections.admit(address(scope))  # others may have come while the store was asked
    return _Handshake(identity, table, after)


class _ServedSocket:
    """One WebSocket from its acceptance to its end."""

    __slots__ = ("_handler", "_handshake", "_receive", "_send", "_services", "_socket")

    def __init__(
        self,
        services: Services,
        socket: SocketConnection,
        handshake: _Handshake,
        receive: Receive,
        send: Send,
    ) -> None:
        self._services = services
        self._socket = socket
        self._handshake = handshake
        self._handler = FrameHandler(services, socket, handshake.identity, handshake.table)
        self._receive = receive
        self._send = send

    async def serve(self) -> None:
        """Accept, watch the table, and answer every frame."""
        with self._services.connections.counted(self._socket):
            self._services.metrics.opened("socket")
            try:
                await self._receive()  # websocket.connect
                await self._send({"type": "websocket.accept"})
                await self._watch()
            except OSError:  # the client has gone before the handshake was over
                pass
            finally:
                await self._socket.end()
                self._services.metrics.closed("socket")

    async def _watch(self) -> None:
        """Send the table's frames until the client leaves; if that cannot be, send the refusal and close."""
        user, services = self._handshake.user, self._services
        async with AsyncExitStack() as watching:
            try:
                require(services.standing(self._handshake.identity, self._socket.address), "ban")
                await watching.enter_async_context(services.chat.reading(user))
                watcher = await services.tables.watch(
                    self._handshake.table, user, self._socket, self._handshake.after
                )
                watching.callback(services.tables.unwatch, watcher)
                self._socket.opened()
            except (Refusal, StoreUnavailable) as refused:
                known = refused if isinstance(refused, Refusal) else Refusal(Problem.NOT_SAVED)
                services.metrics.turned_away(known.problem.value)
                self._socket.dismiss(as_frame(None, known))
            except Exception as error:
                LOG.exception("mistake", kind=type(error).__name__, table=self._handshake.table)
                self._socket.dismiss(as_frame(None, internal()), MISTAKE)
            await self._listen()

    async def _listen(self) -> None:
        while (message := await self._receive())["type"] == "websocket.receive":
            if not self._socket.closing:
                with self._socket.answering():
                    await self._handler.handle(message.get("text"))
