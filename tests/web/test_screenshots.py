"""Pictures of the fullest moments, for eyes that judge them and for the documents: `make screenshots`."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.web.support.people import Person
from tests.web.support.screens import MOMENTS, Prepared
from tests.web.support.states import Still, fullest, fullest_of
from tests.web.support.unserved import Opening

pytestmark = pytest.mark.screenshots

PICTURES = Path(__file__).parents[2] / "build" / "screenshots"

IN_DOCUMENTS = Path(__file__).parents[2] / "docs" / "images"
"""Pictures that are committed, because the README and the documents show them."""

DESK: dict[str, Any] = {
    "viewport": {"width": 1280, "height": 720},
    "device_scale_factor": 1.5,
    "color_scheme": "light",
}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 780},
    "device_scale_factor": 1.5,
    "color_scheme": "light",
    "is_mobile": True,
    "has_touch": True,
}

SIZES: dict[str, dict[str, Any]] = {
    "1440x900": {"viewport": {"width": 1440, "height": 900}},
    "1024x768": {"viewport": {"width": 1024, "height": 768}},
    "360x800": {"viewport": {"width": 360, "height": 800}, "is_mobile": True, "has_touch": True},
}
LANGUAGES = ("de", "ja", "en-XA")
"""German, Japanese, and English made 40 % longer."""


@pytest.fixture(params=[(size, language) for language in LANGUAGES for size in SIZES], ids="-".join)
def viewer(request: pytest.FixtureRequest, prepared: Prepared) -> Iterator[tuple[Person, str]]:
    """Return somebody before a screen of a size and in a language, and how the two are called."""
    size, language = request.param
    ada = prepared.person(**SIZES[size], settings={"language": language}, color_scheme="light")
    yield ada, f"{size}-{{theme}}-{language}"
    ada.close()


@pytest.mark.parametrize("moment", MOMENTS)
def test_moment_is_drawn(viewer: tuple[Person, str], prepared: Prepared, moment: str) -> None:
    """The moment is there in light and dark, and leaves its pictures."""
    ada, name = viewer
    PICTURES.mkdir(parents=True, exist_ok=True)
    MOMENTS[moment](ada, prepared)
    ada.page.evaluate("document.fonts.ready")
    for theme in ("light", "dark"):
        ada.page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        path = PICTURES / f"{moment}-{name.format(theme=theme)}.png"
        path.write_bytes(ada.page.screenshot(animations="disabled"))
        assert path.stat().st_size > 10_000


def trading() -> Still:
    """Return a table of four while the viewer trades."""
    return next(still for still in fullest_of("full", 4, (2,)) if still.name == "main 4p trade")


def keep(page: Page, name: str) -> None:
    """Leave a picture for the documents: WebP, which Chromium writes by itself and every browser shows."""
    asked = {"format": "webp", "quality": 75}
    picture = page.context.new_cdp_session(page).send("Page.captureScreenshot", asked)
    IN_DOCUMENTS.mkdir(exist_ok=True)
    path = IN_DOCUMENTS / f"{name}.webp"
    path.write_bytes(base64.b64decode(picture["data"]))
    assert 10_000 < path.stat().st_size < 200_000


@pytest.mark.parametrize(("name", "window"), [("table", DESK), ("phone", PHONE)])
def test_documents_show_a_table(opened: Opening, name: str, window: dict[str, Any]) -> None:
    """The table on a desk and on a phone, while there is trading; nothing in it counts seconds."""
    page = opened(window)
    page.show(fullest() if window is DESK else trading())
    keep(page.page, name)


@pytest.mark.parametrize("moment", ["lobby", "game-over"])
def test_documents_show_what_is_around_a_game(prepared: Prepared, moment: str) -> None:
    """Where tables are opened, and how a game ended."""
    ada = prepared.person(**DESK)
    MOMENTS[moment](ada, prepared)
    ada.page.evaluate("document.fonts.ready")
    keep(ada.page, moment)
    ada.close()
