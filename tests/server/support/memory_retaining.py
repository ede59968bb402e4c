"""The part of the store in memory for retention."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from bohn.server.store.alerts import UNVERIFIED_FOR
from bohn.server.store.appending import members_of
from bohn.server.store.protocol import Listing
from bohn.server.store.retaining import BEGINNING, Guest, Holdings, OverStatus, OverTable, Swept, Thinned

if TYPE_CHECKING:
    from tests.server.support.memory_store import Backing


class MemoryRetaining(ABC):
    """Does what :class:`bohn.server.store.retaining.RetentionStore` says."""

    @abstractmethod
    async def _ready(self) -> Backing:
        """Return the data."""

    def _attended(self, table: str) -> bool:
        """Tell whether anybody is present at a table by any worker."""
        del table
        return False

    def _due(self, data: Backing, listing: Listing, status: OverStatus, by: int) -> bool:
        old = listing.status == status and listing.moved <= by
        return old and listing.table not in _disputed(data) and not self._attended(listing.table)

    async def over(
        self, status: OverStatus, by: int, after: tuple[int, str] = BEGINNING, limit: int = 100
    ) -> tuple[OverTable, ...]:
        """Return tables of a status that have not moved since a time, longest first."""
        data = await self._ready()
        found = sorted(
            (one.moved, one.table) for one in data.listings.values() if self._due(data, one, status, by)
        )
        return tuple(
            OverTable(table, status, moved, max((row.seq for row in data.logs.get(table, ())), default=0))
            for moved, table in [key for key in found if key > after][:limit]
        )

    async def thin(self, tables: tuple[str, ...], status: OverStatus, by: int, upto: int) -> Thinned:
        """Delete the rows of such tables up to a seq; with its last row all of a table."""
        data = await self._ready()
        rows = 0
        for table in tables:
            listing = data.listings.get(table)
            if listing is not None and self._due(data, listing, status, by):
                log = data.logs.get(table, [])
                gone = [row for row in log if row.seq <= upto]
                rows += len(gone)
                for row in gone:
                    del data.commands[row.table, row.actor, row.command_id]
                data.logs[table] = [row for row in log if row.seq > upto]
        empty = [
            table
            for table in tables
            if table in data.listings
            and data.listings[table].status in ("finished", "abandoned")
            and not data.logs.get(table)
        ]
        for table in empty:
            for place in (data.logs, data.listings, data.deals, data.timers, data.numbers, data.closings):
                place.pop(table, None)
            data.alerts = {key: one for key, one in data.alerts.items() if one.table != table}
            data.instructions = {key: one for key, one in data.instructions.items() if one.table != table}
            data.grants = {grant for grant in data.grants if grant[0] != table}
            data.links = {key: link for key, link in data.links.items() if link.table != table}
            data.chat = {key: line for key, line in data.chat.items() if line.table != table}
            data.invitations = {key: one for key, one in data.invitations.items() if one.table != table}
        return Thinned(rows, len(empty))

    async def drop_expired(self, now: int, unused_since: int, limit: int = 500) -> int:
        """Delete expired links, unused cookies, and channels that nobody has verified."""
        data = await self._ready()
        unused = [one for one in data.sessions.values() if one.cookie and one.used <= unused_since]
        expired = [one for one in data.links.values() if one.expires <= now]
        by = now - UNVERIFIED_FOR
        waiting = [one.id for one in data.channels.values() if not one.verified and one.created <= by]
        for channel in waiting[:limit]:
            del data.channels[channel]
        for session in unused[:limit]:
            del data.sessions[session.digest]
        for link in expired[:limit]:
            del data.links[link.digest]
        return len(unused[:limit]) + len(expired[:limit]) + len(waiting[:limit])

    async def sweep_chat(self, by: int, after: tuple[str, int], limit: int = 500) -> Swept:
        """Look at lines of chat behind a table and line, and delete those written by then."""
        data = await self._ready()
        page = sorted(key for key in data.chat if key > after)[:limit]
        old = [key for key in page if data.chat[key].at <= by and key[0] not in _disputed(data)]
        for key in old:
            del data.chat[key]
        return Swept(len(old), page[-1] if page else None)

    async def sweep_records(self, by: int, after: tuple[str, int], limit: int = 100) -> Swept:
        """Look at stored records behind an id, and delete those stored by then."""
        data = await self._ready()
        page = sorted(key for key in data.records if key > after[0])[:limit]
        old = [key for key in page if data.records[key][0].at <= by]
        for key in old:
            del data.records[key]
        return Swept(len(old), (page[-1], 0) if page else None)

    async def guests(self, after: str = "", limit: int = 200) -> tuple[Guest, ...]:
        """Return users behind an id, in the order of their ids."""
        data = await self._ready()
        found = []
        for user in sorted(user for user in data.users if user > after)[:limit]:
            own = [one for one in data.sessions.values() if one.user == user]
            made = {one.id for one in data.users.values() if one.maker == user}
            at = [one for one in data.listings.values() if user in members_of(one)]
            found.append(
                Guest(
                    user,
                    data.users[user].name != "",
                    data.users[user].created,
                    max((one.used for one in own), default=None),
                    bool(at),
                    any(one.status in ("open", "playing") for one in at),
                    any(not one.cookie and one.user in {user, *made} for one in data.sessions.values()),
                    user in data.accounts,
                )
            )
        return tuple(found)

    async def drop_users(self, users: tuple[str, ...]) -> int:
        """Delete those of these users who are forgotten and sit nowhere; return how many were deleted."""
        known = {guest.id: guest for guest in await self.guests("", 1_000_000)}
        data = await self._ready()
        gone = [
            user
            for user in dict.fromkeys(users)
            if user in known
            and not known[user].named
            and not known[user].seated
            and all(one.user != user for one in data.sessions.values())
        ]
        for user in gone:
            del data.users[user]
        return len(gone)

    async def drop_reports(self, by: int, limit: int = 100) -> int:
        """Delete reports made by then that something was done about; return how many were deleted."""
        data = await self._ready()
        settled = {deed.report for deed in data.deeds}
        last = max(data.report_ids, default=0)
        old = sorted(
            (report.at, number)
            for number, report in zip(data.report_ids, data.reports, strict=True)
            if report.at <= by and number in settled and number < last
        )[:limit]
        gone = {number for _, number in old}
        kept = [one for one in zip(data.report_ids, data.reports, strict=True) if one[0] not in gone]
        data.report_ids, data.reports = [one[0] for one in kept], [one[1] for one in kept]
        return len(old)

    async def drop_sanctions(self, by: int, limit: int = 500) -> int:
        """Delete sanctions that had ended or were lifted by then; return how many were deleted."""
        data = await self._ready()
        old = [
            one.id
            for one in data.sanctions.values()
            if (one.until is not None and one.until <= by) or data.lifted.get(one.id, by + 1) <= by
        ][:limit]
        for sanction in old:
            del data.sanctions[sanction]
        return len(old)

    async def drop_history(self, by: int, limit: int = 1_000) -> int:
        """Delete beats noted by then, but for the last beat; return how many were deleted."""
        data = await self._ready()
        last = max(data.beats.values(), default=0)
        old = [worker for worker, at in data.beats.items() if at <= by and at < last][:limit]
        for worker in old:
            del data.beats[worker]
        return len(old)

    async def unmoved(self, by: int, limit: int = 100) -> tuple[str, ...]:
        """Return tables that are open or in play and have not moved since a time, longest first."""
        data = await self._ready()
        found = sorted(
            (one.moved, one.table)
            for one in data.listings.values()
            if one.status in ("open", "playing") and one.moved <= by and not self._attended(one.table)
        )
        return tuple(table for _, table in found[:limit])

    async def holdings(self, finished: int, abandoned: int) -> Holdings:
        """Return how much is stored, and how much of it is due."""
        listings = (await self._ready()).listings.values()
        by = {"finished": finished, "abandoned": abandoned}
        over = [one for one in listings if one.status in by]
        due = [one for one in over if one.moved <= by[one.status]]
        return Holdings(len(over), len(due), min((one.moved for one in over), default=None), 0, None)


def _disputed(data: Backing) -> set[str]:
    """Return the tables about which a report is open."""
    settled = {deed.report for deed in data.deeds}
    return {
        report.table
        for number, report in zip(data.report_ids, data.reports, strict=True)
        if number not in settled
    }
