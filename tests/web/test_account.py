"""Accounts in a browser, with Chromium's virtual authenticator: become one, come back, and lose nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Route, expect

from tests.web.support.looking import AXE, barriers, cut_off, too_small_to_read, too_small_to_tap
from tests.web.support.people import Person
from tests.web.support.serving import QUICK, Serving

pytestmark = pytest.mark.e2e

PHONE = {"viewport": {"width": 360, "height": 800}, "is_mobile": True, "has_touch": True}

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


class Owner(Person):
    """Somebody whose browser has an authenticator."""

    def __init__(self, browser: Browser, url: str, name: str, **context: Any) -> None:
        """Sit down before the page at a host name, for which passkeys can be made."""
        super().__init__(browser, url.replace("127.0.0.1", "localhost"), name, **context)
        self.devices: CDPSession = self.context.new_cdp_session(self.page)
        self.devices.send("WebAuthn.enable")
        self.device: str = self.devices.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})[
            "authenticatorId"
        ]

    def passkeys(self) -> list[dict[str, Any]]:
        """Return the passkeys of the authenticator."""
        found: list[dict[str, Any]] = self.devices.send(
            "WebAuthn.getCredentials", {"authenticatorId": self.device}
        )["credentials"]
        return found

    def take_passkeys(self, other: Owner) -> None:
        """Have the passkeys of another's authenticator, as one who brings the same key has."""
        for one in other.passkeys():
            self.devices.send("WebAuthn.addCredential", {"authenticatorId": self.device, "credential": one})

    def open_account(self) -> None:
        """Open the sheet of the account in the lobby."""
        self.page.goto(self.url)
        self.button("Account").click()

    def become(self, handle: str) -> list[str]:
        """Become an account, and return the recovery codes."""
        self.open_account()
        self.page.get_by_label("Account name").fill(handle)
        self.button("Create account with a passkey").click()
        expect(self.page.get_by_role("heading", name="Recovery codes")).to_be_visible()
        return self.page.locator("[aria-labelledby='codes'] code").all_text_contents()

    def own(self) -> str:
        """Return the id of the user of this browser."""
        self._cookie = ""
        return str(self.ask("GET", "/api/me")["user"])

    def games(self) -> list[str]:
        """Return the tables at which this browser's user sits."""
        self._cookie = ""
        return [table["table"] for table in self.ask("GET", "/api/me/tables")["tables"]]


Come = Callable[..., Owner]


@pytest.fixture
def come(browser: Browser, server: Serving) -> Iterator[Come]:
    """Return how people come; they leave at the end."""
    here: list[Owner] = []

    def coming(name: str, **context: Any) -> Owner:
        here.append(Owner(browser, server.url, name, **context))
        return here[-1]

    yield coming
    for person in here:
        person.close()


def playing(come: Come, name: str) -> Owner:
    """Return a guest with a game."""
    guest = come(name)
    guest.come_in()
    guest.open_table(3, bots=2)
    return guest


def test_guest_with_a_game_has_it_in_another_browser(come: Come) -> None:
    """He becomes an account, signs in elsewhere by his passkey, and goes on there."""
    anna, other = playing(come, "Anna"), come("")
    anna.become("anna-one")
    anna.button("I have kept them").click()
    expect(anna.page.locator("[role='dialog'] :focus")).to_contain_text("@")
    expect(anna.page.get_by_text("@anna-one")).to_be_visible()

    other.take_passkeys(anna)
    other.open_account()
    other.button("Sign in with a passkey").click()
    expect(other.page.get_by_role("heading", name="My games", exact=True)).to_be_visible()
    assert other.own() == anna.own()
    assert other.games() == [anna.table]


def signed_out_elsewhere(come: Come, handle: str, *, listed: bool = False) -> tuple[Owner, Owner]:
    """Return who signed another device out, and that device, which is at the table."""
    anna, phone = come("Anna"), come("")
    anna.come_in()
    anna.open_table(3, bots=1, listed=listed)
    anna.become(handle)
    anna.button("I have kept them").click()
    phone.take_passkeys(anna)
    phone.open_account()
    phone.button("Sign in with a passkey").click()
    expect(phone.page.get_by_role("heading", name="My games", exact=True)).to_be_visible()
    phone.page.goto(f"{phone.url}/t/{anna.table}")
    expect(phone.button("Stand up")).to_be_visible()
    anna.own()
    tokens = anna.ask("GET", "/api/me/tokens")
    other = next(one["id"] for one in tokens if one["cookie"] and not one["current"])
    anna.ask("DELETE", f"/api/me/tokens/{other}")
    return anna, phone


@pytest.mark.parametrize("listed", [False, True])
def test_device_signed_out_elsewhere_says_so_and_comes_back_to_its_table(come: Come, *, listed: bool) -> None:
    """Not that an invitation is needed: the way back stands there, also after a reload."""
    handle = f"out-{listed}".lower()
    _, phone = signed_out_elsewhere(come, handle, listed=listed)
    told = phone.page.locator("[data-signed-out]")
    expect(told).to_contain_text(f"no longer signed in to @{handle}")
    phone.page.reload()
    expect(told).to_contain_text(f"no longer signed in to @{handle}")
    expect(phone.page.get_by_text("you need an invitation")).to_have_count(0)

    told.get_by_role("button", name="Sign in").click()
    phone.button("Sign in with a passkey").click()
    expect(phone.button("Stand up")).to_be_visible()
    expect(told).to_have_count(0)


def test_account_says_that_a_fresh_guest_leaves_nothing_behind(come: Come) -> None:
    """Who was signed out and came in as a guest: seats and games are the account's, and he is asked once."""
    _, phone = signed_out_elsewhere(come, "out-fresh")
    expect(phone.page.locator("[data-signed-out]")).to_be_visible()
    answer = phone.context.request.post(f"{phone.url}/api/guests", data={"name": "Mira"}, max_retries=1)
    assert answer.ok, answer.text()
    phone.open_account()
    said = "In this browser you are the guest Mira, who has no seats and no games"
    expect(phone.page.get_by_text(said)).to_be_visible()
    phone.button("Sign in with a passkey").click()
    expect(phone.page.get_by_role("heading", name="My games", exact=True)).to_be_visible()


def test_whoever_signs_out_here_is_not_told_of_another_device(come: Come) -> None:
    """He knows it himself."""
    anna = come("Anna")
    anna.come_in()
    anna.become("out-here")
    anna.button("I have kept them").click()
    with anna.page.expect_navigation():  # the page reloads itself
        anna.button("Sign out here").click()
    expect(anna.button("Account")).to_be_visible()
    anna.page.reload()
    expect(anna.button("Account")).to_be_visible()
    expect(anna.page.locator("[data-signed-out]")).to_have_count(0)


def test_recovery_code_lets_in_once_and_not_twice(come: Come) -> None:
    """Where the passkey is lost; the same code is refused to the next."""
    anna, found, thief = playing(come, "Anna"), come(""), come("")
    code = anna.become("anna-two")[0]
    for person in (found, thief):
        person.open_account()
        person.button("Use a recovery code").click()
        person.page.get_by_label("Recovery code").fill(code.lower())
        person.button("Sign in").click()
        if person is found:
            expect(person.page.get_by_role("heading", name="My games", exact=True)).to_be_visible()

    expect(thief.page.get_by_role("alert")).to_have_text("This recovery code is wrong or was used already.")
    assert found.games() == [anna.table]


def test_session_ended_elsewhere_is_nobody_any_more(come: Come) -> None:
    """The list names the devices; what is ended there is asked to come in again."""
    anna, other = playing(come, "Anna"), come("")
    anna.become("anna-three")
    other.take_passkeys(anna)
    other.open_account()
    other.button("Sign in with a passkey").click()
    expect(other.page.get_by_role("heading", name="My games", exact=True)).to_be_visible()

    anna.button("I have kept them").click()
    anna.button("Sign out: Chrome, Linux").click()
    expect(anna.button("Sign out: Chrome, Linux")).to_have_count(0)
    answer = other.context.request.get(f"{other.url}/api/me", max_retries=1)
    assert answer.status == 401


def test_second_passkey_is_added_and_the_first_removed(come: Come) -> None:
    """One who has confirmed just now need not again; the last passkey has no button to remove it."""
    anna = playing(come, "Anna")
    anna.become("anna-four")
    anna.button("I have kept them").click()
    anna.devices.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": anna.device})
    anna.device = anna.devices.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})[
        "authenticatorId"
    ]
    remove = anna.page.get_by_role("button", name="Remove passkey")
    expect(anna.page.locator("[aria-labelledby='passkeys'] li")).to_have_count(1)
    expect(remove).to_have_count(0)
    anna.button("Add a passkey").click()
    expect(remove).to_have_count(2)
    for _ in range(2):
        remove.first.click()
    expect(anna.page.locator("[aria-labelledby='passkeys'] li")).to_have_count(1)


def test_account_is_made_by_keyboard_on_a_phone(come: Come) -> None:
    """Every step can be reached by Tab and Enter, and nothing lies outside the window."""
    anna = come("Anna", **PHONE)
    anna.come_in()
    anna.page.goto(anna.url)
    anna.button("Account").press("Enter")
    handle = anna.page.get_by_label("Account name")
    expect(handle).to_be_visible()
    while not handle.evaluate("one => one === document.activeElement"):
        anna.page.keyboard.press("Tab")
    anna.page.keyboard.type("anna-five")
    anna.page.keyboard.press("Enter")
    expect(anna.page.get_by_role("heading", name="Recovery codes")).to_be_visible()

    assert anna.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    while not anna.button("I have kept them").evaluate("one => one === document.activeElement"):
        anna.page.keyboard.press("Tab")
    anna.page.keyboard.press("Enter")
    expect(anna.page.get_by_text("@anna-five")).to_be_visible()


def test_guest_is_asked_before_he_is_left_behind(come: Come) -> None:
    """One press asks, and does nothing; who has been nobody here is not asked."""
    anna, bert = come("Anna"), playing(come, "Bert")
    anna.become("anna-six")
    bert.take_passkeys(anna)
    bert.open_account()
    expect(bert.page.get_by_text("In this browser you are the guest Bert.")).to_be_visible()
    bert.button("Sign in with a passkey").click()
    expect(bert.button("Leave the guest and sign in?")).to_be_visible()
    assert bert.games() == [bert.table]

    bert.button("Leave the guest and sign in?").click()
    expect(bert.page.get_by_label("Your name")).to_have_value("Anna")
    assert bert.own() == anna.own()


def test_passkey_is_asked_for_before_codes_are_made_anew(browser: Browser, tmp_path: Path) -> None:
    """Where one has not shown who one is for a while; then it is done without another press."""
    settings = QUICK | {"times": QUICK["times"] | {"confirmed": 3_000}}
    with Serving(tmp_path, settings) as serving:
        anna = Owner(browser, serving.url, "Anna")
        old = anna.become("anna")
        anna.button("I have kept them").click()
        anna.page.wait_for_timeout(3_000)
        assert anna.context.request.post(f"{anna.url}/api/account/codes", max_retries=1).status == 403
        anna.button("Make new recovery codes").click()
        anna.button("The old ones stop working. Go on?").click()
        expect(anna.page.get_by_role("heading", name="Recovery codes")).to_be_visible()

        new = anna.page.locator("[aria-labelledby='codes'] code")
        expect(new).to_have_count(8)
        assert not set(new.all_text_contents()) & set(old)
        anna.close()


def test_device_that_says_no_changes_nothing(come: Come) -> None:
    """Whoever takes his finger away is told so, and is a guest as before."""
    anna = playing(come, "Anna")
    anna.devices.send("WebAuthn.setUserVerified", {"authenticatorId": anna.device, "isUserVerified": False})
    anna.open_account()
    anna.page.get_by_label("Account name").fill("anna-seven")
    anna.button("Create account with a passkey").click()

    expect(anna.page.get_by_role("alert")).to_have_text("No passkey was used. Nothing has changed.")
    assert anna.games() == [anna.table]
    assert anna.ask("GET", "/api/account")["handle"] == ""


def test_handle_stands_beside_the_name_at_the_table(come: Come) -> None:
    """Others see it among the people, so that nobody can pass for him."""
    anna, bert = come("Anna"), come("Anna")
    anna.come_in()
    anna.become("anna-eight")
    anna.open_table(3)
    bert.come_in()
    bert.follow(anna.invite(), anna.table)
    anna.ask("POST", f"/api/tables/{anna.table}/commands", {"command": {"do": "start", "fill": "pk"}})
    bert.page.get_by_role("button", name="People").first.click()

    people = bert.page.get_by_role("dialog", name="People")
    expect(people.get_by_text("@anna-eight")).to_have_count(1)
    expect(people.get_by_text("@")).to_have_count(1)


def test_page_without_tls_says_so(come: Come) -> None:
    """As in a LAN: it offers no passkey, names TLS and where to read about it, and a code still helps."""
    anna = come("Anna")
    anna.context.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    anna.open_account()

    expect(anna.page.locator("[data-obstacle='no-tls']")).to_contain_text("docs/accounts.md")
    expect(anna.button("Create account with a passkey")).to_have_count(0)
    expect(anna.button("Use a recovery code")).to_be_visible()


def test_data_are_saved_and_deleted_by_oneself(come: Come) -> None:
    """Both in the settings; the account goes with them, and its name is free."""
    anna, bert = playing(come, "Anna"), come("Bert")
    anna.become("anna-nine")
    anna.page.goto(anna.url)
    anna.button("Settings").click()
    with anna.page.expect_download() as saved:
        anna.page.get_by_role("link", name="Save all my data as a file").click()
    assert anna.table in Path(saved.value.path()).read_text(encoding="utf-8")
    anna.button("Delete my name and my data").click()
    anna.button("Delete my name and my data").click()
    expect(anna.page.get_by_role("dialog")).to_have_count(0)

    assert anna.context.request.get(f"{anna.url}/api/me", max_retries=1).status == 401
    bert.become("anna-nine")


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_sheet_of_the_account_is_for_everybody(come: Come, size: str) -> None:
    """No barriers, nothing cut off, nothing too small to read or to hit, in each of its three states."""
    anna = come("Anna", **(PHONE if size == "phone" else {"viewport": {"width": 1440, "height": 900}}))
    anna.come_in()
    anna.open_account()
    found: list[str] = []

    def look(state: str) -> None:
        seen = cut_off(anna.page) + too_small_to_read(anna.page, 13)
        seen += too_small_to_tap(anna.page, 44) if size == "phone" else []
        seen += barriers(anna.page) if AXE.is_file() else []
        found.extend(f"{state}: {one}" for one in seen)

    anna.button("Use a recovery code").click()
    look("guest")
    anna.become(f"anna-{size}")
    look("codes")
    anna.button("I have kept them").click()
    expect(anna.page.get_by_text(f"@anna-{size}")).to_be_visible()
    look("account")
    assert found == []


def test_page_at_an_address_says_where_passkeys_are(browser: Browser, server: Serving) -> None:
    """There is no passkey for an IP address: the page names the host and leads there."""
    guest = Person(browser, server.url, "Anna")
    guest.page.goto(server.url)
    guest.button("Account").click()

    expect(guest.page.locator("[data-obstacle='other-host']")).to_contain_text("localhost")
    link = server.url.replace("127.0.0.1", "localhost")
    expect(guest.page.get_by_role("link", name=link)).to_have_attribute("href", f"{link}/")
    guest.close()


def test_question_before_all_is_deleted_is_in_sight_and_names_what_goes(come: Come) -> None:
    """It opens below the button that was pressed, at the end of a long sheet."""
    anna = come("Anna")
    anna.come_in()
    anna.page.goto(anna.url)
    anna.page.set_viewport_size({"width": 360, "height": 700})
    anna.button("Settings").first.click()
    anna.button("Delete my name and my data").click()
    expect(anna.button("Cancel").last).to_be_in_viewport(ratio=1)
    expect(anna.page.get_by_text("passkeys and recovery codes are deleted for good")).to_be_in_viewport()


def test_question_before_all_is_deleted_stays_in_sight_when_a_part_comes_late(come: Come) -> None:
    """What is loaded above it pushes it down, and it comes back into sight."""
    anna = come("Anna")
    anna.come_in()
    late: list[Route] = []

    def hold(route: Route) -> None:
        late.append(route)

    anna.page.route(re.compile(r"/assets/Alerts-.*[.]js"), hold)
    anna.page.goto(anna.url)
    anna.page.set_viewport_size({"width": 360, "height": 700})
    anna.button("Settings").first.click()
    anna.button("Delete my name and my data").click()
    cancel = anna.button("Cancel").last
    expect(cancel).to_be_in_viewport(ratio=1)
    assert late
    for route in late:
        route.continue_()
    expect(anna.page.get_by_role("heading", name="When it is my turn")).to_be_attached()

    expect(cancel).to_be_in_viewport(ratio=1)
