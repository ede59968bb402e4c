"""Endpoints of users: guests, their data, tokens, links and mutes."""

from __future__ import annotations

from msgspec.structs import replace

from bohn.protocol import api
from bohn.protocol.frames import People
from bohn.protocol.refusals import Problem, Refusal
from bohn.server.buckets import group
from bohn.server.people.service import TOKEN_ID, Identity, me
from bohn.server.store.protocol import Link
from bohn.server.tables.notices import MutesChanged, Renamed
from bohn.server.web.api_request import ApiRequest, cookie_in
from bohn.server.web.decoding import is_id


async def come_in(request: ApiRequest) -> api.Me:
    """Make a guest and set his cookie; a user who has one already stays the same and gets the new name."""
    body: api.NewGuest = request.body
    identity = await request.services.people.who(cookie_in(request.scope), cookie=True)
    if identity is not None:
        request.is_from(identity)
        return await _changed(request, api.ChangeMe(body.name, body.language))
    request.services.guests.take(group(request.address))
    user = await request.services.people.new_guest(body.name, body.language)
    request.sign_in(await request.services.people.log_in(user))
    return await told(request)


async def who_am_i(request: ApiRequest) -> api.Me:
    """Return the user who asks, with the sanction that holds for him."""
    return replace(await told(request), standing=request.services.standing(request.me, request.address))


async def change_me(request: ApiRequest) -> api.Me:
    """Change name and language, and send the new name to the user's tables."""
    return await _changed(request, request.body)


async def _changed(request: ApiRequest, change: api.ChangeMe) -> api.Me:
    request.services.changes.take(request.me.user.id)
    user = await request.services.people.change(request.me.user, change)
    await send_name(request, user.id)
    return await told(request, Identity(user, request.me.session))


async def told(request: ApiRequest, identity: Identity | None = None) -> api.Me:
    """Return what a user is shown about himself, with the handle of his account."""
    shown = me(request.me if identity is None else identity)
    people = await request.services.people.people((shown.user,))
    return replace(shown, handle=people[shown.user].handle)


async def send_name(request: ApiRequest, user: str) -> None:
    """Send a user's name and handle to all his tables; other workers drop what they remember."""
    request.services.tables.tell_others(Renamed(user))
    people = People(await request.services.people.people((user,)))
    for listing in await request.services.store.listings_of(user):
        request.services.tables.post(listing.table, people)


async def forget_me(request: ApiRequest) -> api.Empty:
    """Delete all data of a user and of the programs he has made; bots play on in their seats."""
    user = request.me.user.id
    await request.services.accounts.require_confirmed_if_any(request.me)
    for bot in await request.services.people.bots(user):
        await request.services.forget(bot)
    await request.services.forget(user)
    request.services.sign_out(request.me.session.digest)
    request.sign_out()
    return api.Empty()


# -- tokens --------------------------------------------------------------------------------------------------


async def list_tokens(request: ApiRequest) -> tuple[api.TokenInfo, ...]:
    """List cookies and tokens, and those of the programs he has made."""
    return await request.services.people.tokens(request.me)


async def make_token(request: ApiRequest) -> api.TokenMade:
    """Make a token, or a bot with one."""
    request.services.changes.take(request.me.user.id)
    return await request.services.people.make_token(request.me, request.body)


async def revoke_token(request: ApiRequest) -> api.Empty:
    """Revoke a cookie or token; what it has opened is closed. A token revokes itself and nothing else."""
    wanted, session = request.path("token"), request.me.session
    if not session.cookie and wanted != session.digest[:TOKEN_ID]:
        raise Refusal(Problem.SCOPE_MISSING, scope="cookie")
    gone = await request.services.people.revoke(request.me.user.id, wanted)
    request.services.sign_out(gone)
    if gone == session.digest and session.cookie:
        request.sign_out()
    return api.Empty()


# -- links ---------------------------------------------------------------------------------------------------


async def link_device(request: ApiRequest) -> api.LinkMade:
    """Make a link that logs another device in."""
    request.services.changes.take(request.me.user.id)
    await request.services.accounts.require_confirmed_if_any(request.me)
    return await request.services.people.link_to_device(request.me.user.id)


async def use_link(request: ApiRequest) -> api.LinkUsed:
    """Exchange a link for what it opens."""
    body: api.UseLink = request.body
    await request.recognise()
    known = request.identity
    request.services.changes.take(group(request.address) if known is None else known.user.id)
    if request.identity is not None and "play" not in request.identity.scopes:
        raise Refusal(Problem.SCOPE_MISSING, scope="play")
    link = await request.services.people.valid_link(body.token)
    if link.table is None:
        if not body.replace:
            await _require_same(request, link)
        user = await request.services.people.owner_of(link)
        request.sign_in(await request.services.people.log_in(user))
        await request.services.accounts.came_by_link(request.me, link)
        return api.LinkUsed(await told(request), None)
    if request.identity is None:
        request.services.guests.take(group(request.address))
        user = await request.services.people.new_guest(body.name, body.language)
        request.sign_in(await request.services.people.log_in(user))
    await request.services.people.grant_entry(link, request.me.user.id)
    return api.LinkUsed(await told(request), link.table)


async def _require_same(request: ApiRequest, link: Link) -> None:
    """Refuse a device link to a browser of another user: he would lose his cookie, and his seats with it."""
    if request.identity is None or request.identity.user.id == link.user:
        return
    owner = (await request.services.people.people((link.user or "",))).get(link.user or "")
    raise Refusal(Problem.SIGNED_IN_ALREADY, name="" if owner is None else owner.name)


async def list_links(request: ApiRequest) -> tuple[api.LinkInfo, ...]:
    """List the invitations this user may revoke."""
    return tuple(api.LinkInfo(link.id, link.created, link.expires) for link in await _own_links(request))


async def make_link(request: ApiRequest) -> api.LinkMade:
    """Make an invitation to a table; its host and everybody seated may."""
    user, table = request.me.user.id, request.table
    room = await request.services.tables.enter(table, user)
    if user != room.host and room.seat_of(user) is None:
        raise Refusal(Problem.NOT_HOST)
    return await request.services.people.link_to_table(table, user)


async def revoke_link(request: ApiRequest) -> api.Empty:
    """Revoke an invitation."""
    wanted = request.path("link")
    found = next((link for link in await _own_links(request) if link.id == wanted), None)
    if found is None:
        raise Refusal(Problem.NOT_FOUND)
    await request.services.people.revoke_link(found)
    return api.Empty()


async def _own_links(request: ApiRequest) -> tuple[Link, ...]:
    """Return the invitations of a table that this user may revoke: his own, or all as its host."""
    user, table = request.me.user.id, request.table
    room = await request.services.tables.enter(table, user)
    links = await request.services.people.links(table)
    return tuple(link for link in links if user in (room.host, link.created_by))


# -- mutes ---------------------------------------------------------------------------------------------------


async def list_mutes(request: ApiRequest) -> api.Mutes:
    """List the users whose chat this user has muted."""
    return api.Mutes(await request.services.chat.mutes(request.me.user.id))


async def mute(request: ApiRequest) -> api.Mutes:
    """Mute a user, or unmute him."""
    body: api.MuteBody = request.body
    user = request.me.user.id
    if not is_id(body.user):  # a database need not take every text, even to look for it
        raise Refusal(Problem.NOT_FOUND)
    muted = await request.services.chat.mute(user, body.user, on=body.on)
    await send_unread(request, user)
    return api.Mutes(muted)


async def send_unread(request: ApiRequest, user: str) -> None:
    """Let all workers show a user no more lines of whom he has muted or blocks."""
    unread = await request.services.chat.unread(user)
    request.services.tables.tell_others(MutesChanged(user, unread))
