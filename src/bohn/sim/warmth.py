"""Where machine code is kept, and whether all of it lies there, so that a process may load it at once.

Numba's cache does not see changes in other files than a function's own, so the cache lives in a folder
that is named after a digest of every source compiled together. Who has compiled everything leaves a mark in
it. The name of the mark is a digest of what decides whether Numba takes its own files again: the sources'
times, interpreter, versions and processor. Importing this compiles nothing and loads no Numba.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import re
import shutil
import sys
import sysconfig
import time
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

INTERPRET = "BOHN_INTERPRET"
"""Set to ``1``, this environment variable keeps everything interpreted: for tests, for stepping through."""

CACHE = "BOHN_CACHE_DIR"
"""Where the machine code is kept; else the user's cache folder."""

UNUSED = 60 * 24 * 3600.0
"""The machine code of another version that was not used for so long (in seconds) is removed."""

_SOURCES = (
    *("compiling.py", "mirror.py", "mirrored.py", "row.py"),
    *("twin.py", "twin_batch.py", "twin_observations.py", "twin_worlds.py"),
)
_BRAINS = Path(__file__).resolve().parent.parent / "bots" / "brains"
_PROCESSOR = Path("/proc/cpuinfo")


def sources() -> tuple[Path, ...]:
    """Return the files whose text decides what is compiled."""
    own = [Path(__file__).resolve().with_name(name) for name in _SOURCES]
    return (*own, *sorted(_BRAINS.glob("*.py")))


def stamp() -> str:
    """Return the digest of all compiled sources."""
    digest = hashlib.sha256()
    for path in sources():
        if path.exists():
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Return the folder of this version's machine code."""
    chosen = os.environ.get(CACHE)
    if chosen:
        return Path(chosen) / stamp()
    home = os.environ.get("XDG_CACHE_HOME") or Path("~").expanduser() / ".cache"
    return Path(home) / "bohn" / "compiled" / stamp()


def may_compile() -> bool:
    """Tell whether Numba is there, and nobody has asked for interpreted code."""
    return os.environ.get(INTERPRET) != "1" and find_spec("numba") is not None


def is_warm() -> bool:
    """Tell whether everything was compiled here, by this interpreter, from these sources."""
    try:
        return may_compile() and mark().exists()
    except (OSError, RuntimeError):  # a source is gone, nobody has a home
        return False


def mark() -> Path:
    """Return the file that tells other processes that everything is compiled.

    Who compiles asks for it first, and touches it at the end: sources may change meanwhile.
    Raises ``OSError`` if a source is gone.
    """
    told = hashlib.sha256()
    for part in (sys.version, sysconfig.get_platform(), _versions(), _processor()):
        told.update(part.encode() + b"\0")
    for path in sources():
        found = path.stat()  # Numba looks at the time and the size, not at the text
        told.update(f"{path} {found.st_mtime_ns} {found.st_size}\0".encode())
    return cache_folder() / f"warm-{told.hexdigest()[:16]}"


def forget_old() -> None:
    """Remove the machine code of other versions that no server has asked for in a long time."""
    own, long_ago = cache_folder(), time.time() - UNUSED
    for folder in own.parent.iterdir():
        if folder == own or not re.fullmatch("[0-9a-f]{16}", folder.name) or folder.is_symlink():
            continue
        marks = [folder, *folder.glob("warm-*")]
        if max(path.stat().st_mtime for path in marks) < long_ago:
            shutil.rmtree(folder, ignore_errors=True)


def _versions() -> str:
    found = []
    for name in ("numba", "llvmlite", "numpy"):
        with contextlib.suppress(PackageNotFoundError):
            found.append(f"{name} {version(name)}")
    return ", ".join(found)


def _processor() -> str:
    """Return what machine code may depend on; on Linux with all that the processor can do."""
    wanted = ("model name", "flags", "Features", "CPU implementer", "CPU part")
    try:
        lines = _PROCESSOR.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return f"{platform.machine()} {platform.processor()}"
    return "\n".join(sorted({line for line in lines if line.startswith(wanted)}))
