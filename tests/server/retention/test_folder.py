"""The folder of records: written whole or not at all, checked, and gone on with after any end."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from bohn.server.retention.folder import SUMS, Altered, ArchiveError, ArchiveFolder, Game

AT = 1_700_000_000_000  # in November 2023
ONE = Game("t1", AT, b"one\n")
TWO = Game("t2", AT, b"two\n")


def names(folder: Path) -> list[str]:
    """Return the files below a folder."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def failing(error: int) -> object:
    """Return a function that fails as the system does."""

    def fail(*_: object) -> None:
        raise OSError(error, os.strerror(error))

    return fail


def test_games_are_written_by_month_with_their_digests(tmp_path: Path) -> None:
    """Beside the records of each month."""
    folder = ArchiveFolder(tmp_path)
    folder.write([ONE, TWO, Game("t3", AT + 40 * 86_400_000, b"three\n")])

    assert names(tmp_path) == [
        "2023-11/SHA256SUMS", "2023-11/t1.bohn", "2023-11/t2.bohn", "2023-12/SHA256SUMS", "2023-12/t3.bohn"
    ]  # fmt: skip
    assert folder.place("t1", AT).read_bytes() == ONE.text
    assert folder.has("t1", AT)
    assert not folder.has("t3", AT)


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="the program is not installed")
def test_digests_are_those_of_sha256sum(tmp_path: Path) -> None:
    """So whoever has the folder can check it without this program."""
    ArchiveFolder(tmp_path).write([ONE, TWO])

    command = [shutil.which("sha256sum") or "", "--check", "--strict", SUMS]
    done = subprocess.run(command, cwd=tmp_path / "2023-11", check=False)  # noqa: S603 - a program of the system
    assert done.returncode == 0


def test_game_that_is_written_is_not_written_again(tmp_path: Path) -> None:
    """Neither by the same process nor by the next one."""
    ArchiveFolder(tmp_path).write([ONE])
    before = (tmp_path / "2023-11" / SUMS).read_bytes()
    ArchiveFolder(tmp_path).write([Game("t1", AT, b"other\n")])

    assert ArchiveFolder(tmp_path).place("t1", AT).read_bytes() == ONE.text
    assert (tmp_path / "2023-11" / SUMS).read_bytes() == before


def test_record_without_a_line_does_not_count(tmp_path: Path) -> None:
    """A process that was killed between the two has not said that it is on the disk: it is written again."""
    folder = ArchiveFolder(tmp_path)
    folder.write([ONE, TWO])
    sums = tmp_path / "2023-11" / SUMS
    sums.write_text(sums.read_text().splitlines()[0] + "\n")

    assert folder.has("t1", AT)
    assert not folder.has("t2", AT)
    folder.write([TWO])
    assert folder.has("t2", AT)


def test_line_that_was_cut_off_does_not_count(tmp_path: Path) -> None:
    """What is appended next begins on a line of its own."""
    folder = ArchiveFolder(tmp_path)
    folder.write([ONE])
    sums = tmp_path / "2023-11" / SUMS
    sums.write_bytes(sums.read_bytes()[:-3])

    assert not folder.has("t1", AT)
    folder.write([TWO])
    assert not folder.has("t1", AT)
    assert folder.has("t2", AT)


def test_line_without_its_record_does_not_count(tmp_path: Path) -> None:
    """Somebody has moved the file: it is written again."""
    folder = ArchiveFolder(tmp_path)
    folder.write([ONE])
    folder.place("t1", AT).unlink()

    assert not folder.has("t1", AT)
    folder.write([ONE])
    assert folder.has("t1", AT)


def test_altered_record_is_named_and_left(tmp_path: Path) -> None:
    """It may be damaged: nothing is deleted for it, nor is it overwritten."""
    folder = ArchiveFolder(tmp_path)
    folder.write([ONE])
    folder.place("t1", AT).write_bytes(b"0ne\n")

    with pytest.raises(Altered, match=r"t1\.bohn is not what was written"):
        folder.has("t1", AT)
    with pytest.raises(Altered):
        folder.write([ONE])
    assert folder.place("t1", AT).read_bytes() == b"0ne\n"


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO, errno.EROFS])
def test_failure_of_the_disk_leaves_nothing_half(
    tmp_path: Path, error: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message says which file and why; nothing counts as written, and no part of it is left."""
    folder = ArchiveFolder(tmp_path)
    folder.write([ONE])
    monkeypatch.setattr(os, "fsync", failing(error))
    with pytest.raises(ArchiveError, match=f"cannot write .*t2.*: {os.strerror(error).lower()}"):
        folder.write([TWO])
    monkeypatch.undo()

    assert names(tmp_path) == ["2023-11/SHA256SUMS", "2023-11/t1.bohn"]
    assert not folder.has("t2", AT)


def test_failure_behind_the_record_does_not_count_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until its line is on the disk a game is not written."""
    folder = ArchiveFolder(tmp_path)
    monkeypatch.setattr(folder, "_note", failing(errno.ENOSPC))
    with pytest.raises(ArchiveError, match="SHA256SUMS"):
        folder.write([ONE])
    monkeypatch.undo()

    assert not folder.has("t1", AT)
    folder.write([ONE])
    assert folder.has("t1", AT)


def test_what_is_read_back_must_be_what_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that lies is found out before anything is deleted."""
    monkeypatch.setattr(Path, "read_bytes", lambda _: b"0ne\n")
    with pytest.raises(ArchiveError, match="read back"):
        ArchiveFolder(tmp_path).write([ONE])
    monkeypatch.undo()

    assert names(tmp_path) == []


def test_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    """Where a file lies in its place; a good one is left empty."""
    (tmp_path / "file").write_text("")
    with pytest.raises(ArchiveError, match="cannot write"):
        ArchiveFolder(tmp_path / "file" / "records").require()
    ArchiveFolder(tmp_path / "deep" / "records").require()

    assert names(tmp_path / "deep") == []


def test_name_of_a_table_leaves_no_folder(tmp_path: Path) -> None:
    """Whatever an id is made of, its record lies in the folder of its month."""
    folder = ArchiveFolder(tmp_path)
    assert folder.place("../../etc/passwd", AT).parent == tmp_path / "2023-11"


def test_sum_is_that_of_the_text(tmp_path: Path) -> None:
    """As everybody can compute it."""
    ArchiveFolder(tmp_path).write([ONE])
    assert (tmp_path / "2023-11" / SUMS).read_text() == f"{sha256(ONE.text).hexdigest()}  t1.bohn\n"
