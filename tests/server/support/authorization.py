"""Who may do what: every route asked as everybody, and the table of what came of it in docs/authorization.md.

``python -m tests.server.support.authorization`` writes the table; read its differences.
"""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from bohn.protocol.endpoints import ENDPOINTS, JSON, Endpoint
from bohn.protocol.refusals import Problem
from bohn.server import logs
from bohn.server.alerts.channels import Mailbox, mail_digest
from bohn.server.settings import Times
from bohn.server.store.alerts import Channel
from tests.server.support.authenticator import Authenticator
from tests.server.support.http import HttpReply
from tests.server.support.owners import SETTINGS
from tests.server.support.owners import come as come_in
from tests.server.support.serving import PLENTY
from tests.server.support.site import Place, Visitor, frames_of, until, visit

DOCUMENT = Path(__file__).parents[3] / "docs" / "authorization.md"

WHO = ("stranger", "guest", "account", "blocked", "suspended", "banned", "host", "operator")

OUTSIDE = {
    Problem.NO_GUEST, Problem.SCOPE_MISSING, Problem.MUTED, Problem.SUSPENDED, Problem.BANNED,
    Problem.NO_OPERATOR, Problem.NOT_HOST, Problem.NO_SEAT_FOR_YOU, Problem.CONFIRM_FIRST,
}  # fmt: skip
"""Refusals for who somebody is; every other answer tells that he may ask."""

FRAMES: dict[str, dict[str, Any]] = {
    "command": {"type": "command", "id": "f1", "command": {"do": "sit"}},
    "check": {"type": "check", "id": "f1", "command": {"do": "end-trading", "player": 0}},
    "draft": {"type": "draft", "id": "f1", "to": [1]},
    "say": {"type": "say", "id": "f1", "key": "hello"},
    "sign": {"type": "sign", "id": "f1", "sign": None},
    "ping": {"type": "ping", "id": "f1"},
}
"""One of each frame; a socket that is not opened answers with why."""

ANY_BODY = {"name": "Anna", "bot": True, "word": "x"}
BODIES: dict[str, dict[str, Any]] = {
    "do": {"command": {"do": "sit"}},
    "invite": {"users": ["nobody"]},
    "add_channel": {"kind": "mail", "endpoint": "anna@example.org"},
    "begin_passkey": {"handle": "anna"},
}
"""What is sent to endpoints by their names; where that is not understood, it is decided by who sends it."""

_ACCOUNTS = itertools.count()
"""Numbers of accounts: no two have the same handle or passkey."""

Table = dict[tuple[str, str], tuple[str, ...]]


async def come(place: Place, who: str) -> tuple[Visitor, str]:
    """Return somebody of this kind, new, and a listed table: a host's own, or one whose host blocks him."""
    other = await place.guest("Olga")
    table = await other.open_table(options={"listed": True})
    await other.post(f"/api/tables/{table}/chat", {"text": "hello"})
    if who == "stranger":
        return place.stranger, table
    if who == "operator":
        return await place.operator(), table
    if who == "account":
        return await owner(place), table
    guest = await place.guest("Gustav")
    if who == "host":
        table = await guest.open_table(options={"listed": True})
        await other.post(f"/api/tables/{table}/chat", {"text": "hello"})
    elif who == "blocked":
        await other.post("/api/me/blocks", {"user": guest.user})
    elif who != "guest":
        await place.sanction(guest.user, "suspend" if who == "suspended" else "ban")
    return guest, table


async def owner(place: Place) -> Visitor:
    """Return somebody new with an account and an e-mail address, whose session is not confirmed any more."""
    found, number = await come_in(place, "Otto"), next(_ACCOUNTS)
    await found.become(Authenticator(f"key {number}"), f"otto-{number}")
    address = f"{found.user}@example.org"
    mailbox = msgspec.json.encode(Mailbox(address, "x")).decode()
    channel = Channel("x1", found.user, "mail", mailbox, "", place.clock.now(), found_by=mail_digest(address))
    await place.store.add_channel(channel)
    return found


def path_of(one: Endpoint, table: str, visitor: Visitor) -> str:
    """Return an address of an endpoint; what is asked for by another id than the table's is not there."""
    named = {"table": table, "line": "1", "report": "1", "user": visitor.user}
    return re.sub(r"{(\w+)}", lambda found: named.get(found[1], "x1"), one.path)


def outcome(answer: HttpReply) -> str:
    """Return ``yes``, or why somebody is kept out."""
    if answer.status < 400:
        return "yes"
    reason = answer.json().get("reason", "")
    return f"`{reason}`" if reason in OUTSIDE else "yes"


async def ask(place: Place, one: Endpoint, who: str) -> str:
    """Return what comes of it when somebody asks for an endpoint."""
    visitor, table = await come(place, who)
    path = path_of(one, table, visitor)
    if one.endless:
        lines = visitor.lines(table)
        await until(lambda: lines.status)
        found = outcome(HttpReply(lines.status, (), b"".join(lines.got) if lines.status >= 400 else b"{}"))
        await lines.hang_up()
        return found
    body: Any = BODIES.get(one.name, ANY_BODY) if one.body is not None else None
    if one.takes != JSON:
        return outcome(await visitor.ask(one.method, path, b"{}", {"content-type": one.takes}))
    return outcome(await visitor.ask(one.method, path, body))


async def ask_frame(place: Place, frame: str, who: str) -> str:
    """Return what comes of it when somebody sends a frame over a socket that is just opened."""
    visitor, table = await come(place, who)
    socket = visitor.socket(table)
    await until(lambda: frames_of(socket))
    socket.send(FRAMES[frame])
    await until(
        lambda: socket.got[-1].startswith(b"close ") or any(one.get("id") for one in frames_of(socket))
    )
    answers = [one for one in frames_of(socket) if one.get("id") == "f1" or one["type"] == "refused"]
    await socket.hang_up()
    reason = answers[0].get("reason", "")
    return f"`{reason}`" if reason in OUTSIDE else "yes"


def asked() -> Table:
    """Return what came of it for each route and frame, and each kind of person."""
    found: dict[tuple[str, str], list[str]] = {}

    async def scenario(place: Place) -> None:
        for who in WHO:
            for one in ENDPOINTS:
                found.setdefault((one.method, one.path), []).append(await ask(place, one, who))
            for frame in FRAMES:
                found.setdefault(("frame", frame), []).append(await ask_frame(place, frame, who))

    limits = replace(PLENTY, changes_at_once=100_000, reports_at_once=100_000)
    visit(scenario, replace(SETTINGS, limits=limits, times=Times(confirmed=0)), seconds=120)
    return {route: tuple(row) for route, row in found.items()}


def written() -> Table:
    """Return the table of the document."""
    rows = re.findall(
        r"^\| (\w+) \| `([^`]+)` \| (.+) \|$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE
    )
    return {(method, path): tuple(cells.split(" | ")) for method, path, cells in rows}


def rendered(table: Table) -> str:
    """Return the lines of the table."""
    head = f"| | route | {' | '.join(WHO)} |\n|---|---|{'---|' * len(WHO)}\n"
    return head + "".join(
        f"| {method} | `{path}` | {' | '.join(row)} |\n" for (method, path), row in table.items()
    )


if __name__ == "__main__":
    logs.configure("error")
    text = DOCUMENT.read_text(encoding="utf-8")
    begin, end = "<!-- table -->\n", "<!-- end of the table -->"
    before, _, rest = text.partition(begin)
    DOCUMENT.write_text(
        f"{before}{begin}\n{rendered(asked())}\n{end}{rest.partition(end)[2]}", encoding="utf-8"
    )
