"""What is said in a market, its silence and its emptiness: in sight, whole, and over nothing."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from bohn.protocol import frames
from bohn.rules.beans import Bean
from bohn.rules.commands import AcceptOffer
from tests.web.support.markets import Market
from tests.web.support.states import Still, fullest
from tests.web.support.unserved import Opening
from tests.web.support.walking import SIZES
from tests.web.test_offers_in_sight import compose, few, overlap

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


@pytest.mark.parametrize("size", ["phone", "tablet", "small", "wide"])
def test_market_without_offers_says_so_in_sight(opened: Opening, size: str) -> None:
    """The sentence stands where the first ticket would, and is as wide as its words need."""
    table = opened(SIZES[size])
    table.show(Market(0).still())
    said = table.page.locator("section.offers .row > p")
    expect(said).to_be_in_viewport(ratio=1)
    box, frame = said.bounding_box(), table.page.locator("section.offers").bounding_box()
    assert box is not None
    assert frame is not None
    assert box["width"] > 150
    assert box["x"] + box["width"] <= frame["x"] + frame["width"] + 1


@pytest.mark.parametrize("language", ["en", "de", "it", "ja", "ru", "is", "sv"])
def test_market_without_offers_says_so_whole_in_a_low_window(opened: Opening, language: str) -> None:
    """Where a lesson leaves a phone little room, and cards are set aside, its words are not cut."""
    market = Market(0)
    number = market.offer(1, (0,), market.hand(1)[-1:], [])
    market.do(AcceptOffer(0, number, 1))
    low = {**SIZES["phone"], "viewport": {"width": 360, "height": 680}}
    table = opened(low, language=language)
    table.show(market.still())
    said = table.page.locator("section.offers .row > .empty")
    box, frame = said.bounding_box(), table.page.locator("section.offers").bounding_box()
    assert box is not None
    assert frame is not None
    assert box["y"] >= frame["y"] - 1
    assert box["y"] + box["height"] <= frame["y"] + frame["height"] + 1


def silent(market: Market) -> Still:
    """Return a market in which people sit who have not moved for four minutes."""
    still = market.still()
    return replace(still, quiet=240)


@pytest.mark.parametrize("size", ["small", "wide"])
def test_silence_is_told_in_one_line_and_not_while_somebody_composes(opened: Opening, size: str) -> None:
    """That nothing moves is one line, and goes while anybody puts an offer together."""
    table = opened(SIZES[size])
    table.show(silent(Market(1)))
    told = table.page.locator("[data-silence]")
    expect(told).to_contain_text("No moves for 4 minutes.")
    box = told.locator("span").first.bounding_box()
    assert box is not None
    assert box["height"] < 30
    table.hear(frames.Signs(composing=(1,), enough=()))
    expect(told).to_have_count(0)
    table.hear(frames.Signs(composing=(), enough=()))
    expect(told).to_have_count(1)
    table.page.locator("[data-key='o']").click()
    expect(told).to_have_count(0)


@pytest.mark.parametrize("size", ["phone", "small", "wide"])
def test_what_is_said_hides_no_card_and_is_whole(opened: Opening, size: str) -> None:
    """A remark of a computer player lies beside the front card and above the others, not cut."""
    table = opened(SIZES[size])
    table.show(Market(1).still())
    now = int(table.page.evaluate("Date.now()"))
    table.hear(frames.Remark(seat=1, at=now, key="says.saves", params={}))
    bubble = table.page.locator("[data-speech]")
    expect(bubble).to_be_visible()
    box = bubble.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= table.page.evaluate("innerWidth")
    assert bubble.locator(".words").evaluate("e => e.scrollHeight <= e.clientHeight + 1")
    for card in ("[data-card='0']", "[data-card='1']", "[data-face-up='0']"):
        assert not overlap(table.page, "[data-speech]", card), card


def test_what_is_said_hides_no_field_on_a_phone_while_the_wood_is_empty(opened: Opening) -> None:
    """In a market of one offer there is room for it below the offer."""
    table = opened(SIZES["phone"])
    table.show(Market(1).still())
    now = int(table.page.evaluate("Date.now()"))
    table.hear(frames.Remark(seat=1, at=now, key="says.saves", params={}))
    expect(table.page.locator("[data-speech]")).to_be_visible()

    for thing in ("[data-field='0']", "[data-field='1']", "[data-face-up='0']", "[data-card='0']"):
        assert not overlap(table.page, "[data-speech]", thing), thing


@pytest.mark.parametrize("language", ["en", "de", "ru", "sv"])
def test_two_lines_that_are_said_hide_no_button_of_a_field_on_a_phone(opened: Opening, language: str) -> None:
    """With offers on the wood they stand between the fields and the lower cards."""
    table = opened(SIZES["phone"], language=language)
    table.show(few(Market(0)))
    now = int(table.page.evaluate("Date.now()"))
    table.hear(frames.Remark(seat=1, at=now, key="says.need", params={"bean": int(Bean.CHILI), "count": 3}))
    expect(table.page.locator("[data-speech]")).to_be_visible()

    for thing in ("[data-harvest='0']", "[data-card='0']", "[data-card='1']"):
        assert not overlap(table.page, "[data-speech]", thing), thing


@pytest.mark.parametrize("size", ["small", "wide"])
def test_log_leaves_what_is_put_together_whole(opened: Opening, size: str) -> None:
    """Opened while one composes, it ends above the tray."""
    table = opened(SIZES[size])
    table.show(fullest())
    compose(table)
    table.page.get_by_role("button", name="Log", exact=True).click()
    expect(table.page.get_by_role("dialog")).to_be_visible()
    table.drawn()

    assert not overlap(table.page, "[role=dialog]", "[data-tray]")


@pytest.mark.parametrize("size", ["small", "wide"])
def test_piles_keep_their_place_when_the_market_opens(opened: Opening, size: str) -> None:
    """Draw pile and discard pile lie where they lay before the cards were turned over."""
    table = opened(SIZES[size])
    corners = []
    for still in (Market(1, revealed=False).still(), Market(1).still()):
        table.show(still)
        corners.append(
            table.page.locator(".pile").evaluate_all(
                "piles => piles.map(pile => pile.getBoundingClientRect()).map(({ x, y }) => [x, y])"
            )
        )

    assert corners[0] == corners[1]
