"""Reads the result of a run back."""

from __future__ import annotations

from pathlib import Path

import msgspec

from bohn.arena.errors import ArenaError
from bohn.arena.match import Result


def read_run(source: Path) -> tuple[Result, Path]:
    """Return the result of a run and its folder; ``source`` is the folder, or the result in it.

    Raises :class:`ArenaError` if there is none.
    """
    path = source / "result.json" if source.is_dir() else source
    if not path.is_file():
        raise ArenaError(f"{path}: expected the result of a run; a run that is not over has none yet")
    try:
        return msgspec.json.decode(path.read_bytes(), type=Result), path.parent
    except msgspec.DecodeError as error:
        raise ArenaError(f"{path}: expected the result of a run ({error})") from error
