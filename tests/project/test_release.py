"""What keeps a release back: builds that differ, a wheel that is too large, a version nobody wrote about."""

from __future__ import annotations

from pathlib import Path

import pytest

import release
from release import ReleaseError


def built(folder: Path, wheel: bytes) -> list[Path]:
    """Return packages of which the wheel has this content."""
    folder.mkdir(parents=True)
    packages = [folder / "bohn-1.whl", folder / "bohn-1.tar.gz"]
    for path, content in zip(packages, (wheel, b"the same"), strict=True):
        path.write_bytes(content)
    return packages


def test_release_is_two_builds_that_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte that differs ends it."""
    monkeypatch.setattr(release, "build", lambda folder: built(folder, b"page"))
    assert len(release.built_twice(tmp_path / "alike")) == 2

    monkeypatch.setattr(release, "build", lambda folder: built(folder, folder.name.encode()))
    with pytest.raises(ReleaseError, match="the same two packages"):
        release.built_twice(tmp_path / "different")


def test_release_has_no_wheel_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names how large it is, and how large it may be."""
    monkeypatch.setattr(release, "run", lambda *_: "")
    monkeypatch.setattr(release, "MOST", 3)

    assert release.check(built(tmp_path / "small", b"one")).suffix == ".whl"
    with pytest.raises(ReleaseError, match="at most 3 bytes, not 4"):
        release.check(built(tmp_path / "large", b"four"))


@pytest.mark.parametrize(("changed", "version"), [(" M README.md", "0.1.0"), ("", "99.0.0")])
def test_release_is_of_what_is_committed_and_written_about(
    monkeypatch: pytest.MonkeyPatch, changed: str, version: str
) -> None:
    """Neither changes beside the last commit, nor a version that the changelog does not know."""
    monkeypatch.setattr(release, "run", lambda *_, **__: changed)
    monkeypatch.setattr(release, "version", lambda: version)

    with pytest.raises(ReleaseError, match=r"README\.md" if changed else r"\[99\.0\.0\]"):
        release.require_release()


def test_release_has_the_tag_of_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tag that names another version ends it before anything is built."""
    monkeypatch.setattr(release, "run", lambda *_, **__: "")
    monkeypatch.setattr(release, "version", lambda: "0.1.0")

    release.require_release("v0.1.0")
    with pytest.raises(ReleaseError, match=r"expected the tag v0\.1\.0, not v0\.2\.0"):
        release.require_release("v0.2.0")


def test_version_has_its_section_in_the_changelog(monkeypatch: pytest.MonkeyPatch) -> None:
    """The version in the sources could be released."""
    monkeypatch.setattr(release, "run", lambda *_, **__: "")

    release.require_release(f"v{release.version()}")


def test_newcomers_path_has_no_node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All other programs are there."""
    (tmp_path / "here").mkdir()
    for name in ("node", "npm", "git"):
        (tmp_path / "here" / name).write_text("")
    monkeypatch.setenv("PATH", str(tmp_path / "here"))

    assert [path.name for path in Path(release.bare_path(tmp_path)).iterdir()] == ["git"]
