"""Endpoints of accounts: passkeys, signing in, recovery codes, and one's own data."""

from __future__ import annotations

from contextlib import suppress

from starlette.datastructures import Headers

from bohn.protocol import account, api
from bohn.protocol.refusals import Refusal
from bohn.server.accounts.export import export_of
from bohn.server.alerts.channels import mail_digest
from bohn.server.buckets import group
from bohn.server.letters import session_label
from bohn.server.people.names import clean_device
from bohn.server.settings import is_mail_address
from bohn.server.store.protocol import User
from bohn.server.web.api_request import ApiRequest, cookie_in
from bohn.server.web.people_routes import send_name, told


def _origin(request: ApiRequest) -> str:
    """Return the origin that was asked; whoever asks was checked to come from one of ours."""
    return f"{request.scope['scheme']}://{Headers(scope=request.scope).get('host', '').lower()}"


# -- passkeys ------------------------------------------------------------------------------------------------


async def show_account(request: ApiRequest) -> account.AccountInfo:
    """Return the account of the one who asks."""
    return await request.services.accounts.show(request.me)


async def begin_passkey(request: ApiRequest) -> account.CeremonyBegun:
    """Begin to make a passkey."""
    request.services.changes.take(request.me.user.id)
    body: account.BeginPasskey = request.body
    return await request.services.accounts.begin_passkey(request.me, body.handle, _origin(request))


async def make_passkey(request: ApiRequest) -> account.PasskeyMade:
    """Store a passkey; a guest becomes an account with his first one."""
    request.services.changes.take(request.me.user.id)
    body: account.FinishPasskey = request.body
    accounts = request.services.accounts
    codes = await accounts.finish_passkey(
        request.me, body.ticket, body.credential, body.label, _origin(request)
    )
    if codes:
        request.services.people.drop_name(request.me.user.id)
        await send_name(request, request.me.user.id)
    return account.PasskeyMade(await accounts.show(request.me), codes)


async def drop_passkey(request: ApiRequest) -> account.AccountInfo:
    """Delete a passkey, but not the last one."""
    request.services.changes.take(request.me.user.id)
    await request.services.accounts.drop_passkey(request.me, request.path("passkey"))
    return await request.services.accounts.show(request.me)


async def new_codes(request: ApiRequest) -> account.RecoveryCodes:
    """Make new recovery codes; the old ones are void."""
    request.services.changes.take(request.me.user.id)
    return account.RecoveryCodes(await request.services.accounts.new_codes(request.me))


# -- coming back ---------------------------------------------------------------------------------------------


async def begin_sign_in(request: ApiRequest) -> account.CeremonyBegun:
    """Begin to sign in by a passkey."""
    request.services.sign_ins.take(group(request.address))
    return await request.services.accounts.begin_sign_in(_origin(request))


async def sign_in_by_passkey(request: ApiRequest) -> api.Me:
    """Sign in by a passkey; whoever this browser was before, he is the owner of the passkey now."""
    request.services.sign_ins.take(group(request.address))
    body: account.SignIn = request.body
    user = await request.services.accounts.finish_sign_in(body.ticket, body.credential, _origin(request))
    return await _signed_in(request, user, body.label)


async def sign_in_by_code(request: ApiRequest) -> api.Me:
    """Sign in by a recovery code, which is used up."""
    request.services.sign_ins.take(group(request.address))
    body: account.UseCode = request.body
    user = await request.services.accounts.recover(body.code)
    return await _signed_in(request, user, body.label)


async def ask_way_back(request: ApiRequest) -> api.Empty:
    """Send a link into an account, behind the answer: that is the same whether the address is known or not.

    Letters are counted by network, and by address without a word: who asks too often is sent nothing more.
    """
    services = request.services
    services.way_back.require_offered()
    services.sign_ins.take(group(request.address))
    services.mails.take(f"back-from:{group(request.address)}")
    body: account.AskWayBack = request.body
    if is_mail_address(body.address.strip()):
        with suppress(Refusal):
            services.mails.take(f"back-to:{mail_digest(body.address)}")
            services.background(services.way_back.send(body.address))
    return api.Empty()


async def use_way_back(request: ApiRequest) -> api.Me:
    """Sign in by a link that was sent by e-mail, which is used up; the list of sessions tells it."""
    request.services.sign_ins.take(group(request.address))
    body: account.UseWayBack = request.body
    user = await request.services.way_back.use(body.token)
    return await _signed_in(request, user, session_label(user.language, clean_device(body.label)))


async def _signed_in(request: ApiRequest, user: User, label: str) -> api.Me:
    """Make a session for a user; one of his that this browser had before ends."""
    before = await request.services.people.who(cookie_in(request.scope), cookie=True)
    request.sign_in(await request.services.people.log_in(user, label))
    if before is not None and before.user.id == user.id:
        await request.services.store.revoke_session(before.session.digest)
        request.services.sign_out(before.session.digest)
    await request.services.accounts.confirm(request.me)
    return await told(request)


async def begin_confirm(request: ApiRequest) -> account.CeremonyBegun:
    """Begin to confirm this session by a passkey of its account."""
    request.services.sign_ins.take(group(request.address))
    return await request.services.accounts.begin_confirm(request.me, _origin(request))


async def confirm(request: ApiRequest) -> account.AccountInfo:
    """Confirm this session: for some minutes it may change who can sign in."""
    request.services.sign_ins.take(group(request.address))
    body: account.Confirm = request.body
    accounts = request.services.accounts
    await accounts.finish_confirm(request.me, body.ticket, body.credential, _origin(request))
    return await accounts.show(request.me)


# -- one's data ----------------------------------------------------------------------------------------------


async def export_me(request: ApiRequest) -> account.Export:
    """Return all that is stored of the one who asks."""
    services = request.services
    services.replays.take(group(request.address))
    return await export_of(
        request.me, services.store, services.people, services.library, services.accounts, services.alerts
    )
