"""People are told of their turns over three workers that are killed between commit and message."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bench.notices.running import Found, Plan, run
from tests.patience import PATIENCE
from tests.server.support.postgres import emptied

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

TURNS = 40
PLAN = Plan(turns=TURNS, tables=6, gap=(0.2, 2.0), taken=4_000, told_after=800, most=PATIENCE, more=PATIENCE)
"""The whole is `python -m bench.notices`, with the times of the server as it is."""


def told(address: str, folder: Path, plant: str = "") -> Found:
    """Let people be told of some dozens of turns."""
    emptied(address)
    plan = Plan(**{**vars(PLAN), "plant": plant})
    return asyncio.run(run(folder, address, plan))


def test_turns_are_told_though_workers_are_killed(postgres_database: str, tmp_path: Path) -> None:
    """Each that lasted, none of which the sender could see the end, and none twice unless it was killed."""
    found = told(postgres_database, tmp_path)

    assert found.faults == []
    assert sum(map(len, found.verdict.messages.values())) >= TURNS
    assert found.deaths
    assert sum(found.under_way) > 0


def test_message_before_its_commit_would_be_found(postgres_database: str, tmp_path: Path) -> None:
    """A mistake that is planted into the workers: they tell of turns that have not begun yet."""
    found = told(postgres_database, tmp_path, "sent-before-commit")

    assert any("no turn" in fault for fault in found.faults)
