"""The traders: the row they think with shows no more than their view, and they do not beg."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from bohn.bots import PLAYERS
from bohn.bots.named_traders import StrongTrader, ThirdStrongTrader, ValueTrader
from bohn.bots.traders import Trader, _rules
from bohn.lab.mirror import project
from bohn.lab.players.calls import offer_at
from bohn.lab.players.player_memory import new_memories
from bohn.lab.players.sight import complete, seen
from bohn.lab.players.styles import styles_of
from bohn.lab.row import Rows, tables
from bohn.play.floor import BRISK, play_game
from bohn.play.seat import Choices
from bohn.rules import resolve
from bohn.rules.commands import Command, DiscardFromHand, EditOffer, MakeOffer
from bohn.rules.events import Event
from bohn.rules.state import PlantTradedPhase, State
from bohn.views.knowledge import Knowledge
from bohn.views.view import OfferView, OwnOffer, TradeView, View

# interpreted these games take minutes; that they are the same is seen in test_frozen.py
pytestmark = pytest.mark.compiled(only=True)

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


@cache
def watched(seed: int = 3) -> list[tuple[State, Rows, int]]:
    """Return positions of a game, each with the row its seat saw; copy what you change."""
    found: list[tuple[State, Rows, int]] = []
    bot = Watcher()

    def watch(before: State, command: Command, events: tuple[Event, ...], after: State) -> None:  # noqa: ARG001 - one signature
        if command.player == 0 and bot.shown:
            view, knowledge = bot.shown[-1]
            found.append((before, seen(view, knowledge), 0))

    play_game(RULES, seed, [bot, *(PLAYERS["value-trader"](seat) for seat in (1, 2, 3))], BRISK, watch=watch)
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
    for state, seen_row, seat in watched():
        row = seen_row.copy()
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


@pytest.mark.parametrize("names", [("strong-1", "gentle-1"), ("fair-1", "strong-1"), ("gentle-1", "fair-1")])
def test_trader_does_not_make_an_offer_twice_in_a_turn(names: tuple[str, str]) -> None:
    """It never begs for the same again."""
    made: dict[tuple[int, int], list[object]] = {}

    def watch(before: State, command: Command, events: tuple[Event, ...], after: State) -> None:  # noqa: ARG001 - one signature
        if isinstance(command, MakeOffer | EditOffer) and command.player < 2:
            cards = tuple(sorted(copy.bean for copy in command.hand))
            faces = tuple(sorted(copy.bean for copy in command.face_up))
            terms = (command.to, cards, faces, tuple(sorted(command.want)))
            made.setdefault((before.turn, command.player), []).append(terms)

    bots = [PLAYERS[names[0]](0), PLAYERS[names[1]](1), PLAYERS["pk"](2), PLAYERS["b4"](3)]
    play_game(RULES, 5, bots, BRISK, watch=watch)

    assert sum(map(len, made.values())) > 50
    assert all(len(set(terms)) == len(terms) for terms in made.values())


@pytest.mark.parametrize("name", ["gentle-1", "fair-1"])
def test_trader_loses_no_try_to_what_it_skips(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An offer that comes up again in the same turn and is skipped leaves all tries to the others."""
    skipped = 0
    propose = Trader._propose

    def counted(self: Trader, *asked: Any, few: bool) -> Command | None:
        nonlocal skipped
        turn, known, memory = self._turn, len(self._made), self._memory[0]
        before = int(memory["ladder_stamp"]), int(memory["tried"]), int(memory["rungs"])
        command = propose(self, *asked, few=few)
        if turn == self._turn and before[0] == int(memory["ladder_stamp"]):
            assert int(memory["tried"]) - before[1] == (command is not None)
        elif turn == self._turn and known:
            skipped += int(memory["tried"]) == (command is not None)
        return command

    monkeypatch.setattr(Trader, "_propose", counted)
    play_game(RULES, 1, [PLAYERS[name](seat) for seat in range(4)], BRISK)

    assert skipped > 0


def test_trader_that_sits_down_late_does_not_think_that_nobody_trades() -> None:
    """One exchange in the turn in which it came is much, not one in all turns of the game."""
    bot = Watcher()
    play_game(RULES, 3, [bot, *(PLAYERS["value-trader"](seat) for seat in (1, 2, 3))], BRISK)
    view, knowledge = next(one for one in reversed(bot.shown) if isinstance(one[0].phase, TradeView))
    late = replace(knowledge, trades=1, since=view.turn)
    table, coins = _rules(RULES, few=True)
    found = []
    for known in (replace(knowledge, trades=view.turn), late, replace(late, since=1)):
        rows, memory = seen(view, known), new_memories([0])
        offer_at(table, rows, 0, coins, styles_of(["strong-1"]), memory, 0)
        found.append((float(memory["activity"][0]), bool(memory["nobody"][0])))
    steady, latecomer, misled = found

    assert not steady[1]
    assert not latecomer[1]
    assert latecomer[0] >= 1
    assert misled[1]
    assert misled[0] < 0.7


@pytest.mark.parametrize(
    "name",
    [
        *("value-trader", "generous-trader", "beginner-2", "gentle-1", "gentle-3", "fair-1", "fair-3"),
        *("strong-1", "strong-2", "strong-3", "strong-4", "strong-5"),
        *("strongest-1", "strongest-2", "strongest-3", "strongest-4", "strongest-5"),
    ],
)
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


class Settled(ValueTrader):
    """Answers every offer alike."""

    def __init__(self, seed: int, answer: float) -> None:
        """Take what it can serve if ``answer`` is positive, else nothing."""
        super().__init__(seed)
        self._answer = answer

    def _weigh(self, *_: object) -> float:
        return self._answer


def test_trader_notices_a_pair_at_the_table() -> None:
    """What it knows of exchanges at a table reaches what weighs them: two with many are noticed."""
    bot = ThirdStrongTrader(1)
    noticed = []

    class Watching(ValueTrader):
        def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
            met = [[0] * 4 for _ in range(4)]
            met[1][2] = met[2][1] = 9
            bot.decide(view, choices, replace(knowledge, exchanges=tuple(map(tuple, met))))
            noticed.append(bot._memory["paired"][0, :4].tolist())
            return super().decide(view, choices, knowledge)

    play_game(RULES, 9, [Watching(0), *(PLAYERS["pk"](seat) for seat in (1, 2, 3))], BRISK)

    assert [0, 1, 1, 0] in noticed


def test_trader_learns_at_the_table_how_others_bargain() -> None:
    """Where few offers may be made, one who takes what he can seems softer than one who takes nothing."""
    thought = []
    for answer in (1.0, -1.0):
        bot = StrongTrader()
        play_game(RULES, 5, [bot, *(Settled(place, answer) for place in (1, 2, 3))], BRISK)
        thought.append(bot._memory["k_of"][0, 1:4].mean())

    assert thought[0] < thought[1]


def asked_once(declined: bool) -> tuple[StrongTrader, View, Choices, Knowledge]:
    """Return a trader that has just made an offer, and a view in which that stands, declined or not."""
    shown: list[tuple[View, Choices, Knowledge]] = []

    class Asker(StrongTrader):
        def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
            shown.append((view, choices, knowledge))
            return super().decide(view, choices, knowledge)

    play_game(RULES, 5, [Asker(), *(Settled(place, -1.0) for place in (1, 2, 3))], BRISK)
    for view, choices, knowledge in shown:
        if isinstance(view.phase, TradeView) and choices.tries and not view.phase.offers:
            bot = StrongTrader()
            command = bot.decide(view, choices, knowledge)
            if isinstance(command, MakeOffer):
                return bot, standing(view, command, declined), choices, knowledge
    raise AssertionError


def standing(view: View, command: MakeOffer, declined: bool) -> View:
    """Return a view in which an offer stands."""
    phase, own = view.phase, view.own
    assert isinstance(phase, TradeView)
    assert own is not None
    maker, partner = command.player, command.to[0]
    held = tuple(sorted(copy.bean for copy in command.hand))
    offer = OfferView(9, 0, maker, (partner,), held, command.face_up, command.want, open=False)
    mine = OwnOffer(9, command.hand, (partner,) if declined else ())
    return replace(view, phase=replace(phase, offers=(offer,)), own=replace(own, offers=(mine,)))


@pytest.mark.parametrize("declined", [True, False])
def test_trader_learns_from_the_answer_to_the_offer_it_made(declined: bool) -> None:
    """While the offer waits nothing is learnt; a refusal of another one that stands says nothing of it."""
    bot, view, choices, knowledge = asked_once(declined)
    other = OwnOffer(4, (), tuple(range(4)))
    assert view.own is not None
    before = bot._memory["k_of"].tolist()
    bot.decide(replace(view, own=replace(view.own, offers=(*view.own.offers, other))), choices, knowledge)

    assert (bot._memory["k_of"].tolist() != before) == declined


def test_strong_throws_away_other_cards_in_the_bean_duel_than_the_front_most_stranger() -> None:
    """It has numbers of its own there; of cards of one kind the front-most goes."""
    rules, thrown, others = resolve("full", 2), 0, 0

    def watch(before: State, command: Command, events: tuple[Event, ...], after: State) -> None:  # noqa: ARG001 - one signature
        nonlocal thrown, others
        if isinstance(command, DiscardFromHand) and command.player == 0:
            player = before.players[0]
            grown = {field[-1] for field in player.fields if field}
            stranger = next((place for place, bean in enumerate(player.hand) if bean not in grown), None)
            assert player.hand.index(command.copy.bean) == command.copy.place
            thrown += 1
            others += command.copy.place != stranger

    for seed in range(8):
        play_game(rules, seed, [PLAYERS["strong-5"](0), PLAYERS["pk"](1)], BRISK, watch=watch)

    assert thrown > others > 3
