"""What an offer would do to the viewer's own fields, worked out here because the page has no rules."""

from __future__ import annotations

from msgspec import Struct

from bohn.rules.beans import Bean, Field, coins_for
from bohn.rules.policies import FITS
from bohn.rules.ruleset import Rules
from bohn.views.view import OfferView, View


class FieldPreview(Struct, frozen=True, gc=False):
    """One field before and after: "red field 3 -> 4 (3 coins)"; ``coins`` as if sold then."""

    field: int
    bean: Bean
    beans_before: int
    beans_after: int
    coins_before: int
    coins_after: int


class Preview(Struct, frozen=True, gc=False):
    """What the viewer would give and get, and the fields that would grow; ``homeless`` beans fit none."""

    give: tuple[Bean, ...]
    get: tuple[Bean, ...]
    fields: tuple[FieldPreview, ...]
    homeless: tuple[Bean, ...]


def consequences(rules: Rules, view: View, offer: OfferView) -> Preview:
    """Return what an offer would mean for the viewer, as its maker or as the one who accepts it.

    Beans already set aside are planted first. A spectator is shown the acceptor's side, without fields.
    """
    given = tuple(sorted(offer.given))
    give, get = (given, offer.want) if view.viewer == offer.maker else (offer.want, given)
    if view.viewer is None:
        return Preview(give, get, (), ())
    own = view.players[view.viewer]
    fields, _ = _plant_all(rules, own.fields, own.set_aside)
    after, homeless = _plant_all(rules, fields, get)
    previews = [
        _field_preview(rules, index, before, now)
        for index, (before, now) in enumerate(zip(fields, after, strict=True))
        if len(now) > len(before)
    ]
    return Preview(give, get, tuple(previews), homeless)


def _plant_all(
    rules: Rules, fields: tuple[Field, ...], beans: tuple[Bean, ...]
) -> tuple[tuple[Field, ...], tuple[Bean, ...]]:
    """Return the fields after planting what fits, growing fields before empty ones; and the rest."""
    fits = FITS[rules.same_kind]
    homeless: list[Bean] = []
    for bean in beans:
        fitting = [i for i in range(len(fields)) if fits(fields, i, bean) is None]
        if not fitting:
            homeless.append(bean)
            continue
        index = max(fitting, key=lambda i: _preference(fields[i], bean, i))
        fields = (*fields[:index], (*fields[index], bean), *fields[index + 1 :])
    return fields, tuple(homeless)


def _preference(field: Field, bean: Bean, index: int) -> tuple[bool, int, int]:
    return field[-1:] == (bean,), len(field), -index


def _field_preview(rules: Rules, index: int, before: Field, after: Field) -> FieldPreview:
    return FieldPreview(
        index,
        after[-1],
        len(before),
        len(after),
        coins_for(rules.beanometers[before[-1]], len(before)) if before else 0,
        coins_for(rules.beanometers[after[-1]], len(after)),
    )
