"""The way back into an account by e-mail: a link to a confirmed address, used once, with an end.

Whoever asks is told nothing of whether the address is known, not by the answer and not by its time: what is
to be done for it is done behind the answer.
"""

from __future__ import annotations

import base64

import msgspec

from bohn.protocol.refusals import Problem, Refusal
from bohn.server import letters
from bohn.server.accounts.service import CHALLENGE_BYTES, LONGEST_TICKET, Accounts
from bohn.server.alerts.channels import Mailbox, mail_digest
from bohn.server.clock import TimeSource
from bohn.server.entropy import Entropy
from bohn.server.mail import Mailer, NotMailed
from bohn.server.people.service import digest
from bohn.server.settings import Settings, own_address
from bohn.server.store.accounts import Account, Challenge
from bohn.server.store.alerts import Channel
from bohn.server.store.protocol import Store, User

MOST_ACCOUNTS = 5
"""Accounts of one address that a letter has links to, the oldest first."""


class WayBack:
    """Lets people in by e-mail who have confirmed their address since they have an account."""

    def __init__(
        self,
        store: Store,
        clock: TimeSource,
        entropy: Entropy,
        settings: Settings,
        mailer: Mailer,
        accounts: Accounts,
    ) -> None:
        """Use this store for everything, and send e-mail by this mailer."""
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._settings = settings
        self._mailer = mailer
        self.offered = mailer.offered and accounts.offer.state == "offered"

    def require_offered(self) -> None:
        """Raise ``channel-not-offered`` where nobody comes back by e-mail."""
        if not self.offered:
            raise Refusal(Problem.CHANNEL_NOT_OFFERED)

    async def send(self, address: str) -> None:
        """Send the links into the accounts of an address; if there is none, nothing is sent."""
        channels = await self._store.channels_found_by(mail_digest(address))
        ways = [await self._way(channel) for channel in channels]
        found = [way for way in ways if way is not None][:MOST_ACCOUNTS]
        if not found:
            return
        links = [(account.handle, await self._token(channel)) for channel, account, _ in found]
        (channel, _, user), minutes = found[0], self._settings.times.way_back // 60_000
        to = msgspec.json.decode(channel.address, type=Mailbox).to
        letter = letters.coming_back(to, user.language, own_address(self._settings), minutes, links)
        try:
            await self._mailer.send(letter)
        except NotMailed:
            return  # the log has it; whoever asked is told the same in any case

    async def use(self, token: str) -> User:
        """Use a link up and return whose account it opens; raises ``link-not-valid``."""
        self.require_offered()
        known = 0 < len(token) <= LONGEST_TICKET
        taken = await self._store.take_challenge(digest(token)) if known else None
        if taken is None or taken.kind != "way-back" or taken.expires <= self._clock.now():
            raise Refusal(Problem.LINK_NOT_VALID)
        channel = await self._store.channel(taken.about)
        found = None if channel is None else await self._way(channel)
        if found is None:
            raise Refusal(Problem.LINK_NOT_VALID)
        return found[2]

    async def _way(self, channel: Channel) -> tuple[Channel, Account, User] | None:
        """Return the account into which an address leads that was confirmed since there is the account."""
        account = await self._store.account_of(channel.user)
        user = (await self._store.users((channel.user,))).get(channel.user)
        if account is None or user is None or not user.name:
            return None
        if channel.kind != "mail" or not channel.verified or channel.created < account.created:
            return None
        return channel, account, user

    async def _token(self, channel: Channel) -> str:
        secret = self._entropy.token_bytes(CHALLENGE_BYTES)
        token = base64.urlsafe_b64encode(secret).rstrip(b"=").decode()
        now = self._clock.now()
        expires = now + self._settings.times.way_back
        await self._store.put_challenge(
            Challenge(digest(token), "way-back", b"", "", channel.id, expires), now
        )
        return token
