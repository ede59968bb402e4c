"""Message catalogs: one JSON file of ICU MessageFormat patterns per language."""

from bohn.i18n.catalog import FALLBACK, Catalog, Inflected, Param, available
from bohn.i18n.clause_texts import ClauseText, clause_language, clause_texts

__all__ = [
    "FALLBACK",
    "Catalog",
    "ClauseText",
    "Inflected",
    "Param",
    "available",
    "clause_language",
    "clause_texts",
]
