"""One table as a client knows it: the frames of its stream, put one over the other."""

from __future__ import annotations

from typing import TypeVar

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict, replace

from bohn.rules.commands import AnyCommand
from bohn.rules.legal import NO_OFFERS, OfferSpace
from bohn.rules.state import EndPhase, Result
from bohn.server.room.events import RoomEvent
from bohn.server.room.state import Room
from bohn.server.wire import frames
from bohn.sim.seat import Choices
from bohn.views.knowledge import Knowledge, know, learn
from bohn.views.view import View
from bohn.views.worth import SeatWorth

T = TypeVar("T")


def merge(view: View, patch: frames.ViewPatch) -> View:
    """Return a view with the parts that have changed."""
    parts = {name: part for name, part in asdict(patch).items() if part is not UNSET}
    players: dict[int, object] | None = parts.pop("players", None)
    if players is not None:
        parts["players"] = tuple(players.get(seat, player) for seat, player in enumerate(view.players))
    return replace(view, **parts)


def _reworth(old: tuple[SeatWorth, ...], new: dict[int, SeatWorth]) -> tuple[SeatWorth, ...]:
    """Return what fields are worth with the seats that have changed; the first time all have."""
    whole = dict(enumerate(old)) | new
    return tuple(whole[seat] for seat in sorted(whole))


def _newer(new: T | UnsetType, old: T) -> T:
    return old if isinstance(new, UnsetType) else new


class Game:
    """What is known of one table; :meth:`take` puts a frame over it.

    ``seat`` is the own one; ``view``, ``legal``, ``offers``, ``previews`` and ``worth`` (of each field, by
    seat) are there once the game has begun; ``knowledge`` remembers what was shown. ``seq`` is the last batch
    that all this includes.
    """

    def __init__(self, table: str) -> None:
        """Begin with nothing."""
        self.table = table
        self.seq = 0
        self.seat: int | None = None
        self.user: str | None = None
        self.room: Room | None = None
        self.people: dict[str, frames.Person] = {}
        self.view: View | None = None
        self.knowledge: Knowledge | None = None
        self.legal: tuple[AnyCommand, ...] = ()
        self.offers: OfferSpace = NO_OFFERS
        self.previews: tuple[frames.OfferPreview, ...] = ()
        self.worth: tuple[SeatWorth, ...] = ()
        self.clocks: tuple[frames.Clock, ...] = ()
        self.present: tuple[int, ...] = ()
        self.watching = 0
        self._learnt = 0

    @property
    def result(self) -> Result | None:
        """The result, once the game is over."""
        if self.view is not None and isinstance(self.view.phase, EndPhase):
            return self.view.phase.result
        return None

    @property
    def over(self) -> bool:
        """Whether nothing more will happen here."""
        return self.room is not None and self.room.status in ("finished", "abandoned")

    def choices(self, tries: int | None = None) -> Choices:
        """Return what may be done now, as computer players take it; ``tries`` limits the offers."""
        return Choices(self.legal, self.offers, tries)

    def take(self, frame: frames.AnyServerFrame) -> bool:
        """Put a frame over what is known; tell whether the game or the room has moved."""
        match frame:
            case frames.Welcome():
                self._welcome(frame)
            case frames.Batch():
                return self._batch(frame)
            case frames.Presence(present=present, watching=watching):
                self.present, self.watching = present, watching
            case frames.People(people=people):
                self.people |= people
            case _:
                pass
        return isinstance(frame, frames.Welcome)

    def _welcome(self, frame: frames.Welcome) -> None:
        """Begin anew; what was learnt is kept if the gap behind it follows, as history."""
        keeps = not frame.fresh and self.knowledge is not None and self.seat == frame.seat
        self.seq, self.seat, self.user, self.room = frame.seq, frame.seat, frame.user, frame.room
        self.people = dict(frame.people)
        self.view = frame.game
        self.worth = frame.worth
        choices = frame.choices
        self.legal = () if choices is None else choices.legal
        self.offers = NO_OFFERS if choices is None else choices.offers
        self.previews = () if choices is None else choices.previews
        self.clocks, self.present, self.watching = frame.clocks, frame.present, frame.watching
        if not keeps:
            self.knowledge = None if frame.game is None else know(frame.game)
            self._learnt = frame.seq

    def _batch(self, frame: frames.Batch) -> bool:
        if frame.seq > self.seq:
            self._move(frame)
        self._learn(frame)
        return frame != frames.Batch(frame.seq)

    def _move(self, frame: frames.Batch) -> None:
        self.seq = frame.seq
        if frame.game is not UNSET:
            self.view = frame.game
        elif frame.view is not UNSET and self.view is not None:
            self.view = merge(self.view, frame.view)
        if frame.worth is not UNSET:
            self.worth = _reworth(self.worth, frame.worth)
        self.room = _newer(frame.room, self.room)
        self.people |= _newer(frame.people, {})
        self.legal = _newer(frame.legal, self.legal)
        self.offers = _newer(frame.offers, self.offers)
        self.previews = _newer(frame.previews, self.previews)
        self.clocks = _newer(frame.clocks, self.clocks)

    def _learn(self, frame: frames.Batch) -> None:
        """Learn from the events of a batch, once."""
        if frame.seq <= self._learnt:
            return
        self._learnt = frame.seq
        if frame.game is not UNSET:
            self.knowledge = know(frame.game)
        elif self.knowledge is not None:
            for event in frame.events:
                if not isinstance(event, RoomEvent | dict):
                    self.knowledge = learn(self.knowledge, event)
