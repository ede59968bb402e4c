from __future__ import annotations

import os
import re
import subprocess
import sys

import numpy as np
import numpy.typing as npt
import pytest

from bohn.rules import resolve
from bohn.sim import twin, twin_batch
from bohn.sim.compiling import COMPILED, INTERPRET
from bohn.sim.row import ANSWER, CARDS, COMPOSE, DUE, KINDS, MOMENT, ROW, SEATS, Rows, tables
from bohn.sim.twin_batch import LAYOUT, Games

FULL = tables(resolve("full", 4))
MANY = 400 if COMPILED else 2
SOME = 40 if COMPILED else 1
NOTHING = np.zeros((SEATS, KINDS), np.int64)

TABLES = [("full", 2), ("full", 3), ("full", 4), ("full", 7), ("classic", 3), ("classic", 5)]


def play_on(states: Rows, rules: Rows = FULL) -> None:
    """Play one random decision."""
    actions = np.zeros(1, np.int64)
    bits = np.full(1, twin.legal(rules, states, 0))
    assert bits[0], "the game is over"
    twin_batch.choose_at_random(states, 0, 1, bits, actions)
    twin.step(rules, states, 0, int(actions[0]))


def midway(decisions: int, seed: int = 5, rules: Rows = FULL) -> Rows:
    """One game after so many random decisions."""
    states: Rows = np.zeros(1, ROW)
    twin.deal(rules, states, 0, seed)
    for _ in range(decisions):
        play_on(states, rules)
    return states


def waiting_for(mode: int, seed: int = 5) -> Rows:
    """One game in which a seat decides in this mode, some way into the game."""
    states = midway(200, seed)
    while states[0]["mode"] != mode:
        play_on(states)
    return states


def mixed(states: Rows, viewer: int, rng: np.random.Generator) -> None:
    """Deal the hidden cards of a game anew, without the code under test."""
    g = states[0]
    others = [p for p in range(g["players"]) if p != viewer]
    hidden = [g["draw"][: g["draws"]], *(g["hand"][p, : g["hands"][p]] for p in others)]
    cards = rng.permutation(np.concatenate(hidden))
    at = 0
    for place in hidden:
        place[:] = cards[at : at + len(place)]
        at += len(place)
    for p in others:
        g["held"][p] = np.bincount(g["hand"][p, : g["hands"][p]], minlength=KINDS)


def kinds_in(states: Rows) -> npt.NDArray[np.int64]:
    """All cards of each game, by kind: ``(games, KINDS)``."""
    total: npt.NDArray[np.int64] = states["face_up"].astype(np.int64) + states["box"]
    total += states["set_aside"].sum(1, dtype=np.int64)
    places = np.arange(CARDS)
    piles = [(states["draw"], states["draws"]), (states["discard"], states["discards"])]
    for p in range(SEATS):
        piles += [(states["hand"][:, p], states["hands"][:, p])]
        piles += [(states["treasury"][:, p], states["coins"][:, p])]
    for kind in range(KINDS):
        for cards, count in piles:
            total[:, kind] += ((cards == kind) & (places < count[:, None])).sum(1)
        total[:, kind] += (states["beans"] * (states["kind"] == kind)).sum((1, 2))
    return total


def shown(states: Rows) -> npt.NDArray[np.uint8]:
    """What the deciding seat of the first game sees."""
    seen = np.zeros((1, twin_batch.FEATURES), np.uint8)
    twin_batch.observe(states, 0, seen, 0)
    first: npt.NDArray[np.uint8] = seen[0]
    return first


def feature(seen: npt.NDArray[np.uint8], name: str) -> npt.NDArray[np.uint8]:
    """One feature of an observation, in its shape."""
    offset, shape = LAYOUT[name]
    return seen[offset : offset + int(np.prod(shape))].reshape(shape)


# -- whole games ---------------------------------------------------------------------------------------


def test_random_games_repeat_by_seed() -> None:
    """The same seed gives the same games, another gives others."""
    once = twin_batch.play_games(FULL, 0, SOME, 1)
    assert np.array_equal(once, twin_batch.play_games(FULL, 0, SOME, 1))
    assert not np.array_equal(once, twin_batch.play_games(FULL, 0, SOME, 2))


def test_random_games_are_independent_of_slices() -> None:
    """A game depends on its number, not on where a slice of the games begins."""
    both = twin_batch.play_games(FULL, 0, 2, 1)
    assert np.array_equal(both[1:], twin_batch.play_games(FULL, 1, 1, 1))


def test_random_games_are_independent_of_threads() -> None:
    """Three threads play the games of one."""
    assert np.array_equal(
        twin_batch.play_games_on(FULL, 2 * SOME, 1, 3), twin_batch.play_games(FULL, 0, 2 * SOME, 1)
    )


def test_random_games_have_the_promised_mix() -> None:
    """700 to 1,000 decisions a game, and at least one command in five is an offer or an answer."""
    mean = twin_batch.play_games(FULL, 0, MANY, 3).mean(0)
    assert 700 <= mean[twin_batch.DECISIONS] <= 1000
    assert mean[twin_batch.OFFERS] + mean[twin_batch.ANSWERS] >= 0.2 * mean[twin_batch.COMMANDS]


def test_random_games_trade_and_earn() -> None:
    """Exchanges happen, fields are bought, everybody earns something, and somebody wins."""
    results = twin_batch.play_games(FULL, 0, MANY, 3)
    mean = results.mean(0)
    assert mean[twin_batch.TRADES] > 0
    assert mean[twin_batch.GIFTS] > 5
    assert mean[twin_batch.PURCHASES] > 0.5
    assert np.all(mean[:4] > 1)
    assert np.all(results[:, twin_batch.WINNERS] > 0)
    assert not results[:, 4:SEATS].any()


@pytest.mark.skipif(not COMPILED, reason="there is nothing to compare without Numba")
def test_random_games_are_the_same_interpreted() -> None:
    """Compiled and interpreted code play the same games, with and without seats attentive off-turn."""
    code = "from tests.sim.twin_digest import digest; print(digest())"
    environment = {**os.environ, INTERPRET: "1"}
    found = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)  # noqa: S603 - our own code
    from tests.sim.twin_digest import digest

    assert found.stdout.decode().strip() == digest()


# -- playouts ------------------------------------------------------------------------------------------


def test_playouts_repeat_by_seed() -> None:
    """The same game and seed end the same ways."""
    states = midway(100)
    once = twin_batch.playouts(FULL, states, 0, SOME, 9)
    assert np.array_equal(once, twin_batch.playouts(FULL, states, 0, SOME, 9))


def test_playouts_leave_the_game_alone() -> None:
    """Only copies are played on."""
    states = midway(100)
    before = states.tobytes()
    twin_batch.playouts(FULL, states, 0, 2, 9)
    assert states.tobytes() == before


def test_playouts_continue_the_game() -> None:
    """A playout counts from what the game has counted, and differs from the next."""
    states = midway(100)
    results = twin_batch.playouts(FULL, states, 0, 2, 9)
    assert np.all(results[:, twin_batch.DECISIONS] > 100)
    assert not np.array_equal(results[0], results[1])


def test_spread_copies_a_game_everywhere() -> None:
    """Every place holds the same bytes, and so does a single copy."""
    states = midway(50)
    copies: Rows = np.zeros(3, ROW)
    twin_batch.spread(copies[:2], states, 0)
    twin_batch.copy_row(copies, 2, states, 0)
    assert [copies[n : n + 1].tobytes() for n in range(3)] == [states.tobytes()] * 3


# -- many games ----------------------------------------------------------------------------------------


def test_games_repeat_by_seed() -> None:
    """After a reset with the same seed everything is as it was."""
    games = Games(resolve("full", 4), 3, 11)
    before, seen = games.states.tobytes(), games.observations.copy()
    games.step(games.random_actions())
    assert games.states.tobytes() != before
    games.reset(11)
    assert games.states.tobytes() == before
    assert np.array_equal(games.observations, seen)


def test_games_are_independent_of_threads() -> None:
    """Two threads play the games of one, over the ends of games."""
    one, two = Games(resolve("full", 4), 5, 11), Games(resolve("full", 4), 5, 11, threads=2)
    for _ in range(1000 if COMPILED else 20):
        for games in (one, two):
            games.step(games.random_actions())
    two.close()
    assert one.states.tobytes() == two.states.tobytes()
    assert np.array_equal(one.observations, two.observations)


def test_games_are_followed_by_new_ones() -> None:
    """A finished game is paid out once, and the next is dealt from its own seed."""
    games = Games(resolve("full", 4), 1, 11)
    rewards, done = games.step(games.random_actions())
    while not done[0]:
        assert not rewards.any()
        games.step(games.random_actions())
    assert rewards.sum() == pytest.approx(1)
    assert games.rounds[0] == 1
    assert games.states[0]["decisions"] == 0
    fresh: Rows = np.zeros(1, ROW)
    twin.deal(FULL, fresh, 0, twin_batch.game_seed(11, 1))
    assert np.array_equal(fresh[0]["hand"][:, 0], games.states[0]["hand"][:, 0])
    best = np.flatnonzero(games.coins[0] == games.coins[0].max())
    assert set(np.flatnonzero(rewards[0])) <= set(best)
    games.step(games.random_actions())
    assert not rewards.any()
    assert not done.any()


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_games_show_what_is_legal(edition: str, players: int) -> None:
    """Bits and masks are those of the twin, in every game after every step."""
    games = Games(resolve(edition, players), 4, 1)
    for _ in range(200 if COMPILED else 20):
        legal = [twin.legal(games.rules, games.states, i) for i in range(4)]
        assert games.bits.tolist() == legal
        assert [int("".join(map(str, row[::-1])), 2) for row in games.masks] == legal
        games.step(games.random_actions())


def test_games_refuse_an_illegal_action() -> None:
    """The game is named, and no game has moved."""
    games = Games(resolve("full", 4), 2, 1)
    before = games.states.tobytes()
    good = int(games.random_actions()[0])
    with pytest.raises(ValueError, match="action 10 is not legal in game 1"):
        games.step([good, twin.A_PROPOSE])
    with pytest.raises(ValueError, match="action -1"):
        games.step([-1, good])
    games.states["rng"] = np.frombuffer(before, ROW)["rng"]
    assert games.states.tobytes() == before


def test_games_need_a_game_and_a_thread() -> None:
    """No games, or no thread, is a mistake."""
    with pytest.raises(ValueError, match="at least one game"):
        Games(resolve("full", 4), 0)


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_games_keep_every_card(edition: str, players: int) -> None:
    """After every action each kind has as many cards as the deck and the box had."""
    games = Games(resolve(edition, players), 6 if COMPILED else 2, 1)
    games.states["attentive"][::2] = (1 << players) - 1  # half of the tables have moments off-turn
    cards = games.rules["deck"][0] + games.rules["boxed"][0]
    for _ in range(900 if COMPILED else 30):
        games.step(games.random_actions())
        assert np.all(kinds_in(games.states) == cards)
        hands = np.arange(CARDS) < games.states["hands"][:, :, None]
        for kind in range(KINDS):
            held = ((games.states["hand"] == kind) & hands).sum(2)
            assert np.array_equal(held, games.states["held"][:, :, kind])


# -- observations --------------------------------------------------------------------------------------


def test_observation_table_is_the_layout() -> None:
    """The table in the documentation lists every feature with its offset and shape, in order."""
    text = twin_batch.__doc__ or ""
    rows = re.findall(r"^(\w+) +(\d+)  (\([\d, ]+\))", text, re.MULTILINE)
    assert [(name, int(offset)) for name, offset, _ in rows] == [(n, o) for n, (o, _) in LAYOUT.items()]
    assert [shape for *_, shape in rows] == [str(shape) for _, shape in LAYOUT.values()]
    offset, shape = LAYOUT["planted_beans"]
    assert offset + int(np.prod(shape)) == twin_batch.FEATURES


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
    assert np.array_equal(front.argmax(1)[: len(hand)], hand[: twin_batch.FRONT])
    assert front.sum() == min(len(hand), twin_batch.FRONT)


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
    """Who makes it, what he gives and what he asks for."""
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


# -- determinization -------------------------------------------------------------------------------------


@pytest.mark.parametrize("decisions", [0, 150, 301, 444])
def test_determinization_keeps_every_card(decisions: int) -> None:
    """All kinds, hand sizes and the draw pile's size are as before."""
    states = midway(decisions)
    kinds, hands = kinds_in(states), states["hands"].copy()
    draws = int(states[0]["draws"])
    twin_batch.determinize(states, 0, int(states[0]["seat"]), NOTHING, 3)
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
    twin_batch.determinize(states, 0, viewer, NOTHING, 3)
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
        twin_batch.determinize(states, 0, viewer, known, seed)
        assert np.all(g["held"] >= known)


def test_determinization_with_full_knowledge_keeps_the_hands() -> None:
    """Who knows every card only loses its place."""
    states = midway(301)
    held = states["held"].copy()
    twin_batch.determinize(states, 0, 0, held[0].astype(np.int64), 1)
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
        twin_batch.determinize(states, 0, int(g["seat"]), NOTHING, chance)
        assert np.all(g["held"][g["maker"]] >= g["give_hand"])


def test_determinization_repeats_by_seed() -> None:
    """The same seed deals the same cards, another others."""
    worlds = []
    for seed in (1, 1, 2):
        states = midway(301)
        twin_batch.determinize(states, 0, 0, NOTHING, seed)
        worlds.append(states.tobytes())
    assert worlds[0] == worlds[1]
    assert worlds[0] != worlds[2]


def test_determinization_does_not_depend_on_the_hidden_cards() -> None:
    """Games that look the same to the viewer give the same worlds: nothing leaks."""
    one, other = midway(301), midway(301)
    viewer = int(one[0]["seat"])
    mixed(other, viewer, np.random.default_rng(4))
    for states in (one, other):
        twin_batch.determinize(states, 0, viewer, NOTHING, 8)
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
        twin_batch.determinize(states, 0, viewer, NOTHING, seed)
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
        twin_batch.determinize(states, 0, viewer, known, seed)
        fronts.add(int(g["hand"][other, 0]) == kind)
    assert fronts == {True, False}


def test_determinization_survives_false_knowledge() -> None:
    """More cards than there are, or than a hand holds, do not break the game."""
    states = midway(301)
    kinds = kinds_in(states)
    twin_batch.determinize(states, 0, 0, NOTHING + 9, 1)
    assert np.array_equal(kinds_in(states), kinds)
    twin_batch.playouts(FULL, states, 0, 1, 1)


def test_determinization_forgets_given_shuffles() -> None:
    """What would be drawn after a reshuffle is nobody's knowledge."""
    states = midway(100)
    states[0]["script_end"] = 20
    twin_batch.determinize(states, 0, 0, NOTHING, 1)
    assert states[0]["script_at"] == states[0]["script_end"] == 0


@pytest.mark.parametrize("mode", [DUE, ANSWER, COMPOSE])
def test_determinization_can_be_played_on(mode: int) -> None:
    """From every kind of decision the new world is played to its end with all cards."""
    states = waiting_for(mode)
    legal = twin.legal(FULL, states, 0)
    viewer = int(states[0]["seat"])
    twin_batch.determinize(states, 0, viewer, NOTHING, 1)
    assert twin.legal(FULL, states, 0) == legal
    assert np.all(twin_batch.playouts(FULL, states, 0, 2, 1)[:, twin_batch.WINNERS] > 0)


def test_determinization_hides_every_hand_from_a_spectator() -> None:
    """Viewer -1 sees no hand: all are dealt anew."""
    states = midway(100)
    hands = states["hand"].copy()
    twin_batch.determinize(states, 0, -1, NOTHING, 1)
    assert all(not np.array_equal(states["hand"][0, p], hands[0, p]) for p in range(4))
