"""Counts command sequences: two implementations of the rules that agree on the counts agree on what is legal.

The name, short for performance test, comes from chess programs.
"""

from __future__ import annotations

from bohn.rules.decide import decide
from bohn.rules.evolve import fold
from bohn.rules.legal import legal_commands
from bohn.rules.ruleset import Rules
from bohn.rules.state import State


def perft(rules: Rules, state: State, depth: int) -> int:
    """Return the number of sequences of ``depth`` commands, over all players and without offers and talk."""
    if depth == 0:
        return 1
    commands = [command for seat in range(rules.players) for command in legal_commands(rules, state, seat)]
    if depth == 1:
        return len(commands)
    return sum(perft(rules, fold(decide(rules, state, command), state), depth - 1) for command in commands)
