"""Pictures of the fullest moments, for eyes that judge them: `make screenshots`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.support.people import Person
from tests.web.support.screens import MOMENTS, Prepared

pytestmark = pytest.mark.screenshots

PICTURES = Path(__file__).parents[2] / "build" / "screenshots"

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
