"""Counting before writing: of those that would use up the same limit one goes after the other."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from bohn.server.store.postgres.turns import Turns
from bohn.server.store.protocol import Store
from bohn.server.store.shared import is_shared


class Counting:
    """Keeps others out by key while somebody counts and writes, those of other workers too."""

    def __init__(self, store: Store) -> None:
        """Count in this store."""
        self._shared = store if is_shared(store) else None
        self._turns = Turns()

    def alone(self, key: str) -> AbstractAsyncContextManager[None]:
        """Wait until nobody else is in here with this key. Raises :class:`StoreUnavailable`."""
        return self._turns.turn(key) if self._shared is None else self._shared.one_by_one(key)
