"""The table on a phone: what lies on it is told apart by drawings and whole names, in every language."""

from __future__ import annotations

import re
import time

import msgspec
import pytest
from msgspec.structs import asdict
from playwright.sync_api import expect

from bohn.protocol import frames
from bohn.rules.beans import Bean
from bohn.rules.commands import DeclineOffer
from bohn.server.tables.viewpoint import ENCODER
from tests.web.support.covering import COVERED
from tests.web.support.markets import Market, moved, places
from tests.web.support.rooms import boxes
from tests.web.support.states import Still, fullest, stills, whole_game
from tests.web.support.texts import text
from tests.web.support.unserved import Opening, Unserved
from tests.web.support.walking import SIZES

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

LANGUAGES = ["en", "de", "is", "it", "ja", "ru", "sv"]


def with_hand(count: int) -> Still:
    """Return a state of a game of four in which the viewer has so many cards."""
    return next(still for still in whole_game("full", 4, 3) if len(still.state.players[0].hand) == count)


STRIPS = """spines => spines.map(spine => {
  const strip = spine.closest("li").getBoundingClientRect();
  const drawing = spine.closest(".card").querySelector("svg.bean").getBoundingClientRect();
  const text = spine.getBoundingClientRect();
  return {
    name: spine.dataset.drawn,
    inSight: drawing.left >= strip.left - 1 && drawing.right <= strip.right + 1 && drawing.width >= 18
      && text.right <= strip.right + 1,
    whole: spine.scrollHeight <= spine.clientHeight + 1 && spine.scrollWidth <= spine.clientWidth + 3,
  };
})"""
"""Of each name at the edge of a card: whether it and its drawing lie whole in what stays in sight."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_covered_hand_cards_show_their_drawing_and_whole_name(on_phone: Opening, language: str) -> None:
    """With six cards, with eight, and in two rows, the strip that stays in sight tells the kind."""
    table = on_phone(language)
    for still in (with_hand(6), with_hand(8), fullest()):
        table.show(still)
        strips = table.page.locator("[data-card] .spine").evaluate_all(STRIPS)
        assert strips
        assert [strip for strip in strips if not (strip["inSight"] and strip["whole"])] == []


BROKEN = """(name, words) => {
  const style = getComputedStyle(name);
  const room = name.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const text = document.body.appendChild(document.createElement("span"));
  text.style.cssText = "position: absolute; white-space: nowrap";
  text.style.font = style.font;
  text.style.letterSpacing = style.letterSpacing;
  return words.filter(word => {
    text.textContent = word;
    return text.getBoundingClientRect().width > room;
  });
}"""
"""The words that have no room on one line below a card."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_of_a_bean_is_broken_on_a_small_card(opened: Opening, language: str) -> None:
    """Every word of every name has a line to itself at least."""
    table = opened({**SIZES["phone"], "viewport": {"width": 360, "height": 700}}, language=language)
    table.show(Market(0).still())
    names = [text(f"table.short.{bean.name.lower()}", language) for bean in Bean]
    words = [word for name in names for word in re.split(r"[ \u00ad-]", name)]
    card = table.page.locator("[data-card] .card").last

    assert card.evaluate("e => e.offsetWidth") == 52
    assert card.locator(".name").evaluate(BROKEN, words) == []


CHIPS = """chips => chips.map(chip => {
  const name = chip.querySelector(".drawn");
  const [box, text] = [chip.getBoundingClientRect(), name?.getBoundingClientRect()];
  return [name?.dataset.drawn ?? "", text !== undefined && text.left >= box.left && text.right <= box.right];
})"""
"""The name of each kind that can be wanted, and whether it lies in its chip."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_kinds_to_want_bear_their_names(on_phone: Opening, language: str) -> None:
    """Each kind that may be asked for bears the name that its card bears, whole, and no letters for it."""
    table = on_phone(language)
    table.show(fullest())
    table.page.locator("[data-key='o']").first.click()
    table.drawn()
    for name, whole in table.page.locator("[data-want]").evaluate_all(CHIPS):
        assert whole, name
        assert len(name) > (1 if language == "ja" else 2), name


def test_wishes_of_others_are_drawn(on_phone: Opening) -> None:
    """What somebody wants stands at his seat as drawings of the beans."""
    table = on_phone()
    table.show(fullest())
    wishes = table.page.locator("[data-seat] .wants")

    assert wishes.count() > 0
    for at in range(wishes.count()):
        expect(wishes.nth(at).locator("svg.bean")).not_to_have_count(0)
        assert wishes.nth(at).inner_text().strip() == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_offer_between_others_says_which_side_is_wanted(on_phone: Opening, language: str) -> None:
    """Who gives, what, to whom, and what he gets: the beans stand below their words, all in one line."""
    market = Market(1, players=5)
    give, want = market.hand(2)[0], market.hand(1)[0]
    number = market.offer(2, (1,), [give], [want])
    table = on_phone(language)
    table.show(market.still())
    sides = table.page.locator(f"#ticket-{number} .side")

    expect(sides).to_have_count(2)
    expect(sides.first.locator(".who")).to_contain_text("Chiyo")
    expect(sides.last.locator(".gives")).not_to_be_empty()
    assert [kind_of(table, number, at) for at in range(2)] == [give.name.lower(), want.name.lower()]
    places = [
        boxes(table, f"#ticket-{number} {part}")[0]["left"] for part in (".side", ".to", ".side:last-child")
    ]
    assert places == sorted(places)
    box = table.page.locator(f"#ticket-{number}").bounding_box()
    assert box is not None
    assert box["height"] < 52


def kind_of(table: Unserved, number: int, side: int) -> str:
    """Return the kind that is drawn on one side of a line."""
    drawn = table.page.locator(f"#ticket-{number} .side").nth(side).locator("svg.bean use")
    return (drawn.get_attribute("href") or "").removeprefix("#beans-")


def state(name: str) -> Still:
    """Return the first state of this name."""
    return next(still for still in stills() if still.name == name)


KEPT = (
    ".logo, .now, .tools button, [data-seat], .pile, [data-face-up], .talk, .quiet-place > p, .tail .line, "
    "[data-aside], .own .field, [data-card], .context .said, .context button, .coins"
)
"""What is read or pressed while nobody trades."""


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("name", ["main 4p plant", "main 7p plant-traded mine waits plant-set-aside"])
def test_what_is_said_while_nobody_trades_stands_on_empty_wood(
    on_phone: Opening, name: str, language: str
) -> None:
    """Neither the line above the board nor anything one plays with lies under it, and nothing moves."""
    table = on_phone(language)
    table.show(state(name))
    before = places(table.page)
    params = {"bean": int(Bean.BLACK_EYED), "count": 3}
    table.hear(frames.Remark(1, int(time.time() * 1000), "says.need", params))
    expect(table.page.locator("main [data-speech='1']")).to_be_visible()

    assert table.page.evaluate(COVERED, ["[data-speech]", KEPT]) == []
    assert moved(before, places(table.page)) == []


class Refusing(Still, frozen=True):
    """A state in which nothing is done that is asked for."""

    def answer(self, sent: bytes) -> bytes | None:
        """Refuse every command."""
        frame = msgspec.json.decode(sent, type=frames.AnyClientFrame)
        if isinstance(frame, frames.Send):
            return ENCODER.encode(frames.Refused(frame.id, "single-bean-protected", None, {}))
        return super().answer(sent)


def test_refusal_while_nobody_trades_stands_on_empty_wood(on_phone: Opening) -> None:
    """Why something was not done lies over nothing that one plays with."""
    table = on_phone()
    table.show(Refusing(**asdict(state("main 7p plant mine waits reveal"))))
    table.page.locator("[data-key='t']").click()
    told = table.page.locator("main .notice.alert")
    expect(told).to_be_visible()

    assert table.page.evaluate(COVERED, [".notice.alert", KEPT]) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_bar_is_as_high_whatever_it_asks(on_phone: Opening, language: str) -> None:
    """However long what is asked, and the word of the button: nothing above it moves."""
    table = on_phone(language)
    high = {}
    for still in stills():
        if still.name.startswith("main") and " end" not in f"{still.name} " and still.seat == 0:
            table.show(still)
            box = table.page.locator("section.context").bounding_box()
            assert box is not None
            high[still.name] = box["height"]

    assert {name: px for name, px in high.items() if abs(px - min(high.values())) >= 1} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_own_offer_names_its_buttons(on_phone: Opening, language: str) -> None:
    """To change it and to take it back are words below their drawings, and within the offer."""
    market = Market(0)
    own = market.offer(0, (1,), [market.hand(0)[0]], [market.hand(1)[0]])
    table = on_phone(language)
    table.show(market.still())
    ticket = table.page.locator(f"#ticket-{own}")
    frame = ticket.bounding_box()
    assert frame is not None
    for key in ("e", "v"):
        words = ticket.locator(f"[data-key='{key}'] [data-drawn]")
        assert words.count() > 0
        for at in range(words.count()):
            box = words.nth(at).bounding_box()
            assert box is not None
            assert box["x"] > frame["x"]
            assert box["x"] + box["width"] < frame["x"] + frame["width"]


def test_next_offer_comes_soon_after_a_no(on_phone: Opening) -> None:
    """The hole that an offer leaves which the viewer declined closes within three seconds."""
    market = Market(0)
    numbers = [
        market.offer(1 + at % 2, (0,), [market.hand(1 + at % 2)[at // 2]], [market.hand(0)[at]])
        for at in range(3)
    ]
    table = on_phone()
    table.show(market.still())
    row = table.page.locator("section.offers > .row").bounding_box()
    assert row is not None
    market.do(DeclineOffer(0, numbers[0], 1))
    table.show(market.still())
    table.page.wait_for_timeout(3_000)
    box = table.page.locator(f"#ticket-{numbers[1]}").bounding_box()

    assert box is not None
    assert box["y"] - row["y"] < 8
