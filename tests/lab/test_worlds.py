"""A drawn world differs from the real one only in what a seat cannot see."""

from __future__ import annotations

import numpy as np
import pytest

from bohn.lab import batch, twin
from bohn.lab.compiling import COMPILED
from bohn.lab.row import ANSWER, COMPOSE, DUE, KINDS, ROW, SEATS
from bohn.lab.worlds import determinize
from tests.lab.twin_games import FULL, kinds_in, midway, mixed, shown, waiting_for

pytestmark = pytest.mark.compiled

NOTHING = np.zeros((SEATS, KINDS), np.int64)


@pytest.mark.parametrize("decisions", [0, 150, 301, 444])
def test_determinization_keeps_every_card(decisions: int) -> None:
    """All kinds, hand sizes and the draw pile's size are as before."""
    states = midway(decisions)
    kinds, hands = kinds_in(states), states["hands"].copy()
    draws = int(states[0]["draws"])
    determinize(states, 0, int(states[0]["seat"]), NOTHING, 3)
    assert np.array_equal(kinds_in(states), kinds)
    assert np.array_equal(states["hands"], hands)
    assert states[0]["draws"] == draws
    for p in range(4):
        hand = states[0]["hand"][p, : hands[0, p]]
        assert np.array_equal(states[0]["held"][p], np.bincount(hand, minlength=KINDS))


@pytest.mark.parametrize("decisions", [0, 150, 301, 444])
def test_determinization_keeps_what_the_viewer_sees(decisions: int) -> None:
    """His observation, his hand in order and all public fields of the row stay."""
    states = midway(decisions)
    viewer = int(states[0]["seat"])
    before, seen = states.copy(), shown(states)
    determinize(states, 0, viewer, NOTHING, 3)
    assert np.array_equal(shown(states), seen)
    assert np.array_equal(states["hand"][0, viewer], before["hand"][0, viewer])
    for name in ROW.names or ():
        if name not in {"rng", "hand", "held", "draw"}:
            assert np.array_equal(states[name], before[name]), name
    assert states.tobytes() != before.tobytes()


def test_determinization_keeps_known_cards() -> None:
    """Every hand has at least the cards it is known to have."""
    states = midway(301)
    g = states[0]
    viewer = int(g["seat"])
    known = g["held"].astype(np.int64) * 2 // 3
    for seed in range(50):
        determinize(states, 0, viewer, known, seed)
        assert np.all(g["held"] >= known)


def test_determinization_with_full_knowledge_keeps_the_hands() -> None:
    """For a seat that knows every card only the places change."""
    states = midway(301)
    held = states["held"].copy()
    determinize(states, 0, 0, held[0].astype(np.int64), 1)
    assert np.array_equal(states["held"], held)


def test_determinization_keeps_an_offer_possible() -> None:
    """Hand cards named in an offer stay in the maker's hand, so that it can be accepted."""
    seed = 5
    states = waiting_for(ANSWER, seed)
    while not states[0]["give_hand"].any():
        seed += 1
        states = waiting_for(ANSWER, seed)
    g = states[0]
    for chance in range(50):
        determinize(states, 0, int(g["seat"]), NOTHING, chance)
        assert np.all(g["held"][g["maker"]] >= g["give_hand"])


def test_determinization_repeats_by_seed() -> None:
    """The same seed deals the same cards, another others."""
    worlds = []
    for seed in (1, 1, 2):
        states = midway(301)
        determinize(states, 0, 0, NOTHING, seed)
        worlds.append(states.tobytes())
    assert worlds[0] == worlds[1]
    assert worlds[0] != worlds[2]


def test_determinization_does_not_depend_on_the_hidden_cards() -> None:
    """Games that look the same to the viewer give the same worlds: nothing leaks."""
    one, other = midway(301), midway(301)
    viewer = int(one[0]["seat"])
    mixed(other, viewer, np.random.default_rng(4))
    for states in (one, other):
        determinize(states, 0, viewer, NOTHING, 8)
    assert np.array_equal(one["hand"][0, :4, :5], other["hand"][0, :4, :5])
    assert np.array_equal(one["held"], other["held"])
    draws = int(one[0]["draws"])
    assert np.array_equal(one["draw"][0, :draws], other["draw"][0, :draws])


def test_determinization_is_even() -> None:
    """Each hidden card is as often in a hand as its share of the hidden cards says, front card included."""
    states = midway(100)
    g = states[0]
    viewer = int(g["seat"])
    other = (viewer + 1) % 4
    hidden = g["held"].sum(0) - g["held"][viewer] + np.bincount(g["draw"][: g["draws"]], minlength=KINDS)
    share = hidden / hidden.sum()
    worlds = 2000 if COMPILED else 300
    held, front = np.zeros(KINDS), np.zeros(KINDS)
    for seed in range(worlds):
        determinize(states, 0, viewer, NOTHING, seed)
        held += g["held"][other]
        front[g["hand"][other, 0]] += 1
    # five standard errors of a share of about 0.1, and a little for small decks
    tolerance = 5 * np.sqrt(0.1 / worlds)
    assert np.allclose(held / held.sum(), share, atol=tolerance)
    assert np.allclose(front / worlds, share, atol=tolerance)


def test_determinization_lays_known_cards_anywhere() -> None:
    """A known card is not always in front."""
    states = midway(100)
    g = states[0]
    viewer = int(g["seat"])
    other = (viewer + 1) % 4
    kind = int(g["held"][other].argmax())
    known = NOTHING.copy()
    known[other, kind] = 1
    fronts = set()
    for seed in range(100):
        determinize(states, 0, viewer, known, seed)
        fronts.add(int(g["hand"][other, 0]) == kind)
    assert fronts == {True, False}


def test_determinization_survives_false_knowledge() -> None:
    """More cards than there are, or than a hand holds, do not break the game."""
    states = midway(301)
    kinds = kinds_in(states)
    determinize(states, 0, 0, NOTHING + 9, 1)
    assert np.array_equal(kinds_in(states), kinds)
    batch.playouts(FULL, states, 0, 1, 1)


def test_determinization_forgets_given_shuffles() -> None:
    """What would be drawn after a reshuffle is nobody's knowledge."""
    states = midway(100)
    states[0]["script_end"] = 20
    determinize(states, 0, 0, NOTHING, 1)
    assert states[0]["script_at"] == states[0]["script_end"] == 0


@pytest.mark.parametrize("mode", [DUE, ANSWER, COMPOSE])
def test_determinization_can_be_played_on(mode: int) -> None:
    """From every kind of decision the new world is played to its end with all cards."""
    states = waiting_for(mode)
    legal = twin.legal(FULL, states, 0)
    viewer = int(states[0]["seat"])
    determinize(states, 0, viewer, NOTHING, 1)
    assert twin.legal(FULL, states, 0) == legal
    assert np.all(batch.playouts(FULL, states, 0, 2, 1)[:, batch.WINNERS] > 0)


def test_determinization_hides_every_hand_from_a_spectator() -> None:
    """Viewer -1 sees no hand: all are dealt anew."""
    states = midway(100)
    hands = states["hand"].copy()
    determinize(states, 0, -1, NOTHING, 1)
    assert all(not np.array_equal(states["hand"][0, p], hands[0, p]) for p in range(4))
