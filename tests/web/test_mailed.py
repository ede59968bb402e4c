"""The links of letters are followed to their end: an address confirmed, letters ended, a way back."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from bohn.i18n import available
from tests.server.support.mail_server import SENDER, MailServer, mail_server
from tests.web.support.in_thread import in_thread
from tests.web.support.looking import barriers, cut_off, too_small_to_read, too_small_to_tap
from tests.web.support.people import Person
from tests.web.support.serving import QUICK, Serving
from tests.web.support.unserved import HOST, Unserved
from tests.web.support.walking import SIZES, faults
from tests.web.test_account import PHONE, Owner

pytestmark = pytest.mark.e2e

ADDRESS = "anna@example.org"


@pytest.fixture
def post() -> Iterator[MailServer]:
    """Return a mail server on this machine."""
    with in_thread(mail_server) as one:
        yield one


@pytest.fixture
def mailing(tmp_path: Path, post: MailServer) -> Iterator[Serving]:
    """Return a server that sends by it."""
    mail = {"host": "127.0.0.1", "port": post.port, "tls": "none", "sender": SENDER}
    with Serving(tmp_path, {**QUICK, "mail": mail}) as server:
        yield server


def link(post: MailServer, what: str, person: Person) -> str:
    """Return the whole address of a link in the letter that has come last, once it has come."""
    for _ in range(200):
        if post.letters and f"#{what}." in post.text():
            break
        person.page.wait_for_timeout(50)
    (found,) = [word for word in post.text().split() if f"/mail#{what}." in word]
    return found


def tell(person: Person, post: MailServer, address: str = ADDRESS) -> None:
    """Name an address in the settings, and open the link that comes there."""
    person.page.goto(person.url)
    person.button("Settings").click()
    person.page.get_by_text("Notify me elsewhere").click()
    person.page.get_by_label("E-mail address").fill(address)
    person.button("Send me the link").click()
    expect(person.page.get_by_text("Waiting for its link to be opened.")).to_be_visible()
    person.page.goto(link(post, "confirm", person))
    person.button("Yes, it is mine").click()
    expect(person.page.get_by_role("status")).to_contain_text("A message comes there from now on")


def looked_at(person: Person) -> None:
    """See that a page of a link has no barriers, and that nothing is cut off or too small."""
    assert barriers(person.page) == []
    assert cut_off(person.page) + too_small_to_read(person.page, 13) + too_small_to_tap(person.page, 44) == []


def test_address_is_confirmed_and_its_letters_are_ended(
    browser: Browser, mailing: Serving, post: MailServer
) -> None:
    """The link confirms once; that of a letter ends them at once, and in the settings they begin again."""
    anna = Owner(browser, mailing.url, "Anna", **PHONE)
    anna.come_in()
    tell(anna, post)
    looked_at(anna)
    confirming = link(post, "confirm", anna)
    assert confirming.startswith(f"{anna.url}/mail#confirm.")
    (channel,) = anna.ask("GET", "/api/me/alerts")["channels"]
    assert channel["verified"]

    anna.page.goto(anna.url)
    anna.page.goto(confirming)
    anna.button("Yes, it is mine").click()
    expect(anna.page.get_by_role("alert")).to_have_text("This link is no longer valid. Ask for a new one.")

    anna.ask("POST", f"/api/me/alerts/channels/{channel['id']}/test")
    anna.page.goto(anna.url)
    anna.page.goto(link(post, "stop", anna))
    expect(anna.page.get_by_role("status")).to_contain_text("No more e-mail about turns comes there.")
    looked_at(anna)
    (channel,) = anna.ask("GET", "/api/me/alerts")["channels"]
    assert (channel["verified"], channel["active"]) == (True, False)
    anna.close()


def test_lost_passkey_is_replaced_by_a_link_that_holds_once(
    browser: Browser, mailing: Serving, post: MailServer
) -> None:
    """From another browser, without being anybody there; who opens the same link later is told so."""
    anna = Owner(browser, mailing.url, "Anna")
    anna.come_in()
    anna.become("anna-mailed")
    tell(anna, post)

    lost = Owner(browser, mailing.url, "", **PHONE)
    lost.open_account()
    lost.button("I have lost my passkey").click()
    lost.page.get_by_label("E-mail address that you have confirmed").fill(ADDRESS.upper())
    lost.button("Send me a link").click()
    expect(lost.page.get_by_role("status")).to_contain_text("a link is on its way there")
    way = link(post, "come-back", lost)
    lost.page.goto(way)
    looked_at(lost)
    lost.button("Sign in").click()
    expect(lost.button("Account")).to_be_visible()
    assert lost.own() == anna.own()

    late = Owner(browser, mailing.url, "")
    late.page.goto(way)
    late.button("Sign in").click()
    expect(late.page.get_by_role("alert")).to_have_text("This link is no longer valid. Ask for a new one.")
    assert late.context.request.get(f"{late.url}/api/me", max_retries=1).status == 401
    for person in (anna, lost, late):
        person.close()


@pytest.mark.parametrize(
    ("fragment", "press"),
    [("confirm.made-up", "Yes, it is mine"), ("come-back.made-up", "Sign in"), ("stop.a.b", "")],
)
def test_link_that_was_made_up_changes_nothing_and_says_so(
    browser: Browser, mailing: Serving, post: MailServer, fragment: str, press: str
) -> None:
    """Whoever guesses is told what everybody is told whose link is used up."""
    anna = Owner(browser, mailing.url, "Anna")
    anna.come_in()
    before = anna.ask("GET", "/api/me"), anna.ask("GET", "/api/me/alerts")
    anna.page.goto(f"{anna.url}/mail#{fragment}")
    if press:
        anna.button(press).click()

    expect(anna.page.get_by_role("alert")).to_have_text("This link is no longer valid. Ask for a new one.")
    expect(anna.page.get_by_role("button")).to_have_count(0)  # it would be refused again
    assert (anna.ask("GET", "/api/me"), anna.ask("GET", "/api/me/alerts")) == before
    assert post.letters == []
    anna.close()


LETTERS = ("confirm.a", "come-back.a", "stop.a.b", "nothing")


@pytest.mark.parametrize("language", available())
@pytest.mark.parametrize("size", ["phone", "wide"])
def test_page_of_a_letter_can_be_read_in_every_language(browser: Browser, size: str, language: str) -> None:
    """What it asks, and what it says once it is done or refused: nothing is cut off or too small."""
    found = []
    for theme, status in (("light", 200), ("dark", 404)):
        opened = Unserved(browser, settings={"language": language, "theme": theme}, **SIZES[size])
        page = opened.page
        answer = {"type": "refused", "reason": "link-not-valid", "params": {}} if status == 404 else {}
        page.route("**/api/mail/**", partial(Route.fulfill, status=status, json=answer))
        for letter in LETTERS:
            page.goto(f"{HOST}/mail?{letter}#{letter}")  # another address, so that it is loaded anew
            expect(page.locator("h1")).to_be_visible()
            found += [f"{letter}: {fault}" for fault in faults(page)]
            if letter == "confirm.a":
                page.get_by_role("button").click()
                expect(page.get_by_role("button")).to_have_count(0)
                found += [f"{letter}, {status}: {fault}" for fault in faults(page)]
        found += [str(barrier) for barrier in barriers(page)]
        opened.close()

    assert "\n".join(found) == ""
