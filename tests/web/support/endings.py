"""Finished games with their numbers, for a page without a server."""

from __future__ import annotations

from functools import cache

from bohn.notation.tally import Tally, ranks
from bohn.protocol.replay import CoinsAt, Summary
from bohn.rules.state import EndPhase
from bohn.server.tables.archive.summary import player_summary
from tests.web.support.states import TABLE, Still, whole_game

SUMMARY = f"/api/tables/{TABLE}/summary"
"""Where the page asks for the numbers."""


@cache
def finished(players: int, seed: int) -> tuple[Still, Summary]:
    """Return the end of a game of the full edition, and its numbers."""
    states = list(whole_game("full", players, seed))
    tally, coins = Tally(players), list[CoinsAt]()
    for at, still in enumerate(states):
        tally.count(still.told[-1], at)
        now = tuple([player.coins for player in still.state.players])
        if not coins or now != coins[-1].coins:
            coins.append(CoinsAt(at, still.state.turn, now))
    end = states[-1]
    phase = end.state.phase
    assert isinstance(phase, EndPhase)
    return end, Summary(
        table=TABLE,
        record=None,
        edition="full",
        house_rules=(),
        names=tuple(f"Player {seat}" for seat in range(players)),
        bots=(None,) * players,
        entries=len(states),
        turns=tally.turns,
        began=None,
        ended=None,
        result=phase.result,
        ranks=ranks(phase.result),
        coins=tuple(coins),
        players=tuple(map(player_summary, tally.players)),
    )
