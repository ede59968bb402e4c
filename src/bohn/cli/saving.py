"""The record file of a running game: one line for each command, on the disk before the next is read."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Self, TypeVar

from bohn.cli.errors import UsageError
from bohn.notation.errors import RecordError
from bohn.notation.records import (
    LARGEST_RECORD,
    Entry,
    Header,
    Record,
    line_of,
    read_record,
    verify,
    without_torn_tail,
)
from bohn.rules.state import State

SUFFIX = ".bohn"
MOST_NAMES = 10_000

T = TypeVar("T")


class RecordFile:
    """An open record that grows by whole lines."""

    def __init__(self, path: Path, file: BinaryIO, seq: int = 0) -> None:
        self.path = path
        self.seq = seq
        self._file = file

    @classmethod
    def new(cls, path: Path, header: Header) -> Self:
        """Begin a record in a file that does not exist yet."""
        if path.exists():
            msg = f"{path} exists already, and a record is never overwritten; name another file"
            raise UsageError(msg)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = path.open("xb")
        except OSError as error:
            msg = f"cannot write {path}: {reason_of(error)}"
            raise UsageError(msg) from None
        save = cls(path, file)
        save._write(line_of(header))
        return save

    @classmethod
    def resumed(cls, path: Path, whole: int, seq: int) -> Self:
        """Go on with a record, cut to its whole lines."""
        try:
            file = path.open("r+b")
            file.truncate(whole)
            file.seek(whole)
        except OSError as error:
            msg = f"cannot go on with {path}: {reason_of(error)}"
            raise UsageError(msg) from None
        return cls(path, file, seq)

    def append(self, entry: Entry) -> None:
        """Write one entry; when this returns it is on the disk."""
        self._write(line_of(entry))
        self.seq = entry.seq + 1

    def _write(self, line: bytes) -> None:
        try:
            self._file.write(line)
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            msg = f"cannot write {self.path}: {reason_of(error)}"
            raise UsageError(msg) from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def state_folder() -> Path:
    """Return the folder of games that were played without naming a file."""
    home = os.environ.get("XDG_STATE_HOME")
    if not home or not Path(home).is_absolute():
        home = str(Path.home() / ".local" / "state")
    return Path(home) / "bohn"


def new_default(header: Header) -> RecordFile:
    """Begin a record ``last.bohn``, or ``last-2.bohn`` and so on where that exists."""
    folder = state_folder()
    for number in range(1, MOST_NAMES):
        path = folder / (f"last-{number}{SUFFIX}" if number > 1 else f"last{SUFFIX}")
        if not path.exists():
            return RecordFile.new(path, header)
    msg = f"{folder} is full of games; tidy it, or name a file with --record"
    raise UsageError(msg)


def newest() -> Path:
    """Return the record of the last game that was played without naming a file."""
    found = [path for path in state_folder().glob(f"last*{SUFFIX}") if path.is_file()]
    if not found:
        msg = f"there is no game in {state_folder()}; name the file to go on with"
        raise UsageError(msg)
    return max(found, key=lambda path: path.stat().st_mtime_ns)


def read_file(path: Path, largest: int = LARGEST_RECORD) -> bytes:
    """Return the bytes of a file of bounded size."""
    try:
        if not path.is_file():
            kind = "is a folder" if path.is_dir() else "is no regular file"
            problem = kind if path.exists() else "does not exist"
            msg = f"{path} {problem}; expected a file"
            raise UsageError(msg)
        with path.open("rb") as file:
            data = file.read(largest + 1)
    except OSError as error:
        msg = f"cannot read {path}: {reason_of(error)}"
        raise UsageError(msg) from None
    return data


def load(path: Path, *, torn_tail: bool = False) -> Record:
    """Return the record in a file."""
    return naming_file(path, lambda: read_record(read_file(path), torn_tail=torn_tail))


def load_to_resume(path: Path) -> tuple[Record, State | None, int]:
    """Return a record, the position it ends in (``None`` before the deal), and its length in whole lines."""
    data = without_torn_tail(read_file(path))
    record = naming_file(path, lambda: read_record(data))
    state = naming_file(path, lambda: verify(record)) if record.entries else None
    return record, state, len(data)


def naming_file(path: Path, read: Callable[[], T]) -> T:
    """Return what a reader returns; its errors are raised again with the file's name."""
    try:
        return read()
    except RecordError as error:
        msg = f"{path}: {error}"
        raise UsageError(msg) from None


def reason_of(error: OSError) -> str:
    """Return what the system says, in small letters."""
    return (error.strerror or str(error)).lower()
