"""The traders: every decision by what positions are worth, with the functions of `bohn.lab.players`.

The same functions play millions of compiled games in the arena. Without Numba they run interpreted, slower.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from bohn.bots.api import Choices, Command, Knowledge, OfferView, TradeView, View
from bohn.bots.bargaining import Proposal, copies_of, offer_command, own_useful
from bohn.bots.duelling import Duellist
from bohn.bots.farming import coins_ahead, hand, least_regret, seat
from bohn.bots.reasons import USELESS, Reason, why, why_refused
from bohn.lab.compiling import COMPILED
from bohn.lab.players.calls import answer_at, farm_at, few_at, gains_at, learn_at, offer_at
from bohn.lab.players.player_memory import Table, expected_coins, new_memories
from bohn.lab.players.search import search
from bohn.lab.players.sight import complete, lay, seen
from bohn.lab.players.styles import styles_of
from bohn.lab.row import BEAN_DUEL, DUE, Rows, tables
from bohn.lab.twin import A_BUY, A_FACE, A_HAND, A_HARVEST, A_PLANT, A_WANT
from bohn.play.floor import BRISK, FREE
from bohn.rules.beans import BEANS, Bean
from bohn.rules.commands import (
    AcceptOffer,
    BuyField,
    Claim,
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
from bohn.rules.ruleset import Rules

GAMES = ("main", "bean-duel")
"""The games that traders weigh; Das Duell they play as their base class does."""

_PLANTS = (Plant, PlantSetAside, PlantLeftover, PlantFaceUp)
_ONWARDS = (Reveal, KeepHand, LeaveRest, DiscardLeftover)


@lru_cache(maxsize=64)
def _rules(rules: Rules, few: bool) -> tuple[Rows, Table]:
    """Return the tables of rules, and what fields are expected to bring under them."""
    row = tables(rules, BRISK if few else FREE)
    return row, expected_coins(row)


@lru_cache(maxsize=8)
def _scratch(players: int) -> Rows:
    """Return player memories for search, two a seat; all bots of a process take turns with them."""
    return new_memories([0] * 2 * players)


class _Asked(NamedTuple):
    """An own offer that waits for its answer: in which turn, to whom, its cards, and what the maker had."""

    turn: int
    partner: int
    face_up: tuple[Bean, ...]
    hand: tuple[Bean, ...]
    want: tuple[Bean, ...]
    set_aside: int
    hand_size: int

    def stands_as(self, offer: OfferView) -> bool:
        """Tell whether an offer on the table is this one."""
        lying = tuple(sorted(copy.bean for copy in offer.face_up))
        cards = (lying, tuple(sorted(offer.hand)), tuple(sorted(offer.want)))
        return self.partner in offer.to and cards == (self.face_up, self.hand, self.want)

    def came_about(self, view: View, me: int) -> bool:
        """Tell whether the maker's cards have changed as the offer says."""
        own = view.players[me]
        gained, gone = len(own.set_aside) - self.set_aside, self.hand_size - own.hand_size
        return bool(self.hand or self.want) and (gained, gone) == (len(self.want), len(self.hand))


class Trader(Duellist):
    """A player that weighs exchanges and fields; a subclass has the name of its style."""

    name = "trader"
    trades = True
    uses_knowledge = True

    def __init__(self, seed: int = 0) -> None:
        """Begin with an empty player memory."""
        super().__init__(seed)
        self._styles = styles_of([self.name])
        self._duel_styles = styles_of([self.name], BEAN_DUEL)
        self._searches = bool(self._styles["playouts"][0] or self._styles["quiet"][0])
        self._memory = new_memories([0])
        self._memory["k_of"], self._memory["open_of"] = self._styles["k_guess"][0], self._styles["learns"][0]
        self._asked: _Asked | None = None
        self._seen = b""
        self._changes = 0
        self._turn = -1
        self._made: set[tuple[object, ...]] = set()
        self._last: tuple[View, Knowledge, Command | None] | None = None
        self._next_bean: Bean | None = None

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Return the next command."""
        command = self._decide(view, choices, knowledge)
        self._last = view, knowledge, command
        return command

    def reason(self) -> Reason | None:
        """Return why it gave its last command, as far as that can be told without showing its hand."""
        if self._last is None:
            return None
        view, knowledge, command = self._last
        if isinstance(command, DeclineOffer) and isinstance(view.phase, TradeView):
            offer = next(one for one in view.phase.offers if one.id == command.offer)
            return self._why_refused(view, offer, knowledge)
        return why(view, command, self._next_bean)

    def _why_refused(self, view: View, offer: OfferView, knowledge: Knowledge) -> Reason | None:
        """Weigh an offer once more as a spectator would: the own hand is left out.

        Whatever it may cost, what grows on an own field is not said to be of no help.
        """
        me = seat(view)
        rules, table = _rules(view.rules, few=True)
        rows = seen(replace(view, viewer=None, own=None), knowledge)
        lay(rows, offer, me)
        memory = new_memories([0])
        own, other = gains_at(rules, rows, 0, table, self._styles, memory, me)
        counts_lead = bool(self._styles["lead"][0]) and coins_ahead(view, offer.maker) > 1
        found = why_refused(own, other, float(memory["lead"][0, offer.maker]) if counts_lead else 0.0)
        return None if found == USELESS and own_useful(view).intersection(offer.given) else found

    def _decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        if view.rules.game not in GAMES:
            return super().decide(view, choices, knowledge)
        few = choices.tries <= BRISK.offers_a_turn
        rules, table = _rules(view.rules, few)
        rows = self._look(view, knowledge)
        if isinstance(view.phase, TradeView):
            return self._trade(view, view.phase, choices, rows, rules, table)
        return self._farm(view, choices, rows, rules, table) if view.viewer in view.waiting else None

    def _look(self, view: View, knowledge: Knowledge) -> Rows:
        """Return the position as a row, numbered anew whenever it has changed."""
        rows = seen(view, knowledge)
        now = rows.tobytes()
        if now != self._seen:
            self._seen = now
            self._changes += 1
        rows["commands"] = self._changes
        rows["offers"] = rows["trades"] + rows["gifts"]  # so that the number of changes is the stamp
        shown = self._memory["known"][0]
        shown[:] = 0
        for player, counts in enumerate(knowledge.shown):
            if player != view.viewer:
                shown[player] = counts
        met = self._memory["exchanges"][0]
        for player, counts in enumerate(knowledge.exchanges):
            met[player, : len(counts)] = counts
        return rows

    def sell(self, view: View, possible: list[int]) -> int:
        """Return the field with most coins that the hand would not raise: Das Duell, without a manner."""
        return least_regret(view, possible)

    # trading

    def _trade(
        self, view: View, phase: TradeView, choices: Choices, rows: Rows, rules: Rows, table: Table
    ) -> Command | None:
        """Answer what waits for an answer, the best offer first; else propose."""
        self._learn_answer(view, phase, rows)
        me, own = seat(view), view.own
        asked = [
            offer
            for offer in phase.offers
            if me in offer.to and me not in offer.claimers and own is not None and offer.id not in own.refused
        ]
        if asked:
            weighed = [(self._weigh(rows, rules, table, offer, me), -offer.id, offer) for offer in asked]
            gain, _, best = max(weighed, key=lambda one: one[:2])
            if gain > 0:
                for command in choices.legal:
                    if isinstance(command, AcceptOffer | Claim) and command.offer == best.id:
                        return command
            worst = min(weighed, key=lambda one: one[:2])[2]
            return DeclineOffer(me, worst.id, worst.revision)
        few = bool(few_at(rules, self._styles))
        return self._propose(view, phase, rows, rules, table, few=few) if choices.tries > 0 else None

    def _weigh(self, rows: Rows, rules: Rows, table: Table, offer: OfferView, me: int) -> float:
        lay(rows, offer, me)
        return float(answer_at(rules, rows, 0, table, self._styles, self._memory, me))

    def _propose(
        self, view: View, phase: TradeView, rows: Rows, rules: Rows, table: Table, *, few: bool = False
    ) -> Command | None:
        """Make the best offer that was not made in this turn before."""
        me = seat(view)
        if self._turn != view.turn:
            self._turn = view.turn
            self._made.clear()
        while offer_at(rules, rows, 0, table, self._styles, self._memory, me):
            terms = _terms(rows)
            if terms in self._made:  # a ladder built anew has it again; it costs no try
                self._memory["tried"][0] -= 1
                rows["made"][0, me] -= 1
                rows["since"][0, me] -= 1
                continue
            self._made.add(terms)
            mine = view.players[me]
            self._asked = _Asked(view.turn, *terms, len(mine.set_aside), mine.hand_size) if few else None
            return offer_command(view, phase, _proposal(view, phase, terms))
        self._asked = None  # the expectation noted last is that of another offer
        return None

    def next_offers(
        self, view: View, choices: Choices, knowledge: Knowledge, most: int
    ) -> tuple[Proposal, ...]:
        """Return the offers it would make next, best first and at most ``most``, and change nothing."""
        phase, me = view.phase, seat(view)
        if view.rules.game not in GAMES or not isinstance(phase, TradeView) or choices.tries <= 0:
            return ()
        rules, table = _rules(view.rules, choices.tries <= BRISK.offers_a_turn)
        rows, memory = self._look(view, knowledge), self._memory.copy()
        made = self._made if self._turn == view.turn else set()
        found: dict[tuple[object, ...], Proposal] = {}
        for _ in range(most):
            if not offer_at(rules, rows, 0, table, self._styles, memory, me):
                break
            terms = _terms(rows)
            if terms not in made:
                found[terms] = _proposal(view, phase, terms)
            rows["made"][0, me] -= 1
            rows["since"][0, me] -= 1
        return tuple(found.values())

    def gains(
        self, view: View, choices: Choices, knowledge: Knowledge, offers: Iterable[OfferView]
    ) -> tuple[float, ...]:
        """Return by how much each offer to it is better than the least it accepts, in coins."""
        if view.rules.game not in GAMES:
            return tuple(-1.0 for _ in offers)
        rules, table = _rules(view.rules, choices.tries <= BRISK.offers_a_turn)
        rows, me = self._look(view, knowledge), seat(view)
        return tuple([self._weigh(rows, rules, table, offer, me) for offer in offers])

    def propose(self, view: View, knowledge: Knowledge, proposal: Proposal) -> Command:
        """Make one of its :meth:`next_offers`. Raises ``TypeError`` outside the trading."""
        if not isinstance(view.phase, TradeView):
            msg = "offers are made in the trading"
            raise TypeError(msg)
        self._learn_answer(view, view.phase, self._look(view, knowledge))
        if self._turn != view.turn:
            self._turn = view.turn
            self._made.clear()
        face, held = (tuple(copy.bean for copy in side) for side in (proposal.face_up, proposal.hand))
        self._made.add((proposal.to[0], tuple(sorted(face)), tuple(sorted(held)), proposal.want))
        self._asked = None  # nothing was expected of it
        return offer_command(view, view.phase, proposal)

    def _learn_answer(self, view: View, phase: TradeView, rows: Rows) -> None:
        """Learn from the answer to the last own offer, once it is plain what it was."""
        asked, me, own = self._asked, seat(view), view.own
        if asked is None or own is None:
            return
        standing = {offer.id for offer in phase.offers if offer.maker == me and asked.stands_as(offer)}
        refused = any(asked.partner in offer.declined for offer in own.offers if offer.id in standing)
        if standing and not refused and asked.turn == view.turn:
            return
        self._asked = None
        if asked.turn == view.turn and (refused or asked.came_about(view, me)):
            learn_at(rows, 0, self._styles, self._memory, asked.partner, not refused)

    # farming

    def _farm(self, view: View, choices: Choices, rows: Rows, rules: Rows, table: Table) -> Command | None:
        me = seat(view)
        if not choices.legal:
            return None
        styles = self._duel_styles if view.rules.game == "bean-duel" else self._styles
        action = int(farm_at(rules, rows, 0, table, styles, self._memory, me))
        bean: Bean | None = None
        if A_FACE <= action < A_HAND:
            bean = BEANS[action - A_FACE]
            rows["selected"] = bean
            action = int(farm_at(rules, rows, 0, table, styles, self._memory, me))
        if self._searches and COMPILED and view.rules.game == "main":
            action = self._search(rows, rules, table, me, action)
        self._next_bean = bean
        if A_HARVEST <= action < A_BUY:
            return Harvest(me, action - A_HARVEST)
        if action == A_BUY:
            return BuyField(me)
        if A_PLANT <= action < A_HARVEST:
            return self._planting(view, choices, bean, action - A_PLANT)
        if A_HAND <= action < A_WANT:
            return _discarding(choices, BEANS[action - A_HAND])
        return self._onward(view, choices, bean)

    def _search(self, rows: Rows, rules: Rows, table: Table, me: int, action: int) -> int:
        """Compare an action with the others by playouts of what might be hidden."""
        players = int(rows["players"][0])
        states, scratch = np.repeat(rows, 2), _scratch(players)
        complete(states, rules, me)
        states["mode"], states["seat"], states["traders"] = DUE, me, (1 << players) - 1
        scratch["known"][me] = self._memory["known"][0]
        for what in ("nobody", "passes"):
            scratch[what][me] = self._memory[what][0]
        scratch["rng"][me] = self.rand.getrandbits(47)
        return int(search(rules, states, 0, table, self._styles, scratch, me, action))

    def _planting(self, view: View, choices: Choices, bean: Bean | None, field: int) -> Command:
        """Return the legal command that plants this bean on this field."""
        for command in choices.legal:
            if not isinstance(command, _PLANTS) or command.field != field:
                continue
            if isinstance(command, Plant) or _lying(view, command.player)[command.place] == bean:
                return command
        msg = f"no legal command plants {bean!r} on field {field}"
        raise LookupError(msg)

    def _onward(self, view: View, choices: Choices, bean: Bean | None) -> Command:
        """Go on: turn over, keep, leave the rest, or discard a leftover."""
        me = seat(view)
        if view.rules.game == "bean-duel":
            for command in choices.legal:
                if isinstance(command, DiscardLeftover) and _lying(view, me)[command.place] == bean:
                    return command
        return next(command for command in choices.legal if isinstance(command, _ONWARDS))


def _discarding(choices: Choices, bean: Bean) -> Command:
    """Return the legal command that throws away the front-most card of this kind, the only one there is."""
    return next(one for one in choices.legal if isinstance(one, DiscardFromHand) and one.copy.bean == bean)


def _lying(view: View, player: int) -> tuple[Bean, ...]:
    """Return the beans a player plants by place: his set-aside beans, or what lies on the table."""
    lying: tuple[Bean, ...] = getattr(view.phase, "leftovers", ()) + getattr(view.phase, "face_up", ())
    return lying or view.players[player].set_aside


Terms = tuple[int, tuple[Bean, ...], tuple[Bean, ...], tuple[Bean, ...]]
"""The terms of an offer to one partner: the partner, face-up beans, beans from the hand, what is wanted."""


def _terms(rows: Rows) -> Terms:
    """Return the terms of the offer that lies on the table of a row."""
    row = rows[0]
    face, held, want = (_beans(row[side]) for side in ("give_face", "give_hand", "want"))
    return int(row["partner"]), face, held, want


def _proposal(view: View, phase: TradeView, terms: Terms) -> Proposal:
    partner, face, held, want = terms
    return Proposal((partner,), copies_of(hand(view), held), copies_of(phase.face_up, face), want)


def _beans(counts: np.ndarray[tuple[int], np.dtype[np.int8]]) -> tuple[Bean, ...]:
    return tuple(bean for bean in BEANS for _ in range(int(counts[bean])))
