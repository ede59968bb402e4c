"""From the name of an edition, a number of players and house rules to the rules of one game."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from msgspec import UNSET
from msgspec.structs import replace

from bohn.rules.editions import EDITIONS
from bohn.rules.editions.common import EIGHT_KINDS, deck
from bohn.rules.errors import UnknownEdition
from bohn.rules.ruleset import HeadStart, Rules
from bohn.rules.turns import HOUSE_RULES


def _choice(rules: Rules, key: str, value: str) -> Rules:
    return replace(rules, **{key: value})


def _number(rules: Rules, key: str, value: str) -> Rules:
    return replace(rules, **{key: int(value)})


def _kinds(rules: Rules, key: str, value: str) -> Rules:  # noqa: ARG001 - one signature per table
    """Play with the eight kinds, whatever the number of players (HOUSE-5)."""
    return replace(rules, deck=deck(EIGHT_KINDS), boxed=(0,) * len(rules.deck))


def _starter(rules: Rules, key: str, value: str) -> Rules:  # noqa: ARG001 - one signature per table
    """Make a seat the starter, or the seat left of it (HOUSE-6)."""
    word, _, seat = value.partition(":")
    begins = int(seat) if word == "seat" else (int(seat) + 1) % rules.players
    return replace(rules, starter=f"seat:{begins}")


HEAD_START = "head_start"
"""The key of the house rule that gives a seat a head start: ``head_start=SEAT:COINS:CARDS`` (HOUSE-7)."""

MOST_TOKENS = 10
"""Coins of the largest head start: about what a weak player is behind at the end."""

MOST_CARDS = 3
"""Cards of the largest head start: as many as are drawn in a turn."""


def head_start(seat: int, coins: int, cards: int) -> str:
    """Return the house rule that gives a seat a head start."""
    return f"{HEAD_START}={seat}:{coins}:{cards}"


def head_start_in(text: str) -> HeadStart | None:
    """Return the head start that a house rule gives; ``None`` for every other rule, or if it is nothing."""
    key, _, value = text.partition("=")
    numbers = value.split(":")
    if key != HEAD_START or len(numbers) != len(HeadStart.__struct_fields__):
        return None
    if not all(number in _SMALL_NUMBERS for number in numbers):
        return None
    found = HeadStart(*map(int, numbers))
    within = found.coins <= MOST_TOKENS and found.cards <= MOST_CARDS
    return found if within and (found.coins or found.cards) else None


_SMALL_NUMBERS = frozenset(map(str, range(MOST_TOKENS + 1)))


def _with_head_start(rules: Rules, text: str) -> Rules:
    """Give a seat a head start, which it has only once; else raise :class:`UnknownEdition` (HOUSE-7)."""
    found = head_start_in(text)
    given = () if rules.head_starts is UNSET else rules.head_starts
    if found is None or found.seat >= rules.players or any(one.seat == found.seat for one in given):
        seats = f"one {HEAD_START}=SEAT:COINS:CARDS for a seat below {rules.players}"
        most = f"with at most {MOST_TOKENS} coins and {MOST_CARDS} cards"
        _unknown(f"house rule {text[:60]!r}", (f"{seats}, {most}",))
    return replace(rules, head_starts=tuple(sorted((*given, found), key=lambda one: one.seat)))


def house_rules_for(rules: Rules) -> tuple[str, ...]:
    """Return every house rule that may be put on top of these rules, as ``key=value``.

    Head starts are not among them: there are too many to list (:func:`head_start`).
    """
    table = {
        **HOUSE_RULES[rules.game],
        "starter": tuple(f"{word}:{seat}" for word in ("seat", "left-of") for seat in range(rules.players)),
    }
    return tuple(f"{key}={value}" for key, values in table.items() for value in values)


_CHANGES: dict[str, Callable[[Rules, str, str], Rules]] = {
    "fields": _number,
    "field_price": _number,
    "exhaustions": _number,
    "kinds": _kinds,
    "starter": _starter,
}
"""How a house rule changes the rules; what is not here replaces a policy (HOUSE-3, DD-23)."""


def _unknown(what: str, expected: tuple[str, ...]) -> NoReturn:
    msg = f"there is no {what}; expected one of: {', '.join(expected)}"
    raise UnknownEdition(msg)


def resolve(edition: str, players: int, *house_rules: str) -> Rules:
    """Return the rules of one game.

    ``house_rules`` are texts ``key=value`` as :func:`house_rules_for` lists them, and head starts.
    Raises :class:`UnknownEdition`, which lists what exists.
    """
    if edition not in EDITIONS:
        _unknown(f"edition {edition!r}", tuple(EDITIONS))
    by_players = EDITIONS[edition]
    if players not in by_players:
        _unknown(f"edition {edition!r} for {players} players", tuple(map(str, by_players)))
    rules = by_players[players]
    allowed = house_rules_for(rules)
    keys: list[str] = []
    for text in house_rules:
        key, _, value = text.partition("=")
        if key == HEAD_START:
            rules = _with_head_start(rules, text)
            continue
        if text not in allowed:
            _unknown(f"house rule {text[:60]!r}", allowed)
        if key in keys:
            _unknown(f"place for a second {key}=, {text!r}", (f"one {key}=",))
        keys.append(key)
        rules = _CHANGES.get(key, _choice)(rules, key, value)
    return replace(rules, house_rules=house_rules)
