"""The record file of a running game: one line for each command, on the disk before the next is read."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Self, TypeVar

from filelock import lock_descriptor

from bohn.cli.errors import UsageError
from bohn.notation.errors import RecordError
from bohn.notation.records import (
    LARGEST_LINE,
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


class RecordInUse(UsageError):  # noqa: N818 - named by what is the case
    """Another process writes the record; ``path`` is its file."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is being played by another process; leave that game first")
        self.path = path


class RecordExists(UsageError):  # noqa: N818 - as above
    """A new record would overwrite a file."""


class RecordFile:
    """An open record that grows by whole lines, and that no other process writes meanwhile.

    The file itself is locked, by whatever name it was opened; the system releases it however the process
    ends.
    """

    def __init__(self, path: Path, file: BinaryIO) -> None:
        """Lock an open file. Raises :class:`RecordInUse` if another process has it, and closes it."""
        self.path = path
        self.seq = 0
        self._file = file
        try:
            free = lock_descriptor(file.fileno(), blocking=False)
        except OSError as error:
            file.close()
            msg = f"cannot lock {path}: {reason_of(error)}; name a file on another disk"
            raise UsageError(msg) from None
        if not free:
            file.close()
            raise RecordInUse(path)

    @classmethod
    def new(cls, path: Path, header: Header) -> Self:
        """Begin a record in a file that does not exist yet."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _cannot_write(path, error) from None
        try:
            file = path.open("xb")
        except FileExistsError:
            msg = f"{path} exists already, and a record is never overwritten; name another file"
            raise RecordExists(msg) from None
        except OSError as error:
            raise _cannot_write(path, error) from None
        save = cls(path, file)
        save._write(line_of(header))
        return save

    @classmethod
    def opened(cls, path: Path) -> Self:
        """Open a record to go on with it; nothing is changed yet."""
        require_file(path)
        try:
            file = path.open("r+b")
        except OSError as error:
            raise _cannot_go_on(path, error) from None
        return cls(path, file)

    def read(self) -> tuple[Record, State | None, int]:
        """Return the record, where it ends (``None`` before the deal), and its length in whole lines."""
        data = _bounded(self.path, self._file, LARGEST_RECORD)
        whole = without_torn_tail(data)
        torn = len(data) - len(whole)
        if torn > LARGEST_LINE:  # no command has left that
            msg = f"{self.path}: expected a last line of at most {LARGEST_LINE} bytes, not {torn}"
            raise UsageError(msg)
        record = naming_file(self.path, lambda: read_record(whole))
        state = naming_file(self.path, lambda: verify(record)) if record.entries else None
        return record, state, len(whole)

    def go_on(self, whole: int, seq: int) -> None:
        """Cut the record to its whole lines, and append from now on."""
        try:
            self._file.truncate(whole)
            self._file.seek(whole)
        except OSError as error:
            raise _cannot_go_on(self.path, error) from None
        self.seq = seq

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
            raise _cannot_write(self.path, error) from None

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
        with suppress(RecordExists):
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


def require_file(path: Path) -> None:
    """Refuse what is no regular file."""
    if not path.is_file():
        kind = "is a folder" if path.is_dir() else "is no regular file"
        problem = kind if path.exists() else "does not exist"
        msg = f"{path} {problem}; expected a file"
        raise UsageError(msg)


def read_file(path: Path, largest: int = LARGEST_RECORD) -> bytes:
    """Return the bytes of a file, of which there are at most ``largest``."""
    try:
        require_file(path)
        with path.open("rb") as file:
            return _bounded(path, file, largest)
    except OSError as error:
        msg = f"cannot read {path}: {reason_of(error)}"
        raise UsageError(msg) from None


def _bounded(path: Path, file: BinaryIO, largest: int) -> bytes:
    """Return what is in an open file, or refuse a file that is too large; it is never read in part."""
    data = file.read(largest + 1)
    if len(data) > largest:
        size = os.fstat(file.fileno()).st_size
        msg = f"{path}: expected at most {largest} bytes, not {size}"
        raise UsageError(msg)
    return data


def load(path: Path) -> Record:
    """Return the record in a file."""
    return naming_file(path, lambda: read_record(read_file(path)))


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


def _cannot_write(path: Path, error: OSError) -> UsageError:
    return UsageError(f"cannot write {path}: {reason_of(error)}")


def _cannot_go_on(path: Path, error: OSError) -> UsageError:
    return UsageError(f"cannot go on with {path}: {reason_of(error)}")
