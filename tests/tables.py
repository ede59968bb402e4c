"""The tables at which tests play whole games, where a game of every edition would take the same way again."""

from __future__ import annotations

from collections.abc import Iterator

from bohn.rules.editions import EDITIONS
from bohn.rules.ruleset import Rules

Table = tuple[str, int]

TABLES: tuple[Table, ...] = tuple(
    (edition, players) for edition, by_players in EDITIONS.items() for players in by_players
)
"""Every edition with every number of players."""


def shown_by(rules: Rules) -> Iterator[tuple[object, ...]]:
    """Yield what a whole game at a table shows: its number of players, its numbers, and its policies."""
    parts = {name: getattr(rules, name) for name in rules.__struct_fields__}
    del parts["edition"], parts["players"], parts["deal"]
    policies = {name: value for name, value in parts.items() if isinstance(value, str)}
    yield rules.game, rules.players
    yield rules.game, *(value for name, value in parts.items() if name not in policies)
    yield rules.game, *policies.values()


def covering() -> Iterator[Table]:
    """Yield tables until in each game everything was shown once."""
    shown: set[tuple[object, ...]] = set()
    for edition, players in TABLES:
        found = set(shown_by(EDITIONS[edition][players]))
        if not found <= shown:
            shown |= found
            yield edition, players


COVERING: tuple[Table, ...] = tuple(covering())
"""Tables that show every number of players, all numbers of the editions, and all their sets of policies."""
