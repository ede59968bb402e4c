"""Three looks through a real browser that `make test` takes: play at once, trade, and come back."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, expect

from bohn.rules.beans import Bean
from tests.web.support.people import Person
from tests.web.support.serving import Serving
from tests.web.support.states import stills
from tests.web.support.unserved import Opening, Unserved
from tests.web.support.walking import SIZES

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


@pytest.fixture
def ada(browser: Browser, server: Serving) -> Iterator[Person]:
    """Return somebody who has just opened the page."""
    person = Person(browser, server.url, "Ada")
    yield person
    person.close()


def test_play_now_deals_with_one_click(ada: Person) -> None:
    """From the opened page one click leads to a dealt table, with one's hand at the bottom."""
    ada.page.goto(ada.url)
    ada.button("Play now").click()

    expect(ada.page.locator("[data-card]")).to_have_count(5)


def test_who_waits_in_the_lobby_has_all_that_a_dealt_table_shows(ada: Person) -> None:
    """Nothing more comes over the line once the cards are dealt."""
    ada.page.goto(ada.url)
    expect(ada.button("Play now")).to_be_visible()
    ada.page.wait_for_load_state("networkidle")
    asked: list[str] = []
    ada.page.on("request", lambda request: asked.append(request.url))
    ada.button("Play now").click()
    expect(ada.page.locator("[data-card]")).not_to_have_count(0)
    ada.page.wait_for_load_state("networkidle")

    assert [url for url in asked if "/assets/" in url] == []


def test_planted_bean_lies_on_its_field(ada: Person) -> None:
    """A click on a field plants the front card there."""
    ada.come_in()
    ada.open_table(3, bots=2)
    expect(ada.plots.first).to_be_visible(timeout=60_000)
    front = ada.hand()[0]
    ada.plots.first.click()

    expect(ada.page.locator("[data-field='0'] .count")).to_have_text("×1")
    assert ada.seen()["game"]["players"][ada.seat]["fields"][0] == [front]


@pytest.fixture
def careful(browser: Browser, server: Serving) -> Iterator[Person]:
    """Return somebody who can take a planting back for a while."""
    person = Person(browser, server.url, "Cara", settings={"takeBack": 2_000})
    yield person
    person.close()


def test_second_quick_tap_on_a_field_is_one_more_planting(careful: Person) -> None:
    """Two quick taps at one place plant, wherever the button that takes a planting back comes to lie."""
    ada = careful
    ada.come_in()
    ada.open_table(3, bots=2)
    expect(ada.plots.first).to_be_visible(timeout=60_000)
    front, behind = ada.hand()[:2]
    box = ada.page.locator("[data-field='0']").bounding_box()
    assert box is not None
    ada.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] - 24, click_count=2, delay=20)

    planted = [front, behind] if front == behind else [front]
    expect(ada.page.locator("[data-field='0'] .count")).to_have_text(f"×{len(planted)}")
    expect(ada.page.locator(".undo")).to_have_count(0)
    expect(ada.page.locator("html")).to_have_attribute("data-pending", "0")
    assert ada.seen()["game"]["players"][ada.seat]["fields"][0] == planted


def harvests_heard(page: Unserved) -> list[object]:
    """Return the harvests that the page has sent."""
    commands = [one.get("command", {}) for one in page.heard]
    return [command["field"] for command in commands if command.get("do") == "harvest"]


def test_press_that_comes_too_late_to_take_a_planting_back_harvests_nothing(opened: Opening) -> None:
    """The place of the button is that of the harvest, which does nothing there for a moment."""
    still = next(one for one in stills() if one.name == "main 7p plant mine waits plant" and one.seat == 0)
    page = opened(SIZES["phone"], takeBack=300)
    page.show(still)
    number = page.page.locator("[data-field].target").first.get_attribute("data-field")
    field = page.page.locator(f"[data-field='{number}']")
    harvest = field.locator("[data-harvest]")
    expect(harvest).to_have_attribute("aria-disabled", "false")
    field.locator(".plot").click()
    field.locator(".undo").wait_for(state="detached")
    page.show(still)  # somebody's answer has come, and with it the harvest
    harvest.click(force=True)

    expect(harvest).to_have_attribute("aria-disabled", "true")
    expect(page.page.locator("#explanation")).to_have_count(0)
    expect(harvest).to_have_attribute("aria-disabled", "false")
    assert harvests_heard(page) == []
    harvest.click()
    field.locator(".undo").wait_for(state="detached")
    page.drawn()
    assert harvests_heard(page) == [int(number or -1)]


def test_turn_over_while_a_planting_can_be_taken_back_sends_it_first(careful: Person) -> None:
    """What was just planted is sent, and cards are turned over: nobody is told to plant it first."""
    careful.come_in()
    careful.open_table(3, bots=2)
    expect(careful.plots.first).to_be_visible(timeout=60_000)
    careful.plots.first.click()
    careful.page.locator(".undo").wait_for()
    careful.page.locator("[data-key='t']").click()

    expect(careful.page.locator("#explanation")).to_have_count(0)
    expect(careful.page.locator("[data-face-up='0']")).to_be_visible()
    assert [len(field) for field in careful.seen()["game"]["players"][careful.seat]["fields"]] == [1, 0, 0]


def test_harvest_while_a_planting_can_be_taken_back_sends_it_first(careful: Person) -> None:
    """The press is not lost: what was planted is sent, and then one is asked about a harvest for nothing."""
    careful.come_in()
    careful.open_table(3, bots=2)
    expect(careful.plots.first).to_be_visible(timeout=60_000)
    page = careful.page
    page.locator("[data-field='0'] .plot").click()
    expect(page.locator("[data-field='1'] .undo, [data-field='0'] .undo")).to_have_count(0)
    expect(page.locator("html")).to_have_attribute("data-pending", "0")
    page.locator("[data-field='1'] .plot").click()
    page.locator("[data-field='1'] .undo").wait_for()
    harvest = page.locator("[data-harvest='0']")
    harvest.click()

    expect(harvest).to_have_class(re.compile("sure"))
    harvest.click()
    expect(page.locator("[data-field='0'] .count")).to_have_count(0)
    assert [len(field) for field in careful.seen()["game"]["players"][careful.seat]["fields"]] == [0, 1, 0]


@pytest.mark.parametrize("size", SIZES)
def test_harvest_can_be_taken_back(browser: Browser, size: str) -> None:
    """For a while nothing is sent: a button takes it back, the bar says what it brings, and nothing moves."""
    still = next(one for one in stills() if one.name == "main 7p plant mine waits plant" and one.seat == 0)
    page = Unserved(browser, settings={"takeBack": 60_000}, **SIZES[size])
    page.show(still)
    field = page.page.locator("[data-field]:has([data-harvest][aria-disabled='false'])").last
    number = field.get_attribute("data-field")
    boxes = """things => things.map(thing => thing.getBoundingClientRect())
        .map(({x, y, width, height}) => [x, y, width, height].map(Math.round))"""
    kept = page.page.locator(".own .field, .own .lot, [data-card], .context .coins")
    before = kept.evaluate_all(boxes)
    field.locator("[data-harvest]").click()
    if field.locator(".sure").count() > 0:
        field.locator(".sure").click()
    undo = page.page.locator(f"[data-field='{number}'] .undo")
    expect(undo).to_be_visible()
    expect(page.page.locator("[data-soon]")).to_have_text(re.compile(r"^\+\d+$"))
    undo.dblclick()  # whoever presses twice at once means one harvest
    expect(page.page.locator("[data-said]")).to_contain_text("still undo it")
    assert kept.evaluate_all(boxes) == before
    assert undo.count() == 1
    page.page.wait_for_timeout(700)  # longer than a press may be meant for what stood there
    undo.click()

    expect(page.page.locator("[data-soon], .undo")).to_have_count(0)
    assert harvests_heard(page) == []
    page.close()


def test_card_for_a_field_that_is_being_cleared_follows_the_harvest(careful: Person) -> None:
    """Whoever taps the field he has just harvested plants there: the harvest is sent first."""
    careful.come_in()
    careful.open_table(3, bots=2)
    expect(careful.plots.first).to_be_visible(timeout=60_000)
    behind, page = careful.hand()[1], careful.page
    page.locator("[data-field='0'] .plot").click()
    page.locator(".undo").wait_for(state="detached")
    harvest = page.locator("[data-harvest='0'][aria-disabled='false']")
    harvest.click()
    harvest.click()  # for nothing
    page.locator("[data-field='0'] .undo").wait_for()
    assert len(careful.seen()["game"]["players"][careful.seat]["fields"][0]) == 1
    page.locator("[data-field='0'] .plot").click(position={"x": 30, "y": 20})

    expect(page.locator("[data-field='0'] .undo")).to_have_count(1)
    expect(page.locator(".undo")).to_have_count(0)
    expect(page.locator("html")).to_have_attribute("data-pending", "0")
    assert careful.seen()["game"]["players"][careful.seat]["fields"][0] == [behind]


def test_second_of_equal_cards_that_were_set_aside_waits_for_nothing(browser: Browser) -> None:
    """A tap on the pile while its first card can be taken back sends that one, and chooses the second."""
    still = next(
        one for one in stills() if one.name.startswith("main 7p plant-traded mine") and one.seat == 0
    )
    players = list(still.state.players)
    bean = players[0].set_aside[0]
    players[0] = replace(players[0], set_aside=(bean, bean))
    page = Unserved(browser, settings={"takeBack": 3_600_000}, **SIZES["phone"])
    page.show(replace(still, state=replace(still.state, players=tuple(players))))
    page.page.locator(".target .plot").first.click()
    expect(page.page.locator("[data-aside] .count")).to_have_count(0)
    page.page.locator("[data-aside]").click()

    expect(page.page.locator("html")).to_have_attribute("data-pending", "1")
    expect(page.page.locator(".undo")).to_have_count(0)
    page.close()


@pytest.mark.parametrize("size", ["phone", "small", "wide"])
def test_something_glows_while_set_aside_cards_wait_to_be_planted(opened: Opening, size: str) -> None:
    """Also where each would protect a single bean while another waits for room: then one is to choose."""
    still = next(one for one in stills() if one.name == "main 7p plant-traded mine waits plant-set-aside")
    red, blue, wax = Bean.RED, Bean.BLUE, Bean.WAX
    players = list(still.state.players)
    players[0] = replace(players[0], set_aside=(red, blue, wax), fields=((red,), (blue,)))
    table = opened(SIZES[size])
    table.show(replace(still, state=replace(still.state, players=tuple(players))))

    expect(table.page.locator(".chosen-from")).to_have_count(2)
    for pile in table.page.locator(".chosen-from .card").all():
        expect(pile).to_have_css("outline-style", "dashed")
    expect(table.page.locator(".target")).to_have_count(0)
    table.page.locator(".chosen-from").first.click()
    expect(table.page.locator(".chosen-from")).to_have_count(0)
    expect(table.page.locator(".aimed, .target")).to_have_count(2)


@pytest.mark.parametrize(
    "kinds",
    [
        (Bean.CHILI, Bean.GARDEN, Bean.BLUE),
        (Bean.BLACK_EYED, Bean.GARDEN, Bean.COCOA),
        (Bean.CHILI, Bean.GARDEN, Bean.BLUE, Bean.RED),
    ],
)
@pytest.mark.parametrize("size", ["small", "wide"])
def test_kinds_that_were_set_aside_lie_in_one_row(
    opened: Opening, size: str, kinds: tuple[Bean, ...]
) -> None:
    """Whole, beside the fields: nothing there is scrolled, also beside a bar to scroll by."""
    still = next(one for one in stills() if one.name == "main 7p plant-traded mine waits plant-set-aside")
    players = list(still.state.players)
    players[0] = replace(players[0], set_aside=kinds)
    table = opened(SIZES[size])
    table.show(replace(still, state=replace(still.state, players=tuple(players))))

    rows = """async (piles, less) => {
      const side = piles[0].closest(".side");
      side.style.width = less === 0 ? "" : `${side.clientWidth - less}px`;
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      const tops = new Set(piles.map(pile => Math.round(pile.getBoundingClientRect().top)));
      return [tops.size, side.scrollHeight - side.clientHeight];
    }"""
    for less in (0, 15):
        assert table.page.locator("[data-aside]").evaluate_all(rows, less) == [1, 0]


def test_reload_shows_the_table_as_it_was(ada: Person) -> None:
    """Whoever loads the page again sits where he sat."""
    ada.come_in()
    ada.open_table(3, bots=2)
    expect(ada.plots.first).to_be_visible(timeout=60_000)
    hand = ada.page.locator("[data-card]").count()
    ada.page.reload()

    expect(ada.page.locator("[data-card]")).to_have_count(hand)
