"""The turn of each game as one literal table ``(phase, command) -> handler``."""

from bohn.rules.turns import bean_duel, das_duell, main
from bohn.rules.turns.shared import Handler, TurnTable

TURNS: dict[str, TurnTable] = {game.NAME: game.TABLE for game in (main, bean_duel, das_duell)}
"""The table of each game, by the name that ``Rules.game`` carries."""

HOUSE_RULES: dict[str, dict[str, tuple[str, ...]]] = {
    game.NAME: game.HOUSE_RULES for game in (main, bean_duel, das_duell)
}
"""What a house may change in each game, by the name that ``Rules.game`` carries."""

__all__ = ["HOUSE_RULES", "TURNS", "Handler", "TurnTable"]
