"""A database with running tables: its rows as text, and what these tables show once it is opened again."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

# the bundle
from bench.bundle.harness import ScriptedServer, standing
from bench.bundle.writing import Folder, encoded

# the server
from bohn.server.store.sqlite import SqliteStore
from tests.server.support.clock import START, StillClock

FILE = "tables.sqlite"
PEOPLE = "people.json"
"""The file with the cookies of the people at its tables: the database has only digests of them."""

LATER = 900_000
"""Milliseconds after its beginning at which the file is opened again."""

TABLES: tuple[tuple[str, dict[str, Any], str, int], ...] = (
    ("four", {"edition": "full", "players": 4, "clock": "slow", "listed": True}, "pk", 90),
    ("three", {"edition": "classic-ja", "players": 3, "listed": True, "delay": 30}, "b3", 70),
    ("duel", {"edition": "full", "players": 2, "clock": "fast", "listed": True}, "b6", 60),
    ("das-duell", {"edition": "das-duell", "players": 2, "listed": True}, "pk", 60),
    (
        "all-pass",
        {"edition": "full", "players": 5, "house_rules": ["closing=unanimous"], "listed": True},
        "b3",
        80,
    ),
    ("over", {"edition": "full", "players": 2, "listed": True}, "random", 4_000),
    ("paused", {"edition": "full", "players": 3, "clock": "slow", "listed": True}, "pk", 50),
    ("open", {"edition": "full", "players": 6, "listed": True}, "", 0),
)


async def _play(place: ScriptedServer) -> None:
    """Open tables one after the other, and leave each in the middle of something."""
    await place.come("anna", "bert")
    for number, (label, options, fill, rounds) in enumerate(TABLES):
        table = await place.open_table("anna", options=options)
        people = {f"{label}-anna": (0, "b3")}
        if options["players"] > 2 or label == "open":
            await place.room("bert", table, do="sit", salt="bb")
            people[f"{label}-bert"] = (1, "random-trader")
        for watcher in people:
            await place.watch(watcher, watcher.rpartition("-")[2], table)
        if fill:
            await place.command(f"{label}-anna", do="start", fill=fill)
            await place.play(table, people, rounds, seed=number)
        await place.post("anna", f"/api/tables/{table}/chat", {"text": f"At table {label}."})
        if label == "paused":
            await place.command("paused-anna", do="pause")
        if label == "four":
            await place.post("anna", f"/api/tables/{table}/links")
        await place.log(table)
    await place.post("anna", "/api/me/tokens", {"label": "tool"})
    people_path = place.folder.path / PEOPLE
    people_path.write_bytes(encoded(place.cookies) + b"\n")


async def _fill(folder: Folder, path: Path) -> None:
    async with standing(folder, SqliteStore(path)) as place:
        await _play(place)


def dump(path: Path) -> Iterator[str]:
    """Yield the schema and all rows of a database, in an order that does not depend on pages."""
    with closing(sqlite3.connect(path)) as connection:
        schema = "SELECT name, type, sql FROM sqlite_master ORDER BY type, name"
        objects = connection.execute(schema).fetchall()
        yield from (f"{kind} {name}: {text}" for name, kind, text in objects)
        for name in sorted(name for name, kind, _ in objects if kind == "table"):
            rows = connection.execute(f'SELECT * FROM "{name}"').fetchall()  # noqa: S608 - a name of the schema
            yield from sorted(f"{name} {row!r}" for row in rows)


def write_database(folder: Folder) -> None:
    """Write the file, its rows, and the frames of those who played."""
    with TemporaryDirectory() as place:
        path = Path(place) / FILE
        asyncio.run(_fill(folder, path))
        folder.lines("rows.txt", dump(path))
        shutil.copyfile(path, folder.path / FILE)


def tables_in(path: Path) -> list[str]:
    """Return the ids of all tables of a database, in the order in which they were opened."""
    with closing(sqlite3.connect(path)) as connection:
        return [
            table
            for (table,) in connection.execute("SELECT table_id FROM log WHERE seq = 1 ORDER BY at, table_id")
        ]


async def _serve(folder: Folder, path: Path, cookies: dict[str, str]) -> None:
    tables = tables_in(path)
    clock = StillClock(START + LATER)
    async with standing(folder, SqliteStore(path), clock=clock, seed="reopened") as place:
        place.cookies.update(cookies)
        for number, table in enumerate(tables):
            for who in cookies:
                await place.get(who, f"/api/tables/{table}")
                await place.get(who, f"/api/tables/{table}/legal")
                await place.get(who, f"/api/tables/{table}/chat")
                await place.watch(f"{number}-{who}", who, table)
                await place.watch(f"{number}-{who}-after", who, table, "&after=10")
        await clock.advance(120_000)
        for number, table in enumerate(tables):
            await place.play(table, {f"{number}-anna": (0, "b3")}, 20)
            await place.get("anna", f"/api/tables/{table}/record")
            await place.log(table)
        await place.get("anna", "/api/me/tables")


def write_reopened(folder: Folder, file: Path) -> None:
    """Serve the tables of a database with this code, and write what everybody is shown; the file stays."""
    cookies = msgspec.json.decode((file.parent / PEOPLE).read_bytes(), type=dict[str, str])
    with TemporaryDirectory() as place:
        path = Path(place) / FILE
        shutil.copyfile(file, path)
        asyncio.run(_serve(folder, path, cookies))
        folder.lines("rows.txt", dump(path))
