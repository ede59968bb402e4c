"""The default folder of the data."""

from __future__ import annotations

import os
from pathlib import Path

DATABASE = "bohn.sqlite"


def data_folder() -> Path:
    """Return the folder of the user's data: ``$XDG_DATA_HOME/bohn``, else ``~/.local/share/bohn``."""
    home = os.environ.get("XDG_DATA_HOME")
    if not home or not Path(home).is_absolute():
        home = str(Path.home() / ".local" / "share")
    return Path(home) / "bohn"


def database_in(folder: Path) -> Path:
    """Return the path of the database in a data folder."""
    return folder / DATABASE
