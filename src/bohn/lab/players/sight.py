"""Turns a view and its knowledge into a row of the twin, with nothing in it that the seat does not know."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from bohn.lab.row import END, FACE_UP, LEFTOVERS, PLANT, PLANT_TRADED, REVEAL, ROW, TOKEN, TRADE, Rows
from bohn.play.seat import (
    FaceUpPhase,
    LeftoversPhase,
    OfferView,
    PlantPhase,
    PlantTradedPhase,
    RevealPhase,
    TradeView,
    View,
)
from bohn.rules.beans import Bean
from bohn.views.knowledge import Knowledge

_PHASES = (
    (PlantPhase, PLANT),
    (RevealPhase, REVEAL),
    (TradeView, TRADE),
    (PlantTradedPhase, PLANT_TRADED),
    (LeftoversPhase, LEFTOVERS),
    (FaceUpPhase, FACE_UP),
)


def seen(view: View, knowledge: Knowledge) -> Rows:
    """Return what a seat sees as one row: other hands are sizes, the draw pile is one, nothing is composed.

    Of the discard pile the row holds what the seat has seen fall on it, in no order but for the top. Turns
    count from the one in which the seat began to watch, as exchanges do: a latecomer has seen few of both.
    """
    rows: Rows = np.zeros(1, ROW)
    row = rows[0]
    phase = view.phase
    row["players"] = len(view.players)
    row["phase"] = next((number for kind, number in _PHASES if isinstance(phase, kind)), END)
    row["planted"] = phase.planted if isinstance(phase, PlantPhase) else 0
    row["active"], row["starter"] = view.active_player, view.starter
    row["turn"] = max(0, view.turn - knowledge.since + 1)
    row["exhaustions"], row["draws"] = view.exhaustions, view.draw_pile
    row["selected"], row["maker"], row["partner"] = -1, -1, -1
    row["trades"] = knowledge.trades
    _count(row["face_up"], getattr(phase, "face_up", ()) + getattr(phase, "leftovers", ()))
    _count(row["box"], view.box)
    discards = [bean for bean, count in enumerate(knowledge.discards) for _ in range(count)]
    row["discards"] = len(discards)
    row["discard"][: len(discards)] = discards
    for seat, player in enumerate(view.players):
        tokens = player.tokens_left
        row["hands"][seat], row["coins"][seat] = player.hand_size, tokens + len(player.treasury)
        row["fields"][seat] = len(player.fields)
        row["treasury"][seat, :tokens] = TOKEN
        row["treasury"][seat, tokens : row["coins"][seat]] = player.treasury
        _count(row["set_aside"][seat], player.set_aside)
        for place, field in enumerate(player.fields):
            row["beans"][seat, place] = len(field)
            row["kind"][seat, place] = field[-1] if field else 0
    if view.own is not None and view.viewer is not None:
        hand = view.own.hand
        row["hand"][view.viewer, : len(hand)] = hand
        _count(row["held"][view.viewer], hand)
        row["seat"] = view.viewer
    return rows


def _count(counts: np.ndarray[tuple[int], np.dtype[np.int8]], beans: Iterable[Bean]) -> None:
    for bean in beans:
        counts[bean] += 1


def complete(rows: Rows, rules: Rows, viewer: int) -> None:
    """Put the cards a seat has not seen somewhere: into the other hands, then on the draw pile, by kind.

    Search deals them anew by chance. A player who sat down late has not seen all discards; too many cards
    are then left over, and stay out.
    """
    row, rule = rows[0], rules[0]
    left = rule["deck"].astype(np.int64) + rule["boxed"] - row["box"] - row["face_up"] - row["held"][viewer]
    left -= row["set_aside"].sum(axis=0)
    gone = [row["discard"][: row["discards"]]]
    for seat in range(int(row["players"])):
        coins = row["treasury"][seat, : row["coins"][seat]]
        gone.append(coins[coins != TOKEN])
        np.subtract.at(left, row["kind"][seat].astype(np.int64), row["beans"][seat])
    np.subtract.at(left, np.concatenate(gone).astype(np.int64), 1)
    cards = np.repeat(np.arange(len(left), dtype=np.int8), np.maximum(left, 0))
    at = 0
    for seat in range(int(row["players"])):
        if seat != viewer:
            size = int(row["hands"][seat])
            hand = cards[at : at + size]
            row["hand"][seat, : len(hand)] = hand
            row["held"][seat] = np.bincount(hand, minlength=len(left))
            at += size
    pile = cards[at : at + int(row["draws"])]
    row["draw"][: len(pile)] = pile


def lay(rows: Rows, offer: OfferView, partner: int) -> None:
    """Lay an offer on the table of a row, as if made to one seat."""
    row = rows[0]
    for side in ("give_face", "give_hand", "want"):
        row[side][:] = 0
    row["maker"], row["partner"] = offer.maker, partner
    _count(row["give_face"], [copy.bean for copy in offer.face_up])
    _count(row["give_hand"], offer.hand)
    _count(row["want"], offer.want)
