"""The site of the documents: no link is lost, nothing is fetched from elsewhere, every page has a place."""

from __future__ import annotations

import os
import re
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

import build_docs

ROOT = Path(__file__).parents[2]
REQUIRED = os.environ.get("BOHN_TEST_DOCS") == "require"
"""``require``: the test of the whole site fails where Zensical is not installed (`make docs` does that)."""


def entries(nav: object) -> list[str]:
    """Return all pages of a navigation, at any depth."""
    if isinstance(nav, str):
        return [nav]
    parts = nav if isinstance(nav, list) else list(nav.values()) if isinstance(nav, dict) else []
    return [page for part in parts for page in entries(part)]


def page(folder: Path, name: str, body: str) -> None:
    """Write one page of a site."""
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(f"<html><body>{body}</body></html>", encoding="utf-8")


def test_site_has_every_document_in_its_navigation(tmp_path: Path) -> None:
    """Nobody writes a page that nobody finds; no entry leads to a page that is gone."""
    build_docs.lay_out(tmp_path / "docs")
    pages = {path.relative_to(tmp_path / "docs").as_posix() for path in (tmp_path / "docs").rglob("*.md")}
    nav = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]["nav"]

    assert {name for name in pages if not name.startswith("files/")} == set(entries(nav))


def test_link_out_of_the_documents_leads_to_a_copy(tmp_path: Path) -> None:
    """A file of the tree is carried along; documents lead to their pages; code is left as it is."""
    path = ROOT / "docs" / "host.md"
    text = build_docs.laid_out(path, tmp_path)

    assert "](files/deploy/nginx.conf)" in text
    assert (tmp_path / "files/deploy/nginx.conf").read_bytes() == (ROOT / "deploy/nginx.conf").read_bytes()
    assert "](install.md)" in text or "](install.md#" in text


def test_page_has_nothing_that_is_there_for_tests(tmp_path: Path) -> None:
    """Comments that name tests, and types beside the language of a block, which break the block."""
    text = build_docs.laid_out(ROOT / "docs" / "protocol.md", tmp_path)

    assert "<!--" not in text
    assert re.findall(r"^```json \w+", text, flags=re.MULTILINE) == []


def test_lost_link_of_a_page_is_found(tmp_path: Path) -> None:
    """A page, a place in a page, and a picture that are not there are told."""
    page(
        tmp_path,
        "index.html",
        '<a href="a/b.html#here">x</a><a href="a/b.html#gone">x</a><a href="no.html">x</a>',
    )
    page(tmp_path, "a/b.html", '<h1 id="here">x</h1><a href="../index.html">x</a><img src="no.webp">')

    assert build_docs.faults(tmp_path) == [
        "a/b.html leads to no.webp, which is not there",
        "index.html leads to a/b.html#gone, where there is no such place",
        "index.html leads to no.html, which is not there",
    ]


def test_what_is_fetched_from_elsewhere_is_found(tmp_path: Path) -> None:
    """Scripts and styles of others, in a page or in a style sheet; a link to be followed is none."""
    page(
        tmp_path,
        "index.html",
        '<script src="https://cdn.test/x.js"></script><a href="https://elsewhere.test/">x</a>',
    )
    (tmp_path / "style.css").write_text('@import "https://fonts.test/css";')

    assert build_docs.faults(tmp_path) == [
        "index.html fetches https://cdn.test/x.js",
        "style.css fetches https://fonts.test/css",
    ]


@pytest.mark.skipif(find_spec("zensical") is None and not REQUIRED, reason="make docs installs what it needs")
def test_site_is_built_without_a_fault(tmp_path: Path) -> None:
    """All pages, strictly, and the reference has what the library shows."""
    build_docs.build(tmp_path / "site")

    assert 'id="bohn.Game.play"' in (tmp_path / "site/api/bohn.html").read_text(encoding="utf-8")
