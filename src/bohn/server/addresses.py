"""From where users come and tables were opened: in memory only, so that neither store nor log has an address.

A restart forgets it: a table that was opened before is counted to where its host came from when it was looked
at again, if that is known. Other processes of the same store know nothing of it.
"""

from __future__ import annotations

from collections import OrderedDict

MOST = 20_000
"""Users and tables that are remembered, to bound memory; what was heard longest ago is forgotten first."""


class Addresses:
    """The address of users and tables, each as :func:`bohn.server.buckets.group` counts it."""

    def __init__(self, most: int = MOST) -> None:
        """Begin with nothing known; remember ``most`` users and as many tables."""
        self._most = most
        self._users: OrderedDict[str, str] = OrderedDict()
        self._tables: OrderedDict[str, str] = OrderedDict()

    def came(self, user: str, address: str) -> None:
        """Note from where a user asks for something now."""
        self._note(self._users, user, address)

    def of_user(self, user: str) -> str:
        """Return from where a user came last; his own id if that is not known."""
        return self._users.get(user, user)

    def opened(self, table: str, user: str) -> None:
        """Note that a user opens a table."""
        self._note(self._tables, table, self.of_user(user))

    def loaded(self, table: str, host: str | None) -> None:
        """Note who is host of a table that comes into memory; who opened it counts more, if it is known."""
        if table in self._tables:
            self._tables.move_to_end(table)
        elif host is not None and host in self._users:
            self._note(self._tables, table, self._users[host])

    def of(self, table: str) -> str:
        """Return from where a table was opened; its own id if that is not known."""
        return self._tables.get(table, table)

    def _note(self, known: OrderedDict[str, str], key: str, address: str) -> None:
        known[key] = address
        known.move_to_end(key)
        if len(known) > self._most:
            known.popitem(last=False)
