"""Which row a computer player ploughs up beside people: one that earns no more first.

A player that wants an empty field weighs what a row may still become. People see a row at its top price that
nothing can be added to, and another one torn out a bean short of its next coin; so, of good company, the full
one goes. Whether hard players have their reasons is theirs to know.
"""

from __future__ import annotations

from bohn.bots.farming import fields, seat
from bohn.rules.commands import AnyCommand, Harvest
from bohn.server.bots.common_sense import has_sense, is_hard
from bohn.server.bots.messages import Question
from bohn.views.view import View


def full_row_first(question: Question, command: AnyCommand | None) -> AnyCommand | None:
    """Return what a player does instead of harvesting a row that may grow while it has a full one."""
    if not isinstance(command, Harvest) or not has_sense(question) or is_hard(question.bot):
        return command
    view = question.view
    full = [place for place, _ in enumerate(fields(view)) if _is_full(view, place)]
    if command.field in full:
        return command
    harvests = (Harvest(seat(view), place) for place in full)
    return next((one for one in harvests if one in question.legal), command)


def _is_full(view: View, place: int) -> bool:
    """Tell whether a field of the viewer's has reached the top price of its kind."""
    field = fields(view)[place]
    return bool(field) and len(field) >= view.rules.beanometers[field[-1]][-1][0]
