"""What fields are worth, worked out here because the page has no beanometers.

Fields are public, so their worth is too.
"""

from __future__ import annotations

from msgspec import Struct

from bohn.rules.beans import Bean, Beanometer, Field
from bohn.rules.policies import FITS
from bohn.rules.ruleset import Rules
from bohn.rules.scoring import coins_and_discards
from bohn.views.view import View


class FieldWorth(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a field would earn if it were harvested as it is now, and what may be planted on it.

    ``bean`` prices it, and ``steps`` is the beanometer of that bean: pairs of beans and the coins they earn.
    Of the beans of the field ``coins`` become coins and ``discards`` are discarded. With ``more`` further
    beans it would earn ``next_coins``; ``more`` is 0 where no further step exists. ``fits`` are
    the kinds that may come next, where that may be another than its own (DD-3); elsewhere it is empty.
    """

    bean: Bean
    coins: int
    discards: int
    more: int
    next_coins: int
    steps: Beanometer
    fits: tuple[Bean, ...] = ()


SeatWorth = tuple[FieldWorth | None, ...]
"""What the fields of one seat are worth; ``None`` for an empty one."""


def field_worth(rules: Rules, field: Field) -> FieldWorth | None:
    """Return what a field is worth; ``None`` if it is empty."""
    if not field:
        return None
    coins, discards = map(len, coins_and_discards(rules, field))
    steps = rules.beanometers[field[-1]]
    beans, next_coins = next((step for step in steps if step[0] > len(field)), (len(field), coins))
    fits = _next_kinds(rules, field) if rules.same_kind == "next_higher" else ()
    return FieldWorth(field[-1], coins, discards, beans - len(field), next_coins, steps, fits)


def _next_kinds(rules: Rules, field: Field) -> tuple[Bean, ...]:
    fit = FITS[rules.same_kind]
    return tuple([bean for bean in Bean if rules.deck[bean] and fit((field,), 0, bean) is None])


def seat_worth(rules: Rules, fields: tuple[Field, ...]) -> SeatWorth:
    """Return what all fields of a seat are worth."""
    return tuple([field_worth(rules, field) for field in fields])


def worth(view: View) -> tuple[SeatWorth, ...]:
    """Return what all fields of a game are worth, by seat."""
    return tuple([seat_worth(view.rules, player.fields) for player in view.players])
