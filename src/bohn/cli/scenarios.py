"""`bohn scenarios`: run rule scenarios from files and folders."""

from __future__ import annotations

import argparse
from pathlib import Path

from bohn.cli.errors import UsageError
from bohn.cli.saving import read_file
from bohn.i18n import Catalog
from bohn.notation.reading import LARGEST_TEXT
from bohn.notation.scenarios import run_texts
from bohn.rulebook import clauses


def add_arguments(parser: argparse.ArgumentParser, catalog: Catalog) -> None:
    """Declare what `bohn scenarios` understands."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help=catalog.text("arg.files"))


def run(options: argparse.Namespace, catalog: Catalog) -> int:
    """Run every scenario; one line for each failure, and 1 if there is any."""
    files = [file for named in options.files for file in found(named)]
    failed = 0
    for file in files:
        failures = run_texts([(str(file), read_file(file, LARGEST_TEXT))], clauses())
        failed += bool(failures)
        for failure in failures:
            print(failure)
    print(catalog.text("scenarios.result", passed=len(files) - failed, failed=failed))
    return int(failed > 0)


def found(path: Path) -> list[Path]:
    """Return a file, or the scenario files of a folder and its folders in order."""
    if not path.is_dir():
        if not path.exists():
            msg = f"{path} does not exist; expected a scenario file or a folder"
            raise UsageError(msg)
        return [path]
    files = sorted(path.rglob("*.toml"))
    if not files:
        msg = f"{path} holds no scenario; expected files that end in .toml"
        raise UsageError(msg)
    return files
