"""Beans and counts of beans as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bohn.notation.beans import format_beans, parse_bean, parse_beans
from bohn.notation.errors import NotationError
from bohn.rules import BEANS, Bean


@given(st.lists(st.sampled_from(BEANS), max_size=60))
def test_beans_round_trip(beans: list[Bean]) -> None:
    """What is written is read back, in the same order."""
    assert parse_beans(format_beans(beans)) == tuple(beans)


def test_beans_are_written_in_runs() -> None:
    """Neighbours of one kind are written with a star."""
    assert format_beans(parse_beans("soy blue blue wax blue")) == "soy blue*2 wax blue"


def test_no_beans_are_a_dash() -> None:
    """The empty list is a dash."""
    assert (format_beans(()), parse_beans("-")) == ("-", ())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "pea",
        "soy*0",
        "soy*-1",
        "soy*01",
        "soy*1000",
        "*3",
        "soy - red",
        "Soy",
        "soy*2*2",
        "soy,red",
        "soy*٣",
    ],
)
def test_beans_refuse_what_is_none(text: str) -> None:
    """Anything else is refused, with what was expected and where."""
    with pytest.raises(NotationError, match=r"^hand: expected"):
        parse_beans(text, "hand")


def test_beans_refuse_more_than_any_game_has() -> None:
    """A list is bounded before it is built."""
    with pytest.raises(NotationError, match="at most 500"):
        parse_beans("soy*999 " * 300)


def test_bean_names_the_beans_there_are() -> None:
    """The message for an unknown bean lists the names."""
    with pytest.raises(NotationError, match=r"cocoa, garden.*not 'pea'"):
        parse_bean("pea")


def test_message_shortens_what_it_quotes() -> None:
    """A long word is quoted in part."""
    with pytest.raises(NotationError) as error:
        parse_bean("x" * 10_000)

    assert len(str(error.value)) < 250
