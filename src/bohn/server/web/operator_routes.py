"""Endpoints of operators: signing in, looking, and what they do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import partial

from bohn.protocol import api
from bohn.protocol import operator as told
from bohn.protocol.refusals import Problem, Refusal
from bohn.server.alerts.channels import mail_digest
from bohn.server.buckets import group
from bohn.server.moderation.context import context_of
from bohn.server.moderation.desk import Desk
from bohn.server.moderation.limits import CHANGEABLE
from bohn.server.moderation.networks import Network, holds, network_of
from bohn.server.people.chat import as_frame
from bohn.server.store.operating import Deed, FiledReport, OperatorKey, Sanction, broken_at, whole_log
from bohn.server.tables.notices import OperatorActed
from bohn.server.web.api_request import ApiRequest, cookie_in, query_text
from bohn.server.web.decoding import number
from bohn.server.web.lobby_routes import list_of
from bohn.server.web.operator_session import operator_cookie

LISTED = 100
"""Tables, people, reports or deeds that one answer lists."""

CROWD = 3
"""Other people known to come from an address, from which on it is everybody's: a family is no crowd."""


async def sign_in(request: ApiRequest) -> told.OperatorSession:
    """Exchange a link of `bohn admin link` for a session."""
    body: told.OperatorToken = request.body
    services = request.services
    services.changes.take(f"operator:{group(request.address)}")
    secret, session = await services.keys.sign_in(body.token, request.address)
    age = (session.expires - session.created) // 1000
    request.headers.append(operator_cookie(request.scope, secret, age))
    return _session(session)


async def sign_out(request: ApiRequest) -> api.Empty:
    """End the session."""
    await request.services.keys.sign_out(request.operator)
    request.headers.append(operator_cookie(request.scope, "", 0))
    return api.Empty()


# -- looking -------------------------------------------------------------------------------------------------


async def overview(request: ApiRequest) -> told.Overview:
    """Return the load, what is stored, the sanctions, the limits and the ways to tell people."""
    services = request.services
    counts = await services.store.counts()
    held = await services.store.sanctions(services.clock.now())
    return told.Overview(
        session=_session(request.operator),
        now=services.clock.now(),
        worker=services.settings.worker,
        sockets=len(services.connections),
        loaded=services.tables.loaded_here(),
        people=counts.people,
        tables=counts.tables,
        reports=counts.reports,
        sanctions=await _sanctions(request, held),
        limits=tuple(
            told.LimitInfo(
                name, getattr(services.limits, name), getattr(services.settings.limits, name), least, most
            )
            for name, (least, most) in CHANGEABLE.items()
        ),
        notices=await services.alerts.offer(),
    )


async def operator_tables(request: ApiRequest) -> told.OperatorTables:
    """Return the tables that are not over, those that are not listed too."""
    listings = await request.services.store.listings(listed_only=False, limit=LISTED + 1)
    return told.OperatorTables((await list_of(request, listings[:LISTED])).tables, len(listings) > LISTED)


async def find_people(request: ApiRequest) -> told.SeenPeople:
    """Return people by their id or a part of their name."""
    services = request.services
    now = services.clock.now()
    people = []
    found = await services.store.find_users(query_text(request.scope, "find") or "", LISTED + 1)
    for one in found[:LISTED]:
        address = services.addresses.of_user(one.id)
        known = "" if address == one.id else address
        listings = await services.store.listings_of(one.id)
        sitting = tuple(each.table for each in listings if each.status in ("open", "playing"))
        standing = services.sanctions.of((one.id, one.maker), known, now)
        people.append(
            told.SeenPerson(
                one.id, one.name, one.language, one.created, one.used, one.bot, known, sitting, standing
            )
        )
    return told.SeenPeople(tuple(people), len(found) > LISTED)


async def list_reports(request: ApiRequest) -> told.ReportList:
    """Return the reports, those about which nothing was done first."""
    found = await request.services.store.filed_reports(LISTED + 1)
    filed = found[:LISTED]
    names = await _names(request, (user for one in filed for user in (one.by, one.against)))
    return told.ReportList(tuple(_report(one, names) for one in filed), len(found) > LISTED)


async def show_report(request: ApiRequest) -> told.ReportContext:
    """Return a report with what was going on around it, and what was done about it."""
    store = request.services.store
    filed = await _desk(request).report(_report_number(request))
    lines, log = await context_of(store, filed)
    deeds = await store.deeds_about(filed.id)
    users = (filed.by, filed.against, *(line.user for line in lines), *(row.actor for row in log))
    names = await _names(request, (*users, *(deed.about for deed in deeds)))
    return told.ReportContext(
        report=_report(filed, names),
        lines=tuple(map(as_frame, lines)),
        log=log,
        names=names,
        deeds=tuple(_deed(deed, names) for deed in deeds),
    )


async def list_deeds(request: ApiRequest) -> told.DeedList:
    """Return the last deeds, and whether the whole log is as it was written."""
    deeds = await whole_log(request.services.store)
    last = deeds[-LISTED:][::-1]
    names = await _names(request, (deed.about for deed in last))
    broken = await asyncio.to_thread(broken_at, deeds)  # years of deeds take a while
    return told.DeedList(tuple(_deed(deed, names) for deed in last), broken is None, len(deeds) > LISTED)


# -- doing ---------------------------------------------------------------------------------------------------


async def begin_sanction(request: ApiRequest) -> told.SanctionsMade:
    """Mute, suspend or ban somebody, a network, or both."""
    body: told.NewSanction = request.body
    network = None if body.network is None else network_of(body.network)
    await _require_another(request, body.user, network)
    if network is not None and not body.anyway and _crowd(request, network, body.user) > CROWD:
        raise Refusal(Problem.EVERYBODYS_ADDRESS, network=str(network))
    made = await _desk(request).sanction(
        body.kind, body.reason, user=body.user, network=network,
        length=body.length, report=body.report, anyway=body.anyway,
    )  # fmt: skip
    await _acted(request)
    return told.SanctionsMade(await _sanctions(request, made))


async def lift_sanction(request: ApiRequest) -> api.Empty:
    """End a sanction."""
    await _desk(request).lift(request.path("sanction"))
    return await _acted(request)


async def close_table(request: ApiRequest) -> api.Empty:
    """Close a table with a word to its players."""
    body: told.CloseTable = request.body
    await _desk(request).close(request.table, body.word, body.report)
    return await _acted(request)


async def settle_report(request: ApiRequest) -> api.Empty:
    """Note that nothing more is done about a report."""
    body: told.SettleReport = request.body
    await _desk(request).settle(_report_number(request), body.word)
    return await _acted(request)


async def change_limit(request: ApiRequest) -> api.Empty:
    """Set a limit, or let that of the settings hold again."""
    body: told.ChangeLimit = request.body
    await _desk(request).limit(body.name, body.value)
    return await _acted(request)


async def test_notice(request: ApiRequest) -> told.NoticeTested:
    """Send a test by one of the ways in which people are told, and tell what was answered."""
    body: told.NoticeTest = request.body
    services = request.services
    services.alert_tests.take(f"operator:{request.operator.id}")
    if body.kind == "mail":
        services.mails.take(f"to:{mail_digest(body.endpoint)}")
    desk = _desk(request)
    taken, answer = await services.alerts.try_out(body, partial(desk.tests, body.kind))
    await desk.tested(body.kind, answer)
    return told.NoticeTested("sent" if taken else "refused" if answer.isdecimal() else "failed", answer)


# -- parts ---------------------------------------------------------------------------------------------------


def _session(key: OperatorKey) -> told.OperatorSession:
    return told.OperatorSession(f"page:{key.id}", key.expires)


def _desk(request: ApiRequest) -> Desk:
    services = request.services
    by = f"page:{request.operator.id}"
    return Desk(services.store, services.clock, services.entropy, by, services.settings.proxies)


async def _acted(request: ApiRequest) -> api.Empty:
    """Let this worker and all others follow at once."""
    request.services.tables.tell_others(OperatorActed())
    await request.services.following.look()
    return api.Empty()


async def _require_another(request: ApiRequest, user: str | None, network: Network | None) -> None:
    """Refuse a sanction that would meet the operator himself: his player in this browser, or his address."""
    own = await request.services.people.who(cookie_in(request.scope), cookie=True)
    if own is not None and user == own.user.id:
        raise Refusal(Problem.OWN_SELF)
    if network is not None and holds(network, request.address):
        raise Refusal(Problem.OWN_SELF)


def _crowd(request: ApiRequest, network: Network, user: str | None) -> int:
    """Return how many others are known to come from a network."""
    found = request.services.addresses.users_from(lambda address: holds(network, address))
    return len(found - {user or ""})


def _report_number(request: ApiRequest) -> int:
    return number(request.scope["path_params"]["report"]) or 0


async def _names(request: ApiRequest, users: Iterable[str]) -> dict[str, str]:
    known = await request.services.store.users(tuple(dict.fromkeys(users)))
    return {user.id: user.name for user in known.values()}


async def _sanctions(request: ApiRequest, held: Iterable[Sanction]) -> tuple[told.SanctionInfo, ...]:
    named = tuple(held)
    names = await _names(request, (one.user for one in named if one.user is not None))
    return tuple(
        told.SanctionInfo(
            one.id,
            one.kind,
            one.user,
            names.get(one.user or "", ""),
            one.network,
            one.begun,
            one.until,
            one.reason,
        )
        for one in named
    )


def _report(one: FiledReport, names: dict[str, str]) -> told.ReportInfo:
    by, against = names.get(one.by, ""), names.get(one.against, "")
    return told.ReportInfo(
        one.id,
        one.table,
        one.line,
        one.by,
        by,
        one.against,
        against,
        one.at,
        one.text,
        one.reason,
        one.settled,
    )


def _deed(deed: Deed, names: dict[str, str]) -> told.DeedInfo:
    name = names.get(deed.about, "")
    return told.DeedInfo(
        deed.id, deed.at, deed.by, deed.deed, deed.about, name, deed.text, deed.until, deed.report
    )
