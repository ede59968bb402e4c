"""Offers lie whole in the market: side by side, above what is put together, and counted where they do not."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from bohn.rules.commands import DeclineOffer, WithdrawOffer
from tests.web.support.markets import Market, moved, places
from tests.web.support.pushed import until
from tests.web.support.states import Still, fullest
from tests.web.support.unserved import Opening, Unserved
from tests.web.support.walking import SIZES

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

LOW = {"viewport": {"width": 1024, "height": 700}}
"""A window in which eight offers have no room beside one another."""

CUT = """() => {
  const frame = document.querySelector("section.offers .row").getBoundingClientRect();
  return [...document.querySelectorAll("[data-offer], [data-offer] button")].flatMap(thing => {
    const box = thing.getBoundingClientRect();
    if (box.width === 0) return [];
    const inside = box.left > frame.left - 2 && box.right < frame.right + 2;
    const outside = box.right < frame.left + 2 || box.left > frame.right - 2;
    const whole = box.top > frame.top - 2 && box.bottom < frame.bottom + 2;
    const name = thing.dataset.offer ?? thing.getAttribute("aria-label") ?? thing.innerText;
    return whole && (inside || outside) ? [] : [name];
  });
}"""
"""What is neither whole in sight nor out of sight in the market."""

SEEN = """() => {
  const frame = document.querySelector("section.offers .row").getBoundingClientRect();
  return [...document.querySelectorAll("[data-offer]")].filter(ticket => {
    const box = ticket.getBoundingClientRect();
    return box.left > frame.left - 2 && box.right < frame.right + 2 && box.bottom < frame.bottom + 2;
  }).length;
}"""
"""How many tickets are whole in sight."""

LETTER = """button => {
  const style = getComputedStyle(button, "::after");
  const words = document.createRange();
  words.selectNodeContents(button);
  const around = parseFloat(style.paddingTop) + parseFloat(style.borderTopWidth);
  const high = parseFloat(style.height) + 2 * around;
  const top = button.getBoundingClientRect().bottom - parseFloat(style.bottom) - high;
  return { written: style.content, above: top - words.getBoundingClientRect().bottom };
}"""
"""What the letter of a button is, and how many px it lies below the button's words."""


def compose(table: Unserved) -> None:
    """Begin an offer of the first card."""
    table.page.locator("[data-key='o']").click()
    table.page.locator("[data-card='1']").click(position={"x": 8, "y": 8})
    table.page.locator("[data-want]").first.click()
    table.drawn()


def overlap(page: Page, one: str, other: str) -> bool:
    """Tell whether two things on the page lie upon each other."""
    first, second = (page.locator(selector).first.bounding_box() for selector in (one, other))
    assert first is not None
    assert second is not None
    apart = (
        first["x"] + first["width"] <= second["x"] + 1
        or second["x"] + second["width"] <= first["x"] + 1
        or first["y"] + first["height"] <= second["y"] + 1
        or second["y"] + second["height"] <= first["y"] + 1
    )
    return not apart


@pytest.mark.parametrize(
    ("size", "language"),
    [("tablet", "en"), ("small", "en"), ("small", "ru"), ("small", "en-XA"), ("wide", "en"), ("wide", "ru")],
)
def test_eight_offers_are_whole_in_sight(opened: Opening, size: str, language: str) -> None:
    """In the market of seven no ticket and no button of one is cut, and the own offer lies among them."""
    table = opened(SIZES[size], language=language)
    table.show(fullest())

    assert table.page.evaluate(CUT) == []
    assert table.page.evaluate(SEEN) == 8


@pytest.mark.parametrize("language", ["en", "ru"])
def test_offers_one_can_take_are_whole_while_one_composes(opened: Opening, language: str) -> None:
    """In a small window the tray lies below them, and six and more stay in sight."""
    table = opened(SIZES["small"], language=language)
    table.show(fullest())
    compose(table)

    assert table.page.evaluate(CUT) == []
    assert table.page.evaluate(SEEN) >= 6
    assert not overlap(table.page, "section.offers", "[data-tray]")


def few(market: Market, own: int = 1) -> Still:
    """Return a market with two offers to the viewer and so many of his own."""
    ada = list(dict.fromkeys(market.hand(0)))
    market.offer(1, (0,), market.hand(1)[:1], ada[:1])
    market.offer(2, (0,), market.hand(2)[:1], ada[1:2])
    for bean in ada[2 : 2 + own]:
        market.offer(0, (1,), [bean], market.hand(1)[1:2])
    return market.still()


def many(number: int) -> Market:
    """Return a market with so many offers to the viewer, of two others in turn."""
    market = Market(0)
    ada = list(dict.fromkeys(market.hand(0)))
    for at in range(number):
        maker = 1 + at % 2
        market.offer(maker, (0,), market.hand(maker)[at // 2 : at // 2 + 1], ada[at % 3 : at % 3 + 1])
    return market


def test_offers_in_a_small_window_say_who_offers_and_what_it_would_mean(opened: Opening) -> None:
    """Six have all their lines: who offers, both sides by name, and which field would grow."""
    table = opened(SIZES["small"])
    table.show(many(6).still())
    table.drawn()

    tickets = table.page.locator("[data-offer]")
    for at in range(6):
        heading, effect = tickets.nth(at).locator("h3"), tickets.nth(at).locator("li").first
        for line, words in ((heading, r"^(Bert|Chiyo) offers"), (effect, r"\w:? 0 → 1")):
            box = line.bounding_box()
            assert box is not None
            assert box["width"] > 60  # what is for screen readers only has one px
            expect(line).to_have_text(re.compile(words))
    assert table.page.evaluate(SEEN) == 6
    assert table.page.evaluate(CUT) == []


def test_crowded_market_of_a_small_window_keeps_its_shape(opened: Opening) -> None:
    """The seventh offer lets all stand on three lines once it is calm, and they stay so when it is gone."""
    market = many(7)
    crowded = market.still()
    table = opened(SIZES["small"])
    table.show(many(6).still())
    table.show(crowded)
    table.drawn()
    until(table.page, f"() => ({SEEN})() === 7")
    table.drawn()
    before = places(table.page)
    market.do(WithdrawOffer(1, 7))
    table.show(market.still())
    table.drawn()

    assert [line for line in moved(before, places(table.page)) if not line.startswith("dot ")] == []


@pytest.mark.parametrize(("size", "few"), [("small", 4), ("wide", 6)])
def test_offer_for_which_others_must_be_narrower_waits_under_a_mouse(
    opened: Opening, size: str, few: int
) -> None:
    """What is pointed at stays where it is; once the mouse has gone, all are narrower in a calm moment."""
    table = opened(SIZES[size])
    table.show(many(few).still())
    table.drawn()
    before = places(table.page)
    button = table.page.locator("#ticket-1 [data-key='d']").bounding_box()
    assert button is not None
    table.page.mouse.move(button["x"] + 5, button["y"] + 5)
    table.show(many(few + 1).still())
    table.page.wait_for_timeout(4500)
    stands = places(table.page)
    assert [line for line in moved(before, stands) if re.match(r"\d+: ", line)] == []

    table.page.mouse.move(5, 5)
    until(table.page, f"() => ({SEEN})() === {few + 1}")


def test_offer_out_of_sight_takes_a_hole_that_is_not_pointed_at(opened: Opening) -> None:
    """Nobody has to take his mouse out of the market for what lies behind its edge."""
    market = many(9)
    table = opened(LOW)
    table.show(market.still())
    table.drawn()
    seen = table.page.evaluate(SEEN)
    assert seen < 9
    pointed = table.page.locator("#ticket-2").bounding_box()
    hole = table.page.locator("#ticket-1").bounding_box()
    assert pointed is not None
    assert hole is not None
    table.page.mouse.move(pointed["x"] + 50, pointed["y"] + 5)
    for number in (1, 2):
        market.do(WithdrawOffer(1 + (number - 1) % 2, number))
    table.show(market.still())
    expect(table.page.locator("p.gone")).to_have_count(0)

    until(table.page, f"() => ({SEEN})() === {seen - 1}")
    taken = [ticket.bounding_box() for ticket in table.page.locator("[data-offer]").all()]
    assert hole["x"] in [box["x"] for box in taken if box is not None and box["y"] == hole["y"]]
    assert pointed["x"] not in [box["x"] for box in taken if box is not None and box["y"] == pointed["y"]]


@pytest.mark.parametrize("language", ["en", "de"])
def test_own_offer_that_somebody_would_take_is_no_higher_for_it(opened: Opening, language: str) -> None:
    """In the second row of a full market its button and both sides stay whole in sight."""
    market = many(3)
    ada, chiyo = market.hand(0), market.hand(2)
    number = market.offer(0, (1, 2), [bean for bean in ada if bean != chiyo[0]][:1], chiyo[:1], is_open=True)
    for bean in market.hand(1)[2:4]:
        market.offer(1, (0,), [bean], ada[:1])
    table = opened(SIZES["wide"], language=language)
    table.show(market.still())
    table.drawn()
    before = table.page.locator(f"#ticket-{number}").bounding_box()
    market.claim(2, number, chiyo[0])
    table.show(market.still())
    table.drawn()
    after = table.page.locator(f"#ticket-{number}").bounding_box()

    assert before is not None
    assert after is not None
    assert after["height"] <= before["height"]
    assert table.page.evaluate(CUT) == []


BEYOND = """() => [...document.querySelectorAll("[data-offer] button")].flatMap(button => {
  const box = button.getBoundingClientRect();
  const around = button.closest("[data-offer]").getBoundingClientRect();
  return box.width > 1 && (box.right > around.right - 1 || box.left < around.left) ? [button.innerText] : [];
})"""
"""Buttons that cross the edge of their ticket."""


@pytest.mark.parametrize("language", ["de", "is", "it", "ja", "ru", "sv"])
def test_no_button_crosses_the_edge_of_its_ticket(opened: Opening, language: str) -> None:
    """In three columns of a small window one that chooses among the cards has room beside the others."""
    table = opened(SIZES["small"], language=language)
    table.show(many(6).still())
    table.drawn()

    expect(table.page.locator("[data-key='w']").first).to_be_visible()
    assert table.page.evaluate(BEYOND) == []


WORDS = """() => Object.fromEntries([...document.querySelectorAll("[data-offer]")].flatMap(ticket => {
  const { left, width, height } = ticket.getBoundingClientRect();
  return width === 0 ? [] : [[ticket.dataset.offer, [ticket.innerText, left, width, height].map(String)]];
}))"""
"""What each ticket in sight says, where it begins and how large it is."""


@pytest.mark.parametrize("size", ["small", "wide"])
@pytest.mark.parametrize("number", [1, 4])
def test_offer_that_is_answered_keeps_its_column_and_words(opened: Opening, size: str, number: int) -> None:
    """So do those beside it; what has no room beside the answer steps aside as a whole."""
    table = opened(SIZES[size])
    table.show(many(4).still())
    table.drawn()
    before = table.page.evaluate(WORDS)
    table.page.locator(f"#ticket-{number} [data-key='c']").click()
    table.drawn()
    after = table.page.evaluate(WORDS)

    assert str(number) in after
    assert len(after) < len(before)
    assert {offer: said for offer, said in before.items() if offer in after} == after
    assert table.page.evaluate(CUT) == []
    table.page.locator("[data-tray] .close").first.click()
    table.drawn()
    assert table.page.evaluate(WORDS) == before


@pytest.mark.parametrize(("size", "tickets"), [("small", 3), ("wide", 4)])
def test_listed_offer_that_is_answered_keeps_its_row(opened: Opening, size: str, tickets: int) -> None:
    """The line and the tickets beside it stay as they were; what has no room steps aside as a whole."""
    market = many(tickets)
    numbers = [market.offer(1, (0,), market.hand(1)[:1], [market.lacked(0)]) for _ in range(2)]
    table = opened(SIZES[size])
    table.show(market.still())
    table.drawn()
    before = table.page.evaluate(WORDS)
    table.page.locator(f"#ticket-{numbers[1]} [data-key='c']").click()
    table.drawn()
    after = table.page.evaluate(WORDS)

    row = {str(number) for number in (tickets, *numbers)}  # the last ticket lies beside the list
    assert set(after) == row
    assert len(after) < len(before)
    assert {offer: said for offer, said in before.items() if offer in after} == after
    expect(table.page.locator(f"#ticket-{numbers[1]}")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("language", ["en", "de", "is", "ru"])
def test_promise_is_whole_in_a_small_window(opened: Opening, language: str) -> None:
    """To whom, what, what for, when and the button that makes it are in sight together."""
    table = opened(SIZES["small"], language=language)
    table.show(few(Market(0)))
    table.page.locator("[data-key='i']").first.click()
    table.page.locator("[data-promise]").click()
    table.drawn()

    panel = table.page.locator("[data-talk]")
    assert panel.evaluate("panel => panel.scrollHeight - panel.clientHeight") <= 1
    expect(panel.locator(".send button")).to_be_in_viewport(ratio=1)


def test_offers_beside_what_is_put_together_name_their_beans(opened: Opening) -> None:
    """Five in a small window have two lines there: the beans with their names, and what it would mean."""
    table = opened(SIZES["small"])
    table.show(many(5).still())
    compose(table)

    names = table.page.locator("[data-offer] .name")
    assert names.count() == 10
    assert all(box is not None and box["width"] > 8 for box in (one.bounding_box() for one in names.all()))
    assert table.page.evaluate(SEEN) == 5
    assert table.page.evaluate(CUT) == []


@pytest.mark.parametrize("size", ["tablet", "small", "wide"])
@pytest.mark.parametrize("key", ["o", "i"])
def test_few_offers_keep_their_shape_beside_what_is_put_together(
    opened: Opening, size: str, key: str
) -> None:
    """Where the first row has room for all, neither an offer nor its wishes move one of them, or a pile.

    That of a small window has room for two.
    """
    table = opened(SIZES[size])
    table.show(few(Market(0), own=0 if size == "small" else 1))
    before = places(table.page)
    table.page.locator(f"[data-key='{key}']").first.click()
    table.drawn()

    assert moved(before, places(table.page)) == []
    assert table.page.evaluate(CUT) == []


def test_offers_out_of_sight_are_counted_and_reached(opened: Opening) -> None:
    """Where there is no room for all, a button says how many more there are, and leads to them."""
    table = opened(LOW)
    table.show(fullest())
    more = table.page.locator("[data-more]")
    seen = table.page.evaluate(SEEN)
    expect(more).to_contain_text(f"{8 - seen} more")
    assert table.page.evaluate(CUT) == []

    hidden = table.page.locator("[data-offer]").last
    more.click()
    expect(hidden).to_be_in_viewport(ratio=0.9)


@pytest.mark.parametrize("size", ["phone", "small", "wide"])
def test_declined_offer_becomes_one_line_where_it_lay(opened: Opening, size: str) -> None:
    """It says that the viewer has said no, and no other ticket moves."""
    market = Market(1)
    ada = market.hand(0)
    number = [market.offer(1, (0,), [], [bean]) for bean in dict.fromkeys(ada)][-1]
    table = opened(SIZES[size])
    table.show(market.still())
    before = places(table.page)
    market.do(DeclineOffer(0, number, 1))
    table.show(market.still())
    table.drawn()

    ticket = table.page.locator(f"#ticket-{number}")
    box = ticket.bounding_box()
    assert box is not None
    assert box["height"] < 60
    expect(ticket).to_contain_text("You said no")
    after = places(table.page)
    others = {name for name in before.keys() & after.keys() if not name.startswith((f"{number}:", "dot "))}
    assert {name: before[name] for name in others} == {name: after[name] for name in others}


@pytest.mark.parametrize("size", ["phone", "small", "wide"])
def test_offer_one_cannot_take_says_what_is_missing(opened: Opening, size: str) -> None:
    """It stands on the ticket, where others say what they would bring."""
    market = Market(1)
    number = market.offer(1, (0,), [], [market.lacked(0)])
    table = opened(SIZES[size])
    table.show(market.still())

    ticket = table.page.locator(f"#ticket-{number}")
    expect(ticket).to_contain_text("you have none")
    expect(ticket.locator("[data-key='a']")).to_have_attribute("aria-disabled", "true")
    assert table.page.evaluate(CUT) == []


@pytest.mark.parametrize("size", ["phone", "small", "wide"])
def test_offer_one_cannot_take_is_one_line_that_a_press_counters(opened: Opening, size: str) -> None:
    """It names who looks for something, shows no dead button, and a press answers it with another offer."""
    market = Market(1)
    number = market.offer(1, (0,), market.hand(1)[:1], [market.lacked(0)])
    table = opened(SIZES[size])
    table.show(market.still())
    ticket = table.page.locator(f"#ticket-{number}")
    box = ticket.bounding_box()
    assert box is not None
    assert 40 <= box["height"] < 52
    expect(ticket.get_by_text("Bert looks for", exact=True)).to_be_visible()
    ticket.locator("[data-key='c']").click()
    expect(table.page.locator("[data-tray]")).to_be_visible()


@pytest.mark.parametrize("size", ["small", "wide"])
def test_offer_one_cannot_take_is_declined_by_a_press(opened: Opening, size: str) -> None:
    """Beside its line lies a "no" that can be hit and covers no word."""
    market = Market(1)
    number = market.offer(1, (0,), market.hand(1)[:1], [market.lacked(0)])
    table = opened(SIZES[size])
    table.show(market.still())
    ticket = table.page.locator(f"#ticket-{number}")
    expect(ticket.get_by_text("Bert looks for", exact=True)).to_be_visible()
    ticket.get_by_role("button", name="No", exact=True).click()
    table.drawn()
    command = next(frame["command"] for frame in table.heard if frame["type"] == "command")
    assert (command["do"], command["offer"]) == ("decline-offer", number)


def test_ticket_that_lacks_a_card_is_no_higher_for_it(opened: Opening) -> None:
    """In a small window what is missing has one line beside the buttons, however long words are."""
    market = Market(1)
    ada = market.hand(0)
    market.offer(1, (0,), [], [ada[0], ada[0], market.lacked(0)])
    market.offer(1, (0,), [], ada[:1])
    table = opened(SIZES["small"], language="en-XA")
    table.show(market.still())

    heights = "all => all.map(one => one.getBoundingClientRect().height)"
    assert max(table.page.locator("[data-offer]").evaluate_all(heights)) < 130
    assert max(table.page.locator("[data-offer] .button").evaluate_all(heights)) < 46
    assert table.page.evaluate(CUT) == []


def test_count_above_the_numbers_is_no_second_number(opened: Opening) -> None:
    """What stands before the numbers of the offers that wait says only for whom they are."""
    market = Market(1)
    market.offer(1, (0,), [], [market.lacked(0)])
    market.offer(1, (0,), [], market.hand(0)[:1])
    table = opened(SIZES["wide"])
    table.show(market.still())

    expect(table.page.locator(".stand .count")).to_have_text("For you:")
    expect(table.page.locator(".stand .dot")).to_have_attribute("title", "Offer 2")


@pytest.mark.parametrize("size", ["small", "wide"])
def test_letters_of_a_ticket_hide_no_words(opened: Opening, size: str) -> None:
    """On the ticket that was chosen each letter hangs below the words of its button."""
    market = Market(1)
    number = market.offer(1, (0,), [], market.hand(0)[:1])
    table = opened(SIZES[size], keys=True)
    table.show(market.still())
    ticket = table.page.locator(f"#ticket-{number}")
    ticket.focus()
    for key in "acd":
        letter = ticket.locator(f"[data-key='{key}']").evaluate(LETTER)
        assert letter["written"].startswith(f'"{key}"')
        assert letter["above"] >= -3  # letters do not fill their line


def test_buttons_of_a_ticket_say_in_words_what_they_do(opened: Opening) -> None:
    """Where there is room, a counter-offer is a word and no arrow alone; elsewhere a tip names it."""
    market = Market(1)
    number = market.offer(1, (0,), market.hand(1)[:1], market.hand(0)[:1])
    for size in ("wide", "phone"):
        table = opened(SIZES[size])
        table.show(market.still())
        expect(table.page.locator(f"#ticket-{number} [data-key='c']")).to_have_text("Counter")
    table = opened(SIZES["small"])
    table.show(market.still())
    table.page.locator(f"#ticket-{number} [data-key='c']").hover()
    expect(table.page.locator("[role=tooltip]")).to_contain_text("Counter: ")
