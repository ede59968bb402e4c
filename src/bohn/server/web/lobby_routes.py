"""The lobby: what may be played, which tables there are, and opening one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec

import bohn
from bohn.bots import DEFAULT, PLAYERS
from bohn.i18n.catalog import available
from bohn.rulebook.holding import trades
from bohn.rules.editions import EDITIONS
from bohn.rules.errors import IllegalCommand
from bohn.rules.resolve import house_rules_for
from bohn.server.chat import PHRASES
from bohn.server.lessons import LESSONS, Lesson
from bohn.server.refusals import Problem, Refusal
from bohn.server.room.commands import AnyRoomCommand, EndTable, SeatBot, Sit, Start
from bohn.server.settings import Settings
from bohn.server.store.protocol import ListedSeat, Listing
from bohn.server.web.begun import open_begun
from bohn.server.web.calls import Call
from bohn.server.wire import api
from bohn.server.wire.frames import PROTOCOL, Person

TRADERS = (DEFAULT, "strong", "fair", "gentle", "b4", "b3", "b6", "b3u", "no-trade", "random")
"""The computer players worth meeting (docs/players.md), the usual one first; all play every edition."""

SEARCHERS = ("strongest",)
"""Those worth meeting too where their code is compiled; elsewhere they play as `strong`."""

FARMERS = (DEFAULT, "strong", "b4", "b6", "b3", "random")
"""Those that play otherwise than another where nobody trades."""


async def catalog(call: Call) -> api.Catalog:
    """Tell what a table may be made of."""
    return _catalog(call.site.settings, call.site.searches())


@cache
def _catalog(settings: Settings, searches: bool) -> api.Catalog:
    times = settings.times
    return api.Catalog(
        protocol=PROTOCOL,
        product=f"bohn {bohn.__version__}",
        editions=tuple(_edition(edition, searches) for edition in EDITIONS),
        clocks=(
            api.ClockInfo("none", None, None),
            api.ClockInfo("slow", times.slow_decision, times.slow_trading),
            api.ClockInfo("fast", times.fast_decision, times.fast_trading),
        ),
        bots=tuple(PLAYERS),
        phrases=PHRASES,
        languages=available(),
        lessons=tuple(_lesson(lesson) for lesson in LESSONS.values()),
        share=settings.share,
    )


def _lesson(lesson: Lesson) -> api.LessonInfo:
    rules = lesson.rules
    return api.LessonInfo(lesson.name, rules.edition, rules.house_rules, lesson.seat, lesson.names)


def _edition(edition: str, searches: bool) -> api.EditionInfo:
    """Return the numbers of players of an edition, its house rules for any of them, and who plays it."""
    values: dict[str, dict[str, None]] = {}
    for rules in EDITIONS[edition].values():
        for text in house_rules_for(rules):
            key, _, value = text.partition("=")
            values.setdefault(key, {})[value] = None
    house_rules = {key: tuple(found) for key, found in values.items()}
    traders = (*TRADERS[:1], *SEARCHERS, *TRADERS[1:]) if searches else TRADERS
    bots = traders if any(map(trades, EDITIONS[edition].values())) else FARMERS
    return api.EditionInfo(edition, tuple(EDITIONS[edition]), house_rules, bots)


async def list_tables(call: Call) -> api.TableList:
    """List the tables that are shown to everybody; those left behind are not."""
    horizon = call.site.ambient.now() - call.site.settings.times.stale_table
    listings = await call.site.store.listings()
    here = call.site.tables.here
    return await _list(call, tuple(one for one in listings if one.moved > horizon or here(one.table)))


async def list_own_tables(call: Call) -> api.TableList:
    """List the tables in which a user owns a seat, finished ones too."""
    return await _list(call, await call.site.store.listings_of(call.me.user.id))


async def _list(call: Call, listings: tuple[Listing, ...]) -> api.TableList:
    named = {user for listing in listings for user in (listing.host, *listing.users) if user is not None}
    people = await call.site.people.people(tuple(sorted(named)))
    tables = tuple(
        api.TableInfo(
            table=listing.table,
            status=listing.status,
            options=listing.options,
            host=None if listing.host is None else people[listing.host],
            people=tuple(people[user] for user in listing.users),
            bots=listing.bots,
            taken=len(listing.users) + listing.bots,
            here=call.site.tables.here(listing.table),
            opened=listing.opened,
            moved=listing.moved,
            mine=call.user is not None and call.user in listing.users,
            seats=tuple(_seat(seat, people, call.user) for seat in listing.seats),
            result=listing.result,
            origin=listing.origin,
            lesson=listing.lesson,
        )
        for listing in listings
    )
    return api.TableList(tables)


def _seat(seat: ListedSeat, people: Mapping[str, Person], user: str | None) -> api.SeatInfo:
    person = None if seat.user is None else people.get(seat.user)
    return api.SeatInfo(person, seat.bot, seat.name, mine=user is not None and seat.user == user)


async def open_table(call: Call) -> api.TableMade:
    """Open a table, sit down, seat bots, and deal if that is wanted; all of it or nothing."""
    body: api.NewTable = call.body
    user = call.me.user.id
    call.site.commands.take(user, 2.0)
    for bot in body.bots:
        if bot not in PLAYERS:
            raise Refusal(Problem.UNKNOWN_BOT, expected=tuple(PLAYERS))
    if body.origin is not None or body.lesson is not None:
        return await open_begun(call, body)
    if len(body.bots) + body.sit > body.options.players:
        raise Refusal(Problem.OPTIONS_NOT_VALID, what="bots")
    wish = msgspec.json.encode(body).decode()
    table, fresh = await call.site.tables.open_once(user, body.options, call.key(), wish)
    seq = 1
    try:
        for number, command in enumerate(_steps(body)):
            seq = await call.site.tables.execute(table, user, f"open:{number}", command)
    except (Refusal, IllegalCommand) as refused:
        if fresh and not _passing(refused):  # what an earlier request has opened is played by now
            await call.site.tables.execute(table, user, "open:end", EndTable())
        raise
    return api.TableMade(table, seq)


def _passing(refused: Refusal | IllegalCommand) -> bool:
    """Whether the same request may well succeed when it is sent again."""
    return isinstance(refused, Refusal) and refused.problem in (Problem.NOT_SAVED, Problem.SERVER_STOPPING)


def _steps(body: api.NewTable) -> list[AnyRoomCommand]:
    """Return what a new table's host does first."""
    steps: list[AnyRoomCommand] = [Sit(0, body.salt)] if body.sit else []
    steps += [SeatBot(place, bot) for place, bot in enumerate(body.bots, start=int(body.sit))]
    if body.start:
        steps.append(Start(DEFAULT))
    return steps
