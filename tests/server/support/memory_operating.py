"""The part of the store in memory for operators."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from typing import TYPE_CHECKING

from msgspec.structs import astuple, replace

from bohn.server.store.operating import (
    FIRST_CHAIN,
    Closing,
    Counts,
    Deed,
    Effect,
    FiledReport,
    OperatorKey,
    Sanction,
    SeenUser,
    SetLimit,
    chained,
)

if TYPE_CHECKING:
    from tests.server.support.memory_store import Backing


class MemoryOperating(ABC):
    """Does what :class:`bohn.server.store.operating.OperatorStore` says."""

    @abstractmethod
    async def _ready(self) -> Backing:
        """Return the data."""

    async def write_deed(self, deed: Deed, effect: Effect = None) -> Deed:
        """Append a deed with its effect."""
        data = await self._ready()
        before = data.deeds[-1].chain if data.deeds else FIRST_CHAIN
        written = chained(replace(deed, id=len(data.deeds) + 1), before)
        data.deeds.append(written)
        if isinstance(effect, Sanction):
            data.sanctions[effect.id] = replace(effect, deed=written.id)
        elif isinstance(effect, Closing):
            data.closings[effect.table] = replace(effect, deed=written.id)
        elif isinstance(effect, SetLimit):
            data.limits[effect.name] = effect
        elif isinstance(effect, OperatorKey):
            for digest in [key.digest for key in data.operator_keys.values() if key.expires <= deed.at]:
                del data.operator_keys[digest]
            data.operator_keys[effect.digest] = effect
        elif deed.deed == "lift":
            data.lifted.setdefault(deed.sanction, deed.at)
        elif deed.deed == "unlimit":
            data.limits.pop(deed.about, None)
        return written

    async def deeds(self, after: int = 0, limit: int = 1_000) -> tuple[Deed, ...]:
        """Return the deeds behind a number."""
        return tuple((await self._ready()).deeds[after : after + limit])

    async def last_deed(self) -> int:
        """Return the number of the last deed."""
        return len((await self._ready()).deeds)

    async def deeds_about(self, report: int) -> tuple[Deed, ...]:
        """Return what was done about a report."""
        return tuple(deed for deed in (await self._ready()).deeds if deed.report == report)

    async def sanctions(self, now: int) -> tuple[Sanction, ...]:
        """Return the sanctions that hold."""
        data = await self._ready()
        found = (one for one in data.sanctions.values() if one.id not in data.lifted)
        return tuple(one for one in found if one.until is None or one.until > now)

    async def closings(self) -> tuple[Closing, ...]:
        """Return the tables that are to be closed."""
        data = await self._ready()
        shown = {table: one.status for table, one in data.listings.items()}
        wanted = sorted(data.closings.values(), key=lambda one: one.deed)
        return tuple(one for one in wanted if shown.get(one.table) in ("open", "playing"))

    async def set_limits(self) -> tuple[SetLimit, ...]:
        """Return the limits that are set."""
        return tuple(sorted((await self._ready()).limits.values(), key=lambda one: one.name))

    async def operator_key(self, digest: str) -> OperatorKey | None:
        """Return a link or session."""
        return (await self._ready()).operator_keys.get(digest)

    async def drop_operator_key(self, digest: str) -> bool:
        """Delete a link or session."""
        return (await self._ready()).operator_keys.pop(digest, None) is not None

    async def filed_reports(self, limit: int = 100, report: int = 0) -> tuple[FiledReport, ...]:
        """Return reports."""
        data = await self._ready()
        settled = {deed.report for deed in data.deeds}
        filed = [
            FiledReport(number, *(*astuple(one), number in settled))
            for number, one in zip(data.report_ids, data.reports, strict=True)
        ]
        found = sorted(filed, key=lambda one: (one.settled, -one.at, -one.id))
        return tuple(one for one in found if report in (0, one.id))[:limit]

    async def find_users(self, text: str, limit: int = 50) -> tuple[SeenUser, ...]:
        """Return users by their id or a part of their name."""
        data = await self._ready()
        seen = [
            SeenUser(
                one.id, one.name, one.language, one.created, one.bot, one.maker,
                max([0, *(session.used for session in data.sessions.values() if session.user == one.id)]),
            )
            for one in data.users.values()
            if one.name and text.isprintable() and (one.id == text or text.lower() in one.name.lower())
        ]  # fmt: skip
        return tuple(sorted(seen, key=lambda one: (-one.used, -one.created, one.id)))[:limit]

    async def counts(self) -> Counts:
        """Return how much there is."""
        data = await self._ready()
        settled = {deed.report for deed in data.deeds}
        tables = Counter(one.status for one in data.listings.values())
        unsettled = sum(number not in settled for number in data.report_ids)
        return Counts(
            sum(bool(one.name) for one in data.users.values()), dict(sorted(tables.items())), unsettled
        )
