"""The sanctions that hold, in memory: every request and every frame is looked up here."""

from __future__ import annotations

from collections.abc import Iterable

from bohn.protocol.refusals import Refusal
from bohn.protocol.sanctions import GRAVITY, PROBLEMS, SanctionKind, Standing
from bohn.server.moderation.networks import Network, holds, network_of
from bohn.server.store.operating import Sanction


class Sanctions:
    """Who may not do what, as far as this worker knows."""

    def __init__(self) -> None:
        """Begin with none."""
        self.all: tuple[Sanction, ...] = ()
        self._users: dict[str, list[Sanction]] = {}
        self._networks: list[tuple[Network, Sanction]] = []

    def take(self, sanctions: Iterable[Sanction]) -> None:
        """Let these hold, and no others."""
        self.all = tuple(sanctions)
        self._users, self._networks = {}, []
        for one in self.all:
            if one.user is not None:
                self._users.setdefault(one.user, []).append(one)
            if one.network is not None:
                self._networks.append((network_of(one.network), one))

    def of(self, users: Iterable[str | None], address: str, now: int) -> Standing | None:
        """Return the gravest sanction for any of these users, or for whoever comes from an address."""
        found = [one for user in users if user is not None for one in self._users.get(user, ())]
        found += [one for network, one in self._networks if holds(network, address)]
        holding = [one for one in found if one.until is None or one.until > now]
        if not holding:
            return None
        gravest = max(holding, key=lambda one: (GRAVITY[one.kind], one.until is None, one.until or 0))
        return Standing(gravest.kind, gravest.reason, gravest.until)


def refusal_of(standing: Standing) -> Refusal:
    """Return how somebody is told of a sanction."""
    return Refusal(PROBLEMS[standing.sanction], reason=standing.reason, until=standing.until)


def require(standing: Standing | None, barred: SanctionKind | None) -> None:
    """Refuse what is barred from a sanction on to whoever has that one, or a graver one."""
    if standing is not None and barred is not None and GRAVITY[standing.sanction] >= GRAVITY[barred]:
        raise refusal_of(standing)
