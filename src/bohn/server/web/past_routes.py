"""Games that are over: replays and summaries of tables and of records, and keeping records."""

from __future__ import annotations

import gzip

from bohn.server.buckets import group
from bohn.server.past.game import PastGame
from bohn.server.refusals import Problem
from bohn.server.web.answers import NDJSON, Answer
from bohn.server.web.calls import Call
from bohn.server.web.keeping import takes_gzip
from bohn.server.web.security import header
from bohn.server.wire import api
from bohn.server.wire.replay import RecordInfo, RecordList, Summary

VERIFYING = 5.0
"""To verify a record costs as much as so many replays."""


async def replay_table(call: Call) -> Answer:
    """Return the replay of a finished table."""
    _take(call)
    return await _replay(call, await call.site.library.of_table(call.table, call.user))


async def summarize_table(call: Call) -> Summary:
    """Return a finished table in numbers."""
    _take(call)
    return await call.site.library.summary(await call.site.library.of_table(call.table, call.user))


async def replay_record(call: Call) -> Answer:
    """Return the replay of a record."""
    _take(call)
    return await _replay(call, await call.site.library.of_record(_record(call)))


async def summarize_record(call: Call) -> Summary:
    """Return a record in numbers."""
    _take(call)
    return await call.site.library.summary(await call.site.library.of_record(_record(call)))


def admit_record(call: Call) -> None:
    """Refuse a record before it is read where it could not be verified."""
    call.site.library.require_room(call.me.user.id)


async def keep_record(call: Call) -> RecordInfo:
    """Keep a record that follows its rules."""
    user = call.me.user.id
    _take(call, VERIFYING)
    return await call.site.library.keep(user, call.body)


async def download_record(call: Call) -> Answer:
    """Hand out a record as it was sent."""
    record = _record(call)
    named = ("content-disposition", f'attachment; filename="{record}.bohn"')
    return Answer(200, await call.site.library.text(record), NDJSON, (named,))


async def list_records(call: Call) -> RecordList:
    """List the records one keeps."""
    return await call.site.library.own(call.me.user.id)


async def drop_record(call: Call) -> api.Empty:
    """Delete one of one's records."""
    await call.site.library.drop(call.me.user.id, _record(call))
    return api.Empty()


def _take(call: Call, tokens: float = 1.0) -> None:
    call.site.replays.take(group(call.address), tokens)


def _record(call: Call) -> str:
    return call.path("record", Problem.NO_SUCH_RECORD)


async def _replay(call: Call, game: PastGame) -> Answer:
    """Return a replay, compressed for whoever takes that."""
    hands = bool(call.number("hands"))
    body = await call.site.library.replay(game, call.number("seat"), hands=hands)
    more = (("vary", "accept-encoding"),)
    if takes_gzip(header(call.scope, b"accept-encoding")):
        return Answer(200, body, NDJSON, (*more, ("content-encoding", "gzip")))
    return Answer(200, gzip.decompress(body), NDJSON, more)
