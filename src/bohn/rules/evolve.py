"""Folds events into states: no rule is asked and no event refused, so that an old game always replays."""

from __future__ import annotations

from collections.abc import Iterable

from bohn.rules.events import Event
from bohn.rules.folds.bonus import BONUS
from bohn.rules.folds.course import COURSE, EMPTY, Fold
from bohn.rules.folds.gifts import GIFTS
from bohn.rules.folds.talk import TALK
from bohn.rules.folds.trade import TRADE
from bohn.rules.state import State

FOLDS: dict[type[Event], Fold] = {**COURSE, **TRADE, **GIFTS, **BONUS, **TALK}
"""One function for every kind of event."""


def evolve(state: State, event: Event) -> State:
    """Return the state after one event; never refuses."""
    return FOLDS[type(event)](state, event)


def fold(events: Iterable[Event], state: State = EMPTY) -> State:
    """Return the state after all events, by default from before the deal."""
    for event in events:
        state = FOLDS[type(event)](state, event)
    return state
