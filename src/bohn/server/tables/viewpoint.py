"""Viewpoints on a table: what viewers of one seat were last sent, and the next frame for them.

All viewers who see the same (a seat's owner on two devices, all spectators) share a viewpoint, so that a
batch is built and encoded once for each; and what everybody sees alike is computed once for all of them.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from bohn.protocol import frames
from bohn.rules.legal import NO_OFFERS, legal_commands, offer_space
from bohn.server.store.protocol import LogRow
from bohn.server.tables.shown import shown
from bohn.server.tables.snapshot import Snapshot, clocks_of
from bohn.views.giving import answer, discards, gift_ways
from bohn.views.preview import consequences
from bohn.views.view import OwnHand, PlayerView, TradeView, View, own_hand, view
from bohn.views.worth import SeatWorth, seat_worth, worth

ENCODER = msgspec.json.Encoder()

_PARTS = tuple(name for name in frames.ViewPatch.__struct_fields__ if name not in {"own", "players"})
NO_CHOICES = frames.Choices((), NO_OFFERS, ())


def public_view(snapshot: Snapshot) -> View | None:
    """Return what a spectator sees of the game; ``None`` before the deal."""
    return None if snapshot.state is None else view(snapshot.rules, snapshot.state, None)


class ViewDiff:
    """What a batch changes for everybody alike."""

    __slots__ = ("_frame", "after", "changed", "events", "game", "moved", "patch", "row")

    def __init__(
        self,
        row: LogRow,
        before: Snapshot,
        after: Snapshot,
        old: View | None,
        people: dict[str, frames.Person],
    ) -> None:
        """Compare two snapshots of a table; ``old`` is the public view of the earlier one."""
        self.row = row
        self.after = after
        self.events = shown(row, None)
        self._frame: bytes | None = None
        self.changed: dict[str, Any] = {}
        if _shown_room_changed(before, after):
            self.changed["room"] = after.room
        elif after.room.quiet_since != before.room.quiet_since:
            self.changed["quiet_since"] = after.room.quiet_since
        if people:
            self.changed["people"] = people
        if after.timers is not before.timers:
            clocks = clocks_of(after)
            if clocks != clocks_of(before):
                self.changed["clocks"] = clocks
        self.moved = after.state is not before.state
        self.game = public_view(after) if self.moved else old
        self.patch = patch_of(old, self.game)
        if worths := worths_of(old, self.game):
            self.changed["worth"] = worths

    @property
    def talk_only(self) -> bool:
        """Whether nothing has changed that choices depend on (TALK-3)."""
        return self.patch.keys() <= {"talk"}

    def frame(self) -> bytes:
        """Return the frame for viewers who see only what everybody sees."""
        if self._frame is None:
            view = {"view": frames.ViewPatch(**self.patch)} if self.patch else {}
            self._frame = _frame(self.row, self.events, self.changed | view)
        return self._frame


class Viewpoint:
    """What one seat, or a spectator (``seat`` is ``None``), has been shown of a table."""

    __slots__ = ("_choices", "_own", "_public", "seat")

    def __init__(self, seat: int | None, snapshot: Snapshot, public: View | None) -> None:
        """Begin with all that can be seen now; ``public`` is what everybody sees of the game."""
        self.seat = seat
        self._public = public
        self._own: OwnHand | None = None
        self._choices = NO_CHOICES
        if snapshot.state is not None and seat is not None:
            self._own = own_hand(snapshot.state, seat)
            self._choices = _choices(snapshot, seat, self.game)

    @property
    def game(self) -> View | None:
        """The game as it was last shown."""
        if self._public is None or self.seat is None:
            return self._public
        return replace(self._public, viewer=self.seat, own=self._own)

    @property
    def worth(self) -> tuple[SeatWorth, ...]:
        """What the fields are worth, by seat; nothing before the deal."""
        return () if self._public is None else worth(self._public)

    @property
    def choices(self) -> frames.Choices | None:
        """What the seat may do, once the game has begun."""
        return None if self.seat is None or self._public is None else self._choices

    # -- a batch -----------------------------------------------------------------------------------

    def batch(self, diff: ViewDiff) -> bytes:
        """Return the frame of a batch of which this viewpoint sees something, and remember what it shows."""
        events = diff.events if self.seat is None else shown(diff.row, self.seat)
        mine = self._look(diff) if diff.moved else {}
        if not mine and events == diff.events:
            return diff.frame()
        if diff.patch and not mine.keys() & {"view", "game"}:
            mine["view"] = frames.ViewPatch(**diff.patch)
        return _frame(diff.row, events, diff.changed | mine)

    def _look(self, diff: ViewDiff) -> dict[str, Any]:
        """Return what has changed in the game for this seat and not for everybody."""
        state, begins = diff.after.state, self._public is None
        assert state is not None  # noqa: S101 - only a game moves
        self._public = diff.game
        own = None if self.seat is None else own_hand(state, self.seat)
        changed: dict[str, Any] = {}
        if begins:
            self._own = own
            changed["game"] = self.game
        elif own != self._own:
            self._own = own
            changed["view"] = frames.ViewPatch(**diff.patch, own=own)
        elif diff.talk_only:
            return changed  # choices are functions of the view, and no rule depends on talk
        if self.seat is not None:
            self._choose(diff.after, self.seat, changed)
        return changed

    def _choose(self, after: Snapshot, seat: int, changed: dict[str, Any]) -> None:
        old, self._choices = self._choices, _choices(after, seat, self.game)
        for name in frames.Choices.__struct_fields__:
            now = getattr(self._choices, name)
            if now != getattr(old, name):
                changed[name] = now


def patch_of(old: View | None, new: View | None) -> dict[str, Any]:
    """Return the public parts of the new view that differ from the old one; none where the game begins."""
    patch: dict[str, Any] = {}
    if new is None or old is None:
        return patch
    for name in _PARTS:
        now = getattr(new, name)
        if now != getattr(old, name):
            patch[name] = now
    if new.players != old.players:
        pairs = zip(old.players, new.players, strict=True)
        players: dict[int, PlayerView] = {seat: b for seat, (a, b) in enumerate(pairs) if a != b}
        patch["players"] = players
    return patch


def worths_of(old: View | None, new: View | None) -> dict[int, SeatWorth]:
    """Return what fields are worth for the seats where that has changed; for all where the game begins."""
    if new is None or old is new:
        return {}
    if old is None:
        return dict(enumerate(worth(new)))
    pairs = enumerate(zip(old.players, new.players, strict=True))
    return {seat: seat_worth(new.rules, b.fields) for seat, (a, b) in pairs if a.fields != b.fields}


def _choices(snapshot: Snapshot, seat: int, seen: View | None) -> frames.Choices:
    assert snapshot.state is not None  # noqa: S101 - asked by all callers
    assert seen is not None  # noqa: S101 - a game that has begun is seen
    legal: Any = legal_commands(snapshot.rules, snapshot.state, seat)  # typed by its base class
    return frames.Choices(
        legal,
        offer_space(snapshot.rules, snapshot.state, seat),
        _previews(seen),
        gift_ways(seen),
        discards(seen, legal),
    )


def _previews(seen: View) -> tuple[frames.OfferPreview, ...]:
    """Return what each standing offer to or from the viewer would mean, and what he would give for it."""
    if not isinstance(seen.phase, TradeView) or not seen.phase.offers:
        return ()
    return tuple(
        frames.OfferPreview(offer.id, consequences(seen.rules, seen, offer), answer(seen, offer))
        for offer in seen.phase.offers
        if offer.maker == seen.viewer or seen.viewer in offer.to
    )


def _shown_room_changed(before: Snapshot, after: Snapshot) -> bool:
    """Whether the room has changed in more than since when it is quiet, which a batch tells in few bytes."""
    old, new = before.room, after.room
    return old is not new and replace(old, quiet_since=0) != replace(new, quiet_since=0)


def _heading(row: LogRow, events: tuple[Any, ...]) -> dict[str, Any]:
    """Return what stands over the events that are shown: when, why, and who moved in the game."""
    heading: dict[str, Any] = {"at": row.at, "cause": row.cause, "events": events}
    player = getattr(row.command, "player", None)
    if player is not None:
        heading["by"] = player
    return heading


def _frame(row: LogRow, events: tuple[Any, ...], changed: dict[str, Any]) -> bytes:
    heading = _heading(row, events) if events else {}
    return ENCODER.encode(frames.Batch(row.seq, **heading, **changed))


def bare_batch(seq: int) -> bytes:
    """Return the frame of a batch of which a viewer may see nothing: its seq, so that he misses none."""
    return ENCODER.encode(frames.Batch(seq))


def history(row: LogRow, seat: int | None) -> bytes:
    """Return the frame of a row that a viewer has missed: its events, without what they led to."""
    return _frame(row, shown(row, seat), {})
