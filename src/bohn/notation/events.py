"""Events as text: the event's name, then its fields in their order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET

from bohn.notation.beans import NONE, format_bean, format_beans
from bohn.notation.offers import format_copies, format_offer, format_promise
from bohn.rules import events as e
from bohn.rules.beans import Bean
from bohn.rules.decide import tag


def format_event(event: e.Event) -> str:
    """Return an event as its name and its fields; piles are written top first."""
    kind = type(event)
    special = _WRITERS.get(kind)
    values = special(event) if special else [getattr(event, name) for name in kind.__struct_fields__]
    return " ".join([tag(kind), *map(_text, values)])


def _text(value: Any) -> str:
    """Return a bean by name, a list in its order, anything else as it is."""
    if isinstance(value, Bean):
        return format_bean(value)
    if isinstance(value, tuple):
        return format_beans(value) if value and isinstance(value[0], Bean) else _numbers(value)
    return str(value)


def _numbers(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers)) or NONE


def _dealt(event: e.Dealt) -> list[Any]:
    words: list[Any] = ["starter", event.starter, "fields", event.fields, "hands"]
    words.append(" / ".join(map(format_beans, event.hands)))
    words += ["draw-pile", event.draw_pile[::-1], "box", event.box]
    if any(event.face_down):
        words += ["face-down", " / ".join(format_beans(pile[::-1]) for pile in event.face_down)]
    if any(event.bonus_hands):
        words += ["bonus", " / ".join(map(_numbers, event.bonus_hands)), "bonus-pile", event.bonus_pile[::-1]]
    if event.tokens is not UNSET:
        words += ["tokens", event.tokens]
    return [*words, "seed", event.seed.hex()]


def _field_bought(event: e.FieldBought) -> list[Any]:
    words: list[Any] = [event.player, "coins", *event.coins, "to", event.to]
    return words if event.tokens is UNSET else [*words, "tokens", event.tokens]


def _traded(event: e.Traded) -> list[Any]:
    gives = format_copies(event.maker_face_up, "face") + format_copies(event.maker_hand, "hand")
    takes = format_copies(event.partner_face_up, "face") + format_copies(event.partner_hand, "hand")
    way = f"{event.maker}>{event.partner}"
    return [event.offer, way, "gives", *(gives or [NONE]), "takes", *(takes or [NONE])]


def _bluff_paid(event: e.BluffPaid) -> list[Any]:
    words: list[Any] = [event.giver, event.player]
    words += ["coin", event.coin] if event.coin else []
    words += ["bonus", *event.bonus] if event.bonus else []
    words += ["from-hand"] if event.from_hand else []
    return words + (["discarded"] if event.discarded else [])


def _game_ended(event: e.GameEnded) -> list[Any]:
    end = event.result
    return [
        "coins", end.coins, "winners", end.winners, "pennies", end.pennies, "hand-cards", end.hand_cards
    ]  # fmt: skip


_WRITERS: dict[type[e.Event], Callable[[Any], list[Any]]] = {
    e.Dealt: _dealt,
    e.TurnBegan: lambda it: [it.player, "leftovers", it.leftovers] if it.leftovers else [it.player],
    e.Reshuffled: lambda it: [it.order[::-1]],
    e.GameEnded: _game_ended,
    e.Harvested: lambda it: [it.player, it.field, "coins", it.coins, "discards", it.discards],
    # coins are paid one by one, and the order matters
    e.FieldBought: _field_bought,
    e.OfferMade: lambda it: [format_offer(it.offer)],
    e.OfferEdited: lambda it: [format_offer(it.offer)],
    e.OfferDeclined: lambda it: [f"{it.offer}.{it.revision}", it.player],
    e.OfferClaimed: lambda it: [f"{it.offer}.{it.revision}", it.player, *format_copies(it.hand, "hand")],
    e.Traded: _traded,
    e.GiftNamed: lambda it: [it.player, it.bean, *format_copies(it.hand, "hand")],
    e.BluffPaid: _bluff_paid,
    e.BonusBegan: lambda it: ["discarding", it.discarding, "refilling", it.refilling],
    e.BonusReshuffled: lambda it: [it.order[::-1]],
    e.PromiseMade: lambda it: [format_promise(it.promise)],
}
