"""Count what each deed at the table costs a player: ``python -m bench.deeds``.

Each deed is done on the page as it stands in a window of each size. The presses are counted; their time is
reckoned from how far the pointer goes and how large what it presses is (Fitts' law with the constants of a
mouse), with one decision a deed. The time a player thinks about beans is not in it. A deed counts as done
when the page sends its command, or shows what was asked for.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from functools import cache

from msgspec import Struct
from playwright.sync_api import Browser, expect, sync_playwright

from tests.web.support.browsers import GET_IT, chromium, start
from tests.web.support.markets import Market
from tests.web.support.states import Still, stills
from tests.web.support.unserved import Unserved
from tests.web.support.walking import SIZES

WINDOWS = ("wide", "small", "phone")

DECIDE = 1.35
"""Seconds of making up one's mind before a deed (the mental operator of the keystroke-level model)."""

REACH, FARTHER = 0.1, 0.15
"""Seconds to reach anything, and more for each bit of difficulty: ``log2(distance / size + 1)``."""

PRESS = 0.2
"""Seconds to press and let go."""

BOX = "one => { const { x, y, width, height } = one.getBoundingClientRect(); return [x, y, width, height]; }"

SENT = "html[data-pending='1']"


class Deed(Struct, frozen=True):
    """What is pressed, one after the other, in which state; ``seen`` tells that it is done."""

    name: str
    state: Callable[[], Still]
    presses: tuple[str, ...]
    seen: str = SENT


def still(name: str) -> Callable[[], Still]:
    """Return how to find a state by the beginning of its name."""
    return lambda: next(one for one in _all() if one.name.startswith(name) and one.seat == 0)


@cache
def _all() -> tuple[Still, ...]:
    return tuple(stills())


def _offered() -> Still:
    """Somebody offers the viewer a card for one he has."""
    market = Market(1)
    market.offer(1, (0, 2), market.hand(1)[:1], market.hand(0)[:1])
    return market.still()


def _claimed() -> Still:
    """Two would take the viewer's offer; he chooses."""
    market = Market(0)
    ada, bert, chiyo = (market.hand(seat) for seat in range(3))
    want = next(bean for bean in bert if bean in chiyo)
    number = market.offer(0, (1, 2), ada[:1], [want], is_open=True)
    market.claim(1, number, want)
    market.claim(2, number, want)
    return market.still()


def _own_turn() -> Still:
    return Market(0).still()


DEEDS = (
    Deed("plant the front card", still("main 7p plant mine waits plant"), (".target .plot",)),
    Deed("plant a card set aside", still("main 7p plant-traded mine waits plant-set"), (".target .plot",)),
    Deed("turn two over", still("main 7p plant mine waits reveal"), ("[data-key='t']",)),
    Deed("accept an offer", _offered, ("[data-offer] [data-key='a']",)),
    Deed("decline an offer", _offered, ("[data-offer] [data-key='d']",)),
    Deed(
        "counter with one card more",
        _offered,
        ("[data-offer] [data-key='c']", "[data-want]:not([data-less])", "[data-send]"),
    ),
    Deed("offer 1 for 1 to all", _own_turn, ("[data-card='1']", "[data-want] >> nth=2", "[data-send]")),
    Deed("offer a face-up card", _own_turn, ("[data-face-up='0']", "[data-want] >> nth=2", "[data-send]")),
    Deed("choose one of two who would", _claimed, ("[data-pick]",)),
    Deed("end the trading", _own_turn, ("[data-key='.']",)),
    Deed(
        "see all of an opponent",
        still("main 7p plant theirs"),
        ("[data-seat] .open",),
        "[data-seat] [aria-expanded='true']",
    ),
    Deed(
        "name a gift (Das Duell)",
        still("das-duell gift mine waits name-gift"),
        ("[data-kind-name]", "[data-name]"),
    ),
)


def effort(page: Unserved, presses: Sequence[str], room: tuple[int, int]) -> float:
    """Press one after the other; return the seconds by Fitts' law, from the middle of the window on."""
    seconds = DECIDE
    at = (room[0] / 2, room[1] / 2)
    for selector in presses:
        button = page.page.locator(selector).locator("visible=true").first
        expect(button).to_be_visible()
        left, top, width, height = button.evaluate(BOX)
        to = (left + width / 2, top + height / 2)
        size = min(width, height)
        seconds += REACH + FARTHER * math.log2(math.dist(at, to) / size + 1) + PRESS
        button.click(position={"x": min(20, width / 2), "y": min(12, height / 2)})  # fields lie over a seat
        page.drawn()
        at = to
    return seconds


def measure(browser: Browser, deed: Deed, window: str) -> float:
    """Return the seconds of a deed in a window."""
    page = Unserved(browser, settings={"takeBack": 0}, **SIZES[window])
    page.show(deed.state())
    page.drawn()
    view = SIZES[window]["viewport"]
    seconds = effort(page, deed.presses, (view["width"], view["height"]))
    expect(page.page.locator(deed.seen).first).to_be_attached()
    page.close()
    return seconds


def main() -> None:
    """Print a line for each deed."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    if chromium() is None:
        sys.exit(GET_IT)
    print(f"{'':28}{'presses':>8}" + "".join(f"{window:>9}" for window in WINDOWS) + "  (seconds)")
    with sync_playwright() as playwright:
        browser = start(playwright)
        for deed in DEEDS:
            times = [measure(browser, deed, window) for window in WINDOWS]
            print(
                f"{deed.name:28}{len(deed.presses):>8}" + "".join(f"{time:9.2f}" for time in times),
                flush=True,
            )
        browser.close()


if __name__ == "__main__":
    main()
