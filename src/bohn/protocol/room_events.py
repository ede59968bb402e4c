"""Room events: what has happened at the table beside the game. All are public."""

from __future__ import annotations

from msgspec import Struct

from bohn.protocol.room import EndedBy, Options, Origin, PlayingTimes, Reveal


class RoomEvent(Struct, frozen=True, gc=False, tag_field="event"):
    """The base of all room events."""


class TableOpened(RoomEvent, frozen=True, gc=False, tag="table-opened"):
    """A user opened the table; the commitment is published before anybody sits.

    It is empty where the game was dealt elsewhere: ``origin`` or ``lesson`` tells where.
    """

    table: str
    host: str | None
    options: Options
    commitment: str
    at: int
    origin: Origin | None = None
    lesson: str | None = None


class OptionsChosen(RoomEvent, frozen=True, gc=False, tag="options-chosen"):
    """The host changed the table; seats beyond the new number were given up."""

    options: Options


class Sat(RoomEvent, frozen=True, gc=False, tag="sat"):
    """A user took a free seat, with his part of the seed."""

    seat: int
    user: str
    salt: str
    at: int


class Stood(RoomEvent, frozen=True, gc=False, tag="stood"):
    """A seat is free again, before the start."""

    seat: int


class SaltGiven(RoomEvent, frozen=True, gc=False, tag="salt-given"):
    """A seat's part of the seed was put in or changed."""

    seat: int
    salt: str


class BotSeated(RoomEvent, frozen=True, gc=False, tag="bot-seated"):
    """A bot took a free seat, perhaps under a name of its own."""

    seat: int
    bot: str
    salt: str
    name: str = ""


class BotRemoved(RoomEvent, frozen=True, gc=False, tag="bot-removed"):
    """A bot's seat is free again."""

    seat: int


class Kicked(RoomEvent, frozen=True, gc=False, tag="kicked"):
    """A seat was taken from its owner; ``bot`` plays on, or the seat is free before the start."""

    seat: int
    bot: str | None


class HostPassed(RoomEvent, frozen=True, gc=False, tag="host-passed"):
    """Somebody else is host, or nobody."""

    user: str | None


class Started(RoomEvent, frozen=True, gc=False, tag="started"):
    """The seats are closed; the deal follows in the same batch."""


class Paused(RoomEvent, frozen=True, gc=False, tag="paused"):
    """The game is paused since ``at`` (ms since 1970)."""

    at: int = 0


class Resumed(RoomEvent, frozen=True, gc=False, tag="resumed"):
    """The game goes on since ``at`` (ms since 1970)."""

    at: int = 0


class HandedOver(RoomEvent, frozen=True, gc=False, tag="handed-over", omit_defaults=True):
    """A bot plays for the owner of a seat until he returns; ``at`` (ms since 1970) where he asked for it."""

    seat: int
    bot: str
    at: int = 0


class TakenBack(RoomEvent, frozen=True, gc=False, tag="taken-back"):
    """The owner plays again."""

    seat: int


class ClockMissed(RoomEvent, frozen=True, gc=False, tag="clock-missed"):
    """A seat's clock expired; the choice was made for it."""

    seat: int


class ClocksKept(RoomEvent, frozen=True, gc=False, tag="clocks-kept"):
    """The owner of a seat has moved in time again: no expiry counts any more."""

    seat: int


class ChoiceCalled(RoomEvent, frozen=True, gc=False, tag="choice-called"):
    """A user asked that the choice be made for whoever is waited for."""

    user: str


class LastCallBegan(RoomEvent, frozen=True, gc=False, tag="last-call-began"):
    """The active player wants to end the trading: others may still offer until ``until`` (ms since 1970)."""

    turn: int
    until: int


class LastCallProlonged(RoomEvent, frozen=True, gc=False, tag="last-call-prolonged"):
    """Something happened during the last call: it lasts until ``until`` (ms since 1970)."""

    until: int


class DoneGiven(RoomEvent, frozen=True, gc=False, tag="done-given"):
    """A seat passes at the next beat, or ends the trading there."""

    seat: int


class DoneTakenBack(RoomEvent, frozen=True, gc=False, tag="done-taken-back"):
    """A seat does not pass at the next beat after all."""

    seat: int


class OrdersLookedAt(RoomEvent, frozen=True, gc=False, tag="orders-looked-at"):
    """A beat of a table over days: what is done by order follows in the same transaction."""

    turn: int


class PlayingTimesSet(RoomEvent, frozen=True, gc=False, tag="playing-times-set"):
    """These are the playing times of all seats of a table over days from now on."""

    times: tuple[PlayingTimes, ...]


class Finished(RoomEvent, frozen=True, gc=False, tag="finished"):
    """The game is over."""


class Abandoned(RoomEvent, frozen=True, gc=False, tag="abandoned", omit_defaults=True):
    """The table was given up before the end, by whom ``ended_by`` says; an operator has a ``word``."""

    word: str = ""
    ended_by: EndedBy = ""


class DealRevealed(RoomEvent, frozen=True, gc=False, tag="deal-revealed"):
    """What checks the deal, published after the end."""

    reveal: Reveal


class RematchMade(RoomEvent, frozen=True, gc=False, tag="rematch-made"):
    """The next table for the same company."""

    table: str


AnyRoomEvent = (
    TableOpened | OptionsChosen | Sat | Stood | SaltGiven | BotSeated | BotRemoved | Kicked | HostPassed
    | Started | Paused | Resumed | HandedOver | TakenBack | ClockMissed | ClocksKept | ChoiceCalled
    | LastCallBegan | LastCallProlonged | Finished | Abandoned | DealRevealed | RematchMade
    | DoneGiven | DoneTakenBack | OrdersLookedAt | PlayingTimesSet
)  # fmt: skip
"""Every room event, as one tagged union."""
