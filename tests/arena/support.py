"""Small plans of cheap players, and what plays them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from bohn.arena.core import CoreEngine
from bohn.arena.engine import Game
from bohn.arena.executor import SerialExecutor
from bohn.arena.match import Match, Result
from bohn.arena.plan import Cell, Chunk, Limits, Plan, Stopping, chunks_of
from bohn.arena.store import Store

VARIABLE = "BOHN_TEST_RAY"
"""``require``: where Ray is not installed its tests fail; else they are skipped."""

CHEAP = ("no-trade", "random", "random")
"""A table of players that take two milliseconds a game."""


def plan(
    line_up: tuple[str, ...] = CHEAP,
    deals: int = 4,
    *,
    bots: dict[str, str] | None = None,
    limits: Limits | None = None,
    chunk: int = 2,
    stopping: Stopping | None = None,
    seed: str = "test",
) -> Plan:
    """Return a plan of one cell."""
    return Plan(
        "run",
        "full",
        len(line_up),
        (),
        "free",
        seed,
        "core",
        (Cell(f"{line_up[0]} vs {line_up[-1]}", line_up, deals),),
        {name: (bots or {}).get(name, name) for name in line_up},
        chunk,
        stopping or Stopping(),
        limits or Limits(),
    )


def whole(wanted: Plan) -> Chunk:
    """Return the only cell of a plan as one chunk."""
    first = chunks_of(wanted, wanted.cells[0], 0, wanted.cells[0].deals)
    return Chunk(
        first[0].cell,
        wanted.edition,
        wanted.players,
        wanted.house_rules,
        wanted.setting,
        first[0].line_ups,
        0,
        tuple(seed for chunk in first for seed in chunk.seeds),
        wanted.bots,
        wanted.limits,
    )


def faulty(name: str, deals: int = 1, **limits: object) -> Plan:
    """Return a plan in which one faulty bot sits with two others."""
    return plan(
        (name, "random", "random"),
        deals,
        bots={name: f"py:tests.arena.faulty:{name}"},
        limits=Limits(**limits),  # type: ignore[arg-type] # - each test names its own
    )


def play(wanted: Plan, folder: Path) -> Result:
    """Play a plan in this process."""
    with Store(folder, wanted) as store:
        return Match(store, CoreEngine(), SerialExecutor()).play()


def game(deal: int, arrangement: int, shares: Sequence[float], coins: Sequence[float]) -> Game:
    """Return a made-up game."""
    none = (0,) * len(shares)
    return Game(deal, arrangement, tuple(shares), tuple(coins), 10, 0, 0, none, none)


def require_ray() -> None:
    """Skip or fail where Ray is not installed."""
    if find_spec("ray") is None:
        if os.environ.get(VARIABLE) == "require":
            pytest.fail("Ray is not installed: pip install --require-hashes -r requirements/ray.txt")
        pytest.skip("Ray is not installed")
