"""The published rule documents, and which of them an edition follows."""

from __future__ import annotations

from functools import cache

from msgspec import Struct, convert
from msgspec.structs import replace

from bohn.rulebook.reading import tables_of

NOT_PRINTED = "not printed"
"""How a field of sources.toml begins that the document itself does not print; a note may follow."""

FOLLOWS: dict[str, tuple[str, ...]] = {
    "full-ru": ("RU",),
    "full-is": ("IS", "RU", "IT"),
    "full-it": ("IT",),
    "classic-ja": ("JP",),
    "classic-sv": ("SV",),
    "das-duell-ja": ("JP",),
}
"""The documents of an edition: first the one it follows to the letter, then those it borrows from.

Editions that are not here (`full`, `classic`) weigh all of them (docs/rules/rulings.md, Editions).
"""

_ONLY: dict[str, tuple[str, ...]] = {"das-duell": ("JP",)}
"""The documents of a plain edition whose game the others do not describe."""


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
    """Return all documents by their ids; empty if sources.toml is not installed."""
    read = (convert(table, RuleDocument) for table in tables_of("sources.toml", "document"))
    return {
        document.id: replace(document, year=_printed(document.year), publisher=_printed(document.publisher))
        for document in read
    }


def _printed(text: str) -> str:
    """Return a field, or nothing where the document does not print it; its note is dropped."""
    return "" if text.startswith(NOT_PRINTED) else text


def documents_of(edition: str) -> tuple[RuleDocument, ...]:
    """Return the documents on which an edition is based, the one it follows first."""
    known = documents()
    names = FOLLOWS.get(edition) or _ONLY.get(edition, tuple(known))
    # nothing is known where sources.toml is not installed
    return tuple(known[id_] for id_ in names if id_ in known)
