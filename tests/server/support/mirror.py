"""What a client has at hand: the frames of its stream, put one over the other."""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import asdict, replace

from bohn.protocol import frames
from bohn.protocol.room import Room
from bohn.rules.commands import AnyCommand
from bohn.rules.legal import NO_OFFERS, OfferSpace
from bohn.rules.state import Copies
from bohn.views.giving import GiftWays
from bohn.views.view import View
from bohn.views.worth import SeatWorth


class Gap(Exception):  # noqa: N818 - it says what happened
    """A batch came out of turn."""


class Mirror:
    """The merged state of one stream; :meth:`take` puts a frame over it, or raises :class:`Gap`.

    ``seq`` is the last batch that was told, ``at`` the last one whose consequences are here.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.seq = 0
        self.at = 0
        self.room: Room | None = None
        self.people: dict[str, frames.Person] = {}
        self.seat: int | None = None
        self.game: View | None = None
        self.legal: tuple[AnyCommand, ...] = ()
        self.offers: OfferSpace = NO_OFFERS
        self.previews: tuple[frames.OfferPreview, ...] = ()
        self.gifts: tuple[GiftWays, ...] = ()
        self.discards: Copies = ()
        self.worth: tuple[SeatWorth, ...] = ()
        self.clocks: tuple[frames.Clock, ...] = ()
        self.present: tuple[int, ...] = ()
        self.watching = 0
        self.fresh = 0
        self.resumed = 0

    def take(self, frame: frames.AnyServerFrame) -> None:
        """Put one frame over what is here."""
        match frame:
            case frames.Welcome():
                self._welcome(frame)
            case frames.Batch():
                self._batch(frame)
            case frames.Clocks():
                self.clocks = frame.clocks
                self.room = self.room and replace(self.room, last_call=frame.last_call)
            case frames.Presence(present=present, watching=watching):
                self.present, self.watching = present, watching
            case frames.People(people=people):
                self.people |= people
            case _:
                pass

    def _welcome(self, frame: frames.Welcome) -> None:
        """Replace everything; unless it is fresh, what happened behind the last seq follows as history."""
        if frame.seq < self.seq:
            msg = f"welcome at {frame.seq} after {self.seq}"
            raise Gap(msg)
        if frame.fresh:
            self.fresh += 1
            self.seq = frame.seq
        else:
            self.resumed += 1
        self.at = frame.seq
        self.clocks, self.present, self.watching = frame.clocks, frame.present, frame.watching
        self.room, self.people, self.seat = frame.room, dict(frame.people), frame.seat
        self.game = frame.game
        self.worth = frame.worth
        self._choices(frame.choices)

    def _choices(self, choices: frames.Choices | None) -> None:
        if choices is None:
            self.legal, self.offers, self.previews = (), NO_OFFERS, ()
            self.gifts, self.discards = (), ()
        else:
            self.legal, self.offers, self.previews = choices.legal, choices.offers, choices.previews
            self.gifts, self.discards = choices.gifts, choices.discards

    def _batch(self, frame: frames.Batch) -> None:
        if frame.seq != self.seq + 1:
            msg = f"batch {frame.seq} after {self.seq}"
            raise Gap(msg)
        self.seq = frame.seq
        if frame.seq <= self.at:
            return  # history: the welcome had it all
        self.at = frame.seq
        if frame.room is not UNSET:
            self.room = frame.room
        if frame.quiet_since is not UNSET:
            assert self.room is not None
            self.room = replace(self.room, quiet_since=frame.quiet_since)
        if frame.people is not UNSET:
            self.people |= frame.people
        if frame.game is not UNSET:
            self.game = frame.game
        if frame.view is not UNSET:
            self.game = patched(self.game, frame.view)
        if frame.worth is not UNSET:
            by_seat = dict(enumerate(self.worth)) | frame.worth
            self.worth = tuple(by_seat[seat] for seat in range(len(by_seat)))
        for name in frames.Choices.__struct_fields__:
            if (new := getattr(frame, name)) is not UNSET:
                setattr(self, name, new)
        if frame.clocks is not UNSET:
            self.clocks = frame.clocks


def patched(game: View | None, patch: frames.ViewPatch) -> View:
    """Return the view with the parts of a patch put over it."""
    if game is None:
        raise Gap("a patch without a view")
    parts = {name: value for name, value in asdict(patch).items() if value is not UNSET}
    by_seat = parts.pop("players", {})
    players = tuple(by_seat.get(seat, player) for seat, player in enumerate(game.players))
    return replace(game, players=players, **parts)
