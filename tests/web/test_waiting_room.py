"""The waiting room: the invitation is in sight, and computer players go on as they were chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.web.support.people import USUAL, Person
from tests.web.support.serving import Serving
from tests.web.support.walking import SIZES

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


def fill(ada: Person) -> None:
    """Put computer players into the two free seats, one behind the other: a click on a seat counts once."""
    free = ada.page.get_by_role("button", name="Computer player", exact=True)
    for left in (1, 0):
        free.first.click()
        expect(free).to_have_count(left)


@pytest.mark.parametrize(("width", "height"), WINDOWS)
def test_invitation_is_in_sight_at_once(waiting: Waiting, width: int, height: int) -> None:
    """Whoever waits sees the link and the button that copies it, without scrolling."""
    ada = waiting(width, height)
    copy = ada.button("Copy")
    expect(copy).to_be_visible()
    box = copy.bounding_box()

    assert box is not None
    assert box["y"] + box["height"] <= height


def test_headline_says_how_many_are_waited_for(waiting: Waiting) -> None:
    """As long as a seat is free; with all of them taken the table is set."""
    ada = waiting(1024, 768)
    headline = ada.page.get_by_role("heading", level=1)
    expect(headline).to_have_text("Waiting for 2 more players")
    fill(ada)

    expect(headline).to_have_text("The table is set")


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


def test_invitation_goes_when_all_seats_are_taken(waiting: Waiting) -> None:
    """Nobody is invited to a table without a free seat."""
    ada = waiting(1024, 768)
    expect(ada.button("Copy")).to_be_visible()
    fill(ada)

    expect(ada.button("Deal the cards")).to_be_visible()
    expect(ada.button("Copy")).to_have_count(0)


def test_guest_is_not_told_how_to_start_the_server(
    waiting: Waiting, browser: Browser, server: Serving
) -> None:
    """Only whoever opened the table reads how phones of the network find it."""
    ada = waiting(1024, 768)
    expect(ada.page.get_by_text("bohn serve --lan")).to_be_visible()
    bert = Person(browser, server.url, "Bert", viewport={"width": 1024, "height": 768})
    bert.come_in()
    bert.follow(ada.invite(), ada.table)
    expect(bert.button("Copy")).to_be_visible()

    expect(bert.page.get_by_text("bohn serve --lan")).to_have_count(0)
    bert.close()


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1440, 900)])
def test_new_table_has_its_button_in_sight(
    browser: Browser, server: Serving, width: int, height: int
) -> None:
    """What is seldom changed is folded away, also where computer players are chosen."""
    ada = Person(browser, server.url, "Ada", viewport={"width": width, "height": height})
    ada.come_in()
    ada.page.goto(ada.url)
    ada.button("New table").click()
    ada.page.locator("label:has(input[name='bots'][value='2'])").click()
    submit = ada.page.locator("form button[type='submit']").bounding_box()
    ada.page.locator("[data-more-settings] summary").click()

    assert submit is not None
    assert submit["y"] >= 0
    assert submit["y"] + submit["height"] <= height
    expect(ada.page.get_by_text("House rules")).to_be_visible()
    ada.close()


def test_new_table_can_be_dealt_at_once_and_be_short(browser: Browser, server: Serving) -> None:
    """Three computer players are there from the start; that it may be short is in sight."""
    ada = Person(browser, server.url, "Ada")
    ada.come_in()
    ada.page.goto(ada.url)
    ada.button("New table").click()
    expect(ada.page.locator("input[name='bots'][value='3']")).to_be_checked()
    ada.page.locator("label:has(input[name='length'][value='yes'])").click()
    ada.button("Deal the cards").click()

    expect(ada.page.locator("[data-seat]")).to_have_count(3)
    table = ada.page.url.rsplit("/", 1)[1]
    assert "exhaustions=1" in ada.ask("GET", f"/api/tables/{table}")["room"]["options"]["house_rules"]
    ada.close()


def test_new_table_takes_the_name_that_was_typed(browser: Browser, server: Serving) -> None:
    """Also of who was in before, as a guest of another name."""
    ada = Person(browser, server.url, "Ada")
    ada.come_in()
    ada.page.goto(ada.url)
    ada.page.get_by_label("Your name").fill("Lena")
    ada.button("New table").click()
    ada.page.locator("label:has(input[name='bots'][value='0'])").click()
    ada.page.locator("form button[type='submit']").click()

    expect(ada.page.locator("main").get_by_text("Lena").first).to_be_visible()
    assert ada.ask("GET", "/api/me")["name"] == "Lena"
    ada.close()


def test_new_table_says_what_is_usual(browser: Browser, server: Serving) -> None:
    """Below each house rule, as long as no other is chosen, and by edition."""
    ada = Person(browser, server.url, "Ada")
    ada.page.goto(ada.url)
    ada.button("New table").click()
    ada.page.locator("[data-more-settings] summary").click()
    price = ada.page.locator("label", has_text="Price of a field")
    expect(price.locator("small")).to_have_text("a field costs 3 coins")
    price.locator("select").select_option(index=1)

    expect(price.locator("small")).to_have_count(0)
    ada.close()


def test_new_table_says_of_two_players_what_they_play(browser: Browser, server: Serving) -> None:
    """That two do not trade, and that it is no Das Duell, concerns only those who choose two."""
    ada = Person(browser, server.url, "Ada")
    ada.come_in()
    ada.page.goto(ada.url)
    ada.button("New table").click()
    told = ada.page.get_by_text("no trading. It is not Das Duell.")
    expect(told).to_have_count(0)
    ada.page.locator("label:has(input[name='players'][value='2'])").click()

    expect(told).to_be_visible()
    ada.close()


def test_guest_reads_that_the_host_deals_once_all_seats_are_taken(browser: Browser, server: Serving) -> None:
    """Before that he reads that the host deals when everybody is here."""
    ada, bo, cleo = (Person(browser, server.url, name) for name in ("Ada", "Bo", "Cleo"))
    ada.come_in()
    ada.open_table(3)
    bo.follow(ada.invite(), ada.table)
    expect(bo.page.get_by_text("The host deals when everybody is here.")).to_be_visible()
    cleo.follow(ada.invite(), ada.table)

    expect(bo.page.get_by_text("Everybody is here. The host deals the cards now.")).to_be_visible()
    for person in (ada, bo, cleo):
        person.close()


@pytest.mark.parametrize("language", ["en", "de", "ru"])
@pytest.mark.parametrize(("width", "height"), WINDOWS)
def test_numbers_of_players_are_of_one_size(
    browser: Browser, server: Serving, width: int, height: int, language: str
) -> None:
    """What is to be known of two players stands below the row, and no number is wider than another."""
    ada = Person(
        browser,
        server.url,
        "Ada",
        viewport={"width": width, "height": height},
        settings={"language": language},
    )
    ada.come_in()
    ada.page.goto(ada.url)
    ada.page.locator("button.big[aria-expanded]").click()
    numbers = ada.page.locator("label:has(input[name='players'])")
    ada.page.locator("label:has(input[name='players'][value='2'])").click()
    sizes = numbers.evaluate_all(
        "all => all.map(one => [one.offsetTop, one.offsetWidth, one.offsetHeight].join())"
    )
    told = ada.page.locator("#players-below")

    assert len(set(sizes)) == 1
    assert "Das Duell" in told.inner_text()
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= width
    ada.close()


def test_host_is_asked_before_he_gives_away_a_seat_somebody_may_come_for(waiting: Waiting) -> None:
    """Once he has handed the link on; who has invited nobody starts with one press."""
    ada = waiting(360, 800)
    ada.button("Copy").click()
    start = ada.page.locator("[data-start]")
    start.click()

    expect(start).to_contain_text("2 seats are still free. Start without waiting?")
    assert ada.seen()["room"]["status"] == "open"
    start.click()
    expect(ada.page.locator("[data-card]")).to_have_count(5)


def test_who_is_alone_starts_with_one_press(waiting: Waiting) -> None:
    """Nobody is on his way."""
    ada = waiting(1024, 768)
    ada.page.locator("[data-start]").click()

    expect(ada.page.locator("[data-card]")).to_have_count(5)


def test_people_talk_while_they_wait(waiting: Waiting) -> None:
    """The chat is that of the table."""
    ada = waiting(360, 800)
    ada.page.locator("[data-chat]").click()
    ada.page.locator(".phrase").first.click()

    expect(ada.page.get_by_role("dialog", name="Chat").locator("li")).to_have_count(1)


def test_start_is_in_sight_on_a_phone(browser: Browser, server: Serving) -> None:
    """With seven seats too: the list is longer than the window."""
    ada = Person(browser, server.url, "Ada", **SIZES["phone"])
    ada.come_in()
    ada.open_table(7)

    expect(ada.page.locator("[data-start]")).to_be_in_viewport(ratio=1)
    ada.close()


def test_last_seat_taken_moves_no_column(waiting: Waiting) -> None:
    """Beside the seats the room of the invitation is left free: seats and button stay under the pointer."""
    ada = waiting(1440, 900)
    places = """() => [...document.querySelectorAll(".seats, [data-start]")].map(part => {
      const { left, top } = part.getBoundingClientRect();
      return part.matches("[data-start]") ? Math.round(top) : [left, top].map(Math.round);
    })"""
    ada.button("Computer player").click()
    expect(ada.page.locator(".seats .free")).to_have_count(1)
    before = ada.page.evaluate(places)
    ada.button("Computer player").click()
    expect(ada.button("Deal the cards")).to_be_visible()

    assert ada.page.evaluate(places) == before


@pytest.mark.parametrize(("width", "height"), WINDOWS)
def test_waiting_room_leads_to_the_rules_of_its_table(waiting: Waiting, width: int, height: int) -> None:
    """There one has time to read; the seat is kept meanwhile."""
    ada = waiting(width, height)
    rules = ada.page.locator("[data-rules]")

    expect(rules).to_be_in_viewport(ratio=1)
    expect(rules).to_have_attribute("href", "/rules/full?players=5")
    expect(rules).to_have_attribute("target", "_blank")


def test_button_that_opens_a_table_stays_when_computer_players_are_chosen(
    browser: Browser, server: Serving
) -> None:
    """Which of them they are is asked above it from the start."""
    ada = Person(browser, server.url, "Ada", viewport={"width": 360, "height": 800})
    ada.come_in()
    ada.page.goto(server.url)
    ada.button("New table").click()
    opens = ada.page.locator("form button[type='submit']")
    before = opens.bounding_box()
    ada.page.locator("label:has(input[name='bots'][value='2'])").click()
    expect(ada.page.locator("[data-bots]")).to_be_enabled()
    after = opens.bounding_box()
    ada.close()

    assert before is not None
    assert after is not None
    assert (before["y"], before["height"]) == (after["y"], after["height"])


def test_level_is_said_to_be_that_of_the_computer_players_added_next(waiting: Waiting) -> None:
    """Where one sits there already, which plays on as it was chosen."""
    ada = waiting(360, 800)

    expect(ada.page.locator(".level span")).to_have_text("How the computer players you add next play")


def test_host_changes_the_level_of_a_seated_computer_player(waiting: Waiting) -> None:
    """He chooses another at its seat, which is told to everybody there."""
    ada = waiting(1024, 768)
    level = ada.page.get_by_role("combobox", name="How Bert plays")
    level.select_option("gentle")
    expect(level).to_have_value("gentle")
    expect(ada.page.locator(".seats li").nth(1)).to_contain_text("Bert")

    ada.page.reload()
    expect(ada.page.get_by_role("combobox", name="How Bert plays")).to_have_value("gentle")
