"""What was promised of messages, compared with the log: pure functions of what has happened."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from msgspec import Struct

from bohn.server.store.protocol import LogRow
from bohn.server.tables.snapshot import Snapshot, after_row
from bohn.server.tables.turns import awaited

LATE = 2_000
"""Ms behind the end of a turn after which no message of it arrives: the sender has read the log before it."""

Faults = list[str]


class Message(Struct, frozen=True):
    """A message that came at ``at``, ms since 1970; ``seen`` is the last row the sender had of its table."""

    at: int
    worker: str
    user: str
    table: str
    kind: str
    seen: int


class Death(Struct, frozen=True):
    """A worker that was killed, and when."""

    worker: str
    at: int


class Turn(Struct):
    """A turn of a user, from the row with which it begins up to that with which it is over."""

    table: str
    user: str
    begun: int
    begun_at: int
    ended: int | None = None
    ended_at: int | None = None

    def lasts_at(self, seq: int) -> bool:
        """Tell whether it lasts once this row is written."""
        return self.begun <= seq and (self.ended is None or seq < self.ended)


class Verdict(Struct):
    """What was found: how each turn was told, and what is wrong."""

    turns: list[Turn]
    messages: dict[int, list[Message]]
    faults: Faults
    repeated: int = 0

    @property
    def told(self) -> list[tuple[Turn, list[Message]]]:
        """The turns that were told, with their messages."""
        return [(self.turns[number], found) for number, found in sorted(self.messages.items())]


def turns_of(rows: Iterable[LogRow]) -> list[Turn]:
    """Return the turns of everybody at a table, by its log."""
    turns: list[Turn] = []
    lasting: dict[str, Turn] = {}
    snapshot: Snapshot | None = None
    for row in rows:
        snapshot = after_row(snapshot, row)
        waited = awaited(snapshot)
        for user in [user for user in lasting if user not in waited]:
            turn = lasting.pop(user)
            turn.ended, turn.ended_at = row.seq, row.at
        for user in sorted(waited - set(lasting)):
            lasting[user] = Turn(row.table, user, row.seq, row.at)
            turns.append(lasting[user])
    return turns


def judged(
    turns: list[Turn], messages: Sequence[Message], deaths: Sequence[Death], owed: int, until: int
) -> Verdict:
    """Compare turns with messages: whoever was waited for longer than ``owed`` ms must have been told.

    ``until`` is when it was last looked, for turns that last.
    """
    verdict = Verdict(turns, {}, [])
    by_user: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, turn in enumerate(turns):
        by_user[turn.table, turn.user].append(number)
    for message in sorted(messages, key=lambda one: one.at):
        _place(verdict, message, by_user[message.table, message.user])
    for number, turn in enumerate(turns):
        lasted = (until if turn.ended_at is None else turn.ended_at) - turn.begun_at
        if lasted > owed and number not in verdict.messages:
            verdict.faults.append(f"not told in {lasted / 1000:.1f} s: {_named(turn)}")
    for turn, found in verdict.told:
        _repeats(verdict, turn, found, deaths)
    return verdict


def _place(verdict: Verdict, message: Message, numbers: list[int]) -> None:
    """Find the turn of a message: the one that lasted as the sender saw the table."""
    number = next((one for one in numbers if verdict.turns[one].lasts_at(message.seen)), None)
    if message.kind != "turn":
        verdict.faults.append(f"not of a turn: {message}")
    elif number is None:
        verdict.faults.append(f"sent although it was no turn, as the sender could see: {message}")
    else:
        turn = verdict.turns[number]
        verdict.messages.setdefault(number, []).append(message)
        if turn.ended_at is not None and message.at > turn.ended_at + LATE:
            verdict.faults.append(f"{message.at - turn.ended_at} ms behind its end: {_named(turn)}")


def _repeats(verdict: Verdict, turn: Turn, found: list[Message], deaths: Sequence[Death]) -> None:
    """A message is sent again only if who had sent it before was killed meanwhile."""
    for before, after in pairwise(found):
        verdict.repeated += 1
        if not any(one.worker == before.worker and before.at <= one.at <= after.at for one in deaths):
            gap = (after.at - before.at) / 1000
            words = f"{before.worker}, and {gap:.1f} s later {after.worker}"
            verdict.faults.append(f"told twice though nobody was killed ({words}): {_named(turn)}")


def _named(turn: Turn) -> str:
    return f"{turn.table}, {turn.user}, row {turn.begun} to {turn.ended}"
