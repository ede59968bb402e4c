"""Endpoints of the lobby: the catalog, the lists of tables, and opening a table."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import get_args

import msgspec
from msgspec.structs import replace

import bohn
from bohn.bots import DEFAULT, LEVELS, PLAYERS, current_name
from bohn.i18n.catalog import available
from bohn.protocol import api
from bohn.protocol.frames import PROTOCOL, Person
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import HOURS, ClockName
from bohn.protocol.room_commands import AnyRoomCommand, EndTable, SeatBot, Sit, Start
from bohn.rulebook.in_force import trades
from bohn.rules.editions import EDITIONS
from bohn.rules.errors import IllegalCommand
from bohn.rules.resolve import house_rules_for
from bohn.server.buckets import group
from bohn.server.lessons import LESSONS, Lesson
from bohn.server.people.chat import PHRASES
from bohn.server.room.clocks import HOUR, RESERVES, lengths
from bohn.server.settings import Settings, Times
from bohn.server.store.protocol import ListedSeat, Listing
from bohn.server.tables.api import Tables
from bohn.server.tables.turns import awaited_at
from bohn.server.web.api_request import ApiRequest
from bohn.server.web.open_midgame import open_midgame

BOTS_WITH_TRADING = ("beginner", "gentle", DEFAULT, "fair", "strong")
"""The computer players the catalog offers (docs/players.md), the easiest first; all play every edition."""

COMPILED_BOTS = ("strongest",)
"""Computer players offered only where their code is compiled; elsewhere they play as `strong`."""

BOTS_WITHOUT_TRADING = ("beginner", DEFAULT, "gentle", "fair", "strong")
"""The same in editions without trading, where the default one is hardly better than a beginner."""

COMPANION = "gentle"
"""The usual computer player where one trades: easy company that hears what one says and offers back."""


async def catalog(request: ApiRequest) -> api.Catalog:
    """Return the catalog: editions, house rules, clocks, bots, phrases, languages and lessons."""
    services = request.services
    offer = replace(services.accounts.offer, mail=services.way_back.offered)
    return _catalog(services.settings, services.searches(), offer)


@cache
def _catalog(settings: Settings, searches: bool, accounts: api.AccountsOffer) -> api.Catalog:
    times = settings.times
    return api.Catalog(
        protocol=PROTOCOL,
        product=f"bohn {bohn.__version__}",
        editions=tuple(_edition(edition, searches) for edition in EDITIONS),
        clocks=tuple(_clock(clock, times) for clock in get_args(ClockName)),
        bots=(*PLAYERS, *LEVELS),
        phrases=PHRASES,
        languages=available(),
        lessons=tuple(_lesson(lesson) for lesson in LESSONS.values()),
        share=settings.share,
        accounts=accounts,
    )


def _clock(clock: ClockName, times: Times) -> api.ClockInfo:
    decision, trading = lengths(clock, times) or (None, None)
    return api.ClockInfo(clock, decision, trading, RESERVES * HOURS.get(clock, 0) * HOUR)


def _lesson(lesson: Lesson) -> api.LessonInfo:
    rules = lesson.rules
    return api.LessonInfo(lesson.name, rules.edition, rules.house_rules, lesson.seat, lesson.names)


def _edition(edition: str, searches: bool) -> api.EditionInfo:
    """Return an edition: its numbers of players, its house rules for any of them, and its bots."""
    values: dict[str, dict[str, None]] = {}
    for rules in EDITIONS[edition].values():
        for text in house_rules_for(rules):
            key, _, value = text.partition("=")
            values.setdefault(key, {})[value] = None
    house_rules = {key: tuple(found) for key, found in values.items()}
    trading = (*BOTS_WITH_TRADING, *COMPILED_BOTS) if searches else BOTS_WITH_TRADING
    bots = trading if any(map(trades, EDITIONS[edition].values())) else BOTS_WITHOUT_TRADING
    usual = DEFAULT if bots is BOTS_WITHOUT_TRADING else COMPANION
    return api.EditionInfo(edition, tuple(EDITIONS[edition]), house_rules, bots, usual)


async def list_tables(request: ApiRequest) -> api.TableList:
    """List the public tables, without those that nobody has used for long."""
    horizon = request.services.clock.now() - request.services.settings.times.stale_table
    listings = await request.services.store.listings()
    here = await request.services.tables.here(listings)
    return await list_of(request, tuple(one for one in listings if one.moved > horizon or here[one.table]))


async def list_own_tables(request: ApiRequest) -> api.TableList:
    """List the tables in which a user owns a seat, finished ones too, and say for what each game waits."""
    user, services = request.me.user.id, request.services
    listings = await services.store.listings_of(user)
    found = await list_of(request, listings)
    now = services.clock.now()
    told = []
    for one, info in zip(listings, found.tables, strict=True):
        waited = await _awaited(services.tables, one, user, now)
        waits = waited is not None and any(info.seats[seat].mine for seat in waited.seats)
        told.append(replace(info, waits=waits, awaited=waited, hosts=one.host == user))
    return api.TableList(tuple(told))


async def _awaited(tables: Tables, listing: Listing, user: str, now: int) -> api.Awaited | None:
    """Return for what a game waits; a table that cannot be read now is not told of."""
    if listing.status != "playing":
        return None
    try:
        return awaited_at(await tables.peek(listing.table), user, now)
    except Refusal:
        return None


async def look_at_link(request: ApiRequest) -> api.LinkSeen:
    """Return what a link would open, and use nothing up: who is invited sees the table before he comes in."""
    body: api.LinkBody = request.body
    await request.recognise()
    request.services.changes.take(group(request.address) if request.user is None else request.user)
    link = await request.services.people.valid_link(body.token)
    if link.table is None:
        return api.LinkSeen(None)
    listing = await request.services.store.listing(link.table)
    if listing is None:
        raise Refusal(Problem.LINK_NOT_VALID)
    return api.LinkSeen((await list_of(request, (listing,))).tables[0])


async def list_of(request: ApiRequest, listings: tuple[Listing, ...]) -> api.TableList:
    """Return listings as a user sees them, with the names of people."""
    named = {user for listing in listings for user in (listing.host, *listing.users) if user is not None}
    people = await request.services.people.people(tuple(sorted(named)))
    here = await request.services.tables.here(listings)
    tables = tuple(
        api.TableInfo(
            table=listing.table,
            status=listing.status,
            options=listing.options,
            host=None if listing.host is None else people[listing.host],
            people=tuple(people[user] for user in listing.users),
            bots=listing.bots,
            taken=len(listing.users) + listing.bots,
            here=here[listing.table],
            opened=listing.opened,
            moved=listing.moved,
            mine=request.user is not None and request.user in listing.users,
            seats=tuple(_seat(seat, people, request.user) for seat in listing.seats),
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


async def open_table(request: ApiRequest) -> api.TableMade:
    """Open a table, sit down, seat bots, and deal if asked for; after a refusal the new table is ended."""
    body: api.NewTable = request.body
    user = request.me.user.id
    request.services.commands.take(user, 2.0)
    for bot in body.bots:
        if current_name(bot) not in PLAYERS:
            raise Refusal(Problem.UNKNOWN_BOT, expected=(*PLAYERS, *LEVELS))
    if body.origin is not None or body.lesson is not None:
        return await open_midgame(request, body)
    if len(body.bots) + body.sit > body.options.players:
        raise Refusal(Problem.OPTIONS_NOT_VALID, what="bots")
    wanted = msgspec.json.encode(body).decode()
    table, fresh = await request.services.tables.open_once(user, body.options, request.key(), wanted)
    seq = 1
    try:
        for number, command in enumerate(_first_commands(body)):
            seq = await request.services.tables.execute(table, user, f"open:{number}", command)
    except (Refusal, IllegalCommand) as refused:
        if fresh and not _is_temporary(refused):  # what an earlier request has opened is played by now
            await request.services.tables.execute(table, user, "open:end", EndTable())
        raise
    return api.TableMade(table, seq)


def _is_temporary(refused: Refusal | IllegalCommand) -> bool:
    """Tell whether the refusal is temporary, so that the same request may be sent again."""
    return isinstance(refused, Refusal) and refused.problem in (Problem.NOT_SAVED, Problem.SERVER_STOPPING)


def _first_commands(body: api.NewTable) -> list[AnyRoomCommand]:
    """Return the commands that fill a new table, in the name of its host."""
    commands: list[AnyRoomCommand] = [Sit(0, body.salt)] if body.sit else []
    commands += [SeatBot(place, bot) for place, bot in enumerate(body.bots, start=int(body.sit))]
    if body.start:
        commands.append(Start(DEFAULT))
    return commands
