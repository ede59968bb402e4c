"""A walk through every kind of state of every game: nothing is clipped, covered, too small or hard to see.

By hand a few states are looked at. Where a machine checks a change, all of them in every language on a phone;
in each larger window every language looks at a third of them, another one than the languages beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest
from playwright.sync_api import Browser, expect

from bohn.i18n import available
from tests.effort import WHOLE
from tests.web.support.looking import AXE, barriers
from tests.web.support.states import Still, fullest, stills
from tests.web.support.unserved import Unserved
from tests.web.support.walking import SIZES, faults

pytestmark = pytest.mark.e2e if WHOLE else [pytest.mark.browser, pytest.mark.xdist_group("browser")]

LONGER = "en-XA"
"""English with words 40 % longer."""

LANGUAGES = available()
WINDOWS: list[tuple[str, str]] = [(size, language) for size in SIZES for language in (*LANGUAGES, LONGER)]
SAMPLED = [("phone", "de"), ("phone", LONGER), ("wide", "ru")]
FEW = 9
"""By hand one of so many states is looked at."""

OPENED: dict[str, tuple[str, ...]] = {
    "an offer is composed": ("[data-key='o']", "[data-card='1']", "[data-want]"),
    "wishes": ("[data-key='i']",),
    "a promise": ("[data-key='i']", "[data-promise]"),
    "a seat": ("[data-seat] .open",),
    "the chat": ("[data-key='m']",),
}
"""What is clicked at the fullest market to open something over it or in it; Escape closes each."""

STANDS_OVER = "[data-tray], [data-talk], [role='dialog'], [data-seat] [aria-expanded='true']"


def walked(states: Sequence[Still], window: int = 0) -> Sequence[Still]:
    """Return the states to look at in a window: on a phone all, elsewhere all by turns of three windows."""
    if not WHOLE:
        return states[::FEW]
    return states if window < len(LANGUAGES) + 1 else states[window % 3 :: 3]


@pytest.fixture
def opened(browser: Browser) -> Iterator[Callable[[str, str, str], Unserved]]:
    """Return how to open a page in a window, a language and a theme; it is closed afterwards."""
    pages: list[Unserved] = []

    def opening(size: str, language: str, theme: str = "light") -> Unserved:
        settings = {"language": language, "theme": theme}
        pages.append(Unserved(browser, settings=settings, **SIZES[size]))
        return pages[-1]

    yield opening
    for page in pages:
        page.close()


Opening = Callable[..., Unserved]


@pytest.mark.parametrize(("size", "language"), WINDOWS if WHOLE else SAMPLED)
def test_every_state_can_be_read_and_hit(opened: Opening, size: str, language: str) -> None:
    """No text is clipped or covered, none is smaller than 13 px, and no target than 40 px."""
    table = opened(size, language)
    found: dict[str, str] = {}
    for still in walked(stills(), WINDOWS.index((size, language))):
        table.show(still)
        for fault in faults(table.page):
            found.setdefault(fault, still.name)

    assert "\n".join(f"{fault}  [{where}]" for fault, where in found.items()) == ""


@pytest.mark.parametrize(("size", "language"), WINDOWS if WHOLE else SAMPLED[:1])
def test_what_is_opened_can_be_read_and_hit(opened: Opening, size: str, language: str) -> None:
    """The same where something is composed, or stands over the board."""
    found: dict[str, str] = {}
    table = opened(size, language)
    for name, clicks in OPENED.items():
        table.show(fullest())
        for selector in clicks:
            table.page.locator(selector).first.click(position={"x": 8, "y": 8})  # fields lie over a seat
        expect(table.page.locator(STANDS_OVER).first).to_be_visible()  # it may have to be loaded first
        table.drawn()
        for fault in faults(table.page):
            found.setdefault(fault, name)
        for _ in clicks:
            table.page.keyboard.press("Escape")
        expect(table.page.locator(STANDS_OVER)).to_have_count(0)

    assert "\n".join(f"{fault}  [{where}]" for fault, where in found.items()) == ""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["phone", "wide"])
def test_no_state_has_barriers(opened: Opening, size: str, theme: str) -> None:
    """Axe finds nothing in any state; each is looked at in one of the languages, in turn."""
    if not AXE.is_file():
        pytest.skip("axe is not there: npm ci in web/")
    found: dict[str, str] = {}
    states = walked(stills()) if WHOLE else walked(stills())[::3]
    for at, language in enumerate(LANGUAGES):
        turn = states[at :: len(LANGUAGES)]
        table = opened(size, language, theme) if turn else None
        for still in turn:
            assert table is not None
            table.show(still)
            for fault in barriers(table.page, every=True):
                found.setdefault(fault, f"{language}: {still.name}")

    assert "\n".join(f"{fault}  [{where}]" for fault, where in found.items()) == ""


# -- the looks themselves ---------------------------------------------------------------------------------

PLANTED: dict[str, tuple[str, str]] = {
    "clipped: p": (
        "<p style='width: 60px; overflow: hidden; white-space: nowrap'>Nobody can read this whole</p>",
        "",
    ),
    "clipped: i": ("<div style='width: 40px; height: 20px; overflow: hidden'><br><br><i>Gone</i></div>", ""),
    "clipped: u": ("<u title='u' style='display: block; width: 9px; overflow: hidden'>Long</u>", ""),
    "small target: button": ("<button style='width: 30px; height: 30px'>x</button>", ""),
    "small letters: p": ("<p style='font-size: 11px'>Too small</p>", ""),
    "no words: h3": ("<h3>[table.say.claims]</h3>", ""),
    "overlaps: p": (
        "<p style='position: absolute; top: 300px'>One</p><p style='position: absolute; top: 304px'>Two</p>",
        "",
    ),
    "overlaps: b": (
        "<b>Under a box</b><div style='position: absolute; inset: 0; background: teal'></div>",
        "position: relative",
    ),
}
"""Faults, each with the begin of the line that tells of it, and a style for what it stands in."""

FINE = (
    "<p style='max-width: 300px'>A text with room</p><button style='width: 44px; height: 44px'>ok</button>"
    "<div style='width: 80px; overflow: auto; white-space: nowrap'>What can be scrolled is not lost</div>"
)


@pytest.fixture
def blank(browser: Browser) -> Iterator[Callable[[str, str], list[str]]]:
    """Return how to look at a page with nothing but some HTML on it."""
    page = browser.new_page(viewport={"width": 800, "height": 600})

    def looked(html: str, style: str = "") -> list[str]:
        page.set_content(f"<html lang='en'><main style='{style}'>{html}</main></html>")
        return faults(page)

    yield looked
    page.close()


@pytest.mark.parametrize("told", PLANTED)
def test_walker_finds_a_planted_fault(blank: Callable[[str, str], list[str]], told: str) -> None:
    """A fault that was put there is told."""
    html, style = PLANTED[told]

    assert [fault for fault in blank(html, style) if fault.startswith(told)]


def test_walker_finds_nothing_where_all_is_well(blank: Callable[[str], list[str]]) -> None:
    """What is whole, large enough and apart is no fault."""
    assert blank(FINE) == []


def test_axe_finds_letters_that_can_hardly_be_seen(browser: Browser) -> None:
    """Low contrast is a barrier."""
    page = browser.new_page()
    page.set_content(
        "<html lang='en'><title>t</title><main><h1>h</h1><p style='color: #ccc'>Pale</p></main></html>"
    )
    found = barriers(page, every=True)
    page.close()

    assert any(barrier.startswith("color-contrast") for barrier in found)
