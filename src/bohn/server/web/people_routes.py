"""Coming in, being somebody, tokens, links and mutes."""

from __future__ import annotations

import structlog

from bohn.rules.errors import IllegalCommand
from bohn.server.buckets import group
from bohn.server.people import TOKEN_ID, Identity, me
from bohn.server.refusals import Problem, Refusal
from bohn.server.room.commands import Stand
from bohn.server.store.protocol import Link
from bohn.server.web.answers import as_error
from bohn.server.web.calls import Call, cookie_in
from bohn.server.wire import api
from bohn.server.wire.frames import LineDeleted, People

LOG = structlog.get_logger("bohn.people")


async def come_in(call: Call) -> api.Me:
    """Make a guest; somebody who is in already stays who he is and gets this name."""
    body: api.NewGuest = call.body
    identity = await call.site.people.who(cookie_in(call.scope), cookie=True)
    if identity is not None:
        call.identity = identity
        return await _changed(call, api.ChangeMe(body.name, body.language))
    call.site.guests.take(group(call.address))
    user = await call.site.people.new_guest(body.name, body.language)
    call.sign_in(await call.site.people.log_in(user))
    return me(call.me)


async def who_am_i(call: Call) -> api.Me:
    """Tell a user who he is."""
    return me(call.me)


async def change_me(call: Call) -> api.Me:
    """Change name and language, and tell his tables."""
    return await _changed(call, call.body)


async def _changed(call: Call, change: api.ChangeMe) -> api.Me:
    call.site.guests.take(group(call.address))
    user = await call.site.people.change(call.me.user, change)
    await _tell_tables(call, user.id)
    return me(Identity(user, call.me.session))


async def _tell_tables(call: Call, user: str) -> None:
    """Show the tables a user's name as it is now."""
    people = People(await call.site.people.people((user,)))
    for listing in await call.site.store.listings_of(user):
        call.site.tables.post(listing.table, people)


async def forget_me(call: Call) -> api.Empty:
    """Delete all a user has left; a bot plays on in his seats."""
    user = call.me.user.id
    listings = await call.site.store.listings_of(user)
    for listing in listings:
        if listing.status in ("open", "playing"):
            await _stand_up(call, listing.table, user)
    for table, line in await call.site.people.forget(user):
        call.site.tables.post(table, LineDeleted(line))
    nameless = People(await call.site.people.people((user,)))
    for listing in listings:
        call.site.tables.post(listing.table, nameless)
    call.site.tables.sign_out(user)
    call.site.connections.sign_out(call.me.session.digest)
    call.sign_out()
    return api.Empty()


async def _stand_up(call: Call, table: str, user: str) -> None:
    try:
        await call.site.tables.execute(table, user, f"forget:{call.site.ambient.token(8).hex()}", Stand())
    except (Refusal, IllegalCommand) as refused:  # his data goes all the same
        LOG.info("seat-kept", table=table, reason=as_error(refused).reason)


# -- tokens --------------------------------------------------------------------------------------------------


async def list_tokens(call: Call) -> tuple[api.TokenInfo, ...]:
    """List cookies and tokens."""
    return await call.site.people.tokens(call.me)


async def make_token(call: Call) -> api.TokenMade:
    """Make a token, or a bot with one."""
    call.site.guests.take(group(call.address))
    return await call.site.people.make_token(call.me, call.body)


async def revoke_token(call: Call) -> api.Empty:
    """Revoke a cookie or token; what it has opened is closed. A token revokes itself and nothing else."""
    wanted, session = call.path("token"), call.me.session
    if not session.cookie and wanted != session.digest[:TOKEN_ID]:
        raise Refusal(Problem.SCOPE_MISSING, scope="cookie")
    gone = await call.site.people.revoke(call.me.user.id, wanted)
    call.site.connections.sign_out(gone)
    if gone == session.digest and session.cookie:
        call.sign_out()
    return api.Empty()


# -- links ---------------------------------------------------------------------------------------------------


async def link_device(call: Call) -> api.LinkMade:
    """Make a link that logs another device in."""
    call.site.guests.take(group(call.address))
    return await call.site.people.link_to_device(call.me.user.id)


async def use_link(call: Call) -> api.LinkUsed:
    """Exchange a link for what it opens."""
    body: api.UseLink = call.body
    call.site.guests.take(group(call.address))
    await call.recognise()
    if call.identity is not None and "play" not in call.identity.scopes:
        raise Refusal(Problem.SCOPE_MISSING, scope="play")
    link = await call.site.people.valid_link(body.token)
    if link.table is None:
        if not body.replace:
            await _require_same(call, link)
        user = await call.site.people.owner_of(link)
        call.sign_in(await call.site.people.log_in(user))
        return api.LinkUsed(me(call.me), None)
    if call.identity is None:
        user = await call.site.people.new_guest(body.name, body.language)
        call.sign_in(await call.site.people.log_in(user))
    await call.site.people.enter_by(link, call.me.user.id)
    return api.LinkUsed(me(call.me), link.table)


async def _require_same(call: Call, link: Link) -> None:
    """Refuse to make somebody another user unasked: without his cookie his seats would be lost to him."""
    if call.identity is None or call.identity.user.id == link.user:
        return
    owner = (await call.site.people.people((link.user or "",))).get(link.user or "")
    raise Refusal(Problem.SIGNED_IN_ALREADY, name="" if owner is None else owner.name)


async def list_links(call: Call) -> tuple[api.LinkInfo, ...]:
    """List the invitations one may take back."""
    return tuple(api.LinkInfo(link.id, link.created, link.expires) for link in await _own_links(call))


async def make_link(call: Call) -> api.LinkMade:
    """Invite to a table: its host may, and whoever sits at it."""
    user, table = call.me.user.id, call.table
    room = await call.site.tables.enter(table, user)
    if user != room.host and room.seat_of(user) is None:
        raise Refusal(Problem.NOT_HOST)
    return await call.site.people.link_to_table(table, user)


async def revoke_link(call: Call) -> api.Empty:
    """Take an invitation back."""
    wanted = call.path("link")
    found = next((link for link in await _own_links(call) if link.id == wanted), None)
    if found is None:
        raise Refusal(Problem.NOT_FOUND)
    await call.site.people.revoke_link(found)
    return api.Empty()


async def _own_links(call: Call) -> tuple[Link, ...]:
    """Return the invitations of a table that this user may take back: his own, or all as its host."""
    user, table = call.me.user.id, call.table
    room = await call.site.tables.enter(table, user)
    links = await call.site.people.links(table)
    return tuple(link for link in links if user in (room.host, link.created_by))


# -- mutes ---------------------------------------------------------------------------------------------------


async def list_mutes(call: Call) -> api.Mutes:
    """List whom one does not read."""
    return api.Mutes(await call.site.chat.mutes(call.me.user.id))


async def mute(call: Call) -> api.Mutes:
    """Read somebody no more, or again."""
    body: api.MuteBody = call.body
    return api.Mutes(await call.site.chat.mute(call.me.user.id, body.user, on=body.on))
