"""Write the golden playthroughs anew: ``python -m tests.golden.regenerate``.

Only when a rule or the notation has changed on purpose; the difference belongs in the same commit.
The golden records of released formats are never written again.
"""

from __future__ import annotations

from pathlib import Path

from bohn.bots import PLAYERS
from bohn.notation.playthrough import playthrough
from bohn.rules import Rules, resolve
from bohn.rules.editions import EDITIONS
from bohn.sim.floor import BRISK, play_game

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
SEED = 1


def dump(rules: Rules, name: str) -> str:
    """Return one whole game between players of one kind as text."""
    bots = [PLAYERS[name](seat) for seat in range(rules.players)]
    game = play_game(rules, SEED, bots, BRISK, keep=True)
    return playthrough(rules, [(None, game.opening), *((move.command, move.events) for move in game.moves)])


def main() -> None:
    """Write a playthrough for every edition and number of players."""
    PLAYTHROUGHS.mkdir(exist_ok=True)
    for edition, by_players in EDITIONS.items():
        for players in by_players:
            path = PLAYTHROUGHS / f"{edition}-{players}p.txt"
            path.write_text(dump(resolve(edition, players), "random-trader"), encoding="utf-8")
            print(path.name)  # noqa: T201 - a script


if __name__ == "__main__":
    main()
