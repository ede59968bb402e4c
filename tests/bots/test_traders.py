from __future__ import annotations

import numpy as np
import pytest

from bohn.bots import PLAYERS
from bohn.bots.brains.sight import complete, seen
from bohn.bots.traders import StrongTrader, Trader, ValueTrader
from bohn.rules import resolve
from bohn.rules.commands import Command, EditOffer, MakeOffer
from bohn.rules.events import Event
from bohn.rules.state import PlantTradedPhase, State
from bohn.sim.floor import BRISK, play_game
from bohn.sim.mirror import project
from bohn.sim.row import Rows, tables
from bohn.sim.seat import Choices
from bohn.views.knowledge import Knowledge
from bohn.views.view import TradeView, View

RULES = resolve("full", 4)
OPEN = (
    "players", "phase", "active", "planted", "exhaustions", "turn", "draws", "discards", "coins", "fields",
    "beans", "set_aside", "face_up", "box", "hands", "treasury",
)  # fmt: skip
"""What a row says that everybody sees."""


class Watcher(ValueTrader):
    """Notes what it is shown."""

    def __init__(self, seed: int = 0) -> None:
        """Begin with nothing."""
        super().__init__(seed)
        self.shown: list[tuple[View, Knowledge]] = []

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Note, and decide as ever."""
        self.shown.append((view, knowledge))
        return super().decide(view, choices, knowledge)


def watched(seed: int = 3) -> list[tuple[State, Rows, int]]:
    """Return positions of a game, each with the row its seat saw."""
    found: list[tuple[State, Rows, int]] = []
    bot = Watcher()

    def watch(before: State, command: Command, events: tuple[Event, ...], after: State) -> None:  # noqa: ARG001 - one signature
        if command.player == 0 and bot.shown:
            view, knowledge = bot.shown[-1]
            found.append((before, seen(view, knowledge), 0))

    play_game(RULES, seed, [bot, *(PLAYERS["h"](seat) for seat in (1, 2, 3))], BRISK, watch=watch)
    return found


def test_sight_shows_what_everybody_sees() -> None:
    """In all that is public the row is that of the position itself."""
    for state, row, _ in watched():
        real = project(RULES, state)
        for name in OPEN:
            assert (row[name] == real[name]).all(), name


def test_sight_shows_no_hidden_card() -> None:
    """Other hands and the draw pile are sizes; the own hand is whole, in its order."""
    for state, row, seat in watched():
        others = [other for other in range(4) if other != seat]
        hand = state.players[seat].hand

        assert not row["held"][0, others].any()
        assert not row["hand"][0, others].any()
        assert not row["draw"].any()
        assert tuple(row["hand"][0, seat, : len(hand)]) == hand


def test_sight_completed_has_every_card_once() -> None:
    """What is hidden is filled with just the cards that have not been seen."""
    table = tables(RULES)
    for state, row, seat in watched():
        complete(row, table, seat)
        real = project(RULES, state)
        for rows in (row, real):
            rows["hand"][0, seat] = 0
        hidden = [
            np.bincount(
                np.concatenate([
                    one["draw"][0, : one["draws"][0]],
                    *(one["hand"][0, other, : one["hands"][0, other]] for other in range(4) if other != seat),
                ]),
                minlength=11,
            ).tolist()
            for one in (row, real)
        ]  # fmt: skip

        assert hidden[0] == hidden[1]


def test_trader_does_not_make_an_offer_twice_in_a_turn() -> None:
    """It never begs for the same again."""
    made: dict[tuple[int, int], list[object]] = {}

    def watch(before: State, command: Command, events: tuple[Event, ...], after: State) -> None:  # noqa: ARG001 - one signature
        if isinstance(command, MakeOffer | EditOffer) and command.player < 2:
            cards = tuple(sorted(copy.bean for copy in command.hand))
            faces = tuple(sorted(copy.bean for copy in command.face_up))
            terms = (command.to, cards, faces, tuple(sorted(command.want)))
            made.setdefault((before.turn, command.player), []).append(terms)

    bots = [PLAYERS["strong"](0), PLAYERS["gentle"](1), PLAYERS["pk"](2), PLAYERS["b4"](3)]
    play_game(RULES, 5, bots, BRISK, watch=watch)

    assert sum(map(len, made.values())) > 50
    assert all(len(set(terms)) == len(terms) for terms in made.values())


@pytest.mark.parametrize("name", ["h", "g", "gentle", "fair", "strong", "strongest"])
def test_trader_is_made_under_its_name(name: str) -> None:
    """The table of players makes each trader by its own name, and tells what it wants to be asked."""
    bot = PLAYERS[name](1)

    assert isinstance(bot, Trader)
    assert bot.name == name
    assert (bot.trades, bot.off_turn, bot.uses_knowledge) == (True, False, True)


def test_trader_plants_what_it_was_given() -> None:
    """After a trade it plants every set-aside bean, whatever must be sold for it."""
    planted = 0

    def watch(before: State, command: Command, events: tuple[Event, ...], after: State) -> None:  # noqa: ARG001 - one signature
        nonlocal planted
        if isinstance(before.phase, PlantTradedPhase) and command.player == 0:
            planted += len(before.players[0].set_aside) - len(after.players[0].set_aside)

    play_game(RULES, 8, [StrongTrader(0), *(PLAYERS["b4"](seat) for seat in (1, 2, 3))], BRISK, watch=watch)

    assert planted > 10


def test_trader_without_memory_decides_the_same() -> None:
    """What it has worked out is a saving of time: made anew at every decision, it answers the same."""

    class Forgetful(ValueTrader):
        def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
            if isinstance(view.phase, TradeView) or not choices.legal:
                return super().decide(view, choices, knowledge)
            return ValueTrader(0).decide(view, choices, knowledge)

    results = []
    for kind in (ValueTrader, Forgetful):
        table = [kind(0), *(PLAYERS["pk"](seat) for seat in (1, 2, 3))]
        results.append(play_game(RULES, 9, table, BRISK))

    assert results[0] == results[1]
