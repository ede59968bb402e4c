"""What happens in a game, in words to be read: with all hands, and what computer players say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from bohn.bots.reasons import Reason
from bohn.bots.voices import Voices
from bohn.i18n import Catalog
from bohn.narration.sentences import remark_line, sentence
from bohn.narration.words import Words
from bohn.rules.commands import Command
from bohn.rules.events import Event, TurnBegan, TurnedOver
from bohn.rules.ruleset import Rules
from bohn.rules.state import State


class Story:
    """Writes one game move by move; who sits in ``people`` counts as a person, who is spoken to."""

    def __init__(self, out: TextIO, rules: Rules, names: Sequence[str], people: frozenset[int]) -> None:
        """Begin a game of these names."""
        self._out, self._people = out, people
        self._words = Words(Catalog.load("en"), rules, names)
        self._voices = Voices()
        self.reason: Reason | None = None

    def watch(self, before: State, command: Command, events: Sequence[Event], after: State) -> None:
        """Write what a command did, and what was said with it."""
        for event in events:
            if isinstance(event, TurnBegan):
                print(f"\n== turn {after.turn}", file=self._out)
            print(f"  {sentence(self._words, event)}", file=self._out)
            if isinstance(event, TurnedOver):
                self._table(after)
        said = self._voices.sayings(before.turn, command, events, self.reason, self._people)
        self.reason = None
        for saying in said:
            print(f'      "{remark_line(self._words, saying)}"', file=self._out)

    def _table(self, state: State) -> None:
        """Write what everybody has when trading begins; hands front first."""
        for seat, player in enumerate(state.players):
            fields = ", ".join(self._words.beans(field) if field else "empty" for field in player.fields)
            hand = ", ".join(map(self._words.bean, player.hand))
            told = f"fields: {fields}; hand: {hand or 'none'}; {player.coins} coins"
            print(f"    [{self._words.name(seat)}: {told}]", file=self._out)
