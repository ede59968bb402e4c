from __future__ import annotations

import os
from pathlib import Path

import pytest

from bohn.sim import warmth
from bohn.sim.warmth import CACHE, INTERPRET, cache_folder, is_warm, mark, sources

SRC = Path(warmth.__file__).parents[2]


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Keep machine code in a folder of the test, where something may be compiled."""
    monkeypatch.setenv(CACHE, str(tmp_path / "cache"))
    monkeypatch.delenv(INTERPRET, raising=False)
    monkeypatch.setattr(warmth, "find_spec", lambda name: name)
    return tmp_path


def test_cache_that_does_not_exist_is_cold(place: Path) -> None:
    """Asking makes no folder."""
    assert not is_warm()
    assert not (place / "cache").exists()


def test_cache_without_a_mark_is_cold() -> None:
    """What somebody began to compile is not all."""
    cache_folder().mkdir(parents=True)

    assert not is_warm()


def test_cache_with_the_mark_is_warm() -> None:
    """Whoever has compiled everything says so to the others."""
    cache_folder().mkdir(parents=True)
    mark().touch()

    assert is_warm()


@pytest.mark.parametrize("what", ["_versions", "_processor"])
def test_mark_is_of_one_numba_and_one_processor(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code made by another version or for another processor is not promised."""
    cache_folder().mkdir(parents=True)
    mark().touch()
    monkeypatch.setattr(warmth, what, lambda: "another")

    assert not is_warm()


def test_mark_is_of_sources_as_they_lie_there(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    """Numba compiles a file again that was written again, so the mark does not count any more."""
    source = place / "source.py"
    source.write_text("1")
    monkeypatch.setattr(warmth, "sources", lambda: (source,))
    cache_folder().mkdir(parents=True)
    mark().touch()
    warm = is_warm()
    os.utime(source, (1, 1))

    assert warm
    assert not is_warm()


def test_cache_is_cold_where_interpreted_code_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for interpreted code gets it."""
    cache_folder().mkdir(parents=True)
    mark().touch()
    monkeypatch.setenv(INTERPRET, "1")

    assert not is_warm()


def test_cache_is_cold_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mark of earlier days does not help where Numba is gone."""
    cache_folder().mkdir(parents=True)
    mark().touch()
    monkeypatch.setattr(warmth, "find_spec", lambda _name: None)

    assert not is_warm()


def test_mark_needs_a_place() -> None:
    """Where there is no folder nothing was kept, and no mark is left."""
    with pytest.raises(OSError, match="No such file"):
        mark().touch()


def test_sources_are_all_that_is_compiled() -> None:
    """A module with compiled code that is not named would be loaded from the cache when it is old."""
    found = {path for path in SRC.rglob("*.py") if "\n@compiled" in path.read_text(encoding="utf-8")}

    assert len(found) > 10
    assert found <= set(sources())


def test_sources_exist() -> None:
    """No file that was renamed is waited for."""
    assert all(path.exists() for path in sources())
