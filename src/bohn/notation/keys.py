"""The keys of a position: how each is read and written, and which part of a state it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from bohn.notation import codecs
from bohn.notation.codecs import Codec
from bohn.rules import state as s
from bohn.rules.decide import tag


class Key(Struct, frozen=True):
    """One key: its codec, and how its value is found in the state, player or phase it belongs to."""

    codec: Codec
    get: Callable[[Any], Any]


GAME_KEYS: dict[str, Key] = {
    "active": Key(codecs.SEAT, lambda state: state.active_player),
    "turn": Key(codecs.NUMBER, lambda state: state.turn),
    "starter": Key(codecs.SEAT, lambda state: state.starter),
    "exhaustions": Key(codecs.NUMBER, lambda state: state.exhaustions),
    "shuffles": Key(codecs.NUMBER, lambda state: state.shuffles),
    "draw_pile": Key(codecs.PILE, lambda state: state.draw_pile),
    "discard_pile": Key(codecs.PILE, lambda state: state.discard_pile),
    "box": Key(codecs.BEANS, lambda state: state.box),
    "bonus_pile": Key(codecs.NUMBER_PILE, lambda state: state.bonus.draw),
    "bonus_discard": Key(codecs.NUMBER_PILE, lambda state: state.bonus.discard),
    "wishes": Key(codecs.WISHES, lambda state: state.talk.wishes),
    "promises": Key(codecs.PROMISES, lambda state: state.talk.promises),
    "next_promise": Key(codecs.NUMBER, lambda state: state.talk.next_promise),
}
"""The keys of a position as a whole, except those of its phase."""

PLAYER_KEYS: dict[str, Key] = {
    "hand": Key(codecs.BEANS, lambda player: player.hand),
    "hand_revision": Key(codecs.NUMBER, lambda player: player.hand_revision),
    "fields": Key(codecs.FIELDS, lambda player: player.fields),
    "treasury": Key(codecs.PILE, lambda player: player.treasury),
    "set_aside": Key(codecs.BEANS, lambda player: player.set_aside),
    "face_down": Key(codecs.PILE, lambda player: player.face_down),
    "bonus": Key(codecs.NUMBERS, lambda player: player.bonus.hand),
    "stood": Key(codecs.TURNS, lambda player: player.bonus.stood),
    "claimed": Key(codecs.NUMBERS, lambda player: player.bonus.claimed),
    "tokens": Key(codecs.NUMBER, lambda player: player.tokens_left),
}
"""The keys of one player."""


def _own(**by_name: Codec) -> dict[str, Key]:
    """Return keys that are the phase's fields of the same name."""

    def getter(name: str) -> Callable[[Any], Any]:
        return lambda phase: getattr(phase, name)

    return {name: Key(codec, getter(name)) for name, codec in by_name.items()}


PHASES: dict[str, type[s.Phase]] = {
    tag(phase): phase
    for phase in (
        s.PlantPhase,
        s.RevealPhase,
        s.TradePhase,
        s.PlantTradedPhase,
        s.LeftoversPhase,
        s.FaceUpPhase,
        s.GiftPhase,
        s.PlantGiftPhase,
        s.BonusPhase,
        s.EndPhase,
    )
}
"""The phases by the names they are written with."""

PHASE_KEYS: dict[str, dict[str, Key]] = {
    "plant": _own(planted=codecs.NUMBER),
    "reveal": _own(face_up=codecs.BEANS),
    "trade": _own(
        face_up=codecs.BEANS,
        offers=codecs.OFFERS,
        next_offer=codecs.NUMBER,
        passes=codecs.SEATS,
        final=codecs.FLAG,
        later=codecs.NUMBERS,
        heard=codecs.SEATS,
    ),
    "plant-traded": {},
    "leftovers": _own(leftovers=codecs.BEANS),
    "plant-face-up": _own(face_up=codecs.BEANS),
    "gift": _own(face_up=codecs.BEANS, named=codecs.NAMED, word=codecs.SEAT, open=codecs.FLAG),
    "plant-gift": _own(face_up=codecs.BEANS, gift=codecs.BEANS, receiver=codecs.SEAT, planted=codecs.NUMBER),
    "bonus": _own(discarding=codecs.SEATS, refilling=codecs.SEATS),
    "end": {
        **_own(unscored=codecs.BEANS),
        "result": Key(codecs.NUMBERS, lambda phase: phase.result.coins),
        "winners": Key(codecs.SEATS, lambda phase: phase.result.winners),
        "pennies": Key(codecs.NUMBERS, lambda phase: phase.result.pennies),
        "hand_cards": Key(codecs.NUMBERS, lambda phase: phase.result.hand_cards),
    },
}
"""The keys of each phase, by its name."""

BEANS_OF_A_PHASE = ("face_up", "leftovers", "gift", "unscored")
"""The fields of phases that hold cards."""
