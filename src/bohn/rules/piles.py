"""Draw pile and discard pile: taking cards, exhaustion, reshuffle (DRAW, RESHUFFLE, END)."""

from __future__ import annotations

from bohn.rules.batch import Batch
from bohn.rules.events import Drew, Exhausted, Reshuffled, TurnedOver
from bohn.rules.policies import RESHUFFLES_AT_ONCE
from bohn.rules.ruleset import Rules
from bohn.rules.shuffle import shuffled
from bohn.rules.state import State


def is_over(rules: Rules, state: State) -> bool:
    """Tell whether the draw pile has run out for the last time (END-1)."""
    return state.exhaustions >= rules.exhaustions


def take(rules: Rules, batch: Batch, event: type[TurnedOver | Drew], count: int) -> None:
    """Reveal or draw cards for the active player, with one event for each draw pile used (DRAW-1, REVEAL-1).

    ``count`` is a number of cards. The last exhaustion stops it (END-3, REVEAL-3). With both piles empty
    the rest is skipped, and that counts as one more exhaustion (DRAW-3).
    """
    owed = count
    while owed and not is_over(rules, batch.state):
        if not batch.state.draw_pile:
            if not batch.state.discard_pile:
                batch.add(Exhausted(batch.state.exhaustions + 1))
                return
            reshuffle(batch)
        pile = batch.state.draw_pile
        pieces = pile[: -owed - 1 : -1]
        batch.add(event(batch.state.active_player, pieces))
        owed -= len(pieces)
        if len(pieces) == len(pile):
            exhaust(rules, batch)


def exhaust(rules: Rules, batch: Batch) -> None:
    """Count the exhaustion by the last card; reshuffle if that is done at once (END-5, RESHUFFLE-2)."""
    batch.add(Exhausted(batch.state.exhaustions + 1))
    if RESHUFFLES_AT_ONCE[rules.reshuffle] and batch.state.discard_pile and not is_over(rules, batch.state):
        reshuffle(batch)


def reshuffle(batch: Batch) -> None:
    """Shuffle the discard pile into a new draw pile (RESHUFFLE-1)."""
    state = batch.state
    batch.add(Reshuffled(shuffled(state.discard_pile, state.seed, state.shuffles)))
