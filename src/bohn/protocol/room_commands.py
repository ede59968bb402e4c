"""Room commands: what a user may ask of the table, beside the game."""

from __future__ import annotations

from msgspec import Struct

from bohn.protocol.room import Options


class RoomCommand(Struct, frozen=True, gc=False, tag_field="do", forbid_unknown_fields=True):
    """The base of all room commands; who sends it is known from his session."""


class Sit(RoomCommand, frozen=True, gc=False, tag="sit"):
    """Take a free seat, or any of them if none is named; before the start only.

    ``salt`` is the user's part of the seed: up to 32 bytes in hexadecimal digits.
    """

    seat: int | None = None
    salt: str = ""


class Stand(RoomCommand, frozen=True, gc=False, tag="stand"):
    """Leave the seat: before the start it is free again, afterwards a bot plays on for its owner."""


class GiveSalt(RoomCommand, frozen=True, gc=False, tag="give-salt"):
    """Put in the user's part of the seed, or another one, before the start."""

    salt: str


class ChooseOptions(RoomCommand, frozen=True, gc=False, tag="choose-options"):
    """Host: change the table before the start; those for whom no seat is left lose theirs."""

    options: Options


class SeatBot(RoomCommand, frozen=True, gc=False, tag="seat-bot"):
    """Host: seat a computer player, in another's place too; during the game it plays for an owner."""

    seat: int
    bot: str


class RemoveBot(RoomCommand, frozen=True, gc=False, tag="remove-bot"):
    """Host: free the seat of a bot before the start."""

    seat: int


class Kick(RoomCommand, frozen=True, gc=False, tag="kick"):
    """Host: take a seat from its owner; during the game a bot gets it."""

    seat: int


class PassHost(RoomCommand, frozen=True, gc=False, tag="pass-host"):
    """Host: let the owner of another seat be host."""

    seat: int


class Start(RoomCommand, frozen=True, gc=False, tag="start"):
    """Host: deal. ``fill`` names the bot that takes every free seat."""

    fill: str | None = None


class Pause(RoomCommand, frozen=True, gc=False, tag="pause"):
    """Host: stop the clocks and refuse game commands."""


class Resume(RoomCommand, frozen=True, gc=False, tag="resume"):
    """Host: let the game go on."""


class EndTable(RoomCommand, frozen=True, gc=False, tag="end-table"):
    """Host: abandon the table; the deal is revealed."""


class TakeBack(RoomCommand, frozen=True, gc=False, tag="take-back"):
    """Take the own seat back from the bot that plays there; any game command does it too."""


class CallForChoice(RoomCommand, frozen=True, gc=False, tag="call-for-choice"):
    """Without clocks, after two minutes of silence: ask that the choice be made for whoever is waited for."""


class Rematch(RoomCommand, frozen=True, gc=False, tag="rematch"):
    """Open the next table for the same company, once this one is over."""


class BeDone(RoomCommand, frozen=True, gc=False, tag="be-done"):
    """Over days: pass at the next beat of the clock, or end the trading where that is one's own to do.

    It holds for the trading that is on, else for the next one; ``done`` false takes it back.
    """

    done: bool = True


AnyRoomCommand = (
    Sit | Stand | GiveSalt | ChooseOptions | SeatBot | RemoveBot | Kick | PassHost | Start | Pause | Resume
    | EndTable | TakeBack | CallForChoice | Rematch | BeDone
)  # fmt: skip
"""Every room command, as one tagged union."""
