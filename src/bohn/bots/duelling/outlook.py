"""What fields and bonus cards are worth in Das Duell, from what a seat has seen.

The worth of a field comes from a small table, worked out backwards from the end of the game, by the number of
beans, the kind on top and the own turns to go. Beans come as Poisson variables of what was not yet seen.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp

from msgspec import Struct

from bohn.bots.duelling.manners import Expectations
from bohn.rules.beans import Bean, Beanometer, Field, coins_for
from bohn.rules.policies import MATCHES, runs_of
from bohn.rules.ruleset import Rules

Fields = tuple[Field, ...]
Counts = tuple[int, ...]
Numbers = list[float]
Runs = tuple[int, ...]

MOST = 11
"""Beans from which on a field is worth no more: no beanometer has a step beyond 10 here (BEAN-2)."""

AHEAD = 5
"""Own turns that are looked ahead; with more to go, fields differ no more."""

LACKING = 6
"""The most beans that a field can lack of a pattern."""


class Tables(Struct, frozen=True, gc=False):
    """What the cards to come are expected to make of fields.

    ``fields`` is the worth by kind on top and number of beans, ``empty`` that of an empty field, ``share`` of
    the next card by kind, ``arrive`` the chance by kind and number that at least that many come in time.
    ``known`` caches the chances of the patterns for fields of these runs with this kind on top.
    """

    fields: tuple[Numbers, ...]
    empty: float
    share: Numbers
    arrive: tuple[Numbers, ...]
    known: dict[tuple[Bean | None, Runs], dict[Runs, float]]


@lru_cache(maxsize=1024)
def tables(
    meters: tuple[Beanometer, ...], unseen: Counts, turns: int, half: bool, expected: Expectations
) -> Tables:
    """Return the tables for cards not yet seen and own turns to go."""
    total = max(1, sum(unseen))
    share = [max(0, cards) / total for cards in unseen]
    coins = [[float(coins_for(meter, count)) for count in range(MOST + 2)] for meter in meters]
    worth, empty = coins, 0.0
    for _ in range(min(turns, AHEAD)):
        worth, empty = _turn(coins, worth, empty, share, expected)
    wait = min(turns + half / 2, expected.wait) * expected.cards
    arrive = tuple(_at_least(part * wait) for part in share)
    return Tables(tuple(worth), empty, share, arrive, {})


def _at_least(mean: float) -> Numbers:
    """Return the chances of at least 0, 1, 2, ... of a Poisson variable."""
    chances, term = [1.0], exp(-mean)
    for count in range(1, LACKING + 1):
        chances.append(max(0.0, chances[-1] - term))
        term *= mean / count
    return chances


def _turn(
    coins: list[Numbers], after: list[Numbers], empty: float, share: Numbers, expected: Expectations
) -> tuple[list[Numbers], float]:
    """Return what fields and an empty field are worth one own turn earlier."""
    sown = sum(part * max(row[1], empty) for part, row in zip(share, after, strict=True))
    before = 0.1 * empty + 0.9 * sown
    worth = []
    for kind, row in enumerate(after):
        if not share[kind] and not (kind and share[kind - 1]):
            worth.append(row)
            continue
        mean = share[kind] * expected.cards
        none, one = exp(-mean), mean * exp(-mean)
        above = kind + 1 < len(after)
        climb = expected.climbs * (1 - exp(-share[kind + 1] * expected.cards)) if above else 0.0
        up = after[kind + 1] if above else row
        new = [0.0] * (MOST + 2)
        for count in range(1, MOST):
            now = coins[kind][count]
            stay = row[count] + climb * max(0.0, up[count + 1] - row[count])
            grown = none * stay + one * row[count + 1] + (1 - none - one) * row[count + 2]
            new[count] = max(now + before, expected.sold * (now + empty) + (1 - expected.sold) * grown)
        new[MOST] = new[MOST + 1] = new[MOST - 1]
        worth.append(new)
    return worth, before


class FieldOutlook(Struct, frozen=True, gc=False):
    """What is known of one field: its worth, the coins it brings now, patterns, and what it takes.

    ``chances`` are those of the own bonus cards in the order of the hand, ``stands`` the bits of those whose
    pattern it shows, ``later`` what it may do for cards to come.
    """

    worth: float
    coins: int
    chances: tuple[float, ...]
    stands: int
    later: float
    takes: int


class Outlook:
    """How one seat judges positions: its fields, its hand, its bonus cards.

    ``turns`` are the own turns to come, ``half`` tells whether one more card is planted at the very end.
    """

    def __init__(
        self,
        rules: Rules,
        unseen: Counts,
        turns: int,
        expected: Expectations,
        bonus: tuple[int, ...] = (),
        pool: tuple[int, ...] = (),
        theirs: Fields = (),
        *,
        weight: float = 1.0,
        half: bool = False,
    ) -> None:
        """Take what is known; ``bonus`` are the cards in hand, ``pool`` those that may come."""
        self.rules = rules
        self.turns = turns
        self.half = half
        self.expected = expected
        self.tables = tables(rules.beanometers, unseen, turns, half, expected)
        self._matches = MATCHES[rules.match]
        self._runs = tuple(rules.bonus_cards[card].runs for card in bonus)
        self._prizes = tuple(weight * prize(rules, card) for card in bonus)
        self._pool = self._weigh(pool, weight)
        self._top = max(rules.kinds)
        self._seen: dict[Field, FieldOutlook] = {}
        self._open: dict[int, float] = {}
        self._without = [1.0] * len(bonus)
        for field in theirs:
            for place, chance in enumerate(self.look(field).chances):
                self._without[place] *= 1 - (1 if chance == 1 else chance * expected.theirs)

    def _weigh(self, pool: tuple[int, ...], weight: float) -> dict[Runs, float]:
        """Return the patterns that may come, each with its part of the prizes."""
        if not pool or not self.turns:
            return {}
        part = weight * self.expected.later * min(2, self.turns) / len(pool)
        prizes: dict[Runs, float] = {}
        for card in pool:
            runs = self.rules.bonus_cards[card].runs
            prizes[runs] = prizes.get(runs, 0.0) + part * prize(self.rules, card)
        return prizes

    # one field

    def look(self, field: Field) -> FieldOutlook:
        """Return what is known of a field."""
        seen = self._seen.get(field)
        if seen is None:
            seen = self._seen[field] = self._look(field)
        return seen

    def _look(self, field: Field) -> FieldOutlook:
        top = field[-1] if field else None
        known = self._chances(top, runs_of(field))
        chances = tuple([known.get(wanted, 0.0) for wanted in self._runs])
        pool = self._pool
        later = sum([chance * pool[wanted] for wanted, chance in known.items() if wanted in pool])
        if top is None:
            return FieldOutlook(self.tables.empty, 0, chances, 0, later, 0)
        stands = sum(1 << place for place, wanted in enumerate(self._runs) if self._matches(field, wanted))
        count = min(len(field), MOST)
        coins = coins_for(self.rules.beanometers[top], len(field))
        takes = 1 << top | (1 << (top + 1) if top < self._top else 0)
        return FieldOutlook(self.tables.fields[top][count], coins, chances, stands, later, takes)

    def _chances(self, top: Bean | None, runs: Runs) -> dict[Runs, float]:
        """Return how likely a field comes to show each pattern; those it cannot show are left out."""
        known = self.tables.known.get((top, runs))
        if known is None:
            every = {card.runs: self.chance(top, runs, card.runs) for card in self.rules.bonus_cards}
            known = {wanted: chance for wanted, chance in every.items() if chance}
            self.tables.known[top, runs] = known
        return known

    def chance(self, top: Bean | None, runs: Runs, wanted: Runs) -> float:
        """Return how likely a field comes to show a pattern in time (DD-14)."""
        if top is None:
            return self._from_scratch(wanted)
        last = len(runs) - 1
        if last >= len(wanted) or runs[last] > wanted[last] or runs[:last] != wanted[:last]:
            return 0.0
        lacking = (wanted[last] - runs[last], *wanted[last + 1 :])
        return self._come(top, lacking)

    def _come(self, kind: int, lacking: tuple[int, ...]) -> float:
        if kind + len(lacking) - 1 > self._top:
            return 0.0
        likely = self.expected.patience ** sum(lacking)
        for step, count in enumerate(lacking):
            likely *= self.tables.arrive[kind + step][count]
        return likely

    def _from_scratch(self, wanted: Runs) -> float:
        kinds = self.rules.kinds
        if not self.turns:
            return 0.0
        return sum(self.tables.share[kind] * self._come(kind, (wanted[0] - 1, *wanted[1:])) for kind in kinds)

    # a position

    def value(self, fields: Fields, hand: tuple[Bean, ...] = (), stood: int = 0) -> float:
        """Return what fields, the hand to be planted and the bonus cards are worth together, in coins."""
        looks = [self.look(field) for field in fields]
        worth = sum(seen.worth + seen.later for seen in looks)
        for place, prized in enumerate(self._prizes):
            if stood >> place & 1:
                worth += prized
                continue
            without = self._without[place]
            for seen in looks:
                without *= 1 - seen.chances[place]
            worth += prized * (1 - without)
        if not self.turns:
            return worth + (self._coming(fields, hand[:2], 0.0) if self.half else 0.0)
        loss = min(
            (seen.worth - seen.coins - self.tables.empty for seen in looks if seen.takes),
            default=0.0,
        )
        return worth - self._crowding(looks, loss) + self._coming(fields, hand, loss)

    def bonus_worths(self, fields: Fields) -> list[float]:
        """Return what each of the bonus cards is worth by the chance that its pattern comes to stand."""
        looks = [self.look(field) for field in fields]
        worths = []
        for place, prized in enumerate(self._prizes):
            without = self._without[place]
            for seen in looks:
                without *= 1 - seen.chances[place]
            worths.append(prized * (1 - without))
        return worths

    def _crowding(self, looks: list[FieldOutlook], loss: float) -> float:
        """Return what it will cost that not every kind fits somewhere."""
        takes = empty = 0
        for seen in looks:
            takes |= seen.takes
            empty += not seen.takes
        homeless = self._open.get(takes)
        if homeless is None:
            homeless = sum(part for kind, part in enumerate(self.tables.share) if not takes >> kind & 1)
            self._open[takes] = homeless
        return self.expected.crowd * homeless * self.expected.cards * (loss + 0.25) * 0.4**empty

    def _coming(self, fields: Fields, hand: tuple[Bean, ...], loss: float) -> float:
        """Return what the next hand cards add, front first, one upon the other (PLANT-1)."""
        grown = [(field[-1] if field else -1, len(field)) for field in fields]
        total, weight = 0.0, self.expected.front
        for place, bean in enumerate(hand[:4]):
            adds, where = self._adds(grown, bean, loss)
            if where >= 0:
                grown[where] = (bean, grown[where][1] + 1)
            total += weight * (adds if adds > 0 or not place else adds / 2)
            weight *= self.expected.behind
        return total

    def _adds(self, grown: list[tuple[int, int]], bean: Bean, loss: float) -> tuple[float, int]:
        """Return what one more bean adds where it does most, and that field; -1 where one must be sold."""
        worth, row, empty = self.tables.fields, self.tables.fields[bean], self.tables.empty
        best, where = row[1] - empty - loss - 0.1, -1
        for place, (top, count) in enumerate(grown):
            if count and bean - top not in (0, 1):
                continue
            old = worth[top][min(count, MOST)] if count else empty
            adds = row[min(count + 1, MOST)] - old
            if adds > best:
                best, where = adds, place
        return best, where


def prize(rules: Rules, card: int) -> float:
    """Return what a claimed bonus card is worth, in coins (DD-16)."""
    return 1 + rules.bonus_cards[card].pennies / 100
