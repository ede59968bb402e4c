"""A bot that bids two beans it does not grow for one it grows: ``python examples/bot.py URL``."""

import sys

from bohn.client import Client
from bohn.play.seat import Choices, TradeView, View
from bohn.rules import commands as c
from bohn.views import Knowledge


def decide(view: View, choices: Choices, _: Knowledge) -> c.Command | None:
    """Trade; or grow a field, go on, plant an empty one, sell the one farthest from its next coin."""
    fields, meters, legal = view.players[view.viewer or 0].fields, view.rules.beanometers, choices.legal
    if isinstance(view.phase, TradeView):
        return trade(view.phase, view.viewer or 0, choices, {field[0] for field in fields if field})
    far = [min([n for n, _ in meters[f[0]] if n > len(f)] or [99]) - len(f) if f else 0 for f in fields]
    plants = [one for one in legal if isinstance(one, c.Plant | c.PlantSetAside)]
    grow = [one for one in plants if fields[one.field]]
    sales = sorted((one for one in legal if isinstance(one, c.Harvest)), key=lambda one: -far[one.field])
    return [*grow, *(one for one in legal if isinstance(one, c.Reveal)), *plants, *sales][0]


def trade(phase: TradeView, me: int, choices: Choices, grows: set[int]) -> c.Command | None:
    """Take what it grows for what it does not; bid for each kind it grows; give face-up beans away."""
    good = {o.id for o in phase.offers if grows & {*o.given} and not grows & {*o.want}}
    answers = [one for one in choices.legal if isinstance(one, c.AcceptOffer | c.DeclineOffer)]
    answers = [one for one in answers if isinstance(one, c.AcceptOffer) == (one.offer in good)]
    space, asked = choices.offers, [offer.want for offer in phase.offers if offer.maker == me]
    lying = tuple(copy for copy in space.face_up if copy.bean not in grows)
    cards = tuple(copy for copy in space.hand if copy.bean not in grows)[: 2 - len(lying)]
    wants = [(bean,) for bean in space.kinds if bean in grows and (lying or cards)] + [()] * bool(lying)
    bids = [c.MakeOffer(me, space.partners, cards, lying, want, False, space.hand_revision) for want in wants]
    bids = [bid for bid in bids if bid.want not in asked][: min(choices.tries, space.slots)]
    return next(iter([*answers, *bids]), None)


if __name__ == "__main__":
    with Client(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000") as client:
        print(client.guest("Beanie").name, "plays; at the pace of people that takes minutes", flush=True)
        print(client.play(client.open_table(bots=("random",) * 3, start=True), decide))
