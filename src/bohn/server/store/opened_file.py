"""Checks that the database file is still the one at its path: writes to a deleted file would be lost."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from bohn.server.store.protocol import StoreUnavailable


class OpenedFile:
    """The file at a path as it was when it was opened.

    SQLite goes on writing into a file that has no name any more, and what is committed there is lost with the
    process. A file that was missing once stays so: another one at the same path is not the one written to.
    """

    def __init__(self, path: Path) -> None:
        """Take the path; the file need not exist yet."""
        self._path = path.absolute()
        self._opened: tuple[int, int] | None = None
        self._gone = False

    def note(self) -> None:
        """Remember which file is there now."""
        self._opened, self._gone = None, False
        with suppress(StoreUnavailable):  # then nothing will be written
            self._opened = self._found()

    def require(self) -> None:
        """Raise :class:`StoreUnavailable` (``failed``) if it is another one or none; from then on, always."""
        self._gone = self._gone or self._opened is None or self._found() != self._opened
        if self._gone:
            msg = f"{self._path} was deleted or replaced while it was open: nothing is written; start again"
            raise StoreUnavailable("failed", msg)

    def _found(self) -> tuple[int, int] | None:
        """Return which file is there, or ``None``; raises :class:`StoreUnavailable` if that is unknown."""
        try:
            found = os.stat(self._path)  # noqa: PTH116 - for every commit, and a few µs less than Path.stat
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise StoreUnavailable("failed", f"cannot see {self._path}: {error.strerror}") from None
        return found.st_dev, found.st_ino
