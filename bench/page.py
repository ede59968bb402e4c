"""Measure the page in a browser: ``python -m bench.page``.

A server of its own and Debian's Chromium run on this machine, so that figures are of localhost. Four things:

- *click*: from a click to what the other player sees, both by the clock of this machine;
- *open*: from the navigation to a button that plays, with an empty cache; then one click to a dealt table;
- *frames*: at the fullest moment, while offers come and go and cards fly, from the browser's own trace;
- *start*: from the process to its address, and on to the page that can be used.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.web.support.browsers import GET_IT, chromium, start
from tests.web.support.choosing import choice, legal
from tests.web.support.moments import seven_players
from tests.web.support.people import Person, fetched
from tests.web.support.screens import FROZEN
from tests.web.support.serving import QUICK, Serving

DESKTOP: Any = {"width": 1440, "height": 900}
MOVING = {"motion": "full"}

LIVELY = {"times": {"bot_beside_people": [800, 2500]}, "limits": QUICK["limits"]}
"""Computer players at their usual pace, but they do not wait for people."""

ACTS = 400
"""Ms from one thing that Ada does to the next."""

TRACED = "disabled-by-default-devtools.timeline.frame"
ANSWERS = ("accept-offer", "pick", "withdraw-offer")

LATE = (1.05 * 1000 / 60, 1.05 * 2000 / 60)
"""Ms from one frame to the next, with the jitter of a clock: one was missed, two were missed."""

CLICKS = 60
OPENED = 10
SECONDS = 10.0

USABLE = """
(() => {
  const look = () => {
    const button = document.querySelector('.actions .button.main');
    const ready = button !== null && button.getAttribute('aria-disabled') !== 'true';
    if (ready) window.usable ??= performance.now();
    else requestAnimationFrame(look);
  };
  look();
})();
"""
"""Notes when the button that plays can be pressed, in ms since the navigation."""

NOTE_CLICKS = "addEventListener('click', () => (window.clicked = Date.now()), true)"

NOTE_TICKETS = """() => {
  const count = () => document.querySelectorAll('[data-offer]').length;
  let before = count();
  window.changed = 0;
  new MutationObserver(() => {
    if (count() === before) return;
    before = count();
    requestAnimationFrame(() => (window.changed = Date.now()));
  }).observe(document.body, { childList: true, subtree: true });
}"""
"""Notes when the tickets of the market have changed, as the frame begins that shows it."""

NOTE_FRAMES = """() => {
  window.frames_ms = [];
  let before = performance.now();
  const look = now => {
    window.frames_ms.push(now - before);
    before = now;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""


class Frames(Struct):
    """One run of frames: ms from each to the next, and how many the trace has as shown and as dropped."""

    apart: list[float]
    seconds: float
    shown: int
    dropped: int
    moved: int


# -- places ----------------------------------------------------------------------------------------------


@contextmanager
def serving(settings: object) -> Iterator[Serving]:
    """Serve from a folder that is forgotten afterwards."""
    with tempfile.TemporaryDirectory() as folder, Serving(Path(folder), settings) as server:
        yield server


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which this share lies."""
    return sorted(values)[min(len(values) - 1, round(share * (len(values) - 1)))]


def row(what: str, *figures: str) -> None:
    """Print a line of the table."""
    print(f"{what:<44}" + "  ".join(f"{figure:>14}" for figure in figures), flush=True)


# -- click -----------------------------------------------------------------------------------------------


def market(ada: Person, bo: Person) -> None:
    """Let Ada and Bo sit down, and Ada open her market."""
    ada.come_in()
    ada.open_table(3, house_rules=["starter=seat:0"])
    bo.follow(ada.invite(), ada.table)
    ada.do(do="start", fill="pk")
    while ada.seen()["game"]["phase"]["phase"] != "trade":
        command = choice(ada.seen())
        assert command is not None  # noqa: S101 - it is her turn
        ada.do(**command)
    expect(ada.key("o")).to_be_visible()


def noted(page: Page, name: str) -> float:
    """Return a time that was noted, as soon as there is one, and forget it."""
    page.wait_for_function(f"() => window.{name} > 0")
    found: float = page.evaluate(f"() => {{ const at = window.{name}; window.{name} = 0; return at; }}")
    return found


def clicks(browser: Browser) -> list[float]:
    """Return ms from a click of Ada to what Bo sees: offers that appear, and offers that vanish."""
    found = []
    with serving(FROZEN) as server:
        ada, bo = (Person(browser, server.url, name, viewport=DESKTOP) for name in ("Ada", "Bo"))
        market(ada, bo)
        ada.page.evaluate(NOTE_CLICKS)
        bo.page.evaluate(NOTE_TICKETS)
        send = ada.page.locator("section.tray footer .button.main")
        for _ in range(CLICKS // 2):
            ada.key("o").click()
            ada.raise_card(0)
            for button in (send, ada.page.locator("[data-offer] [data-key='v']").first):
                button.click()
                found.append(noted(bo.page, "changed") - noted(ada.page, "clicked"))
        ada.close()
        bo.close()
    return found


# -- open ------------------------------------------------------------------------------------------------


def opened(browser: Browser, url: str) -> tuple[float, float]:
    """Return ms from the navigation to a page that can be used, and from one click there to a dealt table."""
    person = Person(browser, url, "Ada", viewport=DESKTOP)
    person.page.add_init_script(USABLE)
    person.page.goto(url)
    person.page.wait_for_function("() => window.usable > 0")
    usable: float = person.page.evaluate("window.usable")
    dealt: float = person.page.evaluate(
        """() => new Promise(done => {
          const began = performance.now();
          const look = () => {
            const cards = document.querySelectorAll('[data-card]').length;
            if (cards > 0) done(performance.now() - began);
            else requestAnimationFrame(look);
          };
          document.querySelector('.actions .button.main').click();
          look();
        })"""
    )
    person.close()
    return usable, dealt


# -- frames ----------------------------------------------------------------------------------------------


def frames(browser: Browser, seconds: float) -> Frames:
    """Return what the browser drew while seven players traded."""
    with serving(LIVELY) as server:
        ada = Person(browser, server.url, "Ada", viewport=DESKTOP, settings=MOVING)
        ada.come_in()
        seven(ada)
        expect(ada.page.locator("[data-card]")).not_to_have_count(0)
        session = browser.new_browser_cdp_session()
        events: list[Any] = []
        ended: list[bool] = []
        session.on("Tracing.dataCollected", lambda data: events.extend(data["value"]))
        session.on("Tracing.tracingComplete", lambda _: ended.append(True))
        session.send("Tracing.start", {"categories": TRACED, "transferMode": "ReportEvents"})
        ada.page.evaluate(NOTE_FRAMES)
        moved = lively(ada, seconds)
        apart: list[float] = ada.page.evaluate("window.frames_ms")
        session.send("Tracing.end")
        while not ended:
            ada.page.wait_for_timeout(20)
        ada.close()
    return Frames(apart[1:], seconds, *presented(events), moved)


def presented(events: Sequence[Any]) -> tuple[int, int]:
    """Return how many frames of the page the browser has shown, and how many that were due it has dropped."""
    pages = {event["pid"] for event in events if event.get("args", {}).get("name") == "Renderer"}
    reports = [
        event["args"]["frame_reporter"]
        for event in events
        if event["pid"] in pages and "frame_reporter" in event.get("args", {})
    ]
    shown = sum(report["state"].startswith("STATE_PRESENTED") for report in reports)
    dropped = sum(report["state"] == "STATE_DROPPED" and report["affects_smoothness"] for report in reports)
    return shown, dropped


def seven(ada: Person) -> None:
    """Open the fullest moment, with computer players who go on from there."""
    moment = seven_players()
    headers = {"Cookie": ada.cookie(), "Content-Type": "application/x-ndjson"}
    answer = fetched("POST", f"{ada.url}/api/records", body=moment.record, headers=headers)
    origin = {"entry": moment.entries - 1, "seat": 0, "record": json.loads(answer.data)["record"]}
    ada.table = ada.ask("POST", "/api/tables", {"origin": origin})["table"]
    ada.page.goto(f"{ada.url}/t/{ada.table}")


def lively(ada: Person, seconds: float) -> int:
    """Let Ada make, take back and accept offers while others do; return how much happened."""
    rand = random.Random(1)
    ends = time.monotonic() + seconds
    began = ada.seen()["seq"]
    while time.monotonic() < ends:
        seen = ada.seen()
        answers = [command for command in legal(seen) if command["do"] in ANSWERS and rand.random() < 0.5]
        command = answers[0] if answers else offer(seen) if rand.random() < 0.7 else choice(seen)
        if command is not None:
            path = f"{ada.url}/api/tables/{ada.table}/commands"
            fetched("POST", path, json={"command": command}, headers={"Cookie": ada.cookie()})
        ada.page.wait_for_timeout(ACTS)
    return int(ada.seen()["seq"] - began)


def offer(seen: Any) -> Any | None:
    """Return an offer of the front card to everybody, or the usual next thing where there is no market."""
    own, space = seen["game"]["own"], (seen["choices"] or {}).get("offers")
    if seen["game"]["phase"]["phase"] != "trade" or not space or not space["slots"] or not own["hand"]:
        return choice(seen)
    return {
        "do": "make-offer",
        "player": seen["seat"],
        "to": space["partners"],
        "hand": [[0, own["hand"][0]]],
        "want": space["kinds"][:1],
        "open": len(space["partners"]) > 1,
        "hand_revision": own["hand_revision"],
    }


# -- start -----------------------------------------------------------------------------------------------


def started(browser: Browser) -> tuple[float, float]:
    """Return ms from the start of the process to its address, and to the page that can be used."""
    with tempfile.TemporaryDirectory() as folder:
        server = Serving(Path(folder), QUICK)
        began = time.perf_counter()
        with server:
            ready = time.perf_counter() - began
            usable, _ = opened(browser, server.url)
    return ready * 1000, ready * 1000 + usable


# -- the table -------------------------------------------------------------------------------------------


def print_times(what: str, times: Sequence[float]) -> None:
    """Print the median and the worst of these times."""
    row(what, f"median {statistics.median(times):.0f} ms", f"worst {max(times):.0f} ms")


def print_clicks(browser: Browser, runs: int) -> None:
    """Measure clicks."""
    for _ in range(runs):
        found = clicks(browser)
        what = f"click to the other player, {len(found)} clicks"
        row(what, f"p50 {percentile(found, 0.5):.0f} ms", f"p95 {percentile(found, 0.95):.0f} ms")


def print_opened(browser: Browser, runs: int) -> None:
    """Measure opening."""
    for _ in range(runs):
        with serving(QUICK) as server:
            found = [opened(browser, server.url) for _ in range(OPENED)]
        print_times(f"navigation to a usable page, {OPENED} runs", [usable for usable, _ in found])
        print_times(f"one click to a dealt table, {OPENED} runs", [dealt for _, dealt in found])


def print_frames(browser: Browser, runs: int) -> None:
    """Measure frames."""
    for _ in range(runs):
        found = frames(browser, SECONDS)
        one, two = (sum(apart > limit for apart in found.apart) / len(found.apart) for limit in LATE)
        row(
            f"frames, {found.moved} things in {found.seconds:.0f} s",
            f"{len(found.apart) / sum(found.apart) * 1000:.1f} a second",
            f"{one:.1%} > 16.7 ms",
            f"{two:.1%} > 33 ms",
            f"{found.shown} shown",
            f"{found.dropped} dropped",
        )


def print_started(browser: Browser, runs: int) -> None:
    """Measure the start; the first run fills the caches of the system."""
    found = [started(browser) for _ in range(runs + 1)][1:]
    print_times(f"process to its address, {runs} runs", [ready for ready, _ in found])
    print_times(f"process to a usable page, {runs} runs", [usable for _, usable in found])


PARTS: dict[str, Callable[[Browser, int], None]] = {
    "click": print_clicks,
    "open": print_opened,
    "frames": print_frames,
    "start": print_started,
}


def main() -> None:
    """Measure what is asked for, each several times."""
    parser = argparse.ArgumentParser(description="Measure the page in a browser.")
    parser.add_argument("parts", nargs="*", help=f"some of {', '.join(PARTS)}; without: all")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    if chromium() is None:
        sys.exit(GET_IT)
    with sync_playwright() as driver:
        browser = start(driver)
        for name in options.parts or PARTS:
            PARTS[name](browser, options.runs)
        browser.close()


if __name__ == "__main__":
    main()
