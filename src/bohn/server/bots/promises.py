"""Promises that others make to a computer player: each is taken at its word once, when it is due (TALK-2).

The player then offers what was said, if the exchange is worth it to it. Whoever refuses that has broken his
word (:mod:`bohn.server.bots.trust`). A promise that only hopes for something gives nothing to ask for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from bohn.rules.state import Promise
from bohn.server.bots.haggling import Aim, askable
from bohn.server.bots.messages import Terms
from bohn.server.bots.said import promises_of
from bohn.views.view import TradeView, View


class Promises:
    """The promises that one player has heard of, each with the turn in which it first did."""

    def __init__(self) -> None:
        """Begin with none."""
        self._heard: dict[int, int] = {}

    def aims(self, view: View, others: Collection[int]) -> Iterator[Aim]:
        """Yield what there is to ask for now: what is due from others with whom the viewer may trade."""
        for other in sorted(others):
            for promise in promises_of(view, other):
                self._heard.setdefault(promise.id, view.turn)
        if not isinstance(view.phase, TradeView):
            return
        for other in askable(view, others):
            for promise in promises_of(view, other):
                if self._is_due(view, promise):
                    terms = Terms((other,), promise.get, promise.give)
                    yield Aim((0, "promise", promise.id, 0), other, terms, promised=True)

    def _is_due(self, view: View, promise: Promise) -> bool:
        since = self._heard[promise.id]
        match promise.due:
            case "this-turn":
                return view.turn == since
            case "next-turn":
                return view.turn > since
            case "some-time":
                return True
