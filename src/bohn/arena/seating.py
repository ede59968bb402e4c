"""The seating: every distinct arrangement of a line-up, or a balanced sample of them.

Rotations alone are not enough: whoever sits left of a strong player gets what that one leaves, so each
deal is played in every order that differs in who sits in which seat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import factorial, prod
from random import Random

MOST = 120
"""The most arrangements that are all played: those of five different players."""

Arrangement = tuple[str, ...]
"""Names by seat."""


def number_of(line_up: Sequence[str]) -> int:
    """Return how many distinct arrangements a line-up has: n! over the factorials of equal names."""
    return factorial(len(line_up)) // prod(factorial(count) for count in Counter(line_up).values())


def arrangements(line_up: Sequence[str], seed: str = "", most: int = MOST) -> tuple[Arrangement, ...]:
    """Return the distinct arrangements of a line-up, in a fixed order.

    With more than ``most`` it is a sample drawn from ``seed``: whole rounds of rotations, so that each name
    still sits in each seat equally often, and at most ``most`` unless one round alone has more.
    """
    every = tuple(_distinct(tuple(line_up)))
    return every if len(every) <= most else _sample(every, seed, most)


def _distinct(line_up: Arrangement) -> Iterator[Arrangement]:
    """Yield the distinct orders, that of the line-up itself first."""
    if not line_up:
        yield ()
        return
    for name in dict.fromkeys(line_up):
        place = line_up.index(name)
        for rest in _distinct(line_up[:place] + line_up[place + 1 :]):
            yield (name, *rest)


def _round(arrangement: Arrangement) -> tuple[Arrangement, ...]:
    """Return the distinct rotations of an arrangement."""
    turns = (arrangement[step:] + arrangement[:step] for step in range(len(arrangement)))
    return tuple(dict.fromkeys(turns))


def _sample(every: tuple[Arrangement, ...], seed: str, most: int) -> tuple[Arrangement, ...]:
    drawn = list(every)
    Random(f"arrangements/{seed}").shuffle(drawn)
    chosen: dict[Arrangement, None] = {}
    for arrangement in drawn:
        if arrangement in chosen:
            continue
        turns = _round(arrangement)
        if not chosen or len(chosen) + len(turns) <= most:
            chosen.update(dict.fromkeys(turns))
    return tuple(chosen)
