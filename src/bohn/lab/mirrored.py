"""Mirrored games: core and twin play the same game side by side, and every difference is an error.

The core goes first. The orders of its shuffles are handed to the twin, which then makes the same step; after
every command the two positions are compared, and at chosen decisions also what is legal. All chance is
Python's, from one seed a game, so that a difference can be shown again.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from bohn.lab.compiling import compiled
from bohn.lab.mirror import (
    ROOM,
    begin,
    cells,
    compare,
    lying,
    project,
    to_commands,
    waiting_offer,
    write_cells,
)
from bohn.lab.row import (
    ASKED,
    COMPOSE,
    MOMENT,
    SEATS,
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
    due_seat,
    legal,
    step,
    waits_for,
)
from bohn.play.floor import BRISK, FREE, FloorSetting
from bohn.rules.beans import Bean
from bohn.rules.commands import (
    AcceptOffer,
    BuyField,
    Command,
    DeclineOffer,
    DiscardFromHand,
    DiscardLeftover,
    Harvest,
    KeepHand,
    LeaveRest,
    Plant,
    PlantFaceUp,
    PlantLeftover,
    PlantSetAside,
    Reveal,
)
from bohn.rules.deal import opening
from bohn.rules.decide import decide
from bohn.rules.editions import EDITIONS
from bohn.rules.errors import BohnError, IllegalCommand
from bohn.rules.events import Reshuffled, Traded
from bohn.rules.evolve import fold
from bohn.rules.legal import OfferSpace, legal_commands, may_act, offer_space, waiting
from bohn.rules.resolve import MOST_CARDS, MOST_TOKENS, head_start, house_rules_for, resolve
from bohn.rules.ruleset import Rules
from bohn.rules.shuffle import seed_from
from bohn.rules.state import EndPhase, Offer, State, TradePhase


class Differs(BohnError):  # noqa: N818 - it says what happened
    """Core and twin are not the same game: what differs, and how to come there again."""


@compiled
def _winners(rules: Any, states: Any, i: int) -> int:
    return best_of(rules[0], states[i])


@compiled
def _waiting(states: Any, i: int) -> int:
    """Return whom the twin waits for outside the trading: as bits, and above them the first in order."""
    g = states[i]
    seats = 0
    for p in range(g["players"]):
        seats |= int(waits_for(g, p)) << p
    return seats | due_seat(g) << SEATS


def waiting_bits(rules: Rules, state: State) -> int:
    """Return whom the core waits for, in the form of :func:`_waiting`."""
    seats = waiting(rules, state)
    return sum(1 << seat for seat in seats) | seats[0] << SEATS


# -- what the core allows, as actions of the twin -----------------------------------------------------


def expected(rules: Rules, state: State, row: Rows, table: Rows) -> int:
    """Return the actions that must be legal by what the core allows the seat that decides, as bits."""
    g = row[0]
    seat, mode = int(g["seat"]), int(g["mode"])
    if isinstance(state.phase, EndPhase):
        return 0
    if mode == COMPOSE:
        return _composable(rules, offer_space(rules, state, seat), g)
    mask = 1 << A_GO_ON if mode in {ASKED, MOMENT} else 0
    offer = waiting_offer(state)
    for command in legal_commands(rules, state, seat):
        action = _action_of(state, command, int(g["selected"]), offer)
        mask |= 1 << action if action is not None else 0
    if mode == ASKED and _tries(table, g, seat) > 0:
        for partner in _partners(state, offer_space(rules, state, seat), seat):
            mask |= 1 << A_PARTNER + partner
    return mask


def _tries(table: Rows, g: Any, seat: int) -> int:
    """Return how many offers the floor still takes from a seat."""
    r = table[0]
    return int(min(r["offers_a_turn"] - g["made"][seat], r["offers_between"] - g["since"][seat]))


def _partners(state: State, space: OfferSpace, seat: int) -> tuple[int, ...]:
    """Return whom a seat may make an offer, or edit the one it has."""
    phase = state.phase
    stands = isinstance(phase, TradePhase) and any(offer.maker == seat for offer in phase.offers)
    return space.partners if space.slots or stands else ()


def _composable(rules: Rules, space: OfferSpace, g: Any) -> int:
    """Return how an offer may be composed further, in rising order."""
    hand = [copy.bean for copy in space.hand]
    face_up = [copy.bean for copy in space.face_up]
    mask = 0
    for kind in Bean:
        mask |= (face_up.count(kind) > g["give_face"][kind]) << A_FACE + kind
        mask |= (hand.count(kind) > g["give_hand"][kind]) << A_HAND + kind
        mask |= (kind in space.kinds and rules.deck[kind] > g["want"][kind]) << A_WANT + kind
    mask = int(mask) >> int(g["last"]) << int(g["last"])
    composed = g["give_face"].any() or g["give_hand"].any() or g["want"].any()
    return mask | 1 << A_PROPOSE if composed else mask


_GOING_ON = (Reveal, KeepHand, LeaveRest)


def _action_of(state: State, command: Command, selected: int, offer: Offer | None) -> int | None:
    """Return the action by which the twin begins a legal command, if the floor can express it now."""
    if isinstance(command, Harvest):
        return A_HARVEST + command.field
    if isinstance(command, BuyField):
        return A_BUY
    if isinstance(command, AcceptOffer | DeclineOffer):
        if offer is None or command.offer != offer.id:
            return None
        return A_ACCEPT if isinstance(command, AcceptOffer) else A_DECLINE
    if isinstance(command, Plant):
        return A_PLANT + command.field
    if isinstance(command, DiscardFromHand):
        return A_HAND + command.copy.bean
    if isinstance(command, _GOING_ON):
        return A_GO_ON if selected < 0 else None
    return _action_with_bean(state, command, selected)


def _action_with_bean(state: State, command: Command, selected: int) -> int | None:
    """Return the action for a bean that is selected first; the one selected is all there is to plant."""
    if isinstance(command, PlantSetAside):
        bean = state.players[command.player].set_aside[command.place]
    elif isinstance(command, PlantLeftover | DiscardLeftover | PlantFaceUp):
        bean = lying(state)[command.place]
    else:
        return None
    if selected < 0:
        return A_FACE + bean
    if selected != bean:
        return None
    return A_DISCARD if isinstance(command, DiscardLeftover) else A_PLANT + command.field


# -- one game ----------------------------------------------------------------------------------------


class Plan(Struct, frozen=True):
    """What a mirrored game is: its rules, its seed, and the floor.

    ``traders`` and ``attentive`` are seats as bits. Every ``anew`` decisions (0: never) the twin
    forgets its row and goes on from the core's position. ``pile`` (0: all) is the number of cards left to
    draw, the rest is boxed: piles that run out at the same time are rare elsewhere (DRAW-3).
    """

    rules: Rules
    seed: int
    setting: FloorSetting = FREE
    traders: int = 127
    attentive: int = 0
    patience: int = 20_000
    anew: int = 0
    pile: int = 0

    def table(self) -> Rows:
        """Return the twin's tables for this game."""
        table = tables(self.rules, self.setting)
        table["patience"] = self.patience
        return table


class Played(Struct):
    """What one mirrored game has compared.

    A ``stuck`` game ended early: a seat that may harvest in its own turn only can be without a field for a
    traded bean. No edition with trading has this policy.
    """

    commands: int = 0
    decisions: int = 0
    checks: int = 0
    trades: int = 0
    stuck: bool = False


Choose = Callable[[int], int]
"""Picks one of the legal actions, given as bits."""


class Mirror:
    """One game in progress, in the core and in the twin."""

    def __init__(self, plan: Plan) -> None:
        """Deal in the core; the twin begins from there."""
        self.plan = plan
        self.table = plan.table()
        self.state = fold(opening(plan.rules, seed_from(plan.seed)))
        if plan.pile:
            boxed, left = self.state.draw_pile[: -plan.pile], self.state.draw_pile[-plan.pile :]
            self.state = replace(self.state, draw_pile=left, box=self.state.box + boxed)
        self.traders = plan.traders & (1 << plan.rules.players) - 1
        self.begin()
        self.played = Played()
        self._out = np.zeros(ROOM, np.uint8)

    def begin(self) -> None:
        """Let the twin begin from the core's position."""
        plan = self.plan
        self.row = begin(
            plan.rules, self.state, traders=self.traders, attentive=plan.attentive, table=self.table
        )
        self.mask = int(legal(self.table, self.row, 0))

    def play(self, action: int) -> None:
        """Play one legal action in both accounts, and compare after every command."""
        plan, row = self.plan, self.row
        self.played.decisions += 1
        commands = to_commands(plan.rules, self.state, row, action, self.table)
        script = self._up_to_the_last(action, commands) if len(commands) > 1 else ()
        if commands:
            script += self._decide(commands[-1])
        self.mask = _stepped(self.table, row, action, script)
        if commands:
            self._compare(row, commands[-1])
        if plan.anew and self.played.decisions % plan.anew == 0 and row[0]["mode"] != COMPOSE:
            self.begin()

    def _up_to_the_last(self, action: int, commands: tuple[Command, ...]) -> tuple[int, ...]:
        """Play all but the last command of an action that also ends the trading; return their shuffles.

        The twin makes one step of it, so a copy shows what lies between: one without limits, on which
        somebody is still to be asked.
        """
        between = self.row.copy()
        script = self._decide(commands[0])
        if between[0]["mode"] != ASKED:
            limitless = self.table.copy()
            limitless["exchanges_a_turn"] = limitless["patience"] = 1 << 30
            between["traders"] = (1 << self.plan.rules.players) - 1
            _stepped(limitless, between, action, script)
        self._compare(between, commands[0])
        for command in commands[1:-1]:
            self._decide(command)
            self._compare(between, command)
        return script

    def _decide(self, command: Command) -> tuple[int, ...]:
        """Play a command in the core and return the orders of its shuffles."""
        try:
            events = decide(self.plan.rules, self.state, command)
        except IllegalCommand as refusal:
            raise self._differs(
                f"the core refuses {command!r}: {refusal.reason} ({refusal.clause})"
            ) from refusal
        self.state = fold(events, self.state)
        self.played.commands += 1
        self.played.trades += type(events[0]) is Traded
        return tuple([card for event in events if type(event) is Reshuffled for card in event.order])

    def _compare(self, row: Rows, command: Command) -> None:
        n = write_cells(row, 0, self._out)
        g = row[0]
        if self._out[:n].tobytes() != cells(self.state) or g["script_at"] != g["script_end"]:
            names = compare(project(self.plan.rules, self.state), row) or ["script"]
            raise self._differs(f"{', '.join(names)} after {command!r}")
        if isinstance(self.state.phase, TradePhase | EndPhase):
            return
        if waiting_bits(self.plan.rules, self.state) != _waiting(row, 0):
            raise self._differs(f"whom the game waits for after {command!r}")

    def check(self) -> None:
        """Compare what is legal: the twin's actions and the core's commands, and that the core takes them."""
        rules, state, row = self.plan.rules, self.state, self.row
        self.played.checks += 1
        wanted = expected(rules, state, row, self.table)
        if wanted != self.mask:
            missing, extra = actions_in(wanted & ~self.mask), actions_in(self.mask & ~wanted)
            raise self._differs(f"legal actions: the twin lacks {missing} and has {extra} too many")
        if self.mask and int(row[0]["seat"]) not in may_act(rules, state):
            raise self._differs(f"seat {row[0]['seat']} decides, and may not act")
        for action in actions_in(self.mask):
            for command in to_commands(rules, state, row, action, self.table)[:1]:
                try:
                    decide(rules, state, command)
                except IllegalCommand as refusal:
                    raise self._differs(f"action {action}, {command!r}: {refusal.reason}") from refusal

    def check_result(self) -> None:
        """Compare the winners of a finished game."""
        phase = self.state.phase
        if isinstance(phase, EndPhase):
            winners = sum(1 << seat for seat in phase.result.winners)
            if winners != _winners(self.table, self.row, 0):
                raise self._differs(f"winners: {phase.result!r}")
        elif not self.played.stuck or self.plan.rules.harvest != "own_turn":
            raise self._differs(f"the twin knows no action, the core is at {phase!r}")

    def _differs(self, what: str) -> Differs:
        plan, rules = self.plan, self.plan.rules
        g = self.row[0]
        where = f"turn {self.state.turn}, seat {g['seat']}, phase {g['phase']}, mode {g['mode']}"
        return Differs(
            f"{what}\n"
            f"{rules.edition} for {rules.players}, house rules {rules.house_rules}, harvest {rules.harvest}, "
            f"coins to {rules.coins_to}; floor {plan.setting.name}, traders {plan.traders:b}, "
            f"attentive {plan.attentive:b}, patience {plan.patience}, pile {plan.pile}; seed {plan.seed}, "
            f"command {self.played.commands}, decision {self.played.decisions}: {where}"
        )


def _stepped(table: Rows, row: Rows, action: int, script: tuple[int, ...]) -> int:
    """Step the twin, with the orders of the shuffles that the core has made; return what is legal then."""
    if script:
        row["script"][0, : len(script)] = script
    row["script_at"] = 0
    row["script_end"] = len(script)
    return int(step(table, row, 0, action))


def mirrored_game(plan: Plan, choose: Choose, every: int = 1, most: int = 1 << 30) -> Played:
    """Play one game in core and twin; compare after every command, and at every n-th decision what is legal.

    It breaks off after ``most`` decisions. Raises :class:`Differs` where core and twin are not the same.
    """
    mirror = Mirror(plan)
    played = mirror.played
    until = plan.seed % every
    while mirror.mask and played.decisions < most:
        if until == 0:
            mirror.check()
            until = every
        until -= 1
        mirror.play(choose(mirror.mask))
    mirror.check()
    if not mirror.mask:
        played.stuck = bool(mirror.row[0]["seat"] >= 0)
        mirror.check_result()
    return played


def actions_in(mask: int) -> list[int]:
    """Return the actions of a mask, rising."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


# -- what is played ------------------------------------------------------------------------------------

EVERY_TABLE: tuple[tuple[str, int], ...] = tuple(
    (edition, players)
    for edition, by_players in EDITIONS.items()
    for players, rules in by_players.items()
    if rules.game in {"main", "bean-duel"}
)
"""Every edition and number of players that the twin plays."""

TINY = FloorSetting("tiny", 3, 2, 1)
"""One exchange a turn, so that the floor's limits are reached often."""

_BEYOND = {"harvest": ("any_time", "own_turn"), "coins_to": ("discard", "box")}
"""Policies that editions have and no house may choose."""


def plan_for(number: int) -> Plan:
    """Return the plan of game ``number``: all tables in turn, half of them with house rules."""
    edition, players = EVERY_TABLE[number % len(EVERY_TABLE)]
    chance = Random(number)
    everybody = (1 << players) - 1
    return Plan(
        rules_for(edition, players, chance) if chance.random() < 0.5 else resolve(edition, players),
        number,
        chance.choices((BRISK, TINY, FREE), (6, 3, 1))[0],
        everybody if chance.random() < 0.8 else chance.randrange(everybody + 1),
        chance.choice((0, everybody, chance.randrange(everybody + 1))),
        chance.choice((20_000, 20_000, 4)),
        chance.choice((0, 0, 0, 29)),
        chance.randrange(1, 12) if chance.random() < 0.25 else 0,
    )


def rules_for(edition: str, players: int, chance: Random) -> Rules:
    """Return rules with house rules and head starts drawn from all there are, and policies beyond them."""
    options: dict[str, list[str]] = {}
    for text in house_rules_for(resolve(edition, players)):
        options.setdefault(text.partition("=")[0], []).append(text)
    rules = resolve(
        edition, players, *(chance.choice(texts) for texts in options.values() if chance.random() < 0.4)
    )
    for seat in chance.sample(range(players), chance.choice((0, 0, 1, players))):
        house = head_start(seat, chance.randint(1, MOST_TOKENS), chance.randint(0, MOST_CARDS))
        rules = resolve(edition, players, *rules.house_rules, house)
    beyond = {key: chance.choice(values) for key, values in _BEYOND.items() if chance.random() < 0.2}
    return replace(rules, **beyond)


_HARVESTS = 7 << A_HARVEST
_PARTNERS = 127 << A_PARTNER
_FACES, _HANDS, _WANTS = (2047 << first for first in (A_FACE, A_HAND, A_WANT))


class Chance:
    """Chooses at random, by class of actions: harvests seldom, offers of few cards, long enough games."""

    def __init__(self, seed: int) -> None:
        """Draw the habits of this game."""
        self._random = Random(seed)
        self._harvests = self._random.choice((0.02, 0.1, 0.3))
        self._offers = self._random.choice((0.3, 0.6, 0.85))
        self._accepts = self._random.choice((0.2, 0.5, 0.9))
        self._proposes = self._random.choice((0.3, 0.5, 0.7))

    def __call__(self, mask: int) -> int:
        """Return one of the actions in a mask."""
        draw = self._random.random
        if mask & _HARVESTS and mask & ~_HARVESTS:
            mask &= _HARVESTS if draw() < self._harvests else ~_HARVESTS
        if mask >> A_PROPOSE & 1:
            if draw() < self._proposes:
                return A_PROPOSE
            mask = mask & ~(1 << A_PROPOSE) or mask
        if mask >> A_ACCEPT & 1 and draw() < self._accepts:
            return A_ACCEPT
        if mask & _PARTNERS:
            mask &= _PARTNERS if draw() < self._offers else ~_PARTNERS
        elif mask & _WANTS:
            mask &= self._random.choice([group for group in (_FACES, _HANDS, _WANTS) if mask & group])
        return self._random.choice(actions_in(mask))
