"""The page uses no key that English lacks, and fills in the parameters that are always needed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from bohn.i18n import FALLBACK, catalog

WEB = Path(__file__).parents[2] / "web" / "src"
KEYS = catalog._patterns(FALLBACK)

_LITERAL = re.compile(r"""["'`]([a-z][\w-]*\.[\w.${}()\[\]?:"' -]+?)["'`]""")


@cache
def sources() -> tuple[str, ...]:
    """Return the texts of the page's own files; what is generated names every key."""
    files = [path for path in WEB.rglob("*") if path.suffix in {".ts", ".svelte"}]
    return tuple(path.read_text(encoding="utf-8") for path in files if "generated" not in path.parts)


def literals() -> Iterator[str]:
    """Return what looks like a key in the page, whole or with a ``${...}`` inside."""
    for text in sources():
        yield from (found[1] for found in _LITERAL.finditer(text))
        yield from (found[1] for found in re.finditer(r"`([a-z][\w-]*\.[^`]*)`", text))


def patterns() -> set[re.Pattern[str]]:
    """Return what matches the keys that the page names."""
    found = set()
    for literal in set(literals()):
        parts = re.split(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", literal)
        found.add(re.compile("[^ ]+".join(re.escape(part) for part in parts)))
    return found


def used() -> set[str]:
    """Return the keys that the page names, one by one or through a variable."""
    wanted = patterns()
    return {key for key in KEYS if any(pattern.fullmatch(key) for pattern in wanted)}


def test_every_key_that_the_page_calls_exists() -> None:
    """A key that is written out in the page has a text."""
    called = {found[1] for text in sources() for found in re.finditer(r"""\bt\(\s*["']([^"']+)["']""", text)}

    assert sorted(called - KEYS.keys()) == []
    assert called, "the page was not found"


def test_every_call_of_the_page_fills_in_all_parameters() -> None:
    """A call without parameters has a text without any."""
    bare = {
        found[1] for text in sources() for found in re.finditer(r"""\bt\(\s*["']([^"']+)["']\s*\)""", text)
    }

    assert sorted(key for key in bare if re.search(r"\{\w+[,}]", KEYS.get(key, ""))) == []
