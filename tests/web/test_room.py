"""Room on the table: what lies there stays in sight and in its place, and the prompt leads there."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import asdict, replace
from playwright.sync_api import Browser, expect

from bohn.protocol import frames
from bohn.protocol.room import Seat
from bohn.rules.beans import Bean
from bohn.rules.events import PromiseMade
from bohn.rules.state import Promise, TradePhase
from tests.web.support.covering import COVERED
from tests.web.support.looking import BROKEN
from tests.web.support.moments import BOT
from tests.web.support.states import Still, fullest, stills
from tests.web.support.unserved import Unserved
from tests.web.support.walking import SIZES

pytestmark = pytest.mark.e2e

LANGUAGES = ("en", "de", "is", "it", "ja", "ru", "sv")

Opened = Callable[..., Unserved]


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opened]:
    """Return how to open the fullest market, or another state, at a size; the pages are closed afterwards."""
    pages: list[Unserved] = []

    def opening(size: str, **more: Any) -> Unserved:
        still = more.pop("still", None) or fullest()
        page = Unserved(browser, **SIZES[size], **more)
        pages.append(page)
        page.show(still)
        return page

    yield opening
    for page in pages:
        page.close()


def boxes(table: Unserved, selector: str) -> list[dict[str, float]]:
    """Return where all such things lie."""
    found: list[dict[str, float]] = table.page.locator(selector).evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().toJSON())"
    )
    return found


def at_rest(table: Unserved, selector: str) -> list[dict[str, float]]:
    """Return where all such things lie, once the parts that are loaded for them have come."""
    table.drawn()
    before: list[dict[str, float]] = []
    now = boxes(table, selector)
    while now != before:
        table.page.wait_for_timeout(300)
        before, now = now, boxes(table, selector)
    return now


@pytest.mark.parametrize("size", SIZES)
def test_kinds_stay_in_their_places_while_an_offer_is_composed(opened: Opened, size: str) -> None:
    """Whatever is wanted, once or twice, and given: every kind stays under the pointer."""
    table = opened(size)
    table.page.locator("[data-key='o']").first.click()
    before = at_rest(table, "[data-want]")
    for kind in (0, 0, 3, 5):
        table.page.locator("[data-want]").nth(kind).click()
    table.page.locator("[data-card='2']").click()
    table.drawn()

    assert at_rest(table, "[data-want]") == before


def test_all_kinds_are_in_sight_on_a_phone(opened: Opened) -> None:
    """Nothing has to be scrolled to in what one may ask for."""
    table = opened("phone")
    table.page.locator("[data-key='o']").first.click()
    kinds = boxes(table, "[data-want]")

    assert len(kinds) >= 9
    assert all(box["left"] >= 0 and box["right"] <= 360 for box in kinds)


def test_what_is_wanted_is_taken_back_in_the_tray(opened: Opened) -> None:
    """A tap on a wanted kind beside what is given takes one of it away."""
    table = opened("phone")
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
def test_two_of_eight_offers_stand_whole_on_a_phone(opened: Opened, language: str) -> None:
    """Seven players, eight offers, 360x800: two tickets can be read and answered without a touch."""
    table = opened("phone", settings={"language": language})

    assert len(table.page.evaluate(WHOLE)) >= 2


@pytest.mark.parametrize("door", ["[data-said]", ".dots > :first-child"])
def test_prompt_and_dot_bring_what_they_speak_of_into_sight(opened: Opened, door: str) -> None:
    """A claimed offer that was scrolled away is whole again after a tap on the prompt, or on its dot."""
    table = opened("phone")
    table.page.locator("section.offers > .row").evaluate("row => row.scrollTo(0, 900)")
    assert "1" not in table.page.evaluate(WHOLE)
    table.page.locator(door).click()

    assert "1" in table.page.evaluate(WHOLE)


@pytest.mark.parametrize("size", ["small", "wide"])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_what_is_asked_stands_directly_above_the_hand(opened: Opened, size: str, language: str) -> None:
    """In a wide window it lies between fields and cards, over neither, also where a card was chosen."""
    table = opened(size, settings={"language": language})
    table.page.locator("[data-card='2']").click()
    [asked] = at_rest(table, "[data-said] span")
    cards = boxes(table, "[data-card] .face")
    fields = boxes(table, ".own [data-harvest]")
    chosen = cards.pop(2)

    assert max(field["bottom"] for field in fields) < asked["top"]
    assert asked["bottom"] < min(card["top"] for card in cards[1:])
    assert asked["bottom"] < chosen["top"] + 4
    assert 0 < asked["left"] - cards[0]["left"] < 150


def test_place_of_what_is_asked_moves_nothing(opened: Opened) -> None:
    """Whether something is asked or not: hand, coins and buttons keep their places."""
    table = opened("wide", still=state("main", "7p", "plant", "mine", "reveal"))
    names = "[data-card] .face, .own .field, .context .coins"
    asked = at_rest(table, names)
    assert table.page.locator("[data-said]").count() == 1
    table.page.locator("[data-said]").evaluate("said => said.remove()")

    assert at_rest(table, names) == asked


def state(*words: str) -> Still:
    """Return the first state whose name has these words."""
    fitting = (still for still in stills() if set(words) <= set(still.name.split()))
    return next(still for still in fitting if still.rules.edition in ("full", "das-duell"))


KEPT = "[data-seat], [data-face-up], .make, .coins, .harvest, .closing button"

UNSAID = (
    "[data-seat] .fields, [data-seat] .counts, [data-face-up], .pile, .make, [data-offer], .coins, "
    ".own .field, [data-card], .context button, .tools button"
)
"""What nobody's words may lie over: cards, numbers and what is pressed."""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seat", [1, 3, 6])
def test_what_others_say_stands_at_their_seat_and_covers_no_cards(
    opened: Opened, size: str, seat: int
) -> None:
    """It is a bubble below the fields of the speaker, on a phone above all seats, and it is not cut."""
    table = opened(size)
    params = {"bean": int(Bean.BLACK_EYED), "count": 3}
    table.hear(frames.Remark(seat, int(time.time() * 1000), "says.need", params))
    speech = table.page.locator(f"[data-speech='{seat}']")
    expect(speech).to_be_visible()
    inside = table.page.locator(f"[data-seat='{seat}'] [data-speech], header [data-speech]")
    text = speech.locator(".words")

    assert inside.count() == table.page.locator("[data-speech]").count() == 1
    assert ("header" in str(inside.evaluate("e => e.closest('header, article').tagName.toLowerCase()"))) is (
        size in ("phone", "tablet")
    )
    assert table.page.evaluate(COVERED, ["[data-speech]", UNSAID]) == []
    assert text.evaluate("e => e.scrollHeight <= e.clientHeight + 1 && e.scrollWidth <= e.clientWidth + 1")
    box = speech.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= table.page.evaluate("innerWidth")


WHOLE_WORDS = """bubble => {
  const box = bubble.querySelector(".words");
  return box.scrollHeight <= box.clientHeight + 1 && box.scrollWidth <= box.clientWidth + 1;
}"""


@pytest.mark.parametrize("size", ["small", "wide"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_others_say_keeps_to_the_panel_of_the_speaker(opened: Opened, size: str, language: str) -> None:
    """It lies over no neighbour, nor over what the speaker has set aside, and no word of it is cut."""
    still = fullest()
    players = list(still.state.players)
    players[3] = replace(players[3], set_aside=(Bean.CHILI, Bean.CHILI, Bean.BLUE))
    table = opened(
        size,
        still=replace(still, state=replace(still.state, players=tuple(players))),
        settings={"language": language},
    )
    params = {"bean": int(Bean.BLACK_EYED), "count": 3}
    table.hear(frames.Remark(3, int(time.time() * 1000), "says.need", params))
    speech = table.page.locator("[data-speech='3']")
    expect(speech).to_be_visible()
    table.drawn()

    [seat], [bubble] = boxes(table, "[data-seat='3']"), boxes(table, "[data-speech='3']")
    assert seat["left"] <= bubble["left"]
    assert bubble["right"] <= seat["right"]
    assert table.page.evaluate(COVERED, ["[data-speech]", UNSAID]) == []
    assert speech.evaluate(WHOLE_WORDS)
    aside = table.page.locator("[data-seat='3'] .aside")
    assert aside.evaluate(
        """chip => {
          const { left, right, top, bottom } = chip.getBoundingClientRect();
          const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
          return chip.contains(found);
        }"""
    )


def test_long_line_ends_with_a_whole_word(opened: Opened) -> None:
    """What has no room at a seat stands in the chat; at the seat it ends between two words."""
    table = opened("small", still=Namesakes(**asdict(fullest())))
    text = (
        "Whoever gives me a chili bean gets all of my wax beans, and the two blue ones that come after them"
    )
    table.hear(frames.Line(1, "one", int(time.time() * 1000), text))
    said = table.page.locator("[data-speech='1'] [data-words]")
    expect(said).to_have_text(re.compile("…$"))
    table.drawn()

    assert text.startswith(said.inner_text().removesuffix(" …") + " ")
    assert table.page.locator("[data-speech='1']").evaluate(WHOLE_WORDS)


@pytest.mark.parametrize("size", ["small", "wide"])
def test_what_is_read_in_the_chat_is_no_bubble(opened: Opened, size: str) -> None:
    """While the chat is open a line stands there alone, whole and at its end."""
    table = opened(size)
    table.page.locator("[data-key='m']").first.click()
    for seat in (1, 2, 3, 4):
        table.hear(frames.Remark(seat, int(time.time() * 1000), "phrase.thanks", {}))
    line = table.page.locator("[data-remark='4']")
    expect(line).to_be_visible()
    table.drawn()

    expect(table.page.locator("[data-speech]")).to_have_count(0)
    assert table.page.locator(".sheet .body").evaluate(
        "body => body.scrollTop + body.clientHeight >= body.scrollHeight - 1"
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("words", [("das-duell", "plant"), ("main", "4p", "plant")])
def test_what_others_say_leaves_the_headline_whole_on_a_phone(
    opened: Opened, words: tuple[str, ...], language: str
) -> None:
    """It hangs below whose turn it is, moves nothing, covers neither fields nor counts, and is named."""
    table = opened("phone", still=state(*words), settings={"language": language})
    line = "main.middle, .tools button, .logo, .now, .headline"
    board = at_rest(table, line)
    params = {"bean": int(Bean.BLACK_EYED), "count": 3}
    table.hear(frames.Remark(1, int(time.time() * 1000), "says.need", params))
    speech = table.page.locator("[data-speech='1']")
    expect(speech.locator("strong")).to_have_text("Bert")
    headline = table.page.locator(".headline")

    assert boxes(table, line) == board
    expect(table.page.locator(".logo")).to_be_visible()
    assert table.page.evaluate(COVERED, ["[data-speech]", f".headline, {UNSAID}"]) == []
    whole = "e => e.scrollWidth <= e.clientWidth + 1 && e.scrollHeight <= e.clientHeight + 1"
    assert headline.evaluate(whole)
    assert speech.locator(".words").evaluate("e => e.scrollHeight <= e.clientHeight + 1")


def test_star_of_a_phone_says_how_many_wishes_are_told(opened: Opened) -> None:
    """It bears the number of kinds the viewer wants, can spare and keeps, and it is full."""
    table = opened("phone")
    told = table.page.locator(".talk [data-wishes]")

    expect(told).to_be_visible()
    expect(told).to_have_text("3")
    expect(table.page.locator(".talk > .icon").first).not_to_have_css("fill", "none")


class StoodIn(Still, frozen=True):
    """A state in which a computer player plays for Bea, in the second seat."""

    def _welcome(self, seq: int, now: int) -> frames.Welcome:
        shown = Still._welcome(self, seq, now)
        first, _, *others = shown.room.seats
        seats = (first, Seat(user="bea", bot=BOT), *others)
        people = {**shown.people, "bea": frames.Person("Bea")}
        return replace(shown, room=replace(shown.room, seats=seats), people=people)


@pytest.mark.parametrize("size", SIZES)
def test_stand_in_looks_and_speaks_like_nobody_else(opened: Opened, size: str) -> None:
    """Its seat has another mark than that of a computer player, and its words are not those of the person."""
    table = opened(size, still=StoodIn(**asdict(fullest())))
    table.hear(frames.Remark(1, int(time.time() * 1000), "phrase.thanks", {}))
    page = table.page

    expect(page.locator("[data-speech='1'] strong")).to_have_text("computer for Bea")
    expect(page.locator(".stands")).to_have_count(1)
    expect(page.locator("[data-seat='1'] .stands")).to_be_visible()
    expect(page.locator("[data-seat='1'] .stands")).to_contain_text("plays for Bea")
    if size in ("small", "wide"):
        expect(page.locator("[data-seat='1'] [data-stand-in]")).to_have_text("plays for Bea")


class Namesakes(Still, frozen=True):
    """A state in which two people with one long name sit in the second and the third seat."""

    def _welcome(self, seq: int, now: int) -> frames.Welcome:
        shown = Still._welcome(self, seq, now)
        first, _, _, *others = shown.room.seats
        seats = (first, Seat(user="one"), Seat(user="two"), *others)
        name = frames.Person("Bartholomew of Greenfield")
        return replace(
            shown, room=replace(shown.room, seats=seats), people={**shown.people, "one": name, "two": name}
        )


@pytest.mark.parametrize("size", SIZES)
def test_number_behind_a_name_is_whole_however_little_of_it_has_room(opened: Opened, size: str) -> None:
    """It alone tells one person from another whose name is the same."""
    table = opened(size, still=Namesakes(**asdict(fullest())))
    number = table.page.locator("[data-seat='2'] .twin")

    expect(number).to_have_text("2")
    expect(table.page.locator(".twin")).to_have_count(1)
    [seat] = boxes(table, "[data-seat='2']")
    [box] = boxes(table, ".twin")
    assert seat["left"] < box["left"]
    assert box["right"] < seat["right"]


@pytest.mark.parametrize("size", SIZES)
def test_what_others_say_covers_no_card_of_the_own_hand(opened: Opened, size: str) -> None:
    """However many there are, also one that was chosen: what is said stands above them."""
    table = opened(size)
    table.page.locator("[data-card='2']").click()
    table.hear(frames.Remark(2, int(time.time() * 1000), "phrase.thanks", {}))
    expect(table.page.locator("[data-speech='2']")).to_be_visible()

    assert table.page.evaluate(COVERED, ["[data-speech]", "[data-card]"]) == []


@pytest.mark.parametrize("size", ["phone", "wide"])
def test_a_tip_covers_no_cards_and_no_opponents(opened: Opened, size: str) -> None:
    """A tip for new players stands on empty wood."""
    market = state("main", "7p", "trade", "mine")
    assert isinstance(market.state.phase, TradePhase)
    emptied = replace(market.state, phase=replace(market.state.phase, offers=()))
    quiet = replace(market, state=emptied)
    table = opened(size, settings={"hints": True}, still=quiet)
    expect(table.page.locator(".tip")).to_be_visible()

    assert table.page.evaluate(COVERED, [".tip", KEPT]) == []


def test_a_promise_to_the_viewer_is_seen_on_a_phone(opened: Opened) -> None:
    """Who has promised him something bears the mark of promises."""
    table = opened("phone")

    expect(table.page.locator("[data-seat='1'] .promised")).to_be_visible()
    expect(table.page.locator("[data-seat='2'] .promised")).to_have_count(0)


@pytest.mark.parametrize("size", SIZES)
def test_a_promise_to_the_viewer_is_read_when_it_is_made(opened: Opened, size: str) -> None:
    """When it is made, in words; one between others is not."""
    words = (Promise(7, 3, 0, (Bean.BLUE,), ()), Promise(8, 3, 2, (Bean.SOY,), ()))
    table = opened(size, still=replace(fullest(), told=tuple((PromiseMade(word),) for word in words)))
    told = table.page.locator("[data-speech='3']")

    short = size in ("phone", "tablet")
    expect(told).to_have_text("Dagur 1 blue bean" if short else "Dagur promises you 1 blue bean, sometime.")
    assert table.page.evaluate(COVERED, ["[data-speech]", UNSAID]) == []


@pytest.mark.parametrize("words", [("bean-duel", "plant", "mine"), ("das-duell", "plant", "mine")])
def test_there_are_no_wishes_where_nothing_is_traded(opened: Opened, words: tuple[str, ...]) -> None:
    """The bean duel and Das Duell have no trading, so nobody is asked what he wants."""
    table = opened("phone", still=state(*words))

    expect(table.page.locator("[data-card]").first).to_be_visible()
    expect(table.page.locator("[data-key='i']")).to_have_count(0)


def test_fields_of_opponents_bear_names_or_letters_of_their_kinds(opened: Opened) -> None:
    """Whoever cannot tell the colours reads them: names where there is room, and letters elsewhere."""
    table = opened("wide", still=state("main", "trade", "theirs"))
    planted = table.page.locator("[data-seat] .field[data-kind]")
    letters = table.page.locator("[data-seat] .letters")
    names = table.page.locator("[data-seat] [data-kinds]")

    assert letters.count() + names.count() == planted.count() > 6
    assert all(len(name.strip()) > 2 for name in names.all_inner_texts())
    assert all(
        len(text or "") == 2 for text in letters.evaluate_all("all => all.map(one => one.dataset.drawn)")
    )


def test_a_field_of_das_duell_explains_which_kinds_may_follow(opened: Opened) -> None:
    """On the field where a bean may be planted stands the rule of the next higher number, without its own."""
    table = opened(
        "wide", still=next(still for still in stills() if still.name == "das-duell plant mine waits plant")
    )
    table.page.locator(".target .plot").first.hover()

    expect(table.page.get_by_role("tooltip")).to_contain_text("the same number or the next higher one")
    expect(table.page.get_by_role("tooltip")).not_to_contain_text("DD-3")


def test_the_key_of_a_gift_is_shown_twice(opened: Opened) -> None:
    """A gift is sent by the second press of Enter, and its button says so."""
    table = opened("wide")
    table.page.locator("[data-key='o']").first.click()
    table.page.locator("[data-card='2']").click()

    drawn = table.page.locator("[data-send]").evaluate("send => getComputedStyle(send, '::after').content")
    assert "2× Enter" in drawn


def test_promise_is_dated_and_sent_in_sight_on_a_phone(opened: Opened) -> None:
    """However many kinds and people there are to choose from."""
    table = opened("phone")
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
def test_number_of_a_field_leaves_its_bean_in_sight(opened: Opened, size: str) -> None:
    """What grows there is seen by its drawing, whatever its number."""
    fields = opened(size).page.locator(".own [data-field]:has(.count)")

    assert fields.count() > 0
    assert fields.evaluate_all(HIDDEN_BEANS) == 0


@pytest.mark.parametrize("what", ["[data-seat='1']", "[data-menu]"])
def test_escape_closes_one_thing(opened: Opened, what: str) -> None:
    """What was opened last goes with one press, what is put together with the next."""
    table = opened("wide")
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
def test_two_cards_and_two_kinds_of_an_offer_are_whole(opened: Opened, size: str) -> None:
    """Neither is cut where they lie beside one another."""
    table = opened(size)
    table.page.locator("[data-key='o']").click()
    for card in (10, 11):
        table.page.locator(f"[data-card='{card}']").dispatch_event("click")
    for kind in (2, 3):
        table.page.locator("[data-want]").nth(kind).click()
    table.drawn()

    cut = "rows => rows.filter(row => row.scrollWidth > row.clientWidth).length"
    assert table.page.locator(".laid").count() == 2
    assert table.page.locator(".laid").evaluate_all(cut) == 0


def test_one_of_many_is_chosen_with_one_click(opened: Opened) -> None:
    """While an offer goes to all, a name means that one alone."""
    table = opened("wide")
    table.page.locator("[data-key='o']").click()
    table.page.locator("[data-to='2']").click()

    assert table.page.locator("[data-to][aria-pressed='true']").all_inner_texts() == ["Chiyo"]
    expect(table.page.locator("[data-to='pick']")).to_have_count(0)


@pytest.mark.parametrize("size", ["phone", "small"])
@pytest.mark.parametrize("language", [lang for lang in LANGUAGES if lang != "ja"])
def test_no_word_is_broken(opened: Opened, size: str, language: str) -> None:
    """On fields, piles and the button that takes a planting back words part only where they may."""
    kinds = ("main 7p plant theirs", "main 7p plant mine waits plant", "das-duell plant mine waits plant")
    shown = [next(one for one in stills() if one.name == kind and one.seat == 0) for kind in kinds]
    table = opened(size, settings={"language": language, "takeBack": 60_000}, still=shown[0])
    found = table.page.evaluate(BROKEN)
    for still in shown[1:]:
        table.show(still)
        table.page.locator(".target .plot").first.click()
        table.page.locator(".undo").wait_for()
        found += table.page.evaluate(BROKEN)
        table.page.keyboard.press("u")

    assert found == []


def test_third_field_can_be_taken_back(opened: Opened) -> None:
    """What was bought by mistake is not sent for a while."""
    table = opened("phone", settings={"takeBack": 60_000})
    table.page.locator(".gate .buy").click()
    table.page.locator(".gate .undo").wait_for()
    table.page.wait_for_timeout(700)  # a second tap that comes at once is one on the field
    table.page.locator(".gate .undo").click()
    expect(table.page.locator(".gate .buy")).to_be_visible()

    assert [one for one in table.heard if one.get("command", {}).get("do") == "buy-field"] == []


@pytest.mark.parametrize(("field", "presses", "disabled"), [(0, 1, "false"), (1, 2, "true")])
def test_third_field_is_offered_during_a_harvest_that_pays_for_it(
    opened: Opened, field: int, presses: int, disabled: str
) -> None:
    """While it can be taken back its coins count: eight blue pay, two wax do not, which takes two presses."""
    still = next(one for one in stills() if one.name == "main 7p plant mine waits plant" and one.seat == 0)
    table = opened("wide", still=still, settings={"takeBack": 60_000})
    for _ in range(presses):
        table.page.locator(f".own [data-harvest='{field}']").click()
        table.page.wait_for_timeout(700)  # a second press that comes at once is one of a double click
    table.page.locator(".own .undo").wait_for()

    expect(table.page.locator(".gate .buy")).to_have_attribute("aria-disabled", disabled)


@pytest.mark.parametrize("size", ["small", "wide"])
def test_tray_stands_still_while_something_is_put_together(opened: Opened, size: str) -> None:
    """Nothing of it moves, whatever its button says, and two kinds have their names."""
    table = opened(size, still=state("main", "4p", "trade"))
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
