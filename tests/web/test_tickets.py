"""Tickets in the market, where they lie and what stays there when one of them goes; and a word beside it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.web.support.people import Person
from tests.web.support.serving import Serving

pytestmark = pytest.mark.e2e

Corner = tuple[float, float]


def corners(person: Person) -> dict[str, Corner]:
    """Return the left and upper edge of each ticket, by the number of its offer."""
    found: list[tuple[str, float, float]] = person.page.locator("[data-offer]").evaluate_all(
        "all => all.map(({dataset, parentElement: at}) => [dataset.offer, at.offsetLeft, at.offsetTop])"
    )
    return {offer: (left, top) for offer, left, top in found}


def test_tickets_keep_their_places_when_one_is_declined_or_goes(browser: Browser, server: Serving) -> None:
    """Of six offers no other moves, however long nothing happens; the next one takes the hole.

    What was declined goes to the list of those that stand aside.
    """
    people = [Person(browser, server.url, name) for name in ("Ada", "Bo", "Cleo")]
    ada, *guests = people
    ada.come_in()
    ada.open_table(3, house_rules=["starter=seat:0"])
    for guest in guests:
        guest.follow(ada.invite(), ada.table)
    ada.page.get_by_role("button", name="Deal the cards").click()
    expect(ada.page.locator("[data-card]")).not_to_have_count(0)
    ada.do(do="plant", player=0, field=0)
    ada.do(do="reveal", player=0)
    has = ada.hand()[0]
    lacks = [bean for bean in ada.seen()["choices"]["offers"]["kinds"] if bean not in ada.hand()]
    for guest in guests:
        for bean in (has, *lacks[:2]):
            guest.propose([0], bean)
    expect(ada.page.locator("[data-offer]")).to_have_count(6)
    ada.page.wait_for_timeout(2_500)  # the market is calm now, and every ticket in its place
    first, *others = before = corners(ada)
    answerable = {str(offer["id"]) for offer in ada.offers() if offer["want"] == [has]}
    second = next(offer for offer in others if offer in answerable)

    ada.ticket(int(second)).locator("[data-key='d']").click()
    expect(ada.ticket(int(second))).to_have_class(re.compile(r"\bdeclined\b"))
    rest = {offer: at for offer, at in before.items() if offer != second}
    assert {offer: at for offer, at in corners(ada).items() if offer != second} == rest
    kept = corners(ada)

    ada.ticket(int(second)).hover()
    (seat,) = (offer["maker"] for offer in ada.offers() if offer["id"] == int(first))
    maker = next(guest for guest in guests if guest.seat == seat)
    maker.do(do="withdraw-offer", player=maker.seat, offer=int(first))
    expect(ada.ticket(int(first))).to_have_count(0)
    ada.page.wait_for_timeout(6_000)
    left = {offer: at for offer, at in kept.items() if offer != first}
    assert corners(ada) == left, "something moved under the mouse"

    ada.page.mouse.move(2, 2)
    ada.page.wait_for_timeout(6_000)
    assert corners(ada) == left, "something moved though nobody did anything"

    asked = {bean for offer in ada.offers() if offer["maker"] == maker.seat for bean in offer["want"]}
    wanted = next((bean for bean in ada.hand() if bean not in asked), ada.hand()[0])
    maker.propose([0], wanted)  # one that she can take
    expect(ada.page.locator("[data-offer]")).to_have_count(6)
    assert {offer: at for offer, at in corners(ada).items() if offer in left} == left
    assert before[first] in corners(ada).values(), "the hole was not taken"
    for person in people:
        person.close()


def test_what_is_typed_in_the_opened_chat_is_written_there(browser: Browser, server: Serving) -> None:
    """The cursor stands in the line of the chat, so that letters are no keys of the game."""
    ada = Person(browser, server.url, "Ada")
    ada.come_in()
    ada.open_table(3, bots=2, house_rules=["starter=seat:0"])
    expect(ada.plots.first).to_be_visible(timeout=60_000)
    ada.button("Chat").click()
    expect(ada.page.get_by_role("dialog").locator("input")).to_be_focused()
    ada.page.keyboard.type("1 wax please")
    ada.page.keyboard.press("Enter")

    expect(ada.page.get_by_role("dialog")).to_contain_text("1 wax please")
    assert ada.seen()["game"]["players"][0]["fields"][0] == []
    ada.close()
