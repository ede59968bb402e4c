"""Games over days: a table whose clock counts in hours is opened, tells its time, and misses nobody."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.web.support.people import Person
from tests.web.support.serving import Serving

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def test_game_over_days_is_opened_and_tells_its_hours(browser: Browser, server: Serving) -> None:
    """The clock shows the hours of a move; the trading ends when everybody has passed."""
    ada = Person(browser, server.url, "Ada")
    ada.come_in()
    page = ada.page
    page.goto(server.url)
    ada.button("New table").click()
    page.locator("label:has(input[name='bots'][value='3'])").click()
    page.locator("[data-more-settings] summary").click()
    page.locator("label:has(input[name='clock'][value='days'])").click()
    expect(page.get_by_text("the trading ends when everybody has passed")).to_be_visible()
    page.locator("label:has(input[name='hours'][value='12h'])").click()
    page.locator("form button[type='submit']").click()

    timer = page.get_by_role("timer").first
    expect(timer).to_have_text("11 h 59 min")
    options = ada.ask("GET", f"/api/tables/{page.url.rsplit('/', 1)[1]}")["room"]["options"]
    assert (options["clock"], options["house_rules"]) == ("12h", ["closing=unanimous"])
    ada.close()
