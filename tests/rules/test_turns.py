"""The tables of the turns: complete, closed, and held against games that are played."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import get_args

import pytest

from bohn.notation.commands import parse_command
from bohn.notation.positions import parse_position
from bohn.notation.scenarios import Scenario, load_scenario
from bohn.rules import commands as c
from bohn.rules.decide import decide, tag
from bohn.rules.editions import EDITIONS
from bohn.rules.errors import IllegalCommand, Reason
from bohn.rules.evolve import fold
from bohn.rules.legal import legal_commands, waiting
from bohn.rules.state import EndPhase, Phase, State
from bohn.rules.turns import HANDLERS, TURNS
from tests.properties.strategies import Walk

SCENARIOS = Path(__file__).parents[1] / "scenarios"
COMMANDS: tuple[type[c.Command], ...] = get_args(c.AnyCommand)
PHASES: tuple[type[Phase], ...] = get_args(Phase)
TALK = {c.SetWish, c.MakePromise, c.WithdrawPromise}
GAME_NAMES = sorted(TURNS)
ROWS = [(game, phase) for game in GAME_NAMES for phase in TURNS[game]]

HOUSES = {
    "main": ("end=at_once", "end=plant_first", "closing=unanimous"),
    "bean-duel": (),
    "das-duell": ("trading=also", "end=after_planting", "rest=may_discard", "bluff=continues"),
}
"""House rules by game that change its course."""


def walks() -> Iterator[Walk]:
    """Yield games of all editions, some with few cards, and games with each house rule of the course."""
    for edition, by_players in EDITIONS.items():
        for players, rules in by_players.items():
            for house in ((), *((text,) for text in HOUSES[rules.game])):
                for seed, stock in enumerate((None, 4)):
                    yield Walk(edition, players, house, seed, length=400, stock=stock, noise=0, talk=0)


def played() -> Iterator[tuple[str, State, State]]:
    """Yield the game, and the states before and after each legal command, of walks and scenarios."""
    for walk in walks():
        for before, after in pairwise(walk.states()):
            yield walk.rules.game, before, after
    for path in sorted(SCENARIOS.rglob("*.toml")):
        scenario = load_scenario(path.read_bytes())
        if scenario.refuse_setup is None:
            game = scenario.begin()[0].game
            yield from ((game, before, after) for before, after in pairwise(states(scenario)))


def states(scenario: Scenario) -> Iterator[State]:
    """Yield the states of a scenario."""
    rules, state = scenario.begin()
    yield state
    for step in scenario.steps:
        if step.refuse is None:
            state = fold(decide(rules, state, parse_command(step.do, step.by, state)), state)
            yield state


@cache
def observed() -> frozenset[tuple[str, type, type]]:
    """Return which phase has followed another, by game."""
    return frozenset(
        (game, type(before.phase), type(after.phase))
        for game, before, after in played()
        if type(before.phase) is not type(after.phase)
    )


def named(steps: set[tuple[str, type, type]]) -> set[tuple[str, str, str]]:
    """Return steps from phase to phase as they can be read."""
    return {(game, tag(phase), tag(after)) for game, phase, after in steps}


# -- the tables ------------------------------------------------------------------------------------------


def test_every_phase_has_a_row_in_some_game() -> None:
    """No phase of the state is without a table."""
    assert {phase for _, phase in ROWS} == set(PHASES)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_rows_lead_to_rows_of_the_same_game(game: str) -> None:
    """What may follow a phase has a row itself, and every row but the planting follows another."""
    table = TURNS[game]
    following = {after for row in table.values() for after in row.next}

    assert following == set(table)


@pytest.mark.parametrize(("game", "phase"), ROWS)
def test_rows_hold_commands_with_their_handlers(game: str, phase: type[Phase]) -> None:
    """A row names commands, and something to decide each of them."""
    row = TURNS[game][phase]

    assert set(row.commands) <= set(COMMANDS)
    assert all(callable(handler) for handler in row.commands.values())


def test_every_command_has_a_handler_in_some_row() -> None:
    """No command is in vain."""
    assert {command for game, phase in ROWS for command in TURNS[game][phase].commands} == set(COMMANDS)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_handlers_are_those_of_the_rows(game: str) -> None:
    """The table by phase and command, in which commands are looked up, says the same."""
    rows = {
        (phase, command): handler
        for phase, row in TURNS[game].items()
        for command, handler in row.commands.items()
    }

    assert rows == HANDLERS[game]


@pytest.mark.parametrize("game", GAME_NAMES)
def test_talk_and_harvests_are_in_every_row_but_the_last(game: str) -> None:
    """They are legal at any time, until the game is over."""
    rows = {phase: set(row.commands) for phase, row in TURNS[game].items()}

    assert rows.pop(EndPhase) == set()
    assert all(TALK | {c.Harvest, c.BuyField} <= commands for commands in rows.values())


# -- held against games ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_phases_follow_as_the_rows_say() -> None:
    """In played games and scenarios no phase follows that its row does not name."""
    said = {(game, phase, after) for game, phase in ROWS for after in TURNS[game][phase].next}

    assert named(set(observed()) - said) == set()


def test_rows_name_only_phases_that_follow() -> None:
    """Each phase that a row says may follow does so in some game or scenario."""
    said = {(game, phase, after) for game, phase in ROWS for after in TURNS[game][phase].next}

    assert named(said - observed()) == set()


@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_choices_are_commands_of_the_row(edition: str) -> None:
    """What is listed as legal has a handler in the row of the phase."""
    for players, rules in EDITIONS[edition].items():
        for state in Walk(edition, players, seed=3, length=150, noise=0).states():
            listed = {type(one) for seat in range(players) for one in legal_commands(rules, state, seat)}
            assert listed <= set(TURNS[rules.game][type(state.phase)].commands)


def test_refusal_names_the_commands_of_the_row() -> None:
    """A command of another phase is answered with those there are, without what these rules never allow."""
    text = 'edition = "das-duell"\nplayers = 2\n[position]\nphase = "gift"\n'
    rules, state = parse_position(text)
    with pytest.raises(IllegalCommand) as refused:
        decide(rules, state, c.Reveal(0))

    assert refused.value.reason is Reason.NOT_IN_THIS_PHASE
    assert refused.value.params["expected"] == (
        "claim-bonus", "harvest", "make-promise", "name-gift", "set-wish", "take-gift", "withdraw-promise",
    )  # fmt: skip


# -- whom the game waits for -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ('edition = "full"\nplayers = 4\n[position]\nactive = 2\n', (2,)),
        ('edition = "full"\nplayers = 4\n[position]\nactive = 2\nphase = "trade"\n', (2,)),
        ('edition = "classic-ja"\nplayers = 4\n[position]\nactive = 2\nphase = "trade"\n', (2, 3, 0, 1)),
        (
            'edition = "classic-ja"\nplayers = 4\n[position]\nactive = 2\nphase = "trade"\npasses = [3, 0]\n',
            (2, 1),
        ),
        (
            ('edition = "full"\nplayers = 3\n[position]\nactive = 1\nphase = "plant-traded"\n'
            '[[position.player]]\nset_aside = "red"\n[[position.player]]\n[[position.player]]\n'
            'set_aside = "soy"\n'),
            (2, 0),
        ),
        ('edition = "full"\nplayers = 2\n[position]\nactive = 1\nphase = "reveal"\n', (1,)),
        ('edition = "das-duell"\nplayers = 2\n[position]\nphase = "gift"\nnamed = ["0 red"]\n', (1,)),
        (
            ('edition = "das-duell"\nplayers = 2\n[position]\nphase = "plant-gift"\nactive = 1\n'
            'face_up = "soy"\ngift = "red"\nreceiver = 0\n'),
            (1, 0),
        ),
        (
            ('edition = "das-duell"\nplayers = 2\n[position]\nphase = "plant-gift"\ngift = "red"\n'
            "receiver = 1\n"),
            (1,),
        ),
        (
            ('edition = "das-duell"\nplayers = 2\n[position]\nphase = "bonus"\ndiscarding = [0, 1]\n'
            "refilling = [0, 1]\n[[position.player]]\nbonus = [0]\n[[position.player]]\nbonus = [3]\n"),
            (0, 1),
        ),
        (
            'edition = "das-duell"\nplayers = 2\n[position]\nphase = "bonus"\nrefilling = [0, 1]\n',
            (0,),
        ),
    ],
)  # fmt: skip
def test_game_waits_for_whoever_has_to_decide(text: str, seats: tuple[int, ...]) -> None:
    """For all who may decide at once, in the order of play."""
    assert waiting(*parse_position(text)) == seats


def test_game_waits_for_nobody_after_the_end() -> None:
    """It is over."""
    walk = Walk("full", 3, seed=2, length=2_000, noise=0, talk=0)

    assert waiting(walk.rules, walk.last()) == ()


@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_game_waits_for_somebody_who_may_act(edition: str) -> None:
    """Until the end there is a seat, and whoever is waited for has a command."""
    for players, rules in EDITIONS[edition].items():
        for state in Walk(edition, players, seed=4, length=150, noise=0).states():
            seats = waiting(rules, state)
            assert bool(seats) != isinstance(state.phase, EndPhase)
            assert all(legal_commands(rules, state, seat) for seat in seats)
