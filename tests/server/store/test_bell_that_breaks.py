"""The connection on which a worker listens may break at any moment."""

from __future__ import annotations

import asyncio
from typing import Any

import asyncpg
import pytest

from bohn.server.store.postgres.store import PostgresStore
from tests.patience import PATIENCE


class Breaking:
    """A connection that breaks while the statement that begins to listen is being sent."""

    async def add_listener(self, *_: Any) -> None:
        """Raise what the driver raises then."""
        raise asyncpg.InternalClientError("cannot switch to state 15; another operation (2) is in progress")

    async def close(self, *, timeout: float) -> None:  # noqa: ASYNC109 - as the driver has it
        """Do nothing."""
        del timeout


class Listening(Breaking):
    """A connection that listens."""

    async def add_listener(self, *_: Any) -> None:
        """Begin to listen."""

    async def execute(self, _: str) -> None:
        """Answer that it lives."""


@pytest.mark.parametrize("broken", [1, 2])
def test_bell_is_heard_again_after_a_break_while_it_is_asked_for(broken: int) -> None:
    """A worker that is cut off just as it begins to listen listens anew, however often that happens."""

    class Store(PostgresStore):
        made = 0

        async def _connect(self) -> Any:
            self.made += 1
            return Breaking() if self.made <= broken else Listening()

    async def test() -> None:
        heard: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        store = Store("postgresql://postgres@127.0.0.1/none")
        listening = asyncio.create_task(store.listen(heard.set_result))
        done, _ = await asyncio.wait((heard, listening), timeout=PATIENCE, return_when="FIRST_COMPLETED")
        listening.cancel()
        assert done == {heard}

    asyncio.run(test())
