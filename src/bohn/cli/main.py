"""The command `bohn`: runs the sub-command, and prints every error as one line."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Any, NoReturn

import bohn
from bohn.cli.printable import printable
from bohn.i18n import Catalog
from bohn.rules.errors import BohnError

COMMANDS = (
    "play", "serve", "admin", "simulate", "arena", "replay", "verify", "backup", "move", "export", "archive",
    "scenarios", "rules", "players",
)  # fmt: skip
"""Every sub-command, each a module of this package with ``add_arguments`` and ``run``."""

BUG = 1
USAGE = 2
INTERRUPTED = 130


class BadArguments(Exception):  # noqa: N818 - never leaves this module
    """Arguments that argparse refuses."""


class Parser(argparse.ArgumentParser):
    """An argument parser that raises instead of printing its usage and leaving."""

    def error(self, message: str) -> NoReturn:
        """Raise what is wrong, and where help is."""
        msg = f"{message} (see: {self.prog} --help)"
        raise BadArguments(msg)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status; every error is one line on stderr."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # what a console cannot show or send becomes "?"
            stream.reconfigure(errors="replace")
    try:
        status = _status(arguments)
        if sys.stdout is not None:  # a pipe that is closed is noticed here, not while Python ends
            sys.stdout.flush()
    except BrokenPipeError:  # `bohn rules | head`: whoever read has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status


def _status(arguments: Sequence[str]) -> int:
    """Run the sub-command and return the exit status; only a closed pipe is left to the caller."""
    try:
        options = _parse(arguments)
        return int(_module(options.command).run(options, Catalog.load(options.lang)))
    except BrokenPipeError:
        raise
    except SystemExit as left:  # --help and --version
        return left.code if isinstance(left.code, int) else 0
    except (BohnError, BadArguments) as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except Exception as error:
        if os.environ.get("BOHN_TRACEBACK"):
            raise
        _fail(f"this is a mistake of ours: {type(error).__name__}: {error} (BOHN_TRACEBACK=1 shows where)")
        return BUG


def _fail(message: str) -> int:
    """Write one line to stderr."""
    whole = message.encode(errors="replace").decode()  # a file name may be no text
    print(f"bohn: {printable(whole)}", file=sys.stderr)
    return USAGE


def _module(command: str) -> Any:
    return importlib.import_module(f"bohn.cli.{command}")


def language(arguments: Sequence[str]) -> str:
    """Return the language asked for on the command line, else that of the environment."""
    for place, word in enumerate(arguments):
        if word == "--lang" and place + 1 < len(arguments):
            return arguments[place + 1]
        if word.startswith("--lang="):
            return word.partition("=")[2]
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return next((name for name in names if name), "en")


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options; only the module of the sub-command that is asked for is loaded."""
    lang = language(arguments)
    say = Catalog.load(lang).text
    parser = Parser(prog="bohn", description=say("cli.description"), epilog=say("cli.epilog"))
    parser.add_argument("--lang", default=lang, help=say("arg.lang"))
    parser.add_argument("--version", action="version", version=f"bohn {bohn.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    asked = next((word for word in arguments if word in COMMANDS), None)
    for name in COMMANDS:
        text = say(f"cli.{name}")
        sub = commands.add_parser(name, help=text, description=text)
        sub.add_argument("--lang", default=lang, help=say("arg.lang"))
        if name == asked:
            _module(name).add_arguments(sub, Catalog.load(lang))
    return parser.parse_args(arguments)
