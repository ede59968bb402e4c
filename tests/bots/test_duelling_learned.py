"""The duellist that has learnt what positions of Das Duell are worth."""

from __future__ import annotations

import pytest

from bohn.bots import PLAYERS
from bohn.bots.duelling import MANNERS, Duellist, Expectations
from bohn.bots.duelling.haggling import naming
from bohn.bots.duelling.learned import (
    OTHER_TURN,
    OWN_TURN,
    PLANTED,
    LearnedOutlook,
    learned,
    stage_of,
    ways,
    written,
)
from bohn.bots.duelling.opponent import OpponentModel
from bohn.bots.duelling.outlook import Outlook
from bohn.bots.duelling.planning import Planner
from bohn.bots.duelling.player import moment_for, moment_of, sides_of
from bohn.play.floor import BRISK, play_game
from bohn.play.seat import Choices
from bohn.rules import house_rules_for, resolve
from bohn.rules.beans import Bean
from bohn.rules.commands import Command
from bohn.rules.state import PlantPhase
from bohn.views.knowledge import Knowledge, unseen
from bohn.views.view import GiftView, View

RULES = resolve("das-duell", 2)
SCHOOLED = MANNERS["strong-4"]
GARDEN, RED, BLACK, SOY, GREEN, STINK, CHILI, BLUE = RULES.kinds
TWO_AND_TWO = next(place for place, card in enumerate(RULES.bonus_cards) if card.runs == (2, 2))


class Watcher(Duellist):
    """A schooled duellist that notes what it is shown."""

    def __init__(self, seed: int = 0) -> None:
        """Begin with nothing."""
        super().__init__(seed, SCHOOLED)
        self.shown: list[tuple[View, Knowledge]] = []

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Decide as ever, and note."""
        self.shown.append((view, knowledge))
        return super().decide(view, choices, knowledge)


def shown(seed: int = 1) -> list[tuple[View, Knowledge]]:
    """Return what a schooled duellist was shown in a game."""
    bot = Watcher(seed)
    play_game(RULES, seed, [bot, Duellist(2, SCHOOLED)], BRISK)
    return bot.shown


def outlook(hand: tuple[Bean, ...] | None = (), bonus: tuple[int, ...] = ()) -> LearnedOutlook:
    """Return how a seat judges while nothing has been seen."""
    return LearnedOutlook(RULES, RULES.deck, 4, Expectations(), bonus, hand=hand)


def test_numbers_are_there_for_every_kind_and_pattern() -> None:
    """Whatever may grow or be drawn has been weighed."""
    own = learned().own
    kinds = {bean.name.lower() for bean in RULES.kinds}

    assert kinds == set(own.beans) == set(own.last) == set(own.kinds)
    assert {written(card.runs) for card in RULES.bonus_cards} == set(own.cards)


def test_chances_of_patterns_are_those_of_the_plain_outlook() -> None:
    """Both share what is worked out for a field, whichever of them comes first."""
    fields = [(), (SOY,), (SOY, SOY, GREEN), (RED, BLACK, SOY), (BLUE,) * 5, (GARDEN, RED, RED)]
    cards = tuple(range(len(RULES.bonus_cards)))
    plain = Outlook(RULES, RULES.deck, 4, Expectations(patience=0.64), cards, cards)
    fresh = LearnedOutlook(RULES, RULES.deck, 4, Expectations(patience=0.64), cards, cards, hand=())
    first = [fresh.look(field) for field in fields]
    fresh.tables.known.clear()

    assert first == [plain.look(field) for field in fields]


def test_next_hand_cards_bring_a_pattern_nearer() -> None:
    """A bonus card is worth more if the hand has the beans that a field lacks of it (PLANT-1)."""
    fields = ((SOY, SOY), (BLUE,), ())
    worths = [outlook(cards, (TWO_AND_TWO,)).bonus_worths(fields)[0] for cards in ((RED,) * 2, (GREEN,) * 2)]

    assert worths[0] < worths[1]


def test_pattern_that_stood_is_worth_its_prize() -> None:
    """What may be claimed counts in full, whatever becomes of the field (DD-15, DD-16)."""
    fields = ((), (BLUE,), (SOY,))
    one = outlook((), (TWO_AND_TWO,))
    gained = one.value(fields, (), 1) - one.value(fields, ())

    assert gained == pytest.approx(1.1 - one.bonus_worths(fields)[0])


def test_other_side_is_judged_without_its_cards() -> None:
    """Neither hand nor bonus cards of the other are known, so they count nothing."""
    fields = ((SOY, SOY), (BLUE,), ())

    assert outlook(None).value(fields, (SOY, GREEN)) == outlook(None).value(fields)


def test_more_beans_are_worth_more_to_both_sides() -> None:
    """A field that has grown is worth more to its owner, and is thought so by the other."""
    less, more = ((CHILI,) * 3, (BLUE,), ()), ((CHILI,) * 6, (BLUE,), ())

    assert all(outlook(cards).value(less) < outlook(cards).value(more) for cards in ((), None))


def test_ways_are_those_a_field_can_still_grow() -> None:
    """A field only climbs: runs behind the last one are as they are (DD-3, DD-14)."""
    patterns = ((2, 2), (1, 3), (2, 1, 1))

    assert ways((2, 1), patterns) == (((2, 2), (1,)), ((2, 1, 1), (0, 1)))


def test_stages_end_with_many_turns() -> None:
    """The last turns are weighed one by one, the early ones alike, each moment apart."""
    assert [stage_of(PLANTED, turns) for turns in (0, 1, 2, 3, 4, 9)] == [0, 1, 2, 2, 3, 3]
    assert stage_of(OTHER_TURN, 0) == 8


def test_moment_is_the_turn_that_a_plan_ends() -> None:
    """Planting from the hand comes before the own turn ends; the other only receives a gift."""
    views = [view for view, _ in shown()]
    planting = next(view for view in views if isinstance(view.phase, PlantPhase))
    haggling = next(view for view in views if isinstance(view.phase, GiftView))

    assert moment_for(planting, planting.active_player) == PLANTED
    assert moment_for(haggling, haggling.active_player) == OWN_TURN
    assert moment_for(haggling, 1 - haggling.active_player) == OTHER_TURN


def test_schooled_duellist_expects_every_bluff_to_be_called() -> None:
    """Naming what it does not hold costs what a caught bluff costs (DD-10)."""
    view, phase, knowledge = next(
        (view, view.phase, knowledge) for view, knowledge in shown() if isinstance(view.phase, GiftView)
    )
    left = unseen(view, knowledge)
    moment = moment_of(view, phase, *sides_of(view, phase, left, SCHOOLED), left, SCHOOLED)
    bean = next(bean for bean in moment.free if bean not in moment.hand + moment.mine.face_up)

    assert naming(moment, SCHOOLED, OpponentModel(SCHOOLED), bean).worth == -moment.costs


def test_planter_that_tries_no_order_begins_with_the_lowest_kind() -> None:
    """With no width the beans go down in the order of the kinds."""
    plan = Planner(outlook(), wide=-1).best(((), (), ()), (RED, SOY, BLUE))

    assert plan.step.bean == RED


def test_schooled_duellist_depends_on_its_seed_only() -> None:
    """The same seeds play the same game."""
    one, two = (
        play_game(RULES, 3, [Duellist(1, SCHOOLED), Duellist(2, SCHOOLED)], BRISK, with_moves=True)
        for _ in range(2)
    )

    assert one == two


@pytest.mark.parametrize("rule", [rule for rule in house_rules_for(RULES) if not rule.startswith("starter")])
def test_schooled_duellist_finishes_under_every_house_rule(rule: str) -> None:
    """It plays every house rule of Das Duell to the end, legally (DD-23)."""
    rules = resolve("das-duell", 2, rule)

    assert play_game(rules, 2, [Duellist(0, SCHOOLED), PLAYERS["fair-1"](1)], BRISK).turns > 10


def test_schooled_duellist_beats_fair_players() -> None:
    """It wins clearly against a level that the strong one before it beats two times in three."""
    shares = [
        play_game(RULES, seed, [Duellist(seed, SCHOOLED), PLAYERS["fair-1"](seed)], BRISK).shares[0]
        for seed in range(12)
    ]

    assert sum(shares) >= 8
