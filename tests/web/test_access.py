"""For everybody: no barriers, small windows, fingers, weak eyes, and eyes that tire of motion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.support.looking import (
    AXE,
    barriers,
    cut_off,
    moving,
    too_small_to_read,
    too_small_to_tap,
    watch_motion,
)
from tests.web.support.people import Person
from tests.web.support.screens import MOMENTS, SCREENS, Prepared, seven
from tests.web.support.states import stills
from tests.web.support.unserved import Opening

pytestmark = pytest.mark.e2e

ALL = SCREENS | MOMENTS

SIZES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1440, "height": 900}},
    "phone": {"viewport": {"width": 360, "height": 800}, "is_mobile": True, "has_touch": True},
    "zoomed": {"viewport": {"width": 720, "height": 450}},
}
"""The last is what a window of 1440x900 is at 200 %."""

FINGER = 44
IN_TRAY = 40
SMALLEST = 13
LONGEST = 50
"""Px of a target (of one in the tray, where ten kinds share a phone with the table), px of letters, ms of an
animation where motion is reduced."""


class Findings:
    """What is wrong on the screens at each size; every screen is visited once for all tests."""

    def __init__(self, prepared: Prepared) -> None:
        """Nothing was looked at yet."""
        self.prepared = prepared
        self.known: dict[tuple[str, str], dict[str, list[str]]] = {}

    def of(self, screen: str, size: str, what: str) -> str:
        """Return what is wrong there, a line each."""
        if (screen, size) not in self.known:
            ada = self.prepared.person(**SIZES[size], color_scheme="light")
            ALL[screen](ada, self.prepared)
            self.known[screen, size] = self._found(ada, size, screen)
            ada.close()
        return "\n".join(self.known[screen, size][what])

    def _found(self, ada: Person, size: str, screen: str) -> dict[str, list[str]]:
        """Look at a page in every way that is asked for at its size."""
        found = {"cut off": cut_off(ada.page), "read": too_small_to_read(ada.page, SMALLEST)}
        found["tap"] = too_small_to_tap(ada.page, IN_TRAY if screen == "tray" else FINGER)
        if screen in SCREENS and size != "zoomed" and AXE.is_file():
            found["barriers"] = [f"light: {barrier}" for barrier in barriers(ada.page)]
            if size == "desktop":
                ada.page.emulate_media(color_scheme="dark")
                found["barriers"] += [f"dark: {barrier}" for barrier in barriers(ada.page)]
        return found


@pytest.fixture(scope="module")
def findings(prepared: Prepared) -> Findings:
    """Return what is wrong on all screens."""
    return Findings(prepared)


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("screen", SCREENS)
def test_screen_has_no_barriers(findings: Findings, screen: str, size: str) -> None:
    """Axe finds nothing serious on it, in light and (at a desktop) dark."""
    if not AXE.is_file():
        pytest.skip("axe is not there: npm ci in web/")

    assert findings.of(screen, size, "barriers") == ""


@pytest.mark.parametrize("size", ["phone", "zoomed"])
@pytest.mark.parametrize("screen", ALL)
def test_screen_fits_a_small_window(findings: Findings, screen: str, size: str) -> None:
    """Nothing is wider than the window, and nothing is cut off."""
    assert findings.of(screen, size, "cut off") == ""


@pytest.mark.parametrize("screen", ALL)
def test_screen_can_be_used_with_a_finger(findings: Findings, screen: str) -> None:
    """On a phone every button is large enough to be hit."""
    assert findings.of(screen, "phone", "tap") == ""


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("screen", ALL)
def test_screen_can_be_read(findings: Findings, screen: str, size: str) -> None:
    """No letters are smaller than 13 px."""
    assert findings.of(screen, size, "read") == ""


@pytest.fixture
def calm(prepared: Prepared) -> Iterator[Person]:
    """Return somebody whose system asks for less motion, at the fullest moment."""
    person = prepared.person(reduced_motion="reduce", settings={"motion": "auto"})
    seven(person, prepared)
    yield person
    person.close()


def test_nothing_moves_where_motion_is_reduced(calm: Person) -> None:
    """An offer is made and taken back, and a sheet opens and closes; nothing runs longer than 50 ms."""
    watch_motion(calm.page, LONGEST)
    calm.key("o").click()
    calm.raise_card(5)
    calm.want(2)
    calm.page.locator("[data-send]").click()
    expect(calm.page.locator("[data-offer]")).to_have_count(9)
    calm.page.locator("[data-offer]").last.locator("[data-key='v']").click()
    expect(calm.page.locator("[data-offer]")).to_have_count(8)
    calm.page.locator("[data-key='m']").first.click()
    expect(calm.page.get_by_role("dialog")).to_be_visible()
    calm.page.keyboard.press("Escape")
    expect(calm.page.get_by_role("dialog")).to_have_count(0)

    assert "\n".join(moving(calm.page)) == ""


@pytest.mark.parametrize("motion", ["less", "auto", "full"])
def test_motion_has_no_first_frame_where_it_is_reduced(opened: Opening, motion: str) -> None:
    """The stamp on a bluff lies still at once, and falls where one wants all motion."""
    window = {**SIZES["desktop"], "reduced_motion": "reduce"}
    table = opened(window, motion=motion)
    stamp = table.page.locator(".stamp")
    for still in stills():
        if still.name == "das-duell plant-gift watched":
            table.show(still)
            table.drawn()
        if stamp.count() > 0:
            break

    falls = stamp.evaluate("stamp => getComputedStyle(stamp).animationName !== 'none'")
    assert falls is (motion == "full")


def test_what_moves_is_seen_where_it_may(prepared: Prepared) -> None:
    """The same look finds motion where nobody has asked for less: so it would find it there too."""
    person = prepared.person(settings={"motion": "full"})
    seven(person, prepared)
    watch_motion(person.page, LONGEST)
    person.page.locator("[data-key='m']").first.click()
    expect(person.page.get_by_role("dialog")).to_be_visible()
    found = moving(person.page)
    person.close()

    assert found != []
