"""What each part of `strong` is worth: ``python -m bench.ablate --against value-trader,pk:7 --deals 200``.

`strong` plays with one thing changed, on the same deals in every seat as with none. The last two lines of
each table are another question: one opponent refuses every exchange with it, and trades with the others.
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.learning.jury import Seat, scores
from bench.learning.tables import begin
from bohn.lab.compiling import compiled
from bohn.lab.players.driver import move, winners
from bohn.lab.players.player_memory import (
    COMES,
    GOES,
    LIES,
    MEMORY,
    OTHER_GAINS,
    OTHER_GOES,
    OTHER_HAND,
    OTHER_LOSES,
)
from bohn.lab.players.remembering import learn_from_answer, note_offer
from bohn.lab.players.styles import MODELS, style_of
from bohn.lab.row import ANSWER, END, ROW, Rows
from bohn.lab.twin import A_DECLINE, apply_to

Row = Any
Floats = npt.NDArray[np.float64]

FIRST = 777_000_000


def _set(**numbers: float) -> Callable[[Rows], None]:
    def change(style: Rows) -> None:
        for name, number in numbers.items():
            style[name] = number

    return change


def _forget(*parts: int) -> Callable[[Rows], None]:
    def change(style: Rows) -> None:
        style["advantage"][:, list(parts)] = 0

    return change


def _one_scene(style: Rows) -> None:
    style["advantage"][:, :, 1:] = 0


CHANGES: dict[str, Callable[[Rows], None]] = {
    "nothing": _set(),
    "the rule by hand instead of what was learnt": _set(learned=0, theta_answer=0.17, theta_offer=0.1),
    "... and offers of the value trader only": _set(learned=0, theta_answer=0.17, theta_offer=0.1, wide=0),
    "one scene: no own turn, passes, lead, players": _one_scene,
    "cards that go and come count nothing": _forget(COMES, GOES, LIES, OTHER_GOES),
    "the other's gain counts nothing": _forget(OTHER_GAINS, OTHER_LOSES, OTHER_HAND),
    "offers of the value trader only": _set(wide=0),
    "the hand does not matter when a field is sold": _set(ahead=0),
    "supply does not follow the trades seen": _set(adapt=0),
    "never a third field": _set(buy=99),
    "third field at any number of players": _set(crowd=7),
    "sixty tries": _set(tries=60),
    "ten tries": _set(tries=10),
    "ten tries, nothing learnt of partners": _set(tries=10, learns=0),
    "ten tries, best gain first": _set(tries=10, chance=0),
}


def main() -> None:
    """Print a table for every opponent."""
    parser = argparse.ArgumentParser(description="Measure what each part of strong is worth.")
    parser.add_argument(
        "--against", default="value-trader,value-trader:7,pk", help="PLAYER[:EDITION][:N][:FLOOR],..."
    )
    parser.add_argument("--deals", type=int, default=200)
    given = parser.parse_args()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for text in given.against.split(","):
            print(f"against {text}, {given.deals} deals in every seat; ± 95 %")
            measure(Seat(text), given.deals, pool)


def measure(seat: Seat, deals: int, pool: ThreadPoolExecutor) -> None:
    """Print the share of the wins with every change, and what the change did."""
    base: Floats | None = None
    for name, change in CHANGES.items():
        style = style_of("strong-1")
        if seat.player != "no-trade":
            style["quiet"] = 0
        change(style)
        _, share = scores(style, seat, FIRST, deals, pool)
        base = share if base is None else base
        print_row(name, share, share - base)
    for name, told in (
        ("strong-1", "one opponent refuses every exchange"),
        ("value-trader", "... a value-trader in its place"),
    ):
        shares = list(pool.map(partial(refused, seat, name, deals), range(seat.players)))
        print_row(told, np.mean(shares, axis=0), None)


def print_row(name: str, share: Floats, change: Floats | None) -> None:
    """Print one line."""
    error = 196 / math.sqrt(len(share))
    told = f"  {name:48} {100 * share.mean():5.1f} ± {error * share.std(ddof=1):.1f}"
    if change is not None and change.any():
        told += f"   {100 * change.mean():+5.1f} ± {error * change.std(ddof=1):.1f}"
    print(told, flush=True)


def refused(seat: Seat, name: str, deals: int, place: int) -> Floats:
    """Return a player's share of the wins in each deal when one other seat refuses all exchanges with it."""
    n = seat.players
    style = style_of(name)
    style["quiet"] = 0
    styles: Rows = np.concatenate([style, style_of(seat.player), *map(style_of, MODELS)])
    styles["model"] = 2
    states: Rows = np.zeros(2, ROW)
    memories: Rows = np.zeros(2 * n, MEMORY)
    share = np.zeros(deals)
    for deal in range(deals):
        memories["style"][:n] = 1
        memories["style"][place] = 0
        begin(seat.rules, states, 0, styles, memories, FIRST + deal)
        play_feud(
            seat.rules, states, 0, seat.table, styles, memories, place, (place + 1 + deal % (n - 1)) % n
        )
        won = int(winners(seat.rules, states, 0))
        share[deal] = (won >> place & 1) / won.bit_count()
    return share


@compiled
def play_feud(
    rules: Row, states: Row, i: int, v: Row, styles: Row, memories: Row, one: int, other: int
) -> None:
    """Play a game to its end in which two seats refuse all offers of each other."""
    r, g = rules[0], states[i]
    while g["phase"] != END:
        maker, answers = int(g["maker"]), int(g["seat"])
        between = (maker == one and answers == other) or (maker == other and answers == one)
        if g["mode"] == ANSWER and between:
            note_offer(g, memories, 0)
            learn_from_answer(r, styles, g, memories, maker, answers, False)
            apply_to(r, g, A_DECLINE)
        else:
            move(rules, states, i, v, styles, memories)


if __name__ == "__main__":
    main()
