"""Handles: what one may be, what it is stored as, and which look alike."""

from __future__ import annotations

import pytest

from bohn.protocol.refusals import Refusal
from bohn.server.accounts.handles import clean_handle, handle_key
from bohn.server.people.names import clean


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        (" Anna ", "anna"),
        ("Ａｎｎａ", "anna"),
        ("straße", "strasse"),
        ("İnci", "inci"),
        ("анна", "анна"),
        ("はなこ花子", "はなこ花子"),
        ("a-1_b", "a-1_b"),
    ],
)
def test_handle_is_stored_in_small_letters(typed: str, stored: str) -> None:
    """Whatever form of a letter was typed; what is stored is itself a handle."""
    assert clean_handle(typed) == stored
    assert clean_handle(stored) == stored
    assert clean(stored) == stored


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "a",
        "a" * 21,
        "a" * 90,
        "12",
        "-anna",
        "anna_",
        "an na",
        "a.b",
        "ann\u202ea",
        "a\u0000b",
        "🫘🫘",
        "\u0301ab",
    ],
)
def test_handle_of_other_characters_is_refused(typed: str) -> None:
    """Too short or long, without a letter, with spaces, signs or what shows nothing."""
    with pytest.raises(Refusal) as refused:
        clean_handle(typed)

    assert refused.value.problem == "handle-not-allowed"
    assert refused.value.params == {"least": 2, "most": 20}


@pytest.mark.parametrize("typed", ["аnna", "annα", "annaは", "はк"])
def test_handle_of_two_scripts_is_refused(typed: str) -> None:
    """A letter of another alphabet among Latin ones is there to deceive."""
    with pytest.raises(Refusal) as refused:
        clean_handle(typed)

    assert refused.value.problem == "handle-mixed"


@pytest.mark.parametrize("typed", ["admin", "Admin", "0perator", "r00t", "operat0r", "b0hn"])
def test_handle_that_would_be_taken_for_the_server_is_refused(typed: str) -> None:
    """Nor anything that looks like it."""
    with pytest.raises(Refusal) as refused:
        clean_handle(typed)

    assert refused.value.problem == "handle-not-allowed"


@pytest.mark.parametrize(
    ("one", "other"), [("paul", "pau1"), ("cope", "соре"), ("o0o", "ooo"), ("a-b", "a_b"), ("scope", "ѕсоре")]
)
def test_handles_that_look_alike_have_one_key(one: str, other: str) -> None:
    """Letters of another alphabet, digits for letters, and the two joiners."""
    assert handle_key(one) == handle_key(other)


@pytest.mark.parametrize(("one", "other"), [("anna", "hanna"), ("paul", "paula"), ("ada", "ana")])
def test_other_handles_have_other_keys(one: str, other: str) -> None:
    """Nobody is kept from a name of his own."""
    assert handle_key(one) != handle_key(other)
