"""Games that are over, or were recorded: their replay as frames, their summary, and stored records."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from bohn.notation.records import Cause
from bohn.protocol.frames import ViewPatch
from bohn.rules.beans import Bean, Hand
from bohn.rules.state import Result
from bohn.views.view import View
from bohn.views.worth import SeatWorth


class ReplayFrame(Struct, frozen=True, tag_field="type"):
    """The base of the lines of a replay."""


class ReplayStart(ReplayFrame, frozen=True, tag="replay"):
    """The first line of a replay: the game behind its first entry, as ``seat`` (or everybody) saw it.

    It is of a ``table`` or of a kept ``record``, and ``entries`` more lines follow. ``names`` and ``bots``
    are by seat, ``at`` is when the first entry was written, as far as that is known; ``result`` is there if
    the game was played to its end. ``open_hands`` are all hands by seat, if they were asked for.
    """

    table: str | None
    record: str | None
    entries: int
    names: tuple[str, ...]
    bots: tuple[str | None, ...]
    at: int | None
    result: Result | None
    seat: int | None
    game: View
    worth: tuple[SeatWorth, ...]
    open_hands: tuple[Hand, ...] | None = None


class ReplayEntry(ReplayFrame, frozen=True, tag="entry", omit_defaults=True):
    """One entry of a game, in the parts of a ``Batch``; what is absent has not changed.

    The first one, ``seq`` 0, holds events only: what they led to is in the line before it. ``open_hands`` are
    those hands that have changed, by seat, if they were asked for.
    """

    seq: int
    at: int | UnsetType = UNSET
    by: int | UnsetType = UNSET
    cause: Cause | UnsetType = UNSET
    events: tuple[Any, ...] = ()
    view: ViewPatch | UnsetType = UNSET
    worth: dict[int, SeatWorth] | UnsetType = UNSET
    open_hands: dict[int, Hand] | UnsetType = UNSET


AnyReplayFrame = ReplayStart | ReplayEntry


class HarvestInfo(Struct, frozen=True):
    """A harvest: at which entry, which bean and how many of it, for how many coins."""

    entry: int
    bean: Bean
    beans: int
    coins: int


class PlayerSummary(Struct, frozen=True):
    """What one player did in a game.

    ``trades`` are exchanges in which both sides gave something, gifts those in which one did; beans are those
    that changed hands in both. ``offers_taken`` are his own offers that came about, ``offers_accepted`` those
    of others that he took. ``best`` is his best harvest, the first of equals; ``coins_by_bean`` are the coins
    of all his harvests, by bean.
    """

    trades: int
    gifts_given: int
    gifts_received: int
    beans_given: int
    beans_received: int
    offers_made: int
    offers_taken: int
    offers_accepted: int
    offers_declined: int
    planted: int
    harvests: int
    best: HarvestInfo | None
    coins_by_bean: tuple[int, ...]
    fields_bought: int


class CoinsAt(Struct, frozen=True):
    """The coins of all seats from an entry on, until the next of these."""

    entry: int
    turn: int
    coins: tuple[int, ...]


class Summary(Struct, frozen=True):
    """A game in numbers; ``names``, ``bots``, ``ranks`` and ``players`` are by seat.

    ``ranks`` count from 1, all winners have 1, and there are none before the end. ``began`` and ``ended`` are
    when the first and the last entry were written, as far as that is known.
    """

    table: str | None
    record: str | None
    edition: str
    house_rules: tuple[str, ...]
    names: tuple[str, ...]
    bots: tuple[str | None, ...]
    entries: int
    turns: int
    began: int | None
    ended: int | None
    result: Result | None
    ranks: tuple[int, ...]
    coins: tuple[CoinsAt, ...]
    players: tuple[PlayerSummary, ...]


class RecordInfo(Struct, frozen=True):
    """A stored record; whoever has its id, ``record``, may watch it. ``names`` and ``bots`` are by seat."""

    record: str
    kept: int
    edition: str
    house_rules: tuple[str, ...]
    names: tuple[str, ...]
    bots: tuple[str | None, ...]
    entries: int
    turns: int
    result: Result | None
    size: int


class RecordList(Struct, frozen=True):
    """The user's own stored records, the newest first, of ``most`` that he may have."""

    records: tuple[RecordInfo, ...]
    most: int
