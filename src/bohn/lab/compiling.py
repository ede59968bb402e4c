"""One source, two ways to run it: compiled by Numba where it is installed, else interpreted.

This is decided when the module is imported. Machine code is stored in :mod:`bohn.lab.compile_cache`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from bohn.lab.compile_cache import INTERPRET, cache_folder

Function = TypeVar("Function", bound=Callable[..., Any])


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
    stored = _writable(folder)
    if stored:
        config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]  # set at run time - no stubs say so
    # nobody calls these functions from C: that way in costs a tenth of the time of compiling
    options: dict[str, Any] = {"no_cfunc_wrapper": True}  # Numba's stubs do not know it
    decorator: Callable[[Any], Any] = numba.njit(cache=stored, nogil=True, error_model="numpy", **options)
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
