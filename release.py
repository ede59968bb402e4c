"""Makes a release and proves it: ``make release``.

The last commit is cloned twice and built twice, with the page inside; both builds must be the same to the
byte. The wheel is then installed without Node or npm by every way in (``pip`` with each CPython that is at
hand, ``uvx``, ``pipx run``); each serves a table, a program plays a game to its end, and the record is
verified. Packages that pass lie in ``dist/``. The first failure ends it with a line that says what was
expected.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
"""The CPythons that the project is for."""

MOST = 3 * 1024 * 1024
"""Bytes of the wheel at most."""

READY = 90.0
"""Seconds a server may take to begin: a first start compiles all sources."""

QUICK = """{"times": {"bot_move": [0, 0], "bot_delay": [0, 0], "bot_chatter": [0, 0],
 "bot_beside_people": [0, 0], "bot_open": [0, 0], "bot_quiet": 0, "last_call": 0, "collect": 0}}"""
"""Settings under which computer players do not wait as they do beside people."""

GAME = """
import runpy, sys
from bohn.client import Client
from bohn.client.play import Pace
decide = runpy.run_path(sys.argv[1])["decide"]
with Client(sys.argv[2]) as client:
    client.guest("Beanie")
    table = client.open_table(bots=("random",) * 3, start=True)
    client.play(table, decide, pace=Pace((0.0, 0.0), 0.2, 0.1, 0.1))
    print(table)
"""
"""One game by the player of ``examples/bot.py``, not at the pace of people; prints the id of the table."""

NODE = ("node", "nodejs", "npm", "npx", "corepack")
"""Programs that a newcomer's machine has not."""


class ReleaseError(Exception):
    """The release cannot be made; the text says what was expected."""


def run(*command: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    """Run a program and return what it printed; raises :class:`ReleaseError` with its last lines."""
    done = subprocess.run([*map(str, command)], cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        said = "\n".join((done.stdout + done.stderr).splitlines()[-15:])
        raise ReleaseError(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{said}")
    return done.stdout


# -- building ----------------------------------------------------------------------------------------


def version() -> str:
    """Return the version: ``bohn.__version__``, from which the packages have theirs."""
    found = re.search(r'^__version__ = "([^"]+)"$', (ROOT / "src/bohn/__init__.py").read_text(), re.MULTILINE)
    if found is None:
        raise ReleaseError('src/bohn/__init__.py: expected a line __version__ = "..."')
    return found[1]


def require_release(tag: str | None = None) -> None:
    """Refuse what is not committed, a version the changelog does not know, a tag of another one."""
    if tag is not None and tag != f"v{version()}":
        raise ReleaseError(f"expected the tag v{version()}, not {tag}")
    changed = run("git", "status", "--porcelain", cwd=ROOT)
    if changed:
        raise ReleaseError(f"expected a clean checkout, but these have changed:\n{changed}")
    heading = f"## [{version()}] - "
    if heading not in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"):
        raise ReleaseError(f"CHANGELOG.md: expected a section that begins with {heading!r} and a date")


def build(folder: Path) -> list[Path]:
    """Clone the last commit into a folder, and return the packages that are built there."""
    run("git", "clone", "--quiet", "--local", ROOT, folder)
    epoch = run("git", "log", "-1", "--format=%ct", cwd=folder).strip()
    env = {**os.environ, "BOHN_PAGE": "require", "SOURCE_DATE_EPOCH": epoch}
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", cwd=folder, env=env)
    return sorted((folder / "dist").iterdir())


def built_twice(scratch: Path) -> list[Path]:
    """Build two times in two places, and return the packages if both are the same."""
    first, second = (build(scratch / name) for name in ("one", "another"))
    digests = [[hashlib.sha256(path.read_bytes()).hexdigest() for path in each] for each in (first, second)]
    if digests[0] != digests[1] or len(first) != 2:
        raise ReleaseError(f"expected the same two packages from both builds, not {first} and {second}")
    for path, digest in zip(first, digests[0], strict=True):
        print(f"{path.name}: {path.stat().st_size:,} bytes, sha256 {digest}, twice the same")
    return first


def check(packages: list[Path]) -> Path:
    """Check what an index would, and return the wheel."""
    run(sys.executable, "-m", "twine", "check", "--strict", *packages)
    (wheel,) = (path for path in packages if path.suffix == ".whl")
    if wheel.stat().st_size > MOST:
        raise ReleaseError(f"{wheel.name}: expected at most {MOST:,} bytes, not {wheel.stat().st_size:,}")
    return wheel


# -- installing, and playing a game -------------------------------------------------------------------


def bare_path(scratch: Path) -> str:
    """Return a ``PATH`` with all programs but Node and npm: a newcomer's machine has none."""
    folder = scratch / "bin"
    folder.mkdir()
    for place in map(Path, os.environ["PATH"].split(os.pathsep)):
        for program in place.iterdir() if place.is_dir() else ():
            link = folder / program.name
            if program.name not in NODE and not link.is_symlink():
                link.symlink_to(program)
    return str(folder)


def interpreters() -> dict[str, Path]:
    """Return the CPythons at hand, by version: this process, the path and pyenv are asked."""
    found = {}
    shims = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for name in VERSIONS:
        here = [shutil.which(f"python{name}"), *sorted(shims.glob(f"{name}.*/bin/python"))]
        for candidate in [sys.executable, *(path for path in here if path is not None)]:
            with contextlib.suppress(ReleaseError, OSError):
                said = run(candidate, "-c", "import sys; print('%d.%d' % sys.version_info[:2])")
                if said.strip() == name:
                    found[name] = Path(candidate)
                    break
    return found


def ways_in(wheel: Path, scratch: Path) -> Iterator[tuple[str, list[str], Path]]:
    """Yield each way to the program: its name, the words that run `bohn`, and a Python that has it."""
    for name in VERSIONS:
        at_hand = interpreters().get(name)
        if at_hand is None:
            print(f"CPython {name}: not at hand, not tried")
            continue
        place = scratch / f"venv-{name}"
        run(at_hand, "-m", "venv", place)
        scripts = place / ("Scripts" if os.name == "nt" else "bin")
        run(scripts / "python", "-m", "pip", "--quiet", "install", wheel)
        yield f"pip, CPython {name}", [str(scripts / "bohn")], scripts / "python"
    here = (sys.executable, "-m")
    for tool, words in (
        ("uvx", [*here, "uv", "tool", "run", "--python", sys.executable, "--from", str(wheel), "bohn"]),
        ("pipx", [*here, "pipx", "run", "--python", sys.executable, "--spec", str(wheel), "bohn"]),
    ):
        yield tool, words, Path(sys.executable)


@contextlib.contextmanager
def served(program: list[str], folder: Path, env: dict[str, str]) -> Iterator[str]:
    """Run a server in a folder until the block ends, and give its address once it is ready."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder.mkdir()
    (folder / "settings.json").write_text(QUICK)
    words = [*program, "serve", "--port", str(port), "--data", str(folder), "--settings"]
    log = (folder / "server.log").open("wb")
    server = subprocess.Popen([*words, str(folder / "settings.json")], stdout=log, stderr=log, env=env)
    try:
        url = f"http://127.0.0.1:{port}"
        _wait(server, f"{url}/readyz", folder / "server.log")
        yield url
    finally:
        server.terminate()
        server.wait(30)
        log.close()


def _wait(server: subprocess.Popen[bytes], url: str, log: Path) -> None:
    begun = time.monotonic()
    while time.monotonic() < begun + READY and server.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=2) as answer:
            if answer.status == 200:
                return
        time.sleep(0.1)
    raise ReleaseError(f"{url}: expected an answer within {READY:.0f} s; the server said\n{log.read_text()}")


def play(program: list[str], python: Path, folder: Path, env: dict[str, str]) -> str:
    """Serve, let a program play a game, and verify its record; return what was seen."""
    begun = time.monotonic()
    with served(program, folder, env) as url:
        ready = time.monotonic() - begun
        with urllib.request.urlopen(url, timeout=5) as page:
            if b"<script" not in page.read():
                raise ReleaseError(f"{url}: expected the page that is in the wheel")
        table = run(python, "-c", GAME, ROOT / "examples/bot.py", url, env=env).strip()
        record = folder / "game.bohn"
        run(*program, "export", table, record, "--data", folder, env=env)
    verified = run(*program, "verify", record, env=env).splitlines()[0]
    return f"ready in {ready:.1f} s; {verified.removeprefix(str(record)).lstrip(': ')}"


def main() -> None:
    """Build, check, install by each way, play; then put the packages into ``dist/``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    said = "try the last commit, whatever has changed since and whatever the changelog says"
    parser.add_argument("--try", dest="trial", action="store_true", help=said)
    parser.add_argument("--tag", help="the tag that is released; it must be v and the version")
    options = parser.parse_args()
    try:
        if not options.trial:
            require_release(options.tag)
        with tempfile.TemporaryDirectory(prefix="bohn-release-") as name:
            scratch = Path(name)
            packages = built_twice(scratch)
            wheel = check(packages)
            env = {**os.environ, "PATH": bare_path(scratch), "PYTHONDONTWRITEBYTECODE": "1"}
            for number, (way, program, python) in enumerate(ways_in(wheel, scratch)):
                print(f"{way}: {play(program, python, scratch / f'data-{number}', env)}", flush=True)
            (ROOT / "dist").mkdir(exist_ok=True)
            for path in packages:
                shutil.copy(path, ROOT / "dist")
    except ReleaseError as error:
        sys.exit(f"release: {error}")
    print(f"bohn {version()}: dist/ has what was tried")


if __name__ == "__main__":
    main()
