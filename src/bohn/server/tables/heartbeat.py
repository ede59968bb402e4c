"""The heartbeat in the store: from it processes know what time it is, and for how long nobody was served."""

from __future__ import annotations

from typing import Protocol

import structlog

from bohn.server.clock import DatabaseClock, Nanoseconds, SystemClock, TimeSource
from bohn.server.entropy import Entropy
from bohn.server.settings import Settings
from bohn.server.store.protocol import Store, StoreUnavailable
from bohn.server.store.shared import is_shared

LOG = structlog.get_logger("bohn.timing")

JUMP = 5_000
"""Ms beyond ``Times.poll`` without a look at the clocks, after which that time is given back."""

REST_BEAT = 3_600_000
"""Ms between the beats of a server without tables: the next start must know how long none ran."""


async def clock_of(
    store: Store, settings: Settings, system: Nanoseconds | None = None
) -> SystemClock | DatabaseClock:
    """Return the clock of a process that starts: it goes on from the last beat in the store.

    Where several workers share the store its time is the time, whatever the system's clock says here.
    """
    if is_shared(store):
        clock = DatabaseClock(store.time)
        await clock.look()
        return clock
    return SystemClock(await store.last_beat(), settings.times.absence, system=system)


class Beats(Protocol):
    """What the clocks ask of a heartbeat: when to beat, and whether players were served all the time.

    Of a process alone :class:`Heartbeat` answers; where several workers share the store, leases tell who
    serves whom, and :class:`bohn.server.tables.leases.LeaseHeartbeat` has little to say.
    """

    async def start(self) -> None:
        """Beat for the first time."""
        ...

    @property
    def interrupted(self) -> bool:
        """Whether it is known that somebody was not served, and that time is not credited yet."""
        ...

    @property
    def late(self) -> bool:
        """Whether time must be credited before anything else is done."""
        ...

    @property
    def wanted(self) -> bool:
        """Whether even a server without tables should beat."""
        ...

    @property
    def early(self) -> bool:
        """Whether to beat now, before it is time."""
        ...

    @property
    def credits(self) -> int:
        """How often this process saw to it that such time is credited in all clocks."""
        ...

    def looked(self, now: int) -> None:
        """Note that clocks are looked at: players are served."""
        ...

    def interrupt(self) -> None:
        """Note that players are not served since the clocks were last looked at."""
        ...

    async def beat(self) -> None:
        """Write that this process is alive, and what follows from it. Raises :class:`StoreUnavailable`."""
        ...


class Heartbeat:
    """Writes, under a name of this process's own, that it is alive; and gives back time that nobody served.

    Somebody is served while the clocks are looked at and beats are written. What comes between, while the
    process stood still or the store failed, and what lies before :meth:`start`, counts for nobody: the next
    beat credits it. Workers that share a store renew leases instead (:mod:`bohn.server.tables.leases`).
    """

    def __init__(self, store: Store, clock: TimeSource, entropy: Entropy, settings: Settings) -> None:
        """Beat in this store, once it is started."""
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._beat = settings.times.beat
        self._patience = JUMP + settings.times.poll
        self._worker = ""
        self._looked: int | None = None
        self._written = 0
        self._since: int | None = None
        self._credits = 0

    async def start(self) -> None:
        """Choose a name, and credit the time since anybody's last beat."""
        self._worker = self._entropy.token_bytes(8).hex()
        self._looked, self._since = self._clock.now(), 0
        await self.beat()

    @property
    def interrupted(self) -> bool:
        """Whether it is known that somebody was not served, and that time is not credited yet."""
        return self._since is not None

    @property
    def late(self) -> bool:
        """Whether time must be credited before anything else is done."""
        stood = self._looked is not None and self._clock.now() - self._looked > self._patience
        return stood or self.interrupted

    @property
    def wanted(self) -> bool:
        """Whether even a server without tables should beat."""
        return self.late or self._clock.now() - self._written >= REST_BEAT

    @property
    def early(self) -> bool:
        """Whether to beat before it is time: there is nobody whose place could be taken."""
        return False

    @property
    def credits(self) -> int:
        """How often this process saw to it that such time is credited."""
        return self._credits

    def looked(self, now: int) -> None:
        """Note that clocks are looked at: players are served."""
        self._looked = now

    def interrupt(self) -> None:
        """Note that players are not served since the clocks were last looked at."""
        if self._since is None:
            self._since = self._looked

    async def beat(self) -> None:
        """Write that this process is alive, and credit what is to be credited."""
        now = self._clock.now()
        if self.late:
            self.interrupt()
        try:
            if self._since is None:
                await self._store.beat(self._worker, now)
            else:
                await self._credit(now, self._since)
        except StoreUnavailable:
            if self._since is None and self._looked is not None:  # it may have begun behind the last beat
                self._since = max(self._written, self._looked - self._beat)
            raise
        self._written = now

    async def _credit(self, now: int, since: int) -> None:
        milliseconds = await self._store.credit(self._worker, now, since)
        self._looked, self._since = now, None
        self._credits += 1  # even if another process was quicker, and nothing was left to credit
        if milliseconds:
            LOG.info("clocks-credited", ms=milliseconds)
