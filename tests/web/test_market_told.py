"""What the bar tells of a market: when it ends, what waits in it, and that nothing moves in its last call."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from bohn.i18n import available
from bohn.protocol import frames
from bohn.rules.commands import AcceptOffer, EditOffer, EndTrading, SetWish, WithdrawOffer
from bohn.views.view import view
from bohn.views.visible import visible
from tests.web.support.markets import Market, moved, places
from tests.web.support.unserved import STEP, Opening
from tests.web.support.walking import SIZES, faults

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

LETTERS_BELOW = 4
"""Px by which letters may reach below their line; another line would reach further."""

CALMED = 4_600
"""Ms after which offers out of sight take the holes in sight, where they may."""

SETTLES, AT_ONCE = 700, 3_500
"""Ms for which no press meets what has just come, and in which the next offer takes the place of one."""


NOTHING_TO_DO = "If you do nothing, trading will end."
LAST_CALL = "Bert ends trading. Last call!"


@pytest.mark.parametrize("size", ["phone", "small", "wide"])
@pytest.mark.parametrize(("called", "told"), [(False, NOTHING_TO_DO), (True, LAST_CALL)])
def test_market_without_a_clock_counts_nobody_down(
    opened: Opening, size: str, called: bool, told: str
) -> None:
    """Whatever the size, a sentence says what becomes of the market, and no seconds stand anywhere."""
    table = opened(SIZES[size])
    table.show(Market(1).still(last_call=called))

    expect(table.page.locator(".closing .state")).to_have_text(told)
    expect(table.page.locator(".closing .state")).to_be_in_viewport(ratio=1)
    expect(table.page.get_by_role("timer")).to_have_count(0)
    assert re.search(r"\d+ s\b", table.page.locator("body").inner_text()) is None
    assert faults(table.page) == []


@pytest.mark.parametrize("called", [False, True])
@pytest.mark.parametrize("size", ["phone", "small", "wide"])
def test_who_goes_on_looking_lets_the_market_wait(opened: Opening, size: str, called: bool) -> None:
    """A button says so, and a key: then nothing ends without him, and nothing has moved."""
    table = opened(SIZES[size])
    table.show(Market(1).still(last_call=called))
    before = places(table.page)
    expect(table.page.locator(".closing .state")).to_have_text(LAST_CALL if called else NOTHING_TO_DO)
    if size == "phone":
        table.page.get_by_role("button", name="Still looking").tap()
    else:
        table.page.keyboard.press(",")

    expect(table.page.get_by_role("status").filter(has_text="Trading is waiting for you.")).to_be_visible()
    expect(table.page.locator(".closing .ring")).to_have_count(0)
    assert [frame["sign"] for frame in table.heard if frame["type"] == "sign"] == ["composing"]
    assert moved(before, places(table.page)) == []


@pytest.mark.parametrize("language", sorted(available()))
@pytest.mark.parametrize("size", ["phone", "small", "wide"])
def test_button_to_go_on_looking_has_room_in_every_language(
    opened: Opening, size: str, language: str
) -> None:
    """It is whole, as what becomes of the market is, and lies over nothing."""
    table = opened(SIZES[size], language=language)
    table.show(Market(1).still())
    table.drawn()

    expect(table.page.locator("[data-key=',']")).to_be_visible()
    assert faults(table.page) == []


@pytest.mark.parametrize("size", ["phone", "small", "wide"])
@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_own_offer_that_has_lapsed_in_the_own_last_call_is_told(
    opened: Opening, size: str, language: str
) -> None:
    """Whoever called it plants next: the bar says what he is asked, and the market what has lapsed."""
    market = Market(0)
    market.offer(0, (1, 2), market.hand(0)[:1], [market.hand(1)[1]])
    table = opened(SIZES[size], language=language)
    table.show(market.still(last_call=True))
    market.do(EndTrading(0))
    events = tuple(one for event in market.told[-1] if (one := visible(event, 0)) is not None)
    game = view(market.rules, market.state, 0)
    table.hear(frames.Batch(seq=STEP + 1, by=0, cause="clock", events=events, game=game))

    expect(table.page.locator(".missed")).to_contain_text("Bert")
    expect(table.page.locator(".missed")).to_be_in_viewport(ratio=1)
    assert faults(table.page) == []


@pytest.mark.parametrize("size", ["phone", "wide"])
def test_wish_is_shown_until_it_is_granted(opened: Opening, size: str) -> None:
    """Once a player has got what he wanted, his seat says so no longer in this turn."""
    market = Market(1)
    bean = market.hand(0)[0]
    market.do(SetWish(1, bean, "want"))
    table = opened(SIZES[size])
    table.show(market.still())
    wish = table.page.locator("[data-seat='1'] .wants, [data-seat='1'] .wish")
    expect(wish).to_be_visible()
    offer = market.offer(1, (0,), [], [bean])
    cards = market.copies(0, bean)
    market.do(AcceptOffer(0, offer, 1, cards, (), market.state.players[0].hand_revision))
    table.show(market.still())

    expect(wish).to_have_count(0)


@pytest.mark.parametrize("size", ["phone", "wide"])
def test_offers_of_one_market_leave_nothing_in_the_next(opened: Opening, size: str) -> None:
    """Where it opens at once no line says of offers, the viewer's own among them, that trading is over."""
    market, following = Market(0), Market(1)
    market.offer(0, (1, 2), market.hand(0)[:1], [market.hand(1)[1]])
    taken = market.offer(1, (0,), market.hand(1)[:1], [market.hand(0)[0]])
    table = opened(SIZES[size])
    table.show(market.still())
    for at, command in enumerate((WithdrawOffer(1, taken), EndTrading(0)), start=1):
        market.do(command)
        events = tuple(one for event in market.told[-1] if (one := visible(event, 0)) is not None)
        game = view(market.rules, market.state, 0)
        table.hear(frames.Batch(seq=STEP + at, by=0, events=events, game=game))
    table.hear(frames.Batch(seq=STEP + 3, by=1, game=view(following.rules, following.state, 0)))

    expect(table.page.locator(".headline")).to_have_text("Bert trades")
    assert table.page.locator("p.gone").count() == 0  # at once, and not when it has faded


@pytest.mark.parametrize("called", [False, True])
def test_tickets_keep_their_places_in_the_last_call(opened: Opening, called: bool) -> None:
    """On a phone what lies below moves up into a hole once the market is calm, and not in its last call."""
    market = Market(1)
    offers = [market.offer(1, (0,), market.hand(1)[:1], (bean,)) for bean in sorted(set(market.hand(0)))[:3]]
    table = opened(SIZES["phone"])
    table.show(market.still(last_call=called))
    before = places(table.page)
    market.do(WithdrawOffer(1, offers[0]))
    table.show(market.still(last_call=called))
    table.page.wait_for_timeout(CALMED)

    assert bool(moved(before, places(table.page))) is not called


def test_set_aside_card_moves_no_ticket_on_a_phone(opened: Opening) -> None:
    """What a deal has brought is told on a line between tickets and fields."""
    market = Market(0)
    ada = list(dict.fromkeys(market.hand(0)))
    for give, want in zip(market.hand(1)[:2], ada[1:3], strict=True):
        market.offer(1, (0,), [give], [want])
    deal = market.offer(2, (0,), market.hand(2)[:1], ada[:1])
    table = opened(SIZES["phone"])
    table.show(market.still())
    before = places(table.page)
    market.do(AcceptOffer(0, deal, 1, market.copies(0, ada[0]), (), market.state.players[0].hand_revision))
    table.show(market.still())

    expect(table.page.locator(".own .brief")).to_have_count(1)
    after = places(table.page)
    assert [line for line in moved(before, after) if line[0].isdigit()] == []


@pytest.mark.parametrize("size", ["phone", "small", "wide"])
def test_changed_offer_is_marked_at_its_number(opened: Opening, size: str) -> None:
    """It lies there with the same number: a pencil says that it is another one now, and nothing is cut."""
    market = Market(1)
    ada, bert = dict.fromkeys(market.hand(0)), market.hand(1)
    number = market.offer(1, (0,), bert[:1], list(ada)[:1])
    table = opened(SIZES[size])
    table.show(market.still())
    mark = table.page.locator(f"#ticket-{number} kbd")
    expect(mark.locator("svg")).to_have_count(0)

    hand = market.copies(1, bert[0])
    revision = market.state.players[1].hand_revision
    wanted = (list(ada)[1],)
    market.do(EditOffer(1, number, 1, (0,), hand, (), wanted, open=False, hand_revision=revision))
    table.show(market.still())

    expect(mark.locator("svg")).to_be_visible()
    expect(mark).to_have_text(str(number))
    assert faults(table.page) == []


RISES = """([number, most]) => new Promise(done => {
  const top = () => document.getElementById(`ticket-${number}`).getBoundingClientRect().top;
  const [from, began] = [top(), performance.now()];
  const look = () =>
    top() < from - 40 ? done(performance.now() - began)
    : performance.now() - began > most ? done(null)
    : setTimeout(look, 50);
  look();
})"""
"""Return after how many ms an offer has moved up, or null."""


@pytest.mark.parametrize("pressed", [True, False])
def test_what_the_viewer_has_answered_leaves_no_long_hole(opened: Opening, pressed: bool) -> None:
    """On a phone the next offer comes up soon after one's own yes, but not where the maker took his back."""
    market = Market(1)
    ada = list(dict.fromkeys(market.hand(0)))
    first, second = (market.offer(1, (0,), market.hand(1)[at : at + 1], [ada[at]]) for at in range(2))
    table = opened(SIZES["phone"])
    table.show(market.still())
    table.page.wait_for_timeout(SETTLES)
    if pressed:
        table.page.locator(f"#ticket-{first} [data-key='a']").tap()
        cards = market.copies(0, ada[0])
        market.do(AcceptOffer(0, first, 1, cards, (), market.state.players[0].hand_revision))
    else:
        market.do(WithdrawOffer(1, first))
    table.show(market.still())

    assert (table.page.evaluate(RISES, [second, AT_ONCE]) is not None) is pressed


def test_prompt_leads_to_a_waiting_offer_out_of_sight(opened: Opening) -> None:
    """On a phone two are in sight: a press on the prompt shows the third."""
    market = Market(1)
    beans = list(dict.fromkeys(market.hand(0)))[:3]
    *_, last = [market.offer(1, (0,), market.hand(1)[:1], [bean]) for bean in beans]
    table = opened(SIZES["phone"])
    table.show(market.still())
    third = table.page.locator(f"#ticket-{last}")
    expect(third).not_to_be_in_viewport(ratio=0.9)
    table.page.locator("[data-said]").click()

    expect(third).to_be_in_viewport(ratio=0.9)


@pytest.mark.parametrize("language", ["en", "de", "ru"])
@pytest.mark.parametrize("size", ["small", "wide"])
def test_what_became_of_offers_has_the_room_of_the_bar(opened: Opening, size: str, language: str) -> None:
    """Those that went by exchanges are told in one sentence, which is whole and moves nothing."""
    market = Market(1)
    offers = [market.offer(1, (0, 2), [give], []) for give in market.hand(1)[:2]]
    table = opened(SIZES[size], language=language)
    table.show(market.still())
    table.drawn()
    before = places(table.page)
    for number in offers:
        market.do(AcceptOffer(2, number, 1, (), (), market.state.players[2].hand_revision))
        events = tuple(one for event in market.told[-1] if (one := visible(event, 0)) is not None)
        game = view(market.rules, market.state, 0)
        table.hear(frames.Batch(seq=STEP + number, by=1, events=events, game=game))
    said = table.page.locator(".said.told")

    expect(said).to_contain_text("Chiyo")
    assert said.evaluate("words => words.scrollHeight - words.clientHeight") < LETTERS_BELOW
    assert [line for line in moved(before, places(table.page)) if not line.startswith("tail")] == []
