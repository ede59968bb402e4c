"""What the web part is made of: one of everything, handed to whoever answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bohn.server.ambient import Ambient
from bohn.server.buckets import Buckets
from bohn.server.chat import Chat
from bohn.server.metrics import Metrics
from bohn.server.past.library import Library
from bohn.server.people import People
from bohn.server.settings import Settings
from bohn.server.store.protocol import Store
from bohn.server.tables.api import Tables
from bohn.server.web.connections import Connections


@dataclass
class Site:
    """One server.

    ``ready`` is false until everything is open; ``written`` is when the store was last seen to write (ms),
    and ``failures`` how many of its calls had failed by then. ``searches`` tells whether computer players
    that search are worth meeting, because their code is compiled.
    """

    settings: Settings
    ambient: Ambient
    store: Store
    tables: Tables
    people: People
    chat: Chat
    metrics: Metrics
    connections: Connections
    library: Library
    ready: bool = False
    written: int = -1_000_000
    failures: int = 0
    searches: Callable[[], bool] = lambda: False
    requests: Buckets = field(init=False)
    guests: Buckets = field(init=False)
    commands: Buckets = field(init=False)
    lines: Buckets = field(init=False)
    replays: Buckets = field(init=False)

    def __post_init__(self) -> None:
        """Make the buckets: requests, new guests and replays by address, the rest by user."""
        limits = self.settings.limits
        self.requests = Buckets(limits.requests_at_once, limits.requests_a_second)
        self.guests = Buckets(limits.guests_at_once, limits.guests_a_second)
        self.commands = Buckets(limits.commands_at_once, limits.commands_a_second)
        self.lines = Buckets(limits.chat_at_once, limits.chat_a_second)
        self.replays = Buckets(limits.replays_at_once, limits.replays_a_second)


def make_site(
    settings: Settings, ambient: Ambient, store: Store, tables: Tables, people: People, metrics: Metrics
) -> Site:
    """Return a site on these tables and this store."""
    return Site(
        settings=settings,
        ambient=ambient,
        store=store,
        tables=tables,
        people=people,
        chat=Chat(store, tables, ambient, settings),
        metrics=metrics,
        connections=Connections(settings.limits, ambient),
        library=Library(store, tables, ambient, settings),
    )
