"""One's own data in one piece: all that is stored of somebody but secrets, and what others have written."""

from __future__ import annotations

from msgspec.structs import astuple, replace

from bohn.protocol import account as wire
from bohn.protocol.away import Terms
from bohn.server.accounts.service import Accounts
from bohn.server.alerts.service import AlertService
from bohn.server.people.service import Identity, People, me
from bohn.server.store.acquaintances import Wanted
from bohn.server.store.alerts import BEGUN
from bohn.server.store.away import PersonTimes
from bohn.server.store.protocol import Store
from bohn.server.tables.archive.library import Library

LINES_AT_ONCE = 500
MOST_TABLES = 100_000


async def export_of(
    identity: Identity,
    store: Store,
    people: People,
    library: Library,
    accounts: Accounts,
    alerts: AlertService,
) -> wire.Export:
    """Return what is stored of a user."""
    user = identity.user.id
    listings = await store.listings_of(user, MOST_TABLES)
    reports = await store.reports_by(user)
    records = await library.own(user)
    left = await store.instructions_of(user)
    return wire.Export(
        me=me(identity),
        created=identity.user.created,
        account=replace(await accounts.show(identity), confirmed=0),
        sessions=await people.tokens(identity),
        tables=tuple(
            wire.ExportedTable(
                one.table, one.options.edition, one.options.players, one.status, one.opened, one.moved
            )
            for one in listings
        ),
        records=records.records,
        mutes=tuple(sorted(await store.mutes(user))),
        blocks=tuple(sorted(await store.blocked_by(user))),
        follows=await store.follows_of(user),
        private_profile=bool(await store.private_among((user,))),
        invitations=tuple(
            wire.ExportedInvitation(one.table, one.by, one.to, one.at)
            for one in (*await store.invitations_of(user, 0), *await store.invitations_by(user))
        ),
        results=tuple(
            wire.ExportedResult(*astuple(one)[1:])
            for one in await store.results_of(user, Wanted(), MOST_TABLES)
        ),
        lines=await _lines(store, user),
        reports=tuple(
            wire.ExportedReport(one.table, one.against, one.at, one.text, one.reason) for one in reports
        ),
        alerts=await alerts.show(identity),
        turns=tuple(
            wire.ExportedAlert(one.table, one.begun, one.stage > BEGUN) for one in await store.alerts_of(user)
        ),
        orders=tuple(
            wire.ExportedOrder(one.table, one.created, one.terms)
            for one in left
            if isinstance(one.terms, Terms)
        ),
        moves=tuple(
            wire.ExportedMove(one.table, one.created, one.terms)
            for one in left
            if not isinstance(one.terms, Terms)
        ),
        times=_times((await store.times_of((user,))).get(user)),
    )


def _times(times: PersonTimes | None) -> wire.ExportedTimes | None:
    return None if times is None else wire.ExportedTimes(times.hours, times.holidays)


async def _lines(store: Store, user: str) -> tuple[wire.ExportedLine, ...]:
    """Return all lines of chat that a user has written, table by table."""
    found: list[wire.ExportedLine] = []
    after = ("", 0)
    while lines := await store.lines_by(user, after, LINES_AT_ONCE):
        found += (wire.ExportedLine(one.table, one.at, one.text, one.key) for one in lines)
        after = (lines[-1].table, lines[-1].id)
    return tuple(found)
