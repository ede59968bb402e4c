"""Being told in a browser: turned on in the settings, tried, and shown by the service worker."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.patience import PATIENCE
from tests.server.support.push_service import PushService, push_service
from tests.web.support.in_thread import in_thread
from tests.web.support.looking import barriers, cut_off, too_small_to_read, too_small_to_tap
from tests.web.support.people import Person
from tests.web.support.pushed import TAGS, can_subscribe, show, until
from tests.web.support.serving import QUICK, Serving

pytestmark = pytest.mark.e2e

PHONE = {"viewport": {"width": 360, "height": 800}, "is_mobile": True, "has_touch": True}

COUNTING = "window.counted = []; navigator.setAppBadge = async (count) => void window.counted.push(count);"
"""What the icon of the page would show."""

ENDED = """() => {
  PushManager.prototype.subscribe = async () => ({toJSON: () => (SUBSCRIPTION)});
  self.addEventListener("error", (event) => event.preventDefault());  // it is not the browser's own
  self.dispatchEvent(new ExtendableEvent("pushsubscriptionchange"));
}"""
"""A service worker's subscription has ended, and it would be given another one."""

SHOWN = """async () => {
  const found = await (await navigator.serviceWorker.ready).getNotifications();
  return found.map(({title, body, tag}) => ({title, body, tag}));
}"""


@pytest.fixture
def service() -> Iterator[PushService]:
    """Return a push service that runs beside the test."""
    with in_thread(push_service) as one:
        yield one


@pytest.fixture
def telling(tmp_path: Path) -> Iterator[Serving]:
    """Return a server that sends to addresses on this machine."""
    with Serving(tmp_path, {**QUICK, "alerts": {"private": True}}) as server:
        yield server


def person(browser: Browser, url: str, service: PushService, **context: Any) -> Person:
    """Let somebody come in whose browser can subscribe."""
    anna = Person(browser, url, "Anna", service_workers="allow", permissions=["notifications"], **context)
    can_subscribe(anna.context, service)
    anna.come_in()
    anna.page.goto(url)
    anna.button("Settings").click()
    return anna


def test_device_is_told_once_it_is_turned_on(
    browser: Browser, telling: Serving, service: PushService
) -> None:
    """The settings say what it does; a test comes, is shown, and it is turned off again."""
    anna = person(browser, telling.url, service, **PHONE)
    page = anna.page
    expect(page.get_by_role("heading", name="When it is my turn")).to_be_visible()
    anna.button("Notify me on this device").click()
    expect(page.get_by_text("Notifications are on for this device.")).to_be_visible()
    assert barriers(page) == []
    assert cut_off(page) + too_small_to_read(page, 13) + too_small_to_tap(page, 44) == []
    anna.button("Send a test").click()
    expect(page.get_by_role("status").filter(has_text="Sent.")).to_be_visible()
    (taken,) = service.taken
    assert taken.message["title"] == "A test"

    show(anna, {**taken.message, "table": "abc", "count": 2})
    shown = page.evaluate(SHOWN)
    assert shown == [{"title": taken.message["title"], "body": taken.message["body"], "tag": "abc"}]

    anna.button("Stop notifying me here").click()
    expect(anna.button("Notify me on this device")).to_be_visible()
    assert anna.ask("GET", "/api/me/alerts")["channels"] == []
    anna.close()


def test_message_goes_once_its_person_is_back(
    browser: Browser, telling: Serving, service: PushService
) -> None:
    """It is closed where the table is looked at; those of others stay, and are the number on the icon."""
    anna = person(browser, telling.url, service)
    anna.context.add_init_script(COUNTING)
    table = anna.ask("POST", "/api/tables", {"options": {"players": 3}, "sit": True})["table"]
    for one, count in ((table, 1), ("abc", 2)):
        show(anna, {"kind": "turn", "title": "It is your turn", "body": ".", "table": one, "count": count})
    assert sorted(anna.page.evaluate(TAGS)) == sorted([table, "abc"])
    anna.page.goto(f"{telling.url}/t/{table}")
    until(anna.page, f"({TAGS})().then((tags) => tags.join() === 'abc')")
    until(anna.page, "window.counted.length > 0")

    assert anna.page.evaluate("window.counted") == [1]
    anna.close()


def test_subscription_that_has_ended_is_renewed(
    browser: Browser, telling: Serving, service: PushService
) -> None:
    """Its push service gives another one; the server is told by the service worker, and sends there."""
    anna = person(browser, telling.url, service)
    anna.button("Notify me on this device").click()
    expect(anna.page.get_by_text("Notifications are on for this device.")).to_be_visible()
    (old,) = anna.ask("GET", "/api/me/alerts")["channels"]
    anna.page.evaluate("async () => void (await navigator.serviceWorker.ready)")
    (worker,) = anna.context.service_workers
    second = service.subscription("second")
    given = {"endpoint": second["endpoint"], "keys": {name: second[name] for name in ("p256dh", "auth")}}
    worker.evaluate(ENDED.replace("SUBSCRIPTION", json.dumps(given)))
    new = old
    for _ in range(200):
        new, *others = anna.ask("GET", "/api/me/alerts")["channels"]
        if not others and new["id"] != old["id"]:
            break
        anna.page.wait_for_timeout(50)
    anna.ask("POST", f"/api/me/alerts/channels/{new['id']}/test")

    assert [taken.path for taken in service.taken] == ["/second"]
    assert (new["label"], new["here"]) == (old["label"], True)
    anna.close()


def test_quiet_hours_are_kept(browser: Browser, telling: Serving, service: PushService) -> None:
    """In the time zone of the browser."""
    anna = person(browser, telling.url, service, timezone_id="Europe/Berlin")
    anna.button("Notify me on this device").click()
    anna.page.get_by_label("Quiet hours").check()
    anna.page.get_by_label("From").fill("23:15")
    anna.page.get_by_label("From").blur()
    anna.page.get_by_label("At games with a short clock or none, too").check()
    expect(anna.page.get_by_label("At games with a short clock or none, too")).to_be_checked()
    end = time.monotonic() + PATIENCE
    while not anna.ask("GET", "/api/me/alerts")["every"]:
        assert time.monotonic() < end, "what was chosen last is not kept"
        anna.page.wait_for_timeout(50)
    anna.page.reload()
    anna.button("Settings").click()
    expect(anna.page.get_by_label("From")).to_have_value("23:15")

    info = anna.ask("GET", "/api/me/alerts")
    assert (info["quiet_from"], info["quiet_to"], info["zone"]) == (1395, 420, "Europe/Berlin")
    assert info["every"]
    anna.close()


@pytest.fixture
def everywhere(tmp_path: Path) -> Iterator[Serving]:
    """Return a server that could tell by e-mail, ntfy and hooks; nobody answers there."""
    given = {
        "alerts": {"private": True, "push": False, "ntfy": "http://127.0.0.1:9", "hooks": True},
        "mail": {"host": "127.0.0.1", "port": 9, "tls": "none", "sender": "beans@bohn.example"},
    }
    with Serving(tmp_path, {**QUICK, **given}) as server:
        yield server


def test_other_ways_are_added_and_removed(browser: Browser, everywhere: Serving) -> None:
    """By an address, a topic or a hook, on a phone; what did not go out is said."""
    anna = Person(browser, everywhere.url, "Anna", **PHONE)
    anna.come_in()
    page = anna.page
    page.goto(everywhere.url)
    anna.button("Settings").click()
    page.get_by_text("Notify me elsewhere").click()
    assert barriers(page) == []
    assert cut_off(page) + too_small_to_read(page, 13) + too_small_to_tap(page, 44) == []
    page.get_by_label("E-mail address").fill("anna@example.org")
    anna.button("Send me the link").click()
    expect(page.get_by_text("Waiting for its link to be opened.")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="No answer came.")).to_be_visible()
    page.get_by_label("Topic of ntfy").fill("beans")
    page.locator("form[data-kind=ntfy] button").click()
    expect(page.locator("li[data-kind=ntfy]")).to_contain_text("beans")
    assert cut_off(page) + too_small_to_tap(page, 44) == []
    anna.button("Stop notifying anna@example.org").click()
    expect(page.locator("li[data-kind=mail]")).to_have_count(0)
    assert [one["kind"] for one in anna.ask("GET", "/api/me/alerts")["channels"]] == ["ntfy"]
    anna.close()


def test_link_of_a_letter_says_what_it_does(browser: Browser, everywhere: Serving) -> None:
    """It asks before it does anything, and tells why it cannot."""
    anna = Person(browser, everywhere.url, "Anna", **PHONE)
    anna.come_in()
    page = anna.page
    page.goto(f"{everywhere.url}/mail#confirm.abc")
    anna.button("Yes, it is mine").click()
    expect(page.get_by_role("alert")).to_contain_text("no longer valid")
    assert cut_off(page) + too_small_to_tap(page, 44) == []
    page.goto(f"{everywhere.url}/mail#stop.abc")
    expect(page.get_by_text("This link is incomplete.")).to_be_visible()
    anna.close()
