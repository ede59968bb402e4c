"""The part of the store in memory for accounts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from msgspec.structs import replace

from bohn.server.store.accounts import Account, Challenge, Passkey

if TYPE_CHECKING:
    from tests.server.support.memory_store import Backing


class MemoryAccounts(ABC):
    """Does what :class:`bohn.server.store.accounts.AccountStore` says."""

    @abstractmethod
    async def _ready(self) -> Backing:
        """Return the data."""

    async def account_of(self, user: str) -> Account | None:
        """Return the account of a user."""
        return (await self._ready()).accounts.get(user)

    async def account_by_key(self, key: str) -> Account | None:
        """Return the account whose handle has this key."""
        return next((one for one in (await self._ready()).accounts.values() if one.key == key), None)

    async def handles_of(self, users: tuple[str, ...]) -> dict[str, str]:
        """Return the handles of users."""
        accounts = (await self._ready()).accounts
        return {user: accounts[user].handle for user in users if user in accounts}

    async def open_account(self, account: Account, passkey: Passkey, codes: tuple[str, ...]) -> bool:
        """Store an account with its first passkey and its recovery codes."""
        data = await self._ready()
        user = data.users.get(account.user)
        taken = account.user in data.accounts or any(one.key == account.key for one in data.accounts.values())
        if taken or user is None or not user.name:
            return False
        data.accounts[account.user] = account
        data.passkeys[passkey.id] = passkey
        data.codes |= dict.fromkeys(codes, account.user)
        return True

    async def passkey(self, passkey: str) -> Passkey | None:
        """Return a passkey."""
        return (await self._ready()).passkeys.get(passkey)

    async def passkeys_of(self, user: str) -> tuple[Passkey, ...]:
        """Return the passkeys of a user, oldest first."""
        found = (one for one in (await self._ready()).passkeys.values() if one.user == user)
        return tuple(sorted(found, key=lambda one: (one.created, one.id)))

    async def add_passkey(self, passkey: Passkey) -> bool:
        """Store another passkey."""
        data = await self._ready()
        if passkey.user not in data.accounts or passkey.id in data.passkeys:
            return False
        data.passkeys[passkey.id] = passkey
        return True

    async def use_passkey(self, passkey: str, sign_count: int, at: int) -> bool:
        """Note that a passkey was used."""
        passkeys = (await self._ready()).passkeys
        known = passkeys.get(passkey)
        if known is None or not (sign_count > known.sign_count or sign_count == known.sign_count == 0):
            return False
        passkeys[passkey] = replace(known, sign_count=sign_count, used=at)
        return True

    async def drop_passkey(self, user: str, passkey: str) -> bool:
        """Delete a passkey of a user unless it is his last."""
        passkeys = (await self._ready()).passkeys
        own = {one.id for one in passkeys.values() if one.user == user}
        if passkey not in own or len(own) == 1:
            return False
        del passkeys[passkey]
        return True

    async def put_challenge(self, challenge: Challenge, now: int) -> None:
        """Store a challenge."""
        data = await self._ready()
        data.challenges = {key: one for key, one in data.challenges.items() if one.expires > now}
        data.challenges[challenge.digest] = challenge

    async def take_challenge(self, digest: str) -> Challenge | None:
        """Delete a challenge and return it."""
        return (await self._ready()).challenges.pop(digest, None)

    async def replace_codes(self, user: str, codes: tuple[str, ...], at: int) -> None:  # noqa: ARG002 - as stores
        """Let a user have these recovery codes and no others."""
        data = await self._ready()
        data.codes = {code: whose for code, whose in data.codes.items() if whose != user}
        data.codes |= dict.fromkeys(codes, user)

    async def use_code(self, digest: str) -> str | None:
        """Delete a recovery code and return whose it was."""
        return (await self._ready()).codes.pop(digest, None)

    async def codes_left(self, user: str) -> int:
        """Return how many recovery codes a user has."""
        return list((await self._ready()).codes.values()).count(user)

    async def confirm(self, session: str, until: int, now: int) -> None:
        """Note until when a session is confirmed."""
        data = await self._ready()
        data.confirmed = {key: one for key, one in data.confirmed.items() if one > now}
        data.confirmed[session] = until

    async def confirmed_until(self, session: str) -> int:
        """Return until when a session is confirmed."""
        return (await self._ready()).confirmed.get(session, 0)
