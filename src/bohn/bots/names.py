"""The names of computer players: which player a name stands for today, and which it stood for when written.

A player whose play changes gets a new name, and the old one is kept: ``strong-1`` always plays the same.
Who is asked for by level (``strong``) is the player of that level now; from there on its own name is stored,
with its digest. A level alone in a record, result or log was written before players had own names.
"""

from __future__ import annotations

from collections.abc import Iterable

LEVELS = {
    "beginner": "beginner-2", "gentle": "gentle-3", "fair": "fair-3", "strong": "strong-5",
    "strongest": "strongest-5",
}  # fmt: skip
"""The player of each level now."""

FORMER = {"h": "value-trader", "g": "generous-trader"}
"""Former names of players: old records, results and logs contain them, and they are read as today's names."""

_WRITTEN = FORMER | {level: f"{level}-1" for level in LEVELS}

DIGESTS = {
    "random": "c0f09cb477f65dad",
    "random-trader": "8b110dc887884420",
    "no-trade": "d1c65941ef431a40",
    "b3": "7f76b5291d3eae2a",
    "b3u": "480f02a186c2b046",
    "b4": "554521843cd34881",
    "b6": "2d50be6b544886d9",
    "pk": "7d26eeaaef9e9fae",
    "value-trader": "03813ba9ceec0661",
    "generous-trader": "f52d10a0257db01a",
    "beginner-1": "3cb83bbf5c591ac2",
    "beginner-2": "c079f5a54171dc9a",
    "gentle-1": "29560af230e8cf1a",
    "gentle-2": "4eefcd41a3fd3d11",
    "gentle-3": "5c50a18a433ee4c5",
    "fair-1": "e118299a6fe27f6a",
    "fair-2": "ba30b396793721e1",
    "fair-3": "8b5cac9e2ac02efc",
    "strong-1": "9e059e3adca06614",
    "strong-2": "f4deaa1a0f08573a",
    "strong-3": "0a131fb88eb8cabe",
    "strong-4": "c3d494e7feda8d7a",
    "strong-5": "60881c100bf1de43",
    "strongest-1": "78e305caf301c51e",
    "strongest-2": "9a38f809568e819a",
    "strongest-3": "9e4a5a3bfb6d02c1",
    "strongest-4": "0b3c573f2064b215",
    "strongest-5": "be8af80abb6dd81a",
}
"""What each player does: the digest of a fixed set of its games (``docs/players.md``)."""


def current_name(name: str) -> str:
    """Return the own name of the player that is asked for; a name that is nobody's is returned unchanged."""
    return FORMER.get(name, LEVELS.get(name, name))


def recorded_name(name: str) -> str:
    """Return the own name of the player that a record, result or log names, however old it is."""
    return _WRITTEN.get(name, name)


def level_of(name: str) -> str:
    """Return the level of a player, whether it plays there today or did before; any other name as it is."""
    level, _, version = name.rpartition("-")
    return level if level in LEVELS and version.isdecimal() else name


def digests_of(names: Iterable[str]) -> dict[str, str]:
    """Return the digests of the players among these names, in the order of their names."""
    return {name: DIGESTS[name] for name in sorted(set(names)) if name in DIGESTS}
