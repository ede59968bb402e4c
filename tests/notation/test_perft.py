"""Perft: numbers of sequences of legal commands."""

from __future__ import annotations

from bohn.notation.perft import perft
from bohn.notation.positions import parse_position

SMALL = """
edition = "full"
players = 3
[position]
draw_pile = "wax*20"
[[position.player]]
hand = "soy red"
[[position.player]]
fields = ["red*2", "-", "-"]
[[position.player]]
"""


def test_perft_of_no_depth_is_one() -> None:
    """There is one way to do nothing."""
    assert perft(*parse_position(SMALL), 0) == 1


def test_perft_counts_the_legal_commands() -> None:
    """At depth one: three fields to plant on, and one harvest by another player."""
    assert perft(*parse_position(SMALL), 1) == 4


def test_perft_counts_sequences() -> None:
    """At depth two: after a planting two fields, reveal and two harvests; after the harvest three fields."""
    assert perft(*parse_position(SMALL), 2) == 3 * (2 + 1 + 2) + 3
