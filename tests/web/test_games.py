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


def test_lobby_says_which_of_ones_games_wait_for_one(browser: Browser, server: Serving) -> None:
    """They are marked and come first, before those that moved last."""
    ada = Person(browser, server.url, "Ada")
    ada.come_in()
    waits = ada.open_table(3, bots=2, house_rules=["starter=seat:0"])
    ada.open_table(3)
    ada.page.goto(ada.url)
    cards = ada.page.locator("[aria-labelledby='running'] li")

    expect(cards).to_have_count(2)
    expect(cards.first.locator("a")).to_have_attribute("href", f"/t/{waits}")
    expect(cards.first).to_contain_text("Your turn")
    expect(cards.nth(1)).not_to_contain_text("Your turn")
    ada.close()


def test_rules_beside_the_table_count_the_kinds_in_play(browser: Browser, server: Serving) -> None:
    """Four play with ten of the eleven kinds."""
    ada = Person(browser, server.url, "Ada")
    ada.come_in()
    ada.open_table(4, bots=3)
    ada.button("Rules").click()

    expect(ada.page.locator("[data-kinds-here]")).to_contain_text("10 kinds")
    ada.close()
