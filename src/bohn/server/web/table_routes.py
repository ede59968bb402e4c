"""Endpoints of one table: its view and stream, commands, what is legal, its record and its chat."""

from __future__ import annotations

import time

from bohn.protocol import api, frames
from bohn.protocol.endpoints import NDJSON
from bohn.protocol.refusals import Problem, Refusal
from bohn.server.web.api_request import ApiRequest
from bohn.server.web.responses import Response, as_error
from bohn.server.web.stream import serve_stream
from bohn.views.preview import Preview


async def show(request: ApiRequest) -> frames.Welcome:
    """Return the whole table as this viewer may see it."""
    return await request.services.tables.welcome(request.table, request.user)


async def stream(request: ApiRequest) -> None:
    """Send frames, one a line, until one side ends it."""
    await serve_stream(request, request.table, request.number("since", "after"))


async def do(request: ApiRequest) -> api.Done:
    """Do a command, at most once by its id."""
    body: api.Do = request.body
    begun = time.perf_counter()
    user, table = request.me.user.id, request.table
    command_id = _command_id(request, body)
    request.services.commands.take(user)
    try:
        seq = await request.services.tables.execute(table, user, command_id, body.command)
    finally:
        request.services.metrics.acknowledged(time.perf_counter() - begun)
    return api.Done(command_id, seq)


def _command_id(request: ApiRequest, body: api.Do) -> str:
    """Return the id in the header or the body; without one make one, as nobody can repeat it."""
    named = request.key()
    if named and body.id not in (None, named):
        raise Refusal(Problem.NOT_UNDERSTOOD, path="Idempotency-Key")
    return named or body.id or request.services.entropy.token_bytes(12).hex()


async def legal(request: ApiRequest) -> api.Legal:
    """Return what this user may do."""
    return await request.services.tables.legal(request.table, request.me.user.id)


async def draft(request: ApiRequest) -> Preview:
    """Return the preview of an offer."""
    body: api.Draft = request.body
    request.services.commands.take(request.me.user.id)
    asked = frames.Draft("-", body.to, body.hand, body.face_up, body.want)
    return await request.services.tables.preview(request.table, request.me.user.id, asked)


async def check(request: ApiRequest) -> api.Verdict:
    """Return whether a command would be refused, and why."""
    body: api.Ask = request.body
    request.services.commands.take(request.me.user.id)
    found = await request.services.tables.check(request.table, request.me.user.id, body.command)
    return api.Verdict(found is None, None if found is None else as_error(found))


async def record(request: ApiRequest) -> Response:
    """Return the record of a finished game."""
    table = request.table
    body = await request.services.tables.record(table, request.user)
    named = ("content-disposition", f'attachment; filename="{table}.bohn"')
    return Response(200, body, NDJSON, (named,))


# -- chat ----------------------------------------------------------------------------------------------------


async def read_chat(request: ApiRequest) -> api.ChatPage:
    """Return the chat after a line."""
    return api.ChatPage(
        await request.services.chat.page(request.table, request.user, request.number("after") or 0)
    )


async def say(request: ApiRequest) -> frames.Line:
    """Write a line of chat."""
    body: api.SayBody = request.body
    user, table = request.me.user.id, request.table
    request.services.lines.take(user)
    return await request.services.chat.say(table, user, body.text, body.key)


async def delete_line(request: ApiRequest) -> api.Empty:
    """Delete a line of chat."""
    user, table = request.me.user.id, request.table
    request.services.lines.take(user)
    await request.services.chat.delete(table, user, request.line())
    return api.Empty()


async def report_line(request: ApiRequest) -> api.Empty:
    """Report a line of chat to the operator."""
    body: api.ReportBody = request.body
    user, table = request.me.user.id, request.table
    request.services.lines.take(user)
    request.services.reports.take(user)
    await request.services.chat.report(table, user, request.line(), body.reason)
    return api.Empty()


async def report_person(request: ApiRequest) -> api.Empty:
    """Report somebody at the table to the operator."""
    body: api.ReportPerson = request.body
    user, table = request.me.user.id, request.table
    request.services.reports.take(user)
    await request.services.chat.report_person(table, user, body.user, body.reason)
    return api.Empty()
