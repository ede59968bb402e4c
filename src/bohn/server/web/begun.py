"""Opening a table whose game has begun before: an earlier game goes on, or a lesson begins."""

from __future__ import annotations

from contextlib import suppress

import msgspec

from bohn.server.buckets import group
from bohn.server.lessons import LESSONS, Lesson
from bohn.server.refusals import Problem, Refusal
from bohn.server.room.commands import EndTable
from bohn.server.room.state import Options, Origin
from bohn.server.tables.beginning import Beginning, played_on
from bohn.server.web.calls import Call
from bohn.server.web.decoding import is_id
from bohn.server.wire import api

ENTRIES_A_TOKEN = 500
"""To begin behind so many entries costs as much as one more command."""


async def open_begun(call: Call, body: api.NewTable) -> api.TableMade:
    """Open a table with an ``origin``, or with a ``lesson``."""
    user = call.me.user.id
    wish = msgspec.json.encode(body).decode()
    if body.lesson is not None:
        if body.origin is not None or body.lesson not in LESSONS:
            raise Refusal(Problem.OPTIONS_NOT_VALID, what="lesson")
        beginning = _lesson(LESSONS[body.lesson])
    else:
        assert body.origin is not None  # noqa: S101 - one of them is set
        beginning = await _origin(call, body, body.origin)
    table, fresh = await call.site.tables.open_begun(user, beginning, call.key(), wish)
    if fresh and body.lesson is not None:
        await _end_other_lessons(call, user, table)
    return api.TableMade(table, len(beginning.entries) + 1)


def _lesson(lesson: Lesson) -> Beginning:
    """Return the table of a lesson: no clock, and nobody else."""
    rules = lesson.rules
    options = Options(rules.edition, rules.players, rules.house_rules, spectators=False)
    bots = tuple((lesson.name, name) for name in lesson.names)
    return Beginning(options, lesson.seat, bots, lesson.entries, lesson=lesson.name)


async def _origin(call: Call, body: api.NewTable, origin: Origin) -> Beginning:
    """Return how an earlier game goes on; whoever may watch all of it may play it on."""
    library = call.site.library
    if (origin.table is None) == (origin.record is None):
        raise Refusal(Problem.OPTIONS_NOT_VALID, what="origin")
    if not is_id(origin.table or origin.record or ""):
        raise Refusal(Problem.NO_SUCH_TABLE if origin.record is None else Problem.NO_SUCH_RECORD)
    if origin.entry >= call.site.settings.limits.begun_entries:
        raise Refusal(Problem.OPTIONS_NOT_VALID, what="entry")
    call.site.commands.take(call.me.user.id, 1 + max(0, origin.entry) / ENTRIES_A_TOKEN)
    call.site.replays.take(group(call.address))
    game = await (
        library.of_record(origin.record or "")
        if origin.table is None
        else library.of_table(origin.table, call.user)
    )
    return played_on(game, origin, body.options.clock, body.bots)


async def _end_other_lessons(call: Call, user: str, table: str) -> None:
    """End the lessons that were left for this one: nobody comes back to them."""
    for listing in await call.site.store.listings_of(user):
        left = listing.lesson is not None and listing.status == "playing" and listing.host == user
        if left and listing.table != table:
            with suppress(Refusal):  # then it stays; the new one is there all the same
                await call.site.tables.execute(listing.table, user, "lesson:end", EndTable())
