"""Computer players and people in one market: it waits for who composes, and tells when it is over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.support.people import Person
from tests.web.support.serving import QUICK, Serving
from tests.web.support.walking import SIZES

pytestmark = pytest.mark.e2e

SOON: dict[str, Any] = {
    "times": {**QUICK["times"], "bot_quiet": 1_000, "last_call": 400, "composing_most": 6_000},
    "limits": QUICK["limits"],
}
"""A bot ends its market after a second, and one may compose six."""


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Serving]:
    """Return a server whose bots end their markets soon."""
    with Serving(tmp_path, SOON) as serving:
        yield serving


def seated(
    browser: Browser,
    server: Serving,
    starter: int,
    *names: str,
    bots: int = 0,
    window: Mapping[str, Any] | None = None,
) -> list[Person]:
    """Return people at a dealt table, in the order of their seats; bots have the seats behind them."""
    people = [Person(browser, server.url, name, **(window or {})) for name in names]
    host, *guests = people
    host.come_in()
    host.open_table(len(names) + bots, house_rules=[f"starter=seat:{starter}"])
    for guest in guests:
        guest.follow(host.invite(), host.table)
    for seat in range(len(names), len(names) + bots):
        host.do(do="seat-bot", seat=seat, bot="no-trade")
    host.page.get_by_role("button", name="Deal the cards").click()
    return people


def test_market_of_a_bot_stays_open_while_a_person_composes_and_tells_its_end(
    browser: Browser, quick: Serving
) -> None:
    """Others see who composes; when the time for it is over, the page says that the offer was not sent."""
    ada, bo = seated(browser, quick, 2, "Ada", "Bo", bots=1)
    ada.page.locator("[data-key='o']").first.click()
    ada.raise_card(0)
    expect(bo.page.locator("[data-seat='0']")).to_contain_text("is making an offer")
    ada.page.wait_for_timeout(3_000)  # without the tray the market would be closed by now
    assert ada.seen()["game"]["phase"]["phase"] == "trade"

    told = ada.page.locator("[data-unsent]")
    expect(told).to_contain_text("ended trading; your offer was not sent.", timeout=20_000)
    expect(bo.page.locator("[data-unsent]")).to_have_count(0)
    told.get_by_role("button").click()
    expect(told).to_have_count(0)
    for person in (ada, bo):
        person.close()


def test_who_is_done_is_not_waited_for(browser: Browser, tmp_path: Path) -> None:
    """Once all people have said so, a bot ends a market that it would have left open."""
    patient = {**SOON, "times": {**SOON["times"], "bot_quiet": 3_600_000}}
    with Serving(tmp_path, patient) as server:
        ada, bo = seated(browser, server, 2, "Ada", "Bo", bots=1)
        ada.page.locator("[data-enough]").click()
        expect(bo.page.locator(".closing")).to_contain_text("Done: Ada")
        assert bo.seen()["game"]["phase"]["phase"] == "trade"
        bo.page.locator("[data-enough]").click()
        expect(bo.page.locator(".closing")).to_have_count(0)
        for person in (ada, bo):
            person.close()


def test_offers_that_one_cannot_take_stand_aside_and_are_not_counted(
    browser: Browser, server: Serving
) -> None:
    """The prompt counts the others only; they have a list beside the tickets, from the start."""
    people = seated(browser, server, 0, "Ada", "Bo", "Cleo")
    ada, bo, _ = people
    expect(ada.page.locator("[data-card]")).not_to_have_count(0)
    ada.do(do="plant", player=0, field=0)
    ada.do(do="reveal", player=0)
    kinds = ada.seen()["choices"]["offers"]["kinds"]
    bo.page.mouse.move(2, 2)  # nothing moves under it
    has = bo.hand()[0]
    lacks = next(bean for bean in kinds if bean not in bo.hand())
    for bean in (lacks, has):
        ada.propose([1], bean)
    said = bo.page.locator(".said")
    expect(said).to_have_text("An offer is waiting for you.")
    first, second = bo.ticket(2), bo.ticket(1)
    expect(second).to_have_class(re.compile(r"\blacking\b"))
    expect(first).to_have_class(re.compile(r"\bfor-me\b"))
    expect(bo.page.locator(".aside #ticket-1")).to_be_in_viewport(ratio=1)
    expect(bo.page.locator(".aside #ticket-2")).to_have_count(0)
    for person in people:
        person.close()


@pytest.mark.parametrize("size", ["phone", "wide"])
def test_offer_that_was_countered_names_the_answer_and_looks_alive(
    browser: Browser, server: Serving, size: str
) -> None:
    """It can still be accepted, is as light as other offers, and says what one's counter is."""
    people = seated(browser, server, 0, "Ada", "Bo", "Cleo", window=SIZES[size])
    ada, bo, _ = people
    expect(ada.page.locator("[data-card]")).not_to_have_count(0)
    ada.do(do="plant", player=0, field=0)
    ada.do(do="reveal", player=0)
    bo.propose([0], ada.hand()[0])
    ada.ticket(1).locator("[data-key='c']").click()
    ada.page.locator("[data-want]").first.click()
    ada.page.locator("[data-send]").click()

    answered, answer = ada.ticket(1), ada.ticket(2)
    expect(answered).to_contain_text("Your counter: You offer Bo 1")
    expect(answered.locator("[data-key='a']:not([aria-disabled='true'])")).to_be_visible()
    light = answer.evaluate("ticket => getComputedStyle(ticket).backgroundColor")
    expect(answered).to_have_css("background-color", light)
    for person in people:
        person.close()
