"""A week of a game over days, played in browsers: who came when, with which device, and what he was shown."""

from __future__ import annotations

import asyncio
import datetime as dt
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from playwright.sync_api import Browser, expect

from bohn.rules.commands import AcceptOffer, MakeOffer
from bohn.rules.state import TradePhase
from bohn.server.store.protocol import LogRow
from bohn.server.tables.api import Peek
from bohn.server.tables.plan import INSTRUCTIONS
from bohn.server.tables.turns import awaited
from tests.server.support.push_service import PushService, Taken
from tests.web.support import clicking
from tests.web.support.pushed import TAGS, came_true, can_subscribe, show
from tests.web.support.warped import MINUTE, ZONE, Device, Warped

BEGIN = dt.datetime(2027, 3, 23, 8, 40)  # noqa: DTZ001 - of the clock on the wall in ZONE
"""A Tuesday; in the night to the sixth day clocks are set forward."""

DAYS = 7
OPENS, CLOSES = 8, 22
"""Playing hours of the table, on the clock on the wall."""

VISITS = (9, 18)
"""When people come, on the clock on the wall."""

STAYS_AWAY = 2
"""The day from which on one of them does not come until a move was played in his place."""

LATE = (1, 2, 4, 6)
"""Days on which somebody looks in shortly before the playing hours end, and again in the morning."""

BETWEEN = 3 * MINUTE
"""Ms between two visits, in which a notice goes out."""

PHONE = {"viewport": {"width": 360, "height": 800}, "is_mobile": True, "has_touch": True}
DESK = {"viewport": {"width": 1440, "height": 900}}

MOST_DEEDS = 60


@dataclass
class Look:
    """What somebody was shown when he took up a device; ``left`` is what his clock had, in ms."""

    day: int
    hour: float
    who: str
    device: str
    awaited: bool
    listed: bool
    title: str = ""
    timer: str = ""
    left: int | None = None
    told: int = 0
    """Messages that have come since he was last here."""
    closed: bool | None = None
    """Whether the message on this device went, if there was one."""
    awaited_behind: bool = False
    title_behind: str = ""
    deeds: list[str] = field(default_factory=list)

    @property
    def where(self) -> str:
        """When it was, and who looked where."""
        return f"day {self.day}, {self.hour:.1f} h, {self.who} on the {self.device}"


@dataclass
class Night:
    """What a clock showed in the evening and in the morning behind it; nobody has moved meanwhile."""

    day: int
    evening: int
    morning: int
    ran: int
    """Ms of playing hours that lie between the two."""


class Week:
    """Three people at one table; the first of them has a phone and a computer."""

    def __init__(self, browser: Browser, site: Warped, service: PushService, pictures: Path | None) -> None:
        """Prepare their devices; :meth:`play` plays."""
        self.site, self.service, self.pictures = site, service, pictures
        told = {"service_workers": "allow", "permissions": ["notifications"]}
        self.desk = Device(browser, site, "Anna", **DESK)
        self.phone = Device(browser, site, "Anna", **PHONE, **told)
        self.bert = Device(browser, site, "Bert", **DESK, **told)
        self.cleo = Device(browser, site, "Cleo", **PHONE, **told)
        self.devices = (self.desk, self.phone, self.bert, self.cleo)
        for device in (self.phone, self.bert, self.cleo):
            can_subscribe(device.context, service, device.name)
        self.users: dict[str, str] = {}
        self.table = ""
        self.day = 1
        self.looks: list[Look] = []
        self.nights: list[Night] = []
        self.shown_at_night: list[str] = []
        self.bargain: tuple[int, str, int, int] | None = None
        self.heard: dict[str, int] = {}
        self.turns_of_anna = 0
        self.logs: dict[str, list[str]] = {}
        """The log as everybody read it when he came for the first time behind an exchange by order."""
        self.told_in_vain: list[str] = []
        self.stood_since: int | None = None
        self._late: tuple[list[tuple[int | None, int | None]], int, Look] | None = None

    def close(self) -> None:
        """Put all devices away."""
        for device in self.devices:
            device.close()

    # -- what the server knows -----------------------------------------------------------------------------

    def peek(self) -> Peek:
        """Return the table as it is."""
        assert self.site.services is not None
        return self.site.get(self.site.services.tables.peek(self.table))

    def awaited(self) -> set[str]:
        """Return the names of the people whom the game waits for."""
        users = awaited(self.peek())
        return {name for name, user in self.users.items() if user in users}

    def rows(self) -> tuple[LogRow, ...]:
        """Return the log."""
        return self.site.get(self.site.store.rows(self.table))

    def reckoned(self, begin: int, end: int) -> int:
        """Return the ms of playing hours between two moments."""
        return reckoned(begin, end)

    def played(self) -> list[LogRow]:
        """Return the moves that the server has played because a clock had run out."""
        return [row for row in self.rows() if row.actor.startswith("clock:decision")]

    def exchanged(self) -> list[LogRow]:
        """Return what was done for standing orders."""
        trading = AcceptOffer | MakeOffer  # moves without a choice are made by the same actor
        return [row for row in self.rows() if row.actor == INSTRUCTIONS and isinstance(row.command, trading)]

    # -- the beginning -------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Let Anna open the table on her computer and take up her phone; the others follow her invitation."""
        self.desk.come_in()
        page = self.desk.page
        page.goto(self.site.origin)
        self.desk.button("New table").click()
        page.locator("label:has(input[name='players'][value='3'])").click()
        page.locator("label:has(input[name='bots'][value='0'])").click()
        page.locator("[data-more-settings] summary").click()
        page.locator("label:has(input[name='clock'][value='days'])").click()
        page.locator("label:has(input[name='hours'][value='8h'])").click()
        page.locator("label:has(input[name='playing-hours'][value='by-day'])").click()
        page.locator("form button[type='submit']").click()
        expect(page).to_have_url(re.compile("/t/"))
        self.table = self.desk.table = urlsplit(page.url).path.removeprefix("/t/")
        self.phone.page.goto(f"{self.site.origin}/join#{self.desk.ask('POST', '/api/me/links')['token']}")
        expect(self.phone.page.get_by_role("heading", name="Continue on this device")).to_be_visible()
        self.phone.button("Come in").click()
        expect(self.phone.page.locator(f"a[href='/t/{self.table}']")).to_be_visible()
        self.phone.table = self.table
        for device in (self.bert, self.cleo):
            device.come_in()
            device.follow(self.desk.invite(), self.table)
        for device in (self.phone, self.bert, self.cleo):
            self.users[device.name] = str(device.ask("GET", "/api/me")["user"])
            device.page.goto(self.site.origin)
            device.button("Settings").click()
            device.button("Notify me on this device").click()
            expect(device.page.get_by_text("Notifications are on for this device.")).to_be_visible()
        self.desk.page.get_by_role("button", name="Deal the cards").click()
        expect(page.locator("[data-card]")).not_to_have_count(0)
        for device in self.devices:
            device.lay_down()

    # -- a visit -------------------------------------------------------------------------------------------

    def visit(self, device: Device, name: str, most: int = MOST_DEEDS) -> Look:
        """Let somebody take up a device, look, do what is his to do, and go."""
        now = self.site.now
        told = self._messages(device.name)
        look = Look(self.day, now.hour + now.minute / 60, device.name, name, False, False, told=len(told))
        device.open()
        look.awaited = device.name in self.awaited()
        look.listed = device.waits()
        if name == "phone" and told and device is self.phone:
            show(device, told[-1])
            assert device.page.evaluate(TAGS) == [self.table]
        device.enter()
        look.title, look.timer, look.left = device.title(), device.timer(), self._left(device)
        if name == "phone" and told and device is self.phone:
            look.closed = came_true(device.page, f"({TAGS})().then((tags) => tags.length === 0)")
        if self.exchanged() and device.name not in self.logs:
            self.logs[device.name] = device.log()
        self._picture(device, name)
        for _ in range(most):
            if device.name not in self.awaited() or not self._deed(device, look):
                break
        look.awaited_behind = device.name in self.awaited()
        device.see(self.peek().seq)
        look.title_behind = device.title()
        device.lay_down()
        self.looks.append(look)
        return look

    def _messages(self, name: str) -> list[dict[str, Any]]:
        """Return the messages that somebody was sent since this was asked last."""
        found = [taken.message for taken in self.service.taken if taken.path == f"/{name}"]
        before = self.heard.get(name, 0)
        self.heard[name] = len(found)
        return found[before:]

    def seat_of(self, name: str) -> int | None:
        """Return where somebody sits."""
        return self.peek().room.seat_of(self.users[name])

    def date_of(self, at: int) -> int:
        """Return the day of the week, from 1 on, on which a moment lies."""
        return (dt.datetime.fromtimestamp(at / 1000, ZoneInfo(ZONE)).date() - BEGIN.date()).days + 1

    def _left(self, device: Device) -> int | None:
        """Return what is left on the clock that somebody is shown, by the server's numbers."""
        seen = device.seen()
        clocks = seen["clocks"]
        own = [clock for clock in clocks if clock["seat"] == seen["seat"]]
        common = [clock for clock in clocks if clock["seat"] is None]
        clock = (own or common or clocks)[0]
        left = reckoned(self.site.time.now(), clock["due"])
        reserve = clock.get("reserve") or 0
        return left - reserve if left > reserve else left

    def _picture(self, device: Device, name: str) -> None:
        if self.pictures is not None:
            count = len(self.looks)
            device.page.wait_for_timeout(300)
            device.page.screenshot(path=self.pictures / f"{count:02}-day{self.day}-{device.name}-{name}.png")

    # -- what is done --------------------------------------------------------------------------------------

    def _deed(self, device: Device, look: Look) -> bool:
        """Do one thing in the page; tell whether there was one."""
        seen = device.seen()
        device.see(seen["seq"])
        if seen["game"]["phase"]["phase"] == "trade":
            look.deeds.append("done")
            self._trade(device, seen)
            return True
        deed = clicking.step(device)
        look.deeds.append(deed or "")
        return deed is not None

    def _trade(self, device: Device, seen: Any) -> None:
        """Leave an order, or make an offer, or take one; then be done at the next check."""
        active = seen["game"]["active_player"] == seen["seat"]
        bargain = self._bargain(device, seen) if active else self.bargain
        for_me = bargain is not None and bargain[0] == seen["game"]["turn"]
        device.away()
        if bargain is not None and for_me and active:
            device.leave_order(bargain[2], bargain[3])
        elif bargain is not None and for_me and bargain[1] == device.name:
            device.leave_order(bargain[3], bargain[2])
        device.be_done()

    def _bargain(self, device: Device, seen: Any) -> tuple[int, str, int, int] | None:
        """Find what whoever has the turn could give somebody, and for what; once a turn."""
        turn, game = seen["game"]["turn"], seen["game"]
        if self.bargain is not None and self.bargain[0] == turn:
            return self.bargain
        give = game["phase"]["face_up"][0] if game["phase"]["face_up"] else None
        for other in (self.bert, self.desk, self.cleo):
            if other.name == device.name or give is None:
                continue
            for bean in other.hand():
                if bean != give:
                    self.bargain = (turn, other.name, give, bean)
                    return self.bargain
        return None

    # -- the week ------------------------------------------------------------------------------------------

    async def _hear(self, taken: Taken) -> None:
        """Note a message that comes to somebody whom the game does not wait for."""
        name = taken.path.removeprefix("/")
        assert self.site.services is not None
        peek = asyncio.run_coroutine_threadsafe(self.site.services.tables.peek(self.table), self.site.loop)
        found = await asyncio.wrap_future(peek)
        if self.users[name] not in awaited(found):
            self.told_in_vain.append(f"{name}: {taken.message}")

    def play(self) -> None:
        """Play for seven days."""
        self.begin()
        self.service.before_answer = self._hear
        first = BEGIN.date()
        for day in range(1, DAYS + 1):
            self.day = day
            for hour in VISITS:
                self.site.wait_until(first + dt.timedelta(days=day - 1), hour)
                self._morning(hour)
                self._round()
            self._evening(first + dt.timedelta(days=day - 1))

    def _round(self) -> None:
        """Let everybody come whom the game waits for, each once."""
        come: set[str] = set()
        for _ in range(3):
            waiting = [name for name in self.users if name in self.awaited() - come and self._comes(name)]
            if not waiting:
                return
            active = self.peek().state
            assert active is not None
            waiting.sort(key=lambda name: self.seat_of(name) != active.active_player)
            name = waiting[0]
            come.add(name)
            self.site.wait(BETWEEN)
            if name == "Anna":
                self._anna()
            else:
                self.visit(self.bert if name == "Bert" else self.cleo, "desk" if name == "Bert" else "phone")

    def _anna(self) -> None:
        """Let Anna do one thing with one of her devices, and go on with the other one."""
        self.turns_of_anna += 1
        one, other = ("desk", "phone") if self.turns_of_anna % 2 else ("phone", "desk")
        devices = {"desk": self.desk, "phone": self.phone}
        self.visit(devices[one], one, most=1)
        if "Anna" in self.awaited():
            self.visit(devices[other], other)

    def _comes(self, name: str) -> bool:
        """Tell whether somebody comes: Cleo stays away from her own move on until it is played for her."""
        state = self.peek().state
        trades = state is None or isinstance(state.phase, TradePhase)
        if name != "Cleo" or self.day < STAYS_AWAY or trades or self.played():
            return True
        self.stood_since = self.stood_since or self.rows()[-1].at
        return False

    def _evening(self, date: dt.date) -> None:
        """Let Bert look at the table late on some days, and note what the clock shows."""
        if self.day not in LATE:
            return
        self.site.wait_until(date, CLOSES - 1, 50)
        look = self.visit(self.bert, "desk", most=0)
        self._late = (self._due(), self.site.time.now(), look)
        if self.day == 2:
            self.site.wait_until(date, 23, 30)
            look = self.visit(self.phone, "phone", most=0)
            self.shown_at_night.append(look.timer)

    def _morning(self, hour: int) -> None:
        """Compare the clock with that of the evening before, where nothing has happened since."""
        if hour != VISITS[0] or self._late is None:
            return
        (due, at, evening), self._late = self._late, None
        look = self.visit(self.bert, "desk", most=0)
        if due == self._due():
            shown = minutes(evening.timer), minutes(look.timer)
            self.nights.append(Night(self.day - 1, shown[0], shown[1], reckoned(at, self.site.time.now())))

    def _due(self) -> list[tuple[int | None, int | None]]:
        """Return when the clocks are due, and whose they are."""
        return [(clock["seat"], clock["due"]) for clock in self.bert.seen()["clocks"]]


def reckoned(begin: int, end: int) -> int:
    """Return the ms of playing hours between two moments; the server's own reckoning is not asked."""
    zone = ZoneInfo(ZONE)
    found, day = 0, dt.datetime.fromtimestamp(begin / 1000, zone).date()
    while day <= dt.datetime.fromtimestamp(end / 1000, zone).date():
        opens, closes = (
            int(dt.datetime.combine(day, dt.time(hour), zone).timestamp() * 1000) for hour in (OPENS, CLOSES)
        )
        found += max(0, min(end, closes) - max(begin, opens))
        day += dt.timedelta(days=1)
    return found


def minutes(shown: str) -> int:
    """Return the whole minutes that a clock shows."""
    days, hours, least, clock = (
        re.search(pattern, shown) for pattern in (r"(\d+) d", r"(\d+) h", r"(\d+) min", r"^(\d+):\d\d$")
    )
    parts = ((days, 24 * 60), (hours, 60), (least, 1), (clock, 1))
    return sum(int(found.group(1)) * worth for found, worth in parts if found is not None)
