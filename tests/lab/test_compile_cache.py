"""The compile cache: where it lies, when it is complete, and for which machine it holds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bohn.lab import compile_cache
from bohn.lab.compile_cache import CACHE, INTERPRET, cache_folder, is_cache_complete, mark_file, sources

SRC = Path(compile_cache.__file__).parents[2]


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Keep machine code in a folder of the test, where something may be compiled."""
    monkeypatch.setenv(CACHE, str(tmp_path / "cache"))
    monkeypatch.delenv(INTERPRET, raising=False)
    monkeypatch.setattr(compile_cache, "find_spec", lambda name: name)
    return tmp_path


def test_cache_that_does_not_exist_is_incomplete(place: Path) -> None:
    """Asking makes no folder."""
    assert not is_cache_complete()
    assert not (place / "cache").exists()


def test_cache_without_a_mark_is_incomplete() -> None:
    """A process that was interrupted has compiled only a part."""
    cache_folder().mkdir(parents=True)

    assert not is_cache_complete()


def test_cache_with_the_mark_is_complete() -> None:
    """The process that has compiled everything leaves the mark."""
    cache_folder().mkdir(parents=True)
    mark_file().touch()

    assert is_cache_complete()


@pytest.mark.parametrize("what", ["_versions", "_processor"])
def test_mark_is_of_one_numba_and_one_processor(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code made by another version or for another processor is not promised."""
    cache_folder().mkdir(parents=True)
    mark_file().touch()
    monkeypatch.setattr(compile_cache, what, lambda: "another")

    assert not is_cache_complete()


def test_mark_is_of_sources_as_they_lie_there(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    """Numba compiles a file again that was written again, so the mark does not count any more."""
    source = place / "source.py"
    source.write_text("1")
    monkeypatch.setattr(compile_cache, "sources", lambda: (source,))
    cache_folder().mkdir(parents=True)
    mark_file().touch()
    before = is_cache_complete()
    os.utime(source, (1, 1))

    assert before
    assert not is_cache_complete()


def test_cache_is_incomplete_where_interpreted_code_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment variable counts more than the mark."""
    cache_folder().mkdir(parents=True)
    mark_file().touch()
    monkeypatch.setenv(INTERPRET, "1")

    assert not is_cache_complete()


def test_cache_is_incomplete_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mark of earlier days does not help where Numba is gone."""
    cache_folder().mkdir(parents=True)
    mark_file().touch()
    monkeypatch.setattr(compile_cache, "find_spec", lambda _name: None)

    assert not is_cache_complete()


def test_mark_needs_a_place() -> None:
    """Without a folder no machine code was stored, and no mark can be left."""
    with pytest.raises(OSError, match="No such file"):
        mark_file().touch()


def test_sources_are_all_that_is_compiled() -> None:
    """A module with compiled code that is not named would be loaded from the cache when it is old."""
    found = {path for path in SRC.rglob("*.py") if "\n@compiled" in path.read_text(encoding="utf-8")}

    assert len(found) > 10
    assert found <= set(sources())


def test_sources_exist() -> None:
    """No file that was renamed is waited for."""
    assert all(path.exists() for path in sources())
