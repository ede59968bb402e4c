"""A bot that pays two beans it does not grow for one it grows: ``python examples/bot.py URL``."""

import sys

from bohn.bots import Choices
from bohn.client import Client, Options
from bohn.rules import commands as c
from bohn.rules.beans import coins_for
from bohn.views import Knowledge, View


def decide(view: View, choices: Choices, _: Knowledge) -> c.Command | None:
    """Answer, offer; or grow what grows, go on, use an empty field, sell what has least to hope for."""
    fields = view.players[view.viewer or 0].fields
    if view.phase.__struct_config__.tag == "trade":
        return trade(view, choices, {field[-1] for field in fields if field})
    plants = [one for one in choices.legal if isinstance(one, c.Plant | c.PlantSetAside)]
    sells = sorted(
        (one for one in choices.legal if isinstance(one, c.Harvest)), key=lambda one: hope(view, one.field)
    )
    return next(iter([*(one for one in plants if fields[one.field]), *rest, *plants, *sells]), None)
