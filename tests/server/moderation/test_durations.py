"""How long a sanction may last, and how people write it."""

from __future__ import annotations

import pytest

from bohn.protocol.refusals import Problem, Refusal
from bohn.server.moderation.durations import LONGEST, MINUTE, duration, within


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("1m", 60_000),
        ("12h", 43_200_000),
        ("7d", 604_800_000),
        ("520w", 520 * 604_800_000),
        ("3650d", LONGEST),
        ("forever", None),
    ],
)
def test_duration_is_a_number_with_a_unit(text: str, milliseconds: int | None) -> None:
    """Or without end."""
    assert duration(text) == milliseconds


@pytest.mark.parametrize(
    "text",
    ["0m", "-1m", "+1m", "1", "m", "1.5h", "1s", "1M", "3651d", "9999999d", "nan", "FOREVER", "1m ", ""],
)
def test_duration_that_cannot_be_is_told_as_it_was_written(text: str) -> None:
    """With what may be."""
    with pytest.raises(Refusal) as refused:
        duration(text)
    assert refused.value.problem is Problem.OUT_OF_RANGE
    assert refused.value.params == {"what": "duration", "given": text, "least": "1m", "most": "520w"}


@pytest.mark.parametrize("milliseconds", [MINUTE - 1, LONGEST + 1, 0, -MINUTE])
def test_length_that_cannot_be_is_refused(milliseconds: int) -> None:
    """By the same bounds, which themselves may be."""
    assert (within(MINUTE), within(LONGEST)) == (MINUTE, LONGEST)
    with pytest.raises(Refusal) as refused:
        within(milliseconds)
    assert refused.value.params["given"] == milliseconds
