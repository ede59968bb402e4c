"""Serving a group of tasks: all in one transaction, and a faulty task fails alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from bohn.server.store.appending import Prepared, append_all
from bohn.server.store.failures import concerns_all, reported
from bohn.server.store.protocol import StoreUnavailable
from bohn.server.store.worker import Task

Job = Callable[[sqlite3.Connection], Any]
"""A read, or a small write; what it returns is the answer."""


def read_each(connection: sqlite3.Connection, tasks: Sequence[Task[Job]]) -> None:
    """Answer each task by itself."""
    for task in tasks:
        try:
            task.result = task.work(connection)
        except Exception as error:  # noqa: BLE001 - it is raised to the caller
            task.error = reported(error)


def write_group(
    connection: sqlite3.Connection,
    tasks: Sequence[Task[Prepared | Job]],
    may_commit: Callable[[sqlite3.Connection], None] = lambda _: None,
) -> None:
    """Write the whole group in one transaction, and set what came of each task.

    ``may_commit`` raises :class:`StoreUnavailable` if a commit would be lost. If the store
    fails, nothing is written and all tasks fail. If one task is at fault, each is tried by itself.
    """
    try:
        connection.execute("BEGIN IMMEDIATE")
        results = _perform(connection, [task.work for task in tasks])
        may_commit(connection)
        connection.execute("COMMIT")
    except Exception as raised:  # noqa: BLE001 - whatever it is, the transaction must end and all be answered
        _roll_back(connection)
        error: Exception = raised
        try:  # a file that is lost is remembered there, and is the reason, whatever SQLite has made of it
            may_commit(connection)
        except StoreUnavailable as lost:
            error = lost
        if len(tasks) > 1 and not _fails_all(error):
            for task in tasks:  # again one by one, so that only the task at fault fails
                write_group(connection, [task], may_commit)
            return
        for task in tasks:
            task.error = reported(error)
    else:
        for task, result in zip(tasks, results, strict=True):
            task.result = result


def _perform(connection: sqlite3.Connection, works: Sequence[Prepared | Job]) -> list[Any]:
    """Do the small writes one by one and the appends together; return the results in order."""
    outcomes = iter(append_all(connection, [work for work in works if isinstance(work, Prepared)]))
    return [next(outcomes) if isinstance(work, Prepared) else work(connection) for work in works]


def _roll_back(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:  # after some failures SQLite has done it already
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")


def _fails_all(error: Exception) -> bool:
    """Tell whether the store fails, and so every task."""
    return isinstance(error, StoreUnavailable) or (isinstance(error, sqlite3.Error) and concerns_all(error))
