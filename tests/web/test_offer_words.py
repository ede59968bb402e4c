"""What is said of offers is whole: a name may be shortened, who looks for what may not."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from bohn.rules.commands import EndTrading
from tests.web.support.markets import Market
from tests.web.support.unserved import Opening
from tests.web.support.walking import SIZES

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


LEAST = 3
"""Px between two parts of a line."""

OUTSIDE = """ticket => {
  const frame = ticket.querySelector("[data-key='c']").getBoundingClientRect();
  const meet = (one, other) => one.right > other.left + 1 && other.right > one.left + 1
    && one.bottom > other.top + 3 && other.bottom > one.top + 3;
  const parts = [...ticket.querySelectorAll(".cut, .looks, .some, kbd")]
    .map(part => ({ text: part.textContent, box: part.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0);
  return parts.filter(({ box }, at) => box.left < frame.left || box.right > frame.right
    || parts.slice(0, at).some(other => meet(box, other.box))).map(({ text }) => text);
}"""
"""What of a line lies beyond its edge or upon another part of it."""


@pytest.mark.parametrize("size", ["phone", "small", "wide"])
@pytest.mark.parametrize("language", ["en", "is", "en-XA"])
def test_offer_one_cannot_take_keeps_its_verb_and_its_beans(
    opened: Opening, size: str, language: str
) -> None:
    """Among many offers, one for three kinds and of two says that somebody looks for them."""
    market = Market(1)
    gives = list(dict.fromkeys(market.hand(1)))[:2]
    wants = [market.lacked(0), *list(dict.fromkeys(bean for bean in market.hand(0) if bean not in gives))[:2]]
    number = market.offer(1, (0,), gives, wants)
    for bean in list(dict.fromkeys(market.hand(0)))[:4]:
        market.offer(1, (0,), [], [bean])
    table = opened(SIZES[size], language=language)
    table.show(market.still())

    line = table.page.locator(f"#ticket-{number}.lacking")
    expect(line.locator(".looks")).to_have_count(1)
    assert line.evaluate(OUTSIDE) == []


APART = """ticket => {
  const parts = [...ticket.querySelectorAll(".looks, .row, .to")];
  const boxes = parts.map(part => part.getBoundingClientRect()).sort((one, other) => one.left - other.left);
  const line = boxes.filter(({ top, bottom }) => top < boxes[0].bottom && boxes[0].top < bottom);
  return Math.min(...line.slice(1).map((box, at) => box.left - line[at].right));
}"""
"""Px between the parts of a line that are nearest to each other."""

ORDER = """ticket => [...ticket.querySelectorAll(".looks, .beans, .to")]
  .map(part => part.classList[0])"""
"""The parts of a line as they are drawn and read."""


@pytest.mark.parametrize("size", ["tablet", "small", "wide"])
def test_offer_among_others_has_room_between_its_words_and_numbers(opened: Opening, size: str) -> None:
    """Who gives a bean, to whom, and gets two, in this order: no word touches what stands behind it."""
    market = Market(1)
    wanted = next(bean for bean in market.hand(2) if bean not in market.hand(1))
    number = market.offer(1, (2,), market.hand(1)[:1], [wanted, wanted])
    table = opened(SIZES[size])
    table.show(market.still())

    line = table.page.locator(f"#ticket-{number}")
    assert line.evaluate(APART) >= LEAST
    assert line.evaluate(ORDER) == ["looks", "beans", "to", "beans"]


COVERED = """told => {
  const box = told.getBoundingClientRect();
  return [...document.querySelectorAll("button, [data-field], [data-card], [data-seat], .coins")]
    .filter(thing => {
    const other = thing.getBoundingClientRect();
    return !told.contains(thing) && other.width > 0 && other.right > box.left && other.left < box.right
      && other.bottom > box.top && other.top < box.bottom;
  }).map(thing => thing.outerHTML.slice(0, 80));
}"""
"""What lies below a notice."""


@pytest.mark.parametrize("size", ["phone", "small", "wide"])
def test_notice_that_an_offer_was_not_sent_covers_nothing(opened: Opening, size: str) -> None:
    """It stands on the empty wood."""
    market = Market(1)
    table = opened(SIZES[size])
    table.show(market.still())
    table.page.locator("[data-key='o']").first.click()
    table.page.locator("[data-want]").first.click()
    market.do(EndTrading(1))
    table.show(market.still())

    told = table.page.locator("[data-unsent]")
    expect(told).to_contain_text("your offer was not sent")
    assert told.evaluate(COVERED) == []
