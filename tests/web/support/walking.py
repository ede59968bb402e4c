"""What the walker asks of a state of the page: no text clipped, covered or small, no small target."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.web.support.looking import LOOKS

SIZES: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 360, "height": 800}, "is_mobile": True, "has_touch": True},
    "tablet": {"viewport": {"width": 768, "height": 1024}, "has_touch": True},
    "small": {"viewport": {"width": 1024, "height": 768}},
    "wide": {"viewport": {"width": 1440, "height": 900}},
}
"""The windows in which every state is looked at."""

TARGET = 40
COVERED = 24
LETTERS = 13
"""Px of a target, of the part of a card that other cards leave in sight, and of letters."""

WALK = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def faults(page: Page) -> list[str]:
    """Return what is wrong on a page, a line each."""
    found: list[str] = page.evaluate(
        f"""() => {{
          const looks = {LOOKS.rstrip()}, walk = {WALK.rstrip()};
          return [
            ...looks.cutOff(),
            ...walk.clipped().map(text => `clipped: ${{text}}`),
            ...looks.tooSmallToRead({LETTERS}).map(text => `small letters: ${{text}}`),
            ...walk.unsaid().map(text => `no words: ${{text}}`),
            ...walk.small({TARGET}, {COVERED}).map(text => `small target: ${{text}}`),
            // the last one, since it changes a style of everything, which is computed anew after it
            ...walk.overlapping().map(text => `overlaps: ${{text}}`),
          ];
        }}"""
    )
    return found
