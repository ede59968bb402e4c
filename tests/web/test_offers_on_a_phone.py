"""On a phone offers lie below one another: which are in sight, and what leads to the others."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from bohn.rules.commands import AcceptOffer, DeclineOffer, WithdrawOffer
from tests.web.support.markets import Market, moved, places
from tests.web.support.states import fullest
from tests.web.support.unserved import Opening, Unserved
from tests.web.support.walking import SIZES
from tests.web.test_offers_in_sight import CUT, few

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def test_phone_keeps_fields_and_hand_where_they_are_while_one_composes(opened: Opening) -> None:
    """The bar has one row before and after; only the offers give their room away."""
    table = opened(SIZES["phone"])
    table.show(fullest())
    found = "all => all.map(one => Math.round(one.getBoundingClientRect().top))"
    before = table.page.locator(".field, [data-card]").evaluate_all(found)
    table.page.locator("[data-key='o']").click()
    table.drawn()

    assert table.page.locator(".field, [data-card]").evaluate_all(found) == before


def scrolled(table: Unserved) -> int:
    """Return how many px the market has scrolled sideways, once nothing moves any more."""
    table.page.wait_for_timeout(1_500)
    px: int = table.page.locator("section.offers > .row").evaluate("row => row.scrollLeft")
    return px


def test_phone_keeps_an_offer_that_waits_in_sight_when_the_viewer_makes_one(opened: Opening) -> None:
    """Neither what others offer nor an own new offer scrolls away what can be taken."""
    market = Market(0)
    ada = list(dict.fromkeys(market.hand(0)))
    for bean in ada[:2]:
        market.offer(1, (0,), market.hand(1)[:1], [bean])
    table = opened(SIZES["phone"])
    table.show(market.still())
    table.drawn()
    market.offer(2, (0,), market.hand(2)[:1], ada[:1])
    table.show(market.still())
    assert scrolled(table) == 0

    market.offer(0, (1,), ada[2:3], market.hand(1)[1:2])
    table.show(market.still())
    assert scrolled(table) == 0
    expect(table.page.locator("#ticket-1")).to_be_in_viewport(ratio=0.9)


def test_phone_scrolls_for_the_own_new_offer_where_none_waits(opened: Opening) -> None:
    """Among own offers alone the newest one comes into sight when it is made."""
    market = Market(0)
    ada = list(dict.fromkeys(market.hand(0)))
    for bean in ada[:2]:
        market.offer(0, (1,), [bean], market.hand(1)[:1])
    table = opened(SIZES["phone"])
    table.show(market.still())
    table.drawn()
    own = market.offer(0, (1,), ada[2:3], market.hand(1)[1:2])
    table.show(market.still())

    expect(table.page.locator(f"#ticket-{own}")).to_be_in_viewport(ratio=0.9)


def test_phone_names_the_offers_that_wait_out_of_sight(opened: Opening) -> None:
    """Each way to one says who made it and draws what would come; none leads to what is in sight."""
    market = Market(0)
    few(market)
    table = opened(SIZES["phone"])
    table.show(market.still())
    ways = table.page.locator(".stand .chip")
    expect(ways).to_have_count(0)

    late = market.offer(1, (0,), market.hand(1)[2:3], market.hand(0)[:1])
    table.show(market.still())
    expect(ways).to_have_count(1)
    expect(ways).to_have_text("Bert")
    expect(ways.locator("svg")).to_be_visible()
    ways.tap()
    expect(table.page.locator(f"#ticket-{late}")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("language", ["en", "de", "it", "ja", "ru", "is", "sv"])
def test_phone_counts_offers_beyond_its_edge_and_leads_through_all(opened: Opening, language: str) -> None:
    """A button of a finger's size says how many lie below, leads there by as many as have room, and back."""
    table = opened(SIZES["phone"], language=language)
    table.show(fullest())
    more = table.page.locator("[data-more]")
    row = table.page.locator("section.offers > .row")
    counts: list[str] = []
    at: list[int] = []
    for _ in range(5):
        table.page.wait_for_timeout(300)
        box = more.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 40
        assert box["x"] + box["width"] <= 360
        counts.append(re.sub(r"\D", "", more.inner_text()))
        at.append(row.evaluate("row => row.scrollTop"))
        more.tap()

    assert counts == ["6", "4", "2", "6", "6"]
    assert at[:4] == sorted(set(at[:4])), "each press leads on"
    assert at[4] == 0


def test_phone_shows_first_what_one_can_take(opened: Opening) -> None:
    """An offer that was declined gives its place to one that would lie out of sight."""
    market = Market(1)
    ada = list(dict.fromkeys(market.hand(0)))
    for bean in ada[:2]:
        market.do(DeclineOffer(0, market.offer(1, (0,), [], [bean]), 1))
    table = opened(SIZES["phone"])
    table.show(market.still())
    number = market.offer(1, (0,), [], ada[2:3])
    table.show(market.still())

    expect(table.page.locator(".row > div").first.locator(f"#ticket-{number}")).to_be_visible(timeout=20_000)


def test_offer_that_is_cut_takes_the_place_of_one_that_was_taken(opened: Opening) -> None:
    """On a phone set-aside cards leave room for one offer: it is the one that stands, with its buttons."""
    market = Market(0)
    ada = market.hand(0)
    taken = market.offer(1, (0,), market.hand(1)[:1], ada[:1])
    stands = market.offer(2, (0,), market.hand(2)[:2], ada[1:2])
    table = opened(SIZES["phone"])
    table.show(market.still())
    own = market.copies(0, ada[0])
    market.do(AcceptOffer(0, taken, 1, own, hand_revision=market.state.players[0].hand_revision))
    table.show(market.still())
    ticket = table.page.locator(f"#ticket-{stands}")
    expect(table.page.locator(".aside").first).to_be_visible()

    expect(ticket.get_by_role("button").first).to_be_in_viewport(ratio=1, timeout=15_000)


@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_offer_that_waits_is_one_whole_line_where_a_phone_has_room_for_no_more(
    opened: Opening, language: str
) -> None:
    """As in a lesson above set-aside cards: who, what, a yes and a no."""
    market = Market(0)
    ada = market.hand(0)
    taken = market.offer(1, (0,), market.hand(1)[:1], ada[:1])
    own = market.copies(0, ada[0])
    market.do(AcceptOffer(0, taken, 1, own, hand_revision=market.state.players[0].hand_revision))
    gift = market.offer(2, (0,), market.hand(2)[:1], ())
    table = opened({**SIZES["phone"], "viewport": {"width": 360, "height": 672}}, language=language)
    table.show(market.still())
    ticket = table.page.locator(f"#ticket-{gift}")

    for part in ("h3", "dl", "[data-key='a']", "[data-key='d']"):
        expect(ticket.locator(part)).to_be_in_viewport(ratio=1)
    assert table.page.evaluate(CUT) == []


@pytest.fixture
def phone(opened: Opening) -> Unserved:
    """Return a phone's page."""
    return opened(SIZES["phone"])


def full_of_own() -> Market:
    """Return a market whose two places in sight on a phone have offers of the viewer."""
    market = Market(0)
    market.offer(0, (1, 2), [market.hand(0)[1]], [market.lacked(1)])
    market.offer(0, (2,), [market.hand(0)[2]], [market.hand(2)[0]])
    return market


def test_offer_to_the_viewer_comes_into_sight_on_a_phone(phone: Unserved) -> None:
    """Where none that waits for him is in sight it comes there by itself, and is not pressed by accident."""
    market = full_of_own()
    phone.show(market.still())
    number = market.offer(1, (0,), [market.hand(1)[1]], [market.hand(0)[0]])
    phone.show(market.still())

    accept = phone.page.locator(f"#ticket-{number} [data-key='a']")
    expect(accept).to_be_in_viewport(ratio=1)
    accept.click(timeout=5_000)
    assert phone.page.evaluate("getComputedStyle(document.documentElement).overscrollBehaviorX") == "none"


def test_second_offer_to_the_viewer_moves_nothing_on_a_phone(phone: Unserved) -> None:
    """Who reads one that waits for him keeps it in sight when another comes."""
    market = full_of_own()
    market.offer(2, (0,), [market.hand(2)[1]], [market.hand(0)[1]])
    phone.show(market.still())
    phone.drawn()
    before = places(phone.page)
    for bean in market.hand(0)[:2]:
        market.offer(1, (0,), [market.hand(1)[1]], [bean])
        phone.show(market.still())
        phone.drawn()

    assert [one for one in moved(before, places(phone.page)) if one[0].isdigit()] == []


def test_own_offer_that_somebody_would_take_comes_into_sight_on_a_phone(phone: Unserved) -> None:
    """What the bar asks to confirm is there, though an offer to the viewer lies out of sight too."""
    market = full_of_own()
    number = market.offer(0, (1, 2), [market.hand(0)[0]], [market.hand(1)[0]], is_open=True)
    phone.show(market.still())
    phone.page.locator("section.offers > .row").evaluate("row => row.scrollTo(0, 0)")
    market.claim(1, number, market.hand(1)[0])
    phone.show(market.still())

    expect(phone.page.locator(f"#ticket-{number} .main").first).to_be_in_viewport(ratio=1)


def test_offer_one_can_take_comes_before_those_one_cannot_on_a_phone(phone: Unserved) -> None:
    """It stands where it is seen first, though what was there before had no hole beside it."""
    market = Market(0)
    for seat in (1, 2):
        market.offer(seat, (0,), [market.hand(seat)[0]], [market.lacked(0)])
        phone.show(market.still())
    number = market.offer(1, (0,), [market.hand(1)[1]], [market.hand(0)[0]])
    phone.show(market.still())
    phone.drawn()

    assert phone.page.evaluate("document.querySelector('section.offers .row').scrollLeft") == 0
    expect(phone.page.locator(f"#ticket-{number} [data-key='a']")).to_be_in_viewport(ratio=1)


def test_hole_closes_on_a_phone_once_the_market_is_calm(phone: Unserved) -> None:
    """Where two offers are in sight, the one that is left moves up, but not at once."""
    market = Market(0)
    gone = market.offer(1, (0,), [market.hand(1)[1]], [market.hand(0)[0]])
    stays = market.offer(2, (0,), [market.hand(2)[1]], [market.hand(0)[1]])
    phone.show(market.still())
    phone.drawn()
    top = f"document.getElementById('ticket-{stays}').getBoundingClientRect().top"
    before = phone.page.evaluate(top)
    market.do(WithdrawOffer(1, gone))
    phone.show(market.still())
    phone.drawn()
    assert abs(phone.page.evaluate(top) - before) <= 2

    phone.page.wait_for_function(f"{top} < {before} - 40", timeout=20_000)
