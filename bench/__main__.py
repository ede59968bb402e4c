"""All quick measurements, one after another: ``python -m bench``."""

from __future__ import annotations

import os
import platform

from bench import core, start


def main() -> None:
    """Print the machine, then every figure."""
    print(f"{platform.machine()}, {os.cpu_count()} cores, CPython {platform.python_version()}")
    core.main()
    start.main()


if __name__ == "__main__":
    main()
