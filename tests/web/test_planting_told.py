"""What one is told where one plants: why a field takes no card; nothing lies over what is compared."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from bohn.rules.beans import Bean
from bohn.rules.state import PlantTradedPhase
from tests.web.support.markets import Market
from tests.web.support.states import Still
from tests.web.support.unserved import Opening, Unserved
from tests.web.support.walking import SIZES

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

OVER = """([one, other]) => {
  const [a, b] = [one, other].map(what => document.querySelector(what).getBoundingClientRect());
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}"""


GLOWING = """() => {
  globalThis.glowing = [];
  new MutationObserver(() => {
    const many = document.querySelectorAll(".harvest.helps").length;
    if (many > 0 && glowing.at(-1) !== many) glowing.push(many);
  }).observe(document.querySelector(".own"), { subtree: true, childList: true, attributes: true });
}"""
"""Notes how many harvests glow, whenever that changes."""


def stuck(*, fits: bool = False, quiet: int = 0) -> Still:
    """Return the planting of a second card that fits on no field, or on the second one."""
    market = Market(0, revealed=False)
    ada, *others = market.state.players
    front = ada.hand[0]
    first, second, third, *_ = (bean for bean in Bean if market.rules.deck[bean] > 0 and bean != front)
    fields = ((first,) * 2, (front if fits else second,), (third,) * 4)
    state = replace(market.state, players=(replace(ada, fields=fields), *others))
    return Still("stuck", market.rules, state, 0, quiet=quiet)


def tap(page: Page, field: int) -> None:
    """Press the upper part of a field, whatever lies there."""
    box = page.locator("li.field").nth(field).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 3)


@pytest.mark.parametrize("size", ["phone", "small", "wide"])
def test_field_says_why_where_the_card_fits_on_none(opened: Opening, size: str) -> None:
    """The reason stands at the field that was pressed, and not in the bar only."""
    table = opened(SIZES[size])
    table.show(stuck())
    tap(table.page, 1)

    expect(table.page.get_by_role("tooltip")).to_contain_text("does not fit in field 2")


def test_field_that_glows_is_not_bleached(opened: Opening) -> None:
    """Its figures are compared just then: the glow comes from the edge."""
    table = opened(SIZES["small"])
    table.show(stuck(fits=True))
    colours = table.page.locator(".target .plot").evaluate_all(
        "plots => plots.flatMap(p => ['', '::after'].map(part => getComputedStyle(p, part).backgroundColor))"
    )

    assert colours == ["rgba(0, 0, 0, 0)"] * 2


@pytest.mark.parametrize("size", ["small", "wide"])
def test_silence_is_told_on_the_wood_and_not_over_the_wishes(opened: Opening, size: str) -> None:
    """Nothing lies on the wood while one plants; the wishes are pressed beside the fields."""
    table = opened(SIZES[size])
    table.show(stuck(quiet=200))

    expect(table.page.locator("[data-silence]")).to_have_count(1)
    assert not table.page.evaluate(OVER, ["[data-silence]", ".own"])
    assert table.page.evaluate(OVER, ["[data-silence]", "main"])


@pytest.mark.parametrize("size", ["phone", "small", "wide"])
def test_each_harvest_that_makes_room_tells_what_it_costs_and_brings(opened: Opening, size: str) -> None:
    """Where a card must be planted and fits nowhere: the cards that go, and the coins for them."""
    still = stuck()
    ada, *others = still.state.players
    phase = replace(still.state.phase, planted=0)
    table = opened(SIZES[size])
    table.show(replace(still, state=replace(still.state, phase=phase, players=(ada, *others))))
    buttons = table.page.locator("[data-harvest]:not([aria-disabled='true'])")
    lost = buttons.locator("[data-lost]")

    expect(lost).to_have_count(buttons.count())
    assert lost.evaluate_all("all => all.map(one => one.dataset.lost)") == ["2", "4"]
    assert all(" cards → " in (button.get_attribute("aria-label") or "") for button in buttons.all())
    assert buttons.evaluate_all("all => all.every(one => one.scrollWidth <= one.clientWidth + 1)")


def test_every_harvest_that_makes_room_glows_as_soon_as_one_does(opened: Opening) -> None:
    """Also where one has just planted, which takes no press for a moment: one compares them all."""
    still = stuck()
    ada, *others = still.state.players
    front, (first, *_) = ada.hand[0], ada.fields[0]

    def planting(*set_aside: Bean, grown: int) -> Still:
        fields = ((first,) * grown, *ada.fields[1:])
        players = (replace(ada, fields=fields, set_aside=set_aside), *others)
        return replace(still, state=replace(still.state, phase=PlantTradedPhase(), players=players))

    table = opened(SIZES["wide"], takeBack=1_000)
    table.show(planting(first, front, grown=2))
    tap(table.page, 0)
    table.page.evaluate(GLOWING)
    undo = table.page.locator("[data-key='u']")
    expect(undo).to_have_count(1)
    expect(undo).to_have_count(0)
    table.show(planting(front, grown=3))
    expect(table.page.locator(".harvest.helps")).to_have_count(2)

    assert table.page.evaluate("glowing") == [2]


def buying(*set_aside: Bean, fields: int) -> Still:
    """Return the planting of these cards by somebody who can buy his third field, or has it."""
    market = Market(0, revealed=False, players=4)
    ada, *others = market.state.players
    first, second, *_ = (bean for bean in Bean if bean not in set_aside[:1] and market.rules.deck[bean] > 0)
    grown = ((first,) * 2, (second,) * 2, ())[:fields]
    coins = (first,) * 3 if fields == 2 else ()
    rich = replace(ada, fields=grown, set_aside=(*set_aside, first), treasury=coins)
    state = replace(market.state, phase=PlantTradedPhase(), players=(rich, *others))
    return Still("buying", market.rules, state, 0)


@pytest.mark.parametrize("size", ["phone", "wide"])
def test_bought_field_is_not_for_sale_again_for_a_moment(opened: Opening, size: str) -> None:
    """While nobody has told yet that it is bought; and the card that was marked stays marked."""
    table = opened(SIZES[size], takeBack=1_000)
    table.show(buying(Bean.GARDEN, fields=2))
    marked = table.page.locator(".aside .aimed")
    bean = marked.get_attribute("data-aside")
    table.page.locator("[data-key='b']").click()
    undo = table.page.locator("[data-key='u']")
    expect(undo).to_have_count(1)
    expect(undo).to_have_count(0)

    expect(table.page.locator("[data-bought]")).to_have_count(1)
    expect(table.page.locator(".buy")).to_have_count(0)
    table.show(buying(Bean.GARDEN, fields=3))
    expect(table.page.locator("[data-bought]")).to_have_count(0)
    assert bean is not None
    assert marked.get_attribute("data-aside") == bean


LATE = """ms => {
  globalThis.clock ??= performance.now();
  performance.now = () => globalThis.clock + ms;
}"""
"""Lets so many ms pass, for whatever looks at the clock, since this was called first."""


def test_second_tap_on_a_harvest_does_not_take_it_back(browser: Browser) -> None:
    """The button to take it back comes where one has just tapped: for half a second it does nothing."""
    table = Unserved(browser, settings={"takeBack": 60_000}, **SIZES["phone"])
    table.show(stuck())
    table.page.evaluate(LATE, 0)
    table.page.locator("[data-harvest='2']").tap()
    undo = table.page.locator("[data-key='u']")
    table.page.evaluate(LATE, 550)
    undo.tap()
    kept = undo.count()
    table.page.evaluate(LATE, 700)
    undo.tap()
    expect(undo).to_have_count(0)
    table.close()

    assert kept == 1
