"""The model of the opponent in Das Duell: how often a gift he names is a bluff, how readily he takes one.

It is learnt during a game. Losing it costs a few coins and nothing else: the duellist begins again with what
it expects of anybody.
"""

from __future__ import annotations

from math import exp

from bohn.bots.api import GiftView, PlantGiftPhase, View
from bohn.bots.duelling.manners import Manner

EAGER = 4.0
"""The slope of the chance that somebody takes a gift, by what it is worth to him (logistic, per coin)."""

LEAN = -0.6
"""The logit of the chance that somebody takes a gift that is worth nothing to him."""


def logistic(value: float) -> float:
    """Return the chance that belongs to a value: 0 is one half."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, value))))


class OpponentModel:
    """Learns from what became of the gifts that were named, by the other and by oneself."""

    def __init__(self, manner: Manner) -> None:
        """Begin with what is expected of anybody."""
        self._manner = manner
        self._bluffs = 4 * manner.doubt
        self._gifts = 4 * (1 - manner.doubt)
        self._lean = LEAN
        self._eager = EAGER
        self._taken: tuple[int, int] | None = None  # turn, names
        self._named: tuple[int, int, float] | None = None  # turn, names, what it is worth to him

    @property
    def doubt(self) -> float:
        """How likely the other bluffs when he could as well be honest."""
        return self._bluffs / (self._bluffs + self._gifts)

    def take(self, view: View, phase: GiftView) -> None:
        """Note that a gift is being taken."""
        self._taken = view.turn, len(phase.named)

    def takes(self, gain: float) -> float:
        """Return how likely the other takes what is worth ``gain`` to him."""
        return logistic(self._lean + self._eager * gain)

    def name(self, view: View, phase: GiftView, gain: float) -> None:
        """Note that a kind is being named, and what it was thought to be worth to the other."""
        self._named = (view.turn, len(phase.named) + 1, gain)

    def look(self, view: View) -> None:
        """Learn from what happened since: a bluff brought no gift, a refusal another kind (DD-7, DD-10).

        A command that was not carried out teaches nothing.
        """
        phase = view.phase
        names = len(phase.named) if isinstance(phase, GiftView) else None
        if self._taken is not None and self._taken != (view.turn, names):
            given = isinstance(phase, PlantGiftPhase) and phase.gift and phase.receiver == view.viewer
            bluff = not given
            self._bluffs += bluff * self._manner.learns * 2
            self._gifts += (not bluff) * self._manner.learns
        self._taken = None
        if self._named is not None:
            turn, count, gain = self._named
            said = names if names is not None and view.turn == turn else None
            if said is None or said >= count:
                refused = said is not None and said > count
                wrong = self._manner.learns * ((not refused) - self.takes(gain))
                self._lean = max(-5.0, min(5.0, self._lean + wrong))
                self._eager = max(0.5, min(8.0, self._eager + 2 * wrong * gain))
            self._named = None
