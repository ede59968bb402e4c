"""`bohn admin`: what an operator does at the server's own terminal, on its store, while it runs or not."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, TypeVar

from rich.cells import cell_len, set_cell_size

from bohn.cli.errors import UsageError
from bohn.cli.printable import printable
from bohn.cli.serve import add_place, settings_from
from bohn.i18n import Catalog
from bohn.server.settings import Settings

T = TypeVar("T")

SANCTIONS = ("mute", "suspend", "ban")
KINDS = ("mail", "ntfy", "hook")
"""By what a test is sent."""

LISTED = 1_000
"""Tables, people or reports that are listed; the log is listed whole."""


def add_arguments(parser: argparse.ArgumentParser, catalog: Catalog) -> None:
    """Declare what `bohn admin` understands: a sub-command for each thing an operator does."""
    say = catalog.text
    add_place(parser, catalog)
    commands = parser.add_subparsers(dest="do", metavar="WHAT", required=True)
    subs = {name: commands.add_parser(name, help=say(f"admin.{name}")) for name in DO}
    subs["people"].add_argument("find", nargs="?", default="", metavar="TEXT", help=say("arg.admin-find"))
    for name in ("report", "settle"):
        subs[name].add_argument("number", type=int, metavar="N", help=say("arg.admin-report"))
    for name in SANCTIONS:
        subs[name].add_argument("--user", metavar="ID", help=say("arg.admin-user"))
        subs[name].add_argument("--address", metavar="NETWORK", help=say("arg.admin-address"))
        subs[name].add_argument(
            "--for", dest="length", required=True, metavar="7d", help=say("arg.admin-for")
        )
        subs[name].add_argument("--reason", required=True, metavar="TEXT", help=say("arg.admin-reason"))
        subs[name].add_argument("--anyway", action="store_true", help=say("arg.admin-anyway"))
    for name in (*SANCTIONS, "close"):
        subs[name].add_argument("--report", type=int, default=0, metavar="N", help=say("arg.admin-report"))
    subs["lift"].add_argument("sanction", metavar="SANCTION", help=say("arg.admin-sanction"))
    subs["close"].add_argument("table", metavar="TABLE", help=say("arg.table"))
    subs["close"].add_argument("--word", required=True, metavar="TEXT", help=say("arg.admin-word"))
    for name in ("lift", "settle"):
        subs[name].add_argument("--word", default="", metavar="TEXT", help=say("arg.admin-note"))
    subs["limit"].add_argument("name", metavar="NAME", help=say("arg.admin-limit"))
    subs["limit"].add_argument("value", metavar="VALUE", help=say("arg.admin-value"))
    subs["test"].add_argument("kind", choices=KINDS, metavar="KIND", help=say("arg.admin-kind"))
    subs["test"].add_argument("to", metavar="TO", help=say("arg.admin-to"))
    subs["link"].add_argument("--url", metavar="URL", help=say("arg.admin-url"))
    subs["link"].add_argument("--from", dest="network", metavar="NETWORK", help=say("arg.admin-from"))


def run(options: argparse.Namespace, catalog: Catalog) -> int:
    """Do it, and print what is asked for; a refusal is told in one line, and nothing has changed."""
    from bohn.protocol.refusals import Refusal  # here, so that a wrong option is told at once

    try:
        return asyncio.run(_run(options, catalog))
    except Refusal as refused:
        given = {name: str(value) for name, value in refused.params.items()}
        raise UsageError(_text_of(refused.problem.value, given, catalog)) from None


def _text_of(problem: str, given: dict[str, str], catalog: Catalog) -> str:
    if problem in ("not-understood", "not-found") and given:
        return f"{given.get('given') or given.get('what')}: {catalog.text(f'problem.{problem}')}"
    return catalog.text(f"problem.{problem}", **given)


async def _run(options: argparse.Namespace, catalog: Catalog) -> int:
    from bohn.server import logs

    logs.configure("error")
    async with _terminal(options, catalog) as terminal:
        await DO[options.do](terminal)
    return 0


class Terminal:
    """An operator at the terminal: the open store, what he does in it, and how it is printed."""

    def __init__(
        self, options: argparse.Namespace, catalog: Catalog, settings: Settings, store: Any, clock: Any
    ) -> None:
        """Take what the command line says, the settings, and an open store with its clock."""
        from bohn.server.entropy import SystemEntropy
        from bohn.server.moderation.desk import Desk
        from bohn.server.moderation.keys import OperatorKeys

        self.options = options
        self.catalog = catalog
        self.settings = settings
        self.store = store
        self.clock = clock
        self.by = f"terminal:{_user()}"
        entropy = SystemEntropy()
        self.desk = Desk(store, clock, entropy, self.by, self.settings.proxies)
        self.keys = OperatorKeys(store, clock, entropy)

    async def done(self) -> None:
        """Let running workers look, and say so."""
        from bohn.server.store.shared import is_shared
        from bohn.server.tables.notices import OperatorActed, encoded

        if is_shared(self.store):
            await self.store.notify("terminal", "", encoded(OperatorActed()))
        print(self.catalog.text("admin.done"))

    def at(self, milliseconds: int | None) -> str:
        """Return a time as it is printed, ``-`` for none."""
        from datetime import UTC, datetime

        return (
            "-"
            if milliseconds is None
            else datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M:%SZ")
        )

    def rows(self, headings: str, rows: Iterable[tuple[object, ...]]) -> None:
        """Print rows below their headings, which are names of the protocol, or that there is nothing."""
        cells = [[printable(str(cell)) for cell in row] for row in rows]
        if not cells:
            print(self.catalog.text("admin.nothing"))
            return
        cells.insert(0, headings.upper().split())
        widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
        for row in cells:
            padded = (set_cell_size(cell, width) for cell, width in zip(row, widths, strict=True))
            print("  ".join(padded).rstrip())

    def first(self, found: Sequence[T]) -> Sequence[T]:
        """Return as many as are listed, and say so on stderr if there are more."""
        if len(found) > LISTED:
            print(self.catalog.text("operator.first", most=LISTED), file=sys.stderr)
        return found[:LISTED]


@asynccontextmanager
async def _terminal(options: argparse.Namespace, catalog: Catalog) -> AsyncIterator[Terminal]:
    """Open the store beside whoever serves it; one that no server of this version has opened is refused."""
    from bohn.server.store.choosing import beside
    from bohn.server.store.place import data_folder
    from bohn.server.tables.heartbeat import clock_of

    settings = settings_from(options)
    store = beside(settings.store, options.data or data_folder())
    await store.open()
    try:
        yield Terminal(options, catalog, settings, store, await clock_of(store, settings))
    finally:
        await store.close()


def _user() -> str:
    """Return who sits at the terminal, as the system and not he himself calls him, if it can tell."""
    try:
        import pwd
    except ImportError:  # not on Windows
        with suppress(OSError, KeyError):
            return getpass.getuser()
        return "?"
    number = os.getuid()
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:  # as in many containers
        return str(number)


# -- looking -------------------------------------------------------------------------------------------------


async def _overview(terminal: Terminal) -> None:
    counts = await terminal.store.counts()
    held = await terminal.store.sanctions(terminal.clock.now())
    tables = ((f"tables-{status}", count) for status, count in counts.tables.items())
    terminal.rows(
        "what count",
        (("people", counts.people), *tables, ("reports", counts.reports), ("sanctions", len(held))),
    )
    if held:
        terminal.rows(
            "sanction kind whom until reason",
            ((one.id, one.kind, one.user or one.network, terminal.at(one.until), one.reason) for one in held),
        )


async def _tables(terminal: Terminal) -> None:
    listings = await terminal.store.listings(listed_only=False, limit=LISTED + 1)
    terminal.rows(
        "table status edition moved host users",
        (
            (
                one.table,
                one.status,
                one.options.edition,
                terminal.at(one.moved),
                one.host,
                " ".join(one.users),
            )
            for one in terminal.first(listings)
        ),
    )


async def _people(terminal: Terminal) -> None:
    from bohn.server.moderation.sanctions import Sanctions

    found = await terminal.store.find_users(terminal.options.find, LISTED + 1)
    now = terminal.clock.now()
    sanctions = Sanctions()
    sanctions.take(await terminal.store.sanctions(now))
    rows = []
    for one in terminal.first(found):
        standing = sanctions.of((one.id, one.maker), "", now)
        held = "-" if standing is None else standing.sanction
        rows.append((one.id, one.name, one.language, terminal.at(one.used or None), held))
    terminal.rows("user name language used sanction", rows)


async def _reports(terminal: Terminal) -> None:
    found = await terminal.store.filed_reports(LISTED + 1)
    terminal.rows(
        "report settled at table by against text",
        (
            (
                one.id,
                "x" if one.settled else "-",
                terminal.at(one.at),
                one.table,
                one.by,
                one.against,
                one.text,
            )
            for one in terminal.first(found)
        ),
    )


async def _report(terminal: Terminal) -> None:
    from bohn.server.moderation.context import context_of

    filed = await terminal.desk.report(terminal.options.number)
    lines, log = await context_of(terminal.store, filed)
    terminal.rows(
        "table by against text reason",
        [(filed.table, filed.by, filed.against, filed.text, filed.reason)],
    )
    if lines:
        terminal.rows(
            "line at user text",
            ((line.id, terminal.at(line.at), line.user, line.text or line.key) for line in lines),
        )
    if log:
        terminal.rows(
            "seq at actor command events",
            ((row.seq, terminal.at(row.at), row.actor, row.command, " ".join(row.events)) for row in log),
        )
    deeds = await terminal.store.deeds_about(filed.id)
    if deeds:
        terminal.rows(
            "deed at by what text",
            ((deed.id, terminal.at(deed.at), deed.by, deed.deed, deed.text) for deed in deeds),
        )


async def _limits(terminal: Terminal) -> None:
    from bohn.server.moderation.limits import CHANGEABLE, shown

    held = {one.name: one.value for one in await terminal.store.set_limits()}
    usual = terminal.settings.limits
    terminal.rows(
        "limit value usual least most",
        (
            (name, *map(shown, (held.get(name, getattr(usual, name)), getattr(usual, name), least, most)))
            for name, (least, most) in CHANGEABLE.items()
        ),
    )


async def _log(terminal: Terminal) -> None:
    from bohn.server.store.operating import broken_at, whole_log

    deeds = await whole_log(terminal.store)
    if deeds:
        terminal.rows(
            "deed at by what about until text",
            (
                (one.id, terminal.at(one.at), one.by, one.deed, one.about, terminal.at(one.until), one.text)
                for one in deeds
            ),
        )
    broken = broken_at(deeds)
    if broken is not None:
        raise UsageError(terminal.catalog.text("admin.broken", id=broken))
    print(terminal.catalog.text("admin.whole", count=len(deeds)))


# -- doing ---------------------------------------------------------------------------------------------------


async def _sanction(terminal: Terminal) -> None:
    from bohn.server.moderation.durations import duration
    from bohn.server.moderation.networks import network_of

    options = terminal.options
    made = await terminal.desk.sanction(
        options.do,
        options.reason,
        user=options.user,
        network=None if options.address is None else network_of(options.address),
        length=duration(options.length),
        report=options.report,
        anyway=options.anyway,
    )
    terminal.rows(
        "sanction kind whom until",
        ((one.id, one.kind, one.user or one.network, terminal.at(one.until)) for one in made),
    )
    await terminal.done()


async def _lift(terminal: Terminal) -> None:
    await terminal.desk.lift(terminal.options.sanction, terminal.options.word)
    await terminal.done()


async def _close(terminal: Terminal) -> None:
    await terminal.desk.close(terminal.options.table, terminal.options.word, terminal.options.report)
    await terminal.done()


async def _settle(terminal: Terminal) -> None:
    await terminal.desk.settle(terminal.options.number, terminal.options.word)
    await terminal.done()


async def _limit(terminal: Terminal) -> None:
    from bohn.protocol.refusals import Problem, Refusal

    value: float | None = None
    if terminal.options.value != "usual":
        try:
            value = float(terminal.options.value)
        except ValueError:
            raise Refusal(Problem.NOT_UNDERSTOOD, given=terminal.options.value) from None
    await terminal.desk.limit(terminal.options.name, value)
    await terminal.done()


async def _link(terminal: Terminal) -> None:
    from bohn.server.lan import url_of
    from bohn.server.moderation.networks import network_of

    network = None if terminal.options.network is None else network_of(terminal.options.network)
    secret = await terminal.keys.link(terminal.by, network)
    settings = terminal.settings
    url = terminal.options.url or next(iter(settings.origins), "")
    if not url:
        url = url_of(settings.host, settings.port)
        print(terminal.catalog.text("admin.assumed-url", url=url), file=sys.stderr)
    print(terminal.catalog.text("admin.open-link", url=f"{url.rstrip('/')}/operator#{secret}"))


async def _test(terminal: Terminal) -> None:
    """Send a test, and print what the other side has answered."""
    from bohn.server.alerts.trying import NotOffered, tried

    options, say = terminal.options, terminal.catalog.text
    try:
        note = partial(terminal.desk.tests, options.kind)
        taken, answer = await tried(options.kind, options.to, terminal.settings, note)
    except NotOffered:
        raise UsageError(say("admin.test-off")) from None
    await terminal.desk.tested(options.kind, answer)
    if not taken:
        raise UsageError(say("admin.test-failed", answer=answer))
    print(say("admin.test-sent", answer=answer))


DO: dict[str, Callable[[Terminal], Coroutine[Any, Any, None]]] = {
    "overview": _overview,
    "tables": _tables,
    "people": _people,
    "reports": _reports,
    "report": _report,
    "mute": _sanction,
    "suspend": _sanction,
    "ban": _sanction,
    "lift": _lift,
    "close": _close,
    "settle": _settle,
    "limits": _limits,
    "limit": _limit,
    "log": _log,
    "link": _link,
    "test": _test,
}
"""One function for each sub-command."""
