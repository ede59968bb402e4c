"""What each player did in a game, counted for its last page."""

from __future__ import annotations

from collections.abc import Iterable

from bohn.rules.events import Event, Harvested, Traded


class Tally:
    """Counts exchanges, gifts and harvests by seat."""

    def __init__(self, seats: int) -> None:
        self.trades = [0] * seats
        self.gifts = [0] * seats
        self.harvests = [0] * seats
        self.best = [0] * seats

    def note(self, events: Iterable[Event]) -> None:
        """Count what a batch holds."""
        for event in events:
            if isinstance(event, Traded):
                self._traded(event)
            elif isinstance(event, Harvested):
                self.harvests[event.player] += 1
                self.best[event.player] = max(self.best[event.player], len(event.coins))

    def _traded(self, event: Traded) -> None:
        gave = bool(event.maker_hand or event.maker_face_up)
        took = bool(event.partner_hand or event.partner_face_up)
        if gave and took:
            self.trades[event.maker] += 1
            self.trades[event.partner] += 1
        else:
            self.gifts[event.maker if gave else event.partner] += 1
