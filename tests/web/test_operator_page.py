"""The operator's page, and what sanctioned people read: in every language, by keyboard, in the dark."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from bohn.i18n import available
from bohn.protocol import operator as told
from bohn.protocol.api import TableInfo
from bohn.protocol.frames import Line, Person
from bohn.protocol.room import Options
from bohn.protocol.sanctions import Standing
from bohn.server.moderation.limits import CHANGEABLE
from bohn.server.settings import Limits
from tests.web.support.looking import barriers
from tests.web.support.people import Person as Guest
from tests.web.support.serving import Serving
from tests.web.support.unserved import HOST, ME, Unserved
from tests.web.support.walking import SIZES, faults

pytestmark = pytest.mark.e2e

AT = 1_790_000_000_000
PARTS = ("overview", "reports", "people", "tables", "limits", "notices", "log")
REPORT = told.ReportInfo(
    7, "table-of-the-report", 3, "anna-id", "Anna", "bert-id", "Bert the Long-Named Farmer", AT,
    "you cheat", "He insults everybody at the table", False,
)  # fmt: skip
DEED = told.DeedInfo(
    1, AT, "page:a1b2c3d4e5f6", "ban", "bert-id", "Bert the Long-Named Farmer", "Insults", AT + 1, 7
)
SANCTION = told.SanctionInfo("s1", "suspend", "bert-id", "Bert", None, AT, AT + 3_600_000, "Insults")
ANSWERS: dict[str, object] = {
    "/api/operator": told.Overview(
        told.OperatorSession("page:a1b2c3d4e5f6", AT), AT, "", 12, 3, 1_204, {"open": 2, "playing": 5}, 1,
        (SANCTION, replace(SANCTION, id="s2", kind="ban", user=None, network="203.0.113.0/24", until=None)),
        tuple(
            told.LimitInfo(name, getattr(Limits(), name) + 1, getattr(Limits(), name), *between)
            for name, between in CHANGEABLE.items()
        ),
        told.NoticesOffer(("push", "mail", "ntfy"), "B" * 87, "https://ntfy.example.org"),
    ),
    "/api/operator/reports": told.ReportList((REPORT, replace(REPORT, id=8, settled=True)), more=True),
    "/api/operator/reports/7": told.ReportContext(
        REPORT, (Line(2, "anna-id", AT, "hello"), Line(3, "bert-id", AT, "you cheat")),
        (told.LogLine(4, AT, "anna-id", "make-offer", ("offer-made",)),), {"anna-id": "Anna"}, (DEED,),
    ),
    "/api/operator/people": told.SeenPeople((
        told.SeenPerson(
            "bert-id", "Bert", "de", AT, AT, False, "203.0.113.7", (), Standing("mute", "Too loud", AT)
        ),
    ), more=True),
    "/api/operator/tables": told.OperatorTables((
        TableInfo(
            "table-of-the-report", "playing", Options(), Person("Anna"), (Person("Anna"), Person("Bert")),
            1, 3, 2, AT, AT, False,
        ),
    ), more=True),
    "/api/operator/limits": {}, "/api/operator/sanctions": {"sanctions": []},
    "/api/operator/deeds": told.DeedList((DEED, replace(DEED, id=2, deed="sign-in")), True, more=True),
}  # fmt: skip

Opening = Callable[..., Unserved]


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opening]:
    """Return how to open the operator's page without a server."""
    pages: list[Unserved] = []

    def opening(
        size: str, language: str = "en", theme: str = "light", answers: dict[str, object] | None = None
    ) -> Unserved:
        settings = {"language": language, "theme": theme}
        answered = {**ANSWERS, **(answers or {})}
        pages.append(Unserved(browser, settings=settings, answers=answered, **SIZES[size]))
        pages[-1].page.goto(f"{HOST}/operator")
        expect(pages[-1].page.locator("nav")).to_be_visible()
        return pages[-1]

    yield opening
    for page in pages:
        page.close()


def shown(page: Page, part: str) -> None:
    """Show a part, with whatever can be opened in it opened."""
    page.locator("nav button").nth(PARTS.index(part)).click()
    page.wait_for_load_state("networkidle")
    closed = page.locator("section [aria-expanded='false']")
    if closed.count():
        closed.first.click()
        page.wait_for_load_state("networkidle")


@pytest.mark.parametrize("language", [*available(), "en-XA"])
@pytest.mark.parametrize("size", ["phone", "wide"])
def test_every_part_of_the_operators_page_can_be_read_and_hit(
    opened: Opening, size: str, language: str
) -> None:
    """No text is clipped or covered, none is small, and no target is too small, in any language."""
    page = opened(size, language).page
    found = []
    for part in PARTS:
        shown(page, part)
        found += [f"{part}: {fault}" for fault in faults(page)]

    assert "\n".join(found) == ""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_operators_page_has_no_barriers(opened: Opening, theme: str) -> None:
    """Nothing that axe finds, in both themes."""
    page = opened("phone", "en", theme).page
    for part in PARTS:
        shown(page, part)
        assert barriers(page) == [], part


MARKUP = "<img src=x onerror=\"document.title='hacked'\"><b>bold</b>"


def test_what_people_write_is_shown_as_they_wrote_it(opened: Opening) -> None:
    """No name, line, reason or id becomes markup, and no text another one by being a key of the catalogs."""
    report = replace(REPORT, text="operator.until", reason=MARKUP, by_name=MARKUP, table=MARKUP)
    person = replace(ANSWERS["/api/operator/people"].people[0], name=MARKUP)  # type: ignore[attr-defined] # mypy: - an object
    answers = {
        "/api/operator/reports": told.ReportList((report,), more=False),
        "/api/operator/reports/7": replace(
            ANSWERS["/api/operator/reports/7"],  # type: ignore[type-var] # mypy: - an object
            report=report, names={"anna-id": MARKUP}, lines=(Line(3, "bert-id", AT, MARKUP),),
            deeds=(replace(DEED, text=MARKUP, by=MARKUP),),
        ),
        "/api/operator/people": told.SeenPeople((person,), more=False),
        "/api/operator/deeds": told.DeedList((replace(DEED, text=MARKUP, name=MARKUP),), True, more=False),
    }  # fmt: skip
    page = opened("wide", answers=answers).page
    shown(page, "reports")
    expect(page.locator("section q")).to_have_text("operator.until")
    for part in ("reports", "people", "log"):
        shown(page, part)
        expect(page.locator("section")).to_contain_text(MARKUP)
        assert page.locator("section img, section b").count() == 0
    assert page.title() != "hacked"


@pytest.mark.parametrize(
    ("typed", "sent"), [("", []), ("many", []), ("1,5", []), (" 12 ", [12]), ("0.5", [0.5])]
)
def test_limit_that_is_no_number_is_not_sent(opened: Opening, typed: str, sent: list[float]) -> None:
    """It would be taken for the usual one; the operator is told."""
    page = opened("wide").page
    asked: list[Any] = []
    page.on("request", lambda request: asked.append(request.post_data_json) if request.post_data else None)
    shown(page, "limits")
    page.locator("section input").first.fill(typed)
    button = page.get_by_role("button", name="Set", exact=True).first
    if sent:
        with page.expect_request(lambda request: bool(request.post_data)):
            button.click()
    else:
        button.click()
    expect(page.get_by_role("alert")).to_have_count(0 if sent else 1)
    page.wait_for_load_state("networkidle")
    assert [body["value"] for body in asked] == sent


@pytest.mark.parametrize("part", ["reports", "people", "tables", "log"])
def test_list_that_ends_too_soon_says_so(opened: Opening, part: str) -> None:
    """An operator knows that there is more."""
    page = opened("wide").page
    shown(page, part)
    expect(page.locator("section")).to_contain_text("are shown")


def test_ban_with_the_address_is_for_the_address_that_is_shown(opened: Opening) -> None:
    """Whichever worker is asked, and wherever the person has gone meanwhile."""
    page = opened("wide").page
    asked: list[Any] = []
    page.on("request", lambda request: asked.append(request.post_data_json) if request.post_data else None)
    shown(page, "people")
    page.get_by_label("Also the address 203.0.113.7").check()
    with page.expect_request(lambda request: bool(request.post_data)):
        page.get_by_role("button", name="Ban", exact=True).click()
    page.wait_for_load_state("networkidle")
    assert [(body["user"], body["network"]) for body in asked] == [("bert-id", "203.0.113.7")]


def admin(server: Serving, *words: str) -> str:
    """Run `bohn admin` on a server's data, and return what it prints."""
    command = [sys.executable, "-m", "bohn", "admin", "--data", str(server.folder / "data"), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own interpreter
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def ada(browser: Browser, server: Serving) -> Iterator[Guest]:
    """Return somebody in the lobby."""
    guest = Guest(browser, server.url, "Ada")
    guest.come_in()
    yield guest
    guest.close()


def test_link_from_the_terminal_signs_in_once(browser: Browser, server: Serving, ada: Guest) -> None:
    """By keyboard alone the operator mutes somebody, who reads it; the link is used up."""
    (address,) = re.findall(r"https?://\S+", admin(server, "link", "--url", server.url))
    context = browser.new_context(locale="en-US")
    page = context.new_page()
    page.goto(address)
    expect(page.locator("nav")).to_be_visible()
    assert page.url == f"{server.url}/operator"
    page.locator("nav button").nth(PARTS.index("people")).focus()
    page.keyboard.press("Enter")
    page.locator("section input").first.focus()
    page.keyboard.type("Ada")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Ada", exact=True).first.focus()
    page.keyboard.press("Enter")
    page.get_by_label("The reason, which the person reads").focus()
    page.keyboard.type("Too loud")
    page.get_by_role("button", name="Mute", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator("section")).to_contain_text("Muted: Too loud")
    ada.page.goto(server.url)
    expect(ada.page.get_by_role("alert")).to_contain_text("The operator’s reason: Too loud")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("alert")).to_contain_text("Sign in first")
    page.goto("about:blank")
    page.goto(address)
    expect(page.get_by_role("alert")).to_contain_text("was used before")
    context.close()


def test_players_read_the_word_of_the_operator_who_closes_their_table(server: Serving, ada: Guest) -> None:
    """At once, where they sit."""
    ada.open_table(3)
    admin(server, "close", ada.table, "--word", "The club closes at ten")

    expect(ada.page.locator("body")).to_contain_text(
        "The operator has closed this table: The club closes at ten"
    )


def test_banned_person_reads_why(browser: Browser) -> None:
    """Before anything else, on every page."""
    banned = replace(ME, standing=Standing("ban", "Insults", None))
    page = Unserved(browser, answers={"/api/me": banned, "/api/tables": {"tables": []}})
    page.page.goto(f"{HOST}/")

    expect(page.page.get_by_role("alert")).to_contain_text(
        "You are banned here for good. The operator’s reason: Insults"
    )
    page.close()
