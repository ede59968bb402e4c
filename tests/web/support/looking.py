"""What can be measured on a page: what is cut off, what is too small to tap or to read, what moves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).parents[3] / "web" / "node_modules" / "axe-core" / "axe.min.js"
LOOKS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")

SERIOUS = ("serious", "critical")

BROKEN = """() => {
  const found = [], nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const text = nodes.currentNode;
    const around = text.parentElement;
    if (around.closest(".hidden") || around.getBoundingClientRect().width < 3) continue;
    for (const { index, 0: word } of text.data.matchAll(/\\p{L}+/gu)) {
      const range = document.createRange();
      range.setStart(text, text.data[index - 1] === "\\u00ad" ? index + 1 : index); // its hyphen is above
      range.setEnd(text, index + word.length);
      const lines = [...range.getClientRects()].filter(box => box.width > 1).map(box => Math.round(box.top));
      if (new Set(lines).size > 1) found.push(word);
    }
  }
  return found;
}"""
"""Words that go on in the next line, but for those that part at a hyphen."""


def _found(page: Page, look: str, *arguments: int) -> list[str]:
    found: list[str] = page.evaluate(f"{LOOKS.rstrip()}.{look}(...{list(arguments)})")
    return found


def cut_off(page: Page) -> list[str]:
    """Return what is not whole: clipped, or wider than its place."""
    return _found(page, "cutOff")


def too_small_to_tap(page: Page, least: int) -> list[str]:
    """Return what is smaller than a finger, in px."""
    return _found(page, "tooSmallToTap", least)


def too_small_to_read(page: Page, least: int) -> list[str]:
    """Return texts in smaller letters, in px."""
    return _found(page, "tooSmallToRead", least)


def watch_motion(page: Page, longest: int) -> None:
    """Begin to note what moves for longer than that, in ms; :func:`moving` tells."""
    _found(page, "watchMotion", longest)


def moving(page: Page) -> list[str]:
    """Return what has moved since."""
    found: list[str] = page.evaluate("[...window.moving]")
    return found


def barriers(page: Page, *, every: bool = False) -> list[str]:
    """Return what axe finds serious or critical, or ``every`` violation."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    result: Any = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{finding['id']} ({finding['impact']}): {node['target']} {node['failureSummary'][:300]}"
        for finding in result["violations"]
        if every or finding["impact"] in SERIOUS
        for node in finding["nodes"]
    ]
