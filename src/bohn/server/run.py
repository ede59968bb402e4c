"""`bohn serve`: store, tables, bots and web in one process, from the first line to an orderly end."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import cast

import structlog
import uvicorn
from msgspec.structs import replace

import bohn
from bohn.rules.errors import BohnError
from bohn.server.addresses import Addresses
from bohn.server.bots.compiling_ahead import compiling_ahead
from bohn.server.bots.pool import Pool
from bohn.server.bots.seats import BotSeats
from bohn.server.clock import DatabaseClock, TimeSource
from bohn.server.entropy import Entropy, SystemEntropy
from bohn.server.lan import local_address, url_of
from bohn.server.measured import measured
from bohn.server.metrics import Metrics
from bohn.server.people.service import People
from bohn.server.retention.keeper import Keeper
from bohn.server.settings import Settings
from bohn.server.store.choosing import store_of
from bohn.server.store.protocol import Store
from bohn.server.store.shared import SharedStore, is_shared
from bohn.server.tables.heartbeat import clock_of
from bohn.server.tables.service import TableService
from bohn.server.web.app import make_app
from bohn.server.web.services import Services, make_services
from bohn.server.web.uvicorn_protocols import LimitedWebSocketProtocol, http_protocol

LOG = structlog.get_logger("bohn.run")

BACKLOG = 2_048
"""Connections that may wait to be accepted."""

SEND_BUFFER = 262_144
"""Bytes the system may hold for one client that does not read; by itself it would take megabytes."""

SWITCH_INTERVAL = 0.0005
"""Seconds the loop keeps the interpreter while the store's thread wants it.

At 5 ms, Python's own choice, every step of a commit waits that long whenever the loop is busy.
"""

GC_THRESHOLDS = (50_000, 20, 50)
"""Thresholds of the garbage collector: it runs rarely, for everybody waits while it visits every table."""

SPARE_FILES = 1_024
"""Open files beside the sockets: the database, pipes to the bots, requests on connections of their own."""


class CannotServe(BohnError):  # noqa: N818 - a fact
    """The server cannot start; the message says why in one sentence."""


Announce = Callable[[str, str | None], None]
"""Called once connections are taken: with the address to open here, and the one for others of the LAN."""


def serve(settings: Settings, data: Path, announce: Announce, listener: socket.socket | None = None) -> None:
    """Serve the tables of a store until a signal ends it; ``announce`` is told the addresses once.

    The store is the database that the settings name, else a file in the data folder.

    ``listener`` is a socket that :func:`bind` has made already. From the first SIGTERM on others are
    ignored, behind this too: the process is expected to end then.
    Raises :class:`CannotServe` and :class:`bohn.server.store.protocol.StoreUnavailable`.
    """
    _raise_file_limit(settings.limits.sockets + SPARE_FILES)
    sys.setswitchinterval(SWITCH_INTERVAL)
    taken = bind(settings.host, settings.port) if listener is None else listener
    with taken, asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(_serve(with_share(settings, taken), data, taken, announce))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return uvloop's if it is there."""
    return uvicorn.Config(app="", log_config=None).get_loop_factory()


async def _serve(settings: Settings, data: Path, listener: socket.socket, announce: Announce) -> None:
    if settings.store is not None:
        settings = with_worker(settings)
        structlog.contextvars.bind_contextvars(worker=settings.worker)
    async with running(settings, store_of(settings.store, data)) as services:
        url = address_of(listener)
        server = Server(services, lambda: announce(url, settings.share))
        gc.collect()
        gc.set_threshold(*GC_THRESHOLDS)
        gc.freeze()  # what is loaded now stays: the collector need not look at it again and again
        LOG.info("serving", url=url, pid=os.getpid(), version=bohn.__version__)
        await server.serve(sockets=[listener])
        LOG.info("stopping", sockets=len(services.connections))
    LOG.info("stopped", pid=os.getpid())


@asynccontextmanager
async def running(
    settings: Settings, store: Store, clock: TimeSource | None = None, entropy: Entropy | None = None
) -> AsyncIterator[Services]:
    """Open the store, start the tables and their bots, and stop everything in order at the end."""
    entropy = entropy or SystemEntropy()
    metrics = Metrics(settings.worker)
    addresses = Addresses()
    await store.open()
    try:
        clock = clock or await clock_of(store, settings)
        timed = measured(store, metrics)
        people = People(timed, clock, entropy, settings)
        shared = cast("SharedStore", timed) if is_shared(store) else None
        tables = TableService(
            timed, settings, clock, entropy, people, metrics, addresses=addresses, shared=shared
        )
        if isinstance(clock, DatabaseClock):
            tables.background.repeat(settings.times.beat, clock.look)
        services = make_services(settings, clock, entropy, timed, tables, people, metrics, addresses)
        tables.unread_by, tables.heard = services.chat.unread_by, services.heard
        services.background = tables.background.spawn_until_shutdown
        tables.finished = lambda table: services.background(services.results.note(table))
        rand = Random(entropy.token_bytes(16))  # noqa: S311 - for the bots' delays, which are no secrets
        keeper = Keeper(timed, settings, clock, tables, metrics, services.forget)
        keeper.require_folder()
        pool = Pool(settings.bots, settings.times.bot_limit, address_of=addresses.of)
        seats = BotSeats(tables, settings, clock, rand, log=timed.rows, pool=pool, decided=metrics.decided)
        await tables.start(seats)
        try:
            await services.following.look()
            tables.background.repeat(settings.times.sweep, services.following.look)
            tables.background.repeat(settings.retention.every, keeper.look)
            tables.background.repeat(settings.times.alerts, services.alerts.look)
            services.searches = lambda: pool.uses_compiled
            async with compiling_ahead(pool):
                yield services
        finally:
            services.ready = False
            await tables.stop()
    finally:
        await store.close()


class Server(uvicorn.Server):
    """uvicorn with our shutdown: goodbye to every client first, and signals that end in an orderly way."""

    def __init__(self, services: Services, started: Callable[[], None] = lambda: None) -> None:
        """Serve with these services; ``started`` is called when connections are taken."""
        super().__init__(config_for(services))
        self._services = services
        self._started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, and say so."""
        await super().startup(sockets)
        self._services.ready = True
        self._started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let a proxy choose others, accept nothing more, say goodbye, finish the requests under way."""
        await self._notice()
        for server in self.servers:
            server.close()
        await self._services.tables.leave()
        await self._services.connections.stop(self._services.settings.times.stop / 3000)
        await super().shutdown(sockets)

    async def _notice(self) -> None:
        """Say that this worker stops, and serve on while a proxy finds that out.

        A connection that is opened in the moment in which the listening ends is reset by the system: what was
        sent over it would be lost. A process without others has nobody who could be chosen in its place.
        """
        self._services.leaving = True
        if self._services.settings.store is not None:
            await asyncio.sleep(self._services.settings.times.notice / 1000)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End in an orderly way on SIGINT and SIGTERM; a second SIGINT ends at once, SIGTERM does not."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in _signals()}
        try:
            yield
        finally:
            before[signal.SIGTERM] = signal.SIG_IGN  # tables and store are yet to be closed
            for number, handler in before.items():
                signal.signal(number, handler)


def _signals() -> tuple[signal.Signals, ...]:
    more = (signal.Signals["SIGBREAK"],) if hasattr(signal, "SIGBREAK") else ()
    return (signal.SIGINT, signal.SIGTERM, *more)


def config_for(services: Services) -> uvicorn.Config:
    """Return uvicorn's configuration: our limits, no compression, no log of addresses."""
    settings = services.settings
    ping = settings.times.ping / 1000
    return uvicorn.Config(
        make_app(services),
        http=http_protocol(settings),
        ws=LimitedWebSocketProtocol,
        ws_max_size=settings.limits.frame_bytes,
        ws_per_message_deflate=False,
        ws_ping_interval=ping,
        ws_ping_timeout=ping,
        lifespan="off",
        log_config=None,
        log_level="warning",
        access_log=False,
        forwarded_allow_ips=list(settings.proxies),
        server_header=False,
        backlog=BACKLOG,
        timeout_graceful_shutdown=max(1, settings.times.stop // 3000),
    )


# -- the socket ----------------------------------------------------------------------------------------------


def bind(host: str, port: int) -> socket.socket:
    """Return a socket bound to an address; port 0 takes a free one. Raises :class:`CannotServe`."""
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError, OverflowError):
        msg = f"there is no address {host!r} here; expected one of this machine, such as 127.0.0.1"
        raise CannotServe(msg) from None
    family, kind, protocol, _, place = found[0]
    listener = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # elsewhere it would let two servers have the same port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6 and place[0] == "::":
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        listener.bind(place)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        why = (error.strerror or str(error)).lower()
        msg = f"cannot listen on {host}, port {port}: {why}"
        raise CannotServe(msg) from None
    return listener


def address_of(listener: socket.socket) -> str:
    """Return the address to open in a browser."""
    host, port = listener.getsockname()[:2]
    return url_of(host, port)


def with_worker(settings: Settings) -> Settings:
    """Return the settings with a name for this process among those that serve the same database."""
    return replace(settings, worker=settings.worker or f"{socket.gethostname()}:{os.getpid()}")


def with_share(settings: Settings, listener: socket.socket) -> Settings:
    """Return the settings with the address under which others of the same network come, if they are to."""
    if not settings.lan or settings.share is not None:
        return settings
    address = local_address()
    share = None if address is None else url_of(address, listener.getsockname()[1])
    return replace(settings, share=share)


def with_own_names(settings: Settings) -> Settings:
    """Return the settings with the names this machine has: a browser in the same LAN may use them."""
    own = socket.gethostname().lower()
    names = (own, f"{own.partition('.')[0]}.local") if own else ()
    return replace(settings, names=tuple(dict.fromkeys((*settings.names, *names))))


def _raise_file_limit(wanted: int) -> None:
    """Raise this process's limit of open files to ``wanted``, as far as it may."""
    try:
        import resource
    except ImportError:  # not on Windows, where there is no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    possible = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < possible:
        resource.setrlimit(resource.RLIMIT_NOFILE, (possible, hard))
    if possible < wanted:
        LOG.warning("few-files", limit=possible)
