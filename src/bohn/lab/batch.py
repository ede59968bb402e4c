"""Thousands of games of the twin at once: random games, playouts, stepping with masks and observations.

Everything is a plain function over rows (:mod:`bohn.lab.row`), compiled as the twin is; :class:`Games` only
holds the arrays. Chance is each row's own, seeded from the caller's seed and the game's number, so that
results depend neither on the number of threads nor on how the games are cut into slices.

**The random policy** (:func:`random_action`) gives a game some 900 decisions, every third command of which
is an offer or an answer. A single legal action is played without chance; else one number decides:

* harvest and purchase have one chance in 32 while there is anything else to do, all of them equal;
* a seat that is asked proposes with chance 3/16, all partners equal, and passes otherwise;
* an offer gets a card of a group by chance (face-up bean, hand card, wish; the next group if it is empty),
  kinds equal; after each card it is made with chance 3/4, so that it has one card or two, seldom more;
* an answer is yes or no with equal chance if yes is possible;
* planting and the rest (going on, discarding) have equal chance where both are legal; alike actions too.

What a seat sees of a game is in :mod:`bohn.lab.observations`, copies and hidden cards dealt anew in
:mod:`bohn.lab.worlds`; the names used most are here as well.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from bohn.lab.compiling import compiled
from bohn.lab.observations import FEATURES, FRONT, LAYOUT, Bytes, observe, show_mask
from bohn.lab.row import ASKED, COMPOSE, FIELDS, KINDS, ROW, SEATS, Rows, tables
from bohn.lab.twin import (
    A_FACE,
    A_GO_ON,
    A_HARVEST,
    A_PARTNER,
    A_PLANT,
    A_PROPOSE,
    ACTIONS,
    Row,
    apply_to,
    below,
    best_of,
    deal_in,
    legal_in,
    seed_row,
)
from bohn.lab.worlds import copy_row, determinize, spread
from bohn.play.floor import FREE, FloorSetting
from bohn.rules.ruleset import Rules

__all__ = [
    "ANSWERS",
    "COLUMNS",
    "COMMANDS",
    "DECISIONS",
    "FEATURES",
    "FRONT",
    "GIFTS",
    "LAYOUT",
    "OFFERS",
    "PURCHASES",
    "TRADES",
    "TURNS",
    "WINNERS",
    "Bytes",
    "Floats",
    "Games",
    "Ints",
    "choose_at_random",
    "copy_row",
    "deal_games",
    "determinize",
    "finish",
    "game_seed",
    "observe",
    "pick",
    "play_games",
    "play_games_on",
    "playouts",
    "popcount",
    "random_action",
    "random_part",
    "show",
    "spread",
    "step_games",
    "tally",
]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]

_LOW = (1 << 48) - 1


# -- chance ------------------------------------------------------------------------------------------


@compiled
def game_seed(seed: int, number: int) -> int:
    """Return the seed of one of many games: 48 bits, far apart for near seeds and near numbers."""
    x = (int(seed) * 25214903917 + 11) & _LOW
    x ^= x >> 23
    x = ((x + int(number)) * 181783497276652981) & _LOW
    x ^= x >> 25
    return (x * 25214903917 + 11) & _LOW


@compiled
def popcount(mask: int) -> int:
    """Return the number of bits of a mask."""
    n = 0
    while mask:
        mask &= mask - 1
        n += 1
    return n


@compiled
def pick(mask: int, chance: int) -> int:
    """Return one action of a mask; ``chance`` is a number below 2**23."""
    for _ in range((chance * popcount(mask)) >> 23):
        mask &= mask - 1
    return popcount((mask & -mask) - 1)


# -- the random policy ---------------------------------------------------------------------------------

_RARE = 0b1111 << A_HARVEST  # harvest and purchase
_RARELY = 8  # in 256
_PARTNERS = ((1 << SEATS) - 1) << A_PARTNER
_PROPOSES = 48  # in 256
_CARDS_OF_A_GROUP = ((1 << KINDS) - 1) << A_FACE
_MADE = 192  # in 256
_PLANTS = ((1 << FIELDS) - 1) << A_PLANT


@compiled
def random_action(g: Row, mask: int) -> int:
    """Return an action of the random policy and move the game's generator on, unless there is no choice."""
    if mask & (mask - 1) == 0:
        return popcount(mask - 1)
    chance = below(g, 1 << 31)  # 32 bits would not fit the product of two signed numbers
    coin, chance = chance >> 23, chance & 0x7FFFFF
    rare = mask & _RARE
    if rare:
        if rare == mask or coin < _RARELY:
            return pick(rare, chance)
        mask ^= rare
    mode = g["mode"]
    if mode == ASKED:
        partners = mask & _PARTNERS
        return pick(partners, chance) if partners and coin >= 256 - _PROPOSES else A_GO_ON
    if mode == COMPOSE:
        return random_part(mask, coin, chance)
    plants = mask & _PLANTS
    if plants and plants != mask:
        mask = plants if coin & 1 else mask ^ plants
    return pick(mask, chance)


@compiled
def random_part(mask: int, coin: int, chance: int) -> int:
    """Return the random policy's next card of an offer, or that it is made."""
    if mask >> A_PROPOSE & 1 and coin >= 256 - _MADE:
        return A_PROPOSE
    for n in range(3):
        group = mask & (_CARDS_OF_A_GROUP << (coin + n) % 3 * KINDS)
        if group:
            return pick(group, chance)
    return A_PROPOSE


# -- playouts ------------------------------------------------------------------------------------------

WINNERS = SEATS
"""The column of a tally with the winners, as bits; before it the coins by seat."""

DECISIONS, COMMANDS, OFFERS, ANSWERS, TRADES, GIFTS, PURCHASES, TURNS = range(SEATS + 1, SEATS + 9)
COLUMNS = SEATS + 9
"""A tally: coins by seat, winners, and what was counted in the game (:data:`bohn.lab.row.ROW`)."""


@compiled
def finish(r: Row, g: Row) -> None:
    """Play a game to its end with the random policy."""
    mask = legal_in(r, g)
    while mask:
        apply_to(r, g, random_action(g, mask))
        mask = legal_in(r, g)


@compiled
def tally(r: Row, g: Row, results: Ints, n: int) -> None:
    """Write down how a game ended."""
    for p in range(SEATS):
        results[n, p] = g["coins"][p]
    results[n, WINNERS] = best_of(r, g)
    results[n, DECISIONS] = g["decisions"]
    results[n, COMMANDS] = g["commands"]
    results[n, OFFERS] = g["offers"]
    results[n, ANSWERS] = g["answers"]
    results[n, TRADES] = g["trades"]
    results[n, GIFTS] = g["gifts"]
    results[n, PURCHASES] = g["purchases"]
    results[n, TURNS] = g["turn"]


@compiled
def play_games(rules: Rows, first: int, n: int, seed: int) -> Ints:
    """Play ``n`` random games from the deal, from number ``first``; return their tallies ``(n, COLUMNS)``."""
    results = np.zeros((n, COLUMNS), np.int64)
    states = np.zeros(1, ROW)
    for j in range(n):
        # looked up in every round: in compiled code a record does not keep its array alive
        r, g = rules[0], states[0]
        deal_in(r, g, game_seed(seed, first + j))
        finish(r, g)
        tally(r, g, results, j)
    return results


@compiled
def playouts(rules: Rows, states: Rows, i: int, n: int, seed: int) -> Ints:
    """Play game ``i`` to its end ``n`` times at random; return the tallies ``(n, COLUMNS)``.

    The game itself is not changed. What is hidden stays as it is: :func:`determinize` a copy first.
    """
    results = np.zeros((n, COLUMNS), np.int64)
    scratch = np.zeros(1, ROW)
    for j in range(n):
        scratch[0] = states[i]
        # looked up in every round, as in play_games
        r, g = rules[0], scratch[0]
        seed_row(g, game_seed(seed, j))
        finish(r, g)
        tally(r, g, results, j)
    return results


def play_games_on(rules: Rows, n: int, seed: int, threads: int) -> Ints:
    """Return :func:`play_games` of ``n`` games, played by several threads."""
    bounds = [n * part // threads for part in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        parts = pool.map(
            lambda part: play_games(rules, bounds[part], bounds[part + 1] - bounds[part], seed),
            range(threads),
        )
        return np.concatenate(list(parts))


# -- many games ----------------------------------------------------------------------------------------


@compiled
def deal_games(
    rules: Rows,
    states: Rows,
    start: int,
    stop: int,
    seed: int,
    rounds: Ints,
    bits: Ints,
    masks: Bytes,
    seen: Bytes,
) -> None:
    """Deal games ``start`` to ``stop``, each the game of its round, and show them."""
    for i in range(start, stop):
        deal_in(rules[0], states[i], game_seed(seed, rounds[i] * states.shape[0] + i))
        show(rules, states, i, bits, masks, seen)


@compiled
def show(rules: Rows, states: Rows, i: int, bits: Ints, masks: Bytes, seen: Bytes) -> None:
    """Write the legal actions and the observation of game ``i``."""
    mask = legal_in(rules[0], states[i])
    bits[i] = mask
    show_mask(mask, masks, i)
    observe(states, i, seen, i)


@compiled
def step_games(
    rules: Rows,
    states: Rows,
    start: int,
    stop: int,
    actions: Ints,
    seed: int,
    rounds: Ints,
    bits: Ints,
    masks: Bytes,
    seen: Bytes,
    rewards: Floats,
    done: Bytes,
    coins: npt.NDArray[np.int32],
) -> None:
    """Play one action in each of the games ``start`` to ``stop``; deal anew where that was the last."""
    r = rules[0]
    for i in range(start, stop):
        g = states[i]
        if done[i]:
            done[i] = 0
            for p in range(rewards.shape[1]):
                rewards[i, p] = 0
        apply_to(r, g, int(actions[i]))
        if g["seat"] < 0:
            done[i] = 1
            winners = best_of(r, g)
            for p in range(rewards.shape[1]):
                coins[i, p] = g["coins"][p]
                rewards[i, p] = (winners >> p & 1) / popcount(winners)
            rounds[i] += 1
            deal_in(r, g, game_seed(seed, rounds[i] * states.shape[0] + i))
        show(rules, states, i, bits, masks, seen)


@compiled
def choose_at_random(states: Rows, start: int, stop: int, bits: Ints, actions: Ints) -> None:
    """Choose an action of the random policy in each of the games ``start`` to ``stop``."""
    for i in range(start, stop):
        actions[i] = random_action(states[i], int(bits[i]))


class Games:
    """Many games of one rule set, stepped together; a finished game is followed by a new one at once.

    The arrays are the same objects throughout and change with every step; the first axis is the game:

    ``states`` the rows; ``bits`` int64, the legal actions as bits; ``masks`` uint8 ``(games, ACTIONS)``,
    the same as ones and zeros; ``observations`` uint8 ``(games, FEATURES)`` for ``seats``, who decide;
    ``rewards`` float32 ``(games, players)``, each seat's share of a game that has just ended, else 0;
    ``done`` uint8, whether it has; ``coins`` int32 ``(games, players)`` of the last game that ended;
    ``rounds`` int64, games ended.
    """

    def __init__(
        self, rules: Rules, games: int, seed: int = 0, *, setting: FloorSetting = FREE, threads: int = 1
    ) -> None:
        if games < 1 or threads < 1:
            msg = f"expected at least one game and one thread, not {games} and {threads}"
            raise ValueError(msg)
        self.rules = tables(rules, setting)
        self.seed = seed
        self.states: Rows = np.zeros(games, ROW)
        self.rounds: Ints = np.zeros(games, np.int64)
        self.bits: Ints = np.zeros(games, np.int64)
        self.masks: Bytes = np.zeros((games, ACTIONS), np.uint8)
        self.observations: Bytes = np.zeros((games, FEATURES), np.uint8)
        self.rewards: Floats = np.zeros((games, rules.players), np.float32)
        self.done: Bytes = np.zeros(games, np.uint8)
        self.coins: npt.NDArray[np.int32] = np.zeros((games, rules.players), np.int32)
        self._actions: Ints = np.zeros(games, np.int64)
        bounds = [games * part // threads for part in range(threads + 1)]
        self._slices = list(pairwise(bounds))
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        self.reset(seed)

    @property
    def seats(self) -> Ints:
        """The seat that decides in each game."""
        seats: Ints = self.states["seat"]
        return seats

    def reset(self, seed: int) -> None:
        """Deal every game anew from a seed."""
        self.seed = seed
        self.rounds[:] = 0
        self.done[:] = 0
        self.rewards[:] = 0
        self.coins[:] = 0
        arrays = (self.rounds, self.bits, self.masks, self.observations)
        self._each(deal_games, self.rules, self.states, (seed, *arrays))

    def step(self, actions: npt.ArrayLike) -> tuple[Floats, Bytes]:
        """Play one legal action in each game; return ``rewards`` and ``done``.

        Raises ``ValueError`` for an action that is not legal; no game has moved then.
        """
        self._actions[:] = actions
        if not _all_legal(self.bits, self._actions):
            bad = int(np.argmin([_is_legal(b, a) for b, a in zip(self.bits, self._actions, strict=True)]))
            msg = f"action {self._actions[bad]} is not legal in game {bad}"
            raise ValueError(msg)
        arrays = (self.rounds, self.bits, self.masks, self.observations, self.rewards, self.done, self.coins)
        self._each(step_games, self.rules, self.states, (self._actions, self.seed, *arrays))
        return self.rewards, self.done

    def random_actions(self) -> Ints:
        """Return an action of the random policy for each game; moves the games' generators on."""
        actions: Ints = np.zeros(len(self.states), np.int64)
        choose_at_random(self.states, 0, len(self.states), self.bits, actions)
        return actions

    def close(self) -> None:
        """End the threads; the games need no other care."""
        if self._pool is not None:
            self._pool.shutdown()

    def _each(self, work: Any, rules: Rows, states: Rows, rest: tuple[Any, ...]) -> None:
        """Let every thread work at its slice of the games; the calling thread takes the first."""
        (start, stop), *others = self._slices
        tasks = [self._pool.submit(work, rules, states, a, b, *rest) for a, b in others] if self._pool else []
        work(rules, states, start, stop, *rest)
        for task in tasks:
            task.result()


@compiled
def _is_legal(bits: int, action: int) -> bool:
    return 0 <= action < ACTIONS and int(bits) >> int(action) & 1 == 1


@compiled
def _all_legal(bits: Ints, actions: Ints) -> bool:
    for i in range(bits.shape[0]):  # noqa: SIM110 - Numba compiles no generator expressions
        if not _is_legal(bits[i], actions[i]):
            return False
    return True
