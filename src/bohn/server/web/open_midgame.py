"""Opening a table in the middle of a game: an earlier game is played on, or a lesson begins."""

from __future__ import annotations

from contextlib import suppress

import msgspec

from bohn.protocol import api
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Options, Origin
from bohn.protocol.room_commands import EndTable
from bohn.server.buckets import group
from bohn.server.lessons import LESSONS, Lesson
from bohn.server.tables.midgame import MidgameTable, played_on
from bohn.server.web.api_request import ApiRequest
from bohn.server.web.decoding import is_id

ENTRIES_A_TOKEN = 500
"""Entries of the earlier game that count as one command of the user's rate: each is replayed."""


async def open_midgame(request: ApiRequest, body: api.NewTable) -> api.TableMade:
    """Open a table with an ``origin``, or with a ``lesson``."""
    user = request.me.user.id
    wanted = msgspec.json.encode(body).decode()
    if body.lesson is not None:
        if body.origin is not None or body.lesson not in LESSONS:
            raise Refusal(Problem.OPTIONS_NOT_VALID, what="lesson")
        midgame = _lesson(LESSONS[body.lesson])
    else:
        assert body.origin is not None  # noqa: S101 - one of them is set
        midgame = await _origin(request, body, body.origin)
    table, fresh = await request.services.tables.open_midgame(user, midgame, request.key(), wanted)
    if fresh and body.lesson is not None:
        await _end_other_lessons(request, user, table)
    return api.TableMade(table, len(midgame.entries) + 1)


def _lesson(lesson: Lesson) -> MidgameTable:
    """Return how the table of a lesson begins: without a clock, and with bots in the other seats."""
    rules = lesson.rules
    options = Options(rules.edition, rules.players, rules.house_rules, spectators=False)
    bots = tuple((lesson.name, name) for name in lesson.names)
    return MidgameTable(options, lesson.seat, bots, lesson.entries, lesson=lesson.name)


async def _origin(request: ApiRequest, body: api.NewTable, origin: Origin) -> MidgameTable:
    """Return how the table of an earlier game begins; who may replay that game may play it on."""
    library = request.services.library
    if (origin.table is None) == (origin.record is None):
        raise Refusal(Problem.OPTIONS_NOT_VALID, what="origin")
    if not is_id(origin.table or origin.record or ""):
        raise Refusal(Problem.NO_SUCH_TABLE if origin.record is None else Problem.NO_SUCH_RECORD)
    if origin.entry >= request.services.settings.limits.begun_entries:
        raise Refusal(Problem.OPTIONS_NOT_VALID, what="entry")
    request.services.commands.take(request.me.user.id, 1 + max(0, origin.entry) / ENTRIES_A_TOKEN)
    request.services.replays.take(group(request.address))
    game = await (
        library.of_record(origin.record or "")
        if origin.table is None
        else library.of_table(origin.table, request.user)
    )
    return played_on(game, origin, body.options.clock, body.bots)


async def _end_other_lessons(request: ApiRequest, user: str, table: str) -> None:
    """End the user's other running lessons: nobody comes back to them."""
    for listing in await request.services.store.listings_of(user):
        running = listing.lesson is not None and listing.status == "playing" and listing.host == user
        if running and listing.table != table:
            with suppress(Refusal):  # then it stays; the new one is there all the same
                await request.services.tables.execute(listing.table, user, "lesson:end", EndTable())
