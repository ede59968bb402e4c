"""The keyboard of somebody who never touches a mouse: which keys stand for which command of the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.web.support.choosing import bean_of
from tests.web.support.people import Person

FAR = 40
"""How many times an arrow is pressed, at most."""

LETTERS = {"reveal": "t", "end-trading": ".", "buy-field": "b"}


class Typist:
    """Presses keys, and looks at where the keyboard is."""

    def __init__(self, person: Person) -> None:
        """Sit down before this person's page."""
        self.person = person
        self.page = person.page
        person.context.add_init_script("addEventListener('pointerdown', () => (window.touched = true), true)")

    def press(self, *keys: str) -> None:
        """Press these keys one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def at(self, selector: str) -> bool:
        """Tell whether the keyboard is on something that matches."""
        return bool(self.page.evaluate("what => document.activeElement?.matches(what) === true", selector))

    def go(self, key: str, selector: str) -> None:
        """Press a key until the keyboard is on something that matches."""
        for _ in range(FAR):
            if self.at(selector):
                return
            self.press(key)
        msg = f"{key} does not lead to {selector}"
        raise AssertionError(msg)

    def find(self, selector: str) -> None:
        """Go along a row with the arrows, to its end and back, until something that matches is reached."""
        for arrow in ("ArrowRight", "ArrowLeft"):
            for _ in range(FAR):
                if self.at(selector):
                    return
                self.press(arrow)
        msg = f"no arrow leads to {selector}"
        raise AssertionError(msg)

    def touched(self) -> bool:
        """Tell whether anything was clicked or tapped since the page was loaded."""
        return self.page.evaluate("window.touched === true") is True

    def do(self, seen: Any, command: Any) -> None:
        """Do a command of the game with the keys that stand for it, and wait until it is done."""
        self.person.caught_up(seen["seq"])
        name = command["do"]
        if name == "harvest":
            self._harvest(command["field"])
        elif name in LETTERS:
            self.press(LETTERS[name])
        else:
            self._plant(seen, command)
        self.person.moved(seen["seq"])

    def _plant(self, seen: Any, command: Any) -> None:
        """Press the field's number; with ``n`` first, until the right card is chosen."""
        if command["do"] == "plant-set-aside":
            chosen = f"[data-aside='{bean_of(seen, command)}'][aria-pressed='true']"
            for _ in range(FAR):
                if self.page.locator(chosen).count() > 0:
                    break
                self.press("n")
        self.press(str(command["field"] + 1))

    def _harvest(self, field: int) -> None:
        """Harvest; where it brings nothing it is asked once more, and Enter says yes."""
        self.press("h", str(field + 1))
        if self.page.locator(f"[data-harvest='{field}'].sure").count() > 0:
            expect(self.page.locator(f"[data-harvest='{field}']")).to_be_focused()
            self.press("Enter")

    def offer(self, give: int, want: int) -> None:
        """Offer the first cards of the hand, so many, for a kind."""
        self.press("o")
        expect(self.page.locator("[data-card='0']")).to_be_focused()
        for place in range(give):
            self.go("ArrowRight", f"[data-card='{place}']")
            self.press("Space")
        self.press("g")
        self.find(f"[data-want='{want}']")
        self.press("Space", "Enter")
        expect(self.page.locator("[data-tray]")).to_be_hidden()

    def pick(self, offer: int, claimer: int) -> None:
        """Go through those who would take an offer, and take one."""
        taker = f"[data-offer='{offer}'] [data-pick='{claimer}']"
        expect(self.page.locator(taker)).to_be_visible()
        self.go("p", taker)
        self.press("Enter")

    def answer(self, offer: int, key: str) -> None:
        """Go to the ticket by its number and press a letter there."""
        ticket = self.page.locator(f"[data-offer='{offer}']")
        number = ticket.locator("kbd").first.inner_text()
        self.press(number)
        expect(ticket).to_be_focused()
        self.press(key)


def waited(condition: Callable[[], bool], person: Person) -> bool:
    """Wait until something holds; tell whether it ever did."""
    for _ in range(200):
        if condition():
            return True
        person.page.wait_for_timeout(10)
    return False
