"""What a browser is told by a push service, in one that has none."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import BrowserContext, Page

from tests.server.support.push_service import PushService
from tests.web.support.people import Person

SUBSCRIBING = """
window.subscribed = null;
PushManager.prototype.getSubscription = async () => window.subscribed;
PushManager.prototype.subscribe = async ({applicationServerKey}) => {
  if (typeof applicationServerKey !== "string" || applicationServerKey.length !== 87) throw new Error("key");
  window.subscribed = {
    options: {applicationServerKey: new ArrayBuffer(0)},
    toJSON: () => (SUBSCRIPTION),
    unsubscribe: async () => ((window.subscribed = null), true),
  };
  return window.subscribed;
};
"""
"""Chromium has no push service here: what it would give is that of the service on this machine."""

TAGS = """async () => {
  const registration = await navigator.serviceWorker.ready;
  return (await registration.getNotifications()).map(({tag}) => tag);
}"""


def can_subscribe(context: BrowserContext, service: PushService, name: str = "anna") -> None:
    """Let a browser subscribe to a push service on this machine."""
    subscription = service.subscription(name)
    keys = {name: subscription[name] for name in ("p256dh", "auth")}
    given = json.dumps({"endpoint": subscription["endpoint"], "keys": keys})
    context.add_init_script(SUBSCRIBING.replace("SUBSCRIPTION", given))


def until(page: Page, script: str) -> None:
    """Wait until a script says yes: the page forbids what waits for a function itself."""
    if not came_true(page, script):
        raise AssertionError(f"never true: {script}")


def came_true(page: Page, script: str, tries: int = 200) -> bool:
    """Ask a script every tenth of a second; tell whether it has said yes."""
    for _ in range(tries):
        if page.evaluate(script):
            return True
        page.wait_for_timeout(100)
    return False


SHOWING = (1_000, 2_000, 4_000, 8_000)
"""
Ms after which it is asked whether a message is shown. Whoever asks Chromium for its messages while it is
about to show one makes it forget that one (4 of 100 with a question every tenth of a second); then it is
delivered again.
"""


def show(anna: Person, message: dict[str, Any]) -> None:
    """Let a message arrive at a browser, as its push service would bring it, and wait until it is shown."""
    for wait in SHOWING:
        _deliver(anna, message)
        anna.page.wait_for_timeout(wait)
        if message["table"] in anna.page.evaluate(TAGS):
            return
    raise AssertionError(f"never shown: {message}")


def _deliver(anna: Person, message: dict[str, Any]) -> None:
    anna.page.evaluate("async () => void (await navigator.serviceWorker.ready)")
    devices = anna.context.new_cdp_session(anna.page)
    found: list[str] = []
    devices.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(one["registrationId"] for one in event["registrations"]),
    )
    devices.send("ServiceWorker.enable")
    for _ in range(100):
        if found:
            break
        anna.page.wait_for_timeout(50)
    given = {"origin": anna.url, "registrationId": found[-1], "data": json.dumps(message)}
    devices.send("ServiceWorker.deliverPushMessage", given)
