"""The first game, played to its end by doing what the coach points at; he stands in nobody's way."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.support.people import Person
from tests.web.support.serving import Serving

pytestmark = pytest.mark.e2e

SIZES = [(360, 800), (1024, 768), (1440, 900)]

LOOK = """() => {
  const coach = document.querySelector("[data-coach].placed");
  if (coach === null) return null;
  const box = (element, by = 0) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left: left + by, top: top + by, right: right - by, bottom: bottom - by };
  };
  const own = box(coach, 1);
  const hides = (other) =>
    own.left < other.right && other.left < own.right && own.top < other.bottom && other.top < own.bottom;
  const better = "[data-seat], [data-face-up], .own .aside";
  const pressed = "[data-card], .own button, .context button, [data-offer] button, header.bar button, .make";
  const asks = coach.dataset.coach !== "goodbye"; // he asks for nothing any more, and has much to say
  const seen = [...document.querySelectorAll(asks ? `${better}, ${pressed}` : better)]
    .filter((element) => element.getClientRects().length > 0 && hides(box(element, 1)))
    .map((element) => element.getAttribute("aria-label") ?? element.className);
  const ring = document.querySelector(".ring");
  const target = ring === null ? null : box(ring, 6);
  const meets = (one, other) =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  const crossed = ring === null ? [] : [...document.querySelectorAll("[data-said] span")]
    .filter((words) => words.getClientRects().length > 0 && meets(box(words), box(ring, -2)))
    .map(() => "the ring runs through what is asked");
  const outside = own.left < 0 || own.top < 0 || own.right > innerWidth || own.bottom > innerHeight;
  return {
    step: coach.dataset.coach,
    text: coach.querySelector("p").innerText,
    reads: coach.querySelector(".foot .button.main") !== null,
    hidden: [...seen, ...crossed, ...(target !== null && hides(target) ? ["what it speaks of"] : []),
             ...(outside ? ["itself"] : [])],
    target: target === null ? null : [(target.left + target.right) / 2, (target.top + target.bottom) / 2],
  };
}"""
"""What the coach says, what his balloon hides, and where the middle of the thing is that he points at."""

LESSON = (
    "hand", "plant", "second", "number", "reveal", "market", "accept", "gift", "offer", "end", "received",
    "drawn", "single", "theirs", "present", "again", "harvest", "coins", "fields", "goodbye",
)  # fmt: skip
"""Every step of the lesson, for whoever does what he is told."""


WATCH = """() => {
  window.lessonSeen = [];
  setInterval(() => {
    const coach = document.querySelector("[data-coach]");
    const board = document.querySelector("[data-board]");
    if (board === null) return;
    window.lessonSeen.push({
      top: board.getBoundingClientRect().top,
      step: coach?.dataset.coach ?? "",
      text: coach?.querySelector("p").innerText.trim() ?? "",
    });
  }, 40);
}"""
"""Writes down what the page shows, again and again: where the board begins, and what the coach says."""


COMPOSING = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const tray = document.querySelector("[data-tray]");
  const cut = [tray, ...tray.querySelectorAll("*:not(.hidden, .hidden *)")]
    .filter((part) => part.clientHeight > 1 && part.scrollHeight > part.clientHeight + 1)
    .filter((part) => getComputedStyle(part).overflowY !== "visible")
    .map((part) => `${part.className}: ${part.scrollHeight} in ${part.clientHeight}`);
  return { coach: box("[data-coach]"), board: box("[data-board]"), tray: box("[data-tray]"), cut };
}"""
"""Where the coach and the tray are, and what of the tray is cut off."""


def settled(person: Person) -> Any:
    """Return what the coach says once it has stood still for a moment; nothing while he is silent."""
    before = None
    for _ in range(10):
        now = person.page.evaluate(LOOK)
        if now is not None and now == before:
            return now
        before = now
        person.page.wait_for_timeout(180)
    return before


def play(person: Person, until: str = "goodbye") -> list[Any]:
    """Do what the coach says until he has come to a step; return all he said, with what he hid."""
    told: list[Any] = []
    for _ in range(300):
        said = settled(person)
        if said is not None and (not told or told[-1]["text"] != said["text"]):
            told.append(said)
        if said is None:
            continue
        if said["step"] == until:
            return told
        if said["reads"]:
            person.page.locator("[data-coach] .foot .button.main").click()
        elif said["target"] is not None:
            person.page.mouse.click(*said["target"])
    raise AssertionError(told[-1])


def learner(browser: Browser, server: Serving, width: int, height: int) -> Person:
    """Return somebody who has just begun the lesson."""
    cleo = Person(
        browser, server.url, "Cleo", viewport={"width": width, "height": height}, has_touch=width < 800
    )
    cleo.come_in()
    cleo.table = cleo.ask("POST", "/api/tables", {"lesson": "first-game"})["table"]
    cleo.page.goto(f"{cleo.url}/t/{cleo.table}")
    cleo.page.locator("[data-coach].placed").wait_for()
    return cleo


@pytest.fixture(scope="module")
def watched(browser: Browser, server: Serving) -> list[Any]:
    """Return all that was seen of a lesson on a phone, from its first step to its last."""
    cleo = learner(browser, server, 360, 800)
    cleo.page.evaluate(WATCH)
    play(cleo)
    cleo.page.wait_for_timeout(400)
    seen = list(cleo.page.evaluate("window.lessonSeen"))
    cleo.close()
    return seen


def test_strip_of_the_coach_is_never_empty(watched: list[Any]) -> None:
    """On a phone something can be read above the board as long as room is kept for it."""
    assert [one for one in watched if one["top"] > 0 and one["text"] == ""] == []
    assert any(one["step"] == "pause" for one in watched)


def test_coach_never_moves_the_board(watched: list[Any]) -> None:
    """Whatever he says, and whoever puts an offer together, the board of a phone stays where it is."""
    assert {one["top"] for one in watched} == {watched[0]["top"]}
    assert watched[-1]["step"] == "goodbye"


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_ring_stands_around_the_words_on_a_field(
    browser: Browser, server: Serving, width: int, height: int
) -> None:
    """What is written on the edge of the field he points at lies within the ring."""
    cleo = learner(browser, server, width, height)
    cleo.page.locator("[data-coach='hand'] .foot .button.main").click()
    cleo.page.locator("[data-coach='plant']").wait_for()
    assert settled(cleo)["step"] == "plant"
    ring = cleo.page.locator(".ring").bounding_box()
    words = cleo.page.locator("[data-field='0'] .here").bounding_box()
    assert ring is not None
    assert words is not None
    edge = 4  # px of the ring itself
    assert ring["y"] + edge <= words["y"]
    cleo.close()


PLACES = """() => Object.fromEntries([".own .fields", ".hand", "header.bar"].map((selector) => {
  const { top, height } = document.querySelector(selector).getBoundingClientRect();
  return [selector, [Math.round(top), Math.round(height)]];
}))"""
"""Where the fields, the hand and the bar are."""


@pytest.mark.parametrize("height", [640, 800])
def test_offer_that_is_begun_in_the_lesson_moves_neither_fields_nor_hand(
    browser: Browser, server: Serving, height: int
) -> None:
    """On a phone the coach keeps his strip meanwhile, and the tray is whole, between him and the fields."""
    cleo = learner(browser, server, 360, height)
    tray = cleo.page.locator("[data-tray]")
    play(cleo, until="gift")
    settled(cleo)
    before = cleo.page.evaluate(PLACES)
    cleo.page.locator("[data-card]").last.click()
    tray.wait_for()
    settled(cleo)
    boxes = cleo.page.evaluate(COMPOSING)
    after = cleo.page.evaluate(PLACES)
    assert after == before
    assert boxes["tray"]["top"] >= boxes["coach"]["bottom"]
    assert boxes["tray"]["bottom"] <= after[".own .fields"][0]
    assert boxes["cut"] == []
    cleo.close()


@pytest.mark.parametrize("height", [560, 640])
def test_offer_that_comes_early_can_be_taken_on_a_low_phone(
    browser: Browser, server: Serving, height: int
) -> None:
    """Anna's comes while one reads about the market: it is in sight below the coach, and fields stay."""
    cleo = learner(browser, server, 360, height)
    play(cleo, until="market")
    before = cleo.page.evaluate(PLACES)
    cleo.page.locator("[data-offer]").wait_for(state="attached")
    play(cleo, until="accept")
    accept = cleo.page.locator("[data-offer] [data-key='a']")
    expect(accept).to_be_in_viewport(ratio=1)
    assert cleo.page.evaluate(PLACES) == before
    play(cleo, until="gift")
    cleo.close()


def test_ring_leads_to_the_field_of_the_kind_wherever_the_learner_planted_it(
    browser: Browser, server: Serving
) -> None:
    """Received beans go where their kind grows, though empty fields come before it."""
    cleo = learner(browser, server, 1024, 768)
    play(cleo, until="plant")
    cleo.page.locator("[data-field='2'] .plot").click()
    play(cleo, until="received")
    ring = cleo.page.locator(".ring").bounding_box()
    field = cleo.page.locator("[data-field='2']").bounding_box()
    assert ring is not None
    assert field is not None
    assert field["x"] <= ring["x"] + ring["width"] / 2 <= field["x"] + field["width"]
    cleo.close()


def test_ring_to_plant_ends_above_the_button_that_harvests(browser: Browser, server: Serving) -> None:
    """Where a card is to join a field, only the place for it is ringed: to harvest is another thing."""
    cleo = learner(browser, server, 360, 800)
    play(cleo, until="second")
    assert settled(cleo)["step"] == "second"
    ring = cleo.page.locator(".ring").bounding_box()
    harvest = cleo.page.locator("[data-harvest='0']").bounding_box()
    assert ring is not None
    assert harvest is not None
    assert ring["y"] + ring["height"] <= harvest["y"]
    cleo.close()


CUT_LINES = """() => {
  const whole = [...document.querySelectorAll(".quiet-place, .tail")]
    .map((box) => box.getBoundingClientRect());
  return [...document.querySelectorAll(".tail .line")]
    .map((line) => ({ box: line.getBoundingClientRect(), text: line.innerText }))
    .filter(({ box }) => whole.every(({ left, right }) => box.left >= left && box.left < right))
    .filter(({ box }) => whole.some(({ top, bottom }) => box.top < top - 1 || box.bottom > bottom + 1))
    .map(({ text }) => text);
}"""
"""What is told of the game below the piles and lies partly out of sight."""


@pytest.mark.parametrize(("height", "step"), [(800, "received"), (640, "plant")])
def test_line_of_the_log_is_whole_or_not_there(
    browser: Browser, server: Serving, height: int, step: str
) -> None:
    """However little room the lesson leaves below the piles of a phone, no line is cut."""
    cleo = learner(browser, server, 360, height)
    play(cleo, until=step)
    cleo.page.locator(".tail .line").first.wait_for(state="attached")
    assert cleo.page.evaluate(CUT_LINES) == []
    cleo.close()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_coach_hides_no_opponent_no_card_and_not_what_he_speaks_of(
    browser: Browser, server: Serving, width: int, height: int
) -> None:
    """Whoever does what the coach points at plays the lesson to its end, and sees what he plays with."""
    cleo = Person(
        browser, server.url, "Cleo", viewport={"width": width, "height": height}, has_touch=width < 800
    )
    cleo.come_in()
    cleo.table = cleo.ask("POST", "/api/tables", {"lesson": "first-game"})["table"]
    cleo.page.goto(f"{cleo.url}/t/{cleo.table}")
    told = play(cleo)

    assert [(said["step"], said["hidden"]) for said in told if said["hidden"]] == []
    assert [step for step in LESSON if step not in {said["step"] for said in told}] == []
    cleo.page.locator("[data-coach] .foot .button.main").click()
    expect(cleo.page.locator("[data-coach]")).to_have_count(0)
    cleo.close()


def test_coach_can_be_folded_away_and_read_again(browser: Browser, server: Serving) -> None:
    """His words become one line; a press brings them back. On a phone he has a strip of his own instead."""
    cleo = Person(browser, server.url, "Cleo", viewport={"width": 1024, "height": 768})
    cleo.come_in()
    cleo.table = cleo.ask("POST", "/api/tables", {"lesson": "first-game"})["table"]
    cleo.page.goto(f"{cleo.url}/t/{cleo.table}")
    coach = cleo.page.locator("[data-coach].placed")
    whole = coach.bounding_box()
    cleo.button("Fold away").click()
    expect(coach.locator(".foot")).to_be_hidden()
    folded = coach.bounding_box()
    cleo.button("Read it again").click()

    expect(coach.locator(".foot")).to_be_visible()
    assert whole is not None
    assert folded is not None
    assert folded["height"] < whole["height"] / 2
    cleo.close()
