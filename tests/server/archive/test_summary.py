"""A game in numbers: coins over time, ranks, and what each player did."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bohn.rules.events import TurnBegan
from bohn.rules.evolve import fold
from bohn.rules.state import State
from bohn.server.tables.archive.summary import summary_of
from tests.server.support.past import past_game


@pytest.mark.parametrize(("edition", "players"), [("full", 4), ("full", 2), ("das-duell", 2)])
def test_coins_over_time_are_those_of_the_game(edition: str, players: int) -> None:
    """From each entry on until the next one, and all of it."""
    game = past_game(edition, players)
    summary = summary_of(game)
    told = {point.entry: point for point in summary.coins}
    state: State | None = None
    coins: tuple[int, ...] = ()
    for entry in game.entries:
        state = fold(entry.events) if state is None else fold(entry.events, state)
        now = tuple(player.coins for player in state.players)
        assert (entry.seq in told) == (now != coins)
        if entry.seq in told:
            assert (told[entry.seq].coins, told[entry.seq].turn) == (now, state.turn)
        coins = now

    assert summary.coins[0].entry == 0


def test_summary_names_the_game() -> None:
    """Which it was, who sat where, when, and how it ended."""
    game = replace(past_game("classic", 4), table="t9", times=tuple(range(50, 5_000)))
    summary = summary_of(game)

    assert (summary.table, summary.record, summary.edition) == ("t9", None, "classic")
    assert summary.names == ("Ada", "Beanie", "Bot2", "Bot3")
    assert summary.bots == (None, "b3", "pk", "pk")
    assert (summary.began, summary.ended) == (50, 50 + len(game.entries) - 1)
    assert summary.result is not None
    assert [rank == 1 for rank in summary.ranks] == [seat in summary.result.winners for seat in range(4)]
    turns = [event for entry in game.entries for event in entry.events if isinstance(event, TurnBegan)]
    assert (summary.entries, summary.turns) == (len(game.entries), len(turns))


def test_unfinished_game_has_no_ranks() -> None:
    """Nobody has won a game that was not played to its end."""
    summary = summary_of(replace(past_game(whole=False), record_id="r1"))

    assert (summary.result, summary.ranks) == (None, ())
    assert (summary.began, summary.ended, summary.record) == (None, None, "r1")


def test_players_are_told_by_seat() -> None:
    """The best harvest names its entry, and the last coins are at least those of the harvests."""
    game = past_game("full", 3)
    summary = summary_of(game)

    assert len(summary.players) == 3
    for player in summary.players:
        assert len(player.coins_by_bean) == 11
        best = player.best
        assert best is not None
        assert game.entries[best.entry].events
        assert sum(player.coins_by_bean) >= best.coins
