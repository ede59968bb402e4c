"""Explanations beside things: they hold up no key, their rule can be pressed, and they go quietly."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.web.support.states import Still, stills
from tests.web.support.unserved import Unserved
from tests.web.support.walking import SIZES

pytestmark = pytest.mark.e2e

FOCUSED = """() => {
  const element = document.activeElement;
  window.everFocused ??= [];
  if (!window.everFocused.includes(element)) window.everFocused.push(element);
  return element === document.body ? -1 : window.everFocused.indexOf(element);
}"""
"""A number for the element that has the keyboard, the same whenever it has it again; -1 for none."""

MOST = 120
"""Presses of Tab that lead around any table."""

BUSY = ("plant mine", "trade mine", "das-duell")
"""Kinds of states with fields, cards and buttons that explain themselves."""


def chosen() -> list[Still]:
    """Return the first state of each of these kinds in which the viewer sits at the table."""
    seated = [still for still in stills() if still.seat is not None]
    return [next(still for still in seated if kind in still.name) for kind in BUSY]


@pytest.fixture(scope="module", params=chosen(), ids=BUSY)
def shown(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Unserved]:
    """Return a page with one of these states."""
    page = Unserved(browser, **SIZES["small"])
    page.show(request.param)
    yield page
    page.close()


@pytest.mark.parametrize("key", ["Tab", "Shift+Tab"])
def test_tab_goes_on_from_everything_that_explains_itself(shown: Unserved, key: str) -> None:
    """The keys lead through the page and out; at its very end a window without a frame takes two presses."""
    shown.page.evaluate("() => { document.activeElement.blur(); window.everFocused = []; }")
    order: list[int] = []
    for _ in range(MOST):
        shown.page.keyboard.press(key)
        order.append(shown.page.evaluate(FOCUSED))
        assert len(order) < 3 or len(set(order[-3:])) > 1, f"the keyboard stays at {order[-1]}"
        if order[-1] == -1:
            break

    assert len({number for number in order if number != -1}) > 12
    assert order[-1] == -1


def test_rule_of_an_explanation_is_opened_by_a_mouse(browser: Browser) -> None:
    """What is pressed in an explanation that a click has opened is still there when the click comes."""
    still = next(one for one in stills() if one.seat is not None and "plant mine" in one.name)
    shown = Unserved(browser, **SIZES["small"])
    try:
        shown.page.route("**/api/rules?**", lambda route: route.abort())  # there is no server
        shown.show(still)
        shown.page.locator("button[aria-disabled=true]:visible").first.click(force=True)
        rule = shown.page.locator("#explanation .rule")
        expect(rule).to_be_visible()
        rule.click(delay=100)

        expect(shown.page.locator("#explanation")).to_have_count(0)
        expect(shown.page.get_by_role("dialog", name="Rules")).to_be_visible()
        shown.page.get_by_role("dialog", name="Rules").get_by_role("button", name="Close").click()
        shown.errors.clear()  # that it could not be had is told in the sheet
    finally:
        shown.close()


def test_explanation_whose_reason_is_still_asked_for_raises_no_error(browser: Browser) -> None:
    """After one that has a text comes one that waits for the server to say why: there is no box meanwhile."""
    still = next(one for one in stills() if one.name == "main 7p plant mine waits plant")
    shown = Unserved(browser, **SIZES["small"])
    try:
        shown.show(still)
        for asked in ("[data-field] .plot[aria-disabled=true]", ".button[aria-disabled=true]"):
            shown.page.locator("[data-card]").first.focus()
            shown.page.keyboard.press("Tab")
            expect(shown.page.locator("#explanation")).to_be_visible()
            shown.page.locator(asked).first.click(force=True)
            shown.page.wait_for_timeout(200)
        assert shown.errors == []
    finally:
        shown.close()


def test_card_behind_the_front_tells_that_the_front_is_planted_first(browser: Browser) -> None:
    """A press on it does not stay without an answer while the front card is to be planted."""
    page = Unserved(browser, **SIZES["phone"])
    page.show(next(still for still in stills() if still.name == "main 7p plant mine waits plant"))
    page.page.locator("[data-card='1']").click(position={"x": 8, "y": 8})

    expect(page.page.locator("[role=tooltip]")).to_contain_text(
        "The front card of your hand must be planted first"
    )
    page.close()
