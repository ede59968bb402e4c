"""The store in memory keeps the contract."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bohn.server.store.protocol import Store
from tests.server.store.contract import StoreContract
from tests.server.store.contract_sharing import SharingContract
from tests.server.store.samples import append
from tests.server.support.memory_store import Backing, MemoryStore
from tests.server.support.shared_memory_store import SharedBacking, SharedMemoryStore


class TestMemoryStore(StoreContract):
    """The contract, with two stores that share what they keep."""

    def make(self, folder: Path) -> tuple[Store, Store]:  # noqa: ARG002 - it keeps no files
        """Return two stores over the same memory."""
        shared = Backing()
        return MemoryStore(shared), MemoryStore(shared)


class TestSharedMemoryStore(StoreContract, SharingContract):
    """The contract with what several workers share, with two stores on the same memory."""

    def make(self, folder: Path) -> tuple[Store, Store]:  # noqa: ARG002 - it keeps no files
        """Return two stores over the same memory."""
        shared = SharedBacking()
        return SharedMemoryStore(shared), SharedMemoryStore(shared)


def test_memory_store_of_its_own_shares_nothing() -> None:
    """Two stores without a shared backing do not see each other's tables."""

    async def tell() -> None:
        one, two = MemoryStore(), MemoryStore()
        await one.open()
        await two.open()
        await one.append(append())
        assert await two.rows("t1") == ()

    asyncio.run(tell())
