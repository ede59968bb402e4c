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
  const outside = own.left < 0 || own.top < 0 || own.right > innerWidth || own.bottom > innerHeight;
  return {
    step: coach.dataset.coach,
    text: coach.querySelector("p").innerText,
    reads: coach.querySelector(".foot .button.main") !== null,
    hidden: [...seen, ...(target !== null && hides(target) ? ["what it speaks of"] : []),
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


def play(person: Person) -> list[Any]:
    """Do what the coach says until he says good-bye; return all he said, with what he hid."""
    told: list[Any] = []
    for _ in range(120):
        said = settled(person)
        if said is not None and (not told or told[-1]["text"] != said["text"]):
            told.append(said)
        if said is None:
            continue
        if said["step"] == "goodbye":
            return told
        if said["reads"]:
            person.page.locator("[data-coach] .foot .button.main").click()
        elif said["target"] is not None:
            person.page.mouse.click(*said["target"])
    raise AssertionError(told[-1])


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
