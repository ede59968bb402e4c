"""The games for two: what asks somebody is whole on the screen, and lies at one place through the phases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pytest
from playwright.sync_api import Browser, FloatRect, Page, expect

from tests.effort import WHOLE
from tests.web.support.states import Still, stills
from tests.web.support.unserved import Unserved
from tests.web.support.walking import SIZES

pytestmark = pytest.mark.e2e if WHOLE else [pytest.mark.browser, pytest.mark.xdist_group("browser")]

LONGEST = ("ru", "de")
"""Languages with the longest words on the buttons and cards of the duels."""

HIDDEN = """() => [...document.querySelectorAll(".duel, .own > .side")]
  .filter((element) => element.scrollHeight > element.clientHeight + 1)
  .map((element) => `${element.classList[0]} hides ${element.scrollHeight - element.clientHeight} px`)"""
"""What can be seen of the middle and of the own cards by scrolling only."""

PLACES = """() => Object.fromEntries(
  [["steps", ".steps"], ["pile", ".piles"], ["cards", "[data-face-up='0'], .slot"]].flatMap(([as, part]) => {
    const box = document.querySelector(`.duel :is(${part})`)?.getBoundingClientRect();
    return box === undefined ? [] : [[as, [Math.round(box.left), Math.round(box.top)]]];
  }))"""
"""Where the parts of the middle stand, from its own edges."""


def duels(*, mine: bool = False) -> Sequence[Still]:
    """Return the states of the games for two, or those of Das Duell that wait for the viewer."""
    games = ("das-duell",) if mine else ("das-duell", "bean-duel")
    found = [still for still in stills() if still.name.startswith(games) and " end " not in f"{still.name} "]
    return [still for still in found if not mine or " waits" in still.name]


@pytest.fixture
def opened(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Unserved]:
    """Return a page in a window and a language."""
    size, language = request.param
    page = Unserved(browser, settings={"language": language}, **SIZES[size])
    yield page
    page.close()


def at(page: Page, selector: str) -> FloatRect:
    """Return the box of something on the page."""
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box


@pytest.mark.parametrize(
    "opened", [(size, lang) for size in ("phone", "small", "wide") for lang in LONGEST], indirect=True
)
def test_duel_shows_all_it_asks_about_without_scrolling(opened: Unserved) -> None:
    """In every phase the cards, the gift, the kinds and the bonus cards are whole, in long languages."""
    found: dict[str, str] = {}
    for still in duels():
        opened.show(still)
        for fault in opened.page.evaluate(HIDDEN):
            found.setdefault(fault, still.name)

    assert "\n".join(f"{fault}  [{where}]" for fault, where in found.items()) == ""


@pytest.mark.parametrize("opened", [("small", "en"), ("wide", "en")], indirect=True)
def test_duel_has_one_place_for_each_part_through_the_phases(opened: Unserved) -> None:
    """Steps, bonus pile and the first card stand at one place, whatever the phase."""
    places: dict[str, set[tuple[int, int]]] = {}
    for still in duels(mine=True):
        if "trade" in still.name or "set-aside" in still.name:
            continue
        opened.show(still)
        edge = at(opened.page, ".duel")
        for part, (x, y) in opened.page.evaluate(PLACES).items():
            places.setdefault(part, set()).add((x - round(edge["x"]), y - round(edge["y"])))

    assert {part: len(found) for part, found in places.items()} == {"steps": 1, "pile": 1, "cards": 1}


@pytest.mark.parametrize("opened", [("small", "en"), ("wide", "ru")], indirect=True)
def test_gift_is_taken_elsewhere_than_a_kind_is_named(opened: Unserved) -> None:
    """A gift that comes after a kind was named is not taken with the place where that was clicked."""
    first = next(one for one in duels(mine=True) if one.name == "das-duell gift mine waits name-gift")
    opened.show(first)
    opened.page.locator("[data-kind-name][aria-disabled='false']").first.click()
    opened.drawn()
    name = at(opened.page, "[data-name]")
    opened.show(next(one for one in duels(mine=True) if one.name.endswith("waits name-gift take-gift")))
    take = at(opened.page, "[data-take]")

    assert take["x"] + take["width"] <= name["x"]


@pytest.mark.parametrize("opened", [("phone", "en"), ("small", "en")], indirect=True)
def test_field_of_das_duell_shows_which_kinds_may_come_next(opened: Unserved) -> None:
    """Where a card does not fit the field names the kinds that do, and a press says why."""
    still = next(one for one in duels(mine=True) if one.name.endswith("plant-face-up plant-gift"))
    opened.show(still)
    field = opened.page.locator("[data-field]:not(.target):has([data-takes])").first
    field.locator(".plot").click(force=True)

    expect(field.locator("[data-takes] svg").first).to_be_visible()
    expect(opened.page.locator(".note")).to_contain_text("What may come next there:")


@pytest.mark.parametrize("opened", [("phone", "en")], indirect=True)
def test_bonus_card_says_its_pattern_in_words(opened: Unserved) -> None:
    """A press on a bonus card tells what must grow in a row, and where."""
    opened.show(next(one for one in duels(mine=True) if one.name.endswith("plant-face-up plant-gift")))
    opened.page.locator("[data-bonus]").first.click(force=True)

    expect(opened.page.locator(".note")).to_contain_text(
        "once a field, yours or the other player’s, has in a row"
    )
    expect(opened.page.locator(".note")).to_contain_text("of one kind, then")


KINDS = """() => [...document.querySelectorAll("[data-kind-name]")].map(kind => {
  const { left, top, width, height } = kind.getBoundingClientRect();
  return [left, top, width, height].map(Math.round);
})"""
"""Where the kinds lie that can be named."""

COVERED = """() => [...document.querySelectorAll(".own [data-field].target")].flatMap(field => {
  const here = field.querySelector(".here")?.getBoundingClientRect();
  const count = field.querySelector(".count")?.getBoundingClientRect();
  if (here === undefined || count === undefined) return [];
  const beside = here.left >= count.right || count.left >= here.right;
  return beside || here.bottom <= count.top || count.bottom <= here.top ? [] : [field.dataset.field];
})"""
"""The own fields on which "plant here" lies upon the number of beans."""


def named(name: str) -> Still:
    """Return a state of Das Duell that waits for the viewer."""
    return next(one for one in duels(mine=True) if one.name == f"das-duell {name}")


@pytest.mark.parametrize(
    "opened", [(size, lang) for size in ("phone", "small", "wide") for lang in ("en", "ru")], indirect=True
)
def test_kinds_keep_their_places_while_one_is_chosen(opened: Unserved) -> None:
    """What is said of a kind and its button have room before, so nothing moves under the pointer."""
    opened.show(named("gift mine waits name-gift"))
    before = opened.page.evaluate(KINDS)
    moved = []
    for at in range(len(before)):
        opened.page.locator("[data-kind-name]").nth(at).click()
        opened.drawn()
        moved += [at] if opened.page.evaluate(KINDS) != before else []

    assert moved == []


@pytest.mark.parametrize("opened", [("small", "en"), ("phone", "en")], indirect=True)
def test_haggling_says_what_a_gift_is_for(opened: Unserved) -> None:
    """Beside the kinds stands why one is given, and a press tells what refusing and bluffing mean."""
    opened.show(named("gift mine waits name-gift"))
    expect(opened.page.locator(".say .why")).to_contain_text("Give away what you cannot use")
    opened.page.locator("[data-gift-help]").click(force=True)

    expect(opened.page.locator(".note")).to_contain_text("if it is refused, that costs nothing")
    expect(opened.page.locator(".note")).to_contain_text("you pay a coin to the other player")


@pytest.mark.parametrize("opened", [("small", "en")], indirect=True)
def test_kind_chosen_by_keyboard_leads_to_the_button_that_names_it(opened: Unserved) -> None:
    """The first Enter chooses, and the second names what was chosen."""
    opened.show(named("gift mine waits name-gift"))
    opened.page.locator("[data-kind-name]").first.focus()
    opened.page.keyboard.press("Enter")

    expect(opened.page.locator("[data-name]")).to_be_focused()


@pytest.mark.parametrize("opened", [("small", "en")], indirect=True)
def test_enter_on_the_chosen_gift_leads_to_a_field(opened: Unserved) -> None:
    """It is chosen already: what is wanting is a field."""
    still = next(
        one for one in duels(mine=True) if "plant-gift theirs" in one.name and one.name.endswith("plant-gift")
    )
    opened.show(still)
    opened.page.locator("[data-gift]").focus()
    opened.page.keyboard.press("Enter")

    expect(opened.page.locator(".target .plot").first).to_be_focused()


@pytest.mark.parametrize("opened", [("phone", "en"), ("small", "en"), ("wide", "en")], indirect=True)
def test_fields_of_the_other_player_show_which_kinds_may_come_next(opened: Unserved) -> None:
    """As on one's own fields, small."""
    opened.show(named("gift mine waits name-gift"))
    fields = opened.page.locator("[data-seat] .field[data-kind]")

    assert fields.count() > 0
    expect(fields.locator("[data-takes]")).to_have_count(fields.count())


@pytest.mark.parametrize("opened", [("phone", "en"), ("small", "en")], indirect=True)
def test_das_duell_shows_one_total_and_says_its_unit(opened: Unserved) -> None:
    """Coins and claimed bonus cards are added up, and an explanation says what a penny is."""
    opened.show(named("plant-gift mine waits plant-face-up plant-gift"))
    total = opened.page.locator(".context .coins")
    total.hover()

    expect(total.locator("[data-total]")).to_have_text(re.compile(r"^\s*\d+ \+\s\d+\sp\s*$"))
    expect(opened.page.locator(".note")).to_contain_text("100 pennies are a coin")


@pytest.mark.parametrize("opened", [("phone", "de"), ("small", "de"), ("wide", "de")], indirect=True)
def test_plant_here_hides_no_number_of_beans(opened: Unserved) -> None:
    """In every game the mark of a target stands beside the count."""
    found = {}
    for still in stills():
        if " waits" not in still.name or "plant" not in still.name:
            continue
        opened.show(still)
        if hidden := opened.page.evaluate(COVERED):
            found[still.name] = hidden

    assert found == {}


@pytest.mark.parametrize("opened", [("small", "en"), ("wide", "en")], indirect=True)
def test_what_is_read_beside_the_table_uses_the_height_there_is(opened: Unserved) -> None:
    """Settings, like rules, are at least half as high as the window, and hide no own coins or buttons."""
    for still in (named("gift mine waits name-gift"), next(iter(stills()))):
        opened.show(still)
        opened.page.locator("[data-key='s']").click()
        expect(opened.page.locator(".sheet")).to_be_visible()
        sheet = at(opened.page, ".sheet")
        context = at(opened.page, ".context .coins")

        assert sheet["height"] >= opened.page.evaluate("innerHeight") / 2
        assert sheet["y"] + sheet["height"] <= context["y"]
        opened.page.locator(".sheet [aria-label='Close']").click()
