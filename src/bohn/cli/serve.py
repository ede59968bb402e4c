"""`bohn serve`: the table server, on one SQLite file and without configuration, or on PostgreSQL."""

from __future__ import annotations

import argparse
import socket
from pathlib import Path

import msgspec
from msgspec.structs import replace

from bohn.cli.browser import open_page
from bohn.cli.errors import UsageError
from bohn.i18n import Catalog
from bohn.server.lan import EVERYWHERE, running_at
from bohn.server.settings import Settings, is_host_name
from bohn.server.store import address
from bohn.server.store.place import data_folder

LARGEST_PORT = 65_535
MOST_BOTS = 64
MOST_DAYS = 100_000
LEVELS = ("debug", "info", "warning", "error")


def add_arguments(parser: argparse.ArgumentParser, catalog: Catalog) -> None:
    """Declare what `bohn serve` understands."""
    say = catalog.text
    usual = Settings()
    parser.add_argument("--host", metavar="ADDRESS", help=say("arg.host", usual=usual.host))
    parser.add_argument("--port", type=int, metavar="N", help=say("arg.port", usual=str(usual.port)))
    parser.add_argument("--lan", action="store_true", help=say("arg.lan"))
    parser.add_argument("--open", action="store_true", help=say("arg.open"))
    parser.add_argument("--data", type=Path, metavar="DIR", help=say("arg.data"))
    parser.add_argument("--store", metavar="ADDRESS", help=say("arg.store"))
    parser.add_argument("--origin", action="append", default=[], metavar="URL", help=say("arg.origin"))
    parser.add_argument("--relying-party", metavar="NAME", help=say("arg.relying-party"))
    parser.add_argument("--bots", type=int, metavar="N", help=say("arg.bot-processes", usual=usual.bots))
    keep = say("arg.keep", usual=usual.retention.finished)
    parser.add_argument("--keep", type=int, metavar="DAYS", help=keep)
    parser.add_argument("--archive", type=Path, metavar="FOLDER", help=say("arg.archive-first"))
    parser.add_argument("--settings", type=Path, metavar="FILE", help=say("arg.settings"))
    parser.add_argument("--log", choices=LEVELS, help=say("arg.log"))


def add_place(parser: argparse.ArgumentParser, catalog: Catalog) -> None:
    """Declare where a server's data are, for a command beside it; :func:`settings_from` reads them."""
    say = catalog.text
    parser.add_argument("--data", type=Path, metavar="DIR", help=say("arg.data"))
    parser.add_argument("--store", metavar="ADDRESS", help=say("arg.store"))
    parser.add_argument("--settings", type=Path, metavar="FILE", help=say("arg.settings"))
    parser.set_defaults(
        host=None, lan=False, port=None, bots=None, origin=[], keep=None, archive=None, relying_party=None
    )


def run(options: argparse.Namespace, catalog: Catalog) -> int:
    """Serve until a signal ends it."""
    settings = settings_from(options)
    from bohn.server import logs  # here, so that a wrong option is told at once
    from bohn.server.run import serve, with_own_names

    logs.configure(options.log or ("warning" if options.open else "info"))
    listener = _for_the_browser(settings, options, catalog) if options.open else None
    if options.open and listener is None:
        return 0
    data: Path = options.data or data_folder()
    place = str(data) if settings.store is None else address.shown(settings.store)

    def announce(url: str, share: str | None) -> None:
        print(catalog.text("serve.ready", url=url, data=place), flush=True)
        if settings.lan:
            found = catalog.text("serve.no-lan") if share is None else catalog.text("serve.lan", url=share)
            print(found, flush=True)
        if options.open:
            _show(url, catalog)

    serve(with_own_names(settings), data, announce, listener)
    return 0


def _for_the_browser(
    settings: Settings, options: argparse.Namespace, catalog: Catalog
) -> socket.socket | None:
    """Return a socket to serve on; ``None`` if Bohn is running there already, whose page is opened.

    Where something else has the usual port, a free one does; a port that was asked for must be had.
    """
    from bohn.server.run import CannotServe, bind

    try:
        return bind(settings.host, settings.port)
    except CannotServe:
        known = running_at(settings.host, settings.port)
        if known is None and options.port is not None:
            raise
    if known is None:
        print(catalog.text("serve.port-taken", port=str(settings.port)), flush=True)
        return bind(settings.host, 0)
    url, running = known
    if settings.lan and running.share is None:
        msg = f"Bohn is running at {url} already, for this computer only; stop it before --lan lets others in"
        raise UsageError(msg)
    print(catalog.text("serve.already", url=url), flush=True)
    if running.share is not None:
        print(catalog.text("serve.lan", url=running.share), flush=True)
    _show(url, catalog, wait=True)
    return None


def _show(url: str, catalog: Catalog, *, wait: bool = False) -> None:
    """Open the page; whoever has no browser here is told where it is."""
    thread = open_page(url, lambda: print(catalog.text("serve.not-opened", url=url), flush=True))
    if wait:
        thread.join()


def settings_from(options: argparse.Namespace) -> Settings:
    """Return the settings: those of the file, with what the command line says on top."""
    settings = Settings() if options.settings is None else _read(options.settings)
    if options.lan and options.host is not None:
        msg = "--lan listens on every address, so it goes without --host"
        raise UsageError(msg)
    if options.host is not None:
        settings = replace(settings, host=options.host, lan=False)
    if options.lan or settings.lan:
        settings = replace(settings, host=EVERYWHERE, lan=True)
    settings = _with_store(settings, options)
    if options.port is not None:
        settings = replace(settings, port=_within(options.port, LARGEST_PORT, "--port"))
    if options.bots is not None:
        settings = replace(settings, bots=_within(options.bots, MOST_BOTS, "--bots"))
    if options.relying_party is not None:
        settings = replace(settings, relying_party=_host_name(options.relying_party))
    settings = _with_retention(settings, options)
    return replace(settings, origins=(*settings.origins, *map(_origin, options.origin)))


def _with_retention(settings: Settings, options: argparse.Namespace) -> Settings:
    """Return the settings with how long finished games stay, and where they are written first."""
    retention = settings.retention
    if options.keep is not None:
        retention = replace(retention, finished=_within(options.keep, MOST_DAYS, "--keep"))
    if options.archive is not None:
        retention = replace(retention, archive=str(options.archive.absolute()))
    return replace(settings, retention=retention)


def _with_store(settings: Settings, options: argparse.Namespace) -> Settings:
    """Return the settings with the store of the command line, else of the environment, else as they are.

    ``--data`` names a file: together with a database it is refused, whoever names that.
    """
    variable = address.from_environment()
    named = {"--store": options.store, address.VARIABLE: variable, "--settings": settings.store}
    if options.data is not None:
        for what, found in named.items():
            if found is not None:
                msg = f"{what} names a database, so it goes without --data; leave one of them out"
                raise UsageError(msg)
        return settings
    chosen = variable or settings.store if options.store is None else address.without_password(options.store)
    if chosen is None:
        return settings
    address.parse(chosen)
    return replace(settings, store=chosen)


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


def _host_name(text: str) -> str:
    name = text.lower()
    if name and not is_host_name(name):
        msg = f"--relying-party {text!r}: expected the host name people come by, such as bohn.example.org"
        raise UsageError(msg)
    return name
