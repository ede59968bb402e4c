"""The page where no server answers: what can be read there, and what a newer page does to an older one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web.support.people import Person
from tests.web.support.serving import Serving

pytestmark = pytest.mark.e2e

RECORD = Path(__file__).parents[1] / "golden" / "records" / "core-1.bohn"

STORED = """async (wanted) => {
  for (const until = Date.now() + 30000; Date.now() < until; ) {
    const found = await Promise.all(wanted.map((path) => caches.match(path)));
    if (found.every((answer) => answer !== undefined)) return true;
    await new Promise((done) => setTimeout(done, 50));
  }
  return false;
}"""
"""Waits in the page until all these paths are stored."""


@pytest.fixture
def ada(browser: Browser, own_server: Serving) -> Iterator[Person]:
    """Return somebody with a kept game, whose browser has stored what it needs without a network."""
    person = Person(browser, own_server.url, "Ada", service_workers="allow")
    person.come_in()
    sent = person.context.request.post(
        f"{person.url}/api/records",
        data=RECORD.read_bytes(),
        headers={"Content-Type": "application/x-ndjson"},
    )
    assert sent.ok, sent.text()
    record = sent.json()["record"]
    person.page.goto(person.url)
    expect(person.page.get_by_role("heading", name="Kept games")).to_be_visible()
    replay = [f"/api/records/{record}/{what}" for what in ("summary", "replay?seat=0")]
    assert person.page.evaluate(
        STORED, ["/", "/api/me", "/api/me/records", "/api/rules?edition=full", *replay]
    )
    yield person
    person.close()


def test_lobby_opens_without_a_server(ada: Person, own_server: Serving) -> None:
    """One reads that there is no connection, and what is here all the same."""
    own_server.kill()
    ada.page.goto(ada.url)

    expect(ada.page.get_by_text("No connection. The rules and your kept games are here")).to_be_visible()
    expect(ada.page.get_by_role("heading", name="Kept games")).to_be_visible()


def test_kept_game_is_replayed_without_a_server(ada: Person, own_server: Serving) -> None:
    """From the list one comes to the board, and goes through the game."""
    own_server.kill()
    ada.page.goto(ada.url)
    ada.page.locator("a[href^='/replay/record/']").first.click()

    expect(ada.page.locator("[data-seat]").first).to_be_visible()


def test_rules_are_read_without_a_server(ada: Person, own_server: Serving) -> None:
    """Of every game, in one's own language."""
    own_server.kill()
    ada.page.goto(f"{ada.url}/rules/full")

    expect(ada.page.get_by_text("PLANT-1").first).to_be_visible()


def test_table_is_never_shown_from_a_store(ada: Person, own_server: Serving) -> None:
    """Nobody plays against a picture: at a table one reads that the server is not there."""
    table = ada.open_table(4, bots=3)
    expect(ada.page.locator("[data-card]").first).to_be_visible()
    own_server.kill()
    ada.page.goto(f"{ada.url}/t/{table}")

    expect(ada.page.locator("[data-card]")).to_have_count(0)


def test_page_of_the_server_comes_before_the_stored_one(ada: Person, own_server: Serving) -> None:
    """While the server answers, its page is shown, though another one is stored."""
    ada.page.evaluate(
        """async () => {
          for (const name of await caches.keys())
            if (name.startsWith("bohn-page-"))
              await (await caches.open(name)).put("/", new Response("old page"));
        }"""
    )
    ada.page.reload()
    expect(ada.button("Play now")).to_be_visible()
    own_server.kill()
    ada.page.goto(ada.url)

    expect(ada.page.get_by_text("old page")).to_be_visible()  # so it was there to be shown
