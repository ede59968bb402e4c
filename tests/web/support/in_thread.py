"""Something of asyncio beside a test that is none: it runs in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def in_thread(made: Callable[[], AbstractAsyncContextManager[T]]) -> Iterator[T]:
    """Enter an asynchronous context in a thread, and leave it at the end."""
    started, loop = threading.Event(), asyncio.new_event_loop()
    ended = asyncio.Event()
    found: list[T] = []

    async def run() -> None:
        async with made() as one:
            found.append(one)
            started.set()
            await ended.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),))
    thread.start()
    started.wait(10)
    try:
        yield found[0]
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(10)
        loop.close()
