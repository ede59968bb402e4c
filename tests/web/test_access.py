"""For everybody: eight screens without barriers, small windows, fingers, and eyes that tire of motion."""

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

pytestmark = pytest.mark.e2e

ALL = SCREENS | MOMENTS

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 800}, "is_mobile": True, "has_touch": True}
ZOOMED: dict[str, Any] = {"viewport": {"width": 720, "height": 450}}
"""What a window of 1440x900 is at 200 %."""

DESKTOP: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}

SIZES = {"phone": PHONE, "zoomed": ZOOMED}

FINGER = 44
SMALLEST = 13
LONGEST = 50
"""Px of a target, px of letters, ms of an animation where motion is reduced."""


@pytest.fixture
def somebody() -> Iterator[list[Person]]:
    """Return a list; who is put in is closed at the end."""
    people: list[Person] = []
    yield people
    for person in people:
        person.close()


@pytest.mark.parametrize("screen", SCREENS)
def test_screen_has_no_barriers_in_light_and_dark(
    prepared: Prepared, somebody: list[Person], screen: str
) -> None:
    """Axe finds nothing serious on it, at a desktop and on a phone."""
    if not AXE.is_file():
        pytest.skip("axe is not there: npm install in web/")
    found = []
    for size, themes in ((DESKTOP, ("light", "dark")), (PHONE, ("light",))):
        ada = prepared.person(**size)
        somebody.append(ada)
        SCREENS[screen](ada, prepared)
        for theme in themes:
            ada.page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
            found += [f"{size['viewport']['width']} {theme}: {barrier}" for barrier in barriers(ada.page)]

    assert "\n".join(found) == ""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("screen", ALL)
def test_screen_fits_a_small_window(
    prepared: Prepared, somebody: list[Person], screen: str, size: str
) -> None:
    """Nothing is wider than the window, and nothing is cut off."""
    ada = prepared.person(**SIZES[size])
    somebody.append(ada)
    ALL[screen](ada, prepared)

    assert "\n".join(cut_off(ada.page)) == ""


@pytest.mark.parametrize("screen", ALL)
def test_screen_can_be_used_with_a_finger(prepared: Prepared, somebody: list[Person], screen: str) -> None:
    """On a phone every button is large enough to be hit."""
    ada = prepared.person(**PHONE)
    somebody.append(ada)
    ALL[screen](ada, prepared)

    assert "\n".join(too_small_to_tap(ada.page, FINGER)) == ""


@pytest.mark.parametrize("size", ["phone", "desktop"])
@pytest.mark.parametrize("screen", ALL)
def test_screen_can_be_read(prepared: Prepared, somebody: list[Person], screen: str, size: str) -> None:
    """No letters are smaller than 13 px."""
    ada = prepared.person(**SIZES.get(size, DESKTOP))
    somebody.append(ada)
    ALL[screen](ada, prepared)

    assert "\n".join(too_small_to_read(ada.page, SMALLEST)) == ""


def test_nothing_moves_where_motion_is_reduced(prepared: Prepared, somebody: list[Person]) -> None:
    """An offer is made and taken back, and a sheet opens and closes; nothing runs longer than 50 ms."""
    ada = prepared.person(reduced_motion="reduce", settings={"motion": "auto"})
    somebody.append(ada)
    seven(ada, prepared)
    watch_motion(ada.page, LONGEST)
    ada.key("o").click()
    ada.raise_card(5)
    ada.want(2)
    ada.page.locator("section.tray footer .button.main").click()
    expect(ada.page.locator("[data-offer]")).to_have_count(9)
    ada.page.locator("[data-offer]").last.locator("[data-key='v']").click()
    expect(ada.page.locator("[data-offer]")).to_have_count(8)
    ada.page.locator("[data-key='m']").first.click()
    expect(ada.page.get_by_role("dialog")).to_be_visible()
    ada.page.keyboard.press("Escape")
    expect(ada.page.get_by_role("dialog")).to_have_count(0)

    assert "\n".join(moving(ada.page)) == ""
