"""What the program offers, as lists: routes, commands, events, settings, flags, metrics, keys of texts."""

from __future__ import annotations

import argparse
import contextlib
import io
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import msgspec

# the bundle
from bench.bundle.writing import Folder, encoded, readable

# the command line, its texts and the editions
from bohn.cli.main import COMMANDS, main
from bohn.i18n.catalog import Catalog, available
from bohn.protocol.endpoints import ENDPOINTS
from bohn.protocol.frames import AnyClientFrame, AnyServerFrame
from bohn.protocol.openapi import document
from bohn.protocol.refusals import STATUS, Problem
from bohn.protocol.room_commands import AnyRoomCommand
from bohn.protocol.room_events import AnyRoomEvent
from bohn.protocol.typescript import generate
from bohn.rules.commands import AnyCommand
from bohn.rules.editions import EDITIONS
from bohn.rules.errors import Reason
from bohn.rules.events import AnyEvent
from bohn.rules.resolve import house_rules_for
from bohn.rules.ruleset import Rules
from bohn.rules.state import State

# the server
from bohn.server.metrics import Metrics
from bohn.server.settings import Settings
from bohn.server.web.app import SOCKET
from bohn.views.view import View

UNIONS: dict[str, Any] = {
    "commands": AnyCommand,
    "events": AnyEvent,
    "room-commands": AnyRoomCommand,
    "room-events": AnyRoomEvent,
    "client-frames": AnyClientFrame,
    "server-frames": AnyServerFrame,
    "view": View,
    "state": State,
    "rules": Rules,
    "settings": Settings,
}

WORDS = ("description", "title", "summary")
"""Parts of a schema that are prose or names of classes: other words change nothing for a client."""

ARENA = ("arena", "run", "b3", "--against", "b6,pk", "--players", "3", "--deals", "2", "--seed", "bundle",
         "--engine", "core", "--workers", "1", "--floor", "brisk")  # fmt: skip


def write_interface(folder: Folder) -> None:
    """Write all lists."""
    whole = msgspec.json.decode(document())
    folder.text("openapi.json", readable(whole))
    folder.text("openapi-without-words.json", readable(_wordless(whole)))
    script = generate()
    folder.text("protocol.ts", script)
    folder.text(
        "protocol-without-words.ts", re.sub(r" *(/\*\*.*?\*/|//[^\n]*)\n", "", script, flags=re.DOTALL)
    )
    shapes = folder.below("shapes")
    for name, kind in UNIONS.items():
        shapes.text(f"{name}.json", readable(shape_of(kind)))
    folder.text("settings.json", readable(Settings()))
    folder.lines("routes.txt", [*routes(), f"WEBSOCKET {SOCKET}"])
    folder.lines("flags.txt", flags())
    folder.lines("metrics.txt", metrics())
    folder.lines("reasons.txt", [*map(str, Reason), *(f"{one} {STATUS.get(one, 409)}" for one in Problem)])
    for language in available():
        folder.lines(f"catalog-{language}.txt", sorted(Catalog.load(language).keys()))
    for edition, by_players in EDITIONS.items():
        told = {str(n): [encoded(rules).decode(), house_rules_for(rules)] for n, rules in by_players.items()}
        folder.text(f"edition-{edition}.json", readable(told))


def _wordless(value: Any) -> Any:
    """Return a document without prose."""
    if isinstance(value, dict):
        kept = {name: part for name, part in value.items() if name not in WORDS or not isinstance(part, str)}
        return {name: _wordless(part) for name, part in kept.items()}
    return [_wordless(part) for part in value] if isinstance(value, list) else value


def shape_of(kind: Any) -> Any:
    """Return the schema of a type with all its parts in place, so that no name of a class is left."""
    (schema,), parts = msgspec.json.schema_components([kind], ref_template="{name}")
    return _inlined(_wordless(schema), parts)


def _inlined(value: Any, parts: dict[str, Any]) -> Any:
    if isinstance(value, dict):
        if "$ref" in value:
            return _inlined(_wordless(parts[value["$ref"]]), parts)
        if "mapping" in value:  # tags stand in the parts themselves
            value = {name: part for name, part in value.items() if name != "mapping"}
        return {name: _inlined(part, parts) for name, part in value.items()}
    return [_inlined(part, parts) for part in value] if isinstance(value, list) else value


def routes() -> Iterator[str]:
    """Yield a line for every endpoint."""
    for one in ENDPOINTS:
        asked = [parameter.name for parameter in (*one.query, *one.headers)]
        asked += map(str, one.problems)
        more = f"access={one.access} stranger={one.stranger} status={one.status}"
        yield f"{one.method} {one.path} {one.name} {more} {one.media} {one.takes} {asked}"


def flags() -> Iterator[str]:
    """Yield a line for every flag and argument of every sub-command."""
    for command in COMMANDS:
        yield from _declared(command)


class _Seen(BaseException):  # no Exception: the command line takes care of those
    """The parser, as it stands when it is about to read."""


def _declared(command: str) -> Iterator[str]:
    """Yield the arguments of a sub-command, taken from the parser as it is about to read."""

    def seen(parser: argparse.ArgumentParser, *_: object) -> None:
        raise _Seen(parser)

    with patch.object(argparse.ArgumentParser, "parse_args", seen):
        try:
            main([command, "--lang=en"])
        except _Seen as found:
            yield from _arguments(found.args[0], "bohn", command)


def _arguments(parser: argparse.ArgumentParser, path: str, only: str | None = None) -> Iterator[str]:
    for action in parser._actions:  # noqa: SLF001 - argparse has no public way to list them
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
            for name, sub in action.choices.items():
                if only in (None, name):
                    yield from _arguments(sub, f"{path} {name}")
            continue
        name = "/".join(action.option_strings) or action.dest
        choices = list(action.choices) if action.choices is not None else None
        yield (
            f"{path} {name} default={action.default!r} choices={choices} nargs={action.nargs}"
            f" metavar={action.metavar} required={action.required} help={action.help!r}"
        )


def metrics() -> Iterator[str]:
    """Yield the name, labels and text of every metric."""
    for collector in Metrics().registry._collector_to_names:  # noqa: SLF001 - the registry lists no collectors
        found: Any = collector
        yield f"{found._type} {found._name} {list(found._labelnames)} {found._documentation}"  # noqa: SLF001 - as above


def write_arena(folder: Folder) -> None:
    """Write the result of a small match."""
    with TemporaryDirectory() as place, contextlib.redirect_stdout(io.StringIO()) as told:
        out = Path(place) / "run"
        with contextlib.redirect_stderr(io.StringIO()):
            status = main([*ARENA, "--out", str(out)])
        folder.keep("result.json", (out / "result.json").read_bytes())
    folder.text("told.txt", f"{told.getvalue().replace(place, '.')}status {status}\n")
