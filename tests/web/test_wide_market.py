"""The market of a wide window: no empty middle, and answers by the letters of the keyboard."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from bohn.rules.beans import Bean
from bohn.rules.commands import AcceptOffer, MakeOffer
from bohn.rules.state import Copy, Talk, TradePhase, Wishes
from tests.web.support.markets import Market
from tests.web.support.unserved import Opening
from tests.web.support.walking import SIZES

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


KINDS = """() => [...document.querySelectorAll("[data-want]")].map(kind => {
  const { left, top, width, height } = kind.getBoundingClientRect();
  return [kind.dataset.want, left, top, width, height].map(Number);
})"""
"""Where the kinds lie that one may ask for."""


@pytest.mark.parametrize("size", ["small", "wide"])
def test_market_without_anything_to_take_says_what_one_can_do(opened: Opening, size: str) -> None:
    """Where all offers stand aside, the middle says so beside their list."""
    market = Market(1)
    market.offer(1, (0,), [market.hand(1)[2]], [market.lacked(0)])
    table = opened(SIZES[size])
    table.show(market.still())
    said = table.page.get_by_text("There is nothing you can take now. Propose something to Bert.")
    expect(said).to_be_in_viewport(ratio=1)
    words, aside = said.bounding_box(), table.page.locator(".aside").bounding_box()
    assert words is not None
    assert aside is not None
    assert words["x"] + words["width"] <= aside["x"]

    market.offer(1, (0,), [market.hand(1)[0]], [market.hand(0)[0]])
    table.show(market.still())
    expect(said).to_have_count(0)


@pytest.mark.parametrize("letter", ["a", "p"])
def test_own_offer_is_confirmed_by_its_letter(opened: Opening, letter: str) -> None:
    """The letter on the button, and the one that accepts, pick whoever would take the chosen offer."""
    market = Market(0)
    own = market.offer(0, (1, 2), [market.hand(0)[0]], [market.hand(1)[0]], is_open=True)
    market.claim(1, own, market.hand(1)[0])
    table = opened(SIZES["wide"])
    table.show(market.still())
    table.page.keyboard.press(str(own))
    expect(table.page.locator(f"#ticket-{own}")).to_be_focused()
    table.page.keyboard.press(letter)

    picks = [frame["command"] for frame in table.heard if frame.get("command", {}).get("do") == "pick"]
    assert [(pick["offer"], pick["claimer"]) for pick in picks] == [(own, 1)]


@pytest.mark.parametrize("size", ["small", "wide"])
def test_no_kind_moves_when_somebody_says_what_he_can_spare(opened: Opening, size: str) -> None:
    """Nor when he takes it back: what is said meanwhile stands at the edge of its kind."""
    still = Market(0).still()
    saying = [
        replace(still, state=replace(still.state, talk=Talk(wishes=(Wishes(), spared, Wishes(), Wishes()))))
        for spared in (Wishes(spare=(Bean.BLUE,)), Wishes(spare=(Bean.CHILI,)))
    ]
    table = opened(SIZES[size])
    table.show(saying[0])
    table.page.keyboard.press("o")
    table.drawn()
    before = table.page.evaluate(KINDS)
    assert len(before) > 7
    table.show(saying[1])

    chili = table.page.locator(f"[data-want='{int(Bean.CHILI)}'] .spare")
    expect(chili).to_be_visible()
    expect(table.page.locator(f"[data-want='{int(Bean.BLUE)}'] .spare")).to_be_hidden()
    assert table.page.evaluate(KINDS) == before


def test_enter_takes_up_a_card_before_anything_could_be_sent(opened: Opening) -> None:
    """Whoever opens the tray by its letter stands on a card, which Enter raises."""
    market = Market(0)
    table = opened(SIZES["wide"])
    table.show(market.still())
    table.page.keyboard.press("o")
    table.drawn()
    expect(table.page.locator("#explanation")).to_have_count(0)
    table.page.keyboard.press("Enter")

    expect(table.page.locator("[data-card='0']")).to_have_attribute("aria-pressed", "true")


def test_raised_card_covers_nothing_of_what_is_asked(opened: Opening) -> None:
    """What stands in the middle of the sentence above the hand is that sentence, at its first letter too."""
    market = Market(1)
    market.offer(1, (0,), [market.hand(1)[0]], [market.hand(0)[0]])
    table = opened(SIZES["wide"])
    table.show(market.still())
    table.page.locator("[data-card='0']").click()
    table.drawn()
    table.page.mouse.move(2, 2)
    said = table.page.locator("button.said > span")
    box = said.bounding_box()
    assert box is not None
    for x in (box["x"] + 15, box["x"] + box["width"] / 2):
        found = table.page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y)?.closest('button.said') !== null",
            [x, box["y"] + box["height"] / 2],
        )
        assert found


def test_card_is_offered_by_dragging_it_into_the_market(opened: Opening) -> None:
    """Whoever drags a card of his hand there puts an offer together with it."""
    market = Market(0)
    table = opened(SIZES["wide"])
    table.show(market.still())
    table.page.locator("[data-card='1']").drag_to(table.page.locator("[data-market]"))

    expect(table.page.locator("[data-tray]")).to_be_visible()
    expect(table.page.locator("[data-card='1']")).to_have_attribute("aria-pressed", "true")
    expect(table.page.locator("[data-card='0']")).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("size", ["phone", "small", "wide"])
def test_traded_card_leaves_its_room(opened: Opening, size: str) -> None:
    """Once a card that lay face up is traded away, nothing beside it comes to lie there."""
    market = Market(0)
    phase = market.state.phase
    assert isinstance(phase, TradePhase)
    want = market.hand(1)[0]
    table = opened(SIZES[size])
    table.show(market.still())
    made = table.page.locator("[data-key='o']").bounding_box()
    revisions = [player.hand_revision for player in market.state.players]
    market.do(MakeOffer(0, (1,), (), (Copy(0, phase.face_up[0]),), (want,), hand_revision=revisions[0]))
    market.do(AcceptOffer(1, 1, 1, market.copies(1, want), hand_revision=revisions[1]))
    table.show(market.still())
    expect(table.page.locator("[data-face-up]")).to_have_count(1)

    assert table.page.locator("[data-key='o']").bounding_box() == made


@pytest.mark.parametrize("size", ["small", "wide"])
@pytest.mark.parametrize("starter", [0, 1])
def test_request_for_a_gift_lies_among_what_waits_for_me(opened: Opening, size: str, starter: int) -> None:
    """It is a ticket beside the bargains, on one's own turn too, and its buttons have words."""
    market = Market(starter)
    begged = market.offer(1, (0,), [], [market.hand(0)[0]])
    market.offer(1, (0,), [market.hand(1)[0]], [market.hand(0)[1]])
    table = opened(SIZES[size])
    table.show(market.still())
    table.drawn()

    expect(table.page.locator(".aside")).to_have_count(0)
    ticket = table.page.locator(f"#ticket-{begged}")
    for key, words in (("a", "Give it"), ("c", "Counter"), ("d", "No")):
        button = ticket.locator(f"[data-key='{key}']")
        expect(button).to_be_in_viewport(ratio=1)
        assert button.inner_text().strip() == words
    cards = table.page.locator(".face-up").bounding_box()
    box = ticket.bounding_box()
    assert cards is not None
    assert box is not None
    assert box["x"] - (cards["x"] + cards["width"]) < 60


CUT_LINES = """() => {
  const market = document.querySelector("section.offers").getBoundingClientRect();
  return [...document.querySelectorAll(".aside [data-offer]")].filter(line => {
    const { top, bottom, left, right } = line.getBoundingClientRect();
    const list = line.closest(".aside").getBoundingClientRect();
    return top < market.top || bottom > Math.min(market.bottom, list.bottom) + 1 ||
      left < market.left || right > market.right;
  }).map(line => line.id);
}"""


@pytest.mark.parametrize(("size", "composing"), [("small", False), ("wide", False), ("small", True)])
@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_offers_between_others_take_the_empty_wood(
    opened: Opening, size: str, language: str, composing: bool
) -> None:
    """What has no room in the last column lies where no ticket does; beside the tray too."""
    market = Market(1, players=5)
    first = 0 if composing else market.offer(1, (0,), [market.hand(1)[-1]], [market.hand(0)[0]])
    lines = _offers_of_others(market, 13)
    table = opened(SIZES[size], language=language)
    table.show(market.still())
    if composing:
        table.page.keyboard.press("o")
    table.drawn()

    expect(table.page.locator(".aside [data-offer]")).to_have_count(lines)
    assert table.page.evaluate(CUT_LINES) == []
    expect(table.page.locator("p.empty")).to_have_count(0)
    if first > 0:
        expect(table.page.locator(f".aside #ticket-{first}")).to_have_count(0)


def _offers_of_others(market: Market, most: int) -> int:
    """Let three others propose to the starter what he has, in turn; return how many offers there are."""
    wanted = [bean for bean in market.hand(1) if bean not in market.hand(0)]
    for at in range(most):
        maker = 2 + at % 3
        market.offer(maker, (1,), [market.hand(maker)[at // 3]], [wanted[at % len(wanted)]])
    return most


def test_list_with_lines_of_unlike_height_comes_to_rest(opened: Opening) -> None:
    """Lines that go over into the room below do not change how many go: it would be drawn for ever."""
    table = opened(SIZES["small"])
    for others in range(3, 9):
        market = Market(1, players=5)
        wanted = [kind for kind in market.hand(1) if kind not in market.hand(0)]
        for at in range(others):
            asked = 2 + at % 3
            market.offer(asked, (1,), [market.hand(asked)[at // 3]], [wanted[at % len(wanted)]])
        market.offer(1, (0,), [market.hand(1)[0]], [market.lacked(0)])
        table.show(market.still(f"{others} others"))
        table.drawn()

        assert table.errors == []
