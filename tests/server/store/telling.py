"""A test as a story of one or two open stores on the same data."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from bohn.server.store.protocol import Store
from bohn.server.store.sqlite import SqliteStore


class Stores(ABC):
    """What a contract is held against: a class of tests that can make stores."""

    @abstractmethod
    def make(self, folder: Path) -> tuple[Store, Store]:
        """Return two stores on the same data, not open yet."""


def story(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[[Any, Path], None]:
    """Return a test that hands a coroutine the open stores it asks for, one or two."""
    asked = test.__code__.co_argcount - 1

    async def tell(self: Stores, folder: Path) -> None:
        async with AsyncExitStack() as stack:
            stores = self.make(folder)[:asked]
            for store in stores:
                await store.open()
                stack.push_async_callback(store.close)
            await test(self, *stores)

    def run(self: Stores, tmp_path: Path) -> None:
        asyncio.run(tell(self, tmp_path))

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


async def held(store: SqliteStore) -> threading.Event:
    """Let the writer wait until the event is set, so that what is sent meanwhile makes one group."""
    gate, reached = threading.Event(), threading.Event()

    def wait(_connection: sqlite3.Connection) -> None:
        reached.set()
        gate.wait(10)

    assert store._writer is not None
    store._writer.submit(wait)
    await asyncio.get_running_loop().run_in_executor(None, reached.wait, 10)
    return gate
