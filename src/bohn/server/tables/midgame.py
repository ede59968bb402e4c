"""Tables whose game has begun before: from the middle of an earlier game, or as a lesson begins."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from bohn.bots import DEFAULT, PLAYERS, current_name
from bohn.notation.records import Entry
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import ClockName, Options, Origin
from bohn.protocol.room_events import BotSeated, Sat, Started, TableOpened
from bohn.rules.events import GameEnded
from bohn.server.people.names import clean
from bohn.server.room.options import check_options
from bohn.server.store.protocol import LogRow
from bohn.server.tables.past_game import PastGame

ACTOR = "origin"
"""The actor of log rows that were copied from elsewhere."""

LONGEST_NAME = 24
"""Characters of the name under which a bot plays on in somebody's place."""


class MidgameTable(Struct, frozen=True):
    """A table to be opened: ``bots`` are bot and name of every seat; the user takes ``seat``.

    ``entries`` are its game so far, from the deal on.
    """

    options: Options
    seat: int
    bots: tuple[tuple[str, str], ...]
    entries: tuple[Entry, ...]
    origin: Origin | None = None
    lesson: str | None = None


def played_on(game: PastGame, origin: Origin, clock: ClockName, bots: tuple[str, ...]) -> MidgameTable:
    """Return the table on which a game goes on behind an entry, with bots in all seats but one.

    ``bots`` are for those seats in their order; where none is named, the bot of that seat plays on, or else
    the default one. Raises :class:`Refusal`.
    """
    header = game.record.header
    options = Options(header.edition, len(header.seats), header.house_rules, clock, spectators=False)
    _require_rules(game, options)
    if not 0 <= origin.seat < options.players:
        raise Refusal(Problem.NO_SUCH_SEAT)
    if len(bots) >= options.players:
        raise Refusal(Problem.OPTIONS_NOT_VALID, what="bots")
    entries = game.entries[: max(0, origin.entry + 1)]
    over = any(isinstance(event, GameEnded) for entry in entries[-1:] for event in entry.events)
    if over or not entries or len(entries) != origin.entry + 1:
        raise Refusal(Problem.OPTIONS_NOT_VALID, what="entry")
    return MidgameTable(options, origin.seat, _seated(game, origin.seat, bots), entries, origin=origin)


def _require_rules(game: PastGame, options: Options) -> None:
    """Refuse a game under rules that no table here has; its record may be from another version."""
    try:
        same = check_options(options) == game.rules
    except Refusal:
        same = False
    if not same:
        raise Refusal(Problem.OPTIONS_NOT_VALID, what="rules")


def _seated(game: PastGame, own: int, bots: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return bot and name of every seat."""
    chosen = map(current_name, bots)
    found: list[tuple[str, str]] = []
    for place, (name, bot) in enumerate(game.seats):
        usual = bot if bot in PLAYERS else DEFAULT
        sits = usual if place == own else next(chosen, usual)
        found.append((sits, clean(name)[:LONGEST_NAME].strip()))
    return tuple(found)


def rows_of(midgame: MidgameTable, table: str, user: str, digest: str, now: int) -> tuple[LogRow, ...]:
    """Return the log of such a table: opened, seated, dealt, and what was done; all of it now."""
    batches = enumerate(_batches(midgame, table, user, now), start=1)
    return tuple(
        LogRow(
            table=table,
            seq=seq,
            at=now,
            actor=user if seq == 1 else ACTOR,
            command_id=f"open:{table}" if seq == 1 else str(seq),
            digest=digest if seq == 1 else _digest(command),
            cause=cause,
            command=command,
            events=events,
        )
        for seq, (cause, command, events) in batches
    )


def _batches(midgame: MidgameTable, table: str, user: str, now: int) -> Iterator[tuple[Any, Any, Any]]:
    """Yield cause, command and events of each row."""
    opened = TableOpened(table, user, midgame.options, "", now, origin=midgame.origin, lesson=midgame.lesson)
    seated = (
        Sat(place, user, "", now) if place == midgame.seat else BotSeated(place, bot, "", name)
        for place, (bot, name) in enumerate(midgame.bots)
    )
    yield "host", None, (opened, *seated)
    deal, *rest = midgame.entries
    yield deal.cause, None, (Started(), *deal.events)
    for entry in rest:
        yield entry.cause, entry.command, entry.events


def _digest(command: Any) -> str:
    return sha256(msgspec.json.encode(command)).hexdigest()
