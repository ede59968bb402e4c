"""The seats of the others in a wide window: their fields use the room that they have."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.web.support.states import SEEDS, fullest_of
from tests.web.support.unserved import Unserved

pytestmark = pytest.mark.e2e


def test_beans_of_four_neighbours_are_large_in_a_wide_window(browser: Browser) -> None:
    """Where a field has room its drawing is larger, and nothing of the field is cut off."""
    market = next(still for still in fullest_of("full", 5, SEEDS) if still.name.endswith("trade"))
    table = Unserved(browser, viewport={"width": 1440, "height": 900})
    table.show(market)
    table.drawn()
    widths: list[float] = table.page.locator(".seats .field .art svg").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().width)"
    )
    cut = table.page.locator(".seats .field").evaluate_all(
        "all => all.filter(one => one.scrollHeight > one.clientHeight).length"
    )
    table.close()

    assert widths
    assert min(widths) >= 36
    assert cut == 0
