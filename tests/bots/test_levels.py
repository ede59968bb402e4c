"""The easy levels: each has one weakness, which a learner can find."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pytest

from bohn.bots import PLAYERS, current_name, recorded_name
from bohn.bots.farming import worth
from bohn.play.floor import BRISK, play_game
from bohn.play.seat import Choices
from bohn.rules import resolve
from bohn.rules.beans import Bean, coins_for
from bohn.rules.commands import AcceptOffer, Command, Harvest, MakeOffer, Reveal
from bohn.rules.decide import decide
from bohn.rules.events import Event, Harvested
from bohn.rules.evolve import fold
from bohn.rules.legal import legal_commands, offer_space
from bohn.rules.state import Copy, PlantPhase, RevealPhase, State, TradePhase
from bohn.views.knowledge import know
from bohn.views.view import view

RULES = resolve("full", 3)


@pytest.mark.parametrize(("edition", "players"), [("full", 3), ("full", 2), ("das-duell", 2)])
def test_beginner_1_sells_every_field_at_its_first_coin(edition: str, players: int) -> None:
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


def test_beginner_plants_what_joins_a_row_before_it_sells_it() -> None:
    """Its predecessor sells the row first; of both no row that pays is left when the planting is over."""
    early = {"beginner-1": 0, "beginner-2": 0}

    def watch(name: str, before: State, command: Command, _: tuple[Event, ...], after: State) -> None:
        if command.player or not isinstance(before.phase, PlantPhase | RevealPhase):
            return
        player = before.players[0]
        if isinstance(command, Harvest) and not getattr(before.phase, "planted", 1):
            field = player.fields[command.field]
            early[name] += bool(worth(RULES, field)) and field[-1] == player.hand[0]
        if isinstance(command, Reveal):
            assert not any(worth(RULES, field) for field in after.players[0].fields)

    for name in early:
        for seed in range(3):
            bots = [PLAYERS[name](0), PLAYERS["pk"](1), PLAYERS["pk"](2)]
            play_game(RULES, seed, bots, BRISK, watch=partial(watch, name))

    assert early["beginner-1"] > 0
    assert early["beginner-2"] == 0


def takes(name: str, state: State, card: Copy, wanted: int) -> bool:
    """Tell whether the player in seat 1 gives a card of its hand for one that grows on its field."""
    hand = state.players[1].hand
    offer = MakeOffer(0, (1,), (card,), (), (hand[wanted],), hand_revision=state.players[0].hand_revision)
    asked = fold(decide(RULES, state, offer), state)
    seen = view(RULES, asked, 1)
    choices = Choices(tuple(legal_commands(RULES, asked, 1)), offer_space(RULES, asked, 1), 5)
    return isinstance(PLAYERS[name](1).decide(seen, choices, know(seen)), AcceptOffer)


def answers(names: Sequence[str], gives: Callable[[State, Bean], bool]) -> dict[str, list[bool]]:
    """Return what some players say in one game to every exchange of a card for another.

    ``gives`` tells which cards of seat 0 are offered; all other cards of seat 1 are asked for.
    """
    told: dict[str, list[bool]] = {name: [] for name in names}

    def watch(before: State, command: Command, events: tuple[Event, ...], after: State) -> None:  # noqa: ARG001 - one signature
        if (
            not isinstance(after.phase, TradePhase)
            or isinstance(before.phase, TradePhase)
            or after.active_player
        ):
            return
        for place, bean in enumerate(after.players[0].hand):
            if gives(after, bean):
                for wanted, other in enumerate(after.players[1].hand):
                    if other != bean:
                        for name, said in told.items():
                            said.append(takes(name, after, Copy(place, bean), wanted))

    play_game(RULES, 4, [PLAYERS["pk"](seat) for seat in range(3)], BRISK, watch=watch)
    return told


def grows(state: State, bean: Bean) -> bool:
    """Tell whether seat 1 grows a kind."""
    return any(field and field[-1] == bean for field in state.players[1].fields)


def test_gentle_2_gives_any_card_of_its_hand_for_one_it_grows() -> None:
    """Its predecessor keeps some of them, which it will want to plant."""
    told = answers(("gentle-1", "gentle-2"), grows)

    assert len(told["gentle-2"]) > 10
    assert all(told["gentle-2"])
    assert not all(told["gentle-1"])


def test_gentle_gives_for_too_little_what_helps_the_other_much() -> None:
    """For a card that it does not grow it gives more of its own than who looks at itself alone."""
    told = answers(("gentle-1", "gentle-2", "gentle-3"), lambda state, bean: not grows(state, bean))

    assert sum(told["gentle-3"]) > max(sum(told["gentle-1"]), sum(told["gentle-2"]))


@pytest.mark.parametrize(
    ("level", "today"), [("beginner", "beginner-2"), ("gentle", "gentle-3"), ("fair", "fair-3")]
)
def test_level_is_played_by_its_latest_player(level: str, today: str) -> None:
    """An old record that names the level alone means its first player."""
    assert current_name(level) == today
    assert recorded_name(level) == f"{level}-1"
