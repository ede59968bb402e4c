"""What others say and promise stands at their seat: whole, in sight, and over no card."""

from __future__ import annotations

import re
import time
from itertools import pairwise

import pytest
from msgspec.structs import asdict, replace
from playwright.sync_api import expect

from bohn.protocol import frames
from bohn.protocol.room import Seat
from bohn.rules.beans import Bean
from bohn.rules.events import PromiseMade
from bohn.rules.state import Promise, Wishes
from tests.web.support.covering import COVERED
from tests.web.support.moments import BOT
from tests.web.support.rooms import LANGUAGES, Opened, at_rest, boxes, state
from tests.web.support.states import Still, fullest, whole_game
from tests.web.support.walking import SIZES

pytestmark = pytest.mark.e2e

UNSAID = (
    "[data-seat] .fields, [data-seat] .counts, [data-face-up], .pile, .make, [data-offer], .coins, "
    ".own .field, [data-card], .context button, .tools button"
)
"""What nobody's words may lie over: cards, numbers and what is pressed."""


WHOLE_ALL = "e => e.scrollHeight <= e.clientHeight + 1 && e.scrollWidth <= e.clientWidth + 1"


WHOLE_WORDS = """bubble => {
  const box = bubble.querySelector(".words");
  return box.scrollHeight <= box.clientHeight + 1 && box.scrollWidth <= box.clientWidth + 1;
}"""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seat", [1, 3, 6])
def test_what_others_say_stands_at_their_seat_and_covers_no_cards(
    full_table: Opened, size: str, seat: int
) -> None:
    """It is a bubble below the fields of the speaker, on a phone above all seats, and it is not cut."""
    table = full_table(size)
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


@pytest.mark.parametrize("size", ["small", "wide"])
@pytest.mark.parametrize("seat", [3, 6])
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_others_say_leaves_wishes_in_sight(
    full_table: Opened, size: str, seat: int, language: str
) -> None:
    """What is wanted, to spare and set aside is read beside it, the neighbours' too; no word of it is cut."""
    still = fullest()
    players = list(still.state.players)
    players[3] = replace(players[3], set_aside=(Bean.CHILI, Bean.CHILI, Bean.BLUE))
    table = full_table(
        size,
        still=replace(still, state=replace(still.state, players=tuple(players))),
        settings={"language": language},
    )
    params = {"bean": int(Bean.BLACK_EYED), "count": 3}
    table.hear(frames.Remark(seat, int(time.time() * 1000), "says.need", params))
    speech = table.page.locator(f"[data-speech='{seat}']")
    expect(speech).to_be_visible()
    table.drawn()

    assert table.page.evaluate(COVERED, ["[data-speech]", f"[data-seat] .talk, {UNSAID}"]) == []
    assert speech.evaluate(WHOLE_WORDS)
    [panel], [bubble] = boxes(table, f"[data-seat='{seat}']"), boxes(table, f"[data-speech='{seat}']")
    assert bubble["left"] < panel["right"]
    assert bubble["right"] > panel["left"]
    assert 0 <= bubble["left"] < bubble["right"] <= table.page.evaluate("innerWidth")


def test_long_line_ends_with_a_whole_word(full_table: Opened) -> None:
    """What has no room at a seat stands in the chat; at the seat it ends between two words."""
    table = full_table("small", still=Namesakes(**asdict(fullest())))
    text = (
        "Whoever gives me a chili bean gets all of my wax beans, and the two blue ones that come after them, "
        "and whoever has none of these may ask me for anything else that I have in my hand before it is late"
    )
    table.hear(frames.Line(1, "one", int(time.time() * 1000), text))
    said = table.page.locator("[data-speech='1'] [data-words]")
    expect(said).to_have_text(re.compile("…$"))
    table.drawn()

    assert text.startswith(said.inner_text().removesuffix(" …") + " ")
    assert table.page.locator("[data-speech='1']").evaluate(WHOLE_WORDS)


@pytest.mark.parametrize("size", ["small", "wide"])
def test_what_is_read_in_the_chat_is_no_bubble(full_table: Opened, size: str) -> None:
    """While the chat is open a line stands there alone, whole and at its end."""
    table = full_table(size)
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
    full_table: Opened, words: tuple[str, ...], language: str
) -> None:
    """It hangs below whose turn it is, moves nothing, covers neither fields nor counts, and is named."""
    table = full_table("phone", still=state(*words), settings={"language": language})
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


@pytest.mark.parametrize("size", ["small", "wide"])
@pytest.mark.parametrize("wishing", [False, True])
@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_what_three_say_at_once_is_read_at_each_seat(
    full_table: Opened, size: str, language: str, *, wishing: bool
) -> None:
    """Nobody's words take away those of another, nor do they lie over them, beside wishes either."""
    still = next(one for one in whole_game("full", 4, 3) if one.state.turn > 6)
    if wishing:
        talk = replace(still.state.talk, wishes=(Wishes(want=(Bean.BLUE,)),) * 4)
        still = replace(still, state=replace(still.state, talk=talk))
    table = full_table(size, still=still, settings={"language": language})
    for seat in (1, 2, 3):
        table.hear(frames.Remark(seat, int(time.time() * 1000), "says.too-dear", {}))

    expect(table.page.locator("[data-speech]")).to_have_count(3)
    words = boxes(table, "[data-speech]")
    assert all(one["right"] <= next_["left"] for one, next_ in pairwise(words))
    assert table.page.locator("[data-speech] .words").evaluate_all(f"all => all.every({WHOLE_ALL})")


def test_star_of_a_phone_says_how_many_wishes_are_told(full_table: Opened) -> None:
    """It bears the number of kinds the viewer wants, can spare and keeps, and it is full."""
    table = full_table("phone")
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
def test_stand_in_looks_and_speaks_like_nobody_else(full_table: Opened, size: str) -> None:
    """Its seat has another mark than that of a computer player, and its words are not those of the person."""
    table = full_table(size, still=StoodIn(**asdict(fullest())))
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
def test_number_behind_a_name_is_whole_however_little_of_it_has_room(full_table: Opened, size: str) -> None:
    """It alone tells one person from another whose name is the same."""
    table = full_table(size, still=Namesakes(**asdict(fullest())))
    number = table.page.locator("[data-seat='2'] .twin")

    expect(number).to_have_text("2")
    expect(table.page.locator(".twin")).to_have_count(1)
    [seat] = boxes(table, "[data-seat='2']")
    [box] = boxes(table, ".twin")
    assert seat["left"] < box["left"]
    assert box["right"] < seat["right"]


@pytest.mark.parametrize("size", SIZES)
def test_what_others_say_covers_no_card_of_the_own_hand(full_table: Opened, size: str) -> None:
    """However many there are, also one that was chosen: what is said stands above them."""
    table = full_table(size)
    table.page.locator("[data-card='2']").click()
    table.hear(frames.Remark(2, int(time.time() * 1000), "phrase.thanks", {}))
    expect(table.page.locator("[data-speech='2']")).to_be_visible()

    assert table.page.evaluate(COVERED, ["[data-speech]", "[data-card]"]) == []


def test_a_promise_to_the_viewer_is_seen_on_a_phone(full_table: Opened) -> None:
    """Who has promised him something bears the mark of promises."""
    table = full_table("phone")

    expect(table.page.locator("[data-seat='1'] .promised")).to_be_visible()
    expect(table.page.locator("[data-seat='2'] .promised")).to_have_count(0)


@pytest.mark.parametrize("size", SIZES)
def test_a_promise_to_the_viewer_is_read_when_it_is_made(full_table: Opened, size: str) -> None:
    """When it is made, in words; one between others is not."""
    words = (Promise(7, 3, 0, (Bean.BLUE,), ()), Promise(8, 3, 2, (Bean.SOY,), ()))
    table = full_table(size, still=replace(fullest(), told=tuple((PromiseMade(word),) for word in words)))
    told = table.page.locator("[data-speech='3']")

    short = size in ("phone", "tablet")
    expect(told).to_have_text("Dagur gives 1 blue bean" if short else "I promise you 1 blue bean, sometime.")
    assert table.page.evaluate(COVERED, ["[data-speech]", UNSAID]) == []
