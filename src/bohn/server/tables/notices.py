"""What one worker tells the others beside the log: frames that are no batch, signs, and who signed out."""

from __future__ import annotations

import msgspec

from bohn.protocol import frames

AnyPost = frames.Line | frames.LineDeleted | frames.People | frames.Remark
"""The frames that are no batch and go to everybody at a table, or to one seat."""


class Notice(msgspec.Struct, frozen=True, gc=False, tag_field="notice"):
    """Something that all workers are told."""


class Posted(Notice, frozen=True, tag="posted"):
    """A frame was posted at the table, for all viewers or for one seat."""

    frame: AnyPost
    seat: int | None = None


class Signed(Notice, frozen=True, tag="signed"):
    """A user has given a sign at the table, or taken it back; ``turn`` is the trading it is meant for."""

    user: str
    sign: frames.Sign | None
    turn: int | None = None


class Moved(Notice, frozen=True, tag="moved"):
    """Somebody has moved at the table though nobody looks at it: its bots and clocks are to go on."""


class SignedOut(Notice, frozen=True, tag="signed-out"):
    """All connections of a user end."""

    user: str


class SessionEnded(Notice, frozen=True, tag="session-ended"):
    """What was opened with a cookie or token (its digest) is closed."""

    session: str


class MutesChanged(Notice, frozen=True, tag="mutes-changed"):
    """A user reads others than before."""

    user: str
    muted: frozenset[str]


class Renamed(Notice, frozen=True, tag="renamed"):
    """A user is called otherwise than before, or is forgotten."""

    user: str


class OperatorActed(Notice, frozen=True, tag="operator-acted"):
    """An operator has done something: it is in the log of operators."""


class SeenHere(Notice, frozen=True, tag="seen-here"):
    """A user has a page open that shows whom he knows."""

    user: str


class InvitedTo(Notice, frozen=True, tag="invited-to"):
    """A user is invited to a table: wherever he is connected, he is told."""

    user: str
    frame: frames.Invited


AnyNotice = (
    Posted
    | Signed
    | Moved
    | SignedOut
    | SessionEnded
    | MutesChanged
    | Renamed
    | OperatorActed
    | SeenHere
    | InvitedTo
)

_DECODER = msgspec.json.Decoder(AnyNotice)


def encoded(notice: AnyNotice) -> bytes:
    """Return a notice as it is stored."""
    return msgspec.json.encode(notice)


def decoded(body: bytes) -> AnyNotice | None:
    """Return a stored notice; ``None`` if it is of a kind that only a newer worker knows."""
    try:
        found: AnyNotice = _DECODER.decode(body)
    except msgspec.MsgspecError:
        return None
    return found
