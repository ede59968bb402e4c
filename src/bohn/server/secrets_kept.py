"""Secrets of the operator: they stand in files or in the environment, and never in the settings."""

from __future__ import annotations

import os
from pathlib import Path


def secret_of(file: str, variable: str) -> str:
    """Return the secret in a file, without the end of its line, else that of an environment variable.

    Raises ``OSError`` and ``UnicodeDecodeError`` if the file cannot be read.
    """
    return Path(file).read_text(encoding="utf-8").rstrip("\r\n") if file else os.environ.get(variable, "")
