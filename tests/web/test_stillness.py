"""Nothing moves under a pointer while nobody has clicked: what comes to a market has room kept for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect

from bohn.rules.beans import Bean
from bohn.rules.commands import AcceptOffer, MakeOffer, WithdrawOffer
from bohn.rules.state import Copy, TradePhase
from tests.web.support.markets import Market, moved, places
from tests.web.support.pushed import until
from tests.web.support.states import Still, fullest
from tests.web.support.unserved import Unserved
from tests.web.support.walking import SIZES

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

Opening = Callable[[str], Unserved]
STILL = pytest.mark.parametrize("size", ["phone", "small", "wide"])


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opening]:
    """Return how to open a page in a window; it is closed afterwards."""
    pages: list[Unserved] = []

    def opening(size: str) -> Unserved:
        pages.append(Unserved(browser, **SIZES[size]))
        return pages[-1]

    yield opening
    for page in pages:
        page.close()


def shifted(table: Unserved, before: Still, after: Still) -> list[str]:
    """Return what lies elsewhere in the second of two states."""
    table.show(before)
    table.drawn()
    first = places(table.page)
    table.show(after)
    table.drawn()
    return moved(first, places(table.page))


@STILL
def test_claim_to_an_offer_moves_nothing(opened: Opening, size: str) -> None:
    """Who else would take an offer to the viewer stands where room was kept for it."""
    market = Market(1)
    ada, bert, chiyo = (market.hand(seat) for seat in range(3))
    want = next(bean for bean in ada if bean in chiyo)
    number = market.offer(1, (0, 2), [next(bean for bean in bert if bean != want)], [want], is_open=True)
    for bean in ada[:2]:
        market.offer(1, (0,), [], [bean])
    before = market.still()
    market.claim(2, number, want)

    table = opened(size)
    assert shifted(table, before, market.still()) == []
    assert "Chiyo" in table.page.locator(f"#ticket-{number}").inner_text()


@STILL
def test_claim_to_an_own_offer_moves_nothing(opened: Opening, size: str) -> None:
    """The place of an own open offer is as large as it will be when somebody would take it."""
    market = Market(0)
    ada, bert, chiyo = (market.hand(seat) for seat in range(3))
    market.offer(1, (0,), [], ada[:1])
    give = next(bean for bean in ada if bean != chiyo[0])
    number = market.offer(0, (1, 2), [give], chiyo[:1], is_open=True)
    market.offer(2, (0,), [], ada[1:2])
    market.offer(1, (0,), bert[:1], ada[1:2])
    before = market.still()
    market.claim(2, number, chiyo[0])

    assert shifted(opened(size), before, market.still()) == []


HELD = """() => {
  const held = [];
  new MutationObserver(seen => {
    for (const { target } of seen) {
      const { dataset: { offer }, style } = target;
      if (offer !== undefined && style.pointerEvents === "none" && !held.includes(offer)) held.push(offer);
    }
    held.sort();
  }).observe(document.body, { attributes: true, attributeFilter: ["style"], subtree: true });
  return held;
}"""
"""The list, filled later, of the offers whose tickets are held: no press reaches them."""


@STILL
def test_new_offer_moves_none_that_was_there(opened: Opening, size: str) -> None:
    """One that the viewer can take stands apart from one that he cannot take, whose buttons stay.

    On a phone it stands above: what has made room for it is held a moment, and no press meets it unawares.
    """
    market = Market(1)
    market.offer(1, (0,), [], [market.lacked(0)])
    before = market.still()
    market.offer(1, (0,), market.hand(1)[:1], market.hand(0)[:1])
    table = opened(size)
    table.show(before)
    table.drawn()
    first = places(table.page)
    held = table.page.evaluate_handle(HELD)
    table.show(market.still())
    table.drawn()

    found = [line for line in moved(first, places(table.page)) if not line.startswith("dot ")]
    if size == "phone":
        assert {line.split(":")[0] for line in found} == {"1"}
        assert held.json_value() == ["1", "2"]
    else:
        assert found == []


@STILL
def test_hand_without_cards_keeps_its_room(opened: Opening, size: str) -> None:
    """Fields and offers stay where they are when the last card is gone."""
    market = Market(1)

    assert shifted(opened(size), market.still(), market.without_hand()) == []


ENDS = """() => {
  const held = [];
  const look = () => {
    const how = document.querySelector(".closing .button")?.style.pointerEvents;
    if (how === "none" && held.length === 0) held.push(how);
    requestAnimationFrame(look);
  };
  look();
  return held;
}"""
"""The list, filled later, that tells whether the button that ends the market was held."""

HEIGHTS = """() => {
  const things =
    ".own .field, .own .lot, .own .side, [data-harvest], [data-card], .context, .context .coins, .middle";
  return Object.fromEntries([...document.querySelectorAll(things)].map((thing) => {
    const { field } = thing.closest("[data-field]")?.dataset ?? {};
    const name = `${field ?? thing.dataset.card ?? ""} ${thing.className.split(" _")[0]}`;
    return [name, Math.round(thing.getBoundingClientRect().top)];
  }));
}"""
"""Where the own fields, what grows on them, the hand and the bar begin, in px from the top."""


@STILL
def test_planting_that_can_be_taken_back_moves_nothing(browser: Browser, size: str) -> None:
    """There is one button for it, in the place of the harvest, and what grows elsewhere stays where it is."""
    table = Unserved(browser, settings={"takeBack": 60_000}, **SIZES[size])
    table.show(Market(0, revealed=False).still())
    table.drawn()
    before = table.page.evaluate(HEIGHTS)
    table.page.locator("[data-field='1'] .plot").click()
    undo = table.page.locator("[data-key='u']:visible")
    undo.first.wait_for()
    after = table.page.evaluate(HEIGHTS)
    buttons = undo.count()
    table.close()
    assert {name: (top, after.get(name)) for name, top in before.items() if after.get(name, top) != top} == {}
    assert buttons == 1


@STILL
@pytest.mark.parametrize("starter", [0, 1])
def test_last_call_moves_nothing(opened: Opening, size: str, starter: int) -> None:
    """It is told on a line that was there before."""
    market = Market(starter)
    market.offer(1, (0,), [], market.hand(0)[:1])

    table = opened(size)
    assert shifted(table, market.still(), market.still(last_call=True)) == []
    assert table.page.locator(".state :is(.say, .left):visible").count() == 1


def test_tip_moves_nothing(browser: Browser) -> None:
    """A long tip has the room of the log and no more."""
    seen: list[dict[str, list[int]]] = []
    for hints in (False, True):
        table = Unserved(browser, settings={"hints": hints, "language": "ru"}, **SIZES["small"])
        table.show(fullest())
        table.drawn()
        assert (table.page.locator(".tip").count() > 0) is hints
        seen.append({name: at for name, at in places(table.page).items() if not name.startswith("tail")})
        table.close()

    assert moved(*seen) == []


COVERED = """() => {
  const tip = document.querySelector("[role='tooltip']").getBoundingClientRect();
  const needed = "[data-offer], [data-seat], [data-card], [data-face-up], [data-field], .dot, .said";
  return [...document.querySelectorAll(needed)].filter(thing => {
    const box = thing.getBoundingClientRect();
    const across = Math.min(tip.right, box.right) - Math.max(tip.left, box.left);
    return across > 0 && Math.min(tip.bottom, box.bottom) - Math.max(tip.top, box.top) > 0;
  }).map(thing => thing.textContent.trim());
}"""


@pytest.mark.parametrize("size", ["small", "wide"])
@pytest.mark.parametrize("key", ["a", "d"])
def test_tip_covers_nothing_while_there_is_wood_beside_it(opened: Opening, size: str, key: str) -> None:
    """At the fullest market what a button does is told beside its ticket, over no card, offer or player."""
    table = opened(size)
    table.show(fullest())
    table.page.locator(f"[data-offer] [data-key='{key}']").first.hover()
    table.page.locator("[role='tooltip']").wait_for()
    table.drawn()

    assert table.page.evaluate(COVERED) == []


def test_own_offer_takes_no_place_while_one_is_free(opened: Opening) -> None:
    """What others offer one another keeps its line as long as another column has room for a ticket."""
    market = Market(1)
    market.offer(1, (2,), market.hand(1)[:1], [])
    market.offer(1, (0,), [], market.hand(0)[:1])
    before = market.still()
    table = opened("wide")
    table.show(before)
    table.drawn()
    first = table.page.locator("#ticket-1").bounding_box()
    market.offer(0, (1,), market.hand(0)[1:2], market.hand(1)[1:2])
    table.show(market.still())
    table.drawn()

    assert table.page.locator("#ticket-1").bounding_box() == first


@pytest.mark.parametrize("size", ["small", "wide"])
def test_what_stands_aside_keeps_its_lines_when_tickets_come_and_go(opened: Opening, size: str) -> None:
    """An own offer takes another place; the list stays when it is withdrawn, and when its reason goes."""
    market = Market(1)
    number = market.offer(1, (2,), market.hand(1)[:1], [])
    for bean in market.hand(0)[:2]:
        market.offer(1, (0,), [], [bean])
    states = [market.still()]
    own = market.offer(0, (1,), market.hand(0)[1:2], market.hand(1)[1:2])
    states.append(market.still())
    market.do(WithdrawOffer(0, own))
    states.append(market.still())
    table = opened(size)
    lies = []
    for state in states:
        table.show(state)
        table.drawn()
        lies.append(table.page.locator(f"#ticket-{number}").bounding_box())
    expect(table.page.locator("p.gone")).to_have_count(0)
    table.drawn()
    lies.append(table.page.locator(f"#ticket-{number}").bounding_box())

    assert lies == lies[:1] * 4


PRESSED = """() => [...document.querySelectorAll("[data-face-up]")]
  .map(card => getComputedStyle(card).pointerEvents !== "none")"""


@pytest.mark.parametrize(("taken", "pressed"), [(0, [False]), (1, [True])])
def test_face_up_card_that_slides_takes_no_press(opened: Opening, taken: int, pressed: list[bool]) -> None:
    """Where a card was taken, the one that slides there takes no press meant for it; any other does."""
    market = next(one for one in (Market(1, seed) for seed in range(20)) if len(set(face_up(one))) == 2)
    table = opened("phone")
    table.show(market.still())
    until(table.page, f"({PRESSED})().length === 2 && ({PRESSED})().every(Boolean)")
    beans = face_up(market)
    market.do(MakeOffer(1, (2,), (), (Copy(taken, beans[taken]),), (), open=False, hand_revision=0))
    assert isinstance(market.state.phase, TradePhase)
    market.do(AcceptOffer(2, market.state.phase.offers[-1].id, 1))
    table.show(market.still())

    assert table.page.evaluate(PRESSED) == pressed
    until(table.page, f"({PRESSED})().every(Boolean)")


def face_up(market: Market) -> tuple[Bean, ...]:
    """Return the cards that lie face up."""
    assert isinstance(market.state.phase, TradePhase)
    return market.state.phase.face_up


@STILL
def test_end_of_trading_takes_no_press_meant_for_an_offer(opened: Opening, size: str) -> None:
    """Once something is put together no more, what ends the market lets the pointer through for a moment."""
    table = opened(size)
    table.show(Market(0).still())
    table.drawn()
    make = table.page.locator("[data-key='o']")
    make.click()
    close = table.page.locator("[data-key='Escape']:visible").first
    expect(close).to_be_visible()
    table.page.wait_for_timeout(600)  # what stands there may be pressed
    held = table.page.evaluate_handle(ENDS)
    close.click()
    expect(table.page.locator("[data-send]")).to_have_count(0)
    end = table.page.locator(".closing .button")

    assert held.json_value() == ["none"]
    expect(end).to_have_css("pointer-events", "auto")
