"""Many games at once, and what is said of them."""

from __future__ import annotations

import msgspec
import pytest

from bohn.bots import PLAYERS
from bohn.play.floor import BRISK, FREE
from bohn.play.simulate import Summary, bot_seed, mean_of, play_rotation, simulate
from bohn.rules import UnknownEdition, resolve


def test_simulation_does_not_depend_on_the_number_of_workers() -> None:
    """Chance comes from seed, deal, rotation and seat, never from who plays the game."""
    line_up = ("pk", "random-trader", "random")
    one, two = (simulate("full", 3, line_up, 12, 4, workers=workers, factories=PLAYERS) for workers in (1, 2))

    assert one == two


def test_simulation_depends_on_the_seed() -> None:
    """Another seed deals other games."""
    one, two = (simulate("full", 3, ("random",) * 3, 12, seed, factories=PLAYERS) for seed in (1, 2))

    assert one.entries != two.entries


def test_rotation_seats_everybody_everywhere() -> None:
    """The first of the line-up sits in seat 0, 1, 2 of the same deal."""
    rules = resolve("full", 3)
    factories = [PLAYERS[name] for name in ("pk", "random", "no-trade")]
    names = [play_rotation(rules, factories, "x", 0, rotation, FREE).names for rotation in range(3)]

    assert names == [("pk", "random", "no-trade"), ("no-trade", "pk", "random"), ("random", "no-trade", "pk")]


def test_bots_have_different_chance() -> None:
    """No two seats of a game, and no two games, share a seed."""
    seeds = {
        bot_seed("s", deal, rotation, seat) for deal in range(3) for rotation in range(3) for seat in range(3)
    }

    assert len(seeds) == 27


def test_games_are_rounded_up_to_whole_deals() -> None:
    """Every deal is played in all rotations."""
    summary = simulate("full", 3, ("random",) * 3, 4, 0, factories=PLAYERS)

    assert (summary.games, summary.deals) == (6, 2)


def test_shares_of_a_table_add_up_to_one() -> None:
    """Somebody wins, alone or together."""
    summary = simulate("classic", 3, ("pk", "random", "no-trade"), 9, 0, BRISK, factories=PLAYERS)

    assert sum(entry.share.mean for entry in summary.entries) == pytest.approx(1)


def test_equal_players_are_put_together() -> None:
    """By name, two copies are one line: their share is that of one of them."""
    summary = simulate("full", 3, ("pk", "random", "random"), 9, 0, factories=PLAYERS)

    assert [entry.name for entry in summary.by_name] == ["pk", "random"]
    assert summary.by_name[0].share.mean + 2 * summary.by_name[1].share.mean == pytest.approx(1)


def test_progress_counts_games() -> None:
    """Whoever waits is told how far it is."""
    told: list[int] = []
    simulate("full", 3, ("random",) * 3, 9, 0, progress=told.append, factories=PLAYERS)

    assert told == [3, 6, 9]


def test_summary_is_json() -> None:
    """The result can be written down and read back."""
    summary = simulate("das-duell", 2, ("pk", "random"), 2, 0, factories=PLAYERS)

    assert msgspec.json.decode(msgspec.json.encode(summary), type=Summary) == summary


def test_mean_has_a_95_percent_interval() -> None:
    """Half width: 1.96 standard errors."""
    mean = mean_of([1.0, 2.0, 3.0, 4.0])

    assert mean.mean == 2.5
    assert mean.plus_minus == pytest.approx(1.96 * (5 / 3 / 4) ** 0.5)


def test_line_up_must_fill_the_table() -> None:
    """As many names as players."""
    with pytest.raises(ValueError, match="3 players need 3 names, not 1"):
        simulate("full", 3, ("pk",), 1, 0, factories=PLAYERS)


def test_unknown_player_is_named() -> None:
    """The message lists who exists."""
    with pytest.raises(ValueError, match="unknown player 'nobody'; expected one of: random"):
        simulate("full", 3, ("pk", "pk", "nobody"), 1, 0, factories=PLAYERS)


def test_unknown_edition_is_refused() -> None:
    """Rules that do not exist are refused before anything is played."""
    with pytest.raises(UnknownEdition):
        simulate("full", 9, ("pk",) * 9, 1, 0, factories=PLAYERS)
