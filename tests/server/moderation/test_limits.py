"""Limits that operators set: what they may be, and what a row that somebody else has written does."""

from __future__ import annotations

import pytest

from bohn.server.moderation.limits import CHANGEABLE, checked, over, shown
from bohn.server.settings import Limits
from bohn.server.store.operating import SetLimit


@pytest.mark.parametrize("name", CHANGEABLE)
def test_limit_may_be_its_least_and_its_most(name: str) -> None:
    """And so the settings may have them."""
    for value in CHANGEABLE[name]:
        assert getattr(over(Limits(), [SetLimit(name, checked(name, value))]), name) == value


@pytest.mark.parametrize(
    "row",
    [
        SetLimit("tables", 0.0),
        SetLimit("tables", 1e9),
        SetLimit("tables", 2.5),
        SetLimit("tables", float("nan")),
        SetLimit("json_depth", 3.0),
        SetLimit("of-a-newer-version", 3.0),
    ],
)
def test_limit_that_cannot_be_is_left_out(row: SetLimit) -> None:
    """The others hold, and what else operators did is followed."""
    assert over(Limits(), [row, SetLimit("sockets", 7.0)]) == Limits(sockets=7)


def test_limit_is_shown_with_every_digit() -> None:
    """The log is what was done, not about what."""
    assert [shown(value) for value in (100_000, 0.0001, 12345.678)] == ["100000", "0.0001", "12345.678"]
