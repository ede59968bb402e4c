"""What a client knows of one table: the frames of its stream, merged."""

from __future__ import annotations

from typing import TypeVar

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict, replace

from bohn.play.seat import Choices
from bohn.protocol import frames
from bohn.protocol.room import Room
from bohn.protocol.room_events import RoomEvent
from bohn.rules.commands import AnyCommand
from bohn.rules.legal import NO_OFFERS, OfferSpace
from bohn.rules.state import Copies, EndPhase, Result
from bohn.views.giving import GiftWays
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


def _merge_worth(old: tuple[SeatWorth, ...], new: dict[int, SeatWorth]) -> tuple[SeatWorth, ...]:
    """Return the worth of all fields, with that of the changed seats replaced."""
    whole = dict(enumerate(old)) | new
    return tuple(whole[seat] for seat in sorted(whole))


def _changed(new: T | UnsetType, old: T) -> T:
    return old if isinstance(new, UnsetType) else new


class Game:
    """What is known of one table; :meth:`take` merges a frame into it.

    ``seat`` is the one of this user; ``view``, what is legal (``legal``, ``offers``, ``previews``, ``gifts``,
    ``discards``) and ``worth`` (of each field, by seat) are there once the game has begun; ``knowledge``
    remembers what was shown. ``seq`` is the last batch that all this includes.
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
        self.gifts: tuple[GiftWays, ...] = ()
        self.discards: Copies = ()
        self.worth: tuple[SeatWorth, ...] = ()
        self.clocks: tuple[frames.Clock, ...] = ()
        self.present: tuple[int, ...] = ()
        self.watching = 0
        self.spectators: tuple[str, ...] = ()
        self.composing: tuple[int, ...] = ()
        self.enough: tuple[int, ...] = ()
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
        """Merge a frame; return whether the game or the room has changed."""
        match frame:
            case frames.Welcome():
                self._welcome(frame)
            case frames.Batch():
                return self._batch(frame)
            case frames.Clocks():
                self.clocks = frame.clocks
                self.room = self.room and replace(self.room, last_call=frame.last_call)
            case frames.Presence(present=present, watching=watching, spectators=spectators):
                self.present, self.watching, self.spectators = present, watching, spectators
            case frames.Signs(composing=composing, enough=enough):
                self.composing, self.enough = composing, enough
            case frames.People(people=people):
                self.people |= people
            case _:
                pass
        return isinstance(frame, frames.Welcome)

    def _welcome(self, frame: frames.Welcome) -> None:
        """Replace everything; knowledge stays if the missed batches follow as history."""
        stays = not frame.fresh and self.knowledge is not None and self.seat == frame.seat
        self.seq, self.seat, self.user, self.room = frame.seq, frame.seat, frame.user, frame.room
        self.people = dict(frame.people)
        self.view = frame.game
        self.worth = frame.worth
        choices = frame.choices
        self.legal = () if choices is None else choices.legal
        self.offers = NO_OFFERS if choices is None else choices.offers
        self.previews = () if choices is None else choices.previews
        self.gifts = () if choices is None else choices.gifts
        self.discards = () if choices is None else choices.discards
        self.clocks, self.present, self.watching = frame.clocks, frame.present, frame.watching
        self.composing, self.enough = frame.composing, frame.enough
        self.spectators = frame.spectators
        if not stays:
            self.knowledge = None if frame.game is None else know(frame.game)
            self._learnt = frame.seq

    def _batch(self, frame: frames.Batch) -> bool:
        if frame.seq > self.seq:
            self._replace(frame)
        self._learn(frame)
        return frame != frames.Batch(frame.seq)

    def _replace(self, frame: frames.Batch) -> None:
        self.seq = frame.seq
        if frame.game is not UNSET:
            self.view = frame.game
        elif frame.view is not UNSET and self.view is not None:
            self.view = merge(self.view, frame.view)
        if frame.worth is not UNSET:
            self.worth = _merge_worth(self.worth, frame.worth)
        self.room = _changed(frame.room, self.room)
        if frame.quiet_since is not UNSET and self.room is not None:
            self.room = replace(self.room, quiet_since=frame.quiet_since)
        self.people |= _changed(frame.people, {})
        self.legal = _changed(frame.legal, self.legal)
        self.offers = _changed(frame.offers, self.offers)
        self.previews = _changed(frame.previews, self.previews)
        self.gifts = _changed(frame.gifts, self.gifts)
        self.discards = _changed(frame.discards, self.discards)
        self.clocks = _changed(frame.clocks, self.clocks)

    def _learn(self, frame: frames.Batch) -> None:
        """Add the events of a batch to the knowledge, once."""
        if frame.seq <= self._learnt:
            return
        self._learnt = frame.seq
        if frame.game is not UNSET:
            self.knowledge = know(frame.game)
        elif self.knowledge is not None:
            for event in frame.events:
                if not isinstance(event, RoomEvent | dict):
                    self.knowledge = learn(self.knowledge, event)
