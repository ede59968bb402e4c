"""How much must come over the line before the page can be used."""

from __future__ import annotations

import gzip
import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

MOST = 150_000
"""Bytes of scripts and styles, gzipped."""

STATIC = Path(str(files("bohn.server") / "static"))
IMPORTED = re.compile(rb"""(?:from|import)\s*["']\./([\w.-]+\.js)["']""")
LINKED = re.compile(r"""<(?:script|link)[^>]+(?:src|href)=["']/?([^"']+\.(?:js|css))["']""")


@pytest.fixture
def page() -> Path:
    """Return where the built page lies."""
    if not (STATIC / "index.html").is_file():
        pytest.skip("the page is not built: make page")
    return STATIC


def gzipped(path: Path) -> int:
    """Return how large a file is on its way."""
    return len(gzip.compress(path.read_bytes(), 9))


def first_load(page: Path) -> set[Path]:
    """Return what the page loads before anything is clicked: what it links, and what that imports."""
    text = (page / "index.html").read_text(encoding="utf-8")
    waiting = {page / path for path in LINKED.findall(text)}
    found: set[Path] = set()
    while waiting:
        file = waiting.pop()
        found.add(file)
        if file.suffix == ".js":
            imported = {file.parent / name.decode() for name in IMPORTED.findall(file.read_bytes())}
            waiting |= imported - found
    return found


def loaded_for(page: Path, name: str) -> set[Path]:
    """Return what a page of the site (`Lobby`, `TablePage`) comes with, beside what all pages load."""
    (script,) = (path for path in first_load(page) if path.match("index-*.js"))
    text = script.read_text(encoding="utf-8")
    listed = re.search(r"m\.f=\[(.*?)\]", text)
    asked = re.search(rf"""\./{name}-[\w-]+\.js["'`]\)[^,]*,__vite__mapDeps\(\[([\d,]+)\]""", text)
    assert listed is not None
    assert asked is not None, f"{name} is no part of its own"
    paths = re.findall(r"""["'`]([^"'`]+)["'`]""", listed[1])
    return {page / paths[int(number)] for number in asked[1].split(",")}


def language_files(page: Path) -> list[Path]:
    """Return the texts of all languages, a file each."""
    names = [path.stem for path in Path(str(files("bohn.i18n") / "catalogs")).glob("*.json")]
    found = [path for name in names for path in (page / "assets").glob(f"{name}-*.js")]
    assert len(found) == len(names)
    return found


@pytest.mark.parametrize("name", ["Lobby", "TablePage"])
def test_first_load_stays_below_150_kb(page: Path, name: str) -> None:
    """Scripts, styles and the largest language together are small enough for a slow line, for each page."""
    loaded = {path.name: gzipped(path) for path in first_load(page) | loaded_for(page, name)}
    language = max(language_files(page), key=gzipped)
    loaded[language.name] = gzipped(language)

    assert any(name.endswith(".css") for name in loaded)
    assert sum(loaded.values()) <= MOST, json.dumps(loaded, indent=1)


def test_no_language_is_part_of_the_first_scripts(page: Path) -> None:
    """Texts come in one language only, that of the reader."""
    assert first_load(page).isdisjoint(language_files(page))


def test_service_worker_names_only_files_that_are_there(page: Path) -> None:
    """Were one missing, none would be stored, and the page would not open without a network."""
    listed = re.match(r"const SHELL=(\[.*?\])", (page / "sw.js").read_text(encoding="utf-8"))
    assert listed is not None
    names = [name.lstrip("/") or "index.html" for name in json.loads(listed[1])]

    assert [name for name in names if not (page / name).is_file()] == []
    assert {path.relative_to(page).as_posix() for path in first_load(page)} <= set(names)
