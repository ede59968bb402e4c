"""`bohn serve`: the table server, on one SQLite file and without configuration."""

from __future__ import annotations

import argparse
from pathlib import Path

import msgspec
from msgspec.structs import replace

from bohn.cli.errors import UsageError
from bohn.i18n import Catalog
from bohn.server.settings import Settings
from bohn.server.store.place import data_folder

LARGEST_PORT = 65_535
MOST_BOTS = 64
LEVELS = ("debug", "info", "warning", "error")


def add_arguments(parser: argparse.ArgumentParser, catalog: Catalog) -> None:
    """Declare what `bohn serve` understands."""
    say = catalog.text
    usual = Settings()
    parser.add_argument("--host", metavar="ADDRESS", help=say("arg.host", usual=usual.host))
    parser.add_argument("--port", type=int, metavar="N", help=say("arg.port", usual=str(usual.port)))
    parser.add_argument("--data", type=Path, metavar="DIR", help=say("arg.data"))
    parser.add_argument("--origin", action="append", default=[], metavar="URL", help=say("arg.origin"))
    parser.add_argument("--bots", type=int, metavar="N", help=say("arg.bot-processes", usual=usual.bots))
    parser.add_argument("--settings", type=Path, metavar="FILE", help=say("arg.settings"))
    parser.add_argument("--log", choices=LEVELS, default="info", help=say("arg.log"))


def run(options: argparse.Namespace, catalog: Catalog) -> int:
    """Serve until a signal ends it."""
    settings = settings_from(options)
    from bohn.server import logs  # here, so that a wrong option is told at once
    from bohn.server.run import serve, with_own_names

    def announce(url: str) -> None:
        print(catalog.text("serve.ready", url=url, data=str(data)), flush=True)

    data: Path = options.data or data_folder()
    logs.configure(options.log)
    serve(with_own_names(settings), data, announce)
    return 0


def settings_from(options: argparse.Namespace) -> Settings:
    """Return the settings: those of the file, with what the command line says on top."""
    settings = Settings() if options.settings is None else _read(options.settings)
    if options.host is not None:
        settings = replace(settings, host=options.host)
    if options.port is not None:
        settings = replace(settings, port=_within(options.port, LARGEST_PORT, "--port"))
    if options.bots is not None:
        settings = replace(settings, bots=_within(options.bots, MOST_BOTS, "--bots"))
    return replace(settings, origins=(*settings.origins, *map(_origin, options.origin)))


def _read(path: Path) -> Settings:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Settings)
    except msgspec.MsgspecError as error:
        msg = f"{path}: {error}"
        raise UsageError(msg) from None


def _within(number: int, most: int, what: str) -> int:
    if not 0 <= number <= most:
        msg = f"{what} {number}: expected a number from 0 to {most}"
        raise UsageError(msg)
    return number


def _origin(text: str) -> str:
    scheme, separator, host = text.rstrip("/").partition("://")
    if scheme not in ("http", "https") or not separator or not host or "/" in host:
        msg = f"--origin {text!r}: expected the beginning of an address, such as https://bohn.example.org"
        raise UsageError(msg)
    return text.rstrip("/").lower()
