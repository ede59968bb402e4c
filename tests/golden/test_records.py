"""The golden records: a game written by a released format replays for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from bohn.notation.records import digest, read_record, replay, verify
from bohn.rules.state import EndPhase

RECORDS = sorted((Path(__file__).parent / "records").glob("*.bohn"))
END_OF_CORE_1 = "39464560ef9642e44a773b5e22f392c833dc42c3556843b4908e6d5f9897fc74"
CORE_1 = Path(__file__).parent / "records" / "core-1.bohn"


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_golden_record_replays_without_rules(path: Path) -> None:
    """Folding the events leads to the end of the game."""
    assert isinstance(replay(read_record(path.read_bytes())).phase, EndPhase)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_golden_record_is_decided_the_same_way(path: Path) -> None:
    """Every command, decided anew under the rules in the record, causes the same events."""
    record = read_record(path.read_bytes())

    assert verify(record) == replay(record)


def test_golden_record_core_1_ends_as_it_did() -> None:
    """The last position of the first format's game has its digest still."""
    assert digest(replay(read_record(CORE_1.read_bytes()))) == END_OF_CORE_1
