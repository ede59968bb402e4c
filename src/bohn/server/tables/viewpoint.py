"""One viewer's eyes on a table: what was last sent there, and the next frame.

All viewers who see the same (a seat's owner on two devices, all spectators) share a viewpoint, so that a
batch is built and encoded once for each.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from bohn.rules.commands import AnyCommand
from bohn.rules.legal import NO_OFFERS, OfferSpace, legal_commands, offer_space
from bohn.server.room.clocks import view_of
from bohn.server.room.events import RoomEvent
from bohn.server.room.state import Room
from bohn.server.store.protocol import Row
from bohn.server.tables.stage import Stage
from bohn.server.wire import frames
from bohn.views.preview import consequences
from bohn.views.view import PlayerView, TradeView, View, view
from bohn.views.visible import visible

ENCODER = msgspec.json.Encoder()

_PARTS = tuple(name for name in View.__struct_fields__ if name not in {"rules", "viewer", "players"})


class Viewpoint:
    """What one seat, or a spectator (``seat`` is ``None``), has been shown of a table."""

    __slots__ = ("_clocks", "_legal", "_offers", "_previews", "_view", "seat")

    def __init__(self, seat: int | None, stage: Stage) -> None:
        """Begin with all that can be seen now."""
        self.seat = seat
        self._view: View | None = None
        self._legal: tuple[AnyCommand, ...] = ()
        self._offers = NO_OFFERS
        self._previews: tuple[frames.OfferPreview, ...] = ()
        self._clocks = view_of(stage.timers)
        self._look(stage)

    def _look(self, stage: Stage) -> None:
        if stage.state is None:
            return
        self._view = view(stage.rules, stage.state, self.seat)
        if self.seat is not None:
            self._legal, self._offers = _choices(stage, self.seat)
            self._previews = _previews(self._view)

    @property
    def game(self) -> View | None:
        """The game as it was last shown."""
        return self._view

    @property
    def choices(self) -> frames.Choices | None:
        """What the seat may do, once the game has begun."""
        if self.seat is None or self._view is None:
            return None
        return frames.Choices(self._legal, self._offers, self._previews)

    @property
    def clocks(self) -> tuple[frames.Clock, ...]:
        """The clocks as they were last shown."""
        return self._clocks

    # -- a batch -----------------------------------------------------------------------------------

    def batch(
        self,
        row: Row,
        before: Stage,
        after: Stage,
        people: dict[str, frames.Person] | UnsetType = UNSET,
    ) -> bytes:
        """Return the frame of a row for this viewpoint, and remember what it shows.

        What cannot be seen leaves nothing but the seq (DESIGN 6: a gapless sequence for every viewer).
        """
        events = shown(row, self.seat)
        changed = self._changes(before, after)
        if not events and not changed:
            return ENCODER.encode(frames.Batch(row.seq))
        if events:
            changed["events"] = events
            changed["at"] = row.at
            changed["cause"] = row.cause
            by = _seat_of(row, before.room)
            if by is not None:
                changed["by"] = by
        if people is not UNSET and people:
            changed["people"] = people
        return ENCODER.encode(frames.Batch(row.seq, **changed))

    def _changes(self, before: Stage, after: Stage) -> dict[str, Any]:
        changed: dict[str, Any] = {}
        if _shown_room_changed(before, after):
            changed["room"] = after.room
        if after.timers is not before.timers:
            clocks = view_of(after.timers)
            if clocks != self._clocks:
                self._clocks = changed["clocks"] = clocks
        if after.state is not None and after.state is not before.state:
            self._game_changes(after, changed)
        return changed

    def _game_changes(self, after: Stage, changed: dict[str, Any]) -> None:
        assert after.state is not None  # noqa: S101 - asked by the only caller
        old, new = self._view, view(after.rules, after.state, self.seat)
        self._view = new
        if old is None:
            changed["game"] = new
        else:
            patch = _patch(old, new)
            if not patch:
                return  # whoever sees nothing new has no other choices: these are functions of the view
            changed["view"] = frames.ViewPatch(**patch)
        if self.seat is not None:
            self._choice_changes(after, new, changed)

    def _choice_changes(self, after: Stage, seen: View, changed: dict[str, Any]) -> None:
        assert self.seat is not None  # noqa: S101 - asked by the only caller
        legal, offers = _choices(after, self.seat)
        if legal != self._legal:
            self._legal = changed["legal"] = legal
        if offers != self._offers:
            self._offers = changed["offers"] = offers
        previews = _previews(seen)
        if previews != self._previews:
            self._previews = changed["previews"] = previews


def _patch(old: View, new: View) -> dict[str, Any]:
    """Return the parts of the new view that differ from the old one."""
    patch: dict[str, Any] = {}
    for name in _PARTS:
        now = getattr(new, name)
        if now != getattr(old, name):
            patch[name] = now
    if new.players != old.players:
        pairs = zip(old.players, new.players, strict=True)
        players: dict[int, PlayerView] = {seat: b for seat, (a, b) in enumerate(pairs) if a != b}
        patch["players"] = players
    return patch


def _choices(stage: Stage, seat: int) -> tuple[tuple[AnyCommand, ...], OfferSpace]:
    assert stage.state is not None  # noqa: S101 - asked by all callers
    legal: Any = legal_commands(stage.rules, stage.state, seat)  # typed by its base; all are in the union
    return legal, offer_space(stage.rules, stage.state, seat)


def _previews(seen: View) -> tuple[frames.OfferPreview, ...]:
    """Return what each open offer to or from the viewer would mean."""
    phase = seen.phase
    if not isinstance(phase, TradeView) or not phase.offers:
        return ()
    return tuple(
        frames.OfferPreview(offer.id, consequences(seen.rules, seen, offer))
        for offer in phase.offers
        if offer.maker == seen.viewer or seen.viewer in offer.to
    )


def _shown_room_changed(before: Stage, after: Stage) -> bool:
    """Whether the room has changed in more than how long it has been quiet, which batches tell anyway."""
    old, new = before.room, after.room
    if old is new:
        return False
    return msgspec.structs.replace(old, quiet_since=0) != msgspec.structs.replace(new, quiet_since=0)


def _seat_of(row: Row, room: Room) -> int | None:
    """Return the seat that acted: the player of a game command, or the seat of the user."""
    player = getattr(row.command, "player", None)
    return int(player) if player is not None else room.seat_of(row.actor)


def shown(row: Row, seat: int | None) -> tuple[Any, ...]:
    """Return the events of a row as a seat, or a spectator, may see them."""
    found: list[Any] = []
    for event in row.events:
        seen = event if isinstance(event, RoomEvent) else visible(event, seat)
        if seen is not None:
            found.append(seen)
    return tuple(found)


def history(row: Row, seat: int | None, stage: Stage) -> bytes:
    """Return the frame of a row that a viewer has missed: its events, without what they led to."""
    events = shown(row, seat)
    if not events:
        return ENCODER.encode(frames.Batch(row.seq))
    by = _seat_of(row, stage.room)
    return ENCODER.encode(
        frames.Batch(row.seq, at=row.at, cause=row.cause, events=events, by=UNSET if by is None else by)
    )
