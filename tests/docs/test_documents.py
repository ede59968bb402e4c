"""The documents lead somewhere: links, headings in them, pictures; and the README is short."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
DOCUMENTS = (README, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))

LINES = 90
"""Lines of the README at most: three screens."""

PICTURE = 200_000
"""Bytes of a picture at most: it is loaded by everybody who reads the page."""


def plain(path: Path) -> str:
    """Return a document without its blocks of code."""
    return re.sub(r"^( *)```.*?^\1```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def links(path: Path) -> list[str]:
    """Return what a document links to or shows, within this tree."""
    found = re.findall(r'\]\(([^)\s]+)\)|<img src="([^"]+)"', re.sub(r"`[^`\n]*`", "", plain(path)))
    targets = [first or second for first, second in found]
    return [target for target in targets if not re.match(r"[a-z]+:", target)]


def headings(path: Path) -> set[str]:
    """Return the anchors of a document's headings, and those it sets by itself."""
    titles = re.findall(r"^#+ (.+)$", plain(path), flags=re.MULTILINE)
    slugs = [re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles]
    return {*slugs, *re.findall(r'<a id="([^"]+)"', plain(path))}


def broken(path: Path) -> list[str]:
    """Return the links of a document that lead nowhere."""
    found = []
    for link in links(path):
        place, _, anchor = link.partition("#")
        target = (path.parent / place).resolve() if place else path
        lost = anchor and target.suffix == ".md" and target.exists() and anchor not in headings(target)
        if not target.exists() or lost:
            found.append(link)
    return found


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_link_leads_to_a_file_and_a_heading(path: Path) -> None:
    """No document sends its reader to what is not there."""
    assert broken(path) == []


def test_lost_link_is_found(tmp_path: Path) -> None:
    """A file and a heading that are not there are named; what only looks like a link is not."""
    path = tmp_path / "page.md"
    path.write_text("# Here\n[a](#here) [b](#gone) [c](lost.md)\n```\n[d](code.md)\n```\n`[e](code.md)`\n")

    assert broken(path) == ["#gone", "lost.md"]


def test_readme_is_three_screens() -> None:
    """Who wants more is told where it stands."""
    assert len(README.read_text(encoding="utf-8").splitlines()) <= LINES


def test_readme_shows_the_table() -> None:
    """Its picture is committed, and small."""
    (picture,) = re.findall(r"^!\[.+\]\((.+)\)$", README.read_text(encoding="utf-8"), flags=re.MULTILINE)

    assert (ROOT / picture).suffix == ".webp"
    assert (ROOT / picture).stat().st_size < PICTURE


def test_readme_says_whose_the_trademark_is() -> None:
    """Nobody may take it for the publisher's own."""
    said = " ".join(README.read_text(encoding="utf-8").split())

    assert "Bohnanza is a trademark of its owner" in said
    assert "neither made nor endorsed by the game's author or its publishers" in said
