"""The compiled players play as interpreted, to the end, and from what a seat may see."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bohn.lab.batch import determinize
from bohn.lab.players.calls import answer_at, farm_at, offer_at
from bohn.lab.players.driver import move
from bohn.lab.players.player_memory import BITS, MEMORY, PER_CARD, expected_coins
from bohn.lab.players.styles import NAMES, SIMPLE, style_of, styles_of
from bohn.lab.players.surplus import on_the_way, worth_of_seat
from bohn.lab.players.worth import packed
from bohn.lab.row import ANSWER, ASKED, DUE, END, KINDS, ROW, SEATS, TRADE, Rows, tables
from bohn.lab.twin import deal
from bohn.play.floor import BRISK, FREE
from bohn.rules import resolve
from bohn.rules.beans import BEANS, Bean, coins_for
from tests.lab.players.games import digest, played

FULL = tables(resolve("full", 4), BRISK)
COINS = expected_coins(FULL)
NOTHING_KNOWN = np.zeros((SEATS, KINDS), np.int64)


@pytest.mark.compiled(only=True)
def test_compiled_players_play_the_same_interpreted() -> None:
    """Compiled and interpreted games are equal in every byte."""
    program = [sys.executable, "-m", "tests.lab.players.games"]
    environment = os.environ | {"BOHN_INTERPRET": "1"}
    root = Path(__file__).parents[3]
    done = subprocess.run(  # noqa: S603 - the interpreter of the tests itself
        program, env=environment, cwd=root, capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == digest()


KINDS_OF_TABLES = (("full", 3), ("classic", 5), ("full", 2))

SEATED = [
    pytest.param(name, *table, marks=pytest.mark.compiled(only=name not in SIMPLE))
    for name in NAMES
    for table in KINDS_OF_TABLES
    if not name.startswith("strongest") or table == ("full", 2)  # among more it would think for a minute
]


@pytest.mark.parametrize(("name", "edition", "players"), SEATED)
def test_player_finishes_compiled_games(name: str, edition: str, players: int) -> None:
    """Every compiled player plays a whole game among its like, and no card is lost."""
    rules = resolve(edition, players)
    row = played([name] * players, 3, edition)[0]
    held = row["coins"].sum() + row["hands"].sum()
    cards = row["draws"] + row["discards"] + held + row["face_up"].sum() + row["box"].sum()

    assert row["phase"] == END
    assert cards == sum(rules.deck) + sum(rules.boxed)


def positions(names: tuple[str, ...], count: int) -> list[tuple[Rows, Rows]]:
    """Return positions of a game in which a seat has to decide, with the memories there."""
    states: Rows = np.zeros(2, ROW)
    memories: Rows = np.zeros(2 * len(names), MEMORY)
    memories["style"][: len(names)] = range(len(names))
    memories["stamp"], memories["ladder_stamp"] = -1, -1
    styles = styles_of(names)
    deal(FULL, states, 0, 11)
    found: list[tuple[Rows, Rows]] = []
    while states["phase"][0] != END and len(found) < count:
        found.append((states.copy(), memories.copy()))
        move(FULL, states, 0, COINS, styles, memories)
    return found


def decided(states: Rows, memories: Rows, styles: Rows) -> tuple[object, ...]:
    """Return what the seat that decides would do, offers with their cards."""
    rows, seat = states.copy(), int(states["seat"][0])
    memory = memories[seat : seat + 1].copy()
    memory["stamp"], memory["ladder_stamp"] = -1, -1
    style, mode = styles[seat : seat + 1], states["mode"][0]
    if mode == DUE:
        return (farm_at(FULL, rows, 0, COINS, style, memory, seat),)
    if mode == ANSWER:
        return (answer_at(FULL, rows, 0, COINS, style, memory, seat),)
    offered = mode == ASKED and offer_at(FULL, rows, 0, COINS, style, memory, seat)
    return offered, *(rows[side].tobytes() for side in ("partner", "give_face", "give_hand", "want"))


@pytest.mark.compiled(only=True)
def test_trader_does_not_know_hidden_cards() -> None:
    """With the cards dealt anew that a seat cannot see, it decides the same."""
    names = ("strong-1", "value-trader", "fair-1", "generous-trader")
    styles = styles_of(names)
    seen = positions(names, 400)
    for number, (states, memories) in enumerate(seen):
        other = states.copy()
        determinize(other, 0, int(states["seat"][0]), NOTHING_KNOWN, number)

        assert decided(states, memories, styles) == decided(other, memories, styles), number

    assert len(seen) == 400


def test_expected_coins_without_arrivals_are_the_beanometer() -> None:
    """Where nothing is expected, a field is worth what it brings now."""
    for bean in BEANS[:-1]:
        meter = resolve("full", 4).beanometers[bean]
        most = meter[-1][0]
        assert [COINS[bean, n, 0] for n in range(most)] == [coins_for(meter, n) for n in range(most)]


def test_expected_coins_grow_with_beans_and_arrivals() -> None:
    """More beans and more expected cards are never worth less."""
    assert (np.diff(COINS, axis=1) >= -1e-6).all()
    assert (np.diff(COINS[:, :, :-1], axis=2) >= -1e-6).all()


def test_expected_coins_of_one_arrival_are_a_mean() -> None:
    """Two red beans and one expected card: the Poisson mean of the meter."""
    meter = resolve("full", 4).beanometers[Bean.RED]
    most = meter[-1][0]
    mean, term, total = 1.0, np.exp(-1.0), 0.0
    for more in range(30):
        sold, rest = divmod(2 + more, most)
        total += term * (sold * coins_for(meter, most) + coins_for(meter, rest))
        term *= mean / (more + 1)

    assert COINS[Bean.RED, 2, PER_CARD] == pytest.approx(total, abs=1e-5)


def test_packed_counts_keep_every_kind() -> None:
    """Counts by kind fit beside each other into one number."""
    counts = np.arange(KINDS)

    assert [packed(counts) >> BITS * k & 31 for k in range(KINDS)] == counts.tolist()


def test_styles_end_with_the_models_of_search() -> None:
    """Search plays hidden cards out with the last styles: a simple one, one who never trades, a quick one."""
    rows = styles_of(["strongest-1", "value-trader"])

    assert rows["model"].tolist() == [2, 2, 2, 2, 2]
    assert rows["kind"][2:].tolist() == [style_of(name)["kind"][0] for name in ("pk", "no-trade", "strong-1")]


def test_style_of_an_unknown_player_is_refused() -> None:
    """There is no style for a name nobody has."""
    with pytest.raises(KeyError):
        style_of("nobody")


def test_yardstick_counts_the_way_to_the_next_coin() -> None:
    """Half the way to a coin is worth half a coin, as in the arena's own yardstick."""
    meter = resolve("full", 4).beanometers[Bean.BLUE]
    (first, one), (second, two) = meter[0], meter[1]

    assert on_the_way(FULL[0], Bean.BLUE, 0) == 0.0
    assert on_the_way(FULL[0], Bean.BLUE, 1) == pytest.approx(one / first)
    assert on_the_way(FULL[0], Bean.BLUE, first) == one
    assert on_the_way(FULL[0], Bean.BLUE, first + 1) == pytest.approx(one + (two - one) / (second - first))
    assert on_the_way(FULL[0], Bean.BLUE, meter[-1][0]) == meter[-1][1]


def test_yardstick_plants_what_is_set_aside() -> None:
    """What joins a field or finds an empty one counts, what finds none does not."""
    row: Rows = np.zeros(1, ROW)
    row["players"], row["active"], row["phase"] = 4, 1, TRADE
    row["fields"][0, 0] = 2
    row["kind"][0, 0, 0], row["beans"][0, 0, 0] = Bean.BLUE, 2
    row["set_aside"][0, 0, Bean.BLUE] = 2
    row["set_aside"][0, 0, Bean.RED] = 1
    row["set_aside"][0, 0, Bean.COFFEE] = 1
    blue, red, coffee = (on_the_way(FULL[0], bean, n) for bean, n in
                         ((Bean.BLUE, 4), (Bean.RED, 1), (Bean.COFFEE, 1)))  # fmt: skip

    assert worth_of_seat(FULL[0], row[0], 0) == pytest.approx(blue + max(red, coffee))


@pytest.mark.compiled(only=True)
def test_free_floor_lets_the_strong_trader_ask_more_often() -> None:
    """The setting of the floor reaches the compiled players."""
    names = ("strong-1", "value-trader", "value-trader")

    assert played(names, 5, setting=FREE)["offers"][0] > 2 * played(names, 5, setting=BRISK)["offers"][0]
