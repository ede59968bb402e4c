"""Accounts, as the store sees them: handles, passkeys, recovery codes, and challenges to be answered.

Whatever can be used once is deleted by whoever uses it, and only one of two who try at once is told that it
was there. Times are in ms since 1970.
"""

from __future__ import annotations

from typing import Literal, Protocol

from msgspec import Struct

ChallengeKind = Literal["register", "sign-in", "confirm", "mail", "way-back"]
"""What a challenge is for; the answer to one kind is none to another.

``mail`` and ``way-back`` are links in letters: who has the ticket has answered.
"""


class Account(Struct, frozen=True, gc=False):
    """A user who has an account; ``key`` is the same for handles that look alike, and unique."""

    user: str
    handle: str
    key: str
    created: int


class Passkey(Struct, frozen=True, gc=False):
    """A passkey of an account: ``id`` is the authenticator's own, base64url, ``public_key`` is COSE.

    ``sign_count`` is the last one that the authenticator told; many never count, and tell 0.
    """

    id: str
    user: str
    public_key: bytes
    sign_count: int
    created: int
    used: int
    label: str = ""
    backed_up: bool = False


class Challenge(Struct, frozen=True, gc=False):
    """A challenge, by the SHA-256 of its ticket (hex), for the session (its digest) that has asked for it.

    ``session`` is empty for a stranger. ``about`` is the handle that somebody wants with his first
    passkey, or the channel whose address got the letter.
    """

    digest: str
    kind: ChallengeKind
    challenge: bytes
    session: str
    about: str
    expires: int


class AccountStore(Protocol):
    """What a store offers to accounts. Every method raises ``StoreUnavailable``."""

    async def account_of(self, user: str) -> Account | None:
        """Return the account of a user, if he has one."""
        ...

    async def account_by_key(self, key: str) -> Account | None:
        """Return the account whose handle has this key."""
        ...

    async def handles_of(self, users: tuple[str, ...]) -> dict[str, str]:
        """Return the handles of those of these users who have an account."""
        ...

    async def open_account(self, account: Account, passkey: Passkey, codes: tuple[str, ...]) -> bool:
        """Store an account with its first passkey and the digests of its recovery codes, all or nothing.

        Return whether it was stored: the key may be taken, or the user have an account, or be forgotten.
        """
        ...

    async def passkey(self, passkey: str) -> Passkey | None:
        """Return a passkey by its id."""
        ...

    async def passkeys_of(self, user: str) -> tuple[Passkey, ...]:
        """Return the passkeys of a user, oldest first."""
        ...

    async def add_passkey(self, passkey: Passkey) -> bool:
        """Store another passkey; tell whether its user has an account and its id was not there."""
        ...

    async def use_passkey(self, passkey: str, sign_count: int, at: int) -> bool:
        """Note that a passkey was used; tell whether its count has gone on, or is still 0."""
        ...

    async def drop_passkey(self, user: str, passkey: str) -> bool:
        """Delete a passkey of a user unless it is his last; tell whether it was deleted."""
        ...

    async def put_challenge(self, challenge: Challenge, now: int) -> None:
        """Store a challenge, and delete those that have expired by ``now``."""
        ...

    async def take_challenge(self, digest: str) -> Challenge | None:
        """Delete a challenge and return it, expired or not; only one of two who try gets it."""
        ...

    async def replace_codes(self, user: str, codes: tuple[str, ...], at: int) -> None:
        """Let a user have these recovery codes (their digests) and no others."""
        ...

    async def use_code(self, digest: str) -> str | None:
        """Delete a recovery code and return whose it was; only one of two who try is told."""
        ...

    async def codes_left(self, user: str) -> int:
        """Return how many recovery codes a user has."""
        ...

    async def confirm(self, session: str, until: int, now: int) -> None:
        """Note until when a session is confirmed, and delete what has expired by ``now``."""
        ...

    async def confirmed_until(self, session: str) -> int:
        """Return until when a session is confirmed; 0 if it never was."""
        ...
