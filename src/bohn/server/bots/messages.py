"""The messages between the server and its processes of computer players: MessagePack behind a length.

Nothing here holds a state: a process is sent one seat's view, and sends back what its bot returned.
"""

from __future__ import annotations

import struct
import traceback
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import msgspec
from msgspec import Struct

from bohn.bots.reasons import Reason
from bohn.play.seat import BotFactory
from bohn.rules.beans import Bean
from bohn.rules.commands import AnyCommand, EditOffer, MakeOffer
from bohn.rules.legal import OfferSpace
from bohn.rules.state import Offer
from bohn.views.knowledge import Knowledge
from bohn.views.view import OfferView, View


def load_players(where: str) -> dict[str, BotFactory]:
    """Return the table of computer players at ``module:NAME``."""
    module, _, name = where.partition(":")
    players: dict[str, BotFactory] = getattr(import_module(module), name)
    return players


class Terms(Struct, frozen=True, gc=False):
    """What makes two offers the same to those who get them: seats, and kinds on both sides; all sorted."""

    to: tuple[int, ...]
    give: tuple[Bean, ...]
    want: tuple[Bean, ...]


def terms_of(offer: MakeOffer | EditOffer | Offer) -> Terms:
    """Return the terms of an offer, or of a command that would make one."""
    give = [copy.bean for copy in offer.hand + offer.face_up]
    return Terms(tuple(sorted(offer.to)), tuple(sorted(give)), tuple(sorted(offer.want)))


def terms_shown(offer: OfferView) -> Terms:
    """Return the terms of an offer as everybody sees it."""
    return Terms(tuple(sorted(offer.to)), tuple(sorted(offer.given)), tuple(sorted(offer.want)))


class Traits(Struct, frozen=True, gc=False):
    """What a bot wants to be asked and handed (see :class:`bohn.play.seat.Bot`)."""

    trades: bool
    off_turn: bool
    uses_knowledge: bool


def guessed(factory: BotFactory | None) -> Traits:
    """Return the traits of a kind of player; what its class does not say, it is asked."""
    return Traits(
        getattr(factory, "trades", True),
        getattr(factory, "off_turn", True),
        getattr(factory, "uses_knowledge", True),
    )


class Question(Struct, frozen=True):
    """What shall this seat do? ``seed`` makes the bot if the process does not know it yet.

    ``tries`` is how many offers it may still make, ``made`` are those of this turn, which it may not repeat.
    Without ``knowledge`` it is handed none. ``people`` sit in these seats, to whom its offers have manners.
    A ``deputy`` plays for somebody who is away, and says nothing in his name. ``told_none`` are the seats
    that have told it in this turn that they have none of a kind.
    """

    table: str
    seat: int
    bot: str
    seed: int
    view: View
    legal: tuple[AnyCommand, ...]
    offers: OfferSpace
    tries: int
    made: tuple[Terms, ...] = ()
    knowledge: Knowledge | None = None
    people: frozenset[int] = frozenset()
    deputy: bool = False
    told_none: tuple[tuple[int, Bean], ...] = ()


class BotAnswer(Struct, frozen=True, tag="answer"):
    """What the bot returned, and the reason it gives for that, if any; ``None`` passes."""

    command: AnyCommand | None
    traits: Traits
    reason: Reason | None = None


class Broken(Struct, frozen=True, tag="broken"):
    """The bot raised, or returned what is no command; ``what`` says where, and nothing of the cards."""

    what: str


Reply = BotAnswer | Broken


def place_of(error: Exception) -> str:
    """Return kind and place of an error without its words: they may name cards."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"


_encode = msgspec.msgpack.Encoder().encode
_decode_question = msgspec.msgpack.Decoder(Question).decode
_decode_reply = msgspec.msgpack.Decoder(Reply).decode


def encode(message: Question | Reply) -> bytes:
    """Return a message as bytes."""
    return _encode(message)


def decode_question(data: bytes) -> Question:
    """Return a question."""
    return _decode_question(data)


def decode_reply(data: bytes) -> Reply:
    """Return a reply; raises :class:`msgspec.DecodeError` for what is none, such as a foreign command."""
    reply: Reply = _decode_reply(data)
    return reply


# -- frames --------------------------------------------------------------------------------------------

LENGTH = struct.Struct("<I")
"""Before every message stands its length in bytes."""


def framed(data: bytes) -> bytes:
    """Return a message as it goes through a pipe."""
    return LENGTH.pack(len(data)) + data


class Unframed:
    """Cuts what comes out of a pipe into messages."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._rest = bytearray()

    def take(self, data: bytes) -> Iterator[bytes]:
        """Yield the messages that are complete with this piece."""
        self._rest += data
        while len(self._rest) >= LENGTH.size:
            end = LENGTH.size + LENGTH.unpack_from(self._rest)[0]
            if len(self._rest) < end:
                return
            message = bytes(self._rest[LENGTH.size : end])
            del self._rest[:end]
            yield message
