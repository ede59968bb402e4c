"""From a friend's link on a phone to a seat, messages and an account: what one presses, and how often."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.server.support.push_service import PushService, push_service
from tests.web.support.in_thread import in_thread
from tests.web.support.people import Person
from tests.web.support.pushed import can_subscribe
from tests.web.support.serving import QUICK, Serving
from tests.web.test_account import PHONE, Owner

pytestmark = pytest.mark.e2e

TAPS = 6
"""Taps from the link on, beside the two names that one types."""


@pytest.fixture
def service() -> Iterator[PushService]:
    """Return a push service that runs beside the test."""
    with in_thread(push_service) as one:
        yield one


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Serving]:
    """Return a server that sends to addresses on this machine."""
    with Serving(tmp_path, {**QUICK, "alerts": {"private": True}}) as one:
        yield one


def invitation(browser: Browser, server: Serving) -> tuple[Person, str]:
    """Return the host of a fresh table for four over days, and the path of an invitation to it."""
    vera = Person(browser, server.url, "Vera")
    vera.come_in()
    vera.open_table(4, clock="24h")
    return vera, vera.invite()


def friend(browser: Browser, server: Serving, service: PushService) -> Owner:
    """Return somebody with a phone that was never here, can subscribe, and makes passkeys."""
    ada = Owner(browser, server.url, "Ada", service_workers="allow", permissions=["notifications"], **PHONE)
    can_subscribe(ada.context, service)
    return ada


def test_friend_comes_from_a_link_to_messages_and_a_passkey(
    browser: Browser, server: Serving, service: PushService
) -> None:
    """Six taps; the table says before that a move has a day, and offers the messages by itself."""
    vera, path = invitation(browser, server)
    ada = friend(browser, server, service)
    page, taps = ada.page, []

    def tap(what: Locator) -> None:
        what.tap()
        taps.append(what)

    page.goto(ada.url + path)
    expect(page.get_by_text("24 h per move")).to_be_visible()
    page.locator("input:visible").fill("Ada")
    tap(ada.button("Sit down"))
    tap(ada.button("Notify me on this device"))
    expect(page.get_by_text("Notifications are on for this device.")).to_be_visible()
    tap(page.get_by_role("banner").get_by_role("link").first)
    tap(ada.button("Account"))
    page.get_by_label("Account name").fill("ada-one")
    tap(ada.button("Create account with a passkey"))
    tap(ada.button("I have kept them"))
    expect(page.get_by_text("@ada-one")).to_be_visible()

    assert len(taps) == TAPS
    assert len(ada.passkeys()) == 1
    assert [one["kind"] for one in ada.ask("GET", "/api/me/alerts")["channels"]] == ["push"]
    assert ada.games() == [vera.table]
    ada.close()
    vera.close()


def test_messages_are_not_offered_at_a_table_of_one_evening(
    browser: Browser, server: Serving, service: PushService
) -> None:
    """Nor to whoever has turned them on already."""
    vera, path = invitation(browser, server)
    ada = friend(browser, server, service)
    ada.page.goto(ada.url + path)
    ada.page.locator("input:visible").fill("Ada")
    ada.button("Sit down").tap()
    ada.button("Notify me on this device").tap()
    expect(ada.page.get_by_text("Notifications are on for this device.")).to_be_visible()
    ada.page.reload()
    expect(ada.button("Stand up")).to_be_visible()
    expect(ada.page.locator("[data-turn-offer]")).to_have_count(0)
    ada.open_table(4)
    expect(ada.button("Stand up")).to_be_visible()
    expect(ada.page.locator("[data-turn-offer]")).to_have_count(0)
    ada.close()
    vera.close()
