"""Core and twin agree in every game, and the comparison notices whatever differs.

One long file: games, rows, comparisons and commands are four sides of one mirror and share its positions.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from bohn.lab.compile_cache import INTERPRET
from bohn.lab.mirror import ROOM, begin, cells, compare, project, to_commands, waiting_offer, write_cells
from bohn.lab.mirrored import (
    EVERY_TABLE,
    TINY,
    Chance,
    Differs,
    Mirror,
    Plan,
    actions_in,
    mirrored_game,
    plan_for,
)
from bohn.lab.row import (
    ANSWER,
    ASKED,
    COMPOSE,
    DUE,
    END,
    FACE_UP,
    LEFTOVERS,
    MOMENT,
    PLANT,
    PLANT_TRADED,
    REVEAL,
    TRADE,
    Rows,
    tables,
)
from bohn.lab.twin import (
    A_ACCEPT,
    A_BUY,
    A_DECLINE,
    A_DISCARD,
    A_FACE,
    A_GO_ON,
    A_HAND,
    A_HARVEST,
    A_PARTNER,
    A_PLANT,
    A_PROPOSE,
    A_WANT,
    best_of,
    deal,
    legal,
)
from bohn.play.floor import BRISK, FloorSetting
from bohn.rules import Bean, fold, opening, resolve, seed_from
from bohn.rules.commands import (
    AcceptOffer,
    BuyField,
    Command,
    DeclineOffer,
    DiscardFromHand,
    DiscardLeftover,
    EditOffer,
    EndTrading,
    Harvest,
    KeepHand,
    LeaveRest,
    MakeOffer,
    Pass,
    Plant,
    PlantFaceUp,
    PlantLeftover,
    PlantSetAside,
    Reveal,
)
from bohn.rules.decide import decide
from bohn.rules.ruleset import Rules
from bohn.rules.state import (
    Copy,
    EndPhase,
    FaceUpPhase,
    LeftoversPhase,
    PlantPhase,
    PlantTradedPhase,
    RevealPhase,
    State,
    TradePhase,
)

Choose = Callable[[int], int]

TRADING = resolve("full", 4, "starter=seat:0")
UNANIMOUS = resolve("full", 4, "starter=seat:0", "closing=unanimous")


def moments(numbers: range, most: int = 500) -> Iterator[tuple[Mirror, int]]:
    """Yield games at each of their decisions, and the action that comes next."""
    for number in numbers:
        mirror, choose = Mirror(plan_for(number)), Chance(number)
        while mirror.mask and mirror.played.decisions < most:
            action = choose(mirror.mask)
            yield mirror, action
            mirror.play(action)
        yield mirror, -1


def at_trading(rules: Rules = TRADING, setting: FloorSetting = BRISK, patience: int = 20_000) -> Mirror:
    """Return a game whose first trading has just begun, with seat 0 at turn."""
    mirror = Mirror(Plan(rules, 1, setting, patience=patience))
    mirror.play(actions_in(mirror.mask)[0])
    mirror.play(A_GO_ON)
    assert mirror.row[0]["mode"] == ASKED
    return mirror


def propose(mirror: Mirror, partner: int, *cards: int) -> None:
    """Compose an offer and lay it on the table."""
    for action in (A_PARTNER + partner, *cards, A_PROPOSE):
        assert mirror.mask >> action & 1
        mirror.play(action)


def commands_of(mirror: Mirror, action: int) -> tuple[Command, ...]:
    """Return what a legal action stands for now."""
    assert mirror.mask >> action & 1
    return to_commands(mirror.plan.rules, mirror.state, mirror.row, action, mirror.table)


# -- the games --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "players"), EVERY_TABLE)
def test_mirrored_games_agree_at_every_table(edition: str, players: int) -> None:
    """Core and twin agree after every command and on every legal action, with and without house rules."""
    first = EVERY_TABLE.index((edition, players))
    plans = [
        plan_for(first),
        plan_for(first + len(EVERY_TABLE)),
        Plan(resolve(edition, players), first, BRISK),
    ]
    played = [mirrored_game(plan, Chance(plan.seed), most=100) for plan in plans]
    assert sum(game.commands for game in played) > 90


@pytest.mark.compiled
def test_whole_mirrored_games_agree() -> None:
    """Some games to the end, with the winners."""
    for number in (0, 10, 20):
        mirrored_game(plan_for(number), Chance(number), 50)


@pytest.mark.parametrize("reshuffle", ["eager", "when_needed"])
def test_mirrored_games_agree_where_both_piles_run_out(reshuffle: str) -> None:
    """With hardly a card to draw the game ends as in the core, whatever runs out first (DRAW-3, END-5)."""
    rules = resolve("full", 5, f"reshuffle={reshuffle}")
    for pile in range(1, 7):
        mirrored_game(Plan(rules, pile, TINY, pile=pile), Chance(pile), 20)


def test_mirrored_games_are_the_same_every_time() -> None:
    """A number names one game, so that a difference can be shown again."""
    assert mirrored_game(plan_for(9), Chance(9), 5, 300) == mirrored_game(plan_for(9), Chance(9), 5, 300)


def test_mirrored_games_reach_every_phase_mode_and_action() -> None:
    """The chooser leaves nothing out: each phase, mode, action and command."""
    phases, modes, actions, commands = set(), set(), set(), set()
    for mirror, action in moments(range(40), 160):
        g = mirror.row[0]
        phases.add(int(g["phase"]))
        if action >= 0:
            modes.add(int(g["mode"]))
            actions.add(action)
            commands |= {type(command) for command in commands_of(mirror, action)}
    assert phases == set(range(7))
    assert modes == {DUE, ASKED, ANSWER, COMPOSE, MOMENT}
    # cocoa is rare: no hand need have held one in so few games
    assert set(range(52)) - actions <= {A_FACE, A_HAND}
    assert commands == {
        AcceptOffer, BuyField, DeclineOffer, DiscardFromHand, DiscardLeftover, EditOffer, EndTrading, Harvest,
        KeepHand, LeaveRest, MakeOffer, Pass, Plant, PlantFaceUp, PlantLeftover, PlantSetAside, Reveal,
    }  # fmt: skip


_DIGEST = """
import hashlib
from bohn.lab.mirrored import Chance, Mirror, plan_for
digest = hashlib.sha256()
for number in range(0, 33, 4):
    mirror, choose = Mirror(plan_for(number)), Chance(number)
    while mirror.mask and mirror.played.decisions < 150:
        mirror.play(choose(mirror.mask))
        for name in mirror.row.dtype.names:
            digest.update(mirror.row[name].tobytes())
print(digest.hexdigest())
"""


@pytest.mark.compiled(only=True)
def test_rows_are_the_same_compiled_and_interpreted() -> None:
    """Every byte of every row is the same after every decision, however the twin runs."""
    printed = [
        subprocess.run(  # noqa: S603 - this interpreter and the text above
            [sys.executable, "-c", _DIGEST],
            env={**os.environ, INTERPRET: mode},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for mode in ("0", "1")
    ]
    assert printed[0] == printed[1]


# -- what the comparison notices ------------------------------------------------------------------------

DETERMINED = (
    "players", "active", "phase", "exhaustions", "turn", "starter", "draws", "discards", "maker", "partner",
    "planted", "face_up", "box", "give_face", "give_hand", "want", "hands", "coins", "fields", "held",
    "set_aside", "draw", "discard", "hand", "treasury", "beans", "kind",
)  # fmt: skip


def broken(row: Rows, field: str) -> Rows:
    """Return a row with one more in the first place of a field."""
    other = row.copy()
    place = (0,) * other[field].ndim
    other[field][place] += 1
    return other


def same_cells(state: State, row: Rows) -> bool:
    """Tell whether a row's bytes are those of a position."""
    out = np.zeros(2 * ROOM, np.uint8)
    return out[: write_cells(row, 0, out)].tobytes() == cells(state)


def test_compare_notices_every_broken_field() -> None:
    """At some moment of a game, one wrong number in any determined field is named, and in the bytes."""
    unseen = set(DETERMINED)
    for mirror, _action in moments(range(2, 40, 9), 300):
        row = mirror.row
        if row[0]["mode"] == COMPOSE:
            continue
        there = project(mirror.plan.rules, mirror.state)
        assert compare(there, row) == []
        assert same_cells(mirror.state, row)
        for field in sorted(unseen):
            spoilt = broken(row, field)
            if field in compare(there, spoilt):
                assert not same_cells(mirror.state, spoilt), field
                unseen.remove(field)
        if not unseen:
            return
    pytest.fail(f"nobody notices {sorted(unseen)}")


@pytest.mark.parametrize(
    "change",
    [
        {"price": 1}, {"max_fields": 2}, {"reveal": 3}, {"draw": 1}, {"exhaustions": 2}, {"all_single": 1},
        {"must_join": 1}, {"own_turn": 1}, {"to_box": 1}, {"end": 1}, {"eager": 0},
    ],
)  # fmt: skip
def test_mirrored_game_notices_a_broken_rule(change: dict[str, int]) -> None:
    """A twin that plays by one other rule is found out within a few games."""

    class Wrong(Plan, frozen=True):
        def table(self) -> Rows:
            table = super().table()
            for name, value in change.items():
                table[name] = value
            return table

    with pytest.raises(Differs, match=r"full for 4, house rules \(\).*seed"):  # noqa: PT012 - one of several games
        for number in range(20):
            mirrored_game(Wrong(resolve("full", 4), number, TINY), Chance(number), 50)


def test_mirrored_game_notices_wrong_pay() -> None:
    """A harvest that pays otherwise is found out by the very command."""
    mirror = Mirror(Plan(TRADING, 3))
    mirror.table["pays"] += 1
    choose = Chance(3)
    with pytest.raises(Differs, match=r"coins.* after Harvest"):  # noqa: PT012 - somewhere in the game
        while mirror.mask:
            mirror.play(choose(mirror.mask))


def test_mirrored_game_notices_a_refusal() -> None:
    """An action that the core refuses is a difference."""
    mirror = at_trading()
    propose(mirror, 1, A_WANT + Bean.RED)
    mirror.row["mode"] = ASKED
    with pytest.raises(Differs, match="the core refuses"):  # noqa: PT012 - the first or the second
        mirror.play(A_PARTNER + 1)
        mirror.play(A_HAND + Bean.GARDEN)
        mirror.row["give_hand"] = 0
        mirror.row["want"][0, Bean.COFFEE] = 1  # not in the deck of four players
        mirror.play(A_PROPOSE)


# -- positions as rows -------------------------------------------------------------------------------------

PHASE_NUMBERS = {
    PlantPhase: PLANT, RevealPhase: REVEAL, TradePhase: TRADE, PlantTradedPhase: PLANT_TRADED,
    LeftoversPhase: LEFTOVERS, FaceUpPhase: FACE_UP, EndPhase: END,
}  # fmt: skip


def test_project_shows_each_phase_as_it_is() -> None:
    """In every phase the row holds the piles in order, the hands front first, and what lies face up."""
    seen: set[type] = set()
    for mirror, action in moments(range(0, 34, 6), 2_000):
        if mirror.played.decisions % 5 and action >= 0:
            continue
        state = mirror.state
        g = project(mirror.plan.rules, state)[0]
        phase = state.phase
        seen.add(type(phase))
        assert g["phase"] == PHASE_NUMBERS[type(phase)]
        assert g["planted"] == getattr(phase, "planted", 0)
        shown = [bean for where in ("face_up", "leftovers", "unscored") for bean in getattr(phase, where, ())]
        assert g["face_up"].tolist() == [shown.count(bean) for bean in Bean]
        assert tuple(g["draw"][: g["draws"]]) == state.draw_pile
        for seat, player in enumerate(state.players):
            assert tuple(g["hand"][seat, : g["hands"][seat]]) == player.hand
            assert tuple(g["treasury"][seat, : g["coins"][seat]]) == player.treasury
            assert g["set_aside"][seat].sum() == len(player.set_aside)
    assert seen == set(PHASE_NUMBERS)


def test_project_leaves_the_floor_neutral() -> None:
    """What a position does not know is zero: the chance, the script, who is asked, what has happened."""
    g = project(TRADING, at_trading().state)[0]
    for name in ("rng", "script_end", "traders", "attentive", "fresh", "waiting", "decisions", "commands"):
        assert g[name] == 0


def test_project_shows_the_waiting_offer_and_forgets_the_declined_one() -> None:
    """An offer lies on the floor until it is answered."""
    mirror = at_trading()
    front = int(mirror.row[0]["hand"][0, 0])
    propose(mirror, 2, A_HAND + front, A_WANT + Bean.RED)
    g = project(TRADING, mirror.state)[0]
    assert (g["maker"], g["partner"]) == (0, 2)
    assert (g["give_hand"][front], g["want"][Bean.RED], g["give_face"].sum()) == (1, 1, 0)
    mirror.play(A_DECLINE)
    g = project(TRADING, mirror.state)[0]
    assert (g["maker"], g["partner"]) == (-1, -1)


def test_project_refuses_offers_the_floor_does_not_know() -> None:
    """Open offers, offers to several seats and two that stand at once have no row."""
    state = at_trading().state
    rows = (
        (MakeOffer(0, (1,), want=(Bean.RED,), open=True),),
        (MakeOffer(0, (1, 2), want=(Bean.RED,)),),
        (MakeOffer(0, (1,), want=(Bean.RED,)), MakeOffer(0, (2,), want=(Bean.RED,))),
    )
    for commands in rows:
        after = state
        for command in commands:
            after = fold(decide(TRADING, after, command), after)
        with pytest.raises(ValueError, match="the floor has one direct offer"):
            project(TRADING, after)


def test_project_refuses_a_game_the_twin_does_not_play() -> None:
    """Das Duell has no row."""
    rules = resolve("das-duell", 2)
    with pytest.raises(ValueError, match="das-duell"):
        project(rules, fold(opening(rules, seed_from(1))))


def test_begin_goes_on_from_every_moment() -> None:
    """A twin that forgets its row after every second decision still plays the same game."""
    for number in range(0, 33, 8):
        plan = plan_for(number)
        plan = Plan(plan.rules, number, BRISK, attentive=plan.attentive, anew=2)
        assert mirrored_game(plan, Chance(number), most=300).decisions > 100


def test_begin_asks_whoever_is_to_answer() -> None:
    """With an offer on the table its addressee decides; else the traders, the active player first."""
    mirror = at_trading()
    row = begin(TRADING, mirror.state, traders=0b1010)
    assert (row[0]["seat"], row[0]["mode"]) == (1, ASKED)
    propose(mirror, 3, A_WANT + Bean.RED)
    row = begin(TRADING, mirror.state)
    assert (row[0]["seat"], row[0]["mode"]) == (3, ANSWER)


def test_deal_is_the_cores_deal() -> None:
    """The twin's own deal gives every hand its size by turn order, and loses no card."""
    for edition, players in EVERY_TABLE:
        rules = resolve(edition, players)
        row = begin(rules, fold(opening(rules, seed_from(2))))
        table = tables(rules)
        deal(table, row, 0, 11)
        g = row[0]
        sizes = [int(g["hands"][(g["starter"] + turn) % players]) for turn in range(players)]
        assert tuple(sizes) == rules.deal
        cards = [
            *g["draw"][: g["draws"]],
            *(c for p in range(players) for c in g["hand"][p, : g["hands"][p]]),
        ]
        assert [cards.count(bean) for bean in Bean] == list(rules.deck)
        assert g["active"] == g["starter"]
        assert legal(table, row, 0) == (1 << rules.fields) - 1 << A_PLANT


# -- actions as commands -----------------------------------------------------------------------------------


def test_to_commands_gives_one_command_or_none_for_each_class() -> None:
    """Harvest, purchase, planting, discarding, selecting and composing stand for what their names say."""
    plain: dict[int, tuple[type, ...]] = {
        A_BUY: (BuyField,),
        A_ACCEPT: (AcceptOffer,),
        A_DECLINE: (DeclineOffer,),
    }
    for mirror, action in moments(range(0, 33, 2), 150):
        if action < 0:
            continue
        found, mode = commands_of(mirror, action), int(mirror.row[0]["mode"])
        kinds = tuple(type(command) for command in found)
        if action in plain:
            assert kinds[:1] == plain[action]
        elif A_HARVEST <= action < A_BUY:
            assert kinds == (Harvest,)
        elif action < A_HARVEST:
            assert kinds[0] in {Plant, PlantSetAside, PlantLeftover, PlantFaceUp}
        elif mode == COMPOSE:
            assert (kinds[0] in {MakeOffer, EditOffer}) if action == A_PROPOSE else not kinds
        elif mode == DUE and action != A_GO_ON:
            expected: dict[bool, tuple[type, ...]] = {True: (DiscardLeftover,), False: (DiscardFromHand,)}
            assert kinds == (() if action < A_HAND else expected[action == A_DISCARD])
        elif mode == MOMENT or action != A_GO_ON:
            assert kinds == ()


def test_proposing_names_the_front_most_cards() -> None:
    """An offer takes the first copies of each kind, and its kinds sorted."""
    mirror = at_trading()
    hand = mirror.state.players[0].hand
    kinds = sorted(set(hand))
    propose(mirror, 1, *(A_HAND + kind for kind in kinds), A_WANT + Bean.RED, A_WANT + Bean.RED)
    offer = waiting_offer(mirror.state)
    assert offer is not None
    assert offer.hand == tuple(Copy(hand.index(kind), kind) for kind in kinds)
    assert offer.want == (Bean.RED, Bean.RED)


def test_proposing_again_edits_the_declined_offer() -> None:
    """A maker has one offer: the next one replaces what was declined, whoever it is for."""
    mirror = at_trading()
    propose(mirror, 1, A_WANT + Bean.RED)
    mirror.play(A_DECLINE)
    mirror.play(A_PARTNER + 2)
    mirror.play(A_WANT + Bean.BLUE)
    (command,) = commands_of(mirror, A_PROPOSE)
    assert isinstance(command, EditOffer)
    assert (command.to, command.want, command.revision) == ((2,), (Bean.BLUE,), 1)


def test_accepting_takes_face_up_beans_before_hand_cards() -> None:
    """The active player serves from what lies there first, then with the front-most hand cards."""
    for mirror, action in moments(range(2, 33, 2)):
        offer = waiting_offer(mirror.state)
        if action != A_ACCEPT or offer is None or offer.to[0] != mirror.state.active_player or not offer.want:
            continue
        command = commands_of(mirror, action)[0]
        assert isinstance(command, AcceptOffer)
        phase = mirror.state.phase
        assert isinstance(phase, TradePhase)
        for kind in set(offer.want):
            taken = sum(copy.bean == kind for copy in command.face_up)
            assert taken == min(offer.want.count(kind), phase.face_up.count(kind))
        if command.face_up and command.hand:
            return
    pytest.fail("no acceptance with both")


@pytest.mark.parametrize(
    ("rules", "end"),
    [(TRADING, (EndTrading(0),)), (UNANIMOUS, (Pass(0), Pass(1), Pass(2), Pass(3)))],
)
def test_the_last_pass_ends_the_trading(rules: Rules, end: tuple[Command, ...]) -> None:
    """Passing says nothing in the core until nobody is left; then it closes the trading."""
    mirror = at_trading(rules)
    for _seat in range(3):
        assert commands_of(mirror, A_GO_ON) == ()
        mirror.play(A_GO_ON)
    assert commands_of(mirror, A_GO_ON) == end
    mirror.play(A_GO_ON)
    assert isinstance(mirror.state.phase, PlantTradedPhase)


@pytest.mark.parametrize("rules", [TRADING, UNANIMOUS])
def test_the_last_exchange_of_a_turn_ends_the_trading(rules: Rules) -> None:
    """At the floor's limit an acceptance closes as well."""
    mirror = at_trading(rules, FloorSetting("one", 5, 5, 1))
    propose(mirror, 1, A_HAND + int(mirror.row[0]["hand"][0, 0]))
    first, *rest = commands_of(mirror, A_ACCEPT)
    assert isinstance(first, AcceptOffer)
    assert {type(command) for command in rest} == {Pass if rules is UNANIMOUS else EndTrading}
    mirror.play(A_ACCEPT)
    assert isinstance(mirror.state.phase, PlantTradedPhase)


def test_the_end_of_patience_ends_the_trading() -> None:
    """At the floor's limit a refusal closes as well."""
    mirror = at_trading(patience=2)
    propose(mirror, 1, A_WANT + Bean.RED)
    assert [type(command) for command in commands_of(mirror, A_DECLINE)] == [DeclineOffer]
    mirror.play(A_DECLINE)
    propose(mirror, 1, A_WANT + Bean.RED)
    assert [type(command) for command in commands_of(mirror, A_DECLINE)] == [DeclineOffer, EndTrading]
    mirror.play(A_DECLINE)
    assert isinstance(mirror.state.phase, PlantTradedPhase)


def test_nobody_to_trade_ends_the_trading_at_once() -> None:
    """Where the floor asks nobody, turning over is followed by the end of the trading."""
    mirror = Mirror(Plan(TRADING, 1, traders=0))
    mirror.play(actions_in(mirror.mask)[0])
    assert commands_of(mirror, A_GO_ON) == (Reveal(0), EndTrading(0))
    mirror.play(A_GO_ON)
    assert isinstance(mirror.state.phase, PlantTradedPhase)


def test_a_face_up_bean_that_fits_nowhere_cannot_be_selected() -> None:
    """In the bean duel nobody is led into planting what he has no field for (DUEL-10)."""
    for mirror, _action in moments(range(0, 200, 6), 120):
        g = mirror.row[0]
        if g["phase"] != FACE_UP or g["mode"] != DUE or g["selected"] >= 0:
            continue
        grows = {field[-1] for field in mirror.state.players[g["seat"]].fields if field}
        if all(mirror.state.players[g["seat"]].fields) and not grows.issuperset(
            kind for kind in Bean if g["face_up"][kind]
        ):
            lying = {kind for kind in Bean if g["face_up"][kind]}
            assert {
                action - A_FACE for action in actions_in(mirror.mask) if A_FACE <= action < A_HAND
            } == lying & grows
            return
    pytest.fail("no such moment")


@pytest.mark.compiled
def test_best_of_finds_the_cores_winners() -> None:
    """Ties are broken by the hand or shared, as the core does it (TIE-1, TIE-3)."""
    for tie in ("most_hand_cards", "shared"):
        rules = resolve("classic", 3, f"tie={tie}")
        row = begin(rules, fold(opening(rules, seed_from(1))))
        row["coins"][0, :3] = 4, 4, 3
        row["hands"][0, :3] = 1, 2, 9
        assert best_of(tables(rules)[0], row[0]) == (0b010 if tie == "most_hand_cards" else 0b011)
