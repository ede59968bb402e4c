"""Planting ahead in Das Duell: in which order beans go where, and what is sold for them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from bohn.bots.duelling.outlook import Fields, Outlook
from bohn.rules.beans import Bean
from bohn.rules.policies import FITS, PROTECTED

Beans = tuple[Bean, ...]


class Step(Struct, frozen=True, gc=False):
    """One thing to do: plant a bean on a field, sell a field, drop a bean, or stop."""

    do: Literal["plant", "sell", "drop", "stop"]
    field: int = -1
    bean: Bean | None = None


class Plan(Struct, frozen=True, gc=False):
    """What a way of planting is worth, its first step, and the fields after it."""

    worth: float
    step: Step
    fields: Fields


STOP = Step("stop")

WIDE = 250
"""Positions for which a planner tries every order; from then on it plants in the order of the kinds."""

QUICK = 120
"""The same for whoever plants a gift together with what lies face up."""


class Planner:
    """Looks through the ways of planting some beans; what it has worked out serves again.

    With ``ordered`` the beans are the front of the hand: the first must be planted first, and what is
    not planted stays there (PLANT-1, PLANT-3). Else all must be planted, in any order (DD-12);
    with ``drops`` some may be discarded once one is planted (DD-23). Every order is tried for ``wide``
    positions.
    """

    def __init__(
        self,
        outlook: Outlook,
        hand: Beans = (),
        *,
        ordered: bool = False,
        drops: bool = False,
        wide: int = WIDE,
    ) -> None:
        """Take the outlook of the seat that plants, and its hand behind the beans to plant."""
        self.outlook = outlook
        self._hand = hand
        self._ordered = ordered
        self._fits = FITS[outlook.rules.same_kind]
        self._protected = PROTECTED[outlook.rules.singles]
        self._drops = drops
        self._wide = wide
        self._ends: dict[tuple[Fields, int], Plan] = {}
        self._known: dict[tuple[Fields, Beans, int, bool], Plan] = {}

    def best(self, fields: Fields, beans: Beans, stood: int = 0, *, free: bool = False) -> Plan:
        """Return the best way; ``free`` when no further bean must be planted."""
        if not beans:
            end = self._ends.get((fields, stood))
            if end is None:
                end = Plan(self.outlook.value(fields, self._hand, stood), STOP, fields)
                self._ends[fields, stood] = end
            return end
        key = (fields, beans, stood, free)
        plan = self._known.get(key)
        if plan is None:
            plan = self._known[key] = self._search(fields, beans, stood, free)
        return plan

    def _search(self, fields: Fields, beans: Beans, stood: int, free: bool) -> Plan:
        found: list[Plan] = []
        homeless = False
        narrow = self._ordered or len(self._known) > self._wide
        for place, bean in enumerate(beans[:1] if narrow else beans):
            if bean in beans[:place]:
                continue
            rest = beans[:place] + beans[place + 1 :]
            before = len(found)
            self._plant(fields, bean, rest, stood, found)
            homeless = homeless or len(found) == before
            if self._drops and free:
                after = self.best(fields, rest, stood, free=True)
                found.append(Plan(after.worth, Step("drop", bean=bean), after.fields))
        self._sell(fields, beans, stood, free, homeless, found)
        if self._ordered and free:
            worth = self.outlook.value(fields, beans + self._hand, stood)
            found.append(Plan(worth, STOP, fields))
        return max(found, key=lambda plan: plan.worth)

    def _plant(self, fields: Fields, bean: Bean, rest: Beans, stood: int, found: list[Plan]) -> None:
        tried: set[tuple[Bean, ...]] = set()
        for place, field in enumerate(fields):
            if field in tried or self._fits(fields, place, bean) is not None:
                continue
            tried.add(field)
            grown = (*field, bean)
            new = (*fields[:place], grown, *fields[place + 1 :])
            after = self.best(new, rest, stood | self.outlook.look(grown).stands, free=True)
            found.append(Plan(after.worth, Step("plant", place, bean), after.fields))

    def _sell(
        self, fields: Fields, beans: Beans, stood: int, free: bool, homeless: bool, found: list[Plan]
    ) -> None:
        """Try to sell: every field for a bean that fits nowhere, else what loses next to nothing.

        While a field is empty nothing need be sold: a bean that fits nowhere goes there.
        """
        if () in fields:
            return
        empty = self.outlook.tables.empty
        for place, field in enumerate(fields):
            if not field or self._protected(fields, place):
                continue
            seen = self.outlook.look(field)
            if homeless or seen.worth - seen.coins - empty < 0.1:
                new = (*fields[:place], (), *fields[place + 1 :])
                after = self.best(new, beans, stood, free=free)
                found.append(Plan(after.worth + seen.coins, Step("sell", place), after.fields))
