"""Writes a generated file, or with ``--check`` tells whether it is up to date."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path


def write_or_check(
    module: str, about: str | None, target: Path, generate: Callable[[], str], arguments: Sequence[str] | None
) -> int:
    """Run the program ``python -m MODULE``: write what ``generate`` returns to ``target``, or compare them.

    Returns the exit status: with ``--check`` 1 if the file is not up to date.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=about)
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if the file is not up to date")
    parser.add_argument("--out", type=Path, default=target, help="the file (default: %(default)s)")
    options = parser.parse_args(arguments)
    file: Path = options.out
    text = generate()
    if options.check:
        current = file.read_text(encoding="utf-8") if file.exists() else ""
        if current != text:
            sys.stderr.write(f"{file} is stale: run `python -m {module}`\n")
            return 1
        return 0
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return 0
