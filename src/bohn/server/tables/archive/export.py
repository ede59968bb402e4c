"""A finished table as a record: its game without what went on beside it, and its deal revealed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import UNSET

from bohn.bots import PLAYERS, current_name, digests_of
from bohn.notation.deals import Deal
from bohn.notation.records import Entry, Record, entry_of, format_record, header_of
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Room
from bohn.rules.commands import Command
from bohn.server.room.deal import deal_of, reveal_of
from bohn.server.store.protocol import LogRow, SecretDeal
from bohn.server.tables.past_game import PastGame
from bohn.server.tables.snapshot import Snapshot, after_row, split

LONGEST_NAME = 48
"""Characters of a seat's name; a record allows some more, for the bot behind it."""


def record_of(
    rows: Sequence[LogRow], names: Mapping[str, str], deal: SecretDeal | None, product: str
) -> bytes:
    """Return the record of a finished table as text; see :func:`game_of`."""
    return format_record(game_of(rows, names, deal, product).record)


def game_of(
    rows: Sequence[LogRow], names: Mapping[str, str], deal: SecretDeal | None, product: str
) -> PastGame:
    """Return the game of a finished table from all its rows; ``names`` are those of its users, by id.

    Raises :class:`Refusal` (``not-finished``), and :class:`ValueError` where a row is missing.
    """
    snapshot: Snapshot | None = None
    entries: list[Entry] = []
    times: list[int] = []
    for row in rows:
        snapshot = after_row(snapshot, row)
        _, events = split(row.events)
        if events and snapshot.state is not None:
            command = row.command if isinstance(row.command, Command) else None
            entries.append(entry_of(len(entries), row.cause, command, events, snapshot.state))
            times.append(row.at)
    if snapshot is None or snapshot.state is None or snapshot.room.status != "finished":
        raise Refusal(Problem.NOT_FINISHED)
    room = snapshot.room
    header = header_of(
        snapshot.rules,
        seat_names(room, names),
        snapshot.state.seed,
        product,
        _revealed(room, deal) if deal else UNSET,
        digests_of(seat.bot for seat in room.seats if seat.bot is not None),
    )
    return PastGame(Record(header, tuple(entries)), tuple(times), table=room.id)


def _revealed(room: Room, deal: SecretDeal) -> Deal:
    return deal_of(room.commitment, reveal_of(room, deal.secret, deal.nonce))


def seat_names(room: Room, names: Mapping[str, str]) -> tuple[str, ...]:
    """Return the seats as a record's header has them: an owner's name, ``Bot1:pk`` for a bot without one.

    A bot with a name of its own goes by that.
    No two are the same, and no person is called like a computer player: readers can tell who is meant.
    """
    found: list[str] = []
    taken: set[str] = set()
    bots = 0
    for place, seat in enumerate(room.seats):
        if seat.user is None:
            bots += 1
            name = _free(_cleaned(seat.name) or f"Bot{bots}", taken)
        else:
            name = _free(_cleaned(names.get(seat.user, "")) or f"Player{place + 1}", taken)
        taken.add(name.casefold())
        found.append(name if seat.user is not None else f"{name}:{seat.bot}")
    return tuple(found)


def _cleaned(name: str) -> str:
    """Return what may stand in a header: no sign that does not print, no colon, no bot's name."""
    printable = "".join(char for char in name if char.isprintable() and char != ":")
    cleaned = " ".join(printable.split())[:LONGEST_NAME]
    return cleaned.capitalize() if current_name(cleaned) in PLAYERS else cleaned


def _free(name: str, taken: set[str]) -> str:
    """Return the name, with a number behind it if somebody has it already."""
    if name.casefold() not in taken:
        return name
    number = 2
    while f"{name}-{number}".casefold() in taken:
        number += 1
    return f"{name}-{number}"
