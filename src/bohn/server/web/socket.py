"""The WebSocket: frames of JSON text, an answer to each, and everything the viewer may see.

An idle socket is one sleeping task; a second one runs only while a slow client is waited for.
"""

from __future__ import annotations

import time

import msgspec
import structlog
from msgspec import Struct
from starlette.types import Receive, Scope, Send

from bohn.rules.errors import IllegalCommand
from bohn.server.buckets import Bucket, group
from bohn.server.people import Identity
from bohn.server.refusals import Problem, Refusal
from bohn.server.store.protocol import Scope as Scoped
from bohn.server.store.protocol import StoreUnavailable
from bohn.server.web.answers import as_frame, internal, refusal
from bohn.server.web.calls import address, identify, query_number, query_text
from bohn.server.web.decoding import decode, is_id, readable_id
from bohn.server.web.sending import MISTAKE, Socket
from bohn.server.web.site import Site
from bohn.server.wire import frames

LOG = structlog.get_logger("bohn.socket")

DECODER = msgspec.json.Decoder(frames.AnyClientFrame)


class Session:
    """What one client says on one socket, frame by frame and in order."""

    __slots__ = ("_bucket", "_identity", "_ignored", "_site", "_socket", "_table")

    def __init__(self, site: Site, socket: Socket, identity: Identity | None, table: str) -> None:
        """Listen to a client at a table; ``None`` is a stranger, who may only look on."""
        limits = site.settings.limits
        self._site = site
        self._socket = socket
        self._identity = identity
        self._table = table
        self._bucket = Bucket(limits.commands_at_once, limits.commands_a_second, time.monotonic())
        self._ignored = 0

    async def take(self, text: str | None) -> None:
        """Answer one frame, whatever it is; ``None`` is a binary one."""
        if wait := self._bucket.take(time.monotonic()):
            self._ignore(text, wait)
            return
        self._ignored = 0
        limits = self._site.settings.limits
        try:
            frame = decode(DECODER, text or "", limits.json_depth)  # a binary frame is no JSON
        except Refusal as refused:
            self._site.metrics.turned_away(refused.problem.value)
            self._refuse(readable_id(text or "", limits.json_depth), refused)
            return
        self._site.metrics.received(type(frame).__name__)
        await self._answer(frame)

    def _ignore(self, text: str | None, wait: int) -> None:
        """Refuse a frame that comes too soon; who goes on and on is sent away."""
        self._ignored += 1
        self._site.metrics.turned_away(Problem.RATE_LIMITED.value)
        if self._ignored > self._site.settings.limits.commands_at_once:
            self._socket.cut("rate-limited")
            return
        found = readable_id(text or "", self._site.settings.limits.json_depth)
        self._refuse(found, Refusal(Problem.RATE_LIMITED, retry_after=wait))

    def _refuse(self, command_id: str | None, refused: Refusal | IllegalCommand) -> None:
        self._socket.answer(as_frame(command_id, refused))

    async def _answer(self, frame: frames.AnyClientFrame) -> None:
        """Do what a frame asks; every error becomes an answer."""
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
            self._socket.answer(frames.Pong(frame.id, self._site.ambient.now()))
            return
        user = self._guest("play" if isinstance(frame, frames.Send | frames.Say) else "read")
        match frame:
            case frames.Send():
                await self._command(user, frame)
            case frames.Check():
                found = await self._site.tables.check(self._table, user, frame.command)
                told = None if found is None else as_frame(frame.id, found)
                self._socket.answer(frames.Checked(frame.id, told))
            case frames.Draft():
                preview = await self._site.tables.preview(self._table, user, frame)
                self._socket.answer(frames.Previewed(frame.id, preview))
            case frames.Say():
                self._site.lines.take(user)
                line = await self._site.chat.say(self._table, user, frame.text, frame.key)
                self._socket.answer(frames.Said(frame.id, line.line))

    def _guest(self, scope: Scoped) -> str:
        """Return who may do this here; raises ``no-guest`` and ``scope-missing``."""
        if self._identity is None:
            raise Refusal(Problem.NO_GUEST)
        if scope not in self._identity.scopes:
            raise Refusal(Problem.SCOPE_MISSING, scope=scope)
        return self._identity.user.id

    async def _command(self, user: str, frame: frames.Send) -> None:
        """Do a command; it is acknowledged before anybody, the sender too, is shown what came of it."""
        begun = time.perf_counter()
        self._site.commands.take(user)
        try:
            await self._site.tables.execute(
                self._table,
                user,
                frame.id,
                frame.command,
                acked=lambda seq: self._socket.answer(frames.Ack(frame.id, seq)),
            )
        finally:
            self._site.metrics.acknowledged(time.perf_counter() - begun)


async def serve_socket(site: Site, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a handshake, and serve the socket until one side ends it."""
    try:
        visit = await _visit(site, scope)
    except Refusal as refused:
        site.metrics.turned_away(refused.problem.value)
        await refusal(refused).send(send, "websocket")
    except StoreUnavailable as error:
        LOG.warning("store-unavailable", kind=error.kind)
        await refusal(Refusal(Problem.NOT_SAVED)).send(send, "websocket")
    else:
        digest = None if visit.identity is None else visit.identity.session.digest
        await _Conversation(site, Socket(site, scope, send, digest), visit, receive, send).hold()


class _Visit(Struct, frozen=True):
    """Who wants to look at which table, and what he has seen of it."""

    identity: Identity | None
    table: str
    after: int | None

    @property
    def user(self) -> str | None:
        return None if self.identity is None else self.identity.user.id


async def _visit(site: Site, scope: Scope) -> _Visit:
    """Return what a handshake asks for; raises :class:`Refusal`."""
    site.requests.take(group(address(scope)))
    site.connections.admit(address(scope))
    identity = await identify(site, scope)
    if identity is not None and "read" not in identity.scopes:
        raise Refusal(Problem.SCOPE_MISSING, scope="read")
    table = query_text(scope, "table") or ""
    after = query_number(scope, "after")
    if after is None:
        after = query_number(scope, "since")  # as the line stream calls it
    if not is_id(table):
        raise Refusal(Problem.NOT_UNDERSTOOD, path="?table")
    site.connections.admit(address(scope))  # others may have come while the store was asked
    return _Visit(identity, table, after)


class _Conversation:
    """One socket from its acceptance to its end."""

    __slots__ = ("_receive", "_send", "_session", "_site", "_socket", "_visit")

    def __init__(self, site: Site, socket: Socket, visit: _Visit, receive: Receive, send: Send) -> None:
        self._site = site
        self._socket = socket
        self._visit = visit
        self._session = Session(site, socket, visit.identity, visit.table)
        self._receive = receive
        self._send = send

    async def hold(self) -> None:
        """Accept, watch the table, and answer every frame."""
        with self._site.connections.holding(self._socket):
            self._site.metrics.opened("socket")
            try:
                await self._receive()  # websocket.connect
                await self._send({"type": "websocket.accept"})
                await self._watch()
            except OSError:  # the client has gone before the handshake was over
                pass
            finally:
                await self._socket.end()
                self._site.metrics.closed("socket")

    async def _watch(self) -> None:
        """Show the table until the client goes; tell why it cannot be shown."""
        user, site = self._visit.user, self._site
        try:
            muted = await site.chat.muted_by(user)
            watcher = await site.tables.watch(self._visit.table, user, self._socket, self._visit.after)
        except (Refusal, StoreUnavailable) as refused:
            known = refused if isinstance(refused, Refusal) else Refusal(Problem.NOT_SAVED)
            site.metrics.turned_away(known.problem.value)
            self._socket.dismiss(as_frame(None, known))
            await self._listen()
            return
        except Exception as error:
            LOG.exception("mistake", kind=type(error).__name__, table=self._visit.table)
            self._socket.dismiss(as_frame(None, internal()), MISTAKE)
            await self._listen()
            return
        try:
            self._socket.opened()
            with site.chat.reading(user, muted):
                await self._listen()
        finally:
            site.tables.unwatch(watcher)

    async def _listen(self) -> None:
        while (message := await self._receive())["type"] == "websocket.receive":
            if not self._socket.closing:
                with self._socket.answering():
                    await self._session.take(message.get("text"))
