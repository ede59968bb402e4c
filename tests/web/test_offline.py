"""The page where no server answers: what can be read there, and what a newer page does to an older one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.support.deploying import Proxy
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

RENEWED = """async (build) => {
  const registration = await navigator.serviceWorker.ready;
  for (let turn = 0, until = Date.now() + 90000; Date.now() < until; turn += 1) {
    if (turn % 50 === 0) await registration.update();
    const { installing, waiting, active } = registration;
    const there = (await caches.keys()).includes(`bohn-page-${build}`);
    if (!installing && !waiting && active.state === "activated" && there) return true;
    await new Promise((done) => setTimeout(done, 20));
  }
  return false;
}"""
"""Looks for a newer worker until that of this build works; a search under way may find the one before."""

PAGES = "async () => (await caches.keys()).filter((name) => name.startsWith('bohn-page-'))"

HEARD = """
window.changes = 0;
window.heard = [];
navigator.serviceWorker.addEventListener("controllerchange", () => (window.changes += 1));
navigator.serviceWorker.addEventListener("message", ({ data }) => window.heard.push(data));
"""
"""Notes in the page what it hears of workers."""

NO_CONNECTION = "No connection. The rules and your saved games are here"
NEWER = "A newer version is available."


@pytest.fixture
def stranger(browser: Browser, own_server: Serving) -> Iterator[Person]:
    """Return somebody whom the server does not know yet."""
    person = Person(browser, own_server.url, "Ada", service_workers="allow")
    yield person
    person.close()


@pytest.fixture
def ada(stranger: Person) -> Person:
    """Return somebody with a kept game, whose browser has stored what it needs without a network."""
    stranger.come_in()
    record = keep_record(stranger)
    stranger.page.goto(stranger.url)
    expect(stranger.page.get_by_role("heading", name="Saved games")).to_be_visible()
    assert stranger.page.evaluate(STORED, wanted(record))
    return stranger


@pytest.fixture
def proxy(own_server: Serving) -> Iterator[Proxy]:
    """Return a proxy before a server, that can show other builds of the page."""
    with Proxy(own_server).serving() as proxy:
        yield proxy


@pytest.fixture
def reader(browser: Browser, proxy: Proxy) -> Iterator[Person]:
    """Return somebody who sees the page through the proxy for the first time."""
    person = Person(browser, proxy.url, "Bo", service_workers="allow")
    person.context.add_init_script(HEARD)
    person.page.goto(person.url)
    assert person.page.evaluate(RENEWED, proxy.first)
    person.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    yield person
    person.close()


def keep_record(person: Person) -> str:
    """Upload a record, and return its id."""
    headers = {"Content-Type": "application/x-ndjson"}
    sent = person.context.request.post(
        f"{person.url}/api/records", data=RECORD.read_bytes(), headers=headers, max_retries=1
    )
    assert sent.ok, sent.text()
    return str(sent.json()["record"])


def wanted(record: str) -> list[str]:
    """Return what must be stored so that the lobby, the rules and a record open without a network."""
    replay = [f"/api/records/{record}/{what}" for what in ("summary", "replay?seat=0")]
    return ["/", "/api/catalog", "/api/me", "/api/me/records", "/api/rules?edition=full", *replay]


def deploy(reader: Person, proxy: Proxy, build: str) -> None:
    """Let the server have another build of the page, and the browser find it."""
    proxy.build = build
    assert reader.page.evaluate(RENEWED, build)


def test_lobby_opens_without_a_server(ada: Person, own_server: Serving) -> None:
    """One reads that there is no connection, and what is here all the same."""
    own_server.kill()
    ada.page.goto(ada.url)

    expect(ada.page.get_by_text(NO_CONNECTION)).to_be_visible()
    expect(ada.page.get_by_role("heading", name="Saved games")).to_be_visible()


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


def test_newcomer_keeps_his_store_however_often_the_page_opens(stranger: Person, own_server: Serving) -> None:
    """Who has come in with "Play now" has his kept game the second time, too, and the rules."""
    page = stranger.page
    page.goto(stranger.url)
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    stranger.button("Play now").click()
    expect(page.locator("[data-card]").first).to_be_visible()
    record = keep_record(stranger)
    page.go_back()
    assert page.evaluate(STORED, wanted(record))
    own_server.kill()

    for _ in range(3):
        page.goto(stranger.url)
        expect(page.get_by_text(NO_CONNECTION)).to_be_visible()
        expect(page.get_by_role("heading", name="Saved games")).to_be_visible()
    page.locator("a[href^='/replay/record/']").first.click()
    expect(page.locator("[data-seat]").first).to_be_visible()
    page.goto(f"{stranger.url}/rules/full")
    expect(page.get_by_text("PLANT-1").first).to_be_visible()


def test_stranger_opens_lobby_and_rules_without_a_server(stranger: Person, own_server: Serving) -> None:
    """Whom the server does not know reads as well, as often as he likes."""
    page = stranger.page
    page.goto(stranger.url)
    assert page.evaluate(STORED, ["/", "/api/catalog", "/api/rules?edition=full"])
    own_server.kill()

    for _ in range(2):
        page.goto(stranger.url)
        expect(page.get_by_text(NO_CONNECTION)).to_be_visible()
    page.goto(f"{stranger.url}/rules/full")
    expect(page.get_by_text("PLANT-1").first).to_be_visible()


def test_another_user_takes_the_place_of_the_former_in_the_store(
    ada: Person, browser: Browser, own_server: Serving
) -> None:
    """By the link of another device one becomes its user: his games are here, those of the former gone."""
    bo = Person(browser, own_server.url, "Bo")
    bo.come_in()
    record = keep_record(bo)
    token = bo.ask("POST", "/api/me/links")["token"]
    bo.close()
    former = "async () => (await (await caches.match('/api/me/records')).json()).records[0].record"
    gone = ada.page.evaluate(former)

    ada.page.goto(f"{ada.url}/join#{token}")
    ada.button("Become Bo").click()
    expect(ada.page.get_by_role("heading", name="Saved games")).to_be_visible()
    assert ada.page.evaluate(STORED, wanted(record))

    assert ada.page.evaluate("path => caches.match(path)", f"/api/records/{gone}/summary") is None
    own_server.kill()
    for _ in range(2):
        ada.page.goto(ada.url)
        expect(ada.page.locator(f"a[href='/replay/record/{record}']")).to_be_visible()


def test_finished_table_is_replayed_without_a_server_from_the_own_seat(reader: Person, proxy: Proxy) -> None:
    """Whoever sat elsewhere than in the first person's seat finds what is stored of it."""
    reader.come_in()
    record = keep_record(reader)
    seats = [{"person": None, "bot": None, "name": "", "mine": seat == 2} for seat in range(3)]
    told: dict[str, Any] = {
        "/api/me/tables": {"tables": [{"table": "over", "seats": seats}]},
        "/api/tables/over": {"seat": 2},
        "/api/tables/over/summary": reader.ask("GET", f"/api/records/{record}/summary"),
    }
    proxy.answers = {
        path: (200, "application/json", json.dumps(body).encode()) for path, body in told.items()
    }
    replay = reader.context.request.get(
        f"{reader.url}/api/records/{record}/replay?seat=2", max_retries=1
    ).body()
    proxy.answers["/api/tables/over/replay?seat=2"] = (200, "application/x-ndjson", replay)
    reader.page.goto(f"{reader.url}/replay/over")
    expect(reader.page.locator("[data-seat]").first).to_be_visible()
    assert reader.page.evaluate(STORED, ["/api/tables/over/summary", "/api/tables/over/replay?seat=2"])
    proxy.kill()
    reader.page.goto(f"{reader.url}/replay/over")

    expect(reader.page.locator("[data-seat]").first).to_be_visible()


def test_table_is_never_shown_from_a_store(ada: Person, own_server: Serving) -> None:
    """Nobody plays against a picture: at a table one reads that the server is not there."""
    table = ada.open_table(4, bots=3)
    expect(ada.page.locator("[data-card]").first).to_be_visible()
    own_server.kill()
    ada.page.goto(f"{ada.url}/t/{table}")

    expect(ada.page.get_by_text("The server does not answer. Trying again…")).to_be_visible()
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


def test_older_page_is_told_of_a_newer_one(reader: Person, proxy: Proxy) -> None:
    """In the tab of the first visit, too."""
    expect(reader.button("Play now")).to_be_visible()
    deploy(reader, proxy, "newer")

    expect(reader.page.get_by_text(NEWER)).to_be_visible()


def test_newest_page_is_told_of_no_newer_one(reader: Person, proxy: Proxy) -> None:
    """Though the worker that it began with was older than it."""
    reader.page.wait_for_load_state("networkidle")  # a worker that still answers lets no other begin
    proxy.build = "newer"
    reader.page.goto(reader.url)
    reader.page.wait_for_load_state("networkidle")
    assert reader.page.evaluate(RENEWED, "newer")
    reader.page.wait_for_function("() => window.changes > 0")
    expect(reader.page.get_by_text(NEWER)).to_have_count(0)
    assert reader.page.evaluate("document.documentElement.dataset.build") == "newer"
    reader.page.wait_for_function("() => window.heard.includes('newer')")
    reader.page.wait_for_load_state("networkidle")  # what it would say is loaded when it is wanted

    expect(reader.page.get_by_text(NEWER)).to_have_count(0)


def test_manifest_and_icons_are_those_of_the_server(reader: Person, proxy: Proxy) -> None:
    """No digest is in their names, so what is stored may be old: it is shown without a network only."""
    read = "path => fetch(path).then((answer) => answer.text())"
    proxy.answers["/manifest.webmanifest"] = (200, "application/manifest+json", b'{"name": "Newer"}')
    assert reader.page.evaluate(read, "/manifest.webmanifest") == '{"name": "Newer"}'
    proxy.kill()

    assert "<svg" in reader.page.evaluate(read, "/icons/favicon.svg")


def test_broken_installation_leaves_nothing_and_costs_no_page(reader: Person, proxy: Proxy) -> None:
    """A page whose files could not all be had goes; the one in use stays, also when the next one comes."""
    proxy.answers["/icons/favicon.svg"] = (500, "text/plain", b"")
    proxy.build = "broken"
    reader.page.evaluate(
        """async () => {
          const registration = await navigator.serviceWorker.ready;
          await registration.update();
          while (registration.installing) await new Promise((done) => setTimeout(done, 20));
        }"""
    )
    assert reader.page.evaluate(PAGES) == [f"bohn-page-{proxy.first}"]
    proxy.answers.clear()
    deploy(reader, proxy, "newer")

    assert reader.page.evaluate(PAGES) == [f"bohn-page-{proxy.first}", "bohn-page-newer"]


def test_page_before_the_present_one_stays_after_a_rollback(reader: Person, proxy: Proxy) -> None:
    """It is the one that was at work last, not the one that was stored last."""
    deploy(reader, proxy, "second")
    deploy(reader, proxy, proxy.first)
    deploy(reader, proxy, "third")

    assert reader.page.evaluate(PAGES) == [f"bohn-page-{proxy.first}", "bohn-page-third"]


def test_rules_are_stored_anew_with_a_newer_page(reader: Person, proxy: Proxy) -> None:
    """What everybody is told is as new as the page that reads it."""
    path = "/api/rules?edition=full"
    assert reader.page.evaluate(STORED, [path])
    proxy.answers[path] = (200, "application/json", b'"newer"')
    deploy(reader, proxy, "newer")
    proxy.kill()

    assert reader.page.evaluate("path => fetch(path).then((answer) => answer.json())", path) == "newer"
