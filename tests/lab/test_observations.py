"""Observations are as documented, and depend on nothing that a seat cannot see."""

from __future__ import annotations

import re

import numpy as np
import pytest

from bohn.lab import observations
from bohn.lab.observations import LAYOUT
from bohn.lab.row import ANSWER, DUE, KINDS, MOMENT
from tests.lab.twin_games import FULL, feature, midway, mixed, shown, waiting_for

pytestmark = pytest.mark.compiled


def test_observation_table_is_the_layout() -> None:
    """The table in the documentation lists every feature with its offset and shape, in order."""
    text = observations.__doc__ or ""
    rows = re.findall(r"^(\w+) +(\d+)  (\([\d, ]+\))", text, re.MULTILINE)
    assert [(name, int(offset)) for name, offset, _ in rows] == [(n, o) for n, (o, _) in LAYOUT.items()]
    assert [shape for *_, shape in rows] == [str(shape) for _, shape in LAYOUT.values()]
    offset, shape = LAYOUT["planted_beans"]
    assert offset + int(np.prod(shape)) == observations.FEATURES


@pytest.mark.parametrize("decisions", [0, 33, 150, 301, 444, 555])
def test_observations_hide_hidden_cards(decisions: int) -> None:
    """Other hands and the draw pile in any other order look the same."""
    states = midway(decisions)
    before = shown(states)
    rng = np.random.default_rng(decisions)
    for _ in range(20):
        mixed(states, int(states[0]["seat"]), rng)
        assert np.array_equal(shown(states), before)


def test_observations_hide_what_is_not_there() -> None:
    """The generator, cards beyond the end of a pile and given shuffles are not looked at."""
    states = midway(301)
    before = shown(states)
    g = states[0]
    g["rng"] = 1
    g["script"] = 3
    g["script_end"] = 5
    g["draw"][g["draws"] :] = 7
    g["discard"][: g["discards"] - 1].sort()  # which are known by kind only
    assert np.array_equal(shown(states), before)


def test_observations_hide_what_another_seat_has_selected() -> None:
    """A bean somebody else means to plant is his own secret until he does."""
    states = midway(301)
    g = states[0]
    g["mode"], g["selected"] = MOMENT, 4
    assert not feature(shown(states), "selected").any()
    g["mode"] = DUE
    assert np.flatnonzero(feature(shown(states), "selected")).tolist() == [4]


def test_observations_show_the_own_hand() -> None:
    """By kind, and the first cards in their order."""
    states = midway(301)
    g, seen = states[0], shown(states)
    hand = g["hand"][g["seat"], : g["hands"][g["seat"]]]
    assert np.array_equal(feature(seen, "own_hand"), np.bincount(hand, minlength=KINDS))
    front = feature(seen, "front")
    assert np.array_equal(front.argmax(1)[: len(hand)], hand[: observations.FRONT])
    assert front.sum() == min(len(hand), observations.FRONT)


def test_observations_show_the_table_from_the_seat() -> None:
    """Seats are relative; counts, fields, piles and the course are those of the row."""
    states = midway(301)
    g, seen = states[0], shown(states)
    order = [(int(g["seat"]) + n) % 4 for n in range(4)]
    for name, field in (("hand_size", "hands"), ("coins", "coins"), ("fields", "fields"), ("made", "made")):
        assert feature(seen, name)[:4].tolist() == [g[field][p] for p in order]
    assert np.array_equal(feature(seen, "set_aside")[:4], g["set_aside"][order])
    beans = feature(seen, "planted_beans")
    assert np.array_equal(beans.sum(2)[:4], g["beans"][order])
    assert order[int(feature(seen, "active").argmax())] == g["active"]
    assert feature(seen, "draw_pile")[0] == g["draws"]
    assert feature(seen, "phase").argmax() == g["phase"]
    assert np.array_equal(
        feature(seen, "discards"), np.bincount(g["discard"][: g["discards"]], minlength=KINDS)
    )
    assert feature(seen, "discard_top").argmax() == g["discard"][g["discards"] - 1]


def test_observations_show_an_offer_to_its_partner() -> None:
    """The maker, what he gives and what he asks for."""
    states = waiting_for(ANSWER)
    g, seen = states[0], shown(states)
    assert feature(seen, "partner").argmax() == 0
    assert (int(g["seat"]) + int(feature(seen, "maker").argmax())) % 4 == g["maker"]
    for name in ("give_face", "give_hand", "want"):
        assert np.array_equal(feature(seen, name), g[name])


def test_observations_know_the_unseen_cards() -> None:
    """They are the deck less everything that was seen."""
    states = midway(301)
    g, seen = states[0], shown(states)
    public = feature(seen, "discards").astype(int) + feature(seen, "own_hand") + feature(seen, "face_up")
    public += feature(seen, "set_aside").sum(0, dtype=int)
    public += feature(seen, "planted_beans").sum((0, 1), dtype=int)
    for p in range(4):
        public += np.bincount(g["treasury"][p, : g["coins"][p]], minlength=KINDS)
    assert np.array_equal(FULL["deck"][0] - public, feature(seen, "unseen"))


def test_observations_are_empty_after_the_end() -> None:
    """Nobody decides, nothing is shown."""
    states = midway(100)
    states[0]["seat"] = -1
    assert not shown(states).any()
