"""Counting command sequences: two implementations that agree on the counts agree on the moves."""

from __future__ import annotations

from bohn.rules.decide import decide
from bohn.rules.evolve import fold
from bohn.rules.legal import legal_commands
from bohn.rules.ruleset import Rules
from bohn.rules.state import State


def perft(rules: Rules, state: State, depth: int) -> int:
    """Return the number of command sequences of a length, over all players; offers and talk aside."""
    if depth == 0:
        return 1
    commands = [command for seat in range(rules.players) for command in legal_commands(rules, state, seat)]
    if depth == 1:
        return len(commands)
    return sum(perft(rules, fold(decide(rules, state, command), state), depth - 1) for command in commands)
