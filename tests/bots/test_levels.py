"""The easy levels: each has one weakness, which a learner can find."""

from __future__ import annotations

import pytest

from bohn.bots import PLAYERS, current_name, recorded_name
from bohn.play.floor import BRISK, play_game
from bohn.play.seat import Choices
from bohn.rules import resolve
from bohn.rules.beans import coins_for
from bohn.rules.commands import AcceptOffer, Command, MakeOffer
from bohn.rules.decide import decide
from bohn.rules.events import Event, Harvested
from bohn.rules.evolve import fold
from bohn.rules.legal import legal_commands, offer_space
from bohn.rules.state import Copy, State, TradePhase
from bohn.views.knowledge import know
from bohn.views.view import view

RULES = resolve("full", 3)


@pytest.mark.parametrize(("edition", "players"), [("full", 3), ("full", 2), ("das-duell", 2)])
def test_beginner_sells_every_field_at_its_first_coin(edition: str, players: int) -> None:
    """One bean fewer would have brought nothing: it has never waited for the second coin."""
    rules, sold = resolve(edition, players), 0

    def watch(before: State, command: Command, events: tuple[Event, ...], after: State) -> None:  # noqa: ARG001 - one signature
        nonlocal sold
        for event in events:
            if isinstance(event, Harvested) and event.player == 0 and event.coins:
                field = before.players[0].fields[event.field]
                assert coins_for(rules.beanometers[field[-1]], len(field) - 1) == 0
                sold += 1

    others = [PLAYERS["pk"](seat) for seat in range(1, players)]
    for seed in range(3):
        play_game(rules, seed, [PLAYERS["beginner-1"](0), *others], BRISK, watch=watch)

    assert sold > 9


def takes(name: str, state: State, card: Copy, wanted: int) -> bool:
    """Tell whether the player in seat 1 gives a card of its hand for one that grows on its field."""
    hand = state.players[1].hand
    offer = MakeOffer(0, (1,), (card,), (), (hand[wanted],), hand_revision=state.players[0].hand_revision)
    asked = fold(decide(RULES, state, offer), state)
    seen = view(RULES, asked, 1)
    choices = Choices(tuple(legal_commands(RULES, asked, 1)), offer_space(RULES, asked, 1), 5)
    return isinstance(PLAYERS[name](1).decide(seen, choices, know(seen)), AcceptOffer)


def test_gentle_gives_any_card_of_its_hand_for_one_it_grows() -> None:
    """Its predecessor keeps some of them, which it will want to plant."""
    told: dict[str, list[bool]] = {"gentle-1": [], "gentle-2": []}

    def watch(before: State, command: Command, events: tuple[Event, ...], after: State) -> None:  # noqa: ARG001 - one signature
        if (
            not isinstance(after.phase, TradePhase)
            or isinstance(before.phase, TradePhase)
            or after.active_player
        ):
            return
        grown = {field[-1] for field in after.players[1].fields if field}
        for place, bean in enumerate(after.players[0].hand):
            if bean in grown:
                for wanted, other in enumerate(after.players[1].hand):
                    if other != bean:
                        for name, answers in told.items():
                            answers.append(takes(name, after, Copy(place, bean), wanted))

    play_game(RULES, 4, [PLAYERS["pk"](seat) for seat in range(3)], BRISK, watch=watch)

    assert len(told["gentle-2"]) > 10
    assert all(told["gentle-2"])
    assert not all(told["gentle-1"])


@pytest.mark.parametrize(
    ("level", "today"), [("beginner", "beginner-1"), ("gentle", "gentle-2"), ("fair", "fair-2")]
)
def test_level_is_played_by_its_latest_player(level: str, today: str) -> None:
    """An old record that names the level alone means its first player."""
    assert current_name(level) == today
    assert recorded_name(level) == f"{level}-1"
