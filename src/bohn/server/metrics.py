"""The server's metrics: counted in their own registry, shown at ``/metrics`` in Prometheus' text form."""

from __future__ import annotations

from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

FAST = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds of the histograms' buckets, in seconds."""

METHODS = frozenset({"GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"})
"""Methods that are counted by name: a client can make up any number of others."""


class Metrics:
    """All counters of one server; it is the tables' :class:`bohn.server.tables.api.Observer` too."""

    def __init__(self, worker: str = "") -> None:
        """Make the counters; ``worker`` is the name of this process among several, if there are."""
        self.registry = registry = CollectorRegistry()
        if worker:
            Gauge("bohn_worker", "This process among several", ["name"], registry=registry).labels(
                worker
            ).set(1)
        self.failures = 0  # of the store, for readiness
        self._commands = Counter(
            "bohn_commands",
            "Commands committed, by what they do and why",
            ["cause", "command"],
            registry=registry,
        )
        self._refused = Counter("bohn_refused", "Commands refused, by reason", ["reason"], registry=registry)
        self._commit = Histogram(
            "bohn_commit_seconds", "From taking a command up to its commit", registry=registry, buckets=FAST
        )
        self._ack = Histogram(
            "bohn_ack_seconds", "From reading a command to its answer", registry=registry, buckets=FAST
        )
        self._frames = Counter("bohn_frames", "Frames handed to viewers", registry=registry)
        self._received = Counter("bohn_frames_received", "Frames from clients", ["type"], registry=registry)
        self._fired = Counter("bohn_timers_fired", "Timers whose time had come", ["timer"], registry=registry)
        self._tables = Gauge("bohn_tables", "Tables in memory", registry=registry)
        self._abandoned = Counter(
            "bohn_abandoned", "Tables the server itself has abandoned, by reason", ["reason"],
            registry=registry,
        )  # fmt: skip
        self._connections = Gauge("bohn_connections", "Open sockets and streams", ["kind"], registry=registry)
        self._cut = Counter("bohn_cut", "Sockets and streams cut, by reason", ["reason"], registry=registry)
        self._turned_away = Counter(
            "bohn_turned_away",
            "Requests refused before a table saw them, by reason",
            ["reason"],
            registry=registry,
        )
        self._requests = Counter("bohn_requests", "HTTP requests", ["method", "status"], registry=registry)
        self._bots = Counter(
            "bohn_bot_decisions", "Decisions of bots in seats", ["outcome"], registry=registry
        )
        self._bot_time = Histogram(
            "bohn_bot_seconds", "How long a bot thought", registry=registry, buckets=FAST
        )
        self._store = Histogram(
            "bohn_store_seconds", "Store calls", ["call"], registry=registry, buckets=FAST
        )
        self._store_failed = Counter(
            "bohn_store_failed", "Store calls that failed", ["kind"], registry=registry
        )
        self._group = Histogram(
            "bohn_store_group",
            "Batches in one commit",
            registry=registry,
            buckets=(1, 2, 4, 8, 16, 32, 64, 128),
        )
        self._removed = Counter(
            "bohn_retention_removed", "What retention has removed or written, by kind", ["kind"],
            registry=registry,
        )  # fmt: skip
        self._retention_time = Histogram(
            "bohn_retention_seconds", "How long a batch of retention took", ["kind"], registry=registry,
            buckets=FAST,
        )  # fmt: skip
        self._retention_failed = Counter(
            "bohn_retention_failed", "What retention could not do, by kind", ["kind"], registry=registry
        )
        self._over = Gauge("bohn_over_tables", "Tables that are over and still stored", registry=registry)
        self._due = Gauge("bohn_due_tables", "Those of them that are due to go", registry=registry)
        self._age = Gauge(
            "bohn_oldest_table_seconds", "Since when the oldest one has not moved", registry=registry
        )
        self._size = Gauge("bohn_store_bytes", "Size of the file or database", registry=registry)
        self._free = Gauge("bohn_store_free_bytes", "What of the file is unused", registry=registry)
        # finding a counter by its labels costs more than counting: the counters of every command are cached
        self._command = cache(self._commands.labels)
        self._receipt = cache(self._received.labels)
        self._call = cache(self._store.labels)

    def text(self) -> bytes:
        """Return everything in Prometheus' text form."""
        return generate_latest(self.registry)

    # -- called by the tables -----------------------------------------------------------------------------

    def committed(self, cause: str, command: str, milliseconds: float) -> None:
        """A batch was committed ``milliseconds`` after its command was taken up."""
        self._command(cause, command).inc()
        self._commit.observe(milliseconds / 1000)

    def refused(self, reason: str) -> None:
        """A command was refused."""
        self._refused.labels(reason).inc()

    def sent(self, frames: int) -> None:
        """``frames`` went to viewers."""
        self._frames.inc(frames)

    def fired(self, key: str) -> None:
        """A timer's time had come; of its key only the kind is counted."""
        self._fired.labels(key.partition(":")[0]).inc()

    def loaded(self, tables: int) -> None:
        """There are ``tables`` in memory now."""
        self._tables.set(tables)

    def abandoned(self, why: str) -> None:
        """The server itself has abandoned a table."""
        self._abandoned.labels(why).inc()

    # -- called by the web part --------------------------------------------------------------------------

    def acknowledged(self, seconds: float) -> None:
        """A command was answered ``seconds`` after it was read."""
        self._ack.observe(seconds)

    def received(self, kind: str) -> None:
        """A frame came from a client."""
        self._receipt(kind).inc()

    def opened(self, kind: str) -> None:
        """A socket or stream was opened."""
        self._connections.labels(kind).inc()

    def closed(self, kind: str) -> None:
        """A socket or stream was closed."""
        self._connections.labels(kind).dec()

    def cut(self, reason: str) -> None:
        """A socket or stream was cut."""
        self._cut.labels(reason).inc()

    def turned_away(self, reason: str) -> None:
        """A request or frame was refused before a table saw it."""
        self._turned_away.labels(reason).inc()

    def answered(self, method: str, status: int) -> None:
        """An HTTP request was answered."""
        self._requests.labels(method if method in METHODS else "other", str(status)).inc()

    # -- called by bots and store -------------------------------------------------------------------------

    def decided(self, outcome: str, seconds: float) -> None:
        """A bot decided, or failed to, in ``seconds``."""
        self._bots.labels(outcome).inc()
        self._bot_time.observe(seconds)

    def stored(self, call: str, seconds: float) -> None:
        """A call of the store took ``seconds``."""
        self._call(call).observe(seconds)

    def store_failed(self, kind: str) -> None:
        """A call of the store failed."""
        self.failures += 1
        self._store_failed.labels(kind).inc()

    def grouped(self, batches: int) -> None:
        """``batches`` were committed together."""
        self._group.observe(batches)

    # -- called by retention ------------------------------------------------------------------------------

    def retained(self, kind: str, removed: int, seconds: float) -> None:
        """A batch of retention has removed (or written) so much of a kind, in ``seconds``."""
        self.removed(kind, removed)
        self._retention_time.labels(kind).observe(seconds)

    def removed(self, kind: str, number: int) -> None:
        """So much of a kind was removed in a batch that is counted as one of another kind."""
        self._removed.labels(kind).inc(number)

    def not_retained(self, kind: str) -> None:
        """Retention could not do something."""
        self._retention_failed.labels(kind).inc()

    def left(self, over: int, due: int, age: float, size: int, free: int | None) -> None:
        """So much is stored: tables over, those due, the oldest one's age (s), bytes, and unused ones."""
        self._over.set(over)
        self._due.set(due)
        self._age.set(age)
        self._size.set(size)
        self._free.set(free or 0)
