"""Endpoints for finished games: replays and summaries of tables and records, and the stored records."""

from __future__ import annotations

import gzip

from starlette.datastructures import Headers

from bohn.protocol import api
from bohn.protocol.endpoints import NDJSON
from bohn.protocol.refusals import Problem
from bohn.protocol.replay import RecordInfo, RecordList, Summary
from bohn.server.buckets import group
from bohn.server.tables.past_game import PastGame
from bohn.server.web.api_request import ApiRequest
from bohn.server.web.cacheable import accepts_gzip
from bohn.server.web.responses import Response

VERIFY_COST = 5.0
"""Replays that verifying one record counts as: it decides every command anew."""


async def replay_table(request: ApiRequest) -> Response:
    """Return the replay of a finished table."""
    _limit(request)
    return await _replay(request, await request.services.library.of_table(request.table, request.user))


async def summarize_table(request: ApiRequest) -> Summary:
    """Return a finished table in numbers."""
    _limit(request)
    return await request.services.library.summary(
        await request.services.library.of_table(request.table, request.user)
    )


async def replay_record(request: ApiRequest) -> Response:
    """Return the replay of a record."""
    _limit(request)
    return await _replay(request, await request.services.library.of_record(_record(request)))


async def summarize_record(request: ApiRequest) -> Summary:
    """Return a record in numbers."""
    _limit(request)
    return await request.services.library.summary(await request.services.library.of_record(_record(request)))


def admit_record(request: ApiRequest) -> None:
    """Refuse a record before its body is read if there is no room to verify it."""
    request.services.library.require_room(request.me.user.id)


async def keep_record(request: ApiRequest) -> RecordInfo:
    """Verify a record and store it."""
    user = request.me.user.id
    _limit(request, VERIFY_COST)
    return await request.services.library.keep(user, request.body)


async def download_record(request: ApiRequest) -> Response:
    """Return a stored record as it was sent."""
    record = _record(request)
    named = ("content-disposition", f'attachment; filename="{record}.bohn"')
    return Response(200, await request.services.library.text(record), NDJSON, (named,))


async def list_records(request: ApiRequest) -> RecordList:
    """List the stored records of this user."""
    return await request.services.library.own(request.me.user.id)


async def drop_record(request: ApiRequest) -> api.Empty:
    """Delete a stored record of this user."""
    await request.services.library.drop(request.me.user.id, _record(request))
    return api.Empty()


def _limit(request: ApiRequest, tokens: float = 1.0) -> None:
    """Take tokens of this address, or refuse with ``rate-limited``."""
    request.services.replays.take(group(request.address), tokens)


def _record(request: ApiRequest) -> str:
    return request.path("record", Problem.NO_SUCH_RECORD)


async def _replay(request: ApiRequest, game: PastGame) -> Response:
    """Return a replay, as gzip if the client accepts it."""
    hands = bool(request.number("hands"))
    body = await request.services.library.replay(game, request.number("seat"), hands=hands)
    headers = (("vary", "accept-encoding"),)
    if accepts_gzip(Headers(scope=request.scope).get("accept-encoding", "")):
        return Response(200, body, NDJSON, (*headers, ("content-encoding", "gzip")))
    return Response(200, gzip.decompress(body), NDJSON, headers)
