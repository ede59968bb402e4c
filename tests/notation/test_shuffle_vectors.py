"""The shuffle as another implementation must compute it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bohn.rules.shuffle import seed_from, shuffled

DOCUMENT = Path(__file__).parents[2] / "docs" / "notation.md"
ROW = re.compile(r"^\| `(\w+)` \| `([0-9a-f]{64})` \| (\d+) \| ([\d ]+) \|$", flags=re.MULTILINE)
VECTORS = ROW.findall(DOCUMENT.read_text(encoding="utf-8"))


def test_document_has_five_vectors() -> None:
    """The document promises five."""
    assert len(VECTORS) == 5


@pytest.mark.parametrize(("source", "seed", "number", "order"), VECTORS)
def test_shuffle_is_as_documented(source: str, seed: str, number: str, order: str) -> None:
    """Seed and order of each vector are what the core computes."""
    computed = seed_from(int(source) if source.isdecimal() else source)

    assert computed.hex() == seed
    assert shuffled(tuple(range(10)), computed, int(number)) == tuple(map(int, order.split()))
