"""What positions are worth in Das Duell, as learnt from games: the plain outlook's parts, weighed anew.

The numbers were fitted to what positions led to in games of duellists against themselves: the coins over the
other from there to the end. A side is seen in two ways, as its owner sees it and as the other does, who
knows neither its hand nor its bonus cards.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from msgspec import Struct, json

from bohn.bots.duelling.manners import Expectations
from bohn.bots.duelling.outlook import (
    LACKING,
    Counts,
    FieldOutlook,
    Fields,
    Numbers,
    Outlook,
    Runs,
)
from bohn.rules.beans import BEANS, Bean, Field
from bohn.rules.policies import runs_of
from bohn.rules.ruleset import Rules

NUMBERS = Path(__file__).with_name("learned.json")

TALL = 8
"""Beans from which on the height of a field counts no more."""

NEXT = 2
"""Hand cards that are surely planted in the next own turn, or can be."""

NEAR = 4
"""Hand cards that are looked at one by one."""

HELD = 0.9
"""What is left of the chance of a pattern for each bean it lacks that the hand has in time."""

PLANTED, OWN_TURN, OTHER_TURN = range(3)
"""The moments that are weighed apart: after planting from the hand, after an own turn, after the other's."""

STAGES = 4
"""Stages of the game within a moment: no own turn to go, one, two or three, more."""


class Weights(Struct, frozen=True, gc=False):
    """What the parts of a side count, many of them by stage.

    ``beans`` are by kind on top and number of beans, ``last`` comes to that in the last own turn; ``runs``
    are by the runs of a field that may still show a pattern, ``dead`` counts those that may not. ``empty``
    is by number of empty fields. Only an owner has the rest: bonus cards by the chance of their pattern
    (by chance alone, with the next hand cards, with those after them) and by what they are, the next hand
    cards by what they add, and the hand by its kinds and number.
    """

    worth: Numbers
    later: Numbers
    loss: Numbers
    crowd: Numbers
    uncovered: Numbers
    dead: Numbers
    empty: list[Numbers]
    beans: dict[str, Numbers]
    last: dict[str, Numbers]
    runs: dict[str, float]
    chance: Numbers = []
    soon: Numbers = []
    held: Numbers = []
    cards: dict[str, float] = {}
    adds: list[Numbers] = []
    homeless: Numbers = []
    kinds: dict[str, float] = {}
    hand: Numbers = []


class Learned(Struct, frozen=True, gc=False):
    """The weights of a side as its owner sees it, and as the other does."""

    own: Weights
    other: Weights


@lru_cache(maxsize=1)
def learned() -> Learned:
    """Return the numbers that were learnt."""
    return json.decode(NUMBERS.read_bytes(), type=Learned)


def written(runs: Runs) -> str:
    """Return runs as the file of numbers names them."""
    return "-".join(map(str, runs))


def stage_of(moment: int, turns: int) -> int:
    """Return the stage by the moment and the own turns to go."""
    return STAGES * moment + (turns if turns < NEXT else 2 + (turns > STAGES - 1))


class Part(Struct, frozen=True, gc=False):
    """What one field counts: its score, and for each own bonus card the chances that it shows the pattern.

    ``chances`` are without the hand, ``soon`` with the next hand cards, ``held`` with those after them too.
    """

    score: float
    look: FieldOutlook
    chances: tuple[float, ...]
    soon: tuple[float, ...]
    held: tuple[float, ...]


@lru_cache(maxsize=4096)
def ways(runs: Runs, patterns: tuple[Runs, ...]) -> tuple[tuple[Runs, Runs], ...]:
    """Return the patterns that a field of these runs may come to show, each with what it lacks (DD-14)."""
    if not runs:
        return tuple([(wanted, (wanted[0] - 1, *wanted[1:])) for wanted in patterns])
    last = len(runs) - 1
    return tuple([
        (wanted, (wanted[last] - runs[last], *wanted[last + 1 :]))
        for wanted in patterns
        if last < len(wanted) and runs[last] <= wanted[last] and runs[:last] == wanted[:last]
    ])  # fmt: skip


class LearnedOutlook(Outlook):
    """How one seat judges positions by what was learnt; with a hand as its owner, without as the other."""

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
        moment: int = OWN_TURN,
        hand: tuple[Bean, ...] | None = None,
        half: bool = False,
    ) -> None:
        """Take what is known, the moment, and the hand of an owner."""
        self._patience = [expected.patience**lacks for lacks in range(LACKING + 1)]
        self._patterns = tuple(dict.fromkeys([card.runs for card in rules.bonus_cards]))
        super().__init__(rules, unseen, turns, expected, bonus, pool, theirs, half=half)
        self.weights = learned().other if hand is None else learned().own
        self._stage = stage_of(moment, turns)
        self._hands = tuple(_counts((hand or ())[:most]) for most in (NEXT, NEAR))
        self._parts: dict[Field, Part] = {}
        self._grounds: dict[tuple[int, int], tuple[float, float]] = {}
        self._hand_worths: dict[tuple[Bean, ...], float] = {}
        if hand is not None:
            weights, stage, part = self.weights, self._stage, min(turns, 4) / 4
            self._by_chance = weights.chance[stage], weights.soon[stage], weights.held[stage]
            self._cards = [part * weights.cards[written(runs)] for runs in self._runs]
            self._adding = [row[stage] for row in weights.adds]
            self._nowhere = [(1.0 if turns else 0.3) * weight for weight in weights.homeless]

    # one field

    def part(self, field: Field) -> Part:
        """Return what a field counts."""
        part = self._parts.get(field)
        if part is None:
            part = self._parts[field] = self._part(field)
        return part

    def _part(self, field: Field) -> Part:
        seen, weights, stage = self.look(field), self.weights, self._stage
        score = seen.worth * weights.worth[stage] + seen.later * weights.later[stage]
        runs = runs_of(field)
        if field:
            kind, tall = field[-1].name.lower(), min(len(field), TALL) - 1
            score += weights.beans[kind][tall] + (weights.last[kind][tall] if self.turns < NEXT else 0.0)
        if len(runs) > 1:
            alive = weights.runs.get(written(runs))
            score += weights.dead[stage] if alive is None else alive
        if not self._runs:
            return Part(score, seen, (), (), ())
        top, wanted = field[-1] if field else None, ways(runs, self._runs)
        soon, held = [self._with_hand(top, wanted, counts) for counts in self._hands]
        return Part(
            score, seen, seen.chances, tuple([soon.get(wanted, 0.0) for wanted in self._runs]),
            tuple([held.get(wanted, 0.0) for wanted in self._runs]),
        )  # fmt: skip

    def _chances(self, top: Bean | None, runs: Runs) -> dict[Runs, float]:
        """Return how likely a field comes to show each pattern; those it cannot show are left out."""
        known = self.tables.known.get((top, runs))
        if known is None:
            may = ways(runs, self._patterns)
            every = {
                wanted: self._from_scratch(wanted) if top is None else self._come(top, lacking)
                for wanted, lacking in may
            }
            known = {wanted: chance for wanted, chance in every.items() if chance}
            self.tables.known[top, runs] = known
        return known

    def _with_hand(
        self, top: Bean | None, wanted: tuple[tuple[Runs, Runs], ...], counts: Counts
    ) -> dict[Runs, float]:
        """Return how likely a field comes to show each pattern in time if these hand cards count as well."""
        if top is not None:
            return {runs: self._come_with(top, lacking, counts) for runs, lacking in wanted}
        if not self.turns:
            return {}
        share, kinds = self.tables.share, self.rules.kinds
        return {
            runs: sum([share[kind] * self._come_with(kind, lacking, counts) for kind in kinds])
            for runs, lacking in wanted
        }

    def _come_with(self, kind: int, lacking: tuple[int, ...], counts: Counts) -> float:
        if kind + len(lacking) - 1 > self._top:
            return 0.0
        likely, arrive, patience = 1.0, self.tables.arrive, self._patience
        for step, lacks in enumerate(lacking):
            chances = arrive[kind + step]
            alone = chances[lacks] * patience[lacks]
            held = min(counts[kind + step], lacks)
            if held:
                alone = max(alone, chances[lacks - held] * patience[lacks - held] * HELD**held)
            likely *= alone
        return likely

    # a position

    def value(self, fields: Fields, hand: tuple[Bean, ...] = (), stood: int = 0) -> float:
        """Return what fields, the hand to be planted and the bonus cards are worth together, in coins."""
        parts = [self.part(field) for field in fields]
        looks = [part.look for part in parts]
        empty = self.tables.empty
        loss = min([seen.worth - seen.coins - empty for seen in looks if seen.takes], default=0.0)
        fixed, sloped = self._ground(looks)
        total = sum([part.score for part in parts]) + fixed + sloped * loss
        if not self.weights.adds:
            return total
        for place, prized in enumerate(self._prizes):
            total += prized if stood >> place & 1 else self._bonus(place, parts)
        return total + self._coming(fields, hand, loss) + self._hand(hand)

    def _bonus(self, place: int, parts: list[Part]) -> float:
        """Return what a bonus card is worth in the hand."""
        alone = soon = held = self._without[place]
        for part in parts:
            alone *= 1 - part.chances[place]
            soon *= 1 - part.soon[place]
            held *= 1 - part.held[place]
        by_alone, by_soon, by_held = self._by_chance
        likely = by_alone * (1 - alone) + by_soon * (1 - soon) + by_held * (1 - held)
        return self._prizes[place] * likely + self._cards[place]

    def bonus_worths(self, fields: Fields) -> list[float]:
        """Return what each of the bonus cards is worth in the hand."""
        parts = [self.part(field) for field in fields]
        return [self._bonus(place, parts) for place in range(len(self._prizes))]

    def _ground(self, looks: list[FieldOutlook]) -> tuple[float, float]:
        """Return what it counts which kinds fit somewhere: as it is, and by what a field to be sold loses."""
        takes = empty = 0
        for seen in looks:
            takes |= seen.takes
            empty += not seen.takes
        known = self._grounds.get((takes, empty))
        if known is None:
            uncovered = sum([part for kind, part in enumerate(self.tables.share) if not takes >> kind & 1])
            weights, stage = self.weights, self._stage
            crowd = weights.crowd[stage] * uncovered * 0.4**empty
            fixed = weights.empty[empty][stage] + weights.uncovered[stage] * uncovered + 0.25 * crowd
            known = self._grounds[takes, empty] = fixed, crowd + weights.loss[stage]
        return known

    def _coming(self, fields: Fields, hand: tuple[Bean, ...], loss: float) -> float:
        """Return what the next hand cards add, front first, one upon the other (PLANT-1)."""
        grown = [(field[-1] if field else -1, len(field)) for field in fields]
        total = 0.0
        for place, bean in enumerate(hand[:NEAR]):
            adds, where = self._adds(grown, bean, loss)
            if where >= 0:
                grown[where] = (bean, grown[where][1] + 1)
            else:
                total += self._nowhere[place]
            total += self._adding[place] * adds
        return total

    def _hand(self, hand: tuple[Bean, ...]) -> float:
        """Return what the hand counts by its kinds and number."""
        known = self._hand_worths.get(hand)
        if known is None:
            kinds = self.weights.kinds
            each = sum([kinds[bean.name.lower()] for bean in hand]) if self.turns else 0.0
            known = self._hand_worths[hand] = 0.2 * (each + self.weights.hand[self._stage] * len(hand))
        return known


def _counts(cards: tuple[Bean, ...]) -> Counts:
    """Return by bean how many cards there are."""
    return tuple([cards.count(bean) for bean in BEANS])
