"""Sheets beside the table: chat, log and people stand where they cover nothing that is needed."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from bohn.protocol import frames
from bohn.rules.events import FieldBought
from tests.web.support.states import fullest, stills
from tests.web.support.texts import text
from tests.web.support.unserved import STEP, Opening, Unserved
from tests.web.support.walking import SIZES

pytestmark = pytest.mark.e2e

KEPT = "[data-seat], [data-face-up], .make, .coins, .harvest, .closing button"
"""What is needed while a sheet is open."""

WHOLE = """() => {
  const row = document.querySelector('.offers .row').getBoundingClientRect();
  return [...document.querySelectorAll('[data-offer]')].filter(ticket => {
    const box = ticket.getBoundingClientRect();
    return box.left >= row.left - 1 && box.right <= row.right + 1 && box.bottom <= row.bottom + 1;
  }).length;
}"""
"""How many offers are whole in sight."""

UNDER_SHEET = """kept => {
  const over = document.querySelector("[role=dialog]").getBoundingClientRect();
  return [...document.querySelectorAll(kept)].filter(thing => {
    const shown = thing.getBoundingClientRect();
    const row = thing.closest("section.offers > .row")?.getBoundingClientRect() ?? shown;
    const right = Math.min(shown.right, row.right);
    return shown.width > 0 && right - shown.left > 1 && right - over.left > 1
      && Math.min(shown.bottom, over.bottom) - Math.max(shown.top, over.top) > 1;
  }).map(thing => thing.dataset.offer ?? thing.className);
}"""
"""What is in sight beside a sheet and lies under it."""


def fullest_at(opened: Opening, size: str) -> Unserved:
    """Return the fullest market in a window."""
    table = opened(SIZES[size])
    table.show(fullest())
    return table


@pytest.mark.parametrize("size", ["small", "wide"])
@pytest.mark.parametrize("sheet", ["m", "l"])
def test_a_sheet_covers_no_coins_and_no_button_of_the_turn(opened: Opening, size: str, sheet: str) -> None:
    """Chat and log lie on the wood, beside what the turn needs."""
    table = fullest_at(opened, size)
    table.page.locator(f"[data-key='{sheet}']").first.click()
    expect(table.page.get_by_role("dialog")).to_be_visible()

    assert table.page.evaluate(UNDER_SHEET, KEPT) == []


@pytest.mark.parametrize("size", ["small", "wide"])
@pytest.mark.parametrize("sheet", ["m", "l"])
@pytest.mark.parametrize("composed", [False, True])
def test_a_sheet_covers_no_offer(opened: Opening, size: str, sheet: str, *, composed: bool) -> None:
    """Chat and log stand beside the offers, which move together, and leave what is put together free."""
    table = fullest_at(opened, size)
    table.page.locator(f"[data-key='{sheet}']").first.click()
    expect(table.page.get_by_role("dialog")).to_be_visible()
    if composed:
        table.page.locator("[data-key='o']").first.click()
        expect(table.page.locator("[data-tray]")).to_be_visible()
    table.drawn()

    assert table.page.evaluate(UNDER_SHEET, f"[data-offer], [data-tray], {KEPT}") == []
    assert table.page.evaluate(WHOLE) >= 6


@pytest.mark.parametrize("size", ["small", "wide"])
def test_a_sheet_covers_nothing_of_the_haggling(opened: Opening, size: str) -> None:
    """Kinds, cards and the button to take a gift stand beside the chat."""
    haggling = next(s for s in stills() if s.name == "das-duell gift mine waits name-gift take-gift")
    table = opened(SIZES[size])
    table.show(haggling)
    table.page.locator("[data-key='m']").first.click()
    expect(table.page.get_by_role("dialog")).to_be_visible()

    table.drawn()
    assert table.page.evaluate(UNDER_SHEET, "[data-kind-name], [data-take], .field, .coins") == []


def test_menu_lies_over_an_open_sheet(opened: Opening) -> None:
    """Each of its lines can be pressed while the people of the table are shown."""
    table = fullest_at(opened, "wide")
    table.page.get_by_role("button", name="People").click()
    expect(table.page.get_by_role("dialog", name="People")).to_be_visible()
    table.page.locator("[data-menu]").click()
    lines = table.page.locator(".menu .list > :is(button, a)")
    expect(lines).to_have_count(5)

    assert lines.evaluate_all(
        """lines => lines.every(line => {
          const { left, top, width, height } = line.getBoundingClientRect();
          return line.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        })"""
    )


def test_tap_beside_a_sheet_puts_it_away_and_does_nothing_else_on_a_phone(opened: Opening) -> None:
    """What lies above the chat is not pressed by whoever wants to close it."""
    table = fullest_at(opened, "phone")
    table.page.locator("[data-key='m']").click()
    chat = table.page.get_by_role("dialog", name="Chat")
    expect(chat).to_be_visible()
    seat = table.page.locator("[data-seat] .open").first.bounding_box()
    assert seat is not None
    table.page.touchscreen.tap(seat["x"] + seat["width"] / 2, seat["y"] + seat["height"] / 2)

    expect(chat).to_have_count(0)
    expect(table.page.locator(".detail")).to_have_count(0)


def test_chat_has_more_room_for_lines_than_for_phrases(opened: Opening) -> None:
    """Phrases have one row, which a wheel rolls sideways."""
    table = fullest_at(opened, "wide")
    table.page.locator("[data-key='m']").first.click()
    body = table.page.locator(".sheet .body").bounding_box()
    foot = table.page.locator(".sheet footer").bounding_box()
    assert body is not None
    assert foot is not None
    phrases = table.page.locator(".phrases")
    phrases.hover()
    table.page.mouse.wheel(0, 120)

    assert body["height"] > 1.2 * foot["height"]
    table.page.wait_for_function("() => document.querySelector('.phrases').scrollLeft > 0")


@pytest.mark.parametrize("size", ["small", "wide"])
def test_log_tells_what_computer_players_said_to_it(opened: Opening, size: str) -> None:
    """Behind what they have done, where it is looked up once the words at their seat are gone."""
    table = fullest_at(opened, size)
    table.hear(frames.Batch(seq=STEP + 1, by=2, events=(FieldBought(2, (), "box"),)))
    table.hear(frames.Remark(2, int(time.time() * 1000), "says.field", {}, STEP + 1))
    table.hear(frames.Batch(seq=STEP + 2, by=1, events=(FieldBought(1, (), "box"),)))
    table.page.locator("[data-key='l']").first.click()
    lines = table.page.get_by_role("dialog", name="Log").locator("li > span")
    expect(lines).to_have_count(3)

    told = lines.all_inner_texts()
    assert "another field" in told[0]
    assert told[1].endswith(text("says.field"))
    assert told[1].startswith(told[0].split()[0])
    assert "another field" in told[2]
