"""A folder of records: one file a game, by the month in which it ended, and the SHA-256 of each beside them.

A record is written whole or not at all: into a file of another name, which is synced, read back and renamed.
Only then its line comes into ``SHA256SUMS`` of its month (``sha256sum --check`` reads it), synced as well. A
game counts as written when its line is there and the file is what the line says; so a process may be killed
at any point, and the next one goes on.
"""

from __future__ import annotations

import datetime as dt
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from bohn.rules.errors import BohnError

SUMS = "SHA256SUMS"
"""The file of digests in the folder of a month."""

SUFFIX = ".bohn"

_LINE = re.compile(r"([0-9a-f]{64})  (\S+)\n")
_STRANGE = re.compile(r"[^\w-]", re.ASCII)


class ArchiveError(BohnError):
    """A record could not be written; the message says why, and nothing counts as written."""


class Altered(ArchiveError):  # noqa: N818 - a fact
    """A record that was written is something else by now; it is not written again."""


class Game(Struct, frozen=True, gc=False):
    """A finished game: when it moved last (ms since 1970), and its record as text."""

    table: str
    moved: int
    text: bytes


class ArchiveFolder:
    """The folder at ``path``; it and the folders of its months are made as they are needed."""

    def __init__(self, path: Path) -> None:
        """Name the folder; nothing is looked at yet."""
        self.path = path
        self._sums: dict[Path, tuple[int, dict[str, str]]] = {}

    def require(self) -> None:
        """Make the folder, and raise :class:`ArchiveError` if nothing can be written into it."""
        probe = self.path / f".{os.getpid()}.part"
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            probe.write_bytes(b"bohn")
            probe.unlink()
        except OSError as error:
            with suppress(OSError):
                probe.unlink(missing_ok=True)
            raise _cannot(self.path, error) from None

    def place(self, table: str, moved: int) -> Path:
        """Return where the record of a game lies."""
        month = dt.datetime.fromtimestamp(moved / 1000, dt.UTC).strftime("%Y-%m")
        return self.path / month / (_STRANGE.sub("_", table) + SUFFIX)

    def has(self, table: str, moved: int) -> bool:
        """Tell whether a game was written, and is still what was written.

        Raises :class:`Altered` if the file is there and is something else.
        """
        path = self.place(table, moved)
        wanted = self._known(path.parent).get(path.name)
        if wanted is None:
            return False
        try:
            found = sha256(path.read_bytes()).hexdigest()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise _cannot(path, error, "read") from None
        if found != wanted:
            msg = f"{path} is not what was written ({SUMS} says otherwise); move it away"
            raise Altered(msg)
        return True

    def write(self, games: Sequence[Game]) -> None:
        """Write games that are not here yet; when this returns they are on the disk, whole and checked.

        Raises :class:`ArchiveError`; then some may be written, and do no harm.
        """
        written: dict[Path, dict[str, str]] = {}
        for game in games:
            path = self.place(game.table, game.moved)
            if self.has(game.table, game.moved):
                continue
            try:
                self._make(path.parent)
                digest = _written(path, game.text)
            except OSError as error:
                raise _cannot(path, error) from None
            written.setdefault(path.parent, {})[path.name] = digest
        for month, new in written.items():
            try:
                sync_folder(month)  # the names first: a line is not to speak of a file that is not there
                self._note(month, new)
            except OSError as error:
                raise _cannot(month / SUMS, error) from None

    def _make(self, month: Path) -> None:
        """Make the folder of a month, unless it is there."""
        if not month.is_dir():
            month.mkdir(parents=True, exist_ok=True)
            sync_folder(self.path)

    def _known(self, month: Path) -> dict[str, str]:
        """Return the digest of each file of a month; a line that was cut off is none."""
        path = month / SUMS
        try:
            size = path.stat().st_size
            read, known = self._sums.get(path, (-1, {}))
            if read != size:
                text = path.read_text(encoding="ascii", errors="replace")
                known = {name: digest for digest, name in _LINE.findall(text)}
                self._sums[path] = (size, known)
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise _cannot(path, error, "read") from None
        return known

    def _note(self, month: Path, digests: dict[str, str]) -> None:
        """Append a line for each name, behind the end of one that was cut off."""
        path = month / SUMS
        lines = "".join(f"{digest}  {name}\n" for name, digest in digests.items())
        with path.open("ab+") as file:
            size = file.seek(0, os.SEEK_END)
            if size:
                file.seek(size - 1)
            broken = size and file.read(1) != b"\n"
            file.write(("\n" * bool(broken) + lines).encode())
            file.flush()
            os.fsync(file.fileno())
            after = file.tell()
        sync_folder(month)
        read, known = self._sums.get(path, (0, {}))
        if read == size:  # else somebody else writes here too, and all is read again
            known.update(digests)
            self._sums[path] = (after, known)


def _written(path: Path, text: bytes) -> str:
    """Write a record under its name, and return its digest; what was read back is what was to be written."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if part.read_bytes() != text:
            msg = f"{path}: what was read back is not what was written; is the disk damaged?"
            raise ArchiveError(msg)
        part.replace(path)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return sha256(text).hexdigest()


def sync_folder(folder: Path) -> None:
    """Let the names in a folder survive a power cut, where folders can be synced."""
    if os.name != "nt":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _cannot(path: Path, error: OSError, what: str = "write") -> ArchiveError:
    return ArchiveError(f"cannot {what} {path}: {(error.strerror or str(error)).lower()}")
