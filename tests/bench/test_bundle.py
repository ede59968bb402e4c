"""The bundle that versions are compared by: equal in every run, and a changed byte is found."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECORD = "games/floor-das-duell-2/record.bohn"


def bundle(*arguments: object, hash_seed: int = 0) -> subprocess.CompletedProcess[str]:
    """Run the program as from the command line."""
    return subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-m", "bench.bundle", *map(str, arguments)],
        capture_output=True, text=True, check=False, cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
    )  # fmt: skip


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return two bundles of one table, of two runs with other hashes."""
    found = tmp_path_factory.mktemp("bundles")
    for number, name in enumerate("ab", 1):
        run = bundle(found / name, "--only", "games", "--game", "das-duell-2", hash_seed=number)
        assert run.returncode == 0, run.stderr
    return found / "a", found / "b"


def test_bundle_is_equal_in_two_runs(pair: tuple[Path, Path]) -> None:
    """Whatever order sets have in the one and in the other."""
    run = bundle("--compare", *pair)

    assert (run.returncode, run.stdout) == (0, "")
    assert (pair[0] / RECORD).stat().st_size > 10_000


def test_compare_finds_one_changed_byte(pair: tuple[Path, Path], tmp_path: Path) -> None:
    """It names the file and the line, and its exit status tells."""
    other = tmp_path / "other"
    for path in pair[0].rglob("*"):
        if path.is_file():
            copy = other / path.relative_to(pair[0])
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    lines = (other / RECORD).read_bytes().split(b"\n")
    lines[4] = lines[4].replace(b'"seq"', b'"sep"')
    (other / RECORD).write_bytes(b"\n".join(lines))
    run = bundle("--compare", pair[0], other)

    assert run.returncode == 1
    assert run.stdout.splitlines()[0] == f"{RECORD}: 1 lines differ"
    assert run.stdout.splitlines()[1].startswith("  5 - ")
    assert '"sep"' in run.stdout.splitlines()[2]


def test_compare_finds_a_file_that_is_missing(pair: tuple[Path, Path], tmp_path: Path) -> None:
    """Nothing is passed over."""
    run = bundle("--compare", pair[0], tmp_path)

    assert run.returncode == 1
    assert f"{RECORD}: only in {pair[0]}" in run.stdout.splitlines()


def test_compare_passes_over_added_fields_only(tmp_path: Path) -> None:
    """A field that was added may be named; whatever else has changed is still found."""
    one, two = tmp_path / "one", tmp_path / "two"
    for folder, lines in (
        (one, ['anna <- {"view": {"hand": [1]}}', 'bert <- {"hand": [2]}']),
        (two, ['anna <- {"view": {"hand": [1], "waiting": [0]}}', 'bert <- {"hand": [3], "waiting": []}']),
    ):
        folder.mkdir()
        (folder / "frames.jsonl").write_text("\n".join(lines), encoding="utf-8")
    run = bundle("--compare", one, two, "--added", "waiting")

    assert run.returncode == 1
    assert run.stdout.splitlines()[0] == "frames.jsonl: 1 lines differ"
    assert run.stdout.splitlines()[1].startswith("  2 - ")
