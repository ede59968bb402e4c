"""A table on which much lies: how tests of its room open it, and where things lie there."""

from __future__ import annotations

from collections.abc import Callable

from tests.web.support.states import Still, stills
from tests.web.support.unserved import Unserved

LANGUAGES = ("en", "de", "is", "it", "ja", "ru", "sv")

Opened = Callable[..., Unserved]
"""How a test opens it: at a size, perhaps another state, and what a context may be told."""


def state(*words: str) -> Still:
    """Return the first state whose name has these words."""
    fitting = (still for still in stills() if set(words) <= set(still.name.split()))
    return next(still for still in fitting if still.rules.edition in ("full", "das-duell"))


def boxes(table: Unserved, selector: str) -> list[dict[str, float]]:
    """Return where all such things lie."""
    found: list[dict[str, float]] = table.page.locator(selector).evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().toJSON())"
    )
    return found


def at_rest(table: Unserved, selector: str) -> list[dict[str, float]]:
    """Return where all such things lie, once the parts that are loaded for them have come."""
    table.drawn()
    before: list[dict[str, float]] = []
    now = boxes(table, selector)
    while now != before:
        table.page.wait_for_timeout(300)
        before, now = now, boxes(table, selector)
    return now
