"""How each kind of value of a position is written in TOML and read back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from bohn.notation.beans import format_beans, parse_beans
from bohn.notation.errors import NotationError
from bohn.notation.offers import (
    Cards,
    format_naming,
    format_offer,
    format_promise,
    format_wishes,
    parse_naming,
    parse_offer,
    parse_promise,
    parse_wishes,
)
from bohn.notation.reading import LARGEST_NUMBER, flag, list_of, number, text_of, texts_of


class Codec(Struct, frozen=True):
    """How to read a value, given its place in the text and the cards it may refer to, and how to write it."""

    read: Callable[[object, str, Cards], Any]
    write: Callable[[Any], object]


def _numbers(value: object, where: str, least: int = 0) -> tuple[int, ...]:
    found = enumerate(list_of(value, where))
    return tuple(number(one, f"{where}[{i}]", LARGEST_NUMBER, least) for i, one in found)


def _seat(value: object, where: str, cards: Cards) -> int:
    return number(value, where, len(cards.hands) - 1)


def _seats(value: object, where: str, cards: Cards) -> tuple[int, ...]:
    seats = tuple(_seat(one, f"{where}[{i}]", cards) for i, one in enumerate(list_of(value, where)))
    if len(set(seats)) < len(seats):
        msg = f"{where}: expected each seat once"
        raise NotationError(msg)
    return seats


def _fields(value: object, where: str, cards: Cards) -> tuple[Any, ...]:  # noqa: ARG001 - one signature
    return tuple(parse_beans(text, f"{where}[{i}]") for i, text in enumerate(texts_of(value, where)))


def _texts(parse: Callable[[str, Cards, str], Any]) -> Callable[[object, str, Cards], Any]:
    """Return a function that reads a list of texts, each with ``parse``."""

    def read(value: object, where: str, cards: Cards) -> tuple[Any, ...]:
        return tuple(parse(text, cards, f"{where}[{i}]") for i, text in enumerate(texts_of(value, where)))

    return read


NUMBER = Codec(lambda value, where, _cards: number(value, where), int)
FLAG = Codec(lambda value, where, _cards: flag(value, where), bool)
SEAT = Codec(_seat, int)
SEATS = Codec(_seats, list)
NUMBERS = Codec(lambda value, where, _cards: _numbers(value, where), list)
TURNS = Codec(lambda value, where, _cards: _numbers(value, where, -1), list)
NUMBER_PILE = Codec(
    lambda value, where, _cards: _numbers(value, where)[::-1], lambda pile: list(reversed(pile))
)
BEANS = Codec(lambda value, where, _cards: parse_beans(text_of(value, where), where), format_beans)
PILE = Codec(
    lambda value, where, _cards: parse_beans(text_of(value, where), where)[::-1],
    lambda pile: format_beans(pile[::-1]),
)
FIELDS = Codec(_fields, lambda fields: [format_beans(field) for field in fields])
OFFERS = Codec(_texts(parse_offer), lambda offers: [format_offer(offer) for offer in offers])
NAMED = Codec(_texts(parse_naming), lambda named: [format_naming(naming) for naming in named])
WISHES = Codec(
    lambda value, where, cards: parse_wishes(texts_of(value, where), len(cards.hands), where), format_wishes
)
PROMISES = Codec(
    _texts(lambda text, _cards, where: parse_promise(text, where)),
    lambda promises: [format_promise(promise) for promise in promises],
)
