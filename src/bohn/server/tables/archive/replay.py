"""A replay: the views of a game, entry by entry, as frames a page can merge. Nothing is decided here."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from bohn.notation.records import Entry
from bohn.protocol import frames
from bohn.protocol.replay import AnyReplayFrame, ReplayEntry, ReplayStart
from bohn.rules.beans import Hand
from bohn.rules.errors import BohnError
from bohn.rules.events import AnyEvent
from bohn.rules.evolve import fold
from bohn.rules.state import State
from bohn.server.tables.past_game import PastGame
from bohn.server.tables.viewpoint import patch_of, worths_of
from bohn.views.view import OwnHand, View, own_hand, view
from bohn.views.visible import visible
from bohn.views.worth import worth

LEVEL = 6
"""The gzip level of a replay: a game of 1,000 entries takes 10 ms, and becomes a tenth."""

LARGEST = 32_000_000
"""Bytes of a replay before compression; a game of 1,000 entries has a third of a million."""

_ENCODER = msgspec.json.Encoder()


class TooLong(BohnError):  # noqa: N818 - a fact about a record
    """A replay of this record would be larger than any game's."""


def replay(game: PastGame, seat: int | None, *, hands: bool = False) -> bytes:
    """Return a replay as a seat, or (``None``) everybody, saw it: gzipped, one frame a line.

    ``hands`` lays all hands open beside that view. Raises :class:`TooLong`.
    """
    lines: list[bytes] = []
    size = 0
    for frame in frames_of(game, seat, hands=hands):
        line = _ENCODER.encode(frame)
        lines.append(line)
        size += len(line)
        if size > LARGEST:
            msg = f"expected a game whose replay has at most {LARGEST} bytes"
            raise TooLong(msg)
    return gzip.compress(b"\n".join([*lines, b""]), LEVEL, mtime=0)


def frames_of(game: PastGame, seat: int | None, *, hands: bool = False) -> Iterator[AnyReplayFrame]:
    """Yield the frames of a replay."""
    first = game.entries[0]
    state = fold(first.events)
    viewer = _ReplayViewer(game, seat, state, hands=hands)
    yield viewer.start()
    yield _entry(game, first, viewer.events(first), {})
    for entry in game.entries[1:]:
        state = fold(entry.events, state)
        yield _entry(game, entry, viewer.events(entry), viewer.look(state))


class _ReplayViewer:
    """A viewer of a replay, and what was shown last."""

    def __init__(self, game: PastGame, seat: int | None, state: State, *, hands: bool) -> None:
        self._game = game
        self._seat = seat
        self._public: View = view(game.rules, state, None)
        self._own: OwnHand | None = None if seat is None else own_hand(state, seat)
        self._hands: tuple[Hand, ...] | None = _hands(state) if hands else None

    def start(self) -> ReplayStart:
        """Return the first frame."""
        game, seats = self._game, self._game.seats
        return ReplayStart(
            table=game.table,
            record=game.record_id,
            entries=len(game.entries),
            names=tuple(name for name, _ in seats),
            bots=tuple(bot for _, bot in seats),
            at=game.at(0),
            result=game.result,
            seat=self._seat,
            game=replace(self._public, viewer=self._seat, own=self._own),
            worth=worth(self._public),
            open_hands=self._hands,
        )

    def events(self, entry: Entry) -> tuple[Any, ...]:
        """Return the events of an entry as they are shown: with open hands, as the seat that saw most."""
        seat = self._seat
        seen = (visible(event, seat if self._hands is None else _nearest(event)) for event in entry.events)
        return tuple([event for event in seen if event is not None])

    def look(self, state: State) -> dict[str, Any]:
        """Return what has changed."""
        public = view(self._game.rules, state, None)
        changed: dict[str, Any] = {}
        patch = patch_of(self._public, public)
        if worths := worths_of(self._public, public):
            changed["worth"] = worths
        self._public = public
        own = None if self._seat is None else own_hand(state, self._seat)
        if own != self._own:
            self._own = patch["own"] = own
        if patch:
            changed["view"] = frames.ViewPatch(**patch)
        if self._hands is not None and (hands := _hands(state)) != self._hands:
            pairs = enumerate(zip(self._hands, hands, strict=True))
            changed["open_hands"] = {seat: new for seat, (old, new) in pairs if old != new}
            self._hands = hands
        return changed


def _entry(game: PastGame, entry: Entry, events: tuple[Any, ...], changed: dict[str, Any]) -> ReplayEntry:
    heading: dict[str, Any] = {"cause": entry.cause}
    if entry.actor is not None:
        heading["by"] = entry.actor
    if (at := game.at(entry.seq)) is not None:
        heading["at"] = at
    return ReplayEntry(entry.seq, events=events, **heading, **changed)


def _hands(state: State) -> tuple[Hand, ...]:
    return tuple([player.hand for player in state.players])


def _nearest(event: AnyEvent) -> int | None:
    """Return the seat that sees most of an event: whoever gave, made an offer or acted."""
    offer = getattr(event, "offer", None)
    for whose, name in ((event, "giver"), (offer, "maker"), (event, "player"), (event, "maker")):
        seat = getattr(whose, name, None)
        if isinstance(seat, int):
            return seat
    return None
