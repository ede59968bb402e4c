"""Checks that the database file is still the one at its path: writes to a deleted file would be lost."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path

import structlog

from bohn.server.store.failures import unavailable
from bohn.server.store.protocol import StoreUnavailable

LOG = structlog.get_logger("bohn.store")


class OpenedFile:
    """The file at a path as it was when it was opened.

    SQLite goes on writing into a file that has no name any more, and what is committed there is lost with the
    process. It also goes on writing into a file whose end was cut off. A file that was missing or cut once
    stays so: another one at the same path is not the one written to.
    """

    def __init__(self, path: Path) -> None:
        """Take the path; the file need not exist yet."""
        self._path = path.absolute()
        self._opened: tuple[int, int] | None = None
        self._largest = 0
        self._gone = False

    def note(self) -> None:
        """Remember which file is there now."""
        self._opened, self._largest, self._gone = None, 0, False
        with suppress(StoreUnavailable):  # then nothing will be written
            found = self._found()
            if found is not None:
                self._opened, self._largest = (found.st_dev, found.st_ino), found.st_size

    def require(self, connection: sqlite3.Connection) -> None:
        """Raise :class:`StoreUnavailable` (``failed``) if it is another one, none or cut; then always.

        The first time it is logged in the same sentence: whoever is refused learns no more than the kind.
        """
        if not self._gone and self._whole(connection):
            return
        msg = (
            f"{self._path} was deleted, renamed, replaced or cut while it was open: "
            "nothing is written; start again"
        )
        if not self._gone:
            self._gone = True
            LOG.error("database-gone", reason=msg)
        raise StoreUnavailable("failed", msg)

    def _whole(self, connection: sqlite3.Connection) -> bool:
        """Tell whether the file that was opened is there, and nothing of it is missing."""
        found = self._found()
        if found is None or self._opened != (found.st_dev, found.st_ino):
            return False
        if found.st_size < self._largest and _needs(connection, self._largest):
            return False
        self._largest = found.st_size
        return True

    def _found(self) -> os.stat_result | None:
        """Return the file that is there, or ``None``; raises :class:`StoreUnavailable` if that is unknown."""
        try:
            return os.stat(self._path)  # noqa: PTH116 - for every commit, and a few µs less than Path.stat
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise StoreUnavailable("failed", f"cannot see {self._path}: {error.strerror}") from None


def _needs(connection: sqlite3.Connection, size: int) -> bool:
    """Tell whether the database has as many bytes; of one that was vacuumed the file may shrink."""
    try:
        ((pages,),) = connection.execute("PRAGMA page_count").fetchall()
        ((page,),) = connection.execute("PRAGMA page_size").fetchall()
    except sqlite3.Error as error:
        return unavailable(error).kind == "damaged"
    return not pages or int(pages) * int(page) >= size
