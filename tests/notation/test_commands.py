"""Commands as text."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bohn.notation.commands import format_command, parse_command
from bohn.notation.errors import NotationError
from bohn.notation.positions import parse_position
from bohn.rules import Bean, State, decide, fold, legal_commands
from bohn.rules import commands as c
from bohn.rules.state import Copy
from tests.notation.playing import GAMES, game

R, S, B, G = Bean.RED, Bean.SOY, Bean.BLUE, Bean.GARDEN

EVERY_COMMAND: list[tuple[str, c.Command]] = [
    ("plant 1", c.Plant(2, 1)),
    ("reveal", c.Reveal(2)),
    ("end", c.EndTrading(2)),
    ("pass", c.Pass(2)),
    ("harvest 0", c.Harvest(2, 0)),
    ("buy", c.BuyField(2)),
    ("buy with red soy*2", c.BuyField(2, (R, S, S))),
    ("plant-set-aside 3 1", c.PlantSetAside(2, 3, 1)),
    (
        "offer hand:1=soy face:0=garden for red to 0,1 open @3",
        c.MakeOffer(2, (0, 1), (Copy(1, S),), (Copy(0, G),), (R,), open=True, hand_revision=3),
    ),
    ("offer for red to 0", c.MakeOffer(2, (0,), want=(R,))),
    ("offer face:0=garden to 0", c.MakeOffer(2, (0,), face_up=(Copy(0, G),))),
    ("edit 4.2 hand:0=soy to 0 @1", c.EditOffer(2, 4, 2, (0,), (Copy(0, S),), hand_revision=1)),
    ("withdraw 4", c.WithdrawOffer(2, 4)),
    ("accept 4.1 with hand:0=red face:1=soy @9", c.AcceptOffer(2, 4, 1, (Copy(0, R),), (Copy(1, S),), 9)),
    ("accept 4.1 with -", c.AcceptOffer(2, 4, 1)),
    ("accept 4.1 with - @2", c.AcceptOffer(2, 4, 1, hand_revision=2)),
    ("claim 4.1 with hand:0=red @9", c.Claim(2, 4, 1, (Copy(0, R),), 9)),
    ("claim 4.1 with -", c.Claim(2, 4, 1)),
    ("pick 4.1 3", c.Pick(2, 4, 1, 3)),
    ("decline 4.1", c.DeclineOffer(2, 4, 1)),
    ("plant-leftover 0 1", c.PlantLeftover(2, 0, 1)),
    ("discard-leftover 0", c.DiscardLeftover(2, 0)),
    ("discard hand:2=blue @0", c.DiscardFromHand(2, Copy(2, B), 0)),
    ("keep", c.KeepHand(2)),
    ("plant-face-up 0 1", c.PlantFaceUp(2, 0, 1)),
    ("leave", c.LeaveRest(2)),
    ("name soy", c.NameGift(2, S)),
    ("name soy hand:1=soy @4", c.NameGift(2, S, (Copy(1, S),), 4)),
    ("take", c.TakeGift(2)),
    ("plant-gift 2", c.PlantGift(2, 2)),
    ("claim-bonus 31", c.ClaimBonus(2, 31)),
    ("discard-bonus 31", c.DiscardBonus(2, 31)),
    ("refill", c.RefillBonus(2)),
    ("wish want red", c.SetWish(2, R, "want")),
    ("promise 1 give red for soy*2 next-turn", c.MakePromise(2, 1, (R,), (S, S), "next-turn")),
    ("promise 1 for soy some-time", c.MakePromise(2, 1, (), (S,))),
    ("unpromise 3", c.WithdrawPromise(2, 3)),
]


@pytest.mark.parametrize(("text", "command"), EVERY_COMMAND)
def test_command_is_read(text: str, command: c.Command) -> None:
    """The full form is read without a position."""
    assert parse_command(text, 2) == command


@pytest.mark.parametrize(("text", "command"), EVERY_COMMAND)
def test_command_is_written(text: str, command: c.Command) -> None:
    """A command is written in full."""
    assert format_command(command) == text


def test_every_command_of_the_core_is_covered() -> None:
    """The list of this file has every kind of command."""
    assert {type(command) for _, command in EVERY_COMMAND} == set(c.AnyCommand.__args__)


@pytest.mark.parametrize(("edition", "players", "house_rules"), GAMES)
def test_command_round_trips_in_play(edition: str, players: int, house_rules: tuple[str, ...]) -> None:
    """Every command of a game is written and read back, with and without the position."""
    _, played = game(edition, players, house_rules)
    for (_, _, before), (command, _, _) in pairwise(played):
        assert command is not None
        text = format_command(command)
        assert parse_command(text, command.player) == command
        assert parse_command(text, command.player, before) == command


TRADING = """
edition = "full"
players = 4
[position]
phase = "trade"
active = 1
face_up = "soy garden"
offers = ["1.1 2>1 hand:0 for soy*2", "2.1 1>0,3 hand:1 for red open", "3.1 2>1 for wax"]
[[position.player]]
hand = "blue red*2"
hand_revision = 4
[[position.player]]
hand = "chili soy blue"
hand_revision = 5
[[position.player]]
hand = "red"
[[position.player]]
"""


@pytest.fixture
def trading() -> State:
    """Return a position with three offers; seat 1 is active."""
    return parse_position(TRADING)[1]


SHORT_FORMS: list[tuple[int, str, str]] = [
    (0, "offer hand:0 to 1", "offer hand:0=blue to 1 @4"),
    (0, "offer hand:0 to 1 @2", "offer hand:0=blue to 1 @2"),
    (1, "offer face:1 for red to 2", "offer face:1=garden for red to 2"),
    (0, "offer hand:9=wax to 1", "offer hand:9=wax to 1 @4"),
    (1, "accept 1.1", "accept 1.1 with hand:1=soy face:0=soy @5"),
    (1, "accept 1.1 with face:0 hand:1", "accept 1.1 with hand:1=soy face:0=soy @5"),
    (1, "accept 3.1", "accept 3.1 with -"),
    (1, "accept 9.1", "accept 9.1 with -"),
    (9, "accept 1.1", "accept 1.1 with -"),
    (0, "claim 2.1", "claim 2.1 with hand:1=red @4"),
    (0, "claim 2.1 with hand:2", "claim 2.1 with hand:2=red @4"),
    (3, "claim 2.1", "claim 2.1 with -"),
    (0, "claim 9.1", "claim 9.1 with -"),
    (0, "discard hand:0", "discard hand:0=blue @4"),
    (0, "name red hand:1", "name red hand:1=red @4"),
]


@pytest.mark.parametrize(("player", "short", "full"), SHORT_FORMS)
def test_short_form_is_completed(trading: State, player: int, short: str, full: str) -> None:
    """Beans, revision and front-most cards are taken from the position."""
    assert format_command(parse_command(short, player, trading)) == full


def test_short_acceptance_is_what_legal_commands_offers() -> None:
    """The completion of ``accept`` and ``claim`` is the acceptance that the core lists."""
    rules, state = parse_position(TRADING)
    answers = [
        command
        for seat in range(4)
        for command in legal_commands(rules, state, seat)
        if isinstance(command, c.AcceptOffer | c.Claim)
    ]

    assert answers == [
        parse_command("claim 2.1", 0, state),
        parse_command("accept 1.1", 1, state),
    ]


def test_short_acceptance_outside_the_trading_names_nothing(trading: State) -> None:
    """Without an offer there is nothing to complete; the core refuses the command."""
    rules, _ = parse_position(TRADING)
    planting = fold(decide(rules, trading, c.EndTrading(1)), trading)

    assert parse_command("accept 1.1", 1, planting) == c.AcceptOffer(1, 1, 1)


BROKEN = [
    "",
    "   ",
    "x" * 2_001,
    "fly 1",
    "plant",
    "plant one",
    "plant -1",
    "plant 01",
    "plant 1000000",
    "plant 1 2",
    "reveal 1",
    "buy red",
    "buy with",
    "buy with pea",
    "offer",
    "offer hand:0=soy",
    "offer hand:0=soy to",
    "offer hand:0=soy to 1 2 @1",
    "offer hand:0=soy to a @1",
    "offer hand:0=soy to 1 open wide @1",
    "offer to 1 for red",
    "offer for red for soy to 1",
    "offer hand:0=soy to 1",
    "offer hand:0 to 1 @1",
    "offer hand=0 to 1 @1",
    "offer face:0 to 1",
    "offer hand:0=soy to 1 @x",
    "offer for red to 1,,2",
    "offer ²",
    "edit",
    "edit 1 for red to 1",
    "edit x.1 for red to 1",
    "withdraw 1.1",
    "accept",
    "accept 1",
    "accept 1.1",
    "accept 1.1 using hand:0=red @1",
    "accept 1.1 with",
    "accept 1.1 with - hand",
    "claim",
    "claim 1.1",
    "claim 1.1 with face:0=red",
    "claim 1.1 with hand:0=red",
    "pick",
    "pick 1.1",
    "pick 1.1 x",
    "decline",
    "decline 1.1 2",
    "discard",
    "discard hand:0=red hand:1=red @1",
    "name",
    "name pea",
    "name soy soy",
    "wish",
    "wish want",
    "wish need red",
    "wish want pea",
    "promise",
    "promise x give red",
    "promise 1 red",
    "promise 1 for red give soy",
    "unpromise",
]


@pytest.mark.parametrize("text", BROKEN)
def test_command_refuses_garbage(text: str) -> None:
    """What is no command is refused, with what was expected."""
    with pytest.raises(NotationError, match="expected"):
        parse_command(text, 0)


@pytest.mark.parametrize(
    ("player", "text"), [(0, "offer hand:3 to 1"), (9, "offer hand:0 to 1"), (9, "discard hand:0=red")]
)
def test_short_form_refuses_what_is_not_there(trading: State, player: int, text: str) -> None:
    """A card or a hand that the position lacks cannot be completed."""
    with pytest.raises(NotationError, match="expected"):
        parse_command(text, player, trading)
