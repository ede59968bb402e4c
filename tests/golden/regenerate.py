"""Write the golden playthroughs anew: ``python -m tests.golden.regenerate``.

Only when a rule or the notation has changed on purpose; the difference belongs in the same commit.
The golden records of released formats are never written again.
"""

from __future__ import annotations

import re
from pathlib import Path

from bohn.bots import PLAYERS
from bohn.notation.playthrough import playthrough
from bohn.play.floor import BRISK, play_game
from bohn.rules import Rules, resolve
from bohn.rules.editions import EDITIONS

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
SEED = 1

ALIKE: dict[tuple[str, int], tuple[str, tuple[tuple[str, str], ...]]] = {
    **{("full-it", players): ("full-is", ()) for players in EDITIONS["full-it"]},
    ("full-ru", 2): ("full-is", (("reshuffle", "eager"),)),
}
"""Tables at which the very same game is played as in another edition, and which rules are told otherwise.

They have no files of their own; `expected` works them out.
"""


def expected(edition: str, players: int) -> str:
    """Return the playthrough file of a table, or that of a table alike with its own rules in the header."""
    edition_alike, others = ALIKE.get((edition, players), (edition, ()))
    text = (PLAYTHROUGHS / f"{edition_alike}-{players}p.txt").read_text(encoding="utf-8")
    for name, value in (("edition", edition), *others):
        text = re.sub(f"^{name}: .*$", f"{name}: {value}", text, count=1, flags=re.MULTILINE)
    return text


def dump(rules: Rules, name: str) -> str:
    """Return one whole game between players of one kind as text."""
    bots = [PLAYERS[name](seat) for seat in range(rules.players)]
    game = play_game(rules, SEED, bots, BRISK, with_moves=True)
    return playthrough(rules, [(None, game.opening), *((move.command, move.events) for move in game.moves)])


def main() -> None:
    """Write a playthrough for every edition and number of players, those aside that play alike."""
    PLAYTHROUGHS.mkdir(exist_ok=True)
    for edition, by_players in EDITIONS.items():
        for players in by_players:
            if (edition, players) in ALIKE:
                continue
            path = PLAYTHROUGHS / f"{edition}-{players}p.txt"
            path.write_text(dump(resolve(edition, players), "random-trader"), encoding="utf-8")
            print(path.name)  # noqa: T201 - a script


if __name__ == "__main__":
    main()
