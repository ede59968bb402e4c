"""From where users come and tables were opened: in memory only, so that neither store nor log has an address.

A restart forgets it: a table that was opened before is counted to where its host came from when it was looked
at again, if that is known. Other processes of the same store know nothing of it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

MOST = 20_000
"""Users, and tables out of memory, that are remembered; what was heard longest ago is forgotten first."""


class Addresses:
    """The address of users and tables, each as :func:`bohn.server.buckets.group` counts it."""

    def __init__(self, most: int = MOST) -> None:
        """Begin with nothing known; remember ``most`` users and as many tables."""
        self._most = most
        self._users: OrderedDict[str, str] = OrderedDict()
        self._tables: OrderedDict[str, str] = OrderedDict()
        self._in_memory: dict[str, str] = {}

    def came(self, user: str, address: str) -> None:
        """Note from where a user asks for something now."""
        self._note(self._users, user, address)

    def of_user(self, user: str) -> str:
        """Return from where a user came last; his own id if that is not known."""
        return self._users.get(user, user)

    def users_from(self, meant: Callable[[str], bool]) -> set[str]:
        """Return the users who came last from an address that is meant."""
        return {user for user, address in self._users.items() if meant(address)}

    def opened(self, table: str, user: str) -> None:
        """Note that a user opens a table."""
        self._note(self._tables, table, self.of_user(user))

    def loaded(self, table: str, host: str | None) -> None:
        """Note who is host of a table that comes into memory; who opened it counts more, if it is known."""
        known = self._tables.pop(table, None) or self._users.get(host or "")
        if known is not None:
            self._in_memory[table] = known

    def left(self, table: str) -> None:
        """Note that a table leaves memory; until then it is not forgotten, however many are opened."""
        known = self._in_memory.pop(table, None)
        if known is not None:
            self._note(self._tables, table, known)

    def of(self, table: str) -> str:
        """Return from where a table was opened; its own id if that is not known."""
        return self._in_memory.get(table) or self._tables.get(table, table)

    def _note(self, known: OrderedDict[str, str], key: str, address: str) -> None:
        known[key] = address
        known.move_to_end(key)
        if len(known) > self._most:
            known.popitem(last=False)
