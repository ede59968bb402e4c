"""A game over days in which people come only when they are told."""

from __future__ import annotations

import asyncio

from bench.visits import MOST, measure


def test_game_over_days_with_a_computer_player_ends_with_few_visits() -> None:
    """It plays with beats as people do, nobody is waited for untold, and two visits a turn are enough."""
    found, turns = asyncio.run(measure(1, people=2, seated=3))

    assert sum(found.values()) == turns > 50
    assert sum(count * times for count, times in found.items()) <= MOST * turns
