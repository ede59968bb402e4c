"""The mirror: a core position as a row of the twin, and an action of the twin as core commands.

Core and twin are two accounts of one game. This module turns one into the other, so that the twin can
play out a real table, and so that :mod:`bohn.lab.mirrored` can prove the accounts equal. Both
directions are one file, since whatever one writes the other reads.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from bohn.lab import twin
from bohn.lab.compiling import compiled
from bohn.lab.row import (
    ANSWER,
    ASKED,
    CARDS,
    COMPOSE,
    DUE,
    END,
    FACE_UP,
    FIELDS,
    KINDS,
    LEFTOVERS,
    MOMENT,
    PLANT,
    PLANT_TRADED,
    REVEAL,
    ROW,
    TOKEN,
    TRADE,
    Rows,
    tables,
)
from bohn.rules.beans import Bean
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
from bohn.rules.evolve import fold
from bohn.rules.giving import front_copies
from bohn.rules.policies import ALL_MUST_PASS
from bohn.rules.ruleset import Rules
from bohn.rules.state import (
    Copies,
    Copy,
    EndPhase,
    FaceUpPhase,
    LeftoversPhase,
    Offer,
    PlantPhase,
    PlantTradedPhase,
    RevealPhase,
    State,
    TradePhase,
    in_order,
)
from bohn.rules.trading import copies_for

PHASES: dict[type, int] = {
    PlantPhase: PLANT,
    RevealPhase: REVEAL,
    TradePhase: TRADE,
    PlantTradedPhase: PLANT_TRADED,
    LeftoversPhase: LEFTOVERS,
    FaceUpPhase: FACE_UP,
    EndPhase: END,
}
"""The number of each phase that the twin has."""

TOKEN_BYTE = bytes((TOKEN & 255,))
"""A coin of a head start among the bytes of a treasury."""

NOT_ON_THE_FLOOR = "the floor has one direct offer to one seat at a time, and no such position: "

usual = lru_cache(tables)
"""The tables of rules on the free floor, made once."""


# -- what lies where in a core position ---------------------------------------------------------------


def lying(state: State) -> tuple[Bean, ...]:
    """Return what lies face up: revealed beans, leftovers, and at the end what nobody scored (END-4)."""
    phase = state.phase
    if isinstance(phase, TradePhase | RevealPhase | FaceUpPhase):
        return phase.face_up
    if isinstance(phase, LeftoversPhase):
        return phase.leftovers
    return phase.unscored if isinstance(phase, EndPhase) else ()


def waiting_offer(state: State) -> Offer | None:
    """Return the offer that waits for an answer; declined ones lie there and mean nothing on the floor.

    Raises ``ValueError`` for offers that the floor does not know: open ones, ones to several seats, and
    more than one that waits.
    """
    phase = state.phase
    if not isinstance(phase, TradePhase):
        return None
    found: Offer | None = None
    for offer in phase.offers:
        if offer.open or len(offer.to) > 1:
            raise ValueError(f"{NOT_ON_THE_FLOOR}{offer!r}")
        if offer.to[0] not in offer.declined:
            if found is not None:
                raise ValueError(f"{NOT_ON_THE_FLOOR}{found!r} and {offer!r}")
            found = offer
    return found


# -- a position as a row --------------------------------------------------------------------------------


def project(rules: Rules, state: State) -> Rows:
    """Return one row with everything that a core position determines.

    It does not know the chance and the script, who decides and why, who is asked on the floor and how
    often, and what has happened: these are zero or neutral until :func:`begin` fills in the floor.
    ``planted`` is determined while beans are planted from the hand. Raises ``ValueError`` for a game or
    for offers that the twin does not have.
    """
    usual(rules)
    row: Rows = np.zeros(1, ROW)
    g = row[0]
    phase = state.phase
    g["players"], g["active"], g["phase"] = len(state.players), state.active_player, PHASES[type(phase)]
    g["planted"] = phase.planted if isinstance(phase, PlantPhase) else 0
    g["exhaustions"], g["turn"], g["starter"] = state.exhaustions, state.turn, state.starter
    g["selected"] = -1
    g["draws"] = _lay(g["draw"], state.draw_pile)
    g["discards"] = _lay(g["discard"], state.discard_pile)
    _count(g["face_up"], lying(state))
    _count(g["box"], state.box)
    _project_players(g, state)
    _project_offer(g, waiting_offer(state))
    return row


def _project_players(g: Any, state: State) -> None:
    for p, player in enumerate(state.players):
        g["hands"][p] = _lay(g["hand"][p], player.hand)
        tokens = player.tokens_left
        g["treasury"][p, :tokens] = TOKEN
        g["coins"][p] = tokens + _lay(g["treasury"][p, tokens:], player.treasury)
        _count(g["held"][p], player.hand)
        _count(g["set_aside"][p], player.set_aside)
        g["fields"][p] = len(player.fields)
        for f, beans in enumerate(player.fields):
            g["beans"][p, f] = len(beans)
            g["kind"][p, f] = beans[-1] if beans else 0


def _project_offer(g: Any, offer: Offer | None) -> None:
    g["maker"] = g["partner"] = -1
    if offer is not None:
        g["maker"], g["partner"] = offer.maker, offer.to[0]
        _count(g["give_face"], tuple(copy.bean for copy in offer.face_up))
        _count(g["give_hand"], tuple(copy.bean for copy in offer.hand))
        _count(g["want"], offer.want)


def _lay(places: Any, cards: tuple[Bean, ...]) -> int:
    places[: len(cards)] = cards
    return len(cards)


def _count(counts: Any, cards: tuple[Bean, ...]) -> None:
    for bean in cards:
        counts[bean] += 1


def begin(
    rules: Rules,
    state: State,
    *,
    traders: int | None = None,
    attentive: int = 0,
    table: Rows | None = None,
) -> Rows:
    """Return a row from which the twin can play on, as if the floor had just come to this position.

    ``traders`` and ``attentive`` are seats as bits: who is asked while beans are traded, all by default,
    and who off-turn. Nobody has made an offer yet. The row's own chance is not seeded.
    """
    row = project(rules, state)
    g = row[0]
    g["traders"] = g["fresh"] = (1 << rules.players) - 1 if traders is None else traders
    g["attentive"] = attentive
    _settle(usual(rules) if table is None else table, row, 0)
    return row


@compiled
def _settle(rules: Any, states: Any, i: int) -> None:
    twin.settle(rules[0], states[i])


# -- what two rows differ in ------------------------------------------------------------------------

_NUMBERS = (
    "players", "active", "phase", "exhaustions", "turn", "starter", "draws", "discards", "maker", "partner",
)  # fmt: skip
_COUNTS = ("face_up", "box")
_OF_AN_OFFER = ("give_face", "give_hand", "want")
_BY_SEAT = ("hands", "coins", "fields", "held", "set_aside")


def compare(row_a: Rows, row_b: Rows) -> list[str]:
    """Return the names of the fields in which two rows differ, over what a core position determines.

    Meant for moments between two commands: an offer that is only being composed counts as one on the table.
    """
    a, b = row_a[0], row_b[0]
    n, offers = int(a["players"]), a["partner"] >= 0
    whole = _NUMBERS + _COUNTS + (_OF_AN_OFFER if offers else ())
    found = [name for name in whole if np.any(a[name] != b[name])]
    found += [name for name in _BY_SEAT if np.any(a[name][:n] != b[name][:n])]
    if a["phase"] == PLANT and a["planted"] != b["planted"]:
        found.append("planted")
    found += [
        name for name, count in (("draw", "draws"), ("discard", "discards")) if _piles(a, b, name, count)
    ]
    for name, counts in (("hand", "hands"), ("treasury", "coins")):
        if any(np.any(a[name][p, : a[counts][p]] != b[name][p, : a[counts][p]]) for p in range(n)):
            found.append(name)
    grow = np.arange(FIELDS) < a["fields"][:n, None]
    if np.any((a["beans"][:n] != b["beans"][:n]) & grow):
        found.append("beans")
    if np.any((a["kind"][:n] != b["kind"][:n]) & grow & (a["beans"][:n] > 0)):
        found.append("kind")
    return found


def _piles(a: Any, b: Any, name: str, count: str) -> bool:
    return bool(np.any(a[name][: a[count]] != b[name][: a[count]]))


# -- the same as a string of bytes, for comparing fast --------------------------------------------------

ROOM = 4 * CARDS + 16 * KINDS * FIELDS
"""Bytes that are enough for every position."""


def cells(state: State) -> bytes:
    """Return what :func:`project` determines as bytes; :func:`write_cells` makes the same from a row."""
    phase = state.phase
    planted = phase.planted if isinstance(phase, PlantPhase) else 0
    offer = waiting_offer(state)
    parts = [
        bytes((
            len(state.players), PHASES[type(phase)], state.active_player, planted, state.exhaustions,
            state.turn & 255, state.starter, len(state.draw_pile), len(state.discard_pile),
        )),
        bytes(state.draw_pile), bytes(state.discard_pile),
        _sorted(state.box), _sorted(lying(state)),
        b"\xff\xff" if offer is None else _offer_cells(offer),
    ]  # fmt: skip
    for player in state.players:
        parts.append(bytes((len(player.hand), player.tokens_left + len(player.treasury), len(player.fields))))
        parts += (
            bytes(player.hand),
            TOKEN_BYTE * player.tokens_left + bytes(player.treasury),
            _sorted(player.set_aside),
        )
        parts += [bytes((len(field), field[-1])) if field else b"\0\0" for field in player.fields]
    return b"".join(parts)


def _offer_cells(offer: Offer) -> bytes:
    face_up = _sorted(tuple([copy.bean for copy in offer.face_up]))
    hand = _sorted(tuple([copy.bean for copy in offer.hand]))
    return bytes((offer.maker, offer.to[0])) + face_up + hand + _sorted(offer.want)


def _sorted(cards: tuple[Bean, ...]) -> bytes:
    return bytes((len(cards), *sorted(cards)))


@compiled
def write_cells(states: Any, i: int, out: Any) -> int:
    """Write what a core position determines of a row into ``out``; return the number of bytes.

    A count of a hand by kind that does not fit the hand is written as an extra byte.
    """
    g = states[i]
    planted = g["planted"] if g["phase"] == PLANT else 0
    n = 0
    for value in (
        g["players"], g["phase"], g["active"], planted, g["exhaustions"],
        g["turn"], g["starter"], g["draws"], g["discards"],
    ):  # fmt: skip
        out[n] = int(value) & 255
        n += 1
    n = _write(g["draw"], g["draws"], out, n)
    n = _write(g["discard"], g["discards"], out, n)
    n = _spread(g["box"], out, n)
    n = _spread(g["face_up"], out, n)
    out[n] = int(g["maker"]) & 255
    out[n + 1] = int(g["partner"]) & 255
    n += 2
    if g["maker"] >= 0:
        n = _spread(g["give_face"], out, n)
        n = _spread(g["give_hand"], out, n)
        n = _spread(g["want"], out, n)
    for p in range(g["players"]):
        n = _write_player(g, p, out, n)
    return n


@compiled
def _write_player(g: Any, p: int, out: Any, n: int) -> int:
    out[n] = int(g["hands"][p]) & 255
    out[n + 1] = int(g["coins"][p]) & 255
    out[n + 2] = int(g["fields"][p]) & 255
    n = _write(g["hand"][p], g["hands"][p], out, n + 3)
    n = _write(g["treasury"][p], g["coins"][p], out, n)
    n = _spread(g["set_aside"][p], out, n)
    for f in range(g["fields"][p]):
        out[n] = int(g["beans"][p, f]) & 255
        out[n + 1] = int(g["kind"][p, f]) & 255 if g["beans"][p, f] else 0
        n += 2
    for k in range(KINDS):
        held = 0
        for j in range(g["hands"][p]):
            held += g["hand"][p, j] == k
        if held != g["held"][p, k]:
            out[n] = 255
            n += 1
    return n


@compiled
def _write(cards: Any, count: int, out: Any, n: int) -> int:
    for j in range(min(count, CARDS)):
        out[n] = int(cards[j]) & 255
        n += 1
    return n


@compiled
def _spread(counts: Any, out: Any, n: int) -> int:
    start = n
    n += 1
    for k in range(KINDS):
        for _ in range(counts[k]):
            out[n] = k
            n += 1
    out[start] = n - start - 1
    return n


# -- an action as commands -------------------------------------------------------------------------------


def to_commands(
    rules: Rules, state: State, row: Rows, action: int, table: Rows | None = None
) -> tuple[Command, ...]:
    """Return the core commands that a legal action of the twin stands for at this moment.

    None while an offer is composed, a bean is selected or a seat has nothing to do; several where the
    action also ends the trading (:func:`closes`). ``row`` is the one row of the game before the action.
    """
    g = row[0]
    seat, mode = int(g["seat"]), int(g["mode"])
    if mode == COMPOSE:
        return (_proposal(state, g),) if action == twin.A_PROPOSE else ()
    if twin.A_HARVEST <= action < twin.A_BUY:
        return (Harvest(seat, action - twin.A_HARVEST),)
    if action == twin.A_BUY:
        return (BuyField(seat),)
    if mode == DUE:
        return _due(rules, state, g, action)
    if mode == MOMENT or twin.A_PARTNER <= action < twin.A_FACE:
        return ()
    answer = (_answer(state, seat, action),) if mode == ANSWER else ()
    return (
        answer + closing(rules, state)
        if closes(usual(rules) if table is None else table, row, action)
        else answer
    )


def closes(table: Rows, row: Rows, action: int) -> bool:
    """Tell whether an action in the trading ends it: the last seat passes, or a limit is reached."""
    r, g = table[0], row[0]
    if g["mode"] == ASKED and action == twin.A_GO_ON:
        others = int(g["fresh"]) & ~(1 << int(g["seat"]))
        return bool(others == 0 or g["patience"] + 1 >= r["patience"])
    if g["mode"] != ANSWER:
        return False
    if action == twin.A_ACCEPT:
        return bool(g["exchanges"] + 1 >= r["exchanges_a_turn"])
    return bool(action == twin.A_DECLINE and g["patience"] + 1 >= r["patience"])


def closing(rules: Rules, state: State) -> tuple[Command, ...]:
    """Return the commands that end the trading: the active player's word, or everybody's pass (TRADE-12)."""
    if not ALL_MUST_PASS[rules.closing]:
        return (EndTrading(state.active_player),)
    phase = state.phase
    passed = phase.passes if isinstance(phase, TradePhase) else ()
    return tuple([Pass(seat) for seat in in_order(state) if seat not in passed])


def _answer(state: State, seat: int, action: int) -> Command:
    """Return the answer to the waiting offer, face-up beans and front-most cards first (OFFER-12)."""
    offer = waiting_offer(state)
    assert offer is not None  # noqa: S101 - the twin asks for an answer only where an offer waits
    if action == twin.A_DECLINE:
        return DeclineOffer(seat, offer.id, offer.revision)
    copies = copies_for(state, seat, offer.want)
    assert copies is not None  # noqa: S101 - accepting is legal only for who can serve
    hand, face_up = copies
    revision = state.players[seat].hand_revision if hand else 0
    return AcceptOffer(seat, offer.id, offer.revision, hand, face_up, revision)


def _proposal(state: State, g: Any) -> Command:
    """Return the composed offer; the maker's declined one, if it still lies there, is edited (OFFER-6)."""
    maker, to = int(g["maker"]), (int(g["partner"]),)
    own, phase = state.players[maker], state.phase
    assert isinstance(phase, TradePhase)  # noqa: S101 - offers are composed only then
    hand = _front_most(own.hand, g["give_hand"])
    face_up = _front_most(phase.face_up, g["give_face"])
    want = _beans(g["want"])
    revision = own.hand_revision if hand else 0
    for offer in phase.offers:
        if offer.maker == maker:
            return EditOffer(
                maker, offer.id, offer.revision, to, hand, face_up, want, open=False, hand_revision=revision
            )
    return MakeOffer(maker, to, hand, face_up, want, open=False, hand_revision=revision)


def _beans(counts: Any) -> tuple[Bean, ...]:
    return tuple([Bean(k) for k, count in enumerate(counts.tolist()) for _ in range(count)])


def _front_most(cards: tuple[Bean, ...], counts: Any) -> Copies:
    places = front_copies(cards, _beans(counts)) or ()
    return tuple([Copy(place, cards[place]) for place in places])


def _due(rules: Rules, state: State, g: Any, action: int) -> tuple[Command, ...]:
    """Return the command of the seat that the game waits for."""
    seat = int(g["seat"])
    if twin.A_FACE <= action < twin.A_HAND:
        return ()
    if twin.A_HAND <= action < twin.A_WANT:
        own, bean = state.players[seat], Bean(action - twin.A_HAND)
        return (DiscardFromHand(seat, Copy(own.hand.index(bean), bean), own.hand_revision),)
    if action == twin.A_GO_ON:
        return _onwards(rules, state, g, seat)
    if g["phase"] == PLANT:
        return (Plant(seat, action),)
    return (_with_selected(state, seat, Bean(int(g["selected"])), action),)


def _with_selected(state: State, seat: int, bean: Bean, action: int) -> Command:
    """Return the planting or discarding of the selected bean, the first of its kind."""
    phase = state.phase
    if isinstance(phase, PlantTradedPhase):
        return PlantSetAside(seat, state.players[seat].set_aside.index(bean), action)
    place = lying(state).index(bean)
    if action == twin.A_DISCARD:
        return DiscardLeftover(seat, place)
    return (
        PlantLeftover(seat, place, action)
        if isinstance(phase, LeftoversPhase)
        else PlantFaceUp(seat, place, action)
    )


def _onwards(rules: Rules, state: State, g: Any, seat: int) -> tuple[Command, ...]:
    """Return what going on means: keep the hand, leave the rest, or reveal; with no traders also close."""
    if isinstance(state.phase, FaceUpPhase):
        return (LeaveRest(seat),)
    if isinstance(state.phase, PlantPhase) and rules.game != "main":
        return (KeepHand(seat),)
    reveal = Reveal(seat)
    if g["traders"]:
        return (reveal,)
    after = fold(decide(rules, state, reveal), state)
    return (reveal, *closing(rules, after)) if isinstance(after.phase, TradePhase) else (reveal,)
