"""Each of the three games through the page, from the deal to its end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.support.clicking import play_out
from tests.web.support.people import Person
from tests.web.support.serving import Serving

pytestmark = pytest.mark.e2e

GAMES: dict[str, tuple[dict[str, Any], set[str]]] = {
    "main": (
        {"players": 3, "bots": 2, "house_rules": ["exhaustions=1"]},
        {"plant", "reveal", "end-trading", "plant-set-aside", "harvest"},
    ),
    "bean-duel": (
        {"players": 2, "bots": 1},
        {"plant-leftover", "plant", "discard-from-hand", "plant-face-up", "leave-rest", "harvest"},
    ),
    "das-duell": (
        {"players": 2, "bots": 1, "edition": "das-duell"},
        {"plant", "reveal", "name-gift", "take-gift", "plant-gift", "plant-face-up", "harvest"},
    ),
}
"""How each is opened, and what must have been done by its end."""


@pytest.fixture
def ada(browser: Browser, server: Serving) -> Iterator[Person]:
    """Return somebody who has come in."""
    person = Person(browser, server.url, "Ada")
    person.come_in()
    yield person
    person.close()


@pytest.mark.parametrize("game", GAMES)
def test_game_is_played_to_its_end_in_the_page(ada: Person, game: str) -> None:
    """Every decision is a click, and the page shows the coins that the server has counted."""
    options, needed = GAMES[game]
    ada.open_table(**options)
    done = play_out(ada)
    seen = ada.seen()
    result = seen["game"]["phase"]["result"]
    ada.caught_up(seen["seq"])

    assert needed <= done
    standings = ada.page.locator("[data-over] ol").first.locator("li")
    expect(standings).to_have_count(len(result["coins"]))
    own = standings.filter(has_text="Ada")
    coins = result["coins"][seen["seat"]]
    expect(own).to_contain_text(f"{coins} coin")
