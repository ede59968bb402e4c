"""What fields are worth, and how far it is to the next coin."""

from __future__ import annotations

import msgspec
import pytest

from bohn.rules.beans import BEANS, Bean, Field, coins_for
from bohn.rules.deal import opening
from bohn.rules.evolve import fold
from bohn.rules.resolve import resolve
from bohn.rules.ruleset import Rules
from bohn.rules.scoring import coins_and_discards
from bohn.rules.shuffle import seed_from
from bohn.views import FieldWorth, field_worth, view
from bohn.views.worth import seat_worth, worth

FULL = resolve("full", 4)
DUELL = resolve("das-duell", 2)

RED = ((2, 1), (3, 2), (4, 3), (5, 4))
COCOA = ((2, 2), (3, 3), (4, 4))


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ((Bean.RED,), FieldWorth(Bean.RED, 0, 1, 1, 1, RED)),
        ((Bean.RED,) * 2, FieldWorth(Bean.RED, 1, 1, 1, 2, RED)),
        ((Bean.RED,) * 5, FieldWorth(Bean.RED, 4, 1, 0, 4, RED)),
        ((Bean.RED,) * 7, FieldWorth(Bean.RED, 4, 3, 0, 4, RED)),
        ((Bean.COCOA,), FieldWorth(Bean.COCOA, 0, 1, 1, 2, COCOA)),
        ((Bean.COCOA,) * 3, FieldWorth(Bean.COCOA, 3, 0, 1, 4, COCOA)),
    ],
)
def test_field_worth_counts_to_the_next_step(field: Field, expected: FieldWorth) -> None:
    """Coins now, what is left over, and how many beans the next coins take."""
    assert field_worth(FULL, field) == expected


def test_empty_field_is_worth_nothing_at_all() -> None:
    """There is no bean that would price it."""
    assert field_worth(FULL, ()) is None
    assert seat_worth(FULL, ((), (Bean.RED,))) == (None, field_worth(FULL, (Bean.RED,)))


def test_mixed_field_is_priced_by_its_newest_bean() -> None:
    """In Das Duell the bean planted last has the beanometer for all (DD-4)."""
    found = field_worth(DUELL, (Bean.RED, Bean.RED, Bean.BLACK_EYED))
    assert found is not None
    assert (found.bean, found.coins, found.more, found.next_coins) == (Bean.BLACK_EYED, 1, 1, 2)


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ((Bean.RED, Bean.BLACK_EYED), (Bean.BLACK_EYED, Bean.SOY)),
        ((Bean.CHILI,), (Bean.CHILI, Bean.BLUE)),
        ((Bean.BLUE,), (Bean.BLUE,)),
    ],
)
def test_field_of_das_duell_says_which_kinds_may_come_next(field: Field, expected: tuple[Bean, ...]) -> None:
    """Its newest kind again or the one of the next higher number, if there is one in the game (DD-3)."""
    found = field_worth(DUELL, field)
    assert found is not None
    assert found.fits == expected


def test_field_of_the_main_game_names_no_kinds() -> None:
    """It takes its own kind only, which it shows."""
    assert field_worth(FULL, (Bean.RED,)) == FieldWorth(Bean.RED, 0, 1, 1, 1, RED, ())


@pytest.mark.parametrize("rules", [FULL, DUELL], ids=["full", "das-duell"])
@pytest.mark.parametrize("bean", BEANS)
def test_field_worth_is_what_a_harvest_brings(rules: Rules, bean: Bean) -> None:
    """For every number of beans: the coins of a harvest now, and of one that many beans later."""
    for count in range(1, 16):
        found = field_worth(rules, (bean,) * count)
        assert found is not None
        coins, rest = coins_and_discards(rules, (bean,) * count)
        later = count + found.more
        assert (found.coins, found.discards) == (len(coins), len(rest))
        assert coins_for(found.steps, later) == found.next_coins
        assert found.more == 0 or coins_for(found.steps, later - 1) == found.coins < found.next_coins
        assert found.more > 0 or found.coins == found.steps[-1][1]


def test_worth_of_a_game_is_by_seat_and_field() -> None:
    """Everybody sees the same, and after the deal nothing is worth anything."""
    rules = resolve("full", 3)
    state = fold(opening(rules, seed_from("worth")))
    assert worth(view(rules, state, 0)) == worth(view(rules, state, None)) == ((None,) * 3,) * 3


def test_totals_count_claimed_bonus_cards_with_the_coins() -> None:
    """A claimed card is worth a coin and its pennies, and a hundred pennies are a coin (DD-16)."""
    state = fold(opening(DUELL, seed_from("worth")))
    player = state.players[0]
    cards = tuple(range(len(DUELL.bonus_cards)))
    claimed = msgspec.structs.replace(player, bonus=msgspec.structs.replace(player.bonus, claimed=cards))
    rich = msgspec.structs.replace(state, players=(claimed, state.players[1]))
    pennies = sum(card.pennies for card in DUELL.bonus_cards)

    assert view(DUELL, state, 0).totals == ((3, 0), (3, 0))
    assert view(DUELL, rich, None).totals[0] == (3 + len(cards) + pennies // 100, pennies % 100)


def test_totals_are_empty_without_bonus_cards() -> None:
    """Where coins are all there is, nothing is added up."""
    assert view(FULL, fold(opening(FULL, seed_from("worth"))), 0).totals == ()
