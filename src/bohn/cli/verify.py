"""`bohn verify`: decide a recorded game anew, command by command."""

from __future__ import annotations

import argparse
from pathlib import Path

from msgspec import UNSET

from bohn.cli.saving import load, naming_file
from bohn.i18n import Catalog
from bohn.notation.records import verify
from bohn.rules.state import EndPhase


def add_arguments(parser: argparse.ArgumentParser, catalog: Catalog) -> None:
    """Declare what `bohn verify` understands."""
    parser.add_argument("record", type=Path, metavar="RECORD", help=catalog.text("arg.record-file"))


def run(options: argparse.Namespace, catalog: Catalog) -> int:
    """Say that a record follows the rules, or where it does not."""
    record = load(options.record)
    state = naming_file(options.record, lambda: verify(record))
    over = "yes" if isinstance(state.phase, EndPhase) else "no"
    print(
        catalog.text(
            "verify.ok",
            file=str(options.record),
            count=len(record.entries),
            edition=record.header.edition,
            players=len(record.header.seats),
            over=over,
        )
    )
    deal = record.header.deal
    if deal is not UNSET:
        print(catalog.text("verify.deal", commitment=deal.commitment))
    return 0
