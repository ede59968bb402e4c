"""The arena's twin engine: chunks are cut anywhere, and its counts are those of the core's games."""

from __future__ import annotations

import msgspec
import pytest

from bohn.arena.engine import choose
from bohn.arena.errors import ArenaError
from bohn.arena.plan import Chunk
from bohn.arena.twin_engine import TwinEngine
from bohn.bots import PLAYERS
from bohn.lab.players import styles
from bohn.rules import resolve

LINE_UPS = (("pk", "b3", "b3"), ("b3", "pk", "b3"), ("b3", "b3", "pk"))


def chunk(skip: int = 0, first: int = 0, deals: int = 3) -> Chunk:
    """Return a chunk of some deals in three arrangements."""
    return Chunk(
        cell="pk vs b3",
        edition="full",
        players=3,
        house_rules=(),
        setting="brisk",
        line_ups=LINE_UPS,
        first=first,
        seeds=tuple(f"test/{deal}" for deal in range(first, first + deals)),
        bots={"pk": "pk", "b3": "b3"},
        skip=skip,
    )


def test_twin_engine_plays_the_same_chunk_the_same() -> None:
    """A chunk depends on nothing but itself."""
    assert TwinEngine().play(chunk()) == TwinEngine().play(chunk())


def test_twin_engine_skips_what_is_played() -> None:
    """What is skipped changes nothing in the rest, nor does where a chunk is cut."""
    whole = TwinEngine().play(chunk()).games

    assert TwinEngine().play(chunk(skip=4)).games == whole[4:]
    assert TwinEngine().play(chunk(first=1, deals=2)).games == whole[3:]


def test_twin_engine_seats_every_arrangement() -> None:
    """Games come deal by deal, and within a deal arrangement by arrangement, each share complete."""
    games = TwinEngine().play(chunk()).games

    assert [(game.deal, game.arrangement) for game in games] == [(n // 3, n % 3) for n in range(9)]
    assert all(sum(game.shares) == pytest.approx(1.0) for game in games)


def test_twin_engine_counts_by_seat() -> None:
    """Acceptances by seat are all exchanges; what both sides gained is counted for both."""
    for game in TwinEngine().play(chunk()).games:
        assert game.gains is not None
        assert game.joint is not None
        assert sum(game.acceptances) == game.trades + game.gifts
        assert sum(game.joint) == pytest.approx(2 * sum(game.gains), abs=1e-4)
        assert max(game.offers) <= 5 * game.turns


def test_twin_engine_plays_a_game_with_the_numbers_of_that_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the bean duel a player plays by others, if it has them."""
    line_ups, bots = (("strong-5", "pk"), ("pk", "strong-5")), {"strong-5": "strong-5", "pk": "pk"}
    duel = msgspec.structs.replace(chunk(deals=2), players=2, line_ups=line_ups, bots=bots)
    there = TwinEngine().play(duel).games
    monkeypatch.setattr(styles, "IN_THE_BEAN_DUEL", {})

    assert TwinEngine().play(duel).games != there


def test_twin_engine_has_players_of_the_table() -> None:
    """Every compiled player is one of `bohn.bots.PLAYERS`."""
    assert set(TwinEngine().players()) <= set(PLAYERS)


def test_engine_chosen_by_itself_is_the_twin_where_it_can() -> None:
    """The twin plays what it has; a player it lacks or a game it does not know go to the core."""
    assert choose("auto", {"pk": "pk"}).name == "twin"
    assert choose("auto", {"random": "random"}).name == "core"
    assert choose("auto", {"pk": "pk"}, resolve("das-duell", 2).game).name == "core"


def test_twin_engine_asked_for_another_game_is_refused() -> None:
    """The twin cannot play Das Duell, and says who can."""
    with pytest.raises(ArenaError, match="das-duell; expected: core"):
        choose("twin", {"pk": "pk"}, "das-duell")
