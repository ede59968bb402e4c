"""Decides commands: which events follow from one, or why the rules refuse it."""

from __future__ import annotations

from bohn.rules.commands import Command
from bohn.rules.errors import IllegalCommand, Reason
from bohn.rules.events import Event
from bohn.rules.expected import expected_commands
from bohn.rules.ruleset import Rules
from bohn.rules.state import EndPhase, State
from bohn.rules.turns import HANDLERS


def decide(rules: Rules, state: State, command: Command) -> tuple[Event, ...]:
    """Return the batch of events that a command causes; the state is not changed.

    Raises :class:`~bohn.rules.errors.IllegalCommand` with reason, clause and parameters.
    """
    handler = HANDLERS[rules.game].get((type(state.phase), type(command)))
    if handler is None or not 0 <= command.player < len(state.players):
        raise refusal_by_table(rules, state, command)
    return handler(rules, state, command)


def refusal_by_table(rules: Rules, state: State, command: Command) -> IllegalCommand:
    """Return why no handler takes this command: no such seat, the end, or another phase (TURN-1)."""
    seats = len(state.players)
    if not 0 <= command.player < seats:
        return IllegalCommand(
            Reason.UNKNOWN_PLAYER, "TURN-1", player=command.player, expected=tuple(range(seats))
        )
    if isinstance(state.phase, EndPhase):
        return IllegalCommand(Reason.GAME_OVER, "END-1")
    phase = type(state.phase)
    expected = tuple(sorted(map(tag, expected_commands(rules, phase))))
    return IllegalCommand(
        Reason.NOT_IN_THIS_PHASE, "TURN-1", phase=tag(phase), command=tag(type(command)), expected=expected
    )


def tag(struct: type) -> str:
    """Return the name by which a command, event or phase is written."""
    return str(getattr(struct, "__struct_config__").tag)  # noqa: B009 - msgspec declares it on instances only


def is_legal(rules: Rules, state: State, command: Command) -> Reason | None:
    """Return ``None`` for a legal command, else the reason why it is refused."""
    try:
        decide(rules, state, command)
    except IllegalCommand as refusal:
        return refusal.reason
    return None
