"""Write a bundle, or compare two: ``python -m bench.bundle OUT_DIR``, ``... --compare A B``."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from bench.bundle.compare import differences
from bench.bundle.database import write_database, write_reopened
from bench.bundle.games import write_games
from bench.bundle.interface import write_arena, write_interface
from bench.bundle.sessions import write_sessions
from bench.bundle.terminal import write_terminal
from bench.bundle.writing import Folder

PARTS = ("interface", "arena", "games", "terminal", "sessions", "database", "reopened")


def write(folder: Folder, parts: Sequence[str], game: str | None, old: Path | None) -> None:
    """Write these parts of a bundle, and tell how long each took."""
    for part in parts:
        begun = time.perf_counter()
        below = folder.below(part)
        match part:
            case "interface":
                write_interface(below)
            case "arena":
                write_arena(below)
            case "games":
                write_games(below, game)
            case "terminal":
                write_terminal(below)
            case "sessions":
                write_sessions(below)
            case "database":
                write_database(below)
            case _:
                write_reopened(below, old or folder.path / "database" / "tables.sqlite")
        print(f"{part}: {time.perf_counter() - begun:.1f} s", file=sys.stderr, flush=True)


def compare(one: Path, two: Path, added: Sequence[str]) -> int:
    """Print what differs beside the fields that were added; 1 if anything does."""
    status = 0
    for line in differences(one, two, added):
        print(line)
        status = 1
    return status


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what is asked; the exit status is 1 where two bundles differ."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.bundle", description="Write a bundle, or compare two."
    )
    parser.add_argument("out", nargs="?", type=Path, metavar="OUT_DIR", help="where to write")
    parser.add_argument("--compare", nargs=2, type=Path, metavar=("A", "B"), help="list what differs")
    parser.add_argument(
        "--added", nargs="+", default=(), metavar="FIELD", help="compare as if nothing had these fields"
    )
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="only these parts")
    parser.add_argument(
        "--game", metavar="NAME", help="of the games only those of this table, such as full-4"
    )
    parser.add_argument("--open", type=Path, metavar="FILE", help="reopen this database, of an older bundle")
    options = parser.parse_args(arguments)
    if options.compare:
        one, two = options.compare
        return compare(one, two, options.added)
    if options.out is None:
        parser.error("expected OUT_DIR or --compare A B")
    write(Folder(options.out), options.only, options.game, options.open)
    return 0


if __name__ == "__main__":
    sys.exit(main())
