"""The end of a game: the last turn is announced, and the last harvests are seen before the result."""

from __future__ import annotations

import re
import time
from itertools import combinations
from math import dist

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, expect

from bohn.protocol import frames
from bohn.rules.events import Harvested
from bohn.rules.state import EndPhase
from bohn.views.view import view
from bohn.views.visible import visible
from tests.web.support.endings import SUMMARY, finished
from tests.web.support.rooms import LANGUAGES
from tests.web.support.states import Still, fullest, whole_game
from tests.web.support.unserved import STEP, Opening, Unserved
from tests.web.support.walking import SIZES, faults

pytestmark = pytest.mark.e2e

WINDOWS = ("phone", "small", "wide")

NEAR = 20
"""Cards of the draw pile with which nobody of four has more than one turn left."""

BAR = 46
"""Px of the line above the board on a phone, whatever it says."""


def last_two() -> tuple[Still, Still]:
    """Return a game of four before its last command, and after it."""
    *_, before, end = whole_game("full", 4, 3)
    return before, end


def ended(opened: Opening, size: str, **settings: object) -> Unserved:
    """Return a page before which a game has just ended."""
    before, end = last_two()
    table = opened(SIZES[size], **settings)
    table.show(before)
    events = tuple(one for event in end.told[-1] if (one := visible(event, 0)) is not None)
    table.hear(
        frames.Batch(
            seq=STEP + 1, at=int(time.time() * 1000), events=events, game=view(end.rules, end.state, 0)
        )
    )
    return table


@pytest.mark.parametrize("size", WINDOWS)
def test_last_harvests_are_seen_before_the_result(opened: Opening, size: str) -> None:
    """What each field brought stands on the board, and a button leads to the result at once."""
    table = ended(opened, size)
    last = table.page.locator("[data-last-harvests]")
    expect(last).to_contain_text("The game is over: all harvest")
    harvests = sum("harvested" in str(type(event)).lower() for event in last_two()[1].told[-1])

    assert harvests > 0
    assert last.locator("li").count() == harvests
    assert table.page.locator(".standings, [data-standings]").count() == 0
    last.locator("button").click()
    expect(last).to_have_count(0)


@pytest.mark.parametrize("size", WINDOWS)
def test_last_harvests_are_drawn_by_player(opened: Opening, size: str) -> None:
    """Each player has his beans and coins, no word is left to be read by the eye, and no card comes next."""
    table = ended(opened, size)
    last = table.page.locator("[data-last-harvests]")
    expect(last).to_be_visible()
    harvested = [event for event in last_two()[1].told[-1] if isinstance(event, Harvested)]

    assert last.locator("article").count() == len({event.player for event in harvested})
    assert last.locator("article .bean").count() == len(harvested)
    expect(table.page.get_by_text("next", exact=True)).to_have_count(0)
    assert last.evaluate("last => last.scrollHeight <= last.clientHeight + 1")


COLOURS = """chart => [...chart.querySelectorAll("svg:first-child > g.seat > path:first-child")]
  .map(path => getComputedStyle(path).stroke)"""

SHAPES = """chart => [...chart.querySelectorAll(".label .marks")]
  .map(path => path.getAttribute("d").replace(/^M[^m]*/, ""))"""

DEUTERANOPIA = ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969))
"""How people without green cones see linear red, green and blue (Machado, Oliveira and Fernandes, 2009)."""


def seen(colour: str) -> tuple[float, ...]:
    """Return a colour as such people see it: its share of red, green and blue."""
    linear = [(int(part) / 255) ** 2.2 for part in re.findall(r"\d+", colour)[:3]]
    mixed = [sum(share * part for share, part in zip(row, linear, strict=True)) for row in DEUTERANOPIA]
    return tuple(max(0.0, part) ** (1 / 2.2) for part in mixed)


@pytest.mark.parametrize("size", WINDOWS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_lines_of_the_coin_chart_are_told_apart(browser: Browser, size: str, theme: str) -> None:
    """Each of seven has another mark, dash and colour, for those too who tell red from green badly."""
    end, summary = finished(7, 3)
    table = Unserved(browser, settings={"theme": theme}, answers={SUMMARY: summary}, **SIZES[size])
    table.show(end)
    table.drawn()
    chart = table.page.locator("figure .drawing")
    expect(chart).to_have_count(1)
    colours, shapes = chart.evaluate(COLOURS), chart.evaluate(SHAPES)
    main = table.page.locator("[data-over] .actions .main")

    assert len(set(shapes)) == len(shapes) == len(colours) == 7
    for one, other in combinations([seen(colour) for colour in colours], 2):
        assert dist(one, other) > 0.12, (one, other)
    expect(main).to_have_text("Play again together")
    expect(main).to_be_in_viewport(ratio=1)
    table.close()


OVER_THE_RESULT = """() => {
  const beans = document.querySelector(".confetti");
  const all = [...beans.querySelectorAll("span")];
  for (const one of [beans, ...all]) one.style.pointerEvents = "auto"; // else nothing tells what lies above
  const read = [...document.querySelectorAll("[data-over] :is(h2, .hero p, .actions .button, td, th)")];
  const on = thing => {
    const { left, top, width, height } = thing.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2);
  };
  return read.map(thing => beans.contains(on(thing)) ? thing.innerText : "").filter(text => text !== "");
}"""
"""Return what of the result lies under what falls."""


@pytest.mark.parametrize("size", ["phone", "wide"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_falling_beans_cover_nothing_of_the_result(browser: Browser, size: str, theme: str) -> None:
    """Whoever has won sees them behind it, and pale."""
    end, summary = finished(4, 3)
    assert isinstance(end.state.phase, EndPhase)
    won = replace(end.state.phase, result=replace(end.state.phase.result, winners=(0,)))
    table = Unserved(
        browser, settings={"theme": theme, "motion": "full"}, answers={SUMMARY: summary}, **SIZES[size]
    )
    table.show(replace(end, state=replace(end.state, phase=won)))
    beans = table.page.locator(".confetti")
    expect(beans).to_be_attached()

    assert table.page.evaluate(OVER_THE_RESULT) == []
    assert float(beans.evaluate("beans => getComputedStyle(beans).opacity")) < 0.5
    table.close()


@pytest.mark.parametrize("size", ["phone", "wide"])
def test_result_comes_by_itself(opened: Opening, size: str) -> None:
    """Whoever does nothing sees the result a moment later."""
    table = ended(opened, size)

    expect(table.page.locator("[data-last-harvests]")).to_have_count(1)
    expect(table.page.locator("[data-last-harvests]")).to_have_count(0, timeout=30_000)


def test_end_that_was_before_the_page_is_not_played_again(opened: Opening) -> None:
    """Whoever comes to a game that is over sees its result, and no harvests."""
    table = opened(SIZES["wide"])
    table.show(last_two()[1])
    table.drawn()

    expect(table.page.locator("[data-last-harvests]")).to_have_count(0)


@pytest.mark.parametrize("language", ["en", "de", "ru", "ja"])
@pytest.mark.parametrize("size", WINDOWS)
def test_end_is_announced_before_the_last_turn(opened: Opening, size: str, language: str) -> None:
    """The head line says that the last time through the deck begins, later that nobody has two turns left."""
    table = opened(SIZES[size], language=language)
    states = list(whole_game("full", 4, 3))
    last = next(at for at, one in enumerate(states) if one.state.exhaustions == one.rules.exhaustions - 1)
    soon = next(one for one in states[last:] if len(one.state.draw_pile) <= NEAR)
    told = table.page.locator("header.bar .now .last")
    table.show(states[last - 1])
    expect(told).to_have_count(0)
    table.hear(frames.Batch(seq=STEP + 1, game=view(states[last].rules, states[last].state, 0)))
    expect(told.and_(table.page.locator("[data-last-pass]"))).to_be_visible()
    assert faults(table.page) == []
    table.show(soon)
    expect(told.and_(table.page.locator("[data-ends-soon]"))).to_be_visible()
    assert faults(table.page) == []


NEARLY_OVER = """() => {
  const [now, last, line] = [".now", ".now .last", ".now .headline"].map(one => document.querySelector(one));
  const box = thing => thing.getBoundingClientRect();
  const bar = box(now.closest("header"));
  const style = getComputedStyle(last);
  return {
    above: box(line).top - box(last).bottom >= 1,
    letters: parseFloat(style.lineHeight) >= 1.2 * parseFloat(style.fontSize),
    inside: box(last).top >= box(now).top + 1 && box(now).top >= bar.top && box(now).bottom <= bar.bottom - 1,
    whole: line.scrollHeight <= line.clientHeight + 3 && line.scrollWidth <= line.clientWidth + 1,
    lines: Math.round(box(line).height / 14),
  };
}"""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [320, 390])
def test_nearly_over_is_not_squeezed_on_a_phone(opened: Opening, width: int, language: str) -> None:
    """It has a line of its own above whose turn it is, which needs no second one, and the bar is as high."""
    window = {"viewport": {"width": width, "height": 844}, "is_mobile": True, "has_touch": True}
    table = opened(window, language=language)
    table.show(fullest())
    table.drawn()

    told = {"above": True, "letters": True, "inside": True, "whole": True, "lines": 1}
    assert table.page.evaluate(NEARLY_OVER) == told
    assert table.page.locator("header.bar").evaluate("bar => bar.offsetHeight") == BAR


@pytest.mark.parametrize("language", ["en", "de", "ru", "ja"])
@pytest.mark.parametrize("size", WINDOWS)
def test_last_turn_is_announced_in_the_head_line(opened: Opening, size: str, language: str) -> None:
    """Once the draw pile has run out for the last time the head line says it, and is whole."""
    table = opened(SIZES[size], language=language)
    states = list(whole_game("full", 4, 3))
    final = [one for one in states[:-1] if one.state.exhaustions >= one.rules.exhaustions]
    table.show(states[len(states) // 2])
    expect(table.page.locator("[data-last-turn]")).to_have_count(0)
    table.show(final[0])
    told = table.page.locator("[data-last-turn]")

    expect(told).to_be_visible()
    assert table.page.locator("header.bar .now").evaluate(
        "now => now.getBoundingClientRect().bottom <= now.closest('header').getBoundingClientRect().bottom"
    )
