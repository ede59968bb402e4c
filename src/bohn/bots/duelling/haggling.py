"""Haggling over a gift in Das Duell: what to name, what to take, and when to call a bluff (DD-6..DD-11)."""

from __future__ import annotations

from math import exp

from msgspec import Struct

from bohn.bots.api import Rand
from bohn.bots.duelling.manners import Manner
from bohn.bots.duelling.opponent import OpponentModel
from bohn.bots.duelling.outlook import Counts, Fields
from bohn.bots.duelling.planning import Planner
from bohn.rules.beans import Bean

CARD = 0.1
"""Coins it is worth to be rid of a hand card of which nothing is known."""


class Side(Struct):
    """One side of the table: how it plants, its fields, the face-up beans it must plant itself.

    With ``jointly`` a gift is planted together with those, in the best order, else after them.
    """

    planner: Planner
    fields: Fields
    face_up: tuple[Bean, ...]
    jointly: bool = False

    def rest(self) -> float:
        """Return what the side is worth without any gift."""
        return self.planner.best(self.fields, self.face_up).worth

    def gains(self, bean: Bean) -> float:
        """Return what a side gains that must plant one more bean (DD-9)."""
        if self.jointly:
            more = tuple(sorted((*self.face_up, bean)))
            return self.planner.best(self.fields, more).worth - self.rest()
        plan = self.planner.best(self.fields, self.face_up)
        return self.planner.best(plan.fields, (bean,)).worth - self.planner.best(plan.fields, ()).worth

    def relief(self, bean: Bean) -> float:
        """Return what a side gains that need not plant one of its face-up beans (DD-12)."""
        place = self.face_up.index(bean)
        less = self.face_up[:place] + self.face_up[place + 1 :]
        return self.planner.best(self.fields, less).worth - self.rest()


class Haggle(Struct):
    """A moment of the haggling, as the one who is to speak sees it.

    ``free`` are the kinds that may be named, ``offered`` the one that may be taken, ``his_names`` how often
    the other has named one. ``pays`` is what catching a bluff is worth, ``costs`` what being caught costs:
    the coin counts for the one and against the other.
    """

    mine: Side
    his: Side
    hand: tuple[Bean, ...]
    his_hand: int
    unseen: Counts
    free: tuple[Bean, ...]
    offered: Bean | None
    his_names: int
    pays: float
    costs: float


class Choice(Struct, frozen=True, gc=False):
    """One thing to say: take it (``bean`` is ``None``), or name a kind; what that is worth to both."""

    bean: Bean | None
    worth: float
    gain: float = 0.0


def holds(unseen: Counts, cards: int, bean: Bean) -> float:
    """Return how likely ``cards`` hidden cards hold a kind, by what was not seen of each."""
    total, left = sum(unseen), unseen[bean]
    without = 1.0
    for drawn in range(min(cards, total)):
        without *= max(0, total - left - drawn) / (total - drawn)
    return 1 - without


def bluffs(moment: Haggle, opponent: OpponentModel) -> float:
    """Return how likely the offered kind is a bluff: by the cards seen, and by what he did before.

    The more kinds he has named, the fewer hidden cards are left for another one.
    """
    bean = moment.offered
    if bean is None or bean in moment.his.face_up:
        return 0.0
    held = holds(moment.unseen, moment.his_hand - moment.his_names + 1, bean)
    doubt = opponent.doubt
    false, true = doubt * (1 - held), (1 - doubt) * held
    return false / (false + true) if false else float(not true)


def taking(moment: Haggle, manner: Manner, opponent: OpponentModel) -> Choice:
    """Return what taking the offered kind is worth: a gift to plant, or a bluff caught (DD-9, DD-10)."""
    bean = moment.offered
    assert bean is not None  # noqa: S101 - asked only when something is offered
    bluff = bluffs(moment, opponent)
    if bean in moment.his.face_up:
        relief = moment.his.relief(bean)
    else:
        relief = CARD - max(0.0, moment.his.gains(bean)) / 2
    gift = moment.mine.gains(bean) + manner.sprout - manner.spite * relief
    return Choice(None, bluff * moment.pays + (1 - bluff) * gift)


def naming(moment: Haggle, manner: Manner, opponent: OpponentModel, bean: Bean) -> Choice:
    """Return what naming a kind is worth: by how likely it is taken, and what then follows.

    Who has learnt from games expects every bluff to be called, without looking what it would be worth.
    """
    if manner.learned and bean not in moment.mine.face_up + moment.hand:
        return Choice(bean, -moment.costs)
    gain = moment.his.gains(bean) + manner.sprout
    last = len(moment.free) == 1
    likely = 1.0 if last else opponent.takes(gain)
    if bean in moment.mine.face_up:
        then = moment.mine.relief(bean) - manner.spite * gain
    elif bean in moment.hand:
        then = _rid(moment, bean) - manner.spite * gain
    else:
        then = -moment.costs - manner.shame
    shame = 0.0 if bean in moment.mine.face_up + moment.hand else manner.shame / 4
    return Choice(bean, likely * then + (1 - likely) * manner.rest - shame, gain)


def _rid(moment: Haggle, bean: Bean) -> float:
    """Return what it is worth to be rid of a hand card: the front-most of its kind is delivered (DD-9)."""
    mine, place = moment.mine, moment.hand.index(bean)
    fields = mine.planner.best(mine.fields, mine.face_up).fields
    less = moment.hand[:place] + moment.hand[place + 1 :]
    outlook = mine.planner.outlook
    return outlook.value(fields, less) - outlook.value(fields, moment.hand)


def speak(moment: Haggle, manner: Manner, opponent: OpponentModel, rand: Rand) -> Choice:
    """Choose what to say, mixed: the better, the likelier, so that it cannot be read."""
    said = [naming(moment, manner, opponent, bean) for bean in moment.free]
    if moment.offered is not None:
        said.append(taking(moment, manner, opponent))
    best = max(choice.worth for choice in said)
    weights = [exp(max(-40.0, (choice.worth - best) / manner.temperature)) for choice in said]
    return rand.choices(said, weights)[0]
