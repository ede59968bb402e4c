"""Accounts: a guest becomes one with a passkey, and comes back by it, by a recovery code or another device.

A challenge is stored, holds for a few minutes, and is used up by the first answer, true or not. What changes
who can sign in wants a session that was confirmed just now: by a passkey, or by a recovery code.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from bohn.protocol import account as wire
from bohn.protocol.api import AccountsOffer
from bohn.protocol.refusals import Problem, Refusal
from bohn.server.accounts import ceremony
from bohn.server.accounts.codes import CODE_BYTES, CODES, LONGEST, code_digest, code_of
from bohn.server.accounts.handles import clean_handle, handle_key
from bohn.server.clock import TimeSource
from bohn.server.entropy import Entropy
from bohn.server.people.names import clean_device
from bohn.server.people.service import Identity, digest
from bohn.server.settings import LOCAL, Settings, relying_party_of
from bohn.server.store.accounts import Account, Challenge, ChallengeKind, Passkey
from bohn.server.store.counting import Counting
from bohn.server.store.protocol import Link, Store, User

CHALLENGE_BYTES = 32
"""Random bytes of a challenge, and of the ticket that goes with it."""

PASSKEY_ID = 16
"""First digits of the SHA-256 of a passkey's id that are its name here."""

LONGEST_TICKET = 200
"""Characters of what is looked up as a ticket or the id of a passkey; ids are of 1,023 bytes at most."""
LONGEST_ID = 1_400


class Accounts:
    """The accounts of one server."""

    def __init__(
        self,
        store: Store,
        clock: TimeSource,
        entropy: Entropy,
        settings: Settings,
        installed: Callable[[], bool] = ceremony.is_installed,
    ) -> None:
        """Use this store for everything; ``installed`` tells whether the libraries are there."""
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._settings = settings
        self._counting = Counting(store)
        self._loaded = False
        party = relying_party_of(settings)
        if party is None:
            self.offer = AccountsOffer("no-relying-party")
        elif not installed():
            self.offer = AccountsOffer("not-installed")
        else:
            self.offer = AccountsOffer("offered", party)

    def _require_offered(self) -> None:
        if self.offer.state != "offered":
            raise Refusal(Problem.NO_ACCOUNTS)

    async def _party(self, origin: str) -> ceremony.RelyingParty:
        """Return the relying party for a request to this origin; raises ``no-accounts``."""
        self._require_offered()
        if not self._loaded:
            await asyncio.to_thread(ceremony.load)
            self._loaded = True
        party = self.offer.relying_party
        return ceremony.RelyingParty(party, origins_of(party, self._settings.origins, origin))

    # -- becoming one ------------------------------------------------------------------------------------

    async def begin_passkey(self, identity: Identity, handle: str, origin: str) -> wire.CeremonyBegun:
        """Return what makes a passkey, the first one with the handle that somebody wants."""
        party, user = await self._party(origin), identity.user
        account = await self._store.account_of(user.id)
        if account is None:
            wanted = clean_handle(handle)
            await self._require_free(wanted)
        else:
            await self.require_confirmed(identity)
            wanted = account.handle
        known = await self._store.passkeys_of(user.id)
        self._require_room(len(known))
        challenge = self._entropy.token_bytes(CHALLENGE_BYTES)
        options = ceremony.creation_options(
            party, challenge, user.id, wanted, user.name, tuple(one.id for one in known)
        )
        about = wanted if account is None else ""
        return await self._begun("register", challenge, identity, options, about)

    async def finish_passkey(
        self, identity: Identity, ticket: str, credential: dict[str, Any], label: str, origin: str
    ) -> tuple[str, ...]:
        """Store a passkey; with the first one comes the account, whose recovery codes are returned."""
        party = await self._party(origin)
        challenge = await self._take(ticket, "register", identity)
        made = ceremony.verify_creation(party, challenge.challenge, credential)
        now = self._clock.now()
        passkey = Passkey(
            made.id,
            identity.user.id,
            made.public_key,
            made.sign_count,
            now,
            now,
            clean_device(label),
            made.backed_up,
        )
        if len(passkey.id) > LONGEST_ID or await self._store.passkey(passkey.id) is not None:
            raise Refusal(Problem.PASSKEY_NOT_VALID)
        if challenge.about:
            return await self._open(identity, challenge.about, passkey)
        await self.require_confirmed(identity)
        async with self._counting.alone(f"passkeys:{identity.user.id}"):
            self._require_room(len(await self._store.passkeys_of(identity.user.id)))
            if not await self._store.add_passkey(passkey):
                raise Refusal(Problem.PASSKEY_NOT_VALID)
        return ()

    async def _open(self, identity: Identity, handle: str, passkey: Passkey) -> tuple[str, ...]:
        codes = self._new_codes()
        account = Account(identity.user.id, handle, handle_key(handle), passkey.created)
        async with self._counting.alone("handles"):
            if await self._store.account_of(account.user) is not None:
                raise Refusal(Problem.PASSKEY_NOT_VALID)
            await self._require_free(handle)
            if not await self._store.open_account(account, passkey, tuple(map(code_digest, codes))):
                raise Refusal(Problem.HANDLE_TAKEN)
        await self.confirm(identity)
        return codes

    async def _require_free(self, handle: str) -> None:
        if await self._store.account_by_key(handle_key(handle)) is not None:
            raise Refusal(Problem.HANDLE_TAKEN)

    def _require_room(self, passkeys: int) -> None:
        most = self._settings.limits.passkeys_a_user
        if passkeys >= most:
            raise Refusal(Problem.TOO_MANY, most=most)

    async def drop_passkey(self, identity: Identity, passkey: str) -> None:
        """Delete a passkey by its name here; raises ``not-found``, and ``last-passkey``."""
        if await self._store.account_of(identity.user.id) is None:
            raise Refusal(Problem.NOT_FOUND)
        await self.require_confirmed(identity)
        async with self._counting.alone(f"passkeys:{identity.user.id}"):
            own = await self._store.passkeys_of(identity.user.id)
            found = next((one for one in own if passkey_name(one) == passkey), None)
            if found is None:
                raise Refusal(Problem.NOT_FOUND)
            if not await self._store.drop_passkey(identity.user.id, found.id):
                raise Refusal(Problem.LAST_PASSKEY)

    # -- coming back -------------------------------------------------------------------------------------

    async def find(self, handle: str) -> str:
        """Return the user with exactly this handle, however it is written; raises ``no-such-user``."""
        if not ceremony.is_installed():
            raise Refusal(Problem.NO_SUCH_USER)  # nobody has a handle
        try:
            wanted = clean_handle(handle.removeprefix("@"))
        except Refusal:
            raise Refusal(Problem.NO_SUCH_USER) from None
        account = await self._store.account_by_key(handle_key(wanted))
        if account is None or account.handle != wanted:
            raise Refusal(Problem.NO_SUCH_USER)
        return account.user

    async def begin_sign_in(self, origin: str) -> wire.CeremonyBegun:
        """Return what signs in; it is the same for everybody, so nobody learns who has an account."""
        challenge = self._entropy.token_bytes(CHALLENGE_BYTES)
        options = ceremony.request_options(await self._party(origin), challenge)
        return await self._begun("sign-in", challenge, None, options)

    async def finish_sign_in(self, ticket: str, credential: dict[str, Any], origin: str) -> User:
        """Return whose passkey has answered; raises ``passkey-not-valid``, whatever is wrong."""
        party = await self._party(origin)
        challenge = await self._take(ticket, "sign-in", None)
        return await self._asserted(party, challenge, credential)

    async def recover(self, code: str) -> User:
        """Use a recovery code up and return whose it was; raises ``code-not-valid``."""
        self._require_offered()
        found = await self._store.use_code(code_digest(code)) if 0 < len(code) <= LONGEST else None
        user = None if found is None else await self._named(found)
        if user is None:
            raise Refusal(Problem.CODE_NOT_VALID)
        return user

    async def confirm(self, identity: Identity) -> None:
        """Let a session count as confirmed: its owner has just shown who he is."""
        now = self._clock.now()
        await self._store.confirm(identity.session.digest, now + self._settings.times.confirmed, now)

    async def came_by_link(self, identity: Identity, link: Link) -> None:
        """Let a session count as confirmed that was opened by a device link made for an account.

        Whoever has an account makes such a link in a confirmed session only.
        """
        account = await self._store.account_of(identity.user.id)
        if account is not None and link.created >= account.created:
            await self.confirm(identity)

    async def _asserted(
        self, party: ceremony.RelyingParty, challenge: Challenge, credential: dict[str, Any]
    ) -> User:
        name = credential.get("id")
        known = await self._store.passkey(name) if isinstance(name, str) and _is_id(name) else None
        if known is None or not _names_user(credential, known.user):
            raise Refusal(Problem.PASSKEY_NOT_VALID)
        count = ceremony.verify_assertion(
            party, challenge.challenge, credential, known.public_key, known.sign_count
        )
        user = await self._named(known.user)
        if user is None or not await self._store.use_passkey(known.id, count, self._clock.now()):
            raise Refusal(Problem.PASSKEY_NOT_VALID)
        return user

    async def _named(self, user: str) -> User | None:
        """Return a user who is not forgotten."""
        found = (await self._store.users((user,))).get(user)
        return found if found is not None and found.name else None

    # -- confirming --------------------------------------------------------------------------------------

    async def begin_confirm(self, identity: Identity, origin: str) -> wire.CeremonyBegun:
        """Return what confirms a session by a passkey of its own user."""
        party = await self._party(origin)
        known = await self._store.passkeys_of(identity.user.id)
        if not known:
            raise Refusal(Problem.NO_ACCOUNT)
        challenge = self._entropy.token_bytes(CHALLENGE_BYTES)
        options = ceremony.request_options(party, challenge, tuple(one.id for one in known))
        return await self._begun("confirm", challenge, identity, options)

    async def finish_confirm(
        self, identity: Identity, ticket: str, credential: dict[str, Any], origin: str
    ) -> None:
        """Confirm a session by a passkey."""
        party = await self._party(origin)
        challenge = await self._take(ticket, "confirm", identity)
        if (await self._asserted(party, challenge, credential)).id != identity.user.id:
            raise Refusal(Problem.PASSKEY_NOT_VALID)
        await self.confirm(identity)

    async def require_confirmed(self, identity: Identity) -> None:
        """Raise ``confirm-first`` unless the session is confirmed."""
        if await self._store.confirmed_until(identity.session.digest) <= self._clock.now():
            raise Refusal(Problem.CONFIRM_FIRST)

    async def require_confirmed_if_any(self, identity: Identity) -> None:
        """Raise ``confirm-first`` for whoever has an account and is not confirmed; a guest may go on.

        So may everybody where accounts are offered no more: there is no way left to confirm anything.
        """
        if self.offer.state == "offered" and await self._store.account_of(identity.user.id) is not None:
            await self.require_confirmed(identity)

    # -- looking -----------------------------------------------------------------------------------------

    async def show(self, identity: Identity) -> wire.AccountInfo:
        """Return the account of a user; one without a handle is none."""
        account = await self._store.account_of(identity.user.id)
        if account is None:
            return wire.AccountInfo("", 0, (), 0, 0)
        passkeys = await self._store.passkeys_of(identity.user.id)
        until = await self._store.confirmed_until(identity.session.digest)
        return wire.AccountInfo(
            account.handle,
            account.created,
            tuple(
                wire.PasskeyInfo(passkey_name(one), one.label, one.created, one.used, one.backed_up)
                for one in passkeys
            ),
            await self._store.codes_left(identity.user.id),
            until if until > self._clock.now() else 0,
        )

    async def new_codes(self, identity: Identity) -> tuple[str, ...]:
        """Return new recovery codes; the old ones are void."""
        if await self._store.account_of(identity.user.id) is None:
            raise Refusal(Problem.NO_ACCOUNT)
        await self.require_confirmed(identity)
        codes = self._new_codes()
        await self._store.replace_codes(identity.user.id, tuple(map(code_digest, codes)), self._clock.now())
        return codes

    def _new_codes(self) -> tuple[str, ...]:
        return tuple(code_of(self._entropy.token_bytes(CODE_BYTES)) for _ in range(CODES))

    # -- challenges --------------------------------------------------------------------------------------

    async def _begun(
        self,
        kind: ChallengeKind,
        challenge: bytes,
        identity: Identity | None,
        options: dict[str, Any],
        about: str = "",
    ) -> wire.CeremonyBegun:
        secret = self._entropy.token_bytes(CHALLENGE_BYTES)
        ticket = base64.urlsafe_b64encode(secret).rstrip(b"=").decode()
        now = self._clock.now()
        session = "" if identity is None else identity.session.digest
        stored = Challenge(
            digest(ticket), kind, challenge, session, about, now + self._settings.times.challenge
        )
        await self._store.put_challenge(stored, now)
        return wire.CeremonyBegun(ticket, options)

    async def _take(self, ticket: str, kind: ChallengeKind, identity: Identity | None) -> Challenge:
        """Use a challenge up; raises ``passkey-not-valid`` for one that is unknown, late, or another's."""
        found = (
            await self._store.take_challenge(digest(ticket)) if 0 < len(ticket) <= LONGEST_TICKET else None
        )
        session = "" if identity is None else identity.session.digest
        if (
            found is None
            or found.kind != kind
            or found.session != session
            or found.expires <= self._clock.now()
        ):
            raise Refusal(Problem.PASSKEY_NOT_VALID)
        return found


def origins_of(party: str, configured: tuple[str, ...], asked: str) -> tuple[str, ...]:
    """Return the origins whose pages may use passkeys of a relying party.

    Those are its own by TLS, and those of the settings whose host is the party or below it. On localhost,
    which browsers trust without TLS, it is the one that was asked, whatever its port.
    """
    below = [origin.rstrip("/") for origin in configured if _is_under(origin, party)]
    local = [asked] if party == LOCAL and urlsplit(asked).hostname == LOCAL else []
    return tuple(dict.fromkeys((f"https://{party}", *below, *local)))


def _is_under(origin: str, party: str) -> bool:
    parts = urlsplit(origin)
    host = parts.hostname or ""
    return parts.scheme == "https" and (host == party or host.endswith(f".{party}"))


def passkey_name(passkey: Passkey) -> str:
    """Return what a passkey is called in addresses."""
    return sha256(passkey.id.encode()).hexdigest()[:PASSKEY_ID]


def _is_id(text: str) -> bool:
    return 0 < len(text) <= LONGEST_ID and text.isascii() and text.isprintable()


def _names_user(credential: dict[str, Any], user: str) -> bool:
    """Tell whether an answer names the owner of the passkey; a discoverable one says whose it is."""
    response = credential.get("response")
    handle = response.get("userHandle") if isinstance(response, dict) else None
    if handle in {None, ""}:
        return True
    own = base64.urlsafe_b64encode(user.encode()).rstrip(b"=").decode()
    return bool(handle == own)
