"""Games played in a batch: repeatable, however they are divided."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from bohn.lab import batch, twin
from bohn.lab.batch import Games
from bohn.lab.compile_cache import INTERPRET
from bohn.lab.compiling import COMPILED
from bohn.lab.row import CARDS, KINDS, ROW, SEATS, Rows
from bohn.rules import resolve
from tests.lab.twin_games import FULL, kinds_in, midway

pytestmark = pytest.mark.compiled

MANY = 400 if COMPILED else 12
SOME = 40 if COMPILED else 1

TABLES = [("full", 2), ("full", 3), ("full", 4), ("full", 7), ("classic", 3), ("classic", 5)]


# -- whole games ---------------------------------------------------------------------------------------


def test_random_games_repeat_by_seed() -> None:
    """The same seed gives the same games, another gives others."""
    once = batch.play_games(FULL, 0, SOME, 1)
    assert np.array_equal(once, batch.play_games(FULL, 0, SOME, 1))
    assert not np.array_equal(once, batch.play_games(FULL, 0, SOME, 2))


def test_random_games_are_independent_of_slices() -> None:
    """A game depends on its number, not on where a slice of the games begins."""
    both = batch.play_games(FULL, 0, 2, 1)
    assert np.array_equal(both[1:], batch.play_games(FULL, 1, 1, 1))


def test_random_games_are_independent_of_threads() -> None:
    """Three threads play the games of one."""
    assert np.array_equal(batch.play_games_on(FULL, 2 * SOME, 1, 3), batch.play_games(FULL, 0, 2 * SOME, 1))


def test_random_games_have_the_promised_mix() -> None:
    """700 to 1,000 decisions a game, and at least one command in five is an offer or an answer."""
    mean = batch.play_games(FULL, 0, MANY, 3).mean(0)
    assert 700 <= mean[batch.DECISIONS] <= 1000
    assert mean[batch.OFFERS] + mean[batch.ANSWERS] >= 0.2 * mean[batch.COMMANDS]


def test_random_games_trade_and_earn() -> None:
    """Exchanges happen, fields are bought, everybody earns something, and somebody wins."""
    results = batch.play_games(FULL, 0, MANY, 3)
    mean = results.mean(0)
    assert mean[batch.TRADES] > 0
    assert mean[batch.GIFTS] > 5
    assert mean[batch.PURCHASES] > 0.5
    assert np.all(mean[:4] > 1)
    assert np.all(results[:, batch.WINNERS] > 0)
    assert not results[:, 4:SEATS].any()


@pytest.mark.compiled(only=True)
def test_random_games_are_the_same_interpreted() -> None:
    """Compiled and interpreted code play the same games, with and without seats attentive off-turn."""
    code = "from tests.lab.twin_digest import digest; print(digest())"
    environment = {**os.environ, INTERPRET: "1"}
    found = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)  # noqa: S603 - our own code
    from tests.lab.twin_digest import digest

    assert found.stdout.decode().strip() == digest()


# -- playouts ------------------------------------------------------------------------------------------


def test_playouts_repeat_by_seed() -> None:
    """The same game and seed end the same ways."""
    states = midway(100)
    once = batch.playouts(FULL, states, 0, SOME, 9)
    assert np.array_equal(once, batch.playouts(FULL, states, 0, SOME, 9))


def test_playouts_leave_the_game_alone() -> None:
    """Only copies are played on."""
    states = midway(100)
    before = states.tobytes()
    batch.playouts(FULL, states, 0, 2, 9)
    assert states.tobytes() == before


def test_playouts_continue_the_game() -> None:
    """A playout counts from what the game has counted, and differs from the next."""
    states = midway(100)
    results = batch.playouts(FULL, states, 0, 2, 9)
    assert np.all(results[:, batch.DECISIONS] > 100)
    assert not np.array_equal(results[0], results[1])


def test_spread_copies_a_game_everywhere() -> None:
    """Every place holds the same bytes, and so does a single copy."""
    states = midway(50)
    copies: Rows = np.zeros(3, ROW)
    batch.spread(copies[:2], states, 0)
    batch.copy_row(copies, 2, states, 0)
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
    twin.deal(FULL, fresh, 0, batch.game_seed(11, 1))
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
    """All through a game each kind has as many cards as the deck and the box had."""
    games = Games(resolve(edition, players), 6 if COMPILED else 2, 1)
    games.states["attentive"][::2] = (1 << players) - 1  # half of the tables have moments off-turn
    cards = games.rules["deck"][0] + games.rules["boxed"][0]
    for number in range(900 if COMPILED else 30):
        games.step(games.random_actions())
        if COMPILED and number % 10:  # a card that was lost stays lost, and looking costs more than playing
            continue
        assert np.all(kinds_in(games.states) == cards)
        hands = np.arange(CARDS) < games.states["hands"][:, :, None]
        for kind in range(KINDS):
            held = ((games.states["hand"] == kind) & hands).sum(2)
            assert np.array_equal(held, games.states["held"][:, :, kind])
