"""A server in this process whose days pass when a test says so, and devices whose clocks go along with it."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Coroutine
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from playwright.sync_api import Browser, expect

from bohn.server.room.clocks import DECISION
from bohn.server.settings import Alerts, Settings, Times
from tests.patience import PATIENCE
from tests.server.support.clock import StillClock
from tests.server.support.memory_store import Backing, MemoryStore
from tests.server.support.serving import PLENTY
from tests.server.support.site import Live
from tests.web.support.people import Person

T = TypeVar("T")

ZONE = "Europe/Berlin"
MINUTE = 60_000
HOUR = 60 * MINUTE

RARELY = Times(poll=MINUTE, beat=10 * MINUTE, alerts=MINUTE, sweep=10 * MINUTE)
"""What is looked at ten times a second is looked at once a minute: a week has 600,000 seconds."""

TICK = 0.02
"""Seconds between two moves of a clock that runs."""


SHOWN = """() => {
  const all = (selector, read) => [...document.querySelectorAll(selector)].map(read);
  const label = (one) => one.getAttribute("aria-label");
  return {
    title: [document.title],
    headline: all(".headline", (one) => one.textContent.trim()),
    hand: all("[data-card]", label),
    fields: all("[data-field]", (one) => `${one.dataset.kind} ${one.querySelector(".count")?.textContent}`),
    others: all("[data-seat] .hidden", (one) => one.textContent.trim()),
  };
}"""
"""What a table shows that does not depend on how wide the window is."""


class Warped(Live):
    """A server in a thread whose clock runs as any other, and can be moved on by hours."""

    def __init__(self, begin: dt.datetime) -> None:
        """Begin at a moment of the clock on the wall in :data:`ZONE`."""
        self.time = StillClock(int(begin.replace(tzinfo=ZoneInfo(ZONE)).timestamp() * 1000))
        self.backing = Backing()
        self.store = MemoryStore(self.backing)
        settings = Settings(times=RARELY, limits=PLENTY, alerts=Alerts(private=True))
        super().__init__(settings, self.store, self.time)
        self._moving = asyncio.Lock()

    async def _serve(self) -> None:
        flow = asyncio.create_task(self._flow())
        try:
            await super()._serve()
        finally:
            flow.cancel()

    async def _flow(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            async with self._moving:
                await self.time.advance(int(TICK * 1000))

    def get(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what something in the server's loop returns."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    @property
    def now(self) -> dt.datetime:
        """The time there, as the clock on the wall shows it."""
        return dt.datetime.fromtimestamp(self.time.now() / 1000, ZoneInfo(ZONE))

    def wait(self, milliseconds: int) -> None:
        """Let time pass."""
        self.get(self._pass(milliseconds))

    def wait_until(self, day: dt.date, hour: int, minute: int = 0) -> None:
        """Let time pass until a moment of the clock on the wall; one that has passed is now."""
        wanted = dt.datetime.combine(day, dt.time(hour, minute), ZoneInfo(ZONE)).timestamp()
        self.wait(max(0, int(wanted * 1000) - self.time.now()))

    async def _pass(self, milliseconds: int) -> None:
        end = self.time.now() + milliseconds
        while (left := end - self.time.now()) > 0:
            async with self._moving:
                await self.time.advance(min(left, MINUTE))
            async with asyncio.timeout(PATIENCE):
                while self._busy():  # noqa: ASYNC110 - nobody tells
                    await asyncio.sleep(TICK / 4)

    def _busy(self) -> bool:
        """Tell whether the server is at what takes real time: a message, or a computer player's move."""
        due = self.time.now() - 2 * MINUTE
        timers = [timer for table in self.backing.timers.values() for timer in table.values()]
        chosen = [one for one in timers if one.key.startswith(DECISION) and one.due is not None]
        sending = any(one.taken for one in self.backing.alerts.values())
        return sending or any(one.due < due for one in chosen if one.due is not None)


class Device(Person):
    """A device of somebody: its clock has the server's time whenever it is taken up, and goes on."""

    def __init__(self, browser: Browser, site: Warped, name: str, **context: Any) -> None:
        """Take it up for the first time."""
        super().__init__(browser, site.origin, name, timezone_id=ZONE, **context)
        self.site = site
        self.context.clock.install(time=site.now)

    def open(self) -> None:
        """Take it up: open the page anew, in the lobby."""
        self.context.clock.set_system_time(self.site.now)
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(self.url)

    def lay_down(self) -> None:
        """Close the page."""
        self.page.close()

    def enter(self) -> None:
        """Go from the lobby to the table, and wait until it is drawn."""
        self.page.locator(f"a[href='/t/{self.table}']").click()
        expect(self.page.locator(".headline")).to_be_visible()
        self.see(self.seen()["seq"])

    def see(self, seq: int) -> None:
        """Wait until the table is shown as it was at this batch, or later."""
        expect(self.page.locator("html")).to_have_attribute("data-seq", str(seq))

    def waits(self) -> bool:
        """Tell whether "My games" says that the table waits for this person."""
        card = self.page.locator(f"a[href='/t/{self.table}']")
        expect(card).to_be_visible()
        return card.locator(".turn").count() > 0

    def away(self) -> None:
        """Open the sheet with what is left for the time of being away."""
        self.page.locator("[data-menu]").click()
        self.page.locator("[data-away]").click()
        expect(self.page.locator("[data-done]")).to_be_visible()

    def leave_order(self, give: int, take: int) -> None:
        """Leave an order in that sheet: one of a kind for one of another."""
        before = self.page.locator("[data-order]").count()
        self.page.locator("[data-give]").select_option(str(give))
        self.page.locator("[data-take-kind]").select_option(str(take))
        self.page.locator("[data-leave]").click()
        expect(self.page.locator("[data-order]")).to_have_count(before + 1)

    def be_done(self) -> None:
        """Say in that sheet that one is done at the next check."""
        self.page.locator("[data-done]").click()
        expect(self.page.locator("[data-done]")).to_have_attribute("aria-pressed", "true")

    def shown(self) -> dict[str, list[str]]:
        """Return what a table shows its person, wherever it stands on the page."""
        found: dict[str, list[str]] = self.page.evaluate(SHOWN)
        return found

    def log(self) -> list[str]:
        """Return the lines of the log; the newest is the last one."""
        self.page.locator("header.bar button[data-key='l']").click()
        lines = self.page.locator("[role='dialog'] li")
        expect(lines.first).to_be_visible()
        found = [line.replace("\n", " ") for line in lines.all_inner_texts()]
        self.page.keyboard.press("Escape")
        expect(lines).to_have_count(0)
        return found

    def title(self) -> str:
        """Return the title of the tab, once what the page had put off until it was drawn has happened."""
        self.page.evaluate("() => new Promise(done => setTimeout(done))")
        return self.page.title()

    def timer(self) -> str:
        """Return what the clock shows."""
        return self.page.get_by_role("timer").first.inner_text().strip()
