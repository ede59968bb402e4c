"""Browser tests: a server, Debian's Chromium, and people who sit before it."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Playwright, expect, sync_playwright

from tests.web.support.browsers import GET_IT, chromium, start
from tests.web.support.people import Person
from tests.web.support.rooms import Opened
from tests.web.support.screens import FROZEN, Prepared
from tests.web.support.serving import Serving
from tests.web.support.states import fullest
from tests.web.support.unserved import Opening, Unserved
from tests.web.support.walking import SIZES

PICTURES = Path(__file__).parents[2] / "build" / "browser"
"""Where pictures of failures are left."""

expect.set_options(timeout=20_000)  # ms; the five of the driver are too few for ten pages on two busy cores

BUILD_IT = "the page is not built: make page"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs a browser where there is none, and say how to get it."""
    reason = BUILD_IT if not (files("bohn.server") / "static" / "index.html").is_file() else None
    if chromium() is None:
        reason = GET_IT
    for item in items:
        needs = item.get_closest_marker("browser") or item.get_closest_marker("e2e")
        if reason is not None and (needs or item.get_closest_marker("screenshots")):
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep a picture of what everybody saw when a test failed."""
    report = yield
    if report.failed and report.when == "call":
        PICTURES.mkdir(parents=True, exist_ok=True)
        for person in Person.here:
            with suppress(Error):  # who has gone, or cannot be drawn any more, hides no failure
                person.page.screenshot(path=PICTURES / f"{item.name}-{person.name}.png")
    return report


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    """Return the driver of browsers; while its loop runs, no other test could run one of its own."""
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Return one browser for all tests; each person has a context of his own."""
    started = start(playwright)
    yield started
    started.close()


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opening]:
    """Return how to open a page in a window, perhaps with settings; it is closed afterwards."""
    pages: list[Unserved] = []

    def opening(window: dict[str, Any], **settings: object) -> Unserved:
        pages.append(Unserved(browser, settings=settings, **window))
        return pages[-1]

    yield opening
    for page in pages:
        page.close()


@pytest.fixture
def full_table(browser: Browser) -> Iterator[Opened]:
    """Return how to open the fullest market, or another state, at a size; the pages are closed afterwards."""
    pages: list[Unserved] = []

    def opening(size: str, **more: Any) -> Unserved:
        still = more.pop("still", None) or fullest()
        page = Unserved(browser, **SIZES[size], **more)
        pages.append(page)
        page.show(still)
        return page

    yield opening
    for page in pages:
        page.close()


@pytest.fixture
def on_phone(opened: Opening) -> Opening:
    """Return how to open a page on a phone in a language."""

    def opening(language: str = "en") -> Unserved:
        return opened(SIZES["phone"], language=language)

    return opening


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Return a server for all tests that do not kill it."""
    with Serving(tmp_path_factory.mktemp("server")) as serving:
        yield serving


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Serving]:
    """Return a server that a test may kill."""
    with Serving(tmp_path) as serving:
        yield serving


@pytest.fixture(scope="session")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Return a server on which computer players do nothing, so that a moment stays as it is."""
    with Serving(tmp_path_factory.mktemp("frozen"), FROZEN) as serving:
        yield serving


@pytest.fixture(scope="module")
def prepared(browser: Browser, frozen: Serving) -> Iterator[Prepared]:
    """Return tables at which the fullest moments stand still."""
    tables = Prepared(browser, frozen.url)
    yield tables
    tables.close()
