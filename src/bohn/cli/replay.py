"""`bohn replay`: a recorded game as a story, as a playthrough or as one position, without any rules."""

from __future__ import annotations

import argparse
from pathlib import Path

from msgspec.structs import replace

from bohn.cli.board import board
from bohn.cli.console import output
from bohn.cli.errors import UsageError
from bohn.cli.saving import load, naming_file
from bohn.cli.seats import read_seats
from bohn.i18n import Catalog
from bohn.narration.sentences import sentence
from bohn.narration.words import Words
from bohn.notation.playthrough import playthrough
from bohn.notation.positions import format_position
from bohn.notation.records import Record
from bohn.notation.records import replay as fold_record
from bohn.rules.errors import BohnError
from bohn.rules.state import State
from bohn.views import view as view_of
from bohn.views import visible

STORY, NOTATION, POSITION = "story", "notation", "position"

# What hostile records may still hold after their events could be folded.
_NOT_FROM_A_GAME = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def add_arguments(parser: argparse.ArgumentParser, catalog: Catalog) -> None:
    """Declare what `bohn replay` understands."""
    parser.add_argument("record", type=Path, metavar="RECORD", help=catalog.text("arg.record-file"))
    parser.add_argument("--to", type=int, metavar="N", help=catalog.text("arg.to"))
    parser.add_argument("--view", metavar="SEAT", help=catalog.text("arg.view"))
    parser.add_argument(
        "--as", dest="form", choices=(STORY, NOTATION, POSITION), help=catalog.text("arg.form")
    )


def run(options: argparse.Namespace, catalog: Catalog) -> int:
    """Show a record up to an entry."""
    whole = load(options.record)
    last = len(whole.entries) - 1
    to = last if options.to is None else options.to
    if not 0 <= to <= last:
        entries = f"an entry from 0 to {last}" if last >= 0 else "a record with at least its deal"
        msg = f"--to {to}: expected {entries}"
        raise UsageError(msg)
    record = replace(whole, entries=whole.entries[: to + 1])
    state = naming_file(options.record, lambda: fold_record(record))
    seats = read_seats(record.header.seats)
    words = Words(catalog, record.header.rules, [seat.name for seat in seats])
    viewer = _viewer(options.view, words)
    form = options.form or (STORY if options.to is None else POSITION)
    try:
        _show(record, state, words.seen_by(viewer), form, everything=options.view is None)
    except BohnError:
        raise
    except _NOT_FROM_A_GAME as error:
        msg = (
            f"{options.record}: expected a game that can be shown; {type(error).__name__}: {str(error)[:100]}"
        )
        raise UsageError(msg) from None
    return 0


def _viewer(said: str | None, words: Words) -> int | None:
    """Return the seat that is meant by a number or a name."""
    if said is None:
        return None
    names = [name.lower() for name in words.names]
    if said.lower() in names:
        return names.index(said.lower())
    numbers = [str(seat) for seat in range(len(names))]
    if said in numbers:
        return numbers.index(said)
    known = ", ".join(words.names)
    msg = f"--view {said[:20]!r}: expected a seat from 0 to {len(names) - 1}, or one of: {known}"
    raise UsageError(msg)


def _called_you(words: Words) -> int | None:
    """Return the seat that has no name but "You", if there is one."""
    name = words.say("words.your-name")
    return words.names.index(name) if name in words.names else None


def _show(record: Record, state: State, words: Words, form: str, *, everything: bool) -> None:
    rules = record.header.rules
    if form == POSITION and everything:
        print(format_position(rules, state), end="")
    elif form == POSITION:
        output(highlight=False).print(board(words, view_of(rules, state, words.viewer)))
    elif form == NOTATION and everything:
        print(playthrough(rules, ((entry.command, entry.events) for entry in record.entries)), end="")
    elif form == NOTATION:
        msg = "--as notation shows everything; leave --view out, or take --as story"
        raise UsageError(msg)
    else:
        _tell(record, words, everything=everything)


def _tell(record: Record, words: Words, *, everything: bool) -> None:
    """Tell the story, entry by entry."""
    told = words.seen_by(_called_you(words)) if everything else words
    for entry in record.entries:
        for number, event in enumerate(entry.events):
            shown = event if everything else visible(event, words.viewer)
            if shown is not None:
                label = f"{entry.seq:>4}" if not number else "    "
                print(f"{label}  {sentence(told, shown)}")
