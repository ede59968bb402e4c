"""One source, two ways to run it: compiled by Numba where it is installed, else interpreted.

Numba's cache does not see changes in other files than a function's own, so the cache lives in a folder
that is named after a digest of every source compiled together.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

INTERPRET = "BOHN_INTERPRET"
"""Set to ``1``, this environment variable keeps everything interpreted: for tests, for stepping through."""

CACHE = "BOHN_CACHE_DIR"
"""Where the machine code is kept; else the user's cache folder."""

_SOURCES = ("compiling.py", "row.py", "twin.py", "twin_batch.py")
_BRAINS = Path(__file__).resolve().parent.parent / "bots" / "brains"


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


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def _decorator() -> Callable[[Any], Any] | None:
    """Return Numba's decorator, or ``None`` where there is no Numba or none is wanted."""
    if os.environ.get(INTERPRET) == "1":
        return None
    try:
        import numba
        from numba.core import config
    except ImportError:
        return None
    folder = cache_folder()
    keeps = _writable(folder)
    if keeps:
        config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]  # set at run time - no stubs say so
    decorator: Callable[[Any], Any] = numba.njit(cache=keeps, nogil=True, error_model="numpy")
    return decorator


_NJIT = _decorator()

COMPILED = _NJIT is not None
"""Whether the engine runs compiled in this process."""


def compiled(function: Function) -> Function:
    """Compile a plain function if Numba is there; the same function otherwise."""
    if _NJIT is None:
        return function
    dispatcher: Function = _NJIT(function)
    return dispatcher
