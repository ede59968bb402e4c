"""The turn of each game as one literal table: a row a phase, with all that may happen in it."""

from bohn.rules.turns import bean_duel, das_duell, main
from bohn.rules.turns.row import Handler, HandlerTable, PhaseRow, TurnTable, handlers

TURNS: dict[str, TurnTable] = {game.NAME: game.TABLE for game in (main, bean_duel, das_duell)}
"""The table of each game, by the name that ``Rules.game`` carries."""

HANDLERS: dict[str, HandlerTable] = {name: handlers(table) for name, table in TURNS.items()}
"""The same tables as ``(phase, command) -> handler``, for deciding."""

HOUSE_RULES: dict[str, dict[str, tuple[str, ...]]] = {
    game.NAME: game.HOUSE_RULES for game in (main, bean_duel, das_duell)
}
"""What a house may change in each game, by the name that ``Rules.game`` carries."""

__all__ = ["HANDLERS", "HOUSE_RULES", "TURNS", "Handler", "HandlerTable", "PhaseRow", "TurnTable"]
