"""How much the tests look at: a sample by hand, all where a machine checks a change, far more in a soak.

The environment variable ``HYPOTHESIS_PROFILE`` says it: ``ci`` (what ``.ci/run`` sets) or ``soak``.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

from hypothesis import settings

Item = TypeVar("Item")

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "")
WHOLE = PROFILE in ("ci", "soak")
"""Whether everything is looked at."""

EFFORT = {"ci": 1.0, "soak": 50.0}.get(PROFILE, 0.5)
"""Examples looked at, to the number a property asks for."""


def examples(number: int) -> settings:
    """Return settings for a number of examples: half as many by hand, fifty times as many in a soak."""
    return settings(max_examples=int(number * EFFORT))


def sample(items: Sequence[Item], every: int = 3) -> Sequence[Item]:
    """Return one of ``every`` so many items by hand, else all."""
    return items if WHOLE else items[::every]
