"""People one knows, in the browser: block, follow, invite, profiles and searched games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.support.looking import AXE, barriers, cut_off, too_small_to_read, too_small_to_tap
from tests.web.support.people import Person
from tests.web.support.serving import Serving

pytestmark = pytest.mark.e2e

PHONE = {"viewport": {"width": 360, "height": 800}, "is_mobile": True, "has_touch": True}

Come = Callable[..., Person]


@pytest.fixture
def come(browser: Browser, server: Serving) -> Iterator[Come]:
    """Return how people come; they leave at the end."""
    here: list[Person] = []

    def coming(name: str, **context: Any) -> Person:
        here.append(Person(browser, server.url, name, **context))
        here[-1].come_in()
        return here[-1]

    yield coming
    for person in here:
        person.close()


def met(come: Come) -> tuple[Person, Person]:
    """Return two people at a listed table, in the waiting room; the first is host."""
    anna, bert = come("Anna"), come("Bert")
    anna.open_table(3, listed=True)
    bert.table = anna.table
    bert.page.goto(f"{bert.url}/t/{anna.table}")
    bert.button("Sit here").click()
    expect(bert.button("Stand up")).to_be_visible()
    return anna, bert


def open_people(person: Person) -> None:
    """Open the list of people at the table."""
    person.button("People").click()
    expect(person.page.get_by_role("dialog", name="People")).to_be_visible()


def test_free_seats_are_nobody_in_the_list_of_people(come: Come) -> None:
    """Before the game begins: two people at three seats are two."""
    anna, _ = met(come)
    open_people(anna)
    people = anna.page.get_by_role("dialog", name="People")

    expect(people.get_by_role("listitem")).to_have_count(2)
    expect(people).not_to_contain_text("computer player")


def test_blocked_person_finds_no_seat_where_the_other_sits(come: Come) -> None:
    """Blocked from the list of people; unblocked on the first page, he sits down."""
    anna, bert = met(come)
    bert.button("Stand up").click()
    bert.do(do="sit")
    expect(anna.page.get_by_text("Bert").first).to_be_visible()
    open_people(anna)
    anna.button("Block Bert").click()
    anna.button("Really block Bert?").click()
    expect(anna.button("Unblock Bert")).to_be_visible()
    bert.button("Stand up").click()
    bert.button("Sit here").click()
    expect(bert.page.get_by_role("alert")).to_have_text(
        "There is no seat for you at this table. Choose another one."
    )

    anna.page.goto(anna.url)
    anna.button("People").click()
    anna.button("Unblock Bert").click()
    expect(anna.button("Unblock Bert")).to_be_hidden()
    bert.button("Try now").click()
    expect(bert.button("Stand up")).to_be_visible()


def test_lines_of_whoever_is_blocked_from_the_chat_are_gone(come: Come) -> None:
    """Those that stand there, too."""
    anna, bert = met(come)
    bert.ask("POST", f"/api/tables/{bert.table}/chat", {"text": "Come on!"})
    anna.page.locator("[data-chat]").click()
    anna.page.get_by_role("button", name="Come on!").click()
    anna.button("Block Bert").click()
    anna.button("Really block Bert?").click()

    expect(anna.page.get_by_role("button", name="Come on!")).to_be_hidden()


def test_followed_person_is_invited_comes_and_sits_down(come: Come) -> None:
    """He reads the invitation on the first page, and goes there; at a table it is a line over the top."""
    anna, bert = met(come)
    open_people(anna)
    anna.button("Follow Bert").click()
    expect(anna.button("Stop following Bert")).to_be_visible()
    bert.page.goto(bert.url)
    anna.open_table(3)
    open_people(anna)
    anna.button("Invite Bert").click()
    expect(anna.button("Bert is invited")).to_be_visible()
    expect(bert.page.get_by_text("Anna asks you to come to a table.")).to_be_visible()
    bert.page.get_by_role("link", name="Go there").click()
    bert.button("Sit here").click()
    expect(bert.button("Stand up")).to_be_visible()

    anna.open_table(3)
    open_people(anna)
    anna.button("Invite Bert").click()
    notice = bert.page.locator("[data-invited]")
    expect(notice).to_contain_text("Anna asks you to come to a table.")
    notice.get_by_role("link", name="Go there").click()
    expect(bert.page).to_have_url(f"{bert.url}/t/{anna.table}")
    expect(notice).to_be_hidden()


def test_seat_beside_a_followed_person_is_two_presses_away(come: Come) -> None:
    """The first page tells that he is here, and leads to his listed table."""
    anna, bert = met(come)
    open_people(anna)
    anna.button("Follow Bert").click()
    expect(anna.button("Stop following Bert")).to_be_visible()
    anna.do(do="stand")
    anna.page.goto(anna.url)
    anna.button("People").click()
    expect(anna.page.get_by_text("here now")).to_be_visible()
    anna.page.get_by_role("link", name="To Bert’s table").click()

    expect(anna.page).to_have_url(f"{anna.url}/t/{bert.table}")


@pytest.mark.parametrize("context", [{}, PHONE], ids=["desktop", "phone"])
def test_profile_and_searched_games_are_read_after_a_game(come: Come, context: Any) -> None:
    """Against the other, by kinds; found by his name; the next game invites him."""
    anna, bert = [come(name, **context, service_workers="allow") for name in ("Anna", "Bert")]
    anna.open_table(3)
    bert.table = anna.table
    bert.ask("POST", "/api/links", {"token": anna.invite().partition("#")[2]})
    bert.page.goto(f"{bert.url}/t/{anna.table}")
    bert.button("Sit here").click()
    expect(bert.button("Stand up")).to_be_visible()
    anna.do(do="start", fill="pk")
    for person in (anna, bert):
        person.do(do="stand")  # computer players play on for both
    expect(anna.page.locator("[data-over]")).to_be_visible(timeout=240_000)
    bert.page.goto(bert.url)

    anna.page.locator("[data-over]").get_by_role("button", name="Play again together").click()
    expect(bert.page.get_by_text("Anna asks you to come to a table.")).to_be_visible()
    anna.page.goto(f"{anna.url}/games")
    anna.page.get_by_label("Played with").fill("ber")
    expect(anna.page.get_by_text("Bert").first).to_be_visible()
    anna.page.get_by_label("Played with").fill("Dora")
    expect(anna.page.get_by_text("No such game.")).to_be_visible()

    bert.page.get_by_role("link", name="Go there").click()
    open_people(bert)
    bert.button("Anna’s profile").click()
    profile = bert.page.get_by_role("region", name="Anna’s profile")
    expect(profile).to_contain_text("You and Anna: 1 game")
    bert.button("Back").click()
    expect(bert.button("Anna’s profile")).to_be_visible()


@pytest.mark.parametrize("context", [{}, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("place", ["people", "games"])
def test_people_and_games_are_readable_for_everybody(come: Come, context: Any, place: str) -> None:
    """No barrier that can be found, nothing too small, nothing cut off."""
    anna, bert = come("Anna", **context), come("Bert")
    user = bert.ask("GET", "/api/me")["user"]
    anna.ask("POST", "/api/me/follows", {"user": user})
    anna.page.goto(f"{anna.url}/games" if place == "games" else anna.url)
    if place == "people":
        anna.button("People").click()
        expect(anna.button("Stop following Bert")).to_be_visible()
    else:
        expect(anna.page.get_by_text("No such game.")).to_be_visible()

    assert (barriers(anna.page) if AXE.is_file() else []) == []
    assert too_small_to_read(anna.page, 13) == []
    assert cut_off(anna.page) == []
    if context:
        assert too_small_to_tap(anna.page, 44) == []


def test_people_are_reached_by_the_keyboard(come: Come) -> None:
    """Open, follow and close without a pointer."""
    anna, bert = come("Anna"), come("Bert")
    user = bert.ask("GET", "/api/me")["user"]
    anna.ask("POST", "/api/me/follows", {"user": user})
    anna.page.goto(anna.url)
    anna.button("People").focus()
    anna.page.keyboard.press("Enter")
    anna.button("Stop following Bert").focus()
    anna.page.keyboard.press("Enter")
    expect(anna.button("Stop following Bert")).to_be_hidden()
    anna.page.keyboard.press("Escape")

    expect(anna.page.get_by_role("dialog")).to_be_hidden()


def test_whoever_gets_no_seat_reads_so_and_is_offered_none(come: Come) -> None:
    """By an invitation or at the table, and not who blocks him; when somebody goes he may try again."""
    anna, bert = come("Anna"), come("Bert")
    anna.open_table(4)
    carl = come("Carl")
    carl.follow(anna.invite(), anna.table)
    carl.ask("POST", "/api/me/blocks", {"user": bert.ask("GET", "/api/me")["user"]})
    bert.page.goto(bert.url + anna.invite())
    bert.button("Sit down").click()

    said = bert.page.locator("[data-no-seat]")
    expect(said).to_have_text("There is no seat for you at this table. Choose another one.")
    expect(bert.button("Sit here")).to_have_count(0)
    expect(said).not_to_contain_text("Carl")
    bert.page.reload()
    bert.button("Sit here").first.click()
    expect(said).to_be_visible()
    expect(bert.button("Sit here")).to_have_count(0)

    carl.button("Stand up").click()
    bert.button("Sit here").first.click()
    expect(bert.button("Stand up")).to_be_visible()
