"""The numbers of the duellists: what they expect of the cards, and how they haggle, by level."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace


class Expectations(Struct, frozen=True, gc=False):
    """What a duellist expects of the cards, the same at every level.

    ``cards`` are the beans planted in an own turn, ``sold`` the chance that a field must go in it,
    ``climbs`` how much of the way up the ladder (DD-3) is counted on. ``wait`` is how many turns a pattern
    may take, ``patience`` what is left of its chance for each bean it still lacks, ``theirs`` the same for
    the other's fields; ``later`` weighs the bonus cards to come. ``crowd`` weighs beans that will fit
    nowhere, ``front`` and ``behind`` the hand cards to plant next.
    """

    cards: float = 3.5
    sold: float = 0.15
    climbs: float = 0.5
    wait: float = 2.5
    patience: float = 0.65
    theirs: float = 0.5
    later: float = 0.6
    crowd: float = 0.5
    front: float = 0.7
    behind: float = 0.5


class Manner(Struct, frozen=True, gc=False):
    """How a level haggles: all worths in coins.

    ``spite`` is what the other's gain counts against the own. ``shame`` is what a bluff costs beside the coin
    (DD-10), ``doubt`` how likely the other is thought to bluff at first; ``learns`` how much that and the
    other's taking follow what happens. ``temperature`` is how far from the best a choice may stray (softmax),
    ``rest`` what a refused naming is worth, since then the other must name something. ``sprout`` is what one
    more bean to plant is worth beside its place: it may come to serve a pattern. ``bonus`` is how much bonus
    cards count when it plants, and how good a new one must be for it to discard another: with 0 it keeps all.
    Who is ``eager`` sells a field as soon as it brings a coin, and plants as the farmers do. Who has
    ``learned`` judges positions by numbers learnt from games, plants a gift together with what lies face up,
    and expects every bluff to be called.
    """

    spite: float = 1.0
    shame: float = 0.0
    doubt: float = 0.15
    learns: float = 1.0
    temperature: float = 0.06
    rest: float = 0.3
    sprout: float = 0.45
    bonus: float = 1.0
    eager: bool = False
    learned: bool = False
    expected: Expectations = Expectations()


STRONG = Manner()

GENTLE = Manner(spite=0.3, shame=2.0, doubt=0.02, learns=0.3, temperature=0.3, rest=0.05, bonus=0.0)

FAIR = Manner(spite=0.6, shame=0.5, doubt=0.07, learns=0.6, temperature=0.15, rest=0.15, bonus=0.3)

SCHOOLED = Manner(rest=0.15, sprout=0.2, temperature=0.02, learned=True)

EAGER = replace(GENTLE, eager=True)

HEEDLESS = replace(GENTLE, expected=Expectations(front=0.0, behind=0.0))

MANNERS: dict[str, Manner] = {
    "beginner-1": EAGER,
    "beginner-2": EAGER,
    "gentle-1": GENTLE,
    "gentle-2": HEEDLESS,
    "gentle-3": HEEDLESS,
    "fair-1": FAIR,
    "fair-2": FAIR,
    "fair-3": FAIR,
    "strong-1": STRONG,
    "strong-2": STRONG,
    "strong-3": STRONG,
    "strong-4": SCHOOLED,
    "strong-5": SCHOOLED,
    "strongest-1": STRONG,
    "strongest-2": STRONG,
    "strongest-3": STRONG,
    "strongest-4": SCHOOLED,
    "strongest-5": SCHOOLED,
    "duellist": STRONG,
}
"""The manner of each level; a player without one haggles as the farmers do."""
