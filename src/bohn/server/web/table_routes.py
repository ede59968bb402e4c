"""One table: what a viewer sees of it, what he may do, doing it, its record and its chat."""

from __future__ import annotations

import time

from bohn.server.refusals import Problem, Refusal
from bohn.server.web.answers import NDJSON, Answer, as_error
from bohn.server.web.calls import Call
from bohn.server.web.stream import serve_stream
from bohn.server.wire import api, frames
from bohn.views.preview import Preview


async def show(call: Call) -> frames.Welcome:
    """Show the whole table as this viewer may see it."""
    return await call.site.tables.welcome(call.table, call.user)


async def stream(call: Call) -> None:
    """Send frames, one a line, until one side ends it."""
    await serve_stream(call, call.table, call.number("since", "after"))


async def do(call: Call) -> api.Done:
    """Do a command, at most once by its id."""
    body: api.Do = call.body
    begun = time.perf_counter()
    user, table = call.me.user.id, call.table
    command_id = _command_id(call, body)
    call.site.commands.take(user)
    try:
        seq = await call.site.tables.execute(table, user, command_id, body.command)
    finally:
        call.site.metrics.acknowledged(time.perf_counter() - begun)
    return api.Done(command_id, seq)


def _command_id(call: Call, body: api.Do) -> str:
    """Return the id in the header or the body; without one nobody can ask again, so any will do."""
    named = call.key()
    if named and body.id not in (None, named):
        raise Refusal(Problem.NOT_UNDERSTOOD, path="Idempotency-Key")
    return named or body.id or call.site.ambient.token(12).hex()


async def legal(call: Call) -> api.Legal:
    """Tell what this user may do."""
    return await call.site.tables.legal(call.table, call.me.user.id)


async def draft(call: Call) -> Preview:
    """Tell what an offer would mean."""
    body: api.Draft = call.body
    call.site.commands.take(call.me.user.id)
    asked = frames.Draft("-", body.to, body.hand, body.face_up, body.want)
    return await call.site.tables.preview(call.table, call.me.user.id, asked)


async def check(call: Call) -> api.Verdict:
    """Tell whether a command would be refused."""
    body: api.Ask = call.body
    call.site.commands.take(call.me.user.id)
    found = await call.site.tables.check(call.table, call.me.user.id, body.command)
    return api.Verdict(found is None, None if found is None else as_error(found))


async def record(call: Call) -> Answer:
    """Hand out the record of a finished game."""
    table = call.table
    body = await call.site.tables.record(table, call.user)
    named = ("content-disposition", f'attachment; filename="{table}.bohn"')
    return Answer(200, body, NDJSON, (named,))


# -- chat ----------------------------------------------------------------------------------------------------


async def read_chat(call: Call) -> api.ChatPage:
    """Show the chat behind a line."""
    return api.ChatPage(await call.site.chat.page(call.table, call.user, call.number("after") or 0))


async def say(call: Call) -> frames.Line:
    """Say something."""
    body: api.SayBody = call.body
    user, table = call.me.user.id, call.table
    call.site.lines.take(user)
    return await call.site.chat.say(table, user, body.text, body.key)


async def delete_line(call: Call) -> api.Empty:
    """Delete a line."""
    user, table = call.me.user.id, call.table
    call.site.lines.take(user)
    await call.site.chat.delete(table, user, call.line())
    return api.Empty()


async def report_line(call: Call) -> api.Empty:
    """Report a line to the operator."""
    body: api.ReportBody = call.body
    user, table = call.me.user.id, call.table
    call.site.lines.take(user)
    await call.site.chat.report(table, user, call.line(), body.reason)
    return api.Empty()
