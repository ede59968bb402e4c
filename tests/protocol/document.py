"""docs/protocol.md as tests read it: its sections, tables, examples and promises."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, get_args

DOCUMENT = Path(__file__).parents[2] / "docs" / "protocol.md"

_ANCHOR = re.compile(r"<!-- (?:promise: (.*?)|no promise) -->", re.DOTALL)
_CODE = re.compile(r"^```.*?^```$", flags=re.MULTILINE | re.DOTALL)
_LIST_ITEM = re.compile(r"^(?=- )", flags=re.MULTILINE)


@cache
def text() -> str:
    """Return the document."""
    return DOCUMENT.read_text(encoding="utf-8")


@cache
def examples() -> tuple[tuple[str, str], ...]:
    """Return the type and the text of every JSON example."""
    return tuple(re.findall(r"^```json ?(\w*)\n(.*?)^```", text(), flags=re.MULTILINE | re.DOTALL))


def section(title: str) -> str:
    """Return what stands under a heading, up to the next of its level or above."""
    found = re.search(rf"^(#+) {title}\n(.*?)(?=^#{{1,6}} |\Z)", text(), flags=re.MULTILINE | re.DOTALL)
    assert found is not None, title
    return found[2]


def rows(title: str) -> list[list[str]]:
    """Return the cells of all tables under a heading, without their heads."""
    lines = [line for line in section(title).splitlines() if line.startswith("|")]
    cells = [[cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in lines]
    heads = {
        i for i, row in enumerate(cells) if i + 1 < len(cells) and set("".join(cells[i + 1])) <= set("-:")
    }
    return [row for i, row in enumerate(cells) if i not in heads and i - 1 not in heads]


def tags(union: Any) -> list[str]:
    """Return the tags of the members of a union, in order."""
    return [kind.__struct_config__.tag for kind in get_args(union)]


def promises() -> tuple[tuple[str, tuple[str, ...] | None], ...]:
    """Return every paragraph, table and item of a list, and the tests that stand behind it.

    None are ``()`` where it says that it promises nothing, ``None`` where it says nothing of the kind.
    """
    blocks = re.split(r"\n\s*\n", _CODE.sub("\n", text()))
    parts = [part for block in blocks for part in _LIST_ITEM.split(block)]
    told = [(re.sub(r"^#.*$", "", _ANCHOR.sub("", part), flags=re.MULTILINE).strip(), part) for part in parts]
    return tuple((words, _tests_of(part)) for words, part in told if words)


def _tests_of(block: str) -> tuple[str, ...] | None:
    found = _ANCHOR.search(block)
    if found is None:
        return None
    return tuple(re.split(r",\s+", found[1].strip())) if found[1] else ()
