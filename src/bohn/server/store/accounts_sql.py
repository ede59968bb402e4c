"""The SQL of accounts, for SQLite and PostgreSQL alike, and the part of both stores that runs it.

Parameters are written ``$1``; SQLite calls them ``?1``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import astuple, replace

from bohn.server.store.accounts import Account, Challenge, Passkey
from bohn.server.store.operating_sql import Statement
from bohn.server.store.retaining_sql import Dialect

_ACCOUNT = "user_id, handle, handle_key, created"
ACCOUNT_OF = f"SELECT {_ACCOUNT} FROM accounts WHERE user_id = $1"  # noqa: S608 - a constant
ACCOUNT_BY_KEY = f"SELECT {_ACCOUNT} FROM accounts WHERE handle_key = $1"  # noqa: S608 - a constant
OPEN = f"""
    INSERT INTO accounts ({_ACCOUNT})
    SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS BIGINT)
    WHERE EXISTS (SELECT 1 FROM users WHERE id = $1 AND name <> '')
    ON CONFLICT DO NOTHING
"""  # noqa: S608 - a constant
"""Writes nothing if the user is forgotten or has an account, or if somebody has a handle with this key."""

_PASSKEY = "id, user_id, public_key, sign_count, created, used, label, backed_up"
PASSKEY = f"SELECT {_PASSKEY} FROM passkeys WHERE id = $1"  # noqa: S608 - a constant
PASSKEYS_OF = f"SELECT {_PASSKEY} FROM passkeys WHERE user_id = $1 ORDER BY created, id"  # noqa: S608 - a constant
FIRST_PASSKEY = f"INSERT INTO passkeys ({_PASSKEY}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"  # noqa: S608 - constant
ADD_PASSKEY = f"""
    INSERT INTO passkeys ({_PASSKEY})
    SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), $3, CAST($4 AS BIGINT), CAST($5 AS BIGINT),
           CAST($6 AS BIGINT), CAST($7 AS TEXT), $8
    WHERE EXISTS (SELECT 1 FROM accounts WHERE user_id = $2)
    ON CONFLICT DO NOTHING
"""  # noqa: S608 - a constant
USE_PASSKEY = """
    UPDATE passkeys SET sign_count = $2, used = $3
    WHERE id = $1 AND (sign_count < $2 OR (sign_count = 0 AND $2 = 0))
"""
DROP_PASSKEY = """
    DELETE FROM passkeys WHERE user_id = $1 AND id = $2
        AND (SELECT count(*) FROM passkeys WHERE user_id = $1) > 1
"""

_CHALLENGE = "digest, kind, challenge, session, about, expires"
CHALLENGE = f"SELECT {_CHALLENGE} FROM challenges WHERE digest = $1"  # noqa: S608 - a constant
PUT_CHALLENGE = f"INSERT INTO challenges ({_CHALLENGE}) VALUES ($1, $2, $3, $4, $5, $6)"  # noqa: S608 - a constant
DROP_CHALLENGE = "DELETE FROM challenges WHERE digest = $1"
DROP_CHALLENGES = "DELETE FROM challenges WHERE expires <= $1"

PUT_CODE = "INSERT INTO recovery_codes (digest, user_id, created) VALUES ($1, $2, $3)"
DROP_CODES = "DELETE FROM recovery_codes WHERE user_id = $1"
CODE = "SELECT user_id FROM recovery_codes WHERE digest = $1"
DROP_CODE = "DELETE FROM recovery_codes WHERE digest = $1"
COUNT_CODES = "SELECT count(*) FROM recovery_codes WHERE user_id = $1"

CONFIRM = """
    INSERT INTO confirmations (session, until) VALUES ($1, $2)
    ON CONFLICT (session) DO UPDATE SET until = excluded.until
"""
CONFIRMED = "SELECT until FROM confirmations WHERE session = $1"
DROP_CONFIRMATIONS = "DELETE FROM confirmations WHERE until <= $1"

FORGET_ACCOUNT = ("accounts", "passkeys", "recovery_codes")
"""The tables of whose rows each belongs to the user in its column ``user_id``, and goes with him."""


class HoldingAccounts(ABC):
    """What :class:`bohn.server.store.accounts.AccountStore` offers, over ways to run statements."""

    DIALECT: Dialect

    @abstractmethod
    async def _fetch(self, text: str, *params: Any) -> Sequence[Sequence[Any]]:
        """Return the rows that a query finds."""

    @abstractmethod
    async def _all_or_none(self, statements: Sequence[Statement]) -> bool:
        """Run statements in one transaction; if the first changes nothing, none is run: return whether."""

    @abstractmethod
    async def _changed(self, statements: Sequence[Statement]) -> list[int]:
        """Run statements in one transaction; return how many rows each has changed."""

    async def account_of(self, user: str) -> Account | None:
        """Return the account of a user, if he has one."""
        return next((Account(*row) for row in await self._fetch(ACCOUNT_OF, user)), None)

    async def account_by_key(self, key: str) -> Account | None:
        """Return the account whose handle has this key."""
        return next((Account(*row) for row in await self._fetch(ACCOUNT_BY_KEY, key)), None)

    async def handles_of(self, users: tuple[str, ...]) -> dict[str, str]:
        """Return the handles of those of these users who have an account."""
        among = self.DIALECT.among.format(self.DIALECT.ids)
        text = f"SELECT user_id, handle FROM accounts WHERE user_id {among}"  # noqa: S608 - constants
        found = await self._fetch(text, msgspec.json.encode(users).decode())
        return {user: handle for user, handle in found}  # noqa: C416 - rows are no pairs to mypy

    async def open_account(self, account: Account, passkey: Passkey, codes: tuple[str, ...]) -> bool:
        """Store an account with its first passkey and its recovery codes, all or nothing."""
        made: list[Statement] = [(PUT_CODE, (code, account.user, account.created)) for code in codes]
        return await self._all_or_none([(OPEN, astuple(account)), (FIRST_PASSKEY, astuple(passkey)), *made])

    async def passkey(self, passkey: str) -> Passkey | None:
        """Return a passkey by its id."""
        return next(map(_passkey, await self._fetch(PASSKEY, passkey)), None)

    async def passkeys_of(self, user: str) -> tuple[Passkey, ...]:
        """Return the passkeys of a user, oldest first."""
        return tuple(map(_passkey, await self._fetch(PASSKEYS_OF, user)))

    async def add_passkey(self, passkey: Passkey) -> bool:
        """Store another passkey; tell whether its user has an account and its id was not there."""
        return await self._all_or_none([(ADD_PASSKEY, astuple(passkey))])

    async def use_passkey(self, passkey: str, sign_count: int, at: int) -> bool:
        """Note that a passkey was used; tell whether its count has gone on, or is still 0."""
        return await self._all_or_none([(USE_PASSKEY, (passkey, sign_count, at))])

    async def drop_passkey(self, user: str, passkey: str) -> bool:
        """Delete a passkey of a user unless it is his last; tell whether it was deleted."""
        return await self._all_or_none([(DROP_PASSKEY, (user, passkey))])

    async def put_challenge(self, challenge: Challenge, now: int) -> None:
        """Store a challenge, and delete those that have expired by ``now``."""
        await self._changed([(DROP_CHALLENGES, (now,)), (PUT_CHALLENGE, astuple(challenge))])

    async def take_challenge(self, digest: str) -> Challenge | None:
        """Delete a challenge and return it, expired or not; only one of two who try gets it."""
        found = next((Challenge(*row) for row in await self._fetch(CHALLENGE, digest)), None)
        return found if await self._all_or_none([(DROP_CHALLENGE, (digest,))]) else None

    async def replace_codes(self, user: str, codes: tuple[str, ...], at: int) -> None:
        """Let a user have these recovery codes and no others."""
        await self._changed([(DROP_CODES, (user,)), *((PUT_CODE, (code, user, at)) for code in codes)])

    async def use_code(self, digest: str) -> str | None:
        """Delete a recovery code and return whose it was; only one of two who try is told."""
        found = next((str(user) for (user,) in await self._fetch(CODE, digest)), None)
        return found if await self._all_or_none([(DROP_CODE, (digest,))]) else None

    async def codes_left(self, user: str) -> int:
        """Return how many recovery codes a user has."""
        ((left,),) = await self._fetch(COUNT_CODES, user)
        return int(left)

    async def confirm(self, session: str, until: int, now: int) -> None:
        """Note until when a session is confirmed, and delete what has expired by ``now``."""
        await self._changed([(DROP_CONFIRMATIONS, (now,)), (CONFIRM, (session, until))])

    async def confirmed_until(self, session: str) -> int:
        """Return until when a session is confirmed; 0 if it never was."""
        return next((int(until) for (until,) in await self._fetch(CONFIRMED, session)), 0)


def _passkey(row: Sequence[Any]) -> Passkey:
    return replace(Passkey(*row), backed_up=bool(row[-1]))
