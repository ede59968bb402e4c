"""What a hand does in the page for each command of the game, and a whole game played that way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from tests.web.support.choosing import bean_of, choice
from tests.web.support.people import Person

ONWARD = ".context .buttons > [data-key='.']"
"""The button that ends a part of a turn, but not that of the market."""


def _plant(page: Page, command: Any, card: str | None) -> None:
    """Choose the card if another one is chosen, then the field."""
    chosen = None if card is None else page.locator(card).first
    if chosen is not None and chosen.get_attribute("aria-pressed") == "false":
        chosen.click()
    page.locator(f"[data-field='{command['field']}'] .plot").click()


def _twice(page: Page, button: str, asked: str) -> None:
    """Press, and once more where the page asks whether that is meant."""
    page.locator(button).click()
    if page.locator(f"{button}{asked}").count() > 0:
        page.locator(button).click()


def _discard_from_hand(page: Page, command: Any) -> None:
    page.locator(f"[data-card='{command['copy'][0]}']").click()
    page.locator(".context [data-key='d']").click()


def _name(page: Page, command: Any) -> None:
    page.locator(f"[data-kind-name='{command['bean']}']").click()
    page.locator("[data-name]").first.click()


def _clicked(selector: str) -> Callable[[Page, Any], None]:
    return lambda page, command: page.locator(selector.format(**command)).first.click()


DEEDS: dict[str, Callable[[Page, Any], None]] = {
    "plant": lambda page, command: _plant(page, command, None),
    "plant-set-aside": lambda page, command: _plant(page, command, f"[data-aside='{command['bean']}']"),
    "plant-leftover": lambda page, command: _plant(page, command, f"[data-face-up='{command['place']}']"),
    "plant-face-up": lambda page, command: _plant(page, command, f"[data-face-up='{command['place']}']"),
    "plant-gift": lambda page, command: _plant(page, command, "[data-gift]"),
    "harvest": lambda page, command: _twice(page, f"[data-harvest='{command['field']}']", ".sure"),
    "buy-field": _clicked("[data-key='b']"),
    "reveal": _clicked(".context [data-key='t']"),
    "end-trading": _clicked(".closing [data-key='.']"),
    "discard-leftover": _clicked("[data-discard='{place}']"),
    "discard-from-hand": _discard_from_hand,
    "keep-hand": _clicked(ONWARD),
    "leave-rest": _clicked(ONWARD),
    "name-gift": _name,
    "take-gift": _clicked("[data-take]"),
    "claim-bonus": _clicked(
        "[data-claim-bonus='{bonus}'], [data-bonus='{bonus}']:not([aria-disabled='true'])"
    ),
    "discard-bonus": lambda page, command: _twice(
        page, f"[data-discard-bonus='{command['bonus']}']", ".alert"
    ),
    "refill-bonus": _clicked(".context [data-key='t']"),
    "pass": _clicked(ONWARD),
}


def step(person: Person) -> str | None:
    """Do in the page what a modest player would do now; return its name, nothing if others are due."""
    seen = person.seen()
    command = choice(seen) if seen["room"]["status"] == "playing" else None
    if command is None:
        return None
    person.caught_up(seen["seq"])
    if command["do"] == "plant-set-aside":
        command = {**command, "bean": bean_of(seen, command)}
    DEEDS[command["do"]](person.page, command)
    person.moved(seen["seq"])
    return str(command["do"])


def play_out(person: Person, most: int = 4000) -> set[str]:
    """Play until the game is over, and return the names of what was done."""
    done: set[str] = set()
    for _ in range(most):
        if person.over():
            return done
        deed = step(person)
        if deed is None:
            person.page.wait_for_timeout(20)
        else:
            done.add(deed)
    msg = f"the game did not end; done: {sorted(done)}"
    raise AssertionError(msg)


def finish(person: Person, most: int = 4000) -> None:
    """Play to the end beside the page: the way there is not what is looked at."""
    for _ in range(most):
        seen = person.seen()
        if seen["room"]["status"] != "playing":
            return
        command = choice(seen)
        if command is None:
            person.page.wait_for_timeout(20)
        else:
            person.do(**command)
    msg = "the game did not end"
    raise AssertionError(msg)
