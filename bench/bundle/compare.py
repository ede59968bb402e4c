"""Two bundles side by side: which files differ, and where each begins to."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import zip_longest
from pathlib import Path

from bench.bundle.added import without_fields

NOT_COMPARED = ".sqlite"
"""Ending of the database file, whose pages need not be equal: its rows are written as text beside it."""

WIDTH = 160
SHOWN = 3
LEAD = 40
"""Equal letters that are shown before the first that differs."""


def files_in(folder: Path) -> dict[str, Path]:
    """Return all files of a bundle that are compared, by their names in it."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != NOT_COMPARED)
    return {path.relative_to(folder).as_posix(): path for path in found}


def differences(one: Path, two: Path, added: Collection[str] = ()) -> Iterator[str]:
    """Yield a line for each file that differs, followed by its first lines that do.

    The fields ``added`` are passed over in both bundles.
    """
    ours, theirs = files_in(one), files_in(two)
    read = without_fields(added)
    for name in sorted({*ours, *theirs}):
        if name not in theirs:
            yield f"{name}: only in {one}"
        elif name not in ours:
            yield f"{name}: only in {two}"
        else:
            a, b = ours[name].read_bytes(), theirs[name].read_bytes()
            if added and a != b:
                a, b = read(name, a) or b"", read(name, b) or b""
            yield from _between(name, a, b)


def _between(name: str, one: bytes, two: bytes) -> Iterator[str]:
    if one == two:
        return
    pairs = enumerate(zip_longest(one.split(b"\n"), two.split(b"\n")), 1)
    others = [(number, a, b) for number, (a, b) in pairs if a != b]
    yield f"{name}: {len(others)} lines differ"
    for number, a, b in others[:SHOWN]:
        begin = max(0, _equal(a or b"", b or b"") - LEAD)
        yield f"  {number} - {_part(a, begin)}"
        yield f"  {number} + {_part(b, begin)}"


def _equal(one: bytes, two: bytes) -> int:
    """Return how many bytes are equal at the beginning."""
    return next((place for place, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), 0)


def _part(line: bytes | None, begin: int) -> str:
    if line is None:
        return "(no such line)"
    text = line[begin : begin + WIDTH].decode(errors="replace")
    return f"{'…' if begin else ''}{text}{'…' if len(line) > begin + WIDTH else ''}"
