"""What went on when something was reported: lines of chat, and the log without its cards."""

from __future__ import annotations

from bohn.protocol import operator as told
from bohn.rules.decide import tag
from bohn.server.store.operating import FiledReport
from bohn.server.store.protocol import ChatLine, LogRow, Store

LINES_AROUND = 8
"""Lines before and behind the one that was reported."""

AROUND = 10 * 60_000
"""Ms before and after a report about a person in which lines belong to it."""

LOG_BEFORE = 2 * 60_000
"""Ms before a report from which on the log is shown."""

ROWS = 30
"""Rows of the log that are shown."""


async def context_of(
    store: Store, report: FiledReport
) -> tuple[tuple[ChatLine, ...], tuple[told.LogLine, ...]]:
    """Return the lines and the rows around a report; no cards, and nothing that only one seat may see."""
    rows = await store.rows(report.table, await _row_before(store, report) or 0, ROWS)
    return await _lines(store, report), tuple(_shown(row) for row in rows)


async def _lines(store: Store, report: FiledReport) -> tuple[ChatLine, ...]:
    if not report.line:
        lines = await store.chat(report.table)
        return tuple(line for line in lines if abs(line.at - report.at) <= AROUND)
    numbers = range(max(1, report.line - LINES_AROUND), report.line + LINES_AROUND + 1)
    found = [await store.line(report.table, number) for number in numbers]
    return tuple(line for line in found if line is not None)


async def _row_before(store: Store, report: FiledReport) -> int:
    """Return the last row before the time that is shown: the times of a log rise, so half and half again."""
    low, high = 0, (await store.heads((report.table,))).get(report.table, 0)
    while low < high:
        middle = (low + high + 1) // 2
        (row,) = await store.rows(report.table, middle - 1, 1)
        low, high = (middle, high) if row.at < report.at - LOG_BEFORE else (low, middle - 1)
    return low


def _shown(row: LogRow) -> told.LogLine:
    command = "" if row.command is None else tag(type(row.command))
    return told.LogLine(row.seq, row.at, row.actor, command, tuple(tag(type(event)) for event in row.events))
