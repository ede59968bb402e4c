"""Learning and climbing on Ray itself find what processes and threads of one machine find."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from bohn.lab.compile_cache import INTERPRET
from tests.arena.support import require_ray

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.ray,
    pytest.mark.xdist_group("ray"),  # one cluster at a time
    pytest.mark.skipif(find_spec("numba") is None, reason="interpreted this takes hours"),
]


def told(program: str, where: str, *options: str) -> list[Any]:
    """Run a program with machine code; return what it prints, but for the time."""
    require_ray()
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", program, *options, "--workers", "2", "--executor", where],
        env=os.environ | {INTERPRET: "0"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [{**json.loads(line), "s": 0} for line in done.stdout.splitlines()]


def test_learning_on_ray_finds_what_processes_find(tmp_path: Path) -> None:
    """What is learnt is the same to the byte."""
    games = ("--rounds", "1", "--games", "60", "--forked", "60", "--company", "pk,b4,learner")
    jury = ("--jury", "pk", "--deals", "3")
    steps = [
        told("bench.learn", where, "--out", str(tmp_path / where), *games, *jury) for where in ("pool", "ray")
    ]
    assert steps[0] == steps[1]
    for name in ("advantage.json", "value.json"):
        assert (tmp_path / "ray" / name).read_bytes() == (tmp_path / "pool" / name).read_bytes()


def test_climb_on_ray_finds_what_threads_find() -> None:
    """Every trial, the numbers and the shares."""
    climb = ("--start", "value-trader", "--jury", "pk,b4:3", "--deals", "6", "--trials", "2", "--final", "10")
    assert told("bench.climb", "ray", *climb) == told("bench.climb", "pool", *climb)
