"""A batch under construction: the events of one command so far, and the state they lead to."""

from __future__ import annotations

from bohn.rules.events import Event
from bohn.rules.evolve import evolve
from bohn.rules.state import State


class Batch:
    """Collects the events of one command; local to a handler, so ``decide`` stays pure."""

    __slots__ = ("events", "state")

    def __init__(self, state: State, *events: Event) -> None:
        """Begin from a state, with the events that are already certain."""
        self.events: list[Event] = []
        self.state = state
        for event in events:
            self.add(event)

    def add(self, event: Event) -> None:
        """Append an event and fold it at once."""
        self.events.append(event)
        self.state = evolve(self.state, event)

    def done(self) -> tuple[Event, ...]:
        """Return the finished batch."""
        return tuple(self.events)
