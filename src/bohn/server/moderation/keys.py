"""How an operator comes in: a link from the server's terminal, used once, and the short session behind it."""

from __future__ import annotations

import base64
from hashlib import sha256

from bohn.protocol.refusals import Problem, Refusal
from bohn.server.clock import TimeSource
from bohn.server.entropy import Entropy
from bohn.server.moderation.networks import Network, holds, network_of
from bohn.server.store.operating import Deed, OperatorKey, OperatorStore

LINK_FOR = 10 * 60_000
"""Ms in which a link is to be used: it is copied from a terminal into a browser at once."""

SESSION_FOR = 60 * 60_000
"""Ms of a session: whoever needs longer prints another link."""

SECRET_BYTES, ID_BYTES = 32, 6
"""Random bytes of a link or cookie, and of what it is called in the log."""

LONGEST_SECRET = 200
"""Characters of what is looked up as a secret; anything longer is none."""

HERE = ("127.0.0.0/8", "::1/128")
"""From where a link may be used, unless another network is named: this machine."""


class OperatorKeys:
    """Makes links, exchanges each once for a session, and recognises sessions."""

    def __init__(self, store: OperatorStore, clock: TimeSource, entropy: Entropy) -> None:
        """Use this store; only digests of secrets are in it."""
        self._store = store
        self._clock = clock
        self._entropy = entropy

    async def link(self, by: str, network: Network | None) -> str:
        """Make a link for this machine, or for a network, and return its secret."""
        made = await self._make("link", LINK_FOR, ",".join(HERE) if network is None else str(network), by)
        return made[0]

    async def sign_in(self, secret: str, address: str) -> tuple[str, OperatorKey]:
        """Exchange a link for a session of this address; raises ``link-not-valid``: used, late, elsewhere."""
        link = await self._valid(secret, "link", address)
        if link is None or not await self._store.drop_operator_key(link.digest):
            raise Refusal(Problem.LINK_NOT_VALID)
        return await self._make("session", SESSION_FOR, str(network_of(address)), f"page:{link.id}", link.id)

    async def who(self, secret: str, address: str) -> OperatorKey:
        """Return the session of a cookie; raises ``no-operator``: none, over, or from another address."""
        found = await self._valid(secret, "session", address)
        if found is None:
            raise Refusal(Problem.NO_OPERATOR)
        return found

    async def sign_out(self, session: OperatorKey) -> None:
        """End a session."""
        await self._store.drop_operator_key(session.digest)
        await self._store.write_deed(Deed(0, self._clock.now(), f"page:{session.id}", "sign-out", session.id))

    async def _valid(self, secret: str, kind: str, address: str) -> OperatorKey | None:
        if not 0 < len(secret) <= LONGEST_SECRET:
            return None
        found = await self._store.operator_key(_digest(secret))
        if found is None or found.kind != kind or found.expires <= self._clock.now():
            return None
        return found if any(holds(network_of(one), address) for one in found.network.split(",")) else None

    async def _make(
        self, kind: str, length: int, network: str, by: str, name: str = ""
    ) -> tuple[str, OperatorKey]:
        secret = base64.urlsafe_b64encode(self._entropy.token_bytes(SECRET_BYTES)).rstrip(b"=").decode()
        name = name or self._entropy.token_bytes(ID_BYTES).hex()
        now = self._clock.now()
        key = OperatorKey(
            _digest(secret), name, "link" if kind == "link" else "session", now, now + length, network
        )
        await self._store.write_deed(Deed(0, now, by, "sign-in", name, f"{kind} {network}", key.expires), key)
        return secret, key


def _digest(secret: str) -> str:
    return sha256(secret.encode(errors="surrogatepass")).hexdigest()
