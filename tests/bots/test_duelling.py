"""The players of Das Duell: what they name, take, and learn of the other."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from bohn.bots import PLAYERS
from bohn.bots.duelling import MANNERS, Duellist, Expectations, Manner
from bohn.bots.duelling.haggling import bluffs, holds, naming, speak, taking
from bohn.bots.duelling.opponent import OpponentModel
from bohn.bots.duelling.outlook import Counts, Outlook
from bohn.bots.duelling.planning import Planner, Step
from bohn.bots.duelling.player import moment_of, sides_of, turns_left
from bohn.bots.farming import hand, seat
from bohn.play.floor import BRISK, play_game
from bohn.play.seat import Bot, Choices
from bohn.rules import house_rules_for, resolve
from bohn.rules.beans import BEANS, Bean
from bohn.rules.commands import ClaimBonus, Command, DiscardBonus, NameGift, TakeGift
from bohn.rules.events import BluffCaught, Event
from bohn.rules.state import GiftPhase, PlantPhase, State
from bohn.views.knowledge import Knowledge, unseen
from bohn.views.view import GiftView, View

RULES = resolve("das-duell", 2)
STRONG = MANNERS["strong-1"]
GARDEN, RED, BLACK, SOY, GREEN, STINK, CHILI, BLUE = RULES.kinds


class Watcher(Duellist):
    """A strong duellist that notes what it is shown and what it answers."""

    name = "strong-1"

    def __init__(self, seed: int = 0) -> None:
        """Begin with nothing."""
        super().__init__(seed)
        self.shown: list[tuple[View, Knowledge, Command | None]] = []

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Decide as ever, and note."""
        command = super().decide(view, choices, knowledge)
        self.shown.append((view, knowledge, command))
        return command


class Liar(Duellist):
    """Names what it does not hold whenever it can."""

    name = "strong-1"

    def _speak(self, view: View, phase: GiftView, left: Counts, manner: Manner) -> Command:  # noqa: ARG002 - one signature
        named = {bean for _, bean in phase.named}
        held = {*hand(view), *(phase.face_up if seat(view) == view.active_player else ())}
        free = [bean for bean in RULES.kinds if bean not in named]
        return (
            NameGift(seat(view), min(free, key=lambda bean: (bean in held, bean)))
            if free
            else TakeGift(seat(view))
        )


class Doubter(Duellist):
    """Believes nothing: takes whatever is named."""

    name = "strong-1"

    def _speak(self, view: View, phase: GiftView, left: Counts, manner: Manner) -> Command:
        return TakeGift(seat(view)) if phase.open else super()._speak(view, phase, left, manner)


def watched(other: Bot, seed: int = 1) -> Watcher:
    """Return a watcher that has played a game."""
    bot = Watcher(seed)
    play_game(RULES, seed, [bot, other], BRISK)
    return bot


def offered() -> tuple[View, GiftView, Counts]:
    """Return a moment in which a kind may be taken, of which no card lies face up."""
    for view, knowledge, _ in watched(Duellist(5)).shown:
        phase = view.phase
        if isinstance(phase, GiftView) and phase.open and phase.named[-1][1] not in phase.face_up:
            return view, phase, unseen(view, knowledge)
    msg = "nothing was offered"
    raise AssertionError(msg)


def without(left: Counts, bean: Bean) -> Counts:
    """Return the cards not yet seen as if all of one kind had been."""
    return tuple(0 if kind == bean else cards for kind, cards in zip(BEANS, left, strict=True))


def outlook(turns: int = 4, bonus: tuple[int, ...] = ()) -> Outlook:
    """Return how a seat judges while nothing has been seen."""
    return Outlook(RULES, RULES.deck, turns, Expectations(), bonus)


def names_and_bluffs(name: str, other: str, games: int) -> tuple[int, int]:
    """Return how many kinds a player named, and how many of them it did not hold."""
    named: list[bool] = []

    def watch(before: State, command: Command, events: tuple[Event, ...], after: State) -> None:  # noqa: ARG001 - one signature
        phase = before.phase
        if isinstance(command, NameGift) and command.player == 0 and isinstance(phase, GiftPhase):
            lying = phase.face_up if before.active_player == 0 else ()
            named.append(command.bean not in before.players[0].hand + lying)

    for seed in range(games):
        play_game(RULES, seed, [PLAYERS[name](seed), PLAYERS[other](seed + 1)], BRISK, watch=watch)
    return len(named), sum(named)


# -- gifts and bluffs ------------------------------------------------------------------------------


def test_duellist_calls_a_bluff_that_the_cards_seen_prove() -> None:
    """If every card of the named kind has been seen elsewhere, it takes the gift and is paid (DD-10)."""
    view, phase, left = offered()
    bean = phase.named[-1][1]
    sides = sides_of(view, phase, left, STRONG)
    moment = moment_of(view, phase, *sides, without(left, bean), STRONG)

    assert bluffs(moment, OpponentModel(STRONG)) == 1
    assert all(speak(moment, STRONG, OpponentModel(STRONG), Random(seed)).bean is None for seed in range(20))


def test_duellist_believes_what_lies_face_up() -> None:
    """The active player holds a kind that lies before him, whatever he did before (DD-6)."""
    view, phase, left = offered()
    bean = phase.named[-1][1]
    moment = moment_of(view, phase, *sides_of(view, phase, left, STRONG), left, STRONG)
    moment.his.face_up = (bean,)

    assert bluffs(moment, OpponentModel(STRONG)) == 0


def test_duellist_learns_nothing_from_what_did_not_happen() -> None:
    """A word that never reached the table, because it had moved on, teaches nothing of the other."""
    view, phase, _ = offered()
    opponent = OpponentModel(STRONG)
    before = opponent.doubt, opponent.takes(-1.0)
    opponent.take(view, phase)
    opponent.look(view)
    opponent.name(view, phase, 0.5)
    opponent.look(view)

    assert (opponent.doubt, opponent.takes(-1.0)) == before


def test_duellist_doubts_whom_it_has_caught() -> None:
    """A caught bluff makes the next one likelier, an honest gift less likely."""
    view, phase, left = offered()
    moment = moment_of(view, phase, *sides_of(view, phase, left, STRONG), left, STRONG)
    fresh, caught, honest = (OpponentModel(STRONG) for _ in range(3))
    caught.take(view, phase)
    caught.look(replace(view, turn=view.turn + 1))
    given = [one for one, _, _ in watched(Duellist(5)).shown if getattr(one.phase, "gift", ())]
    honest.take(view, phase)
    honest.look(next(one for one in given if getattr(one.phase, "receiver", -1) == one.viewer))

    assert bluffs(moment, honest) < bluffs(moment, fresh) < bluffs(moment, caught)


def test_duellist_believes_less_the_fewer_cards_are_left() -> None:
    """A kind of which few cards are unseen is less likely in a hand."""
    few = tuple(2 if bean == RED else cards for bean, cards in zip(BEANS, RULES.deck, strict=True))

    assert holds(without(RULES.deck, RED), 5, RED) == 0
    assert 0 < holds(few, 5, RED) < holds(RULES.deck, 5, RED) < 1


def test_taking_is_worth_more_from_a_player_who_bluffs() -> None:
    """A bluff that is caught pays more than most gifts."""
    view, phase, left = offered()
    moment = moment_of(view, phase, *sides_of(view, phase, left, STRONG), left, STRONG)
    honest, liar = (OpponentModel(replace(STRONG, doubt=doubt)) for doubt in (0.0, 0.9))

    assert taking(moment, STRONG, honest).worth < taking(moment, STRONG, liar).worth


def test_bluff_is_worth_less_to_gentle_players() -> None:
    """Shame is what keeps a gentle player honest."""
    view, phase, left = offered()
    moment = moment_of(view, phase, *sides_of(view, phase, left, STRONG), left, STRONG)
    bean = next(bean for bean in moment.free if bean not in moment.hand + moment.mine.face_up)
    worths = [
        naming(moment, MANNERS[name], OpponentModel(STRONG), bean).worth
        for name in ("gentle-1", "fair-1", "strong-1")
    ]

    assert worths == sorted(worths)


@pytest.mark.parametrize(("name", "most"), [("gentle-1", 0.02), ("fair-1", 0.1), ("strong-1", 0.4)])
def test_duellist_bluffs_within_bounds(name: str, most: float) -> None:
    """Gentle players hardly ever bluff, strong ones sometimes; nobody bluffs as a rule."""
    named, false = names_and_bluffs(name, "pk", 12)

    assert named > 100
    assert false <= most * named
    assert false or name != "strong-1"


def test_duellist_wins_against_a_liar() -> None:
    """A player who bluffs whenever he can is soon called, and pays for it."""
    caught: list[int] = []

    def watch(before: State, command: Command, events: tuple[Event, ...], after: State) -> None:  # noqa: ARG001 - one signature
        caught.extend(event.giver for event in events if isinstance(event, BluffCaught))

    results = [play_game(RULES, seed, [Duellist(seed), Liar(seed)], BRISK, watch=watch) for seed in range(4)]

    assert all(result.winners == (0,) for result in results)
    assert caught.count(1) > 40


def test_duellist_stops_bluffing_where_nothing_is_believed() -> None:
    """A player who takes whatever is named is given true gifts only, once that is known."""
    false = 0
    for seed in range(4):
        for view, _, command in watched(Doubter(seed), seed).shown:
            if isinstance(command, NameGift) and view.turn > 8 and isinstance(view.phase, GiftView):
                lying = view.phase.face_up if seat(view) == view.active_player else ()
                false += command.bean not in hand(view) + lying

    assert false <= 1


# -- bonus cards -------------------------------------------------------------------------------------


def test_duellist_claims_at_once_and_only_what_it_may() -> None:
    """Whenever it is asked and a card may be claimed, it claims the dearest; else none (DD-14)."""
    seen = 0
    for view, _, command in watched(Duellist(2)).shown:
        assert view.own is not None
        claimable = view.own.claimable
        assert isinstance(command, ClaimBonus) == bool(claimable)
        if isinstance(command, ClaimBonus):
            seen += 1
            pennies = [RULES.bonus_cards[card].pennies for card in claimable]
            assert RULES.bonus_cards[command.bonus].pennies == max(pennies)

    assert seen > 4


def test_duellist_discards_bonus_cards_it_has_no_hope_for() -> None:
    """It keeps what may come to stand and changes the rest (DD-17)."""
    discarded: list[int] = []
    kept: list[int] = []
    for seed in range(4):
        for view, _, command in watched(Duellist(2), seed).shown:
            if isinstance(command, DiscardBonus):
                assert view.own is not None
                sizes = {card: sum(RULES.bonus_cards[card].runs) for card in view.own.bonus}
                discarded.append(sizes.pop(command.bonus))
                kept += sizes.values()

    assert sum(discarded) / len(discarded) > sum(kept) / len(kept)


# -- fields ------------------------------------------------------------------------------------------


def test_planner_sells_the_field_whose_loss_is_least() -> None:
    """A bean that fits nowhere costs the finished field, not the one that grows."""
    fields = ((GARDEN,) * 3, (BLUE, BLUE, BLUE), (STINK, STINK))

    assert Planner(outlook()).best(fields, (BLACK,)).step == Step("sell", 0)


def test_planner_spares_what_the_hand_would_raise() -> None:
    """Of two like fields it sells the one that the next hand cards do not raise."""
    fields = ((CHILI,) * 3, (GREEN,) * 3, (GARDEN,))
    steps = [Planner(outlook(), (kind,) * 3).best(fields, (BLACK,)).step for kind in (CHILI, GREEN)]

    assert steps == [Step("sell", 1), Step("sell", 0)]


def test_planner_plants_in_the_order_that_shows_a_pattern() -> None:
    """Two then one of the next kind stands only if the lower kind is planted first (DD-14)."""
    two_and_one = next(place for place, card in enumerate(RULES.bonus_cards) if card.runs == (2, 1))
    planner = Planner(outlook(1, (two_and_one,)))
    plan = planner.best(((SOY,), (BLUE,), (GARDEN,)), (SOY, GREEN))

    assert plan.fields[0] == (SOY, SOY, GREEN)


def test_planner_at_the_end_counts_coins_only() -> None:
    """When no turn follows, what fields bring now is all they are worth."""
    fields = ((SOY, SOY), (BLUE,) * 4, ())

    assert outlook(0).value(fields) == 2


def test_second_card_is_planted_where_it_helps() -> None:
    """A second hand card that its field waits for is planted at once (PLANT-3)."""
    fields = ((BLACK, BLACK), (BLUE,) * 4, (STINK,) * 3)

    assert Planner(outlook(), ordered=True).best(fields, (BLACK,), free=True).step == Step("plant", 0, BLACK)


def test_turns_left_end_with_the_pile() -> None:
    """Seventeen whole turns follow the deal, nine of the starter; the other plants once more (DD-19)."""
    first = next(view for view, _, _ in watched(Duellist(3)).shown if isinstance(view.phase, PlantPhase))
    fresh = replace(first, draw_pile=88)
    active = fresh.active_player

    assert turns_left(fresh, active) == (9, False)
    assert turns_left(fresh, 1 - active) == (8, True)


# -- the whole ---------------------------------------------------------------------------------------


def test_duellist_depends_on_its_seed_only() -> None:
    """The same seeds play the same game."""
    one, two = (play_game(RULES, 3, [Duellist(1), Duellist(2)], BRISK, with_moves=True) for _ in range(2))

    assert one == two


@pytest.mark.parametrize("rule", [rule for rule in house_rules_for(RULES) if not rule.startswith("starter")])
def test_duellist_finishes_under_every_house_rule(rule: str) -> None:
    """It plays every house rule of Das Duell to the end, legally (DD-23)."""
    rules = resolve("das-duell", 2, rule)

    assert play_game(rules, 2, [PLAYERS["strong-1"](0), PLAYERS["fair-1"](1)], BRISK).turns > 10


@pytest.mark.parametrize("name", ["gentle-1", "fair-1", "strong-1"])
def test_level_beats_the_simple_players(name: str) -> None:
    """Every level wins Das Duell clearly against players who only farm."""
    shares = [
        play_game(RULES, seed, [PLAYERS[name](seed), PLAYERS["pk"](seed)], BRISK).shares[0]
        for seed in range(10)
    ]

    assert sum(shares) >= 7
