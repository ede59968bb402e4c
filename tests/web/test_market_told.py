"""What the bar tells of a market: when it ends, what waits in it, and that nothing moves in its last call."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from bohn.rules.commands import WithdrawOffer
from tests.web.support.markets import Market, moved, places
from tests.web.support.unserved import Opening
from tests.web.support.walking import SIZES

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

CALMED = 4_600
"""Ms after which offers out of sight take the holes in sight, where they may."""


@pytest.mark.parametrize("size", ["phone", "small", "wide"])
def test_clock_says_in_words_what_it_counts(opened: Opening, size: str) -> None:
    """Whatever the size, the seconds stand in a sentence."""
    table = opened(SIZES[size])
    table.show(Market(1).still())

    clock = table.page.get_by_role("timer").filter(visible=True)
    expect(clock).to_have_text("The trading ends in 40 s.")


@pytest.mark.parametrize("called", [False, True])
def test_tickets_keep_their_places_in_the_last_call(opened: Opening, called: bool) -> None:
    """On a phone what lies below moves up into a hole once the market is calm, and not in its last call."""
    market = Market(1)
    offers = [market.offer(1, (0,), market.hand(1)[:1], (bean,)) for bean in sorted(set(market.hand(0)))[:3]]
    table = opened(SIZES["phone"])
    table.show(market.still(last_call=called))
    before = places(table.page)
    market.do(WithdrawOffer(1, offers[0]))
    table.show(market.still(last_call=called))
    table.page.wait_for_timeout(CALMED)

    assert bool(moved(before, places(table.page))) is not called
