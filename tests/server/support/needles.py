"""What must never leave the server before a game is over, in every form in which it might."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence

import msgspec

from bohn.notation.beans import format_beans
from bohn.notation.positions import format_position
from bohn.rules.beans import Bean, Pile
from bohn.rules.ruleset import Rules
from bohn.rules.state import State
from bohn.server.store.protocol import SecretDeal

RUN = 8
"""Cards of a pile in a row that are searched for: as many as appear nowhere else by chance."""

HAND = 5
"""Cards of the smallest hand that is searched for; fewer appear anywhere by chance."""

Needles = dict[str, bytes]
"""What is looked for, by what it is."""


def of_secret(name: str, secret: bytes) -> Needles:
    """Return the forms of a secret: raw, hex, base64 of either alphabet, a list of numbers."""
    return {
        f"{name}, raw": secret,
        f"{name}, hex": secret.hex().encode(),
        f"{name}, HEX": secret.hex().upper().encode(),
        f"{name}, base64": base64.b64encode(secret)[:-4],
        f"{name}, base64 for addresses": base64.urlsafe_b64encode(secret)[:-4],
        f"{name}, as numbers": msgspec.json.encode(list(secret))[1:-1],
        f"{name}, in quotes": repr(secret)[2:-1].encode(),
        f"{name}, as a number": str(int.from_bytes(secret, "big")).encode(),
    }


def of_cards(name: str, cards: Pile) -> Needles:
    """Return the forms of a row of cards: numbers, names and notation, each from either end."""
    found: Needles = {}
    for end, row in (("", cards), (" backwards", cards[::-1])):
        found[f"{name}{end}, as numbers"] = msgspec.json.encode(row)[1:-1]
        found[f"{name}{end}, spaced"] = ", ".join(str(int(bean)) for bean in row).encode()
        found[f"{name}{end}, in notation"] = format_beans(row).encode()
        found[f"{name}{end}, by name"] = " ".join(bean.name for bean in row).encode()
        found[f"{name}{end}, by small name"] = ",".join(f'"{bean.name.lower()}"' for bean in row).encode()
        found[f"{name}{end}, as Python"] = ", ".join(repr(bean) for bean in row).encode()
    return found


def runs(pile: tuple[Bean, ...]) -> Iterator[Pile]:
    """Yield rows of a pile that overlap by half."""
    for start in range(0, len(pile) - RUN + 1, RUN // 2):
        yield pile[start : start + RUN]


def needles(rules: Rules, states: Sequence[State], deal: SecretDeal, viewer: int | None) -> Needles:
    """Return what a viewer must not be given of an unfinished table with these positions, the deal first.

    ``viewer`` is a seat, or ``None`` for a spectator.
    """
    first, last = states[0], states[-1]
    found: Needles = {}
    for name, secret in (("seed", first.seed), ("secret", deal.secret), ("nonce", deal.nonce)):
        found |= of_secret(name, secret)
    for number, row in enumerate(runs(first.draw_pile)):
        found |= of_cards(f"draw pile, run {number}", row)
    hands = {
        (seat, player.hand)
        for state in states
        for seat, player in enumerate(state.players)
        if seat != viewer and len(player.hand) >= HAND
    }
    for seat, hand in hands:
        found |= of_cards(f"hand of seat {seat}: {hand}", hand)
    for number, line in enumerate(format_position(rules, last).splitlines()):
        if line.startswith(("seed", "draw_pile")):
            found[f"position, line {number}"] = line.encode()
    found["position"] = b"[position]"
    found["record"] = b"bohn-record"
    return found


def seen_in(text: bytes, wanted: Needles) -> list[str]:
    """Return what of it stands in a text."""
    return [name for name, needle in wanted.items() if needle in text]
