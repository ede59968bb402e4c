"""The folder of a run: its plan, one file for each chunk, and in the end the result.

Every file is written whole or not at all, so a run may be killed at any moment and goes on where it was.
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

import msgspec
from filelock import FileLock, Timeout
from msgspec.structs import replace

from bohn.arena.engine import ChunkResult, Times
from bohn.arena.errors import ArenaError
from bohn.arena.plan import Chunk, Plan
from bohn.arena.timing import added


def digest(plan: Plan) -> str:
    """Return a short digest of a plan, for the name of its folder."""
    return sha256(msgspec.json.encode(plan)).hexdigest()[:8]


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that at any moment there is the old one, or the new one, whole."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    with part.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def readable(value: object) -> bytes:
    """Return JSON in lines."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


class Store:
    """A folder in which one plan is played; hold it with ``with``."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        """Name a folder; it is made when it is entered."""
        self.folder = folder
        self.plan = plan
        self._index = {cell.name: number for number, cell in enumerate(plan.cells)}
        self._lock = FileLock(folder / "lock")

    def __enter__(self) -> Self:
        """Make or enter the folder.

        Raises :class:`ArenaError` if it holds another plan, or another process plays in it.
        """
        self._check_empty()
        for part in ("chunks", "times"):
            (self.folder / part).mkdir(parents=True, exist_ok=True)
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise ArenaError(
                f"{self.folder}: another process plays in this folder; expected a free one"
            ) from None
        try:
            self._enter_plan()
        except BaseException:
            self._lock.release()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def _check_empty(self) -> None:
        path = self.folder / "plan.json"
        if self.folder.exists() and not path.exists():
            strange = [
                one.name for one in self.folder.iterdir() if one.name not in ("chunks", "times", "lock")
            ]
            strange = [name for name in strange if not name.endswith(".part")]
            if strange:
                found = f"{self.folder} holds {strange[0]!r} and no plan.json"
                raise ArenaError(f"{found}; expected an empty folder, or that of a run")

    def _enter_plan(self) -> None:
        path = self.folder / "plan.json"
        if not path.exists():
            write_whole(path, readable(self.plan))
            return
        found = read_plan(path)
        known = (
            self.plan if found.digests else replace(self.plan, digests={})
        )  # a plan of before there were any
        if found != known:
            raise ArenaError(
                f"{self.folder} holds another run ({difference(found, self.plan)}); "
                "expected the same plan, or an empty folder"
            )

    def _path(self, part: str, cell: str, first: int) -> Path:
        return self.folder / part / f"{self._index[cell]:04d}-{first:07d}.json"

    def keep(self, result: ChunkResult) -> None:
        """Write the result of a chunk; its times first, since it is the chunk's file that counts."""
        times = self._path("times", result.cell, result.first)
        write_whole(times, msgspec.json.encode(result.times))
        path = self._path("chunks", result.cell, result.first)
        write_whole(path, msgspec.json.encode(replace(result, times={})))

    def load(self, chunk: Chunk) -> ChunkResult | None:
        """Return the result of a chunk, ``None`` if it is still to be played."""
        path = self._path("chunks", chunk.cell, chunk.first)
        try:
            found = msgspec.json.decode(path.read_bytes(), type=ChunkResult)
        except (FileNotFoundError, msgspec.DecodeError):  # a damaged file is played again
            return None
        whole = (found.cell, found.first, len(found.games)) == (chunk.cell, chunk.first, chunk.games)
        return found if whole else None

    def times(self) -> Times:
        """Return how long decisions took in all chunks, by player."""
        return times_in(self.folder)


def times_in(folder: Path) -> Times:
    """Return how long decisions took in all chunks of a run, by player."""
    found: dict[str, list[dict[int, int]]] = {}
    for path in sorted((folder / "times").glob("*.json")):
        for player, histogram in msgspec.json.decode(path.read_bytes(), type=Times).items():
            found.setdefault(player, []).append(histogram)
    return {player: added(histograms) for player, histograms in sorted(found.items())}


def read_plan(path: Path) -> Plan:
    """Return the plan in a file.

    Raises :class:`ArenaError` if it is none.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=Plan)
    except msgspec.DecodeError as error:
        raise ArenaError(f"{path}: expected the plan of a run ({error})") from error


def difference(found: Plan, wanted: Plan) -> str:
    """Return the first part in which two plans differ, as a text."""
    for name in Plan.__struct_fields__:
        one, other = getattr(found, name), getattr(wanted, name)
        if one != other:
            return f"its {name} is {_short(one)}, not {_short(other)}"
    return "its plan is the same"


def _short(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else f"{text[:57]}..."
