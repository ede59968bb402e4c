"""What the tests of the store keep: rows of made-up and of played tables, people, links and lines."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any

import msgspec

from bohn.bots import PLAYERS
from bohn.play.floor import play_game
from bohn.protocol.room import Options, Reveal, Status
from bohn.protocol.room_commands import Pause, Resume, Sit, Start
from bohn.protocol.room_events import (
    Abandoned,
    DealRevealed,
    Finished,
    Paused,
    Resumed,
    Sat,
    Started,
    TableOpened,
)
from bohn.rules.resolve import resolve
from bohn.server.store.protocol import (
    Append,
    ChatLine,
    Link,
    Listing,
    LogRow,
    RecordHead,
    Report,
    Session,
    User,
)

AT = 1_700_000_000_000
"""A time in ms since 1970."""


def digest(command: Any) -> str:
    """Return the digest of a command."""
    return sha256(msgspec.json.encode(command)).hexdigest()


def row(table: str = "t1", seq: int = 1, actor: str = "anna", command_id: str | None = None) -> LogRow:
    """Return a row with a small room command; its id comes from its seq if none is given."""
    command = Pause() if seq % 2 else Resume()
    return LogRow(
        table=table,
        seq=seq,
        at=AT + seq,
        actor=actor,
        command_id=f"c{seq}" if command_id is None else command_id,
        digest=digest(command),
        cause="player",
        command=command,
        events=(Paused(),) if seq % 2 else (Resumed(),),
    )


def append(table: str = "t1", seq: int = 1, actor: str = "anna", command_id: str | None = None) -> Append:
    """Return an append of nothing but such a row."""
    return Append(row=row(table, seq, actor, command_id))


@cache
def played(table: str, edition: str = "classic", players: int = 3, seed: str = "store") -> tuple[LogRow, ...]:
    """Return the whole log of a table: opened, sat, started, played by bots to the end, revealed."""
    options = Options(edition=edition, players=players, listed=True)
    rules = resolve(edition, players)
    bots = [PLAYERS["random"](seat) for seat in range(players)]
    result = play_game(rules, seed, bots, with_moves=True)
    reveal = Reveal("00" * 32, "11" * 32, tuple(f"{seat:02x}" for seat in range(players)))
    names = [f"user{seat}" for seat in range(players)]
    batches: list[tuple[str, Any, tuple[Any, ...]]] = [
        (names[0], None, (TableOpened(table, names[0], options, "ab" * 32, AT),)),
        *(
            (name, Sit(seat, f"{seat:02x}"), (Sat(seat, name, f"{seat:02x}", AT + seat),))
            for seat, name in enumerate(names)
        ),
        (names[0], Start(), (Started(), *result.opening)),
        *((names[move.command.player], move.command, move.events) for move in result.moves),
        ("server", None, (Finished(), DealRevealed(reveal), Abandoned())),
    ]
    return tuple(
        LogRow(
            table=table,
            seq=seq,
            at=AT + seq * 1_000,
            actor=actor,
            command_id=f"{table}-{seq}",
            digest=digest(command),
            cause="player",
            command=command,
            events=events,
        )
        for seq, (actor, command, events) in enumerate(batches, start=1)
    )


def listing(
    table: str = "t1",
    *,
    users: tuple[str, ...] = ("anna",),
    status: Status = "open",
    listed: bool = True,
    moved: int = AT,
) -> Listing:
    """Return what the lobby shows of a table."""
    return Listing(
        table=table,
        status=status,
        options=Options(edition="classic", players=3, house_rules=("payment=chosen",), listed=listed),
        host=users[0] if users else None,
        users=users,
        bots=1,
        opened=AT,
        moved=moved,
    )


def head(record: str = "r1", user: str = "anna", at: int = AT) -> RecordHead:
    """Return what is known of a record."""
    return RecordHead(record, user, at, 70_000, '{"names": ["Ännchen 🌱"]}')


def user(name: str = "Ännchen 🌱", bot: bool = False) -> User:
    """Return a guest whose id comes from the name."""
    return User(f"id-{name}", name, "de", AT, bot)


def session(digest: str = "d1", user: str = "anna", created: int = AT) -> Session:
    """Return a token with one scope."""
    return Session(digest, user, created, cookie=False, scopes=("read",), label="my bot", used=created)


def link(digest: str = "l1", table: str | None = "t1", created: int = AT, user: str | None = None) -> Link:
    """Return a link of Anna's to a table, or to a user."""
    return Link(digest, digest[:2], "anna", created, created + 1_000, table, user)


def line(table: str = "t1", user: str = "anna", text: str = "Hello, “world” \\ 🌱") -> ChatLine:
    """Return a line of chat without a number."""
    return ChatLine(0, table, user, AT, text)


def report(number: int = 1, at: int = AT) -> Report:
    """Return a report."""
    return Report("t1", number, "anna", "ben", at, "what he said", "rude")
