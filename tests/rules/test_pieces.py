"""Parts of the rules that no scenario reaches: seeds, house rules, early refusals, empty piles."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from bohn.rules import commands as c
from bohn.rules import events as e
from bohn.rules.beans import Bean, coins_for
from bohn.rules.deal import opening
from bohn.rules.decide import decide, is_legal
from bohn.rules.errors import IllegalCommand, Reason, UnknownEdition
from bohn.rules.evolve import fold
from bohn.rules.giving import front_copies
from bohn.rules.legal import NO_OFFERS, legal_commands, may_act, offer_space
from bohn.rules.policies import protected_while_another_has_two, winners_most_hand_cards
from bohn.rules.resolve import house_rules_for, resolve
from bohn.rules.ruleset import Rules
from bohn.rules.shuffle import below, seed_from, shuffled
from bohn.rules.state import (
    BonusHand,
    BonusPiles,
    EndPhase,
    FaceUpPhase,
    PlantGiftPhase,
    PlantPhase,
    Result,
    State,
    TradePhase,
)
from bohn.rules.trading import copies_for

RED, BLUE, SOY, WAX = Bean.RED, Bean.BLUE, Bean.SOY, Bean.WAX


def dealt(edition: str, players: int, *house: str) -> tuple[Rules, State]:
    """Return the rules and the dealt state of a game."""
    rules = resolve(edition, players, *house)
    return rules, fold(opening(rules, seed_from("pieces")))


def refused(rules: Rules, state: State, command: c.Command) -> IllegalCommand:
    """Return the refusal of a command."""
    with pytest.raises(IllegalCommand) as caught:
        decide(rules, state, command)
    return caught.value


# -- chance ------------------------------------------------------------------------------------------


def test_seed_of_32_bytes_is_used_as_it_is() -> None:
    """Bytes of the right length are the seed itself."""
    assert seed_from(b"x" * 32) == b"x" * 32


@pytest.mark.parametrize("source", [b"", b"x" * 31, b"x" * 33])
def test_seed_of_other_lengths_is_an_error(source: bytes) -> None:
    """Bytes of any other length are no seed."""
    with pytest.raises(ValueError, match="a seed is 32 bytes"):
        seed_from(source)


def test_seed_of_a_number_is_that_of_its_text() -> None:
    """A number and its decimal text give the same seed, another number another one."""
    assert seed_from(7) == seed_from("7") != seed_from(8)


def test_chance_skips_words_that_would_favour_low_numbers() -> None:
    """A word in the last, incomplete round of a bound is not used."""
    assert below(iter([2**32 - 1, 5]), 3) == 2


def test_shuffles_of_other_numbers_and_names_differ() -> None:
    """Each shuffle has a stream of its own, and moves every card somewhere."""
    cards, seed = tuple(range(50)), seed_from("x")
    orders = {shuffled(cards, seed, number, name) for number in (0, 1) for name in ("shuffle", "bonus")}
    assert len(orders) == 4
    assert all(sorted(order) == list(cards) for order in orders)


# -- editions and house rules ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        (("unknown", 4), "full, full-ru"),
        (("full", 8), "2, 3, 4, 5, 6, 7"),
        (("das-duell", 3), "2"),
        (("full", 4, "fields=4"), "fields=3"),
        (("full", 4, "colour=red"), "tie=shared"),
        (("full", 4, ""), "kinds=eight"),
        (("das-duell", 2, "fields=2"), "bluff=continues"),
        (("full", 4, "starter=seat:4"), "starter=left-of:3"),
        (("full", 4, "starter=left-of:4"), "starter=left-of:3"),
        (("full", 4, "starter=seat:-1"), "starter=seat:3"),
        (("full", 4, "starter=seat:²"), "starter=seat:3"),
        (("full", 4, "starter=drawn"), "starter=seat:3"),
        (("full", 4, "starter"), "starter=seat:3"),
        (("full", 4, "fields=2", "fields=3"), "one fields="),
    ],
)
def test_resolve_says_what_exists(asked: tuple[str, int, str], named: str) -> None:
    """An unknown edition, number of players or house rule is an error that lists the known ones."""
    with pytest.raises(UnknownEdition, match=re.escape(named)):
        resolve(*asked)


@pytest.mark.parametrize(("text", "seat"), [("seat:2", 2), ("left-of:2", 3), ("left-of:3", 0)])
def test_starter_by_house_rule_begins(text: str, seat: int) -> None:
    """A seat, or the seat left of one, begins by house rule."""
    _, state = dealt("full", 4, f"starter={text}")
    assert state.active_player == state.starter == seat


@pytest.mark.parametrize(
    ("edition", "players"), [("full", 2), ("full", 7), ("classic-sv", 3), ("das-duell", 2)]
)
def test_house_rules_that_are_listed_resolve(edition: str, players: int) -> None:
    """Every listed house rule can be put on top, is remembered, and changes no more than it says."""
    plain = resolve(edition, players)
    for text in house_rules_for(plain):
        rules = resolve(edition, players, text)
        assert rules.house_rules == (text,)
        changed = [name for name in plain.__struct_fields__ if getattr(rules, name) != getattr(plain, name)]
        key = text.partition("=")[0]
        assert set(changed) <= {"house_rules", key} | ({"deck", "boxed"} if key == "kinds" else set())


def test_eight_kinds_by_house_rule_use_104_cards() -> None:
    """The short game for six or seven deals from the eight kinds, with nothing in the box."""
    rules, state = dealt("full", 7, "kinds=eight")
    cards = state.draw_pile + tuple(bean for player in state.players for bean in player.hand)
    assert len(cards) == 104
    assert state.box == ()
    assert rules.kinds == tuple(Bean(number) for number in range(1, 9))


# -- refusals before any handler ------------------------------------------------------------------------


@pytest.mark.parametrize("player", [-1, 4, 99])
def test_players_who_do_not_sit_there_are_refused(player: int) -> None:
    """Nobody may act for a seat that does not exist, and such a seat has no commands."""
    rules, state = dealt("full", 4)
    refusal = refused(rules, state, c.Plant(player, 0))
    assert (refusal.reason, refusal.clause) == (Reason.UNKNOWN_PLAYER, "TURN-1")
    assert legal_commands(rules, state, player) == ()
    assert offer_space(rules, state, player) == NO_OFFERS


def test_nothing_is_legal_after_the_end() -> None:
    """After the end every command is refused, talk included, and nobody may act."""
    rules, state = dealt("full", 4)
    state = replace(state, phase=EndPhase(Result((0,) * 4, (0,) * 4, (5,) * 4, (0, 1, 2, 3))))
    for command in (c.Plant(0, 0), c.Harvest(1, 0), c.SetWish(2, RED, "want")):
        assert is_legal(rules, state, command) is Reason.GAME_OVER
    assert may_act(rules, state) == frozenset()


def test_refusals_read_as_a_line() -> None:
    """The text of a refusal names reason, clause and parameters, for logs."""
    assert str(IllegalCommand(Reason.GAME_OVER, "END-1")) == "game-over (END-1)"
    shown = str(IllegalCommand(Reason.NO_SUCH_FIELD, "FIELD-4", field=3, fields=2))
    assert shown == "no-such-field (FIELD-4): field=3, fields=2"


def test_commands_of_another_phase_are_refused_with_what_is_expected() -> None:
    """A command that the phase does not know is refused with the ones that it knows."""
    rules, state = dealt("full", 4)
    refusal = refused(rules, state, c.EndTrading(state.active_player))
    assert refusal.reason is Reason.NOT_IN_THIS_PHASE
    assert refusal.params["phase"] == "plant"
    assert refusal.params["command"] == "end-trading"
    assert "reveal" in refusal.params["expected"]


# -- what may be done ------------------------------------------------------------------------------------


def test_empty_hand_in_the_duel_may_only_be_kept() -> None:
    """With an empty hand the planting of the bean duel can be ended, and nothing discarded."""
    rules, state = dealt("full", 2)
    active = state.active_player
    players = list(state.players)
    players[active] = replace(players[active], hand=())
    state = replace(state, players=tuple(players), phase=PlantPhase())
    assert legal_commands(rules, state, active) == (c.KeepHand(active),)


def test_everybody_may_act_in_the_trading() -> None:
    """In the trading all may propose, whatever they hold; before it only who has a command."""
    rules, state = dealt("full", 4)
    assert may_act(rules, state) == {state.active_player}
    assert may_act(rules, replace(state, phase=TradePhase())) == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("want", "places"),
    [
        ((), ()),
        ((RED,), (0,)),
        ((RED, RED), (0, 2)),
        ((BLUE, RED), (1, 0)),
        ((RED,) * 3, None),
        ((SOY,), None),
    ],
)
def test_front_copies_are_the_first_of_their_kinds(
    want: tuple[Bean, ...], places: tuple[int, ...] | None
) -> None:
    """Each wanted bean takes the first copy not yet taken, and one missing means none."""
    assert front_copies((RED, BLUE, RED, WAX), want) == places


def test_copies_for_an_ask_of_nothing_are_none() -> None:
    """A gift is answered with no copies at all."""
    _, state = dealt("full", 4)
    assert copies_for(state, 0, ()) == ((), ())


def test_copies_for_a_want_that_cannot_be_served_do_not_exist() -> None:
    """A player without the kinds has no copies for them, whatever lies face up for the active player."""
    _, state = dealt("full", 4)
    state = replace(state, phase=TradePhase((RED, BLUE)))
    active, other = state.active_player, (state.active_player + 1) % 4
    held = state.players[other].hand
    missing = next(bean for bean in Bean if bean not in held)
    assert copies_for(state, other, (missing,)) is None
    found = copies_for(state, active, (RED,))
    assert found is not None
    assert [copy.bean for copy in found[1]] == [RED]


def test_purchases_with_chosen_coins_are_listed_once_each() -> None:
    """Where the payer chooses, each different choice of coins is one command, and all are legal."""
    rules, state = dealt("classic-sv", 3)
    players = (replace(state.players[0], treasury=(RED, BLUE, RED, RED)), *state.players[1:])
    state = replace(state, players=players)
    listed = [command for command in legal_commands(rules, state, 0) if isinstance(command, c.BuyField)]
    assert {command.coins for command in listed} == {(RED, RED, RED), (RED, RED, BLUE)}
    assert [is_legal(rules, state, command) for command in listed] == [None, None]


def test_is_legal_gives_the_reason_of_the_refusal() -> None:
    """A legal command has no reason against it, another one the reason that decide raises."""
    rules, state = dealt("full", 4)
    active = state.active_player
    assert is_legal(rules, state, c.Plant(active, 0)) is None
    assert is_legal(rules, state, c.Reveal(active)) is refused(rules, state, c.Reveal(active)).reason


# -- prices and places -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "coins"), [(0, 0), (1, 0), (2, 2), (3, 3), (9, 3)])
def test_beanometers_may_skip_steps(count: int, coins: int) -> None:
    """Garden beans earn two coins at two, three at three, never one and never more."""
    assert coins_for(((2, 2), (3, 3)), count) == coins


def test_protection_is_for_single_beans_only() -> None:
    """A field of two is never protected, a single bean is beside one."""
    assert not protected_while_another_has_two(((RED, RED), (BLUE, BLUE)), 0)
    assert protected_while_another_has_two(((RED,), (BLUE, BLUE)), 0)


def test_winners_of_equal_coins_and_hands_share() -> None:
    """Hand cards break a tie among the richest only, and what is still equal is shared."""
    assert winners_most_hand_cards((5, 5, 4), (2, 3, 9)) == (1,)
    assert winners_most_hand_cards((5, 5, 4), (3, 3, 9)) == (0, 1)


# -- the end of Das Duell's phases ------------------------------------------------------------------------


def last_bean_of_phase_3(stock: BonusPiles, hands: tuple[BonusHand, BonusHand]) -> tuple[e.Event, ...]:
    """Plant the last face-up bean with these bonus cards, and return the batch."""
    rules, state = dealt("das-duell", 2, "starter=seat:0")
    players = tuple(replace(player, bonus=hand) for player, hand in zip(state.players, hands, strict=True))
    state = replace(state, players=players, bonus=stock, phase=PlantGiftPhase((RED,), planted=1))
    return decide(rules, state, c.PlantFaceUp(0, 0, 0))


def test_turn_passes_at_once_when_no_bonus_card_can_move() -> None:
    """With no bonus card in hand and none to draw there is no phase for them."""
    names = [type(event).__name__ for event in last_bean_of_phase_3(BonusPiles(), (BonusHand(), BonusHand()))]
    assert names == ["FaceUpPlanted", "Drew", "TurnBegan"]


def test_full_hands_are_skipped_when_nobody_may_discard() -> None:
    """With no bonus card in hand to discard, the refilling begins at once."""
    events = last_bean_of_phase_3(BonusPiles((0, 1)), (BonusHand(), BonusHand()))
    assert events[-1] == e.BonusBegan((), (0, 1))


def test_refilling_past_the_pile_shuffles_the_discards_under_it() -> None:
    """Drawing more bonus cards than the pile has takes its cards first, then from the shuffled discards."""
    rules, state = dealt("das-duell", 2, "starter=seat:0")
    first, second = (replace(player, bonus=BonusHand()) for player in state.players)
    state = replace(state, players=(first, second), bonus=BonusPiles((), ()))
    state = replace(fold((e.BonusBegan((), (0, 1)),), state), bonus=BonusPiles((7,), (1, 2, 3)))
    events = decide(rules, state, c.RefillBonus(0))
    refilled = next(event for event in events if isinstance(event, e.BonusRefilled))
    assert isinstance(events[0], e.BonusReshuffled)
    assert refilled.cards[0] == 7
    assert len(refilled.cards) == 3
    after = fold(events, state)
    assert len(after.bonus.draw) == 1
    assert after.bonus.discard == ()
    assert after.shuffles == state.shuffles + 1


@pytest.mark.parametrize("phase", [FaceUpPhase((RED, BLUE)), PlantGiftPhase((RED, BLUE))])
def test_face_up_bean_that_is_planted_leaves_the_others_lying(phase: FaceUpPhase | PlantGiftPhase) -> None:
    """A planted face-up bean goes from its place, in either phase that has such beans."""
    _, state = dealt("full", 2)
    after = fold((e.FaceUpPlanted(0, 0, 0, RED),), replace(state, phase=phase))
    assert getattr(after.phase, "face_up", None) == (BLUE,)
