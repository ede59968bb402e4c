"""What happens around a game: a link opened on a phone, a reload, a killed server, another language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.web.support.people import Person
from tests.web.support.serving import Serving

pytestmark = pytest.mark.e2e

PHONE = {"viewport": {"width": 360, "height": 800}, "is_mobile": True, "has_touch": True}


@pytest.fixture
def pair(browser: Browser, own_server: Serving) -> Iterator[tuple[Person, Person]]:
    """Return a host at a desktop and a guest who came by link on a phone; a bot has the third seat."""
    host, guest = Person(browser, own_server.url, "Ada"), Person(browser, own_server.url, "Bo", **PHONE)
    host.come_in()
    host.open_table(3)
    guest.follow(host.invite(), host.table)
    yield host, guest
    host.close()
    guest.close()


def dealt(pair: tuple[Person, Person]) -> tuple[Person, Person]:
    """Deal, and play until a market of one of the two is open; return whose it is, and the other."""
    host, guest = pair
    for _ in range(2):  # a seat is free, and a friend might be on his way to it
        host.page.locator("[data-start]").click()
    for person in pair:
        expect(person.page.locator("[data-card]")).not_to_have_count(0)
    for _ in range(600):
        for person, other in ((host, guest), (guest, host)):
            game = person.seen()["game"]
            if game["phase"]["phase"] == "trade" and game["active_player"] == person.seat:
                return person, other
        if not any(person.step() for person in pair):
            host.page.wait_for_timeout(20)
    msg = "no market"
    raise AssertionError(msg)


def test_link_on_a_phone_leads_to_a_seat(pair: tuple[Person, Person]) -> None:
    """Whoever opens the link sits at the table, and the host sees his name."""
    host, guest = pair

    expect(host.page.get_by_text("Bo", exact=False).first).to_be_visible()
    assert [seat["user"] is not None for seat in guest.seen()["room"]["seats"]] == [True, True, False]


@pytest.fixture
def strangers(browser: Browser, own_server: Serving) -> Iterator[tuple[Person, Person]]:
    """Return a host in the waiting room of his table, and somebody who has never been here."""
    host, guest = Person(browser, own_server.url, "Ada"), Person(browser, own_server.url, "Bo", **PHONE)
    host.come_in()
    host.open_table(3)
    yield host, guest
    host.close()
    guest.close()


def test_address_of_a_table_is_an_invitation(strangers: tuple[Person, Person]) -> None:
    """Whoever is sent what stands in the host's address bar sees host and seats, and one button seats him."""
    host, guest = strangers
    expect(host.page.locator("#invitation")).to_be_visible()
    guest.page.goto(host.page.url)

    expect(guest.page.get_by_role("heading", name="Ada invites you to the table")).to_be_visible()
    expect(guest.page.get_by_text("Free seat")).to_have_count(2)
    guest.button("Sit down").click()
    expect(guest.button("Stand up")).to_be_visible()
    expect(host.page.get_by_text("Bo", exact=True)).to_be_visible()


def test_removed_guest_reads_that_he_was_removed(pair: tuple[Person, Person]) -> None:
    """The host's button ends the guest's page with the reason, and not with a riddle."""
    host, guest = pair
    host.button("Remove").click()

    expect(guest.page.get_by_text("The host has removed you from this table.")).to_be_visible()


def test_page_of_a_phone_does_not_scroll_sideways(pair: tuple[Person, Person]) -> None:
    """Nothing is wider than 360 px, and the whole table is on one screen."""
    dealt(pair)
    guest = pair[1]
    size = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"

    assert guest.page.evaluate(size) == [360, 800]


def test_reload_keeps_the_offer_one_is_composing(pair: tuple[Person, Person]) -> None:
    """What was raised and wanted is there again after a reload."""
    active, _ = dealt(pair)
    active.page.locator("[data-key='o']").first.click()
    active.raise_card(1)
    active.want(8)
    active.page.reload()

    expect(active.page.locator("section.tray")).to_be_visible()
    expect(active.page.locator("[data-card='1']")).to_have_attribute("aria-pressed", "true")


def test_reload_still_tells_what_happened_before(pair: tuple[Person, Person]) -> None:
    """The last things that happened stand beside the piles again."""
    dealt(pair)
    host = pair[0]
    told = host.page.locator(".tail .line")
    expect(told).to_have_count(3)
    host.page.reload()

    expect(told).to_have_count(3)


def test_killed_server_loses_nothing_of_a_trade(pair: tuple[Person, Person], own_server: Serving) -> None:
    """The offer stands again after the server was killed, and is accepted in the page open all the time."""
    active, other = dealt(pair)
    wanted = other.hand()[0]
    given = active.hand()[0]
    offer = active.offer([0], [wanted], (other.name,))
    expect(other.ticket(offer)).to_be_visible()
    own_server.kill()
    expect(other.page.get_by_text("Connection lost")).to_be_visible()
    own_server.start()
    expect(other.page.get_by_text("Connection lost")).to_have_count(0, timeout=30_000)
    other.ticket(offer).locator("[data-key='a']").click()
    expect(other.ticket(offer)).to_have_count(0)

    assert given in other.seen()["game"]["players"][other.seat]["set_aside"]


def test_lost_connection_is_told_once_and_the_deeds_sleep(
    pair: tuple[Person, Person], own_server: Serving
) -> None:
    """Without a server one notice tells it and when it is tried again, and all that could be done is pale."""
    active, _ = dealt(pair)
    page = active.page
    page.evaluate("Math.random = () => 1000")  # a wait so long that it does not come back before the press
    own_server.kill()
    expect(page.locator("[data-try-now]")).to_be_visible()  # what is clicked before that is sent again later
    # on a phone the bar shows the notice alone
    page.locator(".closing [data-key='.']").first.dispatch_event("click")

    expect(page.locator(".asleep > .hand")).to_have_css("filter", "grayscale(0.7) opacity(0.5)")
    expect(page.get_by_text("Next try in")).to_be_visible()
    expect(page.get_by_text("Nothing can be done without a connection.")).to_be_visible()
    expect(page.locator("[role=alert]:visible")).to_have_count(0)
    own_server.start()
    page.locator("[data-try-now]").click()
    expect(page.locator(".asleep")).to_have_count(0, timeout=2_000)


def test_prompt_leads_to_what_can_be_done_about_who_is_away(pair: tuple[Person, Person]) -> None:
    """Where a table waits for somebody who has gone, a press shows how a computer player takes over."""
    host, guest = pair
    for _ in range(2):
        host.page.locator("[data-start]").click()
    for person in pair:
        expect(person.page.locator("[data-card]")).not_to_have_count(0)
    for _ in range(600):
        game = host.seen()["game"]
        if game["phase"]["phase"] == "plant" and game["active_player"] == guest.seat:
            break
        if not any(person.step() for person in pair):
            host.page.wait_for_timeout(20)
    guest.page.close()
    host.page.locator("[data-said-away]").click(timeout=30_000)

    expect(host.page.get_by_role("button", name="Let a computer player play").first).to_be_visible()


def test_answer_given_while_the_server_was_away_counts_once(
    pair: tuple[Person, Person], own_server: Serving
) -> None:
    """A click into a dead line is sent again by itself when the line is back."""
    active, other = dealt(pair)
    offer = active.offer([0], [other.hand()[0]], (other.name,))
    expect(other.ticket(offer)).to_be_visible()
    own_server.kill()
    other.ticket(offer).locator("[data-key='a']").click()
    own_server.start()
    expect(other.ticket(offer)).to_have_count(0, timeout=30_000)

    assert len(other.seen()["game"]["players"][other.seat]["set_aside"]) == 1


def test_language_changes_in_the_middle_of_a_game(pair: tuple[Person, Person]) -> None:
    """Everybody reads a language of his own at one table, and may change it while he plays."""
    dealt(pair)
    host, guest = pair
    host.page.get_by_role("button", name="Settings").click()
    host.page.get_by_label("Language").select_option("it")

    expect(host.page.locator("html")).to_have_attribute("lang", "it")
    expect(host.page.get_by_role("heading", name="Impostazioni")).to_be_visible()
    expect(guest.page.locator("html")).to_have_attribute("lang", "en")
