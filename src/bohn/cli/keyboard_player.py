"""A player whose decisions a person types."""

from __future__ import annotations

from typing import Protocol

from bohn.play.seat import Choices
from bohn.rules.commands import AcceptOffer, Claim, ClaimBonus, Command, Pick
from bohn.views import Knowledge, View
from bohn.views.view import TradeView


class Converse(Protocol):
    """Asks a person until there is a decision; ``None`` passes, which is not possible with ``must``."""

    def __call__(
        self, person: KeyboardPlayer, view: View, choices: Choices, knowledge: Knowledge, *, must: bool
    ) -> Command | None:
        """Ask."""
        ...


class KeyboardPlayer:
    """A person at the keyboard; passes for him when there is nothing new to decide.

    Once in every trading, whenever an offer can be answered, and whenever the game waits, the
    person is asked; with ``ask_all`` at every moment the floor gives.
    """

    trades = True
    off_turn = True
    uses_knowledge = False

    def __init__(self, name: str, seat: int, converse: Converse) -> None:
        self.name = name
        self.seat = seat
        self.ask_all = False
        self._converse = converse
        self._traded_in_turn = 0
        self._passed_over: tuple[Command, ...] = ()

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Return the person's decision; pass without asking where nothing is new."""
        wanted = self.seat in view.waiting and not isinstance(view.phase, TradeView)
        if not wanted and not self._has_news(view, choices):
            return None
        command = self._converse(self, view, choices, knowledge, must=wanted)
        if isinstance(view.phase, TradeView):
            self._traded_in_turn = view.turn
        self._passed_over = self._answers(choices) if command is None else ()
        return command

    def _has_news(self, view: View, choices: Choices) -> bool:
        """Tell whether the person would want to be asked, though the game does not wait."""
        if self.ask_all and choices.legal:
            return True
        answers = self._answers(choices)
        if any(answer not in self._passed_over for answer in answers):
            return True
        if not isinstance(view.phase, TradeView) or self.seat in view.phase.passes:
            return False
        return view.active_player == self.seat or self._traded_in_turn != view.turn

    @staticmethod
    def _answers(choices: Choices) -> tuple[Command, ...]:
        """Return what others have put before the person, and bonus cards that may be claimed."""
        return tuple(
            command
            for command in choices.legal
            if isinstance(command, AcceptOffer | Claim | Pick | ClaimBonus)
        )
