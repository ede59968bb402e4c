"""What the command line prints: recorded games in every language, games played from given lines, help."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import patch

# the bundle
from bench.bundle.games import at_random, on_the_floor, record_of, tables
from bench.bundle.writing import Folder

# the command line and its languages
from bohn.cli.main import COMMANDS, main
from bohn.i18n.catalog import available

TOLD = (
    "full-4",
    "full-2",
    "classic-ja-3",
    "das-duell-2",
    "classic-5-payment.chosen-closing.unanimous-end.plant_first",
)
"""Tables of which one random game is told in every language."""

PLAYED = (
    ("full-3", ("--players", "3", "--seats", "you,pk,b3")),
    ("full-2", ("--players", "2", "--seats", "Anna,Bert")),
    ("das-duell", ("--edition", "das-duell", "--house", "trading=also")),
    ("classic-5", ("--edition", "classic", "--players", "5", "--house", "closing=unanimous")),
)

LINES = (
    *("1", "1", "1", "1", "2", "2", "3", "4", "5", "9"),
    *(
        "plant 1",
        "plant 2",
        "reveal",
        "end",
        "pass",
        "done",
        "harvest 1",
        "harvest 2",
        "buy",
        "offer 1",
        "wish blue",
    ),
    *("help", "?", "nonsense", "", "why", "hand", "table", "rules HARVEST-4"),
)
"""What is typed, by chance; much of it is refused."""

TYPED = 220


class Typed(io.TextIOBase):
    """A keyboard that gives out lines, and then no more."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Take the lines."""
        self._lines = iter(lines)

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]  # the base names it otherwise
        """Return the next line, or nothing at the end."""
        return next(self._lines, "")[: size or None]


def said(*arguments: object, lines: Iterable[str] = (), home: Path) -> str:
    """Return what a call prints, and its status."""
    out, err = io.StringIO(), io.StringIO()
    environment = {"XDG_STATE_HOME": str(home / "state"), "LC_ALL": "en", "COLUMNS": "120", "NO_COLOR": "1"}
    with (
        patch.dict("os.environ", environment),
        patch.object(sys, "stdin", Typed(lines)),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        status = main([str(one) for one in arguments])
    return f"{out.getvalue()}--\n{err.getvalue()}status {status}\n".replace(str(home), ".")


def _typed(seed: str) -> Iterator[str]:
    chance = Random(seed)
    return (f"{chance.choice(LINES)}\n" for _ in range(TYPED))


def write_terminal(folder: Folder) -> None:
    """Write what is printed."""
    with TemporaryDirectory() as place:
        home = Path(place)
        _write_texts(folder.below("replay"), home)
        for name, arguments in PLAYED:
            for language in ("en", "de", "ja"):
                call = ("play", f"--lang={language}", "--seed", "7", *arguments)
                folder.text(f"play-{name}-{language}.txt", said(*call, lines=_typed(name), home=home))
        for language in available():
            calls: list[tuple[str, ...]] = [(command, "--help") for command in COMMANDS]
            calls += [
                ("rules",),
                ("rules", "full"),
                ("rules", "das-duell", "DD-9"),
                ("players",),
                ("nothing",),
            ]
            told = (said(*call, f"--lang={language}", home=home) for call in calls)
            folder.text(f"help-{language}.txt", "\n".join(told))
        simulated = (
            "simulate",
            "--players",
            "3",
            "--games",
            "2",
            "--seed",
            "1",
            "--bots",
            "b3,b4,b6",
            "--json",
            "--workers",
            "1",
        )
        folder.text("simulate.txt", said(*simulated, home=home))


def _write_texts(folder: Folder, home: Path) -> None:
    """Tell one random game of some tables in every language, and one of the floor as notation."""
    for shift, (name, rules) in enumerate(tables()):
        path = home / f"{name}.bohn"
        if name in TOLD:
            path.write_bytes(record_of(at_random(name, rules)))
            for language in available():
                call = ("replay", f"--lang={language}", path)
                folder.text(f"{name}-{language}.txt", said(*call, home=home))
                folder.text(f"{name}-{language}-seat.txt", said(*call, "--view", "2", home=home))
            folder.text(f"{name}-board.txt", said("replay", path, "--to", "50", home=home))
            path.write_bytes(record_of(on_the_floor(name, rules, shift)))
            folder.text(f"{name}-notation.txt", said("replay", path, "--as", "notation", home=home))
            folder.text(f"{name}-verify.txt", said("verify", path, home=home))
