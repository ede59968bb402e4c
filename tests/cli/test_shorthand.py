"""Commands as people type them become strict notation."""

from __future__ import annotations

import pytest

from bohn.cli.shorthand import expanded, lacking
from bohn.notation.commands import format_command, parse_command
from bohn.notation.positions import parse_position
from bohn.rules.beans import Bean
from bohn.views import view

NAMES = ("Ada", "Ben", "Cleo")
MARKET = """
edition = "full"
players = 3
[position]
phase = "trade"
active = 0
face_up = "soy garden"
offers = ["1.1 1>0 hand:0=red for soy", "2.3 0>1,2 hand:1=wax"]
next_offer = 3
[[position.player]]
hand = "soy wax blue"
[[position.player]]
hand = "red"
[[position.player]]
hand = "soy soy"
"""


@pytest.mark.parametrize(
    ("typed", "strict"),
    [
        ("plant 0", "plant 0"),
        ("P 0", "plant 0"),
        ("offer soy for red to Ben", "offer face:0 for red to 1"),
        ("offer soy*2 for red to ben,Cleo", "offer face:0 hand:0 for red to 1,2"),
        ("offer hand:2 for red", "offer hand:2 for red to 1,2"),
        ("offer for red open", "offer for red to 1,2 open"),
        ("offer face:1 to all", "offer face:1 to 1,2"),
        ("offer coffee for red to 1", "offer coffee for red to 1"),
        ("accept", "accept 1.1"),
        ("a 1", "accept 1.1"),
        ("accept with hand:0", "accept 1.1 with hand:0"),
        ("decline 1", "decline 1.1"),
        ("pick 2 Cleo", "pick 2.3 2"),
        ("edit 2 blue for red to Ben", "edit 2.3 hand:2 for red to 1"),
        ("promise Ben give red", "promise 1 give red"),
        ("offer face:0 to", "offer face:0 to"),
        (
            "offer soy, 2 blue for 2 red and black-eyed to Ben",
            "offer face:0 hand:2 blue for red*2 black_eyed to 1",
        ),
        ("accept 9", "accept 9.1"),
        ("", ""),
    ],
)
def test_aimed_completes_what_people_leave_out(typed: str, strict: str) -> None:
    """Names, beans, revisions and addressees are filled in from what the person sees."""
    rules, state = parse_position(MARKET)

    assert expanded(typed, view(rules, state, 0), NAMES) == strict


def test_aimed_offers_of_others_go_to_the_active_player() -> None:
    """Who is not active trades with nobody else."""
    rules, state = parse_position(MARKET)

    assert expanded("offer soy", view(rules, state, 2), NAMES) == "offer hand:0 to 0"


def test_offer_of_two_beans_names_them_twice() -> None:
    """`offer soy soy for green` gives two cards, as `soy*2` does."""
    rules, state = parse_position(MARKET)
    strict = expanded("offer soy soy for green", view(rules, state, 0), NAMES)

    assert (
        format_command(parse_command(strict, 0, state)) == "offer hand:0=soy face:0=soy for green to 1,2 @0"
    )


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("offer wax wax for green", (Bean.WAX, 1)),
        ("edit 2 soy*3 for red", (Bean.SOY, 2)),
        ("offer green for wax", (Bean.GREEN, 0)),
        ("offer soy soy for green", None),
        ("offer for green*9", None),
        ("harvest soy", None),
    ],
)
def test_offer_of_more_than_there_is_tells_what_there_is(
    typed: str, expected: tuple[Bean, int] | None
) -> None:
    """Beans that an offer gives and nobody holds are named, with how many there are."""
    rules, state = parse_position(MARKET)
    seen = view(rules, state, 0)

    assert lacking(expanded(typed, seen, NAMES), seen) == expected
