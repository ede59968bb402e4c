"""The engine that plays by the compiled twin: hundreds to thousands of games a second.

It deals from the twin's own chance, so a seed stands for other cards than at the core engine. It times no
decisions: a game runs compiled from end to end.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from bohn.arena.engine import ChunkResult, Game
from bohn.arena.plan import Chunk, chance
from bohn.bots import recorded_name
from bohn.lab.players.driver import play, winners
from bohn.lab.players.player_memory import MEMORY, Table, expected_coins
from bohn.lab.players.styles import NAMES, styles_of
from bohn.lab.row import ROW, Rows, tables
from bohn.play.floor import FLOOR_SETTINGS
from bohn.rules.resolve import resolve


class TwinEngine:
    """Plays the compiled players of `bohn.lab.players`."""

    name = "twin"

    def players(self) -> tuple[str, ...]:
        """Return the names of the compiled players."""
        return NAMES

    def play(self, chunk: Chunk) -> ChunkResult:
        """Play all games of a chunk but the first ``chunk.skip``.

        Raises ``ValueError`` for Das Duell, which the twin does not play.
        """
        rules, table = _tables(chunk.edition, chunk.players, chunk.house_rules, chunk.setting)
        names = tuple(chunk.bots)
        styles = styles_of([recorded_name(chunk.bots[name]) for name in names], int(rules["game"][0]))
        states: Rows = np.zeros(2, ROW)  # the second is for search
        memories: Rows = np.zeros(2 * chunk.players, MEMORY)
        games = []
        for number in range(chunk.skip, chunk.games):
            place, arrangement = divmod(number, len(chunk.line_ups))
            memories["style"][: chunk.players] = [names.index(name) for name in chunk.line_ups[arrangement]]
            play(rules, states, 0, table, styles, memories, chance(chunk.seeds[place], 0, 0) >> 16)
            games.append(_game(chunk.first + place, arrangement, rules, states, memories, chunk.players))
        return ChunkResult(chunk.cell, chunk.first, tuple(games))


@lru_cache(maxsize=32)
def _tables(edition: str, players: int, house: tuple[str, ...], setting: str) -> tuple[Rows, Table]:
    rules = tables(resolve(edition, players, *house), FLOOR_SETTINGS[setting])
    return rules, expected_coins(rules)


def _game(deal: int, arrangement: int, rules: Rows, states: Rows, memories: Rows, players: int) -> Game:
    """Return what came of a finished game."""
    state, seats = states[0], memories[:players]
    won = int(winners(rules, states, 0))
    share = 1 / won.bit_count()
    return Game(
        deal,
        arrangement,
        tuple(share if won >> seat & 1 else 0.0 for seat in range(players)),
        tuple(float(coins) for coins in state["coins"][:players]),
        int(state["turn"]),
        int(state["trades"]),
        int(state["gifts"]),
        tuple(int(count) for count in seats["offers"]),
        tuple(int(count) for count in seats["acceptances"]),
        tuple(round(float(gain), 6) for gain in seats["gains"]),
        tuple(round(float(gain), 6) for gain in seats["joint"]),
    )
