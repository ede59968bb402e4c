"""Room on the table: what lies there stays in sight and in its place, and the prompt leads there."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from bohn.rules.state import TradePhase
from tests.web.support.covering import COVERED
from tests.web.support.looking import BROKEN
from tests.web.support.rooms import LANGUAGES, Opened, at_rest, boxes, state
from tests.web.support.states import stills
from tests.web.support.walking import SIZES

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("size", SIZES)
def test_kinds_stay_in_their_places_while_an_offer_is_composed(full_table: Opened, size: str) -> None:
    """Whatever is wanted, once or twice, and given: every kind stays under the pointer."""
    table = full_table(size)
    table.page.locator("[data-key='o']").first.click()
    before = at_rest(table, "[data-want]")
    for kind in (0, 0, 3, 5):
        table.page.locator("[data-want]").nth(kind).click()
    table.page.locator("[data-card='2']").click()
    table.drawn()

    assert at_rest(table, "[data-want]") == before


def test_all_kinds_are_in_sight_on_a_phone(full_table: Opened) -> None:
    """Nothing has to be scrolled to in what one may ask for."""
    table = full_table("phone")
    table.page.locator("[data-key='o']").first.click()
    kinds = boxes(table, "[data-want]")

    assert len(kinds) >= 9
    assert all(box["left"] >= 0 and box["right"] <= 360 for box in kinds)


def test_what_is_wanted_is_taken_back_in_the_tray(full_table: Opened) -> None:
    """A tap on a wanted kind beside what is given takes one of it away."""
    table = full_table("phone")
    table.page.locator("[data-key='o']").first.click()
    table.page.locator("[data-want]").first.click()
    assert table.page.locator("[data-less]").count() == 1
    table.page.locator("[data-less]").click()

    assert table.page.locator("[data-less]").count() == 0


WHOLE = """() => {
  const row = document.querySelector('.offers .row').getBoundingClientRect();
  return [...document.querySelectorAll('[data-offer]')].filter(ticket => {
    const box = ticket.getBoundingClientRect();
    return box.left >= row.left - 1 && box.right <= row.right + 1
      && box.top >= row.top - 1 && box.bottom <= row.bottom + 1;
  }).map(ticket => ticket.dataset.offer);
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_of_eight_offers_stand_whole_on_a_phone(full_table: Opened, language: str) -> None:
    """Seven players, eight offers, 360x800: two tickets can be read and answered without a touch."""
    table = full_table("phone", settings={"language": language})

    assert len(table.page.evaluate(WHOLE)) >= 2


@pytest.mark.parametrize("door", ["[data-said]", ".dots > :first-child"])
def test_prompt_and_dot_bring_what_they_speak_of_into_sight(full_table: Opened, door: str) -> None:
    """A claimed offer that was scrolled away is whole again after a tap on the prompt, or on its dot."""
    table = full_table("phone")
    table.page.locator("section.offers > .row").evaluate("row => row.scrollTo(0, 900)")
    assert "1" not in table.page.evaluate(WHOLE)
    table.page.locator(door).click()

    assert "1" in table.page.evaluate(WHOLE)


@pytest.mark.parametrize("size", ["small", "wide"])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_what_is_asked_stands_directly_above_the_hand(full_table: Opened, size: str, language: str) -> None:
    """In a wide window it lies between fields and cards, over neither, also where a card was chosen."""
    table = full_table(size, settings={"language": language})
    table.page.locator("[data-card='2']").click()
    [asked] = at_rest(table, "[data-said] span")
    cards = boxes(table, "[data-card] .face")
    fields = boxes(table, ".own [data-harvest]")
    chosen = cards.pop(2)

    assert max(field["bottom"] for field in fields) < asked["top"]
    assert asked["bottom"] < min(card["top"] for card in cards[1:])
    assert asked["bottom"] < chosen["top"] + 4
    assert 0 < asked["left"] - cards[0]["left"] < 150


def test_place_of_what_is_asked_moves_nothing(full_table: Opened) -> None:
    """Whether something is asked or not: hand, coins and buttons keep their places."""
    table = full_table("wide", still=state("main", "7p", "plant", "mine", "reveal"))
    names = "[data-card] .face, .own .field, .context .coins"
    asked = at_rest(table, names)
    assert table.page.locator("[data-said]").count() == 1
    table.page.locator("[data-said]").evaluate("said => said.remove()")

    assert at_rest(table, names) == asked


KEPT = "[data-seat], [data-face-up], .make, .coins, .harvest, .closing button"


@pytest.mark.parametrize("size", ["phone", "wide"])
def test_a_tip_covers_no_cards_and_no_opponents(full_table: Opened, size: str) -> None:
    """A tip for new players stands on empty wood."""
    market = state("main", "7p", "trade", "mine")
    assert isinstance(market.state.phase, TradePhase)
    emptied = replace(market.state, phase=replace(market.state.phase, offers=()))
    quiet = replace(market, state=emptied)
    table = full_table(size, settings={"hints": True}, still=quiet)
    expect(table.page.locator(".tip")).to_be_visible()

    assert table.page.evaluate(COVERED, [".tip", KEPT]) == []


@pytest.mark.parametrize("words", [("bean-duel", "plant", "mine"), ("das-duell", "plant", "mine")])
def test_there_are_no_wishes_where_nothing_is_traded(full_table: Opened, words: tuple[str, ...]) -> None:
    """The bean duel and Das Duell have no trading, so nobody is asked what he wants."""
    table = full_table("phone", still=state(*words))

    expect(table.page.locator("[data-card]").first).to_be_visible()
    expect(table.page.locator("[data-key='i']")).to_have_count(0)


def test_fields_of_opponents_bear_names_or_letters_of_their_kinds(full_table: Opened) -> None:
    """Whoever cannot tell the colours reads them: names where there is room, and letters elsewhere."""
    table = full_table("wide", still=state("main", "trade", "theirs"))
    planted = table.page.locator("[data-seat] .field[data-kind]")
    letters = table.page.locator("[data-seat] .letters")
    names = table.page.locator("[data-seat] [data-kinds]")

    assert letters.count() + names.count() == planted.count() > 6
    assert all(len(name.strip()) > 2 for name in names.all_inner_texts())
    assert all(
        len(text or "") == 2 for text in letters.evaluate_all("all => all.map(one => one.dataset.drawn)")
    )


def test_a_field_of_das_duell_explains_which_kinds_may_follow(full_table: Opened) -> None:
    """On the field where a bean may be planted stands the rule of the next higher number, without its own."""
    table = full_table(
        "wide", still=next(still for still in stills() if still.name == "das-duell plant mine waits plant")
    )
    table.page.locator(".target .plot").first.hover()

    expect(table.page.get_by_role("tooltip")).to_contain_text("the same number or the next higher one")
    expect(table.page.get_by_role("tooltip")).not_to_contain_text("DD-3")


def test_the_key_of_a_gift_is_shown_twice(full_table: Opened) -> None:
    """A gift is sent by the second press of Enter, and its button says so."""
    table = full_table("wide")
    table.page.locator("[data-key='o']").first.click()
    table.page.locator("[data-card='2']").click()

    drawn = table.page.locator("[data-send]").evaluate("send => getComputedStyle(send, '::after').content")
    assert "2× Enter" in drawn


def test_promise_is_dated_and_sent_in_sight_on_a_phone(full_table: Opened) -> None:
    """However many kinds and people there are to choose from."""
    table = full_table("phone")
    for press in ("[data-key='i']", "[data-promise]"):
        table.page.locator(press).first.click()

    expect(table.page.get_by_role("button", name="Promise", exact=True)).to_be_in_viewport(ratio=1)
    expect(table.page.get_by_role("group", name="When")).to_be_in_viewport(ratio=1)


HIDDEN_BEANS = """fields => fields.filter(field => {
  const count = field.querySelector(".count").getBoundingClientRect();
  const bean = [...field.querySelectorAll(".lot svg")].at(-1).getBoundingClientRect();
  const width = Math.min(count.right, bean.right) - Math.max(count.left, bean.left);
  const height = Math.min(count.bottom, bean.bottom) - Math.max(count.top, bean.top);
  return width > 0 && height > 0 && width * height > bean.width * bean.height / 3;
}).length"""
"""On how many fields the number of cards hides more than a third of the bean."""


@pytest.mark.parametrize("size", SIZES)
def test_number_of_a_field_leaves_its_bean_in_sight(full_table: Opened, size: str) -> None:
    """What grows there is seen by its drawing, whatever its number."""
    fields = full_table(size).page.locator(".own [data-field]:has(.count)")

    assert fields.count() > 0
    assert fields.evaluate_all(HIDDEN_BEANS) == 0


@pytest.mark.parametrize("what", ["[data-seat='1']", "[data-menu]"])
def test_escape_closes_one_thing(full_table: Opened, what: str) -> None:
    """What was opened last goes with one press, what is put together with the next."""
    table = full_table("wide")
    table.page.locator("[data-key='o']").click()
    table.page.locator("[data-card='1']").click(position={"x": 8, "y": 8})
    table.drawn()
    table.page.locator(what).click(position={"x": 12, "y": 12})
    later = table.page.locator(".detail, .menu .list")
    expect(later).to_be_visible()
    table.page.keyboard.press("Escape")
    expect(later).to_have_count(0)
    expect(table.page.locator("[data-tray]")).to_be_visible()
    table.page.keyboard.press("Escape")

    expect(table.page.locator("[data-tray]")).to_have_count(0)


@pytest.mark.parametrize("size", ["small", "wide"])
def test_two_cards_and_two_kinds_of_an_offer_are_whole(full_table: Opened, size: str) -> None:
    """Neither is cut where they lie beside one another."""
    table = full_table(size)
    table.page.locator("[data-key='o']").click()
    for card in (10, 11):
        table.page.locator(f"[data-card='{card}']").dispatch_event("click")
    for kind in (2, 3):
        table.page.locator("[data-want]").nth(kind).click()
    table.drawn()

    cut = "rows => rows.filter(row => row.scrollWidth > row.clientWidth).length"
    assert table.page.locator(".laid").count() == 2
    assert table.page.locator(".laid").evaluate_all(cut) == 0


def test_one_of_many_is_chosen_with_one_click(full_table: Opened) -> None:
    """While an offer goes to all, a name means that one alone."""
    table = full_table("wide")
    table.page.locator("[data-key='o']").click()
    table.page.locator("[data-to='2']").click()

    assert table.page.locator("[data-to][aria-pressed='true']").all_inner_texts() == ["Chiyo"]
    expect(table.page.locator("[data-to='pick']")).to_have_count(0)


@pytest.mark.parametrize("size", ["phone", "small"])
@pytest.mark.parametrize("language", [lang for lang in LANGUAGES if lang != "ja"])
def test_no_word_is_broken(full_table: Opened, size: str, language: str) -> None:
    """On fields, piles and the button that takes a planting back words part only where they may."""
    kinds = ("main 7p plant theirs", "main 7p plant mine waits plant", "das-duell plant mine waits plant")
    shown = [next(one for one in stills() if one.name == kind and one.seat == 0) for kind in kinds]
    table = full_table(size, settings={"language": language, "takeBack": 60_000}, still=shown[0])
    found = table.page.evaluate(BROKEN)
    for still in shown[1:]:
        table.show(still)
        table.page.locator(".target .plot").first.click()
        table.page.locator(".undo").wait_for()
        found += table.page.evaluate(BROKEN)
        table.page.keyboard.press("u")

    assert found == []


def test_third_field_can_be_taken_back(full_table: Opened) -> None:
    """What was bought by mistake is not sent for a while."""
    table = full_table("phone", settings={"takeBack": 60_000})
    table.page.locator(".gate .buy").click()
    table.page.locator(".gate .undo").wait_for()
    table.page.wait_for_timeout(700)  # a second tap that comes at once is one on the field
    table.page.locator(".gate .undo").click()
    expect(table.page.locator(".gate .buy")).to_be_visible()

    assert [one for one in table.heard if one.get("command", {}).get("do") == "buy-field"] == []


@pytest.mark.parametrize(("field", "presses", "disabled"), [(0, 1, "false"), (1, 2, "true")])
def test_third_field_is_offered_during_a_harvest_that_pays_for_it(
    full_table: Opened, field: int, presses: int, disabled: str
) -> None:
    """While it can be taken back its coins count: eight blue pay, two wax do not, which takes two presses."""
    still = next(one for one in stills() if one.name == "main 7p plant mine waits plant" and one.seat == 0)
    table = full_table("wide", still=still, settings={"takeBack": 60_000})
    for _ in range(presses):
        table.page.locator(f".own [data-harvest='{field}']").click()
        table.page.wait_for_timeout(700)  # a second press that comes at once is one of a double click
    table.page.locator(".own .undo").wait_for()

    expect(table.page.locator(".gate .buy")).to_have_attribute("aria-disabled", disabled)


@pytest.mark.parametrize("size", ["small", "wide"])
def test_tray_stands_still_while_something_is_put_together(full_table: Opened, size: str) -> None:
    """Nothing of it moves, whatever its button says, and two kinds have their names."""
    table = full_table(size, still=state("main", "4p", "trade"))
    table.page.keyboard.press("o")
    table.page.mouse.move(2, 2)
    parts = "[data-send], [data-want], [data-tray] h3, [data-tray] .close"
    before = at_rest(table, parts)
    table.page.locator("[data-want]").nth(0).click()
    table.page.locator("[data-want]").nth(1).click()
    assert at_rest(table, parts) == before
    names = table.page.locator("[data-tray] .got .name")
    expect(names).to_have_count(2)
    for name in names.all():
        expect(name).to_be_visible()
    table.page.locator("[data-card='0']").click()

    assert at_rest(table, parts) == before
