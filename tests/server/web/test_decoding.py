"""What was sent is measured before it is decoded."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bohn.protocol.refusals import Problem, Refusal
from bohn.server.web.decoding import check_depth, decode, is_id, number, readable_id

ANYTHING = msgspec.json.Decoder()


def depth_of(value: object) -> int:
    """Return how deeply a value is nested."""
    if isinstance(value, dict):
        return 1 + max(map(depth_of, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth_of, value), default=0)
    return 0


BRACKETS = st.text(st.sampled_from('[]{}"\\ a'), max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | BRACKETS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(BRACKETS, inner, max_size=3),
    max_leaves=30,
)


@given(JSON, st.integers(1, 6))
def test_depth_is_that_of_the_value(value: object, most: int) -> None:
    """Brackets in texts do not count, whatever stands before them."""
    text = msgspec.json.encode(value).decode()
    try:
        check_depth(text, most)
    except Refusal:
        assert depth_of(value) > most
    else:
        assert depth_of(value) <= most


@given(st.text(st.sampled_from('[]{}"\\:,a1 '), max_size=60))
def test_decoding_anything_refuses_or_returns(text: str) -> None:
    """No text makes it fail in another way."""
    refused: Refusal | None = None
    try:
        decode(ANYTHING, text, 4)
    except Refusal as known:
        refused = known

    assert refused is None or refused.problem in (Problem.NOT_JSON, Problem.TOO_DEEP)


def test_text_that_never_ends_is_not_taken_for_depth() -> None:
    """An open quotation mark does not hide what follows from being refused."""
    with pytest.raises(Refusal) as caught:
        decode(ANYTHING, '"' + "[" * 100, 4)

    assert caught.value.problem == Problem.NOT_JSON


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"id":"a1"}', "a1"),
        ('{"id":"a1","type":"nonsense","more":[1]}', "a1"),
        ('{"id":""}', None),
        ('{"id":"a b"}', None),
        ('{"id":7}', None),
        ('{"id":null}', None),
        ("[]", None),
        ("", None),
        ('{"id":"' + "x" * 65 + '"}', None),
    ],
)
def test_id_is_read_where_it_is_one(text: str, found: str | None) -> None:
    """A client can tell which of its frames was refused."""
    assert readable_id(text, 12) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("0", 0),
        ("12", 12),
        ("", None),
        ("-1", None),
        ("+1", None),
        ("1.0", None),
        ("٣", None),
        ("9" * 16, None),
        ("1\n", None),
    ],
)
def test_number_is_plain_digits(text: str, found: int | None) -> None:
    """Other ways to write a number are not tried."""
    assert number(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [("a", True), ("A-z_0.9:x", True), ("", False), ("a/b", False), ("a\n", False), ("é", False)],
)
def test_id_is_of_few_characters(text: str, found: bool) -> None:
    """Ids travel in addresses and headers."""
    assert is_id(text) is found
