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


def deliver(anna: Person, message: dict[str, Any]) -> None:
    """Let a message arrive at the service worker of a browser, as its push service would bring it."""
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
