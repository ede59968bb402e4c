"""Checkpoints: a thread moves the write-ahead log into the file, so that no commit waits for it."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing, suppress

INTERVAL = 1.0
"""Seconds between two checkpoints."""

LONG_PAGES = 8_192
"""Pages (32 MB) of the log after which it is begun anew.

While somebody always writes, a checkpoint is never at the end of the log, and the log grows. So the writer
waits once while the few pages are moved that it has written during the last checkpoint: as long as the disk
needs to sync twice.
"""

PATIENCE = 20
"""Ms for which such a checkpoint waits for the writer, and for readers of what was there before."""

MOST_PAGES = 16_384
"""Pages (64 MB) of the log after which a commit does the checkpoint itself, so that reading stays quick.

That is a tenth of a second in which nobody writes: it happens when the log could not be begun anew.
"""


class Checkpoints:
    """A thread that lets SQLite take over what was committed; no reader waits for it, the writer briefly."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="store-checkpoints", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End; the last connection that closes takes over what is left."""
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        # a checkpoint that fails (disk full, locked) costs nothing: the log holds all, the next one tries
        with suppress(sqlite3.Error), closing(self._connect()) as connection:
            connection.execute(f"PRAGMA busy_timeout = {PATIENCE}")
            while not self._over.wait(INTERVAL):
                with suppress(sqlite3.Error):
                    checkpoint(connection)


def checkpoint(connection: sqlite3.Connection) -> None:
    """Move what was committed into the file; when the log is long see to it that it begins anew."""
    passive = "PRAGMA wal_checkpoint(PASSIVE)"
    ((_, pages, _),) = connection.execute(passive).fetchall()
    if pages > LONG_PAGES:
        connection.execute(passive).fetchall()  # of what came during the first, so that less is left
        connection.execute("PRAGMA wal_checkpoint(FULL)").fetchall()
