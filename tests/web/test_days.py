"""Games over days: a table whose clock counts in hours is opened, tells its time, and misses nobody."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.web.support.people import Person
from tests.web.support.serving import Serving

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def over_days(browser: Browser, server: Serving, hours: str = "12h", **window: object) -> Person:
    """Return somebody who has just opened a table of so many hours a move with computer players."""
    ada = Person(browser, server.url, "Ada", **window)
    ada.come_in()
    page = ada.page
    page.goto(server.url)
    ada.button("New table").click()
    page.locator("label:has(input[name='bots'][value='3'])").click()
    page.locator("[data-more-settings] summary").click()
    page.locator("label:has(input[name='clock'][value='days'])").click()
    expect(page.get_by_text("trading ends when everybody has passed")).to_be_visible()
    expect(page.locator("[data-runs-out]")).to_contain_text("a computer player makes the move")
    page.locator(f"label:has(input[name='hours'][value='{hours}'])").click()
    page.locator("form button[type='submit']").click()
    expect(page.get_by_role("timer").first).to_be_visible()
    return ada


def test_game_over_days_is_opened_and_tells_its_hours(browser: Browser, server: Serving) -> None:
    """The clock shows the hours of a move; the trading ends when everybody has passed."""
    ada = over_days(browser, server)
    page = ada.page
    timer = page.get_by_role("timer").first
    expect(timer).to_have_text("11 h 59 min")
    options = ada.ask("GET", f"/api/tables/{page.url.rsplit('/', 1)[1]}")["room"]["options"]
    assert (options["clock"], options["house_rules"]) == ("12h", ["closing=unanimous"])
    ada.close()


def test_order_is_left_kept_and_taken_back(browser: Browser, server: Serving) -> None:
    """What one leaves for the time of being away is there after a reload, and gone when it is taken back."""
    ada = over_days(browser, server, viewport={"width": 360, "height": 800}, has_touch=True, is_mobile=True)
    page = ada.page

    def open_sheet() -> None:
        page.locator("[data-menu]").click()
        page.locator("[data-away]").click()

    open_sheet()
    expect(page.get_by_text("You have left no orders.")).to_be_visible()
    leave = page.locator("[data-leave]")
    expect(leave).to_be_disabled()
    page.locator("[data-give]").select_option("wax")
    page.locator("[data-take-kind]").select_option("red")
    leave.click()
    expect(page.locator("[data-order]")).to_contain_text("wax")
    expect(page.locator("[data-order]")).to_contain_text("carried out 0 times of 1")

    page.reload()
    open_sheet()
    expect(page.locator("[data-order]")).to_have_count(1)
    page.get_by_role("button", name="Take this order back").click()
    expect(page.get_by_text("You have left no orders.")).to_be_visible()
    ada.close()


PHONE = {"viewport": {"width": 360, "height": 800}, "has_touch": True, "is_mobile": True}


def two_who_trade(browser: Browser, server: Serving) -> tuple[Person, Person]:
    """Return two people in a trading over days of one of them; the first one has a phone."""
    ada, bert = Person(browser, server.url, "Ada", **PHONE), Person(browser, server.url, "Bert")
    for person in (ada, bert):
        person.come_in()
    active = None
    while active is None:  # a computer player sits there too, and may begin
        ada.open_table(3, bots=1, clock="12h", house_rules=["closing=unanimous"])
        bert.follow(ada.invite(), ada.table)
        ada.do(do="start")
        active = at_turn(ada, bert)
    while active.seen()["game"]["phase"]["phase"] != "trade":
        named = {command["do"]: command for command in reversed(active.seen()["choices"]["legal"])}
        active.do(**(named.get("reveal") or named["plant"]))
    return ada, bert


def at_turn(*people: Person) -> Person | None:
    """Return whose turn it is of these."""
    active = people[0].seen()["game"]["active_player"]
    return next((person for person in people if person.seat == active), None)


def test_whoever_is_done_is_seen_at_his_seat(browser: Browser, server: Serving) -> None:
    """On a phone a mark stands beside his name; in what a tap opens it is said in words."""
    ada, bert = two_who_trade(browser, server)
    mark = ada.page.locator(f"[data-done-seat='{bert.seat}']")
    expect(ada.page.locator(f"[data-seat='{bert.seat}']")).to_be_visible()
    expect(mark).to_have_count(0)
    bert.do(do="be-done", done=True)
    expect(mark).to_be_visible()
    ada.page.locator(f"[data-seat='{bert.seat}']").click(position={"x": 8, "y": 8})
    expect(ada.page.locator("[data-activity]")).to_have_text("done at the next check")
    bert.do(do="be-done", done=False)
    expect(mark).to_have_count(0)
    for person in (ada, bert):
        person.close()


def test_whoever_is_done_in_his_turn_is_told_when_orders_are_looked_at(
    browser: Browser, server: Serving
) -> None:
    """Neither headline nor tab nor "my games" says that it is his turn, and the button takes it back."""
    people = two_who_trade(browser, server)
    one = at_turn(*people)
    assert one is not None
    headline = one.page.locator(".headline")
    expect(headline).to_have_text("Your turn: trade")
    one.do(do="be-done", done=True)
    expect(headline).to_contain_text("Waiting for")
    expect(one.page.locator("[data-not-done]")).to_be_visible()
    expect(one.page.get_by_role("button", name="I’m done", exact=True)).to_have_count(0)
    expect(one.page).to_have_title("Bohn")
    one.page.goto(server.url)
    card = one.page.locator(f"a[href='/t/{people[0].table}']")
    expect(card).to_be_visible()
    expect(card.locator("[data-wait]")).to_contain_text("Waiting for")
    expect(card.locator("[data-wait]")).to_contain_text("due")
    expect(card.locator(".turn")).to_have_count(0)
    expect(card).not_to_contain_text("Your turn")
    for person in people:
        person.close()


def test_nobody_is_marked_as_away_over_days(browser: Browser, server: Serving) -> None:
    """Who is there is shown; of who is not, until when he has time."""
    ada, bert = two_who_trade(browser, server)
    seat = ada.page.locator(f"[data-seat='{bert.seat}']")
    expect(seat.locator("[data-here]")).to_have_count(1)
    bert.page.goto(server.url)
    expect(seat.locator("[data-here]")).to_have_count(0, timeout=60_000)
    expect(seat.locator(".away")).to_have_count(0)
    seat.click(position={"x": 8, "y": 8})
    expect(ada.page.locator("[data-activity]")).to_contain_text("has until")
    for person in (ada, bert):
        person.close()


def test_phone_tells_what_has_happened_since_the_last_look(browser: Browser, server: Serving) -> None:
    """Whoever comes back sees it; a tap opens the log where it begins, and then it is read."""
    ada, bert = two_who_trade(browser, server)
    page, since = ada.page, ada.page.locator("[data-since]")
    expect(page.locator("header.bar button[data-key='l']")).to_be_visible()
    expect(since).to_have_count(0)
    page.goto(server.url)
    expect(page.locator(f"a[href='/t/{ada.table}']")).to_be_visible()
    bert.do(do="be-done", done=True)
    page.goto(f"{server.url}/t/{ada.table}")
    expect(since).to_contain_text("happened since you were here")
    since.click()
    lines = page.locator("[role='dialog'] li")
    expect(page.locator("[data-new]")).to_have_text("New since you were here")
    expect(lines.filter(has_text="Bert will be done at the next check.")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(since).to_have_count(0)
    page.reload()
    expect(page.locator("[data-board]")).to_be_visible()
    expect(since).to_have_count(0)
    for person in (ada, bert):
        person.close()


def test_headline_over_days_stands_on_one_line_of_a_phone(browser: Browser, server: Serving) -> None:
    """The hours that are left stand below it."""
    ada = planting_first(browser, server)
    headline = ada.page.locator(".headline")
    expect(headline).to_have_text("Your turn: plant")
    high, line = headline.evaluate(
        "words => [words.getBoundingClientRect().height, parseFloat(getComputedStyle(words).lineHeight)]"
    )
    assert round(high / line) == 1
    ada.close()


def planting_first(browser: Browser, server: Serving, hours: str = "12h") -> Person:
    """Return somebody who plants first at a table over days, on a phone, two different beans in front.

    A planting set ahead for the bean in front would be possible, and made, at once.
    """
    while True:
        ada = over_days(browser, server, hours, viewport={"width": 360, "height": 800}, has_touch=True)
        ada.table = ada.page.url.rsplit("/", 1)[1]
        first, second = ada.hand()[:2]
        if ada.seen()["game"]["active_player"] == ada.seat and first != second:
            return ada
        ada.close()


def test_moves_set_ahead_are_made_one_behind_the_other(browser: Browser, server: Serving) -> None:
    """The second planting and the turning over follow the own first planting; then they are used up."""
    ada = planting_first(browser, server)
    page = ada.page
    page.locator("[data-menu]").click()
    page.locator("[data-away]").click()
    expect(page.get_by_text("You have set no moves ahead.")).to_be_visible()
    form = page.locator("[data-moves]")
    expect(form.locator("[data-set]")).to_be_disabled()
    form.locator("[data-kind]").select_option(str(ada.hand()[1]))
    form.locator("[data-field]").select_option("1")
    form.locator("[data-set]").click()
    expect(page.locator("[data-move]")).to_contain_text("Field 2")
    form.locator("[data-what]").select_option("reveal")
    form.locator("[data-set]").click()
    expect(page.locator("[data-move]")).to_have_count(2)
    page.keyboard.press("Escape")

    ada.plant()
    page.locator("[data-menu]").click()
    page.locator("[data-away]").click()
    for place in (0, 1):
        made = page.locator("[data-move]").nth(place)
        expect(made).to_contain_text("carried out 1 time of 1", timeout=20_000)
    assert ada.seen()["game"]["phase"]["phase"] == "trade"
    page.get_by_role("button", name="Take this move back").first.click()
    expect(page.locator("[data-move]")).to_have_count(1)
    ada.close()


def test_word_that_one_is_done_is_given_and_taken_back(browser: Browser, server: Serving) -> None:
    """The button says what it would do now, and everybody reads in the log what was said."""
    ada = over_days(browser, server)
    page = ada.page
    page.locator("[data-menu]").click()
    page.locator("[data-away]").click()
    done = page.locator("[data-done]")
    expect(done).to_have_attribute("aria-pressed", "false")
    done.click()
    expect(done).to_have_attribute("aria-pressed", "true")
    expect(done).to_have_text("I’m not done after all")
    done.click()
    expect(done).to_have_attribute("aria-pressed", "false")
    ada.close()


def test_table_without_hours_takes_no_orders(browser: Browser, server: Serving) -> None:
    """Where everybody sits at the table there is nothing to leave."""
    ada = Person(browser, server.url, "Ada")
    ada.come_in()
    ada.open_table(3, bots=2)
    ada.page.locator("[data-menu]").click()
    expect(ada.page.locator("[data-menu] + .list button").first).to_be_visible()
    expect(ada.page.locator("[data-away]")).to_have_count(0)
    ada.close()


def test_clocks_stand_still_outside_the_playing_hours(browser: Browser, server: Serving) -> None:
    """Hours that begin in two hours: the clock says until when; those that are too short are refused."""
    ada = Person(browser, server.url, "Ada")
    ada.come_in()
    page = ada.page
    page.goto(server.url)
    ada.button("New table").click()
    page.locator("label:has(input[name='bots'][value='3'])").click()
    page.locator("[data-more-settings] summary").click()
    page.locator("label:has(input[name='clock'][value='days'])").click()
    page.locator("label:has(input[name='playing-hours'][value='by-day'])").click()
    expect(page.locator("[data-from]")).to_have_value("08:00")
    hour = int(page.evaluate("new Date().getHours()"))
    begin, soon, end = (f"{(hour + later) % 24:02}:00" for later in (2, 4, 12))
    page.locator("[data-from]").fill(begin)
    page.locator("[data-to]").fill(soon)
    page.locator("form button[type='submit']").click()
    expect(page.get_by_text("No table can be opened with these choices.")).to_be_visible()
    page.locator("[data-to]").fill(end)
    page.locator("form button[type='submit']").click()
    expect(page.get_by_role("timer").first).to_contain_text("until", timeout=30_000)
    expect(page.get_by_role("timer").first).to_have_attribute("title", re.compile("stands still until"))
    hours = ada.ask("GET", f"/api/tables/{page.url.rsplit('/', 1)[1]}")["room"]["options"]["hours"]
    assert (hours["begin"], hours["end"]) == ((hour + 2) % 24 * 60, (hour + 12) % 24 * 60)
    ada.close()


def test_everybody_at_a_table_sees_the_hours_of_all(browser: Browser, server: Serving) -> None:
    """Those of the table and of people, in the waiting room, then at the seat and in the list."""
    ada, bert = (Person(browser, server.url, name, timezone_id="Europe/Berlin") for name in ("Ada", "Bert"))
    hours = {"begin": 480, "end": 1320, "zone": "Europe/Berlin"}
    for person in (ada, bert):
        person.come_in()
    bert.ask("PATCH", "/api/me/times", hours)
    ada.open_table(3, bots=1, clock="24h", hours={**hours, "begin": 540})
    bert.follow(ada.invite(), ada.table)
    page, said = ada.page, "Bert plays 8:00–22:00 (Europe/Berlin)."
    terms = page.locator("[data-terms]")
    expect(terms).to_contain_text("The table plays 9:00–22:00 (Europe/Berlin).")
    expect(terms).to_contain_text("48 h in reserve")
    expect(terms).to_contain_text("a computer player makes the move")
    expect(page.locator(f"[data-times='{bert.seat}']")).to_have_text(said)
    card = f"a[href='/t/{ada.table}']"
    bert.page.goto(server.url)
    expect(bert.page.locator(card)).to_contain_text("Waiting for Ada to deal")
    ada.do(do="start")
    bert.page.close()
    expect(page.locator("[data-times-mark]")).to_contain_text(said)
    page.get_by_role("button", name="People", exact=True).click()
    expect(page.locator("dialog [data-times], [role=dialog] [data-times]").first).to_have_text(said)
    for person in (ada, bert):
        person.close()


def test_hours_that_are_too_short_are_refused_at_their_field(browser: Browser, server: Serving) -> None:
    """The refusal stands above them, and they show again what holds."""
    ada = Person(browser, server.url, "Ada", viewport={"width": 360, "height": 800})
    ada.come_in()
    page = ada.page
    page.goto(server.url)
    page.get_by_role("button", name="Settings").first.click()
    page.locator("[data-own-hours]").check()
    until = page.locator(".times [data-to]")
    expect(until).to_have_value("22:00")
    until.fill("09:00")
    refusal = page.locator(".times .refusal")
    expect(refusal).to_be_visible()
    expect(until).to_have_value("22:00")
    above, field = refusal.bounding_box(), page.locator(".times [data-from]").bounding_box()
    assert above is not None
    assert field is not None
    assert 0 < field["y"] - above["y"] < 120
    ada.close()


def test_button_that_opens_a_table_is_in_sight_below_what_was_chosen(
    browser: Browser, server: Serving
) -> None:
    """On a phone, however much is opened; and it comes behind all of it."""
    ada = Person(browser, server.url, "Ada", **PHONE)
    ada.come_in()
    page = ada.page
    page.goto(server.url)
    ada.button("New table").click()
    page.locator("[data-more-settings] summary").click()
    page.locator("label:has(input[name='clock'][value='days'])").click()
    page.locator("label:has(input[name='playing-hours'][value='by-day'])").click()
    expect(page.locator("[data-counted]")).to_have_text("The time of a move counts these hours only.")
    expect(page.locator("[data-runs-out]")).to_contain_text("Trading has no reserve")
    page.locator("[data-counted]").scroll_into_view_if_needed()
    opens = page.locator("form button[type='submit']")
    expect(opens).to_be_in_viewport(ratio=1)
    behind = "(button, more) => more.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING"
    assert opens.evaluate(behind, page.locator("[data-more-settings]").element_handle()) > 0
    ada.close()


def test_invitation_says_hours_reserve_and_what_follows(browser: Browser, server: Serving) -> None:
    """Before one sits down at a table over days."""
    ada, bert = Person(browser, server.url, "Ada"), Person(browser, server.url, "Bert")
    for person in (ada, bert):
        person.come_in()
    ada.open_table(3, bots=1, clock="24h", hours={"begin": 480, "end": 1320, "zone": "Europe/Berlin"})
    bert.page.goto(server.url + ada.invite())
    terms = bert.page.locator("[data-terms]")
    expect(terms).to_contain_text("The table plays 8:00–22:00 (Europe/Berlin).")
    expect(terms).to_contain_text("48 h in reserve")
    expect(terms).to_contain_text("a computer player makes the move")
    for person in (ada, bert):
        person.close()


def test_playing_times_are_said_in_the_settings(browser: Browser, server: Serving) -> None:
    """They are there after a reload; a day that has passed is refused, and a holiday is taken back."""
    ada = Person(browser, server.url, "Ada", viewport={"width": 360, "height": 800})
    ada.come_in()
    page = ada.page

    def open_settings() -> None:
        page.goto(server.url)
        page.get_by_role("button", name="Settings").first.click()

    def announce(day: str) -> None:
        page.locator("[data-first]").fill(day)
        page.locator("[data-last]").fill(day)
        page.locator("[data-announce]").click()

    open_settings()
    page.locator("[data-own-hours]").check()
    expect(page.locator(".times [data-from]")).to_have_value("08:00")
    announce("2020-01-01")
    expect(page.get_by_text("A holiday begins tomorrow at the earliest")).to_be_visible()
    later = page.evaluate("new Date(Date.now() + 48 * 3600 * 1000).toISOString().slice(0, 10)")
    announce(later)
    expect(page.locator(f"[data-days='{later}']")).to_be_visible()

    open_settings()
    expect(page.locator("[data-own-hours]")).to_be_checked()
    page.get_by_role("button", name="Take this holiday back").click()
    expect(page.locator("[data-days]")).to_have_count(0)
    ada.close()


def test_change_of_playing_times_says_what_it_does_to_a_move_that_runs(
    browser: Browser, server: Serving
) -> None:
    """A holiday puts its end off, taken back it puts it back; hours hold from the next move on."""
    ada = planting_first(browser, server, "24h")  # its end lies behind the beginning of tomorrow
    page = ada.page
    page.goto(server.url)
    page.get_by_role("button", name="Settings").first.click()
    told = page.locator("[data-times-done]")
    page.locator("[data-own-hours]").check()
    expect(told).to_contain_text("These hours hold from your next move on.")
    expect(told).to_contain_text("Your move with")
    before = told.locator("p").nth(1).inner_text()

    later = page.evaluate("new Date(Date.now() + 24 * 3600 * 1000).toISOString().slice(0, 10)")
    page.locator("[data-first]").fill(later)
    page.locator("[data-last]").fill(later)
    page.locator("[data-announce]").click()
    expect(told).to_contain_text("Clocks follow it right away.")
    expect(told).to_contain_text("Your move with")
    assert told.locator("p").nth(1).inner_text() != before
    page.get_by_role("button", name="Take this holiday back").click()
    expect(told.locator("p").nth(1)).to_have_text(before)
    ada.close()
