"""Checkpoints: a thread moves the write-ahead log into the file, so that no commit waits for it."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing, suppress

INTERVAL = 1.0
"""Seconds between two checkpoints."""

MOST_PAGES = 16_384
"""Pages (64 MB) of the log after which a commit does the checkpoint itself, so that reading stays quick."""


class Checkpoints:
    """A thread that lets SQLite take over what was committed; it blocks neither readers nor the writer."""

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
            while not self._over.wait(INTERVAL):
                with suppress(sqlite3.Error):
                    connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
