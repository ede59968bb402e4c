"""Message catalogs: one JSON file of ICU MessageFormat patterns per language."""

from bohn.i18n.catalog import FALLBACK, Catalog, Param, available

__all__ = ["FALLBACK", "Catalog", "Param", "available"]
