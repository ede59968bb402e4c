"""Logs: one line an event on stderr, as JSON, or as ``key=value`` on a terminal; and never a secret.

Only listed keys are logged; any other key is left out, whoever logs it. Of an exception its type and place
are logged, not its message, which may quote a name, a line of chat or a hand of cards.
"""

from __future__ import annotations

import logging
import sys
import traceback
from types import TracebackType
from typing import TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

LOGGED_KEYS = frozenset(
    {
        "actor", "bot", "cause", "command", "command_id", "count", "event", "final", "kind", "level",
        "library", "limit", "ms", "operation", "outcome", "pid", "port", "reason", "revision", "seat", "seq",
        "signal", "sockets", "table", "tables", "timer", "timestamp", "url", "version", "where", "worker",
    }
)  # fmt: skip
"""Every key that may be logged."""

LONGEST = 300
"""Characters of one value that are logged."""

FRAMES = 12
"""Frames of a traceback that are logged, the innermost last."""

LEVELS = ("debug", "info", "warning", "error")


def configure(level: str = "info", stream: TextIO | None = None) -> None:
    """Send the logs of this program and of its libraries to ``stream`` (stderr)."""
    out = sys.stderr if stream is None else stream
    number = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=_processors(terminal=out.isatty()),
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(file=out),
        cache_logger_on_first_use=False,
    )
    root = logging.getLogger()
    root.handlers = [_Libraries(max(number, logging.WARNING))]
    root.setLevel(max(number, logging.WARNING))


def _processors(*, terminal: bool) -> list[Processor]:
    last: Processor = (
        structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"])
        if terminal
        else structlog.processors.JSONRenderer()
    )
    stamp = structlog.processors.TimeStamper(fmt="iso", utc=True)
    named = structlog.contextvars.merge_contextvars  # the worker's name, where there are several
    return [named, structlog.processors.add_log_level, stamp, _exception_as_place, _listed_only, last]


def _exception_as_place(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Replace an exception by its type and its place."""
    found = event.pop("exc_info", None)
    error = sys.exc_info()[1] if found is True else found[1] if isinstance(found, tuple) else found
    if isinstance(error, BaseException):
        event["kind"] = " < ".join(_kinds(error))
        event["where"] = _places(error.__traceback__)
    return event


def _kinds(error: BaseException) -> list[str]:
    """Return the kinds of an exception and of those behind it."""
    kinds: list[str] = []
    behind: BaseException | None = error
    while behind is not None and len(kinds) < 5:
        kinds.append(type(behind).__name__)
        behind = behind.__cause__ or behind.__context__
    return kinds


def _places(trace: TracebackType | None) -> str:
    """Return the places of a traceback: file, line and function, no values."""
    found = traceback.extract_tb(trace)[-FRAMES:]
    return " > ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in found)


def _listed_only(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Leave out every key that is not listed, and shorten what is long."""
    return {key: _short(value, key) for key, value in event.items() if key in LOGGED_KEYS}


def _short(value: object, key: str) -> object:
    if value is None or isinstance(value, bool | int | float):
        return value
    return str(value) if key == "where" else str(value)[:LONGEST]


class _Libraries(logging.Handler):
    """What libraries log: the message as it stands in their source, without its values, and the place."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log a record of the standard library's logging."""
        words = str(record.msg).partition("\n")[0]
        log = structlog.get_logger()
        log.log(record.levelno, words, library=record.name, exc_info=record.exc_info)
