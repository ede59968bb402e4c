"""Store failures at a table: logged by kind, and refused to the caller as not saved."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

import structlog

from bohn.protocol.refusals import Problem, Refusal
from bohn.server.store.protocol import StoreUnavailable

LOG = structlog.get_logger("bohn.tables")

T = TypeVar("T")


async def or_refuse(answer: Awaitable[T]) -> T:
    """Return what the store answers, or refuse as not saved; the kind of failure is for the log alone."""
    try:
        return await answer
    except StoreUnavailable as error:
        LOG.error("store-unavailable", kind=error.kind)  # noqa: TRY400 - the kind says it all
        raise Refusal(Problem.NOT_SAVED) from error
