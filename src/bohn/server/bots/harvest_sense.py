"""Which row a computer player ploughs up beside people, and when it plants on an empty field instead.

A player that wants an empty field weighs what a row may still become. People see a row sold while the field
beside it stands empty, a full one kept and another torn out a bean short of its next coin, or one ploughed up
for nothing of which more beans are in the hand. So good company plants on the empty field, harvests the full
row, and ploughs up what it does not hold. Whether hard players have their reasons is theirs to know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from bohn.bots.farming import fields, hand, seat, worth
from bohn.rules.beans import Bean, Field
from bohn.rules.commands import AnyCommand, Harvest, KeepHand, Plant, PlantSetAside, Reveal
from bohn.server.bots.levels import has_sense, is_hard
from bohn.server.bots.messages import Question
from bohn.views.view import View


def harvest_with_sense(question: Question, command: AnyCommand | None) -> AnyCommand | None:
    """Return what a player of good company does instead of a harvest that nobody would understand."""
    if not isinstance(command, Harvest) or not has_sense(question) or is_hard(question.bot):
        return command
    view = question.view
    if _is_full(view, command.field):
        return command
    full = _first_harvest(question, lambda place: _is_full(view, place))
    return full or _on_empty_field(question) or _not_held(question, command) or command


def _first_harvest(question: Question, serves: Callable[[int], bool]) -> Harvest | None:
    """Return the first harvest that is allowed on a field that serves."""
    legal = (one for one in question.legal if isinstance(one, Harvest))
    return next((one for one in legal if serves(one.field)), None)


def _on_empty_field(question: Question) -> AnyCommand | None:
    """Return the planting that is due where its bean grows, else on an empty field, if there is one."""
    beds = fields(question.view)
    if all(beds) or any(isinstance(one, Reveal | KeepHand) for one in question.legal):
        return None
    ways = [(one, bean) for one, bean in _plantings(question) if beds[one.field][-1:] in ((), (bean,))]
    return min((one for one, _ in ways), key=lambda one: not beds[one.field], default=None)


def _plantings(question: Question) -> Iterator[tuple[Plant | PlantSetAside, Bean]]:
    """Yield the plantings that are allowed, with their beans."""
    held, aside = hand(question.view), question.view.players[seat(question.view)].set_aside
    for one in question.legal:
        if isinstance(one, Plant) and held:
            yield one, held[0]
        elif isinstance(one, PlantSetAside):
            yield one, aside[one.place]


def _not_held(question: Question, command: Harvest) -> Harvest | None:
    """Return another harvest for nothing, of no longer a row, if more of the chosen one are in the hand.

    That row is further from its next coin than the chosen one would be with these.
    """
    view, beds = question.view, fields(question.view)
    held, chosen = Counter(hand(view)), beds[command.field]
    kept = {*held, *view.players[seat(view)].set_aside}
    if worth(view.rules, chosen) > 0 or not held[chosen[-1]]:
        return None
    lacks = _lacks(view, chosen) - held[chosen[-1]]

    def serves(place: int) -> bool:
        bed = beds[place]
        matters = worth(view.rules, bed) > 0 or len(bed) > len(chosen) or bed[-1] in kept
        return not matters and _lacks(view, bed) > lacks

    return _first_harvest(question, serves)


def _lacks(view: View, field: Field) -> int:
    """Return how many beans a row lacks to its next coin, 0 if it is full."""
    meter = view.rules.beanometers[field[-1]]
    return next((step - len(field) for step, _ in meter if step > len(field)), 0)


def _is_full(view: View, place: int) -> bool:
    """Tell whether a field of the viewer's has reached the top price of its kind."""
    field = fields(view)[place]
    return bool(field) and len(field) >= view.rules.beanometers[field[-1]][-1][0]
