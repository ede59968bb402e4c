"""What a phone tells while beans are traded: each thing once, whole, and over nothing that one plays with."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from bohn.bots.reasons import TEXTS
from bohn.protocol import frames
from bohn.rules.beans import Bean
from bohn.rules.commands import DeclineOffer
from tests.web.support.covering import COVERED
from tests.web.support.markets import Market, moved, places
from tests.web.support.unserved import Opening

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

LANGUAGES = ["en", "de", "is", "it", "ja", "ru", "sv"]


def asking(players: int, starter: int = 0) -> Market:
    """Return a market with two offers that the viewer can take."""
    market = Market(starter, players=players)
    for seat in (1, 2) if starter == 0 else (1, 1):
        at = len(market.told) % 2
        market.offer(seat, (0,), [market.hand(seat)[at]], [market.hand(0)[at]])
    return market


def test_last_call_and_what_waits_are_told_once(on_phone: Opening) -> None:
    """The line above says whose market it is, the bar what waits, and its seconds when the market ends."""
    table = on_phone()
    table.show(asking(7, starter=1).still(last_call=True))

    expect(table.page.locator(".headline")).to_have_text("Bert trades")
    expect(table.page.locator(".context .said")).to_have_text("2 offers are waiting for you.")
    expect(table.page.locator(".closing .say")).to_contain_text("Bert ends trading")


def test_own_last_call_is_told_once(on_phone: Opening) -> None:
    """The seconds say that it is the last call, and the bar what the others may still do."""
    table = on_phone()
    table.show(Market(0, players=7).still(last_call=True))

    expect(table.page.locator(".headline")).to_have_text("Your turn: trade")
    expect(table.page.locator(".context .said")).to_have_text("The others may still answer.")
    expect(table.page.locator(".closing .say")).to_contain_text("Last call")


def test_last_call_stands_above_while_an_offer_is_put_together(on_phone: Opening) -> None:
    """The bar then has the button that sends, and neither the seconds nor what waits."""
    table = on_phone()
    table.show(Market(0, players=7).still())
    table.page.locator("[data-key='o']").tap()
    table.drawn()
    table.show(Market(0, players=7).still(last_call=True))

    expect(table.page.locator(".headline")).to_have_text("Last call!")


KEPT = (
    ".logo, .tools button, .clock, [data-seat], .pile, [data-face-up], .talk, .make, .stand button, "
    "[data-offer], .own .field, [data-card], .context .said, .context button, .coins"
)
"""What is read or pressed while beans are traded."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_beside_offers_covers_no_seat(on_phone: Opening, language: str) -> None:
    """It stands for whose turn it is a moment, whole, and moves nothing."""
    table = on_phone(language)
    table.show(asking(7).still())
    before = places(table.page)
    params = {"bean": int(Bean.BLACK_EYED), "count": 3}
    table.hear(frames.Remark(3, int(time.time() * 1000), "says.need", params))
    said = table.page.locator("header [data-speech='3']")
    expect(said).to_be_visible()

    assert table.page.evaluate(COVERED, ["[data-speech]", KEPT]) == []
    assert moved(before, places(table.page)) == []
    expect(said.locator("[data-words]")).not_to_contain_text("…")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_of_a_computer_player_is_read_whole(on_phone: Opening, language: str) -> None:
    """Whatever it gives as its reason, of the bean with the longest name."""
    table = on_phone(language)
    table.show(asking(7).still())
    most = {"bean": int(Bean.BLACK_EYED), "count": 3, "coins": 2}
    said = table.page.locator("header [data-speech='3'] [data-words]")
    read: dict[str, str | None] = {}
    for key, names in TEXTS.items():
        before = said.text_content() if read else None
        table.hear(frames.Remark(3, int(time.time() * 1000), key, {name: most[name] for name in names}))
        if before is not None:
            expect(said).not_to_have_text(before)
        table.drawn()
        read[key] = said.text_content()

    assert {key: text for key, text in read.items() if "…" in (text or "…")} == {}


@pytest.mark.parametrize(("wanted", "drawn"), [(1, 3), (0, 1)])
def test_no_to_an_own_offer_covers_no_seat(on_phone: Opening, wanted: int, drawn: int) -> None:
    """Who said no to what stands in the line above the board, though offers fill the wood; or to a gift."""
    market = asking(5)
    own = market.offer(0, (2,), [market.hand(0)[2]], list(market.hand(2)[1 : 1 + wanted]))
    table = on_phone()
    table.show(market.still())
    market.do(DeclineOffer(2, own, 1))
    table.show(market.still())
    expect(table.page.locator("[data-speech='2'] .beans > *")).to_have_count(drawn)

    assert table.page.evaluate(COVERED, ["[data-speech]", KEPT]) == []


def test_offer_bears_the_number_by_which_the_log_names_it(on_phone: Opening) -> None:
    """What one can take, what one cannot, what others ask of each other and the own ones."""
    market = asking(5)
    numbers = [
        market.offer(1, (0,), [market.hand(1)[1]], [market.lacked(0)]),
        market.offer(0, (1, 2), [market.hand(0)[2]], [market.hand(2)[1]]),
    ]
    table = on_phone()
    table.show(market.still())
    for number in (1, 2, *numbers):
        drawn = table.page.locator(f"#ticket-{number} kbd")
        expect(drawn).to_have_text(str(number))
        expect(drawn).to_be_visible()


CUT = "thing => thing.scrollWidth > thing.clientWidth || [...thing.querySelectorAll('*')].some(part => \
part.clientWidth > 1 && part.scrollWidth > part.clientWidth)"
"""Whether something of it has no room."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_those_whom_an_offer_asks_are_told_whole(on_phone: Opening, language: str) -> None:
    """Two stand as their number and all as a word: in the line, on the way to an offer, and in the tray."""
    market = asking(7, starter=1)
    two = market.offer(1, (3, 4), [market.hand(1)[1]], [market.hand(3)[0]])
    table = on_phone(language)
    table.show(market.still())
    asked = table.page.locator(f"#ticket-{two} .to")
    expect(asked).to_have_text("→ 2")
    assert not asked.evaluate(CUT)


@pytest.mark.parametrize("language", LANGUAGES)
def test_way_to_an_offer_to_all_is_told_whole(on_phone: Opening, language: str) -> None:
    """A word stands for all whom it asks."""
    market = asking(7)
    table = on_phone(language)
    table.show(market.still())
    market.offer(0, (1, 2, 3, 4, 5, 6), [market.hand(0)[0]], [market.hand(2)[1]])
    table.show(market.still())
    chip = table.page.locator(".chip.mine")

    expect(chip).to_contain_text("→ ")
    assert not chip.evaluate(CUT)


def test_tray_counts_those_whom_it_asks(on_phone: Opening) -> None:
    """Folded, it says how many they are; who they are is heard."""
    market = Market(0, players=7)
    own = market.offer(0, (2, 3), [market.hand(0)[0]], [market.hand(2)[1]])
    table = on_phone()
    table.show(market.still())
    table.page.locator(f"#ticket-{own} [data-key='e']").tap()
    who = table.page.locator("[data-to='who']")

    expect(who.locator(".whom > [aria-hidden]")).to_have_text("2")
    expect(who.locator(".hidden")).to_have_text("Chiyo and Dagur")
    assert not who.locator(".whom").evaluate("whom => whom.scrollWidth > whom.clientWidth")
