"""Games over days: a table whose clock counts in hours is opened, tells its time, and misses nobody."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.web.support.people import Person
from tests.web.support.serving import Serving

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def over_days(browser: Browser, server: Serving, **window: object) -> Person:
    """Return somebody who has just opened a table of 12 hours a move with computer players."""
    ada = Person(browser, server.url, "Ada", **window)
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
    expect(page.get_by_role("timer").first).to_be_visible()
    return ada


def test_game_over_days_is_opened_and_tells_its_hours(browser: Browser, server: Serving) -> None:
    """The clock shows the hours of a move; the trading ends when everybody has passed."""
    ada = over_days(browser, server)
    page = ada.page
    timer = page.get_by_role("timer").first
    expect(timer).to_have_text("11 h 59 min")
    options = ada.ask("GET", f"/api/tables/{page.url.rsplit('/', 1)[1]}")["room"]["options"]
    assert (options["clock"], options["house_rules"]) == ("12h", ["closing=unanimous"])
    ada.close()


def test_order_is_left_kept_and_taken_back(browser: Browser, server: Serving) -> None:
    """What one leaves for the time of being away is there after a reload, and gone when it is taken back."""
    ada = over_days(browser, server, viewport={"width": 360, "height": 800}, has_touch=True, is_mobile=True)
    page = ada.page

    def open_sheet() -> None:
        page.locator("[data-menu]").click()
        page.locator("[data-away]").click()

    open_sheet()
    expect(page.get_by_text("You have left no orders.")).to_be_visible()
    leave = page.locator("[data-leave]")
    expect(leave).to_be_disabled()
    page.locator("[data-give]").select_option("wax")
    page.locator("[data-take-kind]").select_option("red")
    leave.click()
    expect(page.locator("[data-order]")).to_contain_text("wax")
    expect(page.locator("[data-order]")).to_contain_text("carried out 0 times of 1")

    page.reload()
    open_sheet()
    expect(page.locator("[data-order]")).to_have_count(1)
    page.get_by_role("button", name="Take this order back").click()
    expect(page.get_by_text("You have left no orders.")).to_be_visible()
    ada.close()


def test_word_that_one_is_done_is_given_and_taken_back(browser: Browser, server: Serving) -> None:
    """The button says what it would do now, and everybody reads in the log what was said."""
    ada = over_days(browser, server)
    page = ada.page
    page.locator("[data-menu]").click()
    page.locator("[data-away]").click()
    done = page.locator("[data-done]")
    expect(done).to_have_attribute("aria-pressed", "false")
    done.click()
    expect(done).to_have_attribute("aria-pressed", "true")
    expect(done).to_have_text("I’m not done after all")
    done.click()
    expect(done).to_have_attribute("aria-pressed", "false")
    ada.close()


def test_table_without_hours_takes_no_orders(browser: Browser, server: Serving) -> None:
    """Where everybody sits at the table there is nothing to leave."""
    ada = Person(browser, server.url, "Ada")
    ada.come_in()
    ada.open_table(3, bots=2)
    ada.page.locator("[data-menu]").click()
    expect(ada.page.locator("[data-menu] + .list button").first).to_be_visible()
    expect(ada.page.locator("[data-away]")).to_have_count(0)
    ada.close()
