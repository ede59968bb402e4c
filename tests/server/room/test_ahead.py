"""Moves set ahead: when each is made, in what order, and which move leaves no choice."""

from __future__ import annotations

from msgspec.structs import replace

from bohn.notation.positions import parse_position
from bohn.protocol.away import HarvestAhead, MoveAhead, PlantAhead, RevealAhead
from bohn.rules.beans import Bean
from bohn.rules.commands import Harvest, Plant, PlantSetAside, Reveal
from bohn.rules.resolve import resolve
from bohn.rules.ruleset import Rules
from bohn.rules.state import State
from bohn.server.room.ahead import Ahead, Made, next_move, only_move, possible

WAX, RED, SOY = Bean.WAX, Bean.RED, Bean.SOY
ALL = (0, 1, 2, 3)


def position(text: str, phase: str = "plant", planted: int = 0) -> tuple[Rules, State]:
    """Return a position of four players, of whom the first is active; the others' cards do not matter."""
    return parse_position(f"""
edition = "full"
players = 4
[position]
phase = "{phase}"
active = 0
{f"planted = {planted}" if planted else ""}
[[position.player]]
{text}
[[position.player]]
hand = "blue blue"
[[position.player]]
hand = "blue blue"
[[position.player]]
hand = "blue blue"
""")


def made(where: tuple[Rules, State], *moves: MoveAhead, seat: int = 0, left: int = 1) -> Made | None:
    """Return what is made next for a seat, whose moves are called a, b, ..."""
    rules, state = where
    ahead = [Ahead("abcdef"[place], seat, move, left) for place, move in enumerate(moves)]
    return next_move(rules, state, ALL, ahead)


def test_planting_is_made_of_the_card_in_front_only() -> None:
    """A card behind it waits until it is in front."""
    where = position('hand = "wax red"')
    assert made(where, PlantAhead(WAX, 1)) == Made("a", (Plant(0, 1),))
    assert made(where, PlantAhead(RED, 1)) is None


def test_planting_on_a_field_of_another_kind_waits_unless_it_may_be_harvested() -> None:
    """With the word, the field is harvested first; without, its owner decides."""
    where = position('hand = "wax red"\nfields = ["red*2", "soy*2"]')
    assert made(where, PlantAhead(WAX, 0)) is None
    assert made(where, PlantAhead(WAX, 0, harvest=True)) == Made("a", (Harvest(0, 0), Plant(0, 0)))


def test_single_bean_that_is_protected_is_not_harvested() -> None:
    """The whole move is left alone where a part of it is not legal (HARVEST-5)."""
    where = position('hand = "red wax"\nfields = ["red*2", "soy"]')
    assert made(where, PlantAhead(RED, 1, harvest=True)) is None


def test_field_that_is_not_bought_takes_no_planting() -> None:
    """The third field is named ahead in vain until it is there."""
    assert made(position('hand = "wax red"'), PlantAhead(WAX, 2)) is None


def test_first_planting_of_a_kind_that_fits_is_made() -> None:
    """They are gone through as they are listed; one that is used up is passed over."""
    where = position('hand = "wax red"')
    assert made(where, PlantAhead(WAX, 1), PlantAhead(WAX, 0)) == Made("a", (Plant(0, 1),))
    assert made(where, PlantAhead(WAX, 1), left=0) is None


def test_turning_over_waits_for_the_plantings() -> None:
    """It is made once one bean is planted and no planting is set ahead for the next."""
    first = position('hand = "wax red"')
    second = position('hand = "red soy"\nfields = ["wax", "-"]', planted=1)
    assert made(first, RevealAhead()) is None
    assert made(second, RevealAhead(), PlantAhead(RED, 1)) == Made("b", (Plant(0, 1),))
    assert made(second, RevealAhead(), PlantAhead(SOY, 1)) == Made("a", (Reveal(0),))


def test_turning_over_waits_for_a_planting_that_is_not_possible() -> None:
    """Its owner wanted to plant that bean, and decides how."""
    where = position('hand = "red soy"\nfields = ["wax*2", "soy*2"]', planted=1)
    assert made(where, RevealAhead(), PlantAhead(RED, 0)) is None


def test_harvest_is_made_as_soon_as_the_field_has_enough() -> None:
    """Before any planting, and for whoever the game does not wait for, too (HARVEST-1)."""
    where = position('hand = "wax red"\nfields = ["wax*4", "soy*3"]')
    assert made(where, PlantAhead(WAX, 0), HarvestAhead(0, 4)) == Made("b", (Harvest(0, 0),))
    assert made(where, HarvestAhead(0, 5)) is None


def test_set_aside_beans_are_planted_as_they_were_set_ahead() -> None:
    """By their place among them, whatever else lies there."""
    where = position('set_aside = "soy wax"\nfields = ["wax*2", "-"]', "plant-traded")
    assert made(where, PlantAhead(WAX, 0)) == Made("a", (PlantSetAside(0, 1, 0),))


def test_nothing_is_made_for_a_seat_that_a_bot_plays() -> None:
    """Neither what its owner has set ahead nor a move without a choice."""
    rules, state = position('hand = "wax red"')
    assert next_move(rules, state, (1, 2, 3), [Ahead("a", 0, PlantAhead(WAX, 0), 1)]) is None


def test_turning_over_is_the_only_move_of_an_empty_hand() -> None:
    """Fields that could be harvested can be harvested afterwards as well."""
    where = position('hand = "-"\nfields = ["wax*4", "soy*3"]')
    assert made(where) == Made("", (Reveal(0),))


def test_turning_over_is_a_choice_where_the_draw_pile_runs_out() -> None:
    """What is harvested before is shuffled with the rest, what is harvested afterwards is not."""
    text = 'hand = "-"\nfields = ["wax*4", "soy*3"]'
    rules, state = position(text)
    last = replace(state, draw_pile=state.draw_pile[: rules.reveal])
    assert only_move(rules, state, 0) == Reveal(0)
    assert only_move(rules, last, 0) is None


def test_only_harvest_there_is_leaves_no_choice() -> None:
    """The bean fits nowhere, and the single bean beside is protected (HARVEST-5)."""
    where = position('hand = "wax red"\nfields = ["stink*2", "soy"]')
    assert made(where) == Made("", (Harvest(0, 0),))


def test_planting_that_is_one_of_two_ways_on_is_a_choice() -> None:
    """A field that may be harvested is another way."""
    rules, state = position('set_aside = "wax"\nfields = ["wax", "soy*2"]', "plant-traded")
    assert only_move(rules, state, 0) is None


def test_move_that_no_game_of_these_rules_knows_is_impossible() -> None:
    """A kind that is not in play is never planted."""
    rules = resolve("full", 4)
    assert possible(PlantAhead(WAX, 0), rules)
    assert not possible(PlantAhead(next(bean for bean in Bean if bean not in rules.kinds), 0), rules)


def test_whoever_has_bonus_cards_is_never_without_a_choice() -> None:
    """Whether he may claim one is his secret, and so nothing is made for him (DD-15)."""
    text = """
edition = "das-duell"
players = 2
[position]
phase = "plant"
active = 0
[[position.player]]
hand = "-"
fields = ["red*3", "soy*3", "-"]
BONUS
[[position.player]]
hand = "blue blue"
"""
    rules, without = parse_position(text.replace("BONUS", ""))
    _, having = parse_position(text.replace("BONUS", "bonus = [1]"))
    assert only_move(rules, without, 0) == Reveal(0)
    assert only_move(rules, having, 0) is None
