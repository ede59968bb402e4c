"""Tests of the ways to tell people, on the operator's page: sent, refused, not answered, not set up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.server.support.hook_server import HookServer, hook_server
from tests.server.support.push_service import PushService, push_service
from tests.web.support.in_thread import in_thread
from tests.web.support.looking import barriers, cut_off, too_small_to_read, too_small_to_tap
from tests.web.support.pushed import can_subscribe
from tests.web.support.serving import QUICK, Serving
from tests.web.test_operator_page import PARTS, admin

pytestmark = pytest.mark.e2e

Opening = Callable[..., Page]

HALF_A_MINUTE = 30_000
"""Ms in which the page says that an answer may come."""


@pytest.fixture
def service() -> Iterator[PushService]:
    """Return a push service that runs beside the test."""
    with in_thread(push_service) as one:
        yield one


@pytest.fixture
def hooks() -> Iterator[HookServer]:
    """Return a server that takes what ntfy and hooks take."""
    with in_thread(hook_server) as one:
        yield one


@pytest.fixture
def opened(browser: Browser, tmp_path: Path, service: PushService, hooks: HookServer) -> Iterator[Opening]:
    """Return how to open the part of the page, signed in, at a server without e-mail and hooks."""
    alerts = {"private": True, "ntfy": hooks.origin}
    with Serving(tmp_path, {**QUICK, "alerts": alerts}) as server:

        def opening(width: int = 1440, permission: str = "notifications") -> Page:
            (address,) = re.findall(r"https?://\S+", admin(server, "link", "--url", server.url))
            context = browser.new_context(
                locale="en-US", service_workers="allow", permissions=[permission] if permission else [],
                viewport={"width": width, "height": 900}, is_mobile=width < 600, has_touch=width < 600,
            )  # fmt: skip
            can_subscribe(context, service)
            page = context.new_page()
            page.goto(address)
            page.locator("nav button").nth(PARTS.index("notices")).click()
            expect(page.locator("[data-kind]")).to_have_count(4)
            return page

        yield opening
        for context in browser.contexts:
            context.close()


def row(page: Page, kind: str) -> str:
    """Return what stands in the row of a way."""
    return page.locator(f"[data-kind={kind}]").inner_text()


def test_operator_sends_a_test_to_his_browser(opened: Opening, service: PushService) -> None:
    """By its push service; the page says that it was taken."""
    page = opened()
    page.get_by_role("button", name="Send a test: Web Push, to this browser").click()
    expect(page.locator("[data-kind=push] [role=status]")).to_have_text(
        "Sent, and accepted (201). Check that it has arrived.", timeout=HALF_A_MINUTE
    )
    assert [one.message["title"] for one in service.taken] == ["A test"]


def test_operator_sends_a_test_by_keyboard(opened: Opening, hooks: HookServer) -> None:
    """The topic is typed, and Enter sends; while it is on its way the page says so."""
    page = opened()
    held: list[Route] = []
    page.route("**/notices/test", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks it
    page.get_by_label(f"Topic at {hooks.origin}").focus()
    page.keyboard.type("beans")
    page.keyboard.press("Enter")
    expect(page.locator("[data-kind=ntfy] [role=status]")).to_contain_text("It is being sent.")
    held[0].continue_()
    expect(page.locator("[data-kind=ntfy] [role=status]")).to_contain_text("accepted (200)")
    assert [one[2]["topic"] for one in hooks.taken] == ["beans"]


def test_operator_reads_what_the_other_side_has_answered(opened: Opening, hooks: HookServer) -> None:
    """With its number, in words, and on a phone."""
    hooks.status = 403
    page = opened(360)
    page.get_by_label(f"Topic at {hooks.origin}").fill("beans")
    page.get_by_role("button", name="Send a test: ntfy").click()
    expect(page.locator("[data-kind=ntfy] [role=status].bad")).to_have_text(
        "Refused: the server has answered 403."
    )
    assert barriers(page) == []
    assert cut_off(page) + too_small_to_read(page, 13) + too_small_to_tap(page, 44) == []


def test_way_that_is_not_set_up_says_what_it_needs(opened: Opening) -> None:
    """And has no button."""
    page = opened()
    assert "it needs mail.host" in row(page, "mail")
    assert "it needs alerts.hooks" in row(page, "hook")
    assert page.locator("[data-kind=mail] button, [data-kind=hook] button").count() == 0


def test_test_that_is_refused_here_says_why_beside_its_button(opened: Opening, hooks: HookServer) -> None:
    """Too many at once, as well as anything else; another one may be sent later."""
    page = opened()
    page.route(
        "**/notices/test",
        lambda route: route.fulfill(
            status=429, json={"type": "refused", "reason": "rate-limited", "params": {}}
        ),
    )
    page.get_by_label(f"Topic at {hooks.origin}").fill("beans")
    page.get_by_role("button", name="Send a test: ntfy").click()
    expect(page.locator("[data-kind=ntfy] [role=status].bad")).not_to_be_empty()
    page.unroute("**/notices/test")
    page.get_by_role("button", name="Send a test: ntfy").click()
    expect(page.locator("[data-kind=ntfy] [role=status]")).to_contain_text("accepted (200)")
