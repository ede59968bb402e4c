"""The published rule documents, and which of them an edition follows."""

from __future__ import annotations

from functools import cache

from msgspec import Struct, convert
from msgspec.structs import replace

from bohn.rulebook.reading import tables_of

UNKNOWN = "not printed"
"""The text in sources.toml where a document does not say something."""

FOLLOWS: dict[str, tuple[str, ...]] = {
    "full-ru": ("RU",),
    "full-is": ("IS", "RU", "IT"),
    "full-it": ("IT",),
    "classic-ja": ("JP",),
    "classic-sv": ("SV",),
    "das-duell": ("JP",),
}
"""The documents that an edition follows to the letter (docs/rules/rulings.md); others use all."""


class RuleDocument(Struct, frozen=True):
    """A published rule document; citations begin with its ``id``.

    ``year`` and ``publisher`` are as printed, and empty where they are not.
    """

    id: str
    language: str
    title: str
    year: str
    publisher: str


@cache
def documents() -> dict[str, RuleDocument]:
    """Return all documents by their ids; none if their list is not installed."""
    found = (convert(table, RuleDocument) for table in tables_of("sources.toml", "document"))
    return {one.id: replace(one, year=_printed(one.year), publisher=_printed(one.publisher)) for one in found}


def _printed(text: str) -> str:
    return "" if text.startswith(UNKNOWN) else text


def documents_of(edition: str) -> tuple[RuleDocument, ...]:
    """Return the documents on which an edition is based, the one it follows first."""
    known = documents()
    return tuple(known[name] for name in FOLLOWS.get(edition, tuple(known)) if name in known)
