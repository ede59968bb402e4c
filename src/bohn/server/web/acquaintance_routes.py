"""Endpoints of people one knows: follows, blocks, invitations, profiles, and one's finished games."""

from __future__ import annotations

import re

from bohn.protocol import api, frames
from bohn.protocol import people as wire
from bohn.protocol.endpoints import HANDLE, SEARCH, Parameter
from bohn.protocol.refusals import Problem, Refusal
from bohn.server.people.acquaintances import free_table
from bohn.server.store.acquaintances import Wanted
from bohn.server.store.protocol import Listing
from bohn.server.tables.notices import SeenHere
from bohn.server.web.api_request import ApiRequest, query_text
from bohn.server.web.decoding import is_id
from bohn.server.web.lobby_routes import list_of
from bohn.server.web.people_routes import send_unread

LISTED = 200
"""Listed tables among which those of people one follows are looked for."""


async def list_acquaintances(request: ApiRequest) -> wire.Acquaintances:
    """Return whom this user follows and blocks, and what he is invited to; from now on he is here."""
    user = request.me.user.id
    if request.services.acquaintances.seen(user):
        request.services.tables.tell_others(SeenHere(user))
    return await _acquaintances(request, user)


async def _acquaintances(request: ApiRequest, user: str) -> wire.Acquaintances:
    services = request.services
    blocked = await services.acquaintances.known(await services.store.blocked_by(user))
    return wire.Acquaintances(
        await _followed(request, user),
        blocked,
        await _invitations(request, user),
        bool(await services.store.private_among((user,))),
    )


async def _followed(request: ApiRequest, user: str) -> tuple[wire.Followed, ...]:
    """Return whom a user follows, with where they are as far as he may know it."""
    services = request.services
    users = await services.store.follows_of(user)
    if not users:
        return ()
    shown = await services.acquaintances.shown_to(user, users)
    here = await services.acquaintances.here(users, services.connected()) & shown
    people = await services.people.people(users)
    kept_from = await services.store.blockers_of(user)
    listings = await services.store.listings(statuses=("open",), limit=LISTED)
    tables = {
        one: found for one in shown if (found := free_table(listings, one, user, kept_from)) is not None
    }
    infos = await _infos(request, tuple(tables.values()))
    return tuple(
        wire.Followed(one, people[one], one in here, infos[tables[one].table] if one in tables else None)
        for one in users
        if people[one].name
    )


async def _infos(request: ApiRequest, listings: tuple[Listing, ...]) -> dict[str, api.TableInfo]:
    """Return tables as lists show them, by their ids."""
    once = tuple({one.table: one for one in listings}.values())
    return {one.table: one for one in (await list_of(request, once)).tables}


async def _invitations(request: ApiRequest, user: str) -> tuple[wire.InvitationInfo, ...]:
    found = await request.services.acquaintances.invitations(user)
    infos = await _infos(request, tuple(listing for _, listing in found))
    people = await request.services.people.people(tuple({one.by for one, _ in found}))
    return tuple(
        wire.InvitationInfo(one.by, people[one.by], one.at, infos[listing.table]) for one, listing in found
    )


def _id(user: str) -> str:
    """Return an id of a body; raises ``not-found`` for what can be none."""
    if not is_id(user):  # a database need not take every text, even to look for it
        raise Refusal(Problem.NOT_FOUND)
    return user


async def follow(request: ApiRequest) -> wire.Acquaintances:
    """Follow somebody, or end that."""
    body: wire.FollowBody = request.body
    user = request.me.user.id
    request.services.changes.take(user)
    await request.services.acquaintances.follow(user, _id(body.user), on=body.on)
    return await _acquaintances(request, user)


async def block(request: ApiRequest) -> wire.Acquaintances:
    """Block somebody, or end that."""
    body: wire.BlockBody = request.body
    user = request.me.user.id
    request.services.changes.take(user)
    await request.services.acquaintances.block(user, _id(body.user), on=body.on)
    await send_unread(request, user)
    return await _acquaintances(request, user)


async def set_privacy(request: ApiRequest) -> wire.Acquaintances:
    """Keep one's profile private, or show it."""
    body: wire.PrivacyBody = request.body
    user = request.me.user.id
    request.services.changes.take(user)
    await request.services.store.set_private(user, on=body.private)
    return await _acquaintances(request, user)


async def find_person(request: ApiRequest) -> wire.KnownPerson:
    """Return the person with a handle."""
    request.services.changes.take(request.me.user.id)
    handle = _matching(query_text(request.scope, "handle"), HANDLE) or ""
    user = await request.services.accounts.find(handle)
    known = await request.services.acquaintances.known((user,))
    if not known:
        raise Refusal(Problem.NO_SUCH_USER)
    return known[0]


async def show_profile(request: ApiRequest) -> wire.Profile:
    """Return somebody's games in numbers."""
    user = request.path("user", Problem.NO_PROFILE)
    return await request.services.results.profile(user, request.me.user.id)


# -- invitations ---------------------------------------------------------------------------------------------


async def invite(request: ApiRequest) -> wire.InvitationsSent:
    """Invite people to a table; its host and everybody seated may."""
    body: wire.InviteBody = request.body
    user, table, services = request.me.user.id, request.table, request.services
    room = await services.tables.enter(table, user)
    if user != room.host and room.seat_of(user) is None:
        raise Refusal(Problem.NOT_HOST)
    if room.status not in ("open", "playing"):
        raise Refusal(Problem.TABLE_OVER)
    services.invitations.take(user, float(len(body.users)))
    invited = await services.acquaintances.invite(room, user, tuple(one for one in body.users if is_id(one)))
    by = (await services.people.people((user,)))[user]
    for one in invited:
        services.invited(one, frames.Invited(table, by))
    return wire.InvitationsSent(invited)


async def drop_invitation(request: ApiRequest) -> wire.Acquaintances:
    """Delete the invitations of this user to a table."""
    user = request.me.user.id
    await request.services.store.drop_invitations(user, request.table)
    return await _acquaintances(request, user)


# -- finished games ------------------------------------------------------------------------------------------


async def list_games(request: ApiRequest) -> wire.GamePage:
    """Return a page of this user's finished games that are looked for."""
    user, scope = request.me.user.id, request.scope
    found = {one.name: _matching(query_text(scope, one.name), one) for one in SEARCH if one.pattern}
    name, outcome = found["with"], found["result"]
    company = await request.services.results.company(user, name) if name else None
    wanted = Wanted(
        edition=found["edition"],
        players=request.number("players"),
        outcome=None if outcome is None else "won" if outcome == "won" else "lost",
        since=request.number("since"),
        until=request.number("until"),
        company=company,
        before=_before(found["before"]),
    )
    return await request.services.results.page(user, wanted)


def _matching(text: str | None, parameter: Parameter) -> str | None:
    """Return a parameter of the query; raises ``not-understood`` for what does not fit its pattern."""
    if text is not None and not re.match(parameter.pattern.removesuffix("$") + r"\Z", text):
        raise Refusal(Problem.NOT_UNDERSTOOD, path=f"?{parameter.name}")
    return text


def _before(text: str | None) -> tuple[int, str] | None:
    """Return where a page begins."""
    at, _, table = (text or "").partition(".")
    return (int(at), table) if text else None
