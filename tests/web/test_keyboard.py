"""A whole game by one who has a keyboard only; two others trade with him from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from tests.web.support.choosing import best_harvest, choice, coins_of, fields, legal
from tests.web.support.people import DRAWN, Person
from tests.web.support.serving import Serving
from tests.web.support.states import stills
from tests.web.support.typing import Typist, waited
from tests.web.support.unserved import Unserved
from tests.web.support.walking import SIZES

pytestmark = pytest.mark.e2e

RULES = ["exhaustions=1", "kinds=eight", "fields=2", "field_price=2", "starter=seat:0"]
"""A short game in which there is a field to buy, and in which two hands often have a kind in common."""

DEEDS = {"two-for-one", "pick", "counter", "off-turn harvest", "purchase", "gift"}
"""What must have happened by the end of the games."""

GAMES = 3
"""How many games are played at most until all of it has happened."""


class Company:
    """Ada types; Bo and Cleo act through the API, are generous to her, and play on when she is done."""

    def __init__(self, browser: Browser, url: str) -> None:
        """Come in, and set a table for three."""
        self.ada, self.bo, self.cleo = (Person(browser, url, name) for name in ("Ada", "Bo", "Cleo"))
        self.typist = Typist(self.ada)
        self.guests = (self.bo, self.cleo)
        self.done: set[str] = set()
        self.gifts: set[tuple[int, str]] = set()

    def come_in(self) -> None:
        """Be users of the server."""
        for person in (self.ada, *self.guests):
            person.come_in()

    def sit_down(self) -> None:
        """Sit down at a new table, and let Ada deal with Enter."""
        self.gifts.clear()
        self.ada.open_table(3, house_rules=RULES)
        token = self.ada.invite().partition("#")[2]
        for guest in self.guests:
            guest.ask("POST", "/api/links", {"token": token})
            guest.table = self.ada.table
            guest.do(do="sit")
        deal = self.ada.page.get_by_role("button", name="Deal the cards")
        expect(deal).to_be_visible()
        self.typist.go("Tab", "main .foot [data-start]")
        self.typist.press("Enter")
        expect(self.ada.page.locator("[data-card]")).to_have_count(5)

    def play_out(self) -> None:
        """Play until the game is over."""
        for _ in range(3000):
            if self.ada.over():
                break
            self.go_on()
        expect(self.ada.page.locator("[data-over]")).to_be_visible(timeout=DRAWN)

    def close(self) -> None:
        """Leave."""
        for person in (*self.guests, self.ada):
            person.close()

    # -- one round -------------------------------------------------------------------------------------

    def go_on(self) -> None:
        """Let everybody do the next thing that is due."""
        seen = self.ada.seen()
        if self.invest(seen) or self.trade(seen):
            return
        command = choice(seen)
        if command is not None:
            self.typist.do(seen, command)
            return
        for guest in self.guests:
            command = choice(guest.seen())
            if command is not None:
                guest.do(**command)
                return
        self.ada.page.wait_for_timeout(20)

    def invest(self, seen: Any) -> bool:
        """Buy a field as soon as it can be paid, and harvest for coins when it is somebody else's turn."""
        purchase = next((command for command in legal(seen) if command["do"] == "buy-field"), None)
        if purchase is not None:
            before = len(fields(seen))
            self.typist.do(seen, purchase)
            assert len(fields(self.ada.seen())) == before + 1
            self.done.add("purchase")
            return True
        harvest = best_harvest(seen)
        others_turn = seen["game"]["active_player"] != seen["seat"]
        if harvest is None or not others_turn or coins_of(seen, harvest["field"]) == 0:
            return False
        due = seen["game"]["players"][seen["seat"]]["coins"] + coins_of(seen, harvest["field"])
        self.typist.do(seen, harvest)
        assert self.ada.seen()["game"]["players"][seen["seat"]]["coins"] == due
        self.done.add("off-turn harvest")
        return True

    # -- trading ---------------------------------------------------------------------------------------

    def trade(self, seen: Any) -> bool:
        """Do in the market what was not done yet; tell whether there was something."""
        game = seen["game"]
        if game["phase"]["phase"] != "trade":
            return False
        self.ada.caught_up(seen["seq"])
        active = game["active_player"]
        if active == seen["seat"] and "pick" not in self.done and self.two_for_one():
            return True
        if active != seen["seat"] and "counter" not in self.done and self.counter(seen):
            return True
        return any(self.gift(guest, seen) for guest in self.guests)

    def two_for_one(self) -> bool:
        """Ada offers two cards for one that both others have; both would trade, and she picks the second."""
        common = set(self.bo.hand()) & set(self.cleo.hand())
        given = self.ada.hand()[:2]
        if not common or len(given) < 2:
            return False
        want = min(common)
        self.typist.offer(2, want)
        offer = self.ada.offers()[-1]
        assert (offer["hand"], offer["want"], offer["open"]) == (sorted(given), [want], True)
        self.done.add("two-for-one")
        for guest in self.guests:
            claim = next(command for command in legal(guest.seen()) if command["do"] == "claim")
            guest.do(**claim)
        self.typist.pick(offer["id"], self.cleo.seat)
        assert waited(lambda: self.ada.offers() == [], self.ada)
        assert self.aside(self.cleo) == sorted(given)
        assert self.aside(self.ada) == [want]
        self.done.add("pick")
        return True

    def counter(self, seen: Any) -> bool:
        """Whose turn it is offers Ada a card; she asks for another one of his, and he takes that."""
        guest = next(guest for guest in self.guests if guest.seat == seen["game"]["active_player"])
        mine, his = self.ada.hand(), guest.hand()
        if not mine or not his or seen["game"]["phase"]["offers"]:
            return False
        self.propose(guest, give=[(0, his[0])], want=[mine[0]])
        offer = self.ada.offers()[-1]["id"]
        expect(self.ada.ticket(offer)).to_be_visible()
        self.typist.answer(offer, "c")
        expect(self.ada.page.locator("[data-tray]")).to_be_visible()
        self.typist.find(f"[data-want='{his[0]}']")
        self.typist.press("-")
        other = next((bean for bean in range(11) if bean != his[0] and bean in his), his[0])
        self.typist.find(f"[data-want='{other}']")
        self.typist.press("Space", "Enter")
        assert waited(lambda: len(self.ada.offers()) == 2, self.ada)
        countered = self.ada.offers()[-1]
        assert (countered["maker"], countered["hand"], countered["want"]) == (
            seen["seat"],
            [mine[0]],
            [other],
        )
        take = next(
            c for c in legal(guest.seen()) if c["do"] == "accept-offer" and c["offer"] == countered["id"]
        )
        guest.do(**take)
        assert self.aside(self.ada) == [other]
        self.done.add("counter")
        return True

    def gift(self, guest: Person, seen: Any) -> bool:
        """Give Ada what she grows, once a turn: so there is something to harvest and to buy a field with."""
        grown = {bean for field in fields(seen) for bean in field}
        give = [(place, bean) for place, bean in enumerate(guest.hand()) if bean in grown][:3]
        key = (seen["game"]["turn"], guest.name)
        partners = seen["game"]["active_player"] in (seen["seat"], guest.seat)
        if not give or key in self.gifts or not partners:
            return False
        self.gifts.add(key)
        before = len(self.aside(self.ada))
        self.propose(guest, give=give, want=[])
        offer = self.ada.offers()[-1]["id"]
        expect(self.ada.ticket(offer)).to_be_visible()
        self.typist.answer(offer, "a")
        assert waited(lambda: len(self.aside(self.ada)) == before + len(give), self.ada)
        self.done.add("gift")
        return True

    def propose(self, guest: Person, give: list[tuple[int, int]], want: list[int]) -> None:
        """Offer cards of a guest's hand to Ada."""
        seen = guest.seen()
        revision = seen["game"]["own"]["hand_revision"]
        guest.do(
            do="make-offer",
            player=seen["seat"],
            to=[self.ada.seat],
            hand=give,
            want=want,
            hand_revision=revision,
        )

    def aside(self, person: Person) -> list[int]:
        """Return what lies set aside for somebody."""
        return sorted(self.ada.seen()["game"]["players"][person.seat]["set_aside"])


@pytest.fixture
def company(browser: Browser, server: Serving) -> Iterator[Company]:
    """Return three people at a dealt table; Ada has a keyboard only."""
    company = Company(browser, server.url)
    company.come_in()
    company.sit_down()
    yield company
    company.close()


def test_question_mark_tells_the_keys(company: Company) -> None:
    """The sheet of keys names those of the market, and Escape closes it."""
    typist = company.typist
    typist.press("?")
    sheet = company.ada.page.get_by_role("dialog")
    expect(sheet).to_be_visible()
    for key in ("o", "a", "c", "p", "h", "b"):
        expect(sheet.locator("kbd", has_text=key).first).to_be_visible()
    typist.press("Escape")

    expect(sheet).to_have_count(0)


@pytest.fixture
def planted(browser: Browser) -> Iterator[Page]:
    """Return a page where the first of three set-aside cards, the third like it, was just planted."""
    still = next(
        one for one in stills() if one.name.startswith("main 7p plant-traded mine") and one.seat == 0
    )
    players = list(still.state.players)
    first = players[0].set_aside[0]
    other = next(field[-1] for field in players[0].fields if field and field[-1] != first)
    players[0] = replace(players[0], set_aside=(first, other, first))
    shown = Unserved(browser, settings={"takeBack": 3_600_000}, **SIZES["wide"])
    shown.show(replace(still, state=replace(still.state, players=tuple(players))))
    field = shown.page.locator(".target .plot").first.get_attribute("data-key")
    assert field is not None
    shown.page.keyboard.press(field)
    expect(shown.page.locator(".undo")).to_be_visible()
    yield shown.page
    shown.close()


def test_next_card_is_chosen_while_a_planting_can_be_taken_back(planted: Page) -> None:
    """The next one of its kind is marked by itself; the key goes on from kind to kind, seen at once."""
    for chosen in (0, 1, 0):
        piles = planted.locator("[data-aside]")
        expect(piles.nth(chosen)).to_have_attribute("aria-pressed", "true")
        expect(piles.nth(1 - chosen)).to_have_attribute("aria-pressed", "false")
        planted.keyboard.press("n")

    expect(planted.locator("html")).to_have_attribute("data-pending", "1")


def test_field_number_while_a_planting_can_be_taken_back_is_the_next_planting(planted: Page) -> None:
    """A field's number does what a second tap there does: what waits is sent, the next card follows."""
    planted.keyboard.press("1")

    expect(planted.locator(".undo")).to_have_count(0)
    expect(planted.locator("html")).to_have_attribute("data-pending", "1")


def test_whole_game_is_played_by_keyboard(company: Company) -> None:
    """Offers, a counter, a pick, a harvest off turn, a purchase, and every card planted, without a mouse.

    A deal may leave no occasion for one of them: then another game is played.
    """
    company.play_out()
    for _ in range(GAMES - 1):
        if company.done != DEEDS:
            company.sit_down()
            company.play_out()

    assert company.done == DEEDS
    assert not company.typist.touched()
