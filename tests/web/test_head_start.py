"""A head start: set by the host at a seat, seen by all before the game, at the table and in its results."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.web.support.markets import Market
from tests.web.support.people import Person, until_over
from tests.web.support.serving import Serving
from tests.web.support.unserved import Opening
from tests.web.support.walking import SIZES

pytestmark = pytest.mark.e2e

GIVEN = "2 coins and 1 card"


@pytest.fixture
def ada(browser: Browser, server: Serving) -> Iterator[Person]:
    """Return a host whose table has two computer players and a free seat."""
    person = Person(browser, server.url, "Ada", **SIZES["phone"])
    person.page.goto(server.url)
    person.come_in()
    yield person
    person.close()


def waiting(ada: Person) -> None:
    """Open a table with a computer player, and sit down there."""
    options = {"edition": "full", "players": 3, "house_rules": [], "clock": "none", "listed": False}
    options |= {"spectators": True, "delay": 0, "pace": "brisk"}
    ada.table = ada.ask("POST", "/api/tables", {"options": options, "bots": ["pk"]})["table"]
    ada.page.goto(f"{ada.url}/t/{ada.table}")


def give(ada: Person, seat: int, coins: str, cards: str) -> None:
    """Set a head start through the page."""
    ada.page.locator(f"[data-set-head-start='{seat}']").click()
    fields = ada.page.locator(f"[data-head-start-fields='{seat}']")
    fields.locator("[data-part='coins']").select_option(coins)
    expect(ada.page.locator(f"[data-head-start='{seat}']")).to_contain_text("coin")
    fields.locator("[data-part='cards']").select_option(cards)
    ada.page.locator(f"[data-set-head-start='{seat}']").click()


def test_head_start_is_set_seen_played_and_told(ada: Person) -> None:
    """The host gives a computer player a head start; all see it, the game deals it, the results say it."""
    waiting(ada)
    bot = next(place for place, seat in enumerate(ada.seen()["room"]["seats"]) if seat["bot"] is not None)
    give(ada, bot, "2", "1")

    expect(ada.page.locator(f"[data-head-start='{bot}']")).to_have_text(f"Head start: {GIVEN}")
    expect(ada.page.locator("main > p.quiet").first).to_contain_text("with a head start")

    ada.page.locator("[data-start]").click()
    expect(ada.page.locator(f"[data-seat='{bot}'] [data-head-start]")).to_have_count(1)
    start = ada.seen()["game"]
    assert start["players"][bot]["coins"] >= 2 or start["turn"] > 1

    until_over([ada])
    expect(ada.page.locator("[data-over]")).to_contain_text(f"Head start: {GIVEN}")


def test_own_head_start_is_told_at_the_coins(opened: Opening) -> None:
    """In words, though nobody else has one whose mark would have brought them."""
    table = opened(SIZES["wide"])
    table.show(Market(0, 2, "head_start=0:2:1").still())
    table.page.locator(".context .coins").first.hover()

    expect(table.page.locator("#explanation")).to_contain_text(f"You began with a head start: {GIVEN}.")
