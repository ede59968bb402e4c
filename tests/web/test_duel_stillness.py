"""Das Duell: nothing of the board moves between the steps of a turn, whatever is asked, chosen and owned."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from playwright.sync_api import Browser, expect

from bohn.rules.state import GiftPhase
from tests.web.support.states import Still, whole_game
from tests.web.support.unserved import Unserved
from tests.web.support.walking import SIZES

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

SEEDS = (2, 5)
"""Games in which every step is met, with pennies and without."""

PLACES = """() => Object.fromEntries(
  [".own .fields", "section.hand", ".steps", ".kinds"].flatMap((part) => {
    const box = document.querySelector(part)?.getBoundingClientRect();
    return box === undefined ? [] : [[part, Math.round(box.top)]];
  }))"""
"""Where the parts of the board begin that are there, in px from the top."""

OUTSIDE = """() => {
  const bar = document.querySelector("section.context");
  const { top, bottom, right } = bar.getBoundingClientRect();
  return [...bar.querySelectorAll(".said, .button, .coins")].filter((part) => {
    const box = part.getBoundingClientRect();
    return box.height > 0 && (box.top < top - 4 || box.bottom > bottom + 4 || box.right > right + 1);
  }).map((part) => part.textContent.trim());
}"""
"""What does not fit into the bar, whose own edge is 4 px wide."""


@cache
def moments() -> tuple[Still, ...]:
    """Return one state of every kind, with pennies of the viewer's and without."""
    found: dict[tuple[str, bool], Still] = {}
    for seed in SEEDS:
        for still in whole_game("das-duell", 2, seed):
            kind = still.name.partition(" at ")[0]
            if " end" not in kind:
                found[kind, bool(still.state.players[0].bonus.claimed)] = still
    return tuple(found.values())


@pytest.fixture
def opened(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Unserved]:
    """Return a page in a window and a language."""
    size, language = request.param
    page = Unserved(browser, settings={"language": language}, **SIZES[size])
    yield page
    page.close()


@pytest.mark.parametrize(
    "opened",
    [*(("phone", lang) for lang in ("de", "en", "ru", "it", "sv")), ("small", "de"), ("wide", "ru")],
    indirect=True,
)
def test_duel_moves_nothing_from_step_to_step(opened: Unserved) -> None:
    """Fields, hand, steps and kinds stay, also while a kind is chosen, and the bar holds its words."""
    seen: dict[str, dict[int, str]] = {}
    outside: dict[str, list[str]] = {}
    for still in moments():
        opened.show(still)
        kinds = opened.page.locator("[data-kind-name][aria-disabled='false']")
        for chosen in (False, True) if kinds.count() > 0 else (False,):
            if chosen:
                kinds.first.click()
                opened.drawn()
            for part, top in opened.page.evaluate(PLACES).items():
                seen.setdefault(part, {}).setdefault(top, still.name)
            if found := opened.page.evaluate(OUTSIDE):
                outside[still.name] = found

    assert {part: tops for part, tops in seen.items() if len(tops) > 1} == {}
    assert outside == {}


SCRAPS = """() => {
  const { left, right, top, bottom } = document.querySelector(".talk .lines").getBoundingClientRect();
  return [...document.querySelectorAll(".talk ol li")].filter((name) => {
    const box = name.getBoundingClientRect();
    const seen = box.right > left && box.left < right && box.bottom > top && box.top < bottom;
    const whole = box.left >= left && box.right <= right && box.top >= top && box.bottom <= bottom;
    return seen && !whole;
  }).map((name) => name.textContent.trim());
}"""
"""The kinds named so far of which a part is in sight."""


@pytest.mark.parametrize("opened", [("phone", "de"), ("phone", "ru"), ("wide", "en")], indirect=True)
def test_duel_cuts_no_named_kind(opened: Unserved) -> None:
    """Where they are too many for one line, each is shown whole or not at all, the last one always."""
    longest = max(
        (still for still in whole_game("das-duell", 2, SEEDS[0]) if isinstance(still.state.phase, GiftPhase)),
        key=lambda still: len(getattr(still.state.phase, "named", ())),
    )
    opened.show(longest)

    assert opened.page.evaluate(SCRAPS) == []
    expect(opened.page.locator(".talk ol li").last).to_be_in_viewport(ratio=0.99)
