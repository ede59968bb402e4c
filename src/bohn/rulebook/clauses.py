"""The clauses of the rules, numbered rules such as ``HARVEST-4``, in English and in translation."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache

from msgspec import Struct, convert
from msgspec.structs import replace

from bohn.i18n import FALLBACK, ClauseText, clause_language, clause_texts
from bohn.rulebook.reading import tables_of

SECONDARY = "secondary: "
RULING = "ruling: "


class Clause(Struct, frozen=True):
    """One clause: its text and the places that support it; no editions means all.

    ``language`` is that of title and text: English where there is no translation.
    """

    id: str
    title: str
    text: str
    cites: tuple[str, ...] = ()
    editions: tuple[str, ...] = ()
    language: str = FALLBACK

    @property
    def section(self) -> str:
        """The subject it belongs to: ``harvest``."""
        return self.id.partition("-")[0].lower()

    @property
    def places(self) -> tuple[str, ...]:
        """The places in the rule documents."""
        return tuple(cite for cite in self.cites if not cite.startswith((SECONDARY, RULING)))

    @property
    def publications(self) -> tuple[str, ...]:
        """The other publications."""
        return tuple(cite.removeprefix(SECONDARY) for cite in self.cites if cite.startswith(SECONDARY))

    @property
    def rulings(self) -> tuple[str, ...]:
        """The decisions of docs/rules/rulings.md."""
        return tuple(cite.removeprefix(RULING) for cite in self.cites if cite.startswith(RULING))

    @property
    def secondary(self) -> bool:
        """Whether nothing but other publications and rulings supports it."""
        return bool(self.cites) and not self.places

    def belongs_to(self, edition: str) -> bool:
        """Whether an edition has this clause, for some number of players."""
        return not self.editions or edition in self.editions


def clauses(lang: str = FALLBACK) -> dict[str, Clause]:
    """Return all clauses by their ids, in the order of the document; none if it is not installed.

    ``lang`` is a language tag such as ``de`` or ``pt-BR``; what is not translated is in English.
    """
    return _clauses(clause_language(lang))  # so that the cache has one entry a language, not one a tag


@cache
def _clauses(language: str) -> dict[str, Clause]:
    texts = clause_texts(language)
    english = (convert(table, Clause) for table in tables_of("clauses.toml", "clause"))
    return {clause.id: _translated(clause, texts.get(clause.id), language) for clause in english}


def _translated(clause: Clause, translation: ClauseText | None, language: str) -> Clause:
    """Return a clause with title and text of a translation, if there is one."""
    if translation is None:
        return clause
    return replace(clause, title=translation.title, text=translation.text, language=language)


def similar_ids(name: str) -> list[str]:
    """Return the ids of clauses that a misspelt one may mean, most similar first."""
    wanted = name.upper()
    family = [known for known in clauses() if known.partition("-")[0] == wanted.partition("-")[0]]
    return get_close_matches(wanted, list(clauses()), n=4, cutoff=0.7) or family[:8]


def sections(chosen: Iterable[Clause]) -> dict[str, tuple[Clause, ...]]:
    """Return clauses by the subject they belong to, in their order."""
    found: dict[str, list[Clause]] = {}
    for clause in chosen:
        found.setdefault(clause.section, []).append(clause)
    return {section: tuple(members) for section, members in found.items()}
