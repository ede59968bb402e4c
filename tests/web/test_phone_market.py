"""The market of a phone: tickets stand below one another, and what needs the viewer is what he sees."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, FloatRect, expect

from bohn.protocol import frames
from bohn.rules.commands import AcceptOffer, DeclineOffer, EditOffer, WithdrawOffer
from bohn.views.view import view
from bohn.views.visible import visible
from tests.web.support.markets import Market, moved, places
from tests.web.support.rooms import Opened
from tests.web.support.states import fullest
from tests.web.support.unserved import STEP, Unserved
from tests.web.support.walking import SIZES

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

LETTERS = 2
"""Px of a line above and below its letters."""


class Opening(Protocol):
    """Opens a page on a phone so many px high and wide."""

    def __call__(self, height: int, language: str = "en", width: int = 360) -> Unserved:
        """Return the page."""
        ...


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opening]:
    """Return how to open a page on a phone so many px high; it is closed afterwards."""
    pages: list[Unserved] = []

    def opening(height: int, language: str = "en", width: int = 360) -> Unserved:
        size: dict[str, Any] = {**SIZES["phone"], "viewport": {"width": width, "height": height}}
        pages.append(Unserved(browser, settings={"language": language}, **size))
        return pages[-1]

    yield opening
    for page in pages:
        page.close()


def box_of(table: Unserved, selector: str) -> FloatRect:
    """Return where something lies."""
    box = table.page.locator(selector).bounding_box()
    assert box is not None
    return box


def to_viewer(market: Market, count: int) -> list[int]:
    """Make so many offers that the viewer can take, by turns of the two others; return their numbers."""
    return [
        market.offer(1 + at % 2, (0,), [market.hand(1 + at % 2)[at // 2]], [market.hand(0)[at]])
        for at in range(count)
    ]


def test_no_to_an_offer_of_the_viewer_is_told_where_he_looks(opened: Opening) -> None:
    """A bubble at the seat says who said no to what, though other offers wait and his own is out of sight."""
    market = Market(0)
    to_viewer(market, 3)
    own = market.offer(0, (2,), [market.hand(0)[0]], [market.hand(2)[1]])
    table = opened(800)
    table.show(market.still())
    market.do(DeclineOffer(2, own, 1))
    table.show(market.still())

    said = table.page.locator("[data-speech='2']")
    expect(said).to_contain_text("Chiyo says no to your offer.")
    expect(said.locator(".beans > *")).to_have_count(3)


def test_no_to_an_offer_of_the_viewer_is_told_with_its_reason(opened: Opening) -> None:
    """While the market goes on the bubble says why, and shows what was refused."""
    market = Market(0)
    own = market.offer(0, (2,), [market.hand(0)[0]], [market.hand(2)[1]])
    table = opened(800)
    table.show(market.still())
    market.do(DeclineOffer(2, own, 1))
    at = int(time.time() * 1000)
    events = tuple(one for event in market.told[-1] if (one := visible(event, 0)) is not None)
    game = view(market.rules, market.state, 0)
    table.hear(frames.Batch(STEP + 1, at=at, by=2, events=events, game=game))
    table.hear(frames.Remark(2, at, "says.none", {"bean": market.hand(2)[1]}, STEP + 1))

    said = table.page.locator("[data-speech='2']")
    expect(said).to_contain_text("I have no")
    expect(said.locator(".beans > *")).to_have_count(3)
    expect(said.locator(".icon").first).to_be_visible()


def test_refused_offer_is_found(opened: Opening) -> None:
    """A way leads from the line above to the line that it has become, which says who refused it."""
    market = Market(0)
    to_viewer(market, 3)
    own = market.offer(0, (2,), [market.hand(0)[0]], [market.hand(2)[1]])
    market.do(DeclineOffer(2, own, 1))
    table = opened(800)
    table.show(market.still())
    ticket = table.page.locator(f"#ticket-{own}")
    expect(ticket.locator(".said")).to_contain_text("Chiyo has declined")
    table.page.locator(".chip.mine").tap()

    expect(ticket).to_be_in_viewport(ratio=1)
    expect(ticket.locator("[data-key='v']")).to_be_in_viewport(ratio=1)


BROKEN = """span => {
  const found = [];
  if (span.clientWidth <= 1) return found;
  const walker = document.createTreeWalker(span, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    for (const word of node.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      if (range.getClientRects().length > 1) found.push(word[0]);
    }
  return found;
}"""
"""The words that do not stand on one line, unless none is shown at all."""


@pytest.mark.parametrize("cards", [1, 3])
@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_words_of_a_refused_offer_are_whole(opened: Opening, width: int, cards: int, language: str) -> None:
    """Where they have no room beside the cards the mark stands for them: no word is broken."""
    market = Market(0)
    to_viewer(market, 3)
    own = market.offer(0, (1, 2), market.hand(0)[:cards], [market.hand(1)[1]])
    for seat in (1, 2):
        market.do(DeclineOffer(seat, own, 1))
    table = opened(800, width=width, language=language)
    table.show(market.still())
    ticket = table.page.locator(f"#ticket-{own}")

    ticket.scroll_into_view_if_needed()
    expect(ticket.locator(".said .icon")).to_be_in_viewport(ratio=1)
    assert ticket.locator(".said > span:not(.hidden)").evaluate(BROKEN) == []
    assert ticket.evaluate("e => e.scrollWidth <= e.clientWidth")


@pytest.mark.parametrize("height", [640, 800, 844])
def test_board_is_not_blank_while_offers_stand(opened: Opening, height: int) -> None:
    """Once those in sight were declined, the others come there, though a finger lay there just then."""
    market = Market(0)
    numbers = to_viewer(market, 4)
    table = opened(height)
    table.show(market.still())
    box = table.page.locator("section.offers > .row").bounding_box()
    assert box is not None
    table.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 6)
    table.page.mouse.down()
    for number in numbers[:2]:
        market.do(DeclineOffer(0, number, 1))
    table.show(market.still())
    table.drawn()
    table.page.mouse.up()

    expect(table.page.locator(f"#ticket-{numbers[2]} [data-key='a']")).to_be_in_viewport(ratio=1)


def test_lines_alone_come_into_sight(opened: Opening) -> None:
    """Where only offers that stand aside are left, they stand at the top."""
    market = Market(0)
    taken = to_viewer(market, 2)
    aside = market.offer(1, (0,), [market.hand(1)[2]], [market.lacked(0)])
    table = opened(800)
    table.show(market.still())
    for number in taken:
        market.do(DeclineOffer(0, number, 1))
    own = market.offer(0, (1,), [market.hand(0)[0]], [market.hand(1)[1]])
    table.show(market.still())
    market.do(WithdrawOffer(0, own))
    table.show(market.still())
    row = table.page.locator("section.offers > .row").bounding_box()
    assert row is not None
    line = table.page.locator(f"#ticket-{aside}")
    expect(line).to_be_in_viewport(ratio=1, timeout=15_000)
    table.page.wait_for_timeout(5_000)

    box = line.bounding_box()
    assert box is not None
    assert box["y"] - row["y"] < 40


def test_others_move_up_after_a_trade(opened: Opening) -> None:
    """What was below stands at the top some seconds after it is read what became of the first."""
    market = Market(0)
    numbers = to_viewer(market, 4)
    table = opened(800)
    table.show(market.still())
    own = market.copies(0, market.hand(0)[0])
    revision = market.state.players[0].hand_revision
    market.do(AcceptOffer(0, numbers[0], 1, own, hand_revision=revision))
    table.show(market.still())
    expect(table.page.locator("p.gone")).to_have_count(0, timeout=15_000)
    table.page.wait_for_timeout(5_500)

    row = table.page.locator("section.offers > .row").bounding_box()
    box = table.page.locator("[data-offer]").first.bounding_box()
    assert row is not None
    assert box is not None
    assert box["y"] - row["y"] < 8


def test_offer_that_waits_keeps_its_place_when_the_reason_above_it_goes(opened: Opening) -> None:
    """A finger on its way to a button finds it there for some seconds more."""
    market = Market(0)
    numbers = to_viewer(market, 3)
    table = opened(800)
    table.show(market.still())
    ticket = table.page.locator(f"#ticket-{numbers[1]}")
    before = ticket.bounding_box()
    market.do(WithdrawOffer(1, numbers[0]))
    table.show(market.still())
    expect(table.page.locator("p.gone")).to_have_count(0, timeout=15_000)
    table.page.wait_for_timeout(2_500)
    after = ticket.bounding_box()

    assert before is not None
    assert after is not None
    assert abs(after["y"] - before["y"]) < 1


def test_three_offers_stand_in_sight_where_there_is_room(opened: Opening) -> None:
    """Between tickets there is no more room than tells them apart."""
    market = Market(0)
    numbers = to_viewer(market, 3)
    table = opened(900)
    table.show(market.still())

    for number in numbers:
        expect(table.page.locator(f"#ticket-{number}")).to_be_in_viewport(ratio=1)
    expect(table.page.locator("[data-more]")).to_have_count(0)


def test_what_is_to_be_confirmed_stands_first(opened: Opening) -> None:
    """The bar asks to confirm: the button is in sight, though other offers filled the board."""
    market = Market(0)
    to_viewer(market, 3)
    want = market.hand(2)[1]
    own = market.offer(0, (1, 2), [market.hand(0)[3]], [want], is_open=True)
    table = opened(800)
    table.show(market.still())
    market.claim(2, own, want)
    table.show(market.still())

    expect(table.page.locator(f"#ticket-{own} [data-pick='2']")).to_be_in_viewport(ratio=1, timeout=15_000)


def test_what_moved_is_held_for_a_moment(opened: Opening) -> None:
    """A second press where a declined offer lay meets nothing that has just come there."""
    market = Market(0)
    numbers = to_viewer(market, 3)
    table = opened(800)
    table.show(market.still())
    table.page.evaluate("""() => {
      window.held = [];
      new MutationObserver(seen => {
        for (const { target: { dataset, style } } of seen)
          if (dataset.offer !== undefined && style.pointerEvents === "none") window.held.push(dataset.offer);
      }).observe(document.body, { attributes: true, attributeFilter: ["style"], subtree: true });
    }""")
    for number in numbers[:2]:
        market.do(DeclineOffer(0, number, 1))
    table.show(market.still())
    expect(table.page.locator(f"#ticket-{numbers[2]} [data-key='a']")).to_be_in_viewport(ratio=1)

    assert str(numbers[2]) in table.page.evaluate("window.held")


def test_what_was_scrolled_is_held_for_a_moment(opened: Opening) -> None:
    """No press meets a ticket that has just slid under a finger, whoever has scrolled."""
    market = Market(0)
    to_viewer(market, 4)
    table = opened(640)
    table.show(market.still())
    table.drawn()
    row = "document.querySelector('section.offers > .row')"
    free = "() => [...document.querySelectorAll('[data-offer]')].every(one => one.style.pointerEvents === '')"
    table.page.evaluate(f"{row}.scrollTop = 60")
    table.page.wait_for_timeout(3_000)  # all has come to rest, and which are out of sight is known
    table.page.wait_for_function(free)
    held = table.page.evaluate(f"""async () => {{
      {row}.scrollTop += 6;
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      return [...document.querySelectorAll("[data-offer]")].map(one => one.style.pointerEvents);
    }}""")

    assert held == ["none"] * 4
    table.page.wait_for_function(free)


@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_what_ends_the_market_covers_neither_words_nor_names(opened: Opening, language: str) -> None:
    """In the last call its seconds stand between the names of the cards and the sentence of the bar."""
    market = Market(1)
    for at in (0, 1):
        market.offer(1, (0,), [market.hand(1)[at]], [market.hand(0)[at]])
    table = opened(800, language)
    table.show(market.still(last_call=True))
    pill = box_of(table, ".closing .state")
    words = table.page.evaluate(
        """() => [...document.querySelectorAll(".said, [data-card] .name")].map(box => {
          const text = document.createRange();
          text.selectNodeContents(box);
          const said = box.matches(".said");
          const { top, bottom } = (said ? text : box).getBoundingClientRect();
          return [top, bottom, said];
        })"""
    )
    assert any(said for *_, said in words)
    for top, bottom, said in words:
        assert top >= pill["y"] + pill["height"] - LETTERS if said else bottom <= pill["y"] + LETTERS


def test_own_offer_has_its_buttons_beside_its_lines(opened: Opening) -> None:
    """It is lower than one that can be answered, so that two of them have room above the fold."""
    market = Market(0)
    own = market.offer(0, (1,), [market.hand(0)[0]], [market.hand(1)[0]])
    theirs = market.offer(1, (0,), [market.hand(1)[0]], [market.hand(0)[0]])
    table = opened(800)
    table.show(market.still())
    assert box_of(table, f"#ticket-{own}")["height"] < box_of(table, f"#ticket-{theirs}")["height"]


OTHERS = """line => {
  const asked = line.querySelector(".to");
  const frame = line.getBoundingClientRect();
  const boxes = [...line.querySelectorAll(".who, .to, .some")].map(part => part.getBoundingClientRect());
  const meet = (one, other) => one.right > other.left + 1 && other.right > one.left + 1
    && one.bottom > other.top + 3 && other.bottom > one.top + 3;
  return {
    said: asked.textContent.trim(),
    cut: asked.scrollWidth > asked.clientWidth,
    wide: asked.clientWidth > 20,
    outside: boxes.some((box, at) => box.left < frame.left || box.right > frame.right
      || boxes.slice(0, at).some(other => meet(box, other))),
  };
}"""
"""Whom a line says an offer between others asks, and whether that and all else of it has room."""


@pytest.mark.parametrize("language", ["en", "ru", "en-XA"])
def test_offer_between_others_says_whom_it_asks(opened: Opening, language: str) -> None:
    """Among seven each line names one whom it asks, and of three says how many they are."""
    market = Market(1, players=7)
    first, second = (list(dict.fromkeys(market.hand(seat))) for seat in (1, 2))
    one = market.offer(2, (1,), second[:2], first[:2])
    three = market.offer(1, (2, 4, 5), first[:2], second[:2])
    table = opened(800, language)
    table.show(market.still())

    whole = {"cut": False, "wide": True, "outside": False}
    assert table.page.locator(f"#ticket-{one}").evaluate(OTHERS) == {"said": "→ Bert", **whole}
    assert table.page.locator(f"#ticket-{three}").evaluate(OTHERS) == {"said": "→ 3", **whole}


def test_offer_just_sent_below_the_fold_is_led_to(opened: Opening) -> None:
    """A chip says to whom it went, and brings it into sight; what waits for the viewer has one beside it."""
    market = Market(0)
    to_viewer(market, 4)
    table = opened(800)
    table.show(market.still())
    own = market.offer(0, (2,), [market.hand(0)[0]], [market.hand(2)[1]])
    table.show(market.still())
    expect(table.page.locator(".chip.for-me")).to_have_count(1)
    expect(table.page.locator(".chip.mine")).to_have_text("→ Chiyo")
    table.page.locator(".chip.mine").tap()

    expect(table.page.locator(f"#ticket-{own}")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("language", ["en", "ru", "en-XA"])
def test_offer_draws_the_own_one_that_it_has_to_do_with(opened: Opening, language: str) -> None:
    """One reads both without scrolling, and what waits beside it stays whole."""
    market = Market(0)
    mine, theirs = market.hand(0), market.hand(1)
    market.offer(0, (1,), [mine[0]], [theirs[0]])
    other = market.offer(2, (0,), [market.hand(2)[0]], [mine[1]])
    answer = market.offer(1, (0,), [theirs[0]], [mine[0], mine[2]])
    table = opened(800, language)
    table.show(market.still())

    line = table.page.locator(f"#ticket-{answer} .answer")
    expect(line.locator("svg.bean")).to_have_count(2)
    expect(line).to_be_in_viewport(ratio=1)
    expect(table.page.locator(f"#ticket-{other} .answer")).to_have_count(0)
    for number in (other, answer):
        expect(table.page.locator(f"#ticket-{number} [data-key='a']")).to_be_in_viewport(ratio=1)


def test_choosing_copies_is_called_by_words_where_they_have_room(opened: Opening) -> None:
    """The button beside "Accept" asks "Which card?", as no drawing says by itself."""
    market = Market(0)
    twice = next(bean for bean in market.hand(0) if market.hand(0).count(bean) > 1)
    number = market.offer(2, (0,), [market.hand(2)[0]], [twice])
    table = opened(800)
    table.show(market.still())

    expect(table.page.locator(f"#ticket-{number} [data-key='w']")).to_have_text("Which card?")


@pytest.mark.parametrize("size", ["phone", "wide"])
def test_question_which_card_has_one_line(full_table: Opened, size: str) -> None:
    """The way to counter an offer is drawn rather than that the question breaks."""
    market = Market(0)
    twice = next(bean for bean in market.hand(0) if market.hand(0).count(bean) > 1)
    number = market.offer(2, (0,), [market.hand(2)[0]], [twice])
    asks = "[data-key='w'] .ask"
    table = full_table(size, still=market.still() if size == "phone" else fullest())
    table.drawn()
    words = table.page.locator(f"#ticket-{number if size == 'phone' else 2} {asks}")

    expect(words).to_have_text("Which card?")
    assert words.evaluate("word => word.getBoundingClientRect().height < 24")


def test_names_that_unfold_take_no_second_press(opened: Opening) -> None:
    """Whoever taps twice on whom an offer goes to has not chosen what came to lie there."""
    market = Market(0, players=7)
    table = opened(800)
    table.show(market.still())
    table.page.locator("[data-key='o']").tap()
    table.drawn()
    table.page.evaluate("""() => {
      window.held = [];
      new MutationObserver(seen => {
        for (const { target: { className, style } } of seen)
          if (className.includes?.("unfolded")) window.held.push(style.pointerEvents);
      }).observe(document.body, { attributes: true, attributeFilter: ["style"], subtree: true });
    }""")
    table.page.locator("[data-to='who']").tap()
    table.page.locator("[data-to='2']").tap()

    expect(table.page.locator("[data-to][aria-pressed='true']")).to_have_text(["Chiyo"])
    assert table.page.evaluate("window.held") == ["none", ""]


def test_own_last_call_asks_for_no_new_offer(opened: Opening) -> None:
    """The wood stays empty: only what stands may still be answered."""
    table = opened(800)
    market = Market(0)
    table.show(market.still())
    expect(table.page.locator("section.offers .empty")).to_have_count(1)
    table.show(market.still(last_call=True))

    expect(table.page.locator("section.offers .empty")).to_have_count(0)


def test_number_of_a_changed_offer_is_one_tag(opened: Opening) -> None:
    """With a pencil beside it, and the maker's name in the same line."""
    market = Market(0)
    give, other = market.hand(1)[:2]
    number = market.offer(1, (0,), [give], [market.hand(0)[0]])
    revision = market.state.players[1].hand_revision
    market.do(
        EditOffer(1, number, 1, (0,), market.copies(1, other), (), (market.hand(0)[0],), False, revision)
    )
    table = opened(844)
    table.show(market.still())
    tag = box_of(table, "[data-offer] kbd")
    name = box_of(table, "[data-offer] h3")

    expect(table.page.locator("[data-offer] kbd svg")).to_have_count(1)
    assert 13 <= tag["height"] <= 24
    assert tag["width"] > tag["height"]
    assert name["height"] <= 26


def test_invitation_to_another_table_leaves_the_header_in_sight(opened: Opening) -> None:
    """Whose turn it is, chat and menu lie above it."""
    table = opened(800)
    table.show(Market(0).still())
    table.hear(frames.Invited("other", frames.Person("Bert")))
    expect(table.page.locator("[data-invited]")).to_be_visible()
    header = box_of(table, "header.bar")

    assert box_of(table, "[data-invited]")["y"] >= header["y"] + header["height"]


@pytest.mark.parametrize("language", ["en", "de"])
def test_question_before_an_end_lifts_nothing(opened: Opening, language: str) -> None:
    """Whether to end though somebody wants an offer is asked above the bar, whole, and nothing moves."""
    market = Market(0)
    want = market.hand(2)[0]
    give = next(bean for bean in market.hand(0) if bean != want)
    market.claim(2, market.offer(0, (1, 2), [give], [want], is_open=True), want)
    table = opened(800, language)
    table.show(market.still())
    table.drawn()
    before = places(table.page)
    table.page.locator(".closing button[data-key='.']").click()

    asked = table.page.locator(".closing .asked")
    expect(asked).to_be_visible()
    assert moved(before, places(table.page)) == []
    assert asked.evaluate("line => line.scrollWidth <= line.clientWidth + 1")
    box = box_of(table, ".closing .asked")
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
