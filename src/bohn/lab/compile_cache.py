"""The compile cache: the folder of Numba's machine code, and whether it is complete and ready to be loaded.

Numba does not notice changes in other files than a function's own, so the folder is named after a digest of
all sources that are compiled together. A process that has compiled everything leaves a mark file in it. The
mark is named after a digest of what decides whether Numba reuses its files: the sources' times, interpreter,
versions and processor. Importing this module compiles nothing and does not load Numba.
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
"""Environment variable: with ``1`` nothing is compiled, for tests and debuggers."""

CACHE = "BOHN_CACHE_DIR"
"""Environment variable: the folder of the compile cache; without it the user's cache folder."""

UNUSED = 60 * 24 * 3600.0
"""Seconds without use after which the machine code of another version is removed: no server runs it then."""

_SOURCES = (
    *("batch.py", "compiling.py", "mirror.py", "mirrored.py"),
    *("observations.py", "row.py", "twin.py", "worlds.py"),
)
_PLAYERS = Path(__file__).resolve().with_name("players")
_PROCESSOR = Path("/proc/cpuinfo")


def sources() -> tuple[Path, ...]:
    """Return the files whose text decides what is compiled."""
    own = [Path(__file__).resolve().with_name(name) for name in _SOURCES]
    return (*own, *sorted(_PLAYERS.glob("*.py")))


def sources_digest() -> str:
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
        return Path(chosen) / sources_digest()
    home = os.environ.get("XDG_CACHE_HOME") or Path("~").expanduser() / ".cache"
    return Path(home) / "bohn" / "compiled" / sources_digest()


def may_compile() -> bool:
    """Tell whether Numba is installed, and interpreted code was not asked for."""
    return os.environ.get(INTERPRET) != "1" and find_spec("numba") is not None


def is_cache_complete() -> bool:
    """Tell whether all machine code is in the cache, by this interpreter and from these sources."""
    try:
        return may_compile() and mark_file().exists()
    except (OSError, RuntimeError):  # a source is gone, or there is no home folder
        return False


def mark_file() -> Path:
    """Return the file whose existence says that everything is compiled.

    A process asks for its path before it compiles, and creates it afterwards: sources may change meanwhile.
    Raises ``OSError`` if a source is gone.
    """
    digest = hashlib.sha256()
    for part in (sys.version, sysconfig.get_platform(), _versions(), _processor()):
        digest.update(part.encode() + b"\0")
    for path in sources():
        found = path.stat()  # Numba looks at the time and the size, not at the text
        digest.update(f"{path} {found.st_mtime_ns} {found.st_size}\0".encode())
    return cache_folder() / f"complete-{digest.hexdigest()[:16]}"


def remove_unused() -> None:
    """Remove the machine code of other versions that no server has used for a long time (:data:`UNUSED`)."""
    own, long_ago = cache_folder(), time.time() - UNUSED
    for folder in own.parent.iterdir():
        if folder == own or not re.fullmatch("[0-9a-f]{16}", folder.name) or folder.is_symlink():
            continue
        marks = [folder, *folder.glob("*-*")]
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
