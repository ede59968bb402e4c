"""The learnt table of exchange values: its shape, its file and how it decides."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from bohn.lab.players.player_memory import ACTS, ALWAYS, MEMORY, PARTS, SCENES, STYLE, expected_coins
from bohn.lab.players.search import drop_worse
from bohn.lab.players.styles import ADVANTAGE, STRONG_2, advantage, evolved_style, style_of
from bohn.lab.players.weigh import weigh_answer
from bohn.lab.players.worth import look
from bohn.lab.row import ANSWER, ROW, TRADE, Rows, tables
from bohn.lab.twin import deal_in
from bohn.rules import resolve
from bohn.rules.beans import Bean

RULES = tables(resolve("full", 4))
COINS = expected_coins(RULES)
ME, MAKER = 2, 0

LEARNED = Path(__file__).parents[3] / "bench" / "learned"


def offered() -> Rows:
    """Return a position in which a garden bean from the table is offered for a blue one of the own hand."""
    states: Rows = np.zeros(1, ROW)
    deal_in(RULES[0], states[0], 5)
    row = states[0]
    row["phase"], row["mode"], row["active"], row["maker"] = TRADE, ANSWER, MAKER, MAKER
    row["partner"] = row["seat"] = ME
    row["kind"][ME, 0], row["beans"][ME, 0] = Bean.GARDEN, 1
    row["face_up"][Bean.GARDEN] = row["give_face"][Bean.GARDEN] = 1
    row["hand"][ME, 1], row["held"][ME] = Bean.BLUE, 0
    for card in row["hand"][ME, : row["hands"][ME]]:
        row["held"][ME, card] += 1
    row["want"][Bean.BLUE] = 1
    return states


def weighed(style: Rows, favour: float = 0.0) -> tuple[float, Rows]:
    """Return what accepting is worth, and the memory that has weighed it."""
    states, memory = offered(), np.zeros(1, MEMORY)
    memory["stamp"] = -1
    memory["favours"][0, MAKER] = favour
    look(RULES[0], states[0], COINS, style[0], memory[0], ME)
    return float(weigh_answer(RULES[0], states[0], COINS, style[0], memory[0], ME)), memory


def test_advantage_is_small_and_complete() -> None:
    """What was learnt is a finite table for every part and scene, and takes far less than a megabyte."""
    assert advantage().shape == (PARTS, SCENES)
    assert np.isfinite(advantage()).all()
    assert ADVANTAGE.stat().st_size < 100_000


def test_advantage_says_where_it_comes_from() -> None:
    """The file names its parts and scenes, and the tables it is the mean of."""
    kept = json.loads(ADVANTAGE.read_text(encoding="utf-8"))
    learned = [json.loads((LEARNED / f"{name}.json").read_text(encoding="utf-8")) for name in kept["mean_of"]]

    assert (len(kept["parts"]), len(kept["scenes"])) == (PARTS, SCENES)
    assert np.allclose(kept["advantage"], np.mean([one["advantage"] for one in learned], axis=0), atol=1e-5)


def test_learned_gain_is_the_sum_of_parts_in_their_scene() -> None:
    """What an exchange is worth is bilinear in what it brings and in the position."""
    gain, memory = weighed(style_of("strong-1"))

    assert np.isclose(gain, memory["parts"][0] @ advantage() @ memory["scene"][0])


def test_learned_gain_of_a_plain_table_is_the_plain_rule() -> None:
    """A table that says "own gain less two thirds of the other's" decides as the value trader's rule does."""
    plain = style_of("strong-1")
    plain["advantage"] = 0.0
    plain["advantage"][0, :3, 0] = 1.0, 1.0, -2 / 3
    rule = style_of("strong-1")
    rule["learned"], rule["lead"], rule["k_answer"], rule["k_answer_own"] = 0, 0.0, 2 / 3, 2 / 3

    assert np.isclose(weighed(plain)[0], weighed(rule)[0])


def test_learned_constant_moves_every_answer() -> None:
    """What always counts is added to every exchange."""
    style = style_of("strong-1")
    before, _ = weighed(style)
    style["advantage"][0, ALWAYS, 0] += 0.25

    assert np.isclose(weighed(style)[0], before + 0.25)


def test_favoured_seat_counts_beside_the_own() -> None:
    """Experiments let a seat count another's coins; without that nothing changes."""
    rule = style_of("strong-1")
    rule["learned"], rule["lead"], rule["k_answer"], rule["k_answer_own"] = 0, 0.0, 0.0, 0.0
    own, _ = weighed(rule)
    once, twice = (weighed(style_of("strong-1"), favour)[0] for favour in (1.0, 2.0))

    assert abs(once - own) > 0.01
    assert np.isclose(twice - own, 2.0 * (once - own))


def test_search_gives_up_what_is_clearly_worse() -> None:
    """Of four actions the clearly worse one is dropped; the first stays, as the measure of the others."""
    memory: Rows = np.zeros(1, MEMORY)
    done = 40
    for action, mean in enumerate((0.0, 0.5, -0.5, 0.48)):
        memory["sum"][0, action] = mean * done
        memory["square"][0, action] = (mean * mean + 0.01) * done

    assert drop_worse(memory[0], 4, done) == 3
    assert memory["out"][0].tolist() == [0, 0, 1, 0] + [0] * (ACTS - 4)


def test_second_strong_player_weighs_by_the_mean_of_its_runs() -> None:
    """What it thinks an exchange is worth is the mean of three attackers that evolved."""
    runs = [evolved_style(LEARNED / "strong-2" / f"{name}.json") for name in ("reply", "league", "second")]
    mean = np.mean([run["advantage"][0] for run in runs], axis=0)

    assert np.allclose(style_of("strong-2")["advantage"][0], mean, atol=2e-5)
    assert not np.allclose(mean, advantage(), atol=0.1)


def test_third_strong_player_is_the_mean_of_its_runs() -> None:
    """What it weighs, in all scenes and by kind, is the mean of three that a league bred."""
    runs = [evolved_style(LEARNED / "strong-3" / f"{name}.json") for name in ("league", "second", "third")]
    player = style_of("strong-3")

    for number in ("advantage", "supplies", "prices"):
        assert np.allclose(player[number], np.mean([run[number] for run in runs], axis=0), atol=2e-5), number


def test_later_strongest_players_only_search_more() -> None:
    """Each differs from the strong one as the first strongest did from the first strong one."""
    for number in STYLE.names or ():
        differs = [
            style_of(f"strongest-{version}")[number].tobytes()
            != style_of(f"strong-{version}")[number].tobytes()
            for version in (1, 2, 3)
        ]
        assert differs[0] == differs[1] == differs[2], number


def test_style_of_a_file_is_not_changed_by_whoever_moves_it() -> None:
    """An attacker that begins as an evolved player moves a copy."""
    before = style_of("strong-2").tobytes()
    moved = evolved_style(STRONG_2)
    moved["advantage"] += 1.0
    moved["tries"] = 1

    assert style_of("strong-2").tobytes() == before
