"""A populated database of every released revision, as SQL.

``python -m tests.server.store.dumps`` writes the one of the newest revision, if it is not there yet. A dump
of a released revision is never written again: it stands for the databases that are out there.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import tempfile
from pathlib import Path

from msgspec.structs import replace

from bohn.protocol.away import Days, PlantAhead, Terms
from bohn.protocol.room import Hours
from bohn.rules.beans import Bean
from bohn.rules.state import Result
from bohn.server.store.accounts import Account, Passkey
from bohn.server.store.acquaintances import GameResult, Invitation
from bohn.server.store.alerts import Channel, Preferences, TurnBegun
from bohn.server.store.away import Instruction, PersonTimes
from bohn.server.store.migrations import HEAD
from bohn.server.store.operating import Deed, Sanction
from bohn.server.store.protocol import Append, ListedSeat, SecretDeal, Timer
from bohn.server.store.sqlite import SqliteStore
from tests.server.store.samples import head, line, link, listing, played, report, session, user

FOLDER = Path(__file__).parent / "databases"

DEAL = SecretDeal(bytes(range(32)), bytes(range(32, 64)))


def dump_of(revision: str) -> Path:
    """Return where the dump of a revision lies."""
    return FOLDER / f"{revision}.sql"


async def populate(store: SqliteStore) -> None:
    """Keep something of everything: a game played to its end, one that has begun, people and their talk."""
    people = [replace(user(name), id=f"user{seat}") for seat, name in enumerate(("Anna", "Bén", "猫"))]
    owners = tuple(one.id for one in people)
    for one in people:
        await store.put_user(one)
        await store.put_session(session(f"session-{one.id}", user=one.id))
    await store.put_user(replace(user("robot"), id="robot", bot=True, maker="user0"))
    await store.add_channel(
        Channel("channel", "user1", "push", "{}", "Phone", 1_700_000_000_000, "session-user1")
    )
    address = '{"to":"ben@bohn.example","key":"k"}'
    await store.add_channel(
        Channel("mail", "user1", "mail", address, "", 1_700_000_000_000, active=False, found_by="d1")
    )
    await store.put_preferences(Preferences("user1", True, 1_320, 420, "Europe/Berlin"))
    await store.vapid_key(bytes(range(32)))
    for batch in played("finished"):
        await store.append(
            Append(
                row=batch,
                timers=(),
                deal=DEAL if batch.seq == 1 else None,
                listing=replace(
                    listing("finished", users=owners, status="finished", moved=batch.at),
                    seats=tuple(map(ListedSeat, owners)),
                    result=Result((9, 8, 9), (0, 0, 0), (1, 0, 1), (0, 2)),
                    origin=True,
                    lesson="first-game",
                ),
            )
        )
    for batch in played("running")[:30]:
        await store.append(
            Append(
                row=batch,
                timers=(Timer("trading", batch.at + 5), Timer("seat:1", None, 700)),
                deal=DEAL if batch.seq == 1 else None,
                listing=listing("running", users=owners[:2], status="playing", moved=batch.at, listed=False),
                grants=("robot",),
                turns=(TurnBegun("user1", batch.at + 3_000, days=True),),
            )
        )
    await store.put_link(link("link-table", table="running"))
    await store.put_link(link("link-device", table=None, user="user1"))
    for text in ("Guten Tag", "deleted", "It's a bean"):
        await store.say(line("running", "user1", text))
    await store.delete_line("running", 2)
    await store.set_mute("user0", "user1", on=True)
    await store.keep_record(head("record", user="user0"), bytes(range(256)), 20)
    await store.report(replace(report(), table="running"))
    await store.write_deed(
        Deed(0, 1_700_000_000_000, "terminal:root", "ban", "user1", "Insults", sanction="s1", report=1),
        Sanction("s1", "ban", "user1", None, 1_700_000_000_000, None, "Insults"),
    )
    account = Account("user1", "bén", "ben", 1_700_000_000_000)
    passkey = Passkey("passkey", "user1", bytes(range(256)), 3, account.created, account.created, "Laptop")
    await store.open_account(account, passkey, ("code-1", "code-2"))
    await store.set_block("user0", "user1", on=True)
    await store.set_follow("user0", "user2", 1_700_000_000_000, on=True)
    await store.invite(Invitation("user2", "running", "user0", 1_700_000_000_000))
    await store.set_private("user1", on=True)
    await store.put_results((GameResult("user0", "finished", 1_700_000_000_000, "full", 3, 1, 9, 4, 1, 0),))
    terms = Terms(give=Bean.WAX, most=2, take=Bean.RED)
    await store.add_instruction(Instruction("order", "running", "user1", 1_700_000_000_000, terms), 1)
    move = PlantAhead(Bean.RED, 1, harvest=True)
    await store.add_instruction(Instruction("move", "running", "user1", 1_700_000_000_001, move), 1)
    days = Days("2026-12-24", "2026-12-27")
    await store.put_times(PersonTimes("user1", Hours(480, 1_320, "Europe/Berlin"), (days,)))
    await store.beat("worker", 1_700_000_000_000)


def dump() -> str:
    """Return a populated database of the newest revision as SQL."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bohn.sqlite"

        async def fill() -> None:
            store = SqliteStore(path)
            await store.open()
            await populate(store)
            await store.close()

        asyncio.run(fill())
        connection = sqlite3.connect(path)
        try:
            return "\n".join(connection.iterdump()) + "\n"
        finally:
            connection.close()


def load(revision: str, path: Path) -> None:
    """Make the database that a dump describes."""
    connection = sqlite3.connect(path)
    connection.executescript(dump_of(revision).read_text(encoding="utf-8"))
    connection.close()


if __name__ == "__main__":
    if dump_of(HEAD).exists():
        sys.exit(f"{dump_of(HEAD)} is there already; delete it if revision {HEAD} was never released")
    dump_of(HEAD).write_text(dump(), encoding="utf-8")
