"""The waiting room: the invitation is in sight, and computer players go on as they were chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.web.support.people import USUAL, Person
from tests.web.support.serving import Serving

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

WINDOWS = [(360, 800), (1024, 768), (1440, 900)]

Waiting = Callable[[int, int], Person]


@pytest.fixture
def waiting(browser: Browser, server: Serving) -> Iterator[Waiting]:
    """Return how to wait at a table of five with two unusual computer players, in a window."""
    people: list[Person] = []

    def opening(width: int, height: int) -> Person:
        ada = Person(browser, server.url, "Ada", viewport={"width": width, "height": height})
        people.append(ada)
        ada.come_in()
        body = {"options": {**USUAL, "edition": "full", "players": 5}, "bots": [unusual(ada)] * 2}
        ada.table = ada.ask("POST", "/api/tables", body)["table"]
        ada.page.goto(f"{ada.url}/t/{ada.table}")
        return ada

    yield opening
    for ada in people:
        ada.close()


def unusual(ada: Person) -> str:
    """Return a computer player of the full edition that is not the usual one."""
    (full,) = [one for one in ada.ask("GET", "/api/catalog")["editions"] if one["edition"] == "full"]
    return str(next(bot for bot in full["bots"] if bot != full["usual"]))


@pytest.mark.parametrize(("width", "height"), WINDOWS)
def test_invitation_is_in_sight_at_once(waiting: Waiting, width: int, height: int) -> None:
    """Whoever waits sees the link and the button that copies it, without scrolling."""
    ada = waiting(width, height)
    copy = ada.button("Copy")
    expect(copy).to_be_visible()
    box = copy.bounding_box()

    assert box is not None
    assert box["y"] + box["height"] <= height


def test_free_seats_are_offered_the_computer_player_that_was_chosen(waiting: Waiting) -> None:
    """Which computer player is added is asked with the one that sits there already."""
    ada = waiting(1024, 768)

    expect(ada.page.locator(".level select")).to_have_value(unusual(ada))


def test_command_to_be_typed_does_not_break_within(waiting: Waiting) -> None:
    """What starts the server for the own network stands in one line."""
    ada = waiting(360, 800)
    typed = ada.page.locator(".typed")

    expect(typed.locator("..")).to_contain_text("“bohn serve --lan”")
    assert typed.evaluate("element => element.getClientRects().length") == 1
