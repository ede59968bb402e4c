"""People before the page: what they click, and what they know of the game through the API."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, ClassVar

from playwright.sync_api import Browser, BrowserContext, Locator, Page, TimeoutError, expect  # noqa: A004 - Playwright's own
from urllib3 import PoolManager

KINDS = ("cocoa", "garden", "red", "black_eyed", "soy", "green", "stink", "chili", "blue", "wax", "coffee")
"""Kinds by number, as the protocol counts them."""

STILL = {"takeBack": 0, "motion": "less", "sound": False, "hints": False, "seen": ["lesson"]}
"""Settings in which nothing waits and nothing moves."""

WAIT = 60_000
"""Milliseconds until something must be seen; the machine is shared."""


USUAL: dict[str, Any] = {
    "house_rules": [], "clock": "none", "listed": False, "spectators": True, "delay": 0,
}  # fmt: skip
"""The options of a table beside its edition and its size."""

POOL = PoolManager()


def fetched(method: str, url: str, *, headers: dict[str, str] | None = None, **more: Any) -> Any:
    """Return what a server answers beside the pages.

    Each request has a connection of its own: one that was idle for long may be ended by the server meanwhile.
    """
    return POOL.request(method, url, headers={**(headers or {}), "Connection": "close"}, **more)


class Person:
    """Somebody with a browser of his own: a context with its own cookie."""

    here: ClassVar[list[Person]] = []
    """Everybody whose browser is open, for the pictures of a failure."""

    def __init__(self, browser: Browser, url: str, name: str, **context: Any) -> None:
        """Sit down before the page; ``settings`` go over :data:`STILL`, the rest to the context.

        Without ``service_workers="allow"`` nothing is answered but by the server.
        """
        settings = {**STILL, "name": name, **context.pop("settings", {})}
        self.url = url
        self.name = name
        self.context: BrowserContext = browser.new_context(
            **{"locale": "en-US", "service_workers": "block", **context}
        )
        kept = json.dumps(json.dumps(settings))
        self.context.add_init_script(f"localStorage['bohn.settings'] ??= {kept}")
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(WAIT)
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.table = ""
        self._cookie = ""
        self._nothing = 0
        Person.here.append(self)

    def close(self) -> None:
        """Leave; an error of the page fails the test."""
        Person.here.remove(self)
        self.context.close()
        assert not self.errors, self.errors

    # ------------------------------------------------------------------------------------ through the API

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Ask the server as this person."""
        headers = {"Cookie": self.cookie()} | ({} if body is None else {"Content-Type": "application/json"})
        sent = None if body is None else json.dumps(body)
        answer = fetched(method, self.url + path, body=sent, headers=headers, retries=False)
        assert answer.status < 400, f"{method} {path}: {answer.status} {answer.data!r}"
        return json.loads(answer.data)

    def cookie(self) -> str:
        """Return the cookie of this browser; asked beside it, the server answers in a quarter of the time."""
        if not self._cookie:
            found = self.context.cookies(self.url)
            self._cookie = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in found)
        return self._cookie

    def come_in(self) -> None:
        """Become a guest."""
        answer = self.context.request.post(f"{self.url}/api/guests", data={"name": self.name}, max_retries=1)
        assert answer.ok, answer.text()

    def open_table(self, players: int, *, bots: int = 0, edition: str = "full", **more: Any) -> str:
        """Open a table and go there; with bots in all other seats it is dealt at once."""
        options = {"edition": edition, "players": players, **USUAL, **more}
        body = {"options": options, "bots": ["pk"] * bots, "start": bots == players - 1}
        self.table = self.ask("POST", "/api/tables", body)["table"]
        self.page.goto(f"{self.url}/t/{self.table}")
        return self.table

    def invite(self) -> str:
        """Return the path of an invitation to the own table."""
        token = self.ask("POST", f"/api/tables/{self.table}/links")["token"]
        return f"/join#{token}"

    def follow(self, path: str, table: str) -> None:
        """Come in by an invitation, which seats one with the same button."""
        self.page.goto(self.url + path)
        self.button("Sit down").click()
        expect(self.button("Stand up")).to_be_visible()
        self.table = table

    def seen(self) -> Any:
        """Return the table as this person may see it."""
        return self.ask("GET", f"/api/tables/{self.table}")

    @property
    def seat(self) -> int:
        """Return the own seat."""
        return int(self.seen()["seat"])

    def hand(self) -> list[int]:
        """Return the own hand, front first."""
        return list(self.seen()["game"]["own"]["hand"])

    def do(self, **command: Any) -> Any:
        """Do a command of the game beside the page."""
        return self.ask("POST", f"/api/tables/{self.table}/commands", {"command": command})

    def propose(self, to: list[int], want: int) -> None:
        """Offer the front card for a kind, beside the page."""
        card, revision = [0, self.hand()[0]], self.seen()["game"]["own"]["hand_revision"]
        self.do(do="make-offer", player=self.seat, to=to, hand=[card], want=[want], hand_revision=revision)

    # ------------------------------------------------------------------------------------- through the page

    @property
    def plots(self) -> Locator:
        """Return the fields on which the chosen bean may be planted."""
        return self.page.locator(".plot:not([aria-disabled='true'])")

    def button(self, name: str) -> Locator:
        """Return the visible button with exactly this name."""
        return self.page.get_by_role("button", name=name, exact=True).first

    def key(self, key: str) -> Locator:
        """Return what a letter of the keyboard stands for."""
        return self.page.locator(f"[data-key='{key}']:not([aria-disabled='true'])").first

    def ticket(self, offer: int) -> Locator:
        """Return the ticket of an offer."""
        return self.page.locator(f"[data-offer='{offer}']")

    def raise_card(self, place: int) -> None:
        """Raise or lower a card of the hand."""
        self.page.locator(f"[data-card='{place}']").click()

    def want(self, bean: int) -> None:
        """Ask for one (more) of a kind."""
        self.page.locator(f"section.tray [data-want='{bean}']").click()

    def to(self, *names: str) -> None:
        """Offer to these people alone."""
        who = self.page.locator("[data-to='who']")
        if who.is_visible():  # a phone shows the names when they are asked for
            who.click()
        chips = self.page.locator("section.tray .chip[aria-pressed]:not([data-to='pick'])")
        labels = [text.strip() for text in chips.all_inner_texts()]
        for label in sorted(labels, key=lambda label: label not in names):  # the last one is not left out
            chip = chips.filter(has_text=label)
            if (label in names) != (chip.get_attribute("aria-pressed") == "true"):
                chip.click()

    def send(self) -> int:
        """Send what was composed, and return the number of the newest own offer."""
        before = {offer["id"] for offer in self.offers()}
        self.page.locator("[data-send]").click()
        expect(self.page.locator("section.tray")).to_be_hidden()
        made = {offer["id"] for offer in self.offers()} - before
        return max(made) if made else max(before, default=0)

    def offers(self) -> list[Any]:
        """Return the standing offers."""
        phase = self.seen()["game"]["phase"]
        return list(phase["offers"]) if phase["phase"] == "trade" else []

    def offer(self, give: list[int], want: list[int], to: tuple[str, ...] = (), *, pick: bool = True) -> int:
        """Compose and send an offer of cards of the hand; return its number."""
        self.page.locator("[data-key='o']").first.click()
        for place in give:
            self.raise_card(place)
        for bean in want:
            self.want(bean)
        if to:
            self.to(*to)
        choose = self.page.locator("[data-to='pick']")
        if choose.is_visible() and (choose.get_attribute("aria-pressed") == "true") != pick:
            choose.click()
        return self.send()

    def plant(self) -> None:
        """Plant what is due on the first field that takes it, harvesting where none does."""
        if self.plots.count() == 0:
            self.harvest()
        self.plots.first.click()

    def harvest(self) -> None:
        """Harvest the first field that may be, and say so twice where it brings nothing."""
        self.page.locator("[data-harvest]:not([aria-disabled='true'])").first.click()
        sure = self.page.locator("[data-harvest].sure")
        for _ in range(100):
            if self.plots.count() > 0:
                return
            if sure.count() > 0:
                sure.first.click()
            self.page.wait_for_timeout(20)

    def over(self) -> bool:
        """Tell whether the game is over."""
        return bool(self.seen()["room"]["status"] == "finished")

    def step(self) -> bool:
        """Do the next thing that is due for this person in the page; tell whether there was one."""
        seen = self.seen()
        game = seen["game"]
        if seen["room"]["status"] != "playing":
            return False
        phase, active = game["phase"]["phase"], game["active_player"] == seen["seat"]
        seq = seen["seq"]
        self.caught_up(seq)
        if phase == "plant" and active and game["own"]["hand"] and game["phase"]["planted"] == 0:
            self.plant()
        elif phase == "plant" and active:
            self.button("Turn over cards").click()
        elif phase == "trade" and active:
            with suppress(TimeoutError):  # the last call may end the trading first
                self.page.locator(".closing [data-key='.']").first.click(timeout=1000)
        elif phase == "plant-traded" and game["players"][seen["seat"]]["set_aside"]:
            if self.plots.count() == 0:
                self.page.locator("[data-aside]").first.click()
            self.plant()
        else:
            return False
        self._nothing = 0 if self.has_moved(seq) else self._nothing + 1
        if self._nothing >= 3:  # one may fall into the moment in which the page takes no press
            msg = "three clicks one after the other did nothing"
            raise AssertionError(msg)
        return True

    def caught_up(self, seq: int) -> None:
        """Wait until the page shows the table as it was at this batch, or later."""
        self.page.wait_for_function("seq => Number(document.documentElement.dataset.seq) >= seq", arg=seq)

    def moved(self, seq: int) -> None:
        """Wait until what was clicked has arrived and the table has moved on; others may be faster."""
        if not self.has_moved(seq):
            msg = "the click did nothing"
            raise AssertionError(msg)

    def has_moved(self, seq: int) -> bool:
        """Wait for a few seconds; tell whether what was clicked has arrived and the table has moved on."""
        self.page.wait_for_function("() => document.documentElement.dataset.pending === '0'")
        for _ in range(400):
            if self.seen()["seq"] > seq:
                return True
            self.page.wait_for_timeout(10)
        return False


DRAWN = 30_000
"""Ms in which every page has the result: the last harvests of all are drawn before it."""


def until_over(people: list[Person], most: int = 4000) -> None:
    """Let everybody do what is due until the game is over, and every page has its result."""
    for _ in range(most):
        if people[0].over():
            for person in people:
                expect(person.page.locator("[data-over]")).to_be_visible(timeout=DRAWN)
            return
        if not any(person.step() for person in people):
            people[0].page.wait_for_timeout(20)
    msg = "the game did not end"
    raise AssertionError(msg)
