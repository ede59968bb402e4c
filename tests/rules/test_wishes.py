"""Marks of kinds: one at a time, and written as before where nothing is kept (TALK-1)."""

from __future__ import annotations

import msgspec

from bohn.rules.beans import Bean
from bohn.rules.state import Wishes


def test_wishes_without_anything_kept_are_written_as_before() -> None:
    """States of old records have the digests that they had."""
    wishes = Wishes().marked(Bean.SOY, "want")

    assert msgspec.json.decode(msgspec.json.encode(wishes)) == {"want": [Bean.SOY], "spare": []}


def test_mark_taken_back_leaves_no_trace() -> None:
    """What was kept and is so no more leaves wishes that were never otherwise."""
    kept = Wishes().marked(Bean.SOY, "spare").marked(Bean.SOY, "keep")

    assert (kept.spare, kept.kept, kept.mark_of(Bean.SOY)) == ((), (Bean.SOY,), "keep")
    assert kept.marked(Bean.SOY, "none") == Wishes()
