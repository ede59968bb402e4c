"""What an operator does, by terminal or page: each deed is checked, and written with its effect."""

from __future__ import annotations

from collections.abc import Collection

from bohn.protocol.alerts import ChannelKind
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.sanctions import SanctionKind
from bohn.server.clock import TimeSource
from bohn.server.entropy import Entropy
from bohn.server.moderation.durations import within
from bohn.server.moderation.limits import bounds, checked, shown
from bohn.server.moderation.networks import Network, is_everybodys
from bohn.server.people.names import clean_text
from bohn.server.store.operating import Closing, Deed, DeedKind, Effect, FiledReport, Sanction, SetLimit
from bohn.server.store.protocol import Store

LONGEST_WORD = 500
"""Characters of a reason or of a word to players."""

MOST_REPORTS = 2**31 - 1
"""The last number that a report can have in every database."""

ID_BYTES = 6
"""Random bytes of what a sanction is called."""


class Desk:
    """Does what one operator wants; ``by`` is how he is called in the log."""

    def __init__(
        self, store: Store, clock: TimeSource, entropy: Entropy, by: str, proxies: Collection[str] = ()
    ) -> None:
        """Write to this store; addresses of ``proxies`` are everybody's."""
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._by = by
        self._proxies = proxies

    async def sanction(
        self,
        kind: SanctionKind,
        reason: str,
        *,
        user: str | None = None,
        network: Network | None = None,
        length: int | None = None,
        report: int = 0,
        anyway: bool = False,
    ) -> tuple[Sanction, ...]:
        """Begin a sanction for a user, for a network, or one for each.

        ``length`` is in ms, ``None`` without end. Raises ``no-such-user``,
        ``not-found`` (report), ``out-of-range``, ``text-not-allowed``, and unless it is wanted ``anyway``,
        ``everybodys-address``.
        """
        said = clean_text(reason, LONGEST_WORD)
        until = None if length is None else self._clock.now() + within(length)
        if user is None and network is None:
            raise Refusal(Problem.NO_SUCH_USER)
        if user is not None and not (user.isprintable() and user in await self._store.users((user,))):
            raise Refusal(Problem.NO_SUCH_USER)
        if network is not None and not anyway and is_everybodys(network, self._proxies):
            raise Refusal(Problem.EVERYBODYS_ADDRESS, network=str(network))
        if report:
            await self.report(report)
        named: list[tuple[str | None, str | None]] = [] if user is None else [(user, None)]
        named += [] if network is None else [(None, str(network))]
        made = []
        for who, where in named:
            one = Sanction(self._name(), kind, who, where, self._clock.now(), until, said)
            await self._write(kind, who or where or "", said, until, one.id, report, one)
            made.append(one)
        return tuple(made)

    async def lift(self, sanction: str, word: str = "") -> None:
        """End a sanction now; raises ``not-found``."""
        held = {one.id: one for one in await self._store.sanctions(self._clock.now())}
        if sanction not in held:
            raise Refusal(Problem.NOT_FOUND, what=sanction)
        about = held[sanction].user or held[sanction].network or ""
        await self._write("lift", about, clean_text(word, LONGEST_WORD) if word else "", None, sanction)

    async def close(self, table: str, word: str, report: int = 0) -> None:
        """Let a table be closed with a word to its players; raises ``no-such-table`` and ``table-over``."""
        said = clean_text(word, LONGEST_WORD)
        listing = await self._store.listing(table) if table.isprintable() else None
        if listing is None:
            raise Refusal(Problem.NO_SUCH_TABLE)
        if listing.status not in ("open", "playing"):
            raise Refusal(Problem.TABLE_OVER)
        if report:
            await self.report(report)
        await self._write("close", table, said, report=report, effect=Closing(table, said))

    async def settle(self, report: int, word: str = "") -> None:
        """Note that nothing more is done about a report; raises ``not-found``."""
        filed = await self.report(report)
        said = clean_text(word, LONGEST_WORD) if word else ""
        await self._write("settle", filed.against, said, report=report)

    async def limit(self, name: str, value: float | None) -> None:
        """Set a limit, or reset it with ``None``; raises ``not-found`` and ``out-of-range``."""
        if value is None:
            bounds(name)
            await self._write("unlimit", name)
        else:
            await self._write("limit", name, shown(value), effect=SetLimit(name, checked(name, value)))

    async def tests(self, kind: ChannelKind) -> None:
        """Note that a test is sent now; not to whom, for that may be a secret."""
        await self._write("test", kind)

    async def tested(self, kind: ChannelKind, answer: str) -> None:
        """Note what was answered to a test."""
        await self._write("test", kind, answer)

    async def report(self, number: int) -> FiledReport:
        """Return a report; raises ``not-found``."""
        found = await self._store.filed_reports(1, number) if 0 < number <= MOST_REPORTS else ()
        if not found:
            raise Refusal(Problem.NOT_FOUND, what=number)
        return found[0]

    async def _write(
        self,
        deed: DeedKind,
        about: str,
        text: str = "",
        until: int | None = None,
        sanction: str = "",
        report: int = 0,
        effect: Effect = None,
    ) -> None:
        row = Deed(0, self._clock.now(), self._by, deed, about, text, until, sanction, report)
        await self._store.write_deed(row, effect)

    def _name(self) -> str:
        return self._entropy.token_bytes(ID_BYTES).hex()
