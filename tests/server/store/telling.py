"""A test as a story of one or two open stores on the same data."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from bohn.server.store.protocol import Store


class Stores:
    """What a contract is held against: a class of tests that can make stores."""

    def make(self, folder: Path) -> tuple[Store, Store]:
        """Return two stores on the same data, not open yet."""
        raise NotImplementedError


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
