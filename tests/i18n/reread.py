"""Which translations were read against their present English text: ``python -m tests.i18n.reread``.

A translation is stale once the English text has changed since somebody last read the two side by side. For
each key of the catalogs and each clause, ``reread.json`` holds the digest of the English text that the
translations were read against: one for all languages, or one for each where they differ. Without arguments
the command lists what is stale; ``LANGUAGE KEY ...`` says that these have been read again, and
``LANGUAGE --all`` that all have.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from bohn.i18n import FALLBACK, available, catalog
from tests.i18n.test_catalog import is_form

ROOT = Path(__file__).parents[2]
FILE = Path(__file__).with_suffix(".json")
CLAUSES = ROOT / "docs" / "rules" / "clauses.toml"

DIGITS = 8
"""Hexadecimal digits of a digest: enough to tell a text from its next version, and short to look at."""


@cache
def english() -> dict[str, str]:
    """Return the digests of all English texts, by key of the catalog or id of the clause."""
    clauses = tomllib.loads(CLAUSES.read_text(encoding="utf-8"))["clause"]
    texts = {key: text for key, text in catalog._patterns(FALLBACK).items() if not is_form(key)}
    texts |= {clause["id"]: f"{clause['title']}\n{clause['text']}" for clause in clauses}
    return {key: digest(text) for key, text in texts.items()}


def digest(text: str) -> str:
    """Return what stands for an English text."""
    return sha256(text.encode()).hexdigest()[:DIGITS]


def translated() -> list[str]:
    """Return the languages that are read against English."""
    return [lang for lang in available() if lang != FALLBACK]


@cache
def _kept() -> dict[str, str | dict[str, str]]:
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else {}


def read(lang: str) -> dict[str, str]:
    """Return the digests of the English texts against which a language was last read."""
    found = {key: kept if isinstance(kept, str) else kept.get(lang) for key, kept in _kept().items()}
    return {key: kept for key, kept in found.items() if kept is not None}


def stale(lang: str, known: dict[str, str] | None = None) -> list[str]:
    """Return the keys whose English text is another one now, or was never read against."""
    known = read(lang) if known is None else known
    return [key for key, now in english().items() if known.get(key) != now]


def renew(lang: str, keys: Sequence[str]) -> None:
    """Write down that these keys have been read against the English texts of today; drop what is gone."""
    now = english()
    known = {other: read(other) for other in translated()}
    known[lang] |= {key: now[key] for key in keys}
    each = {key: {other: texts[key] for other, texts in known.items() if key in texts} for key in now}
    kept = {key: _merged(found) for key, found in each.items() if found}
    FILE.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    _kept.cache_clear()


def _merged(found: dict[str, str]) -> str | dict[str, str]:
    """Return one digest if all languages were read against the same text."""
    digests = {*found.values()}
    return digests.pop() if len(digests) == 1 and len(found) == len(translated()) else found


def main(arguments: Sequence[str] | None = None) -> int:
    """List what is stale, or write down what has been read; return the exit status."""
    parser = argparse.ArgumentParser(prog="tests.i18n.reread", description=__doc__)
    parser.add_argument("lang", nargs="?", choices=translated())
    parser.add_argument("keys", nargs="*", metavar="KEY")
    parser.add_argument("--all", action="store_true", help="all keys of the language have been read")
    chosen = parser.parse_args(arguments)
    unknown = [key for key in chosen.keys if key not in english()]
    if unknown:
        parser.error(f"no English text has the key {unknown[0]}")
    if chosen.lang and (chosen.keys or chosen.all):
        renew(chosen.lang, list(english()) if chosen.all else chosen.keys)
    for lang in [chosen.lang] if chosen.lang else translated():
        for key in stale(lang):
            print(lang, key)  # noqa: T201 - a script
    return 0


if __name__ == "__main__":
    sys.exit(main())
