"""Thin a hundred thousand finished games while people play: ``python -m bench.retention fill|run``.

``fill`` makes a database in a folder: games are the logs of a few real ones under new ids, written as they
would have come, many tables at once. One in fifty is to stay: young, in play, or under an open report.
``run`` serves it, sends commands on an open-loop schedule, first without retention and then with it, and
waits until nothing is due. Then every log that was to stay is compared with its digest from before.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sqlite3
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import asyncpg
from msgspec import Struct

from bench.load.company import opened
from bench.load.schedule import Figures, Generator, percentile
from bench.load.sockets import Socket, connected
from bohn.protocol.room import Options
from bohn.server.settings import Retention, Settings
from bohn.server.store.codec import Columns, listing_columns, row_columns
from bohn.server.store.place import DATABASE
from bohn.server.store.postgres.store import PostgresStore
from bohn.server.store.protocol import Listing, Store
from bohn.server.store.retaining import DAY
from bohn.server.store.sqlite import SqliteStore
from tests.server.store.samples import played
from tests.server.support.http import Http
from tests.server.support.postgres import LocalPostgres
from tests.server.support.serving import PLENTY, Serving

REAL = 8
"""Real games; all others are theirs under other ids."""

TOGETHER = 50
"""Games whose rows are written by turns, as those of tables that play at the same time are."""

ASKED = 1_000
"""Tables that are asked for at once: a store waits seconds for an answer, not minutes."""

STAYS = 50
"""One game of so many stays."""

LATE, GOAL = 20.0, 150.0
"""Ms by which 99 of 100 commands may be sent late, and within which they must be acknowledged."""

COLUMNS = {
    "log": ("table_id", "seq", "at", "actor", "command_id", "digest", "cause", "command", "events"),
    "listings": (
        *("table_id", "status", "listed", "options", "host", "users", "bots", "opened", "moved"),
        *("seats", "result", "origin", "lesson"),
    ),
    "members": ("user_id", "table_id"),
    "grants": ("table_id", "user_id"),
    "deals": ("table_id", "secret", "nonce"),
    "chat": ("table_id", "id", "user_id", "at", "text", "key"),
    "reports": ("id", "table_id", "line", "by_user", "against", "at", "text", "reason"),
}

PLACEHOLDER = "0" * 24
"""The id of the real games, which stands in their first row."""

OPTIONS = Options(edition="classic", players=5)


# -- the database ------------------------------------------------------------------------------------


def real_games() -> list[list[Columns]]:
    """Return the logs of real games, some two hundred rows each, as columns."""
    logs = (played(PLACEHOLDER, "classic", 5, f"retention-{number}") for number in range(REAL))
    return [[row_columns(row) for row in log] for log in logs]


def table_id(number: int) -> str:
    """Return the id of a game: as random as the server's, and the same in every run."""
    return sha256(str(number).encode()).hexdigest()[:24]


def stays(number: int) -> int | None:
    """Return why a game stays (0: it is young, 1: in play, 2: a report is open), ``None`` if it goes."""
    return None if number % STAYS else number // STAYS % 3


def listing_of(number: int, now: int) -> Listing:
    """Return the listing of a game."""
    why, table = stays(number), table_id(number)
    moved = now - 10 * DAY if why == 0 else now - 400 * DAY - (1_000_000 - number) * 60_000
    users = tuple(f"{seat}{table[1:]}" for seat in range(2))
    return Listing(
        table=table, status="playing" if why == 1 else "finished", options=OPTIONS, host=users[0],
        users=users, bots=3, opened=moved - 3_600_000, moved=moved,
    )  # fmt: skip


def rows_of(numbers: Sequence[int], real: list[list[Columns]], now: int) -> dict[str, list[Columns]]:
    """Return what is stored of some games, by table; the rows of their logs by turns."""
    found: dict[str, list[Columns]] = {name: [] for name in COLUMNS}
    logs = []
    for number in numbers:
        listing, table = listing_of(number, now), table_id(number)
        first, *rest = real[number % REAL]
        opening = bytes(first[-1]).replace(PLACEHOLDER.encode(), table.encode())
        logs.append([(table, *first[1:-1], opening), *((table, *row[1:]) for row in rest)])
        found["listings"].append(listing_columns(listing))
        found["deals"].append((table, b"s" * 32, b"n" * 32))
        for user in listing.users:
            found["members"].append((user, table))
            found["grants"].append((table, user))
        found["chat"] += [(table, line, listing.users[0], listing.moved, "Hello", "") for line in (1, 2, 3)]
        if stays(number) == 2:
            found["reports"].append((number + 1, table, 1, *listing.users, listing.moved, "Hello", "rude"))
    for seq in range(max(map(len, logs))):
        found["log"] += [log[seq] for log in logs if seq < len(log)]
    return found


def groups(games: int) -> Iterator[range]:
    """Return the numbers of games that play together."""
    for begin in range(0, games, TOGETHER):
        yield range(begin, min(begin + TOGETHER, games))


def fill_sqlite(path: Path, games: int) -> None:
    """Write all games into a new file."""
    path.parent.mkdir(parents=True)
    asyncio.run(_made(SqliteStore(path)))
    now, real = time.time_ns() // 1_000_000, real_games()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA cache_size = -400000")
        connection.execute("PRAGMA wal_autocheckpoint = 100000")
        for number, group in enumerate(groups(games)):
            if number % 20 == 0:
                if connection.in_transaction:
                    connection.execute("COMMIT")
                connection.execute("BEGIN")
            for name, rows in rows_of(group, real, now).items():
                marks = ", ".join("?" * len(COLUMNS[name]))
                into = f"INSERT INTO {name} ({', '.join(COLUMNS[name])}) VALUES ({marks})"  # noqa: S608 - constants
                connection.executemany(into, rows)
        connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


async def fill_postgres(address: str, games: int) -> None:
    """Write all games into an empty database."""
    await _made(PostgresStore(address))
    now, real = time.time_ns() // 1_000_000, real_games()
    connection = await asyncpg.connect(address)
    try:
        for group in groups(games):
            for name, rows in rows_of(group, real, now).items():
                await connection.copy_records_to_table(name, records=rows, columns=COLUMNS[name])
        await connection.execute("VACUUM (ANALYZE)")
    finally:
        await connection.close()


async def _made(store: Store) -> None:
    await store.open()
    await store.close()


async def digests(store: Store, games: int) -> str:
    """Return the digest over whatever is stored of the games that stay."""
    found = sha256()
    for number in range(0, games, STAYS):
        table = table_id(number)
        parts = (await store.rows(table), await store.listing(table), await store.deal(table))
        chat = await store.chat(table)
        found.update(repr((*parts, chat if stays(number) == 2 else ())).encode())
    return found.hexdigest()


# -- what serves it ----------------------------------------------------------------------------------


class Place(Struct):
    """A filled database: how it is opened and served, and how large it is."""

    settings: Settings
    data: Path | None
    store: Callable[[], Store]
    size: Callable[[], int]


@asynccontextmanager
async def place_in(folder: Path, kind: str, settings: Settings) -> AsyncIterator[Place]:
    """Open what was filled in a folder."""
    if kind == "sqlite":
        path = folder / "data" / DATABASE

        def of_files() -> int:
            return sum(one.stat().st_size for one in path.parent.glob(f"{DATABASE}*"))

        yield Place(settings, path.parent, lambda: SqliteStore(path), of_files)
        return
    server = LocalPostgres(folder, ())
    if not (folder / "data").exists():
        server.make()
    await asyncio.to_thread(server.start)
    try:

        def of_database() -> int:
            return int(asyncio.run(_value(server.address, "SELECT pg_database_size(current_database())")))

        changed = Settings(**{name: getattr(settings, name) for name in settings.__struct_fields__} | {
            "store": server.address, "worker": "one"
        })  # fmt: skip
        yield Place(changed, None, lambda: PostgresStore(server.address), of_database)
    finally:
        server.stop()


async def _value(address: str, *texts: str) -> Any:
    """Run statements on a connection of their own; return what the last one finds."""
    connection = await asyncpg.connect(address, command_timeout=None)
    try:
        for text in texts[:-1]:
            await connection.execute(text)
        return await connection.fetchval(texts[-1])
    finally:
        await connection.close()


async def counters(port: int) -> dict[str, float]:
    """Return the server's counters."""
    http = Http(port)
    try:
        text = (await http.request("GET", "/metrics")).body.decode()
    finally:
        await http.close()
    return {name: float(value) for name, value in re.findall(r"^(bohn_\S+) (\S+)$", text, flags=re.MULTILINE)}


def gone(found: dict[str, float]) -> float:
    """Return how many games have gone."""
    return found.get('bohn_retention_removed_total{kind="finished"}', 0.0)


async def run(options: argparse.Namespace) -> bool:
    """Serve a filled database under load, thin it, and compare what is left; tell whether all is well."""
    # games that are in play here are as old as those that go
    retention = Retention(every=options.begin * 1000, unfinished=0, rest=options.rest)
    settings = Settings(limits=PLENTY, bots=0, retention=retention)
    async with place_in(options.folder, options.store, settings) as place:
        store = place.store()
        await store.open()
        expected = await digests(store, options.games)
        await store.close()
        before = await asyncio.to_thread(place.size)
        server = Serving(options.folder / "serving", place.settings)
        if place.data is not None:
            server.data = place.data
        begun = time.monotonic()
        await server.start()
        try:
            good = await _under_load(server, options, begun)
            last = await counters(server.port)
            if options.stop:
                server.kill()
            else:
                while not (found := await counters(server.port)).get("bohn_over_tables"):
                    print(f"   not all are gone yet: {gone(found):.0f}", flush=True)
                    await asyncio.sleep(10)
                print(f"all were gone {time.monotonic() - begun - options.begin:.0f} s after the first look")
                last = found
                await server.stop()
        finally:
            server.kill()
        for name in sorted(last):
            if name.startswith("bohn_retention") and "_bucket" not in name and "_created" not in name:
                print(f"   {name} {last[name]:g}")
        good &= await _compared(place, options, expected, before)
        if place.settings.store is not None and not options.stop:
            await _reused(place.settings.store)
        return good


class TwoRuns(Generator):
    """A generator that may run twice: the second time commands have other ids, and nothing counts twice."""

    offset = 0

    def begin_again(self) -> None:
        """Forget what was seen, and number commands from far on."""
        self.offset = 10_000_000
        self.acknowledged, self.late, self.sent = [], [], 0
        self.refused.clear()

    def _send(self, table: list[Socket], number: int, due: float) -> None:
        super()._send(table, number + self.offset, due)


async def _under_load(server: Serving, options: argparse.Namespace, begun: float) -> bool:
    """Send commands before the first look of retention and behind it."""
    tables = await opened(server.port, options.tables)
    generator = TwoRuns([], 1)
    for table in tables:
        pending = [connected(server.port, table.id, cookie, generator.answered) for cookie in table.cookies]
        generator.tables.append(list(await asyncio.gather(*pending)))
    rest = options.begin - (time.monotonic() - begun) - 8
    if rest < 10:
        print(f"only {rest:.0f} s are left before the first look; begin later (--begin)")
        return False
    _tell("without retention", await generator.run(options.rate, rest, server.cpu), 0, rest)
    await asyncio.sleep(max(0.0, begun + options.begin + 1 - time.monotonic()))
    generator.begin_again()
    first = gone(await counters(server.port))
    figures = await generator.run(options.rate, options.seconds, server.cpu)
    went = gone(await counters(server.port)) - first
    _tell("while games go", figures, went, options.seconds)
    faults = figures.lost + figures.gaps + figures.behind
    counts = percentile(figures.late, 0.99) < LATE
    return counts and not faults and went > 0 and percentile(figures.acknowledged, 0.99) < GOAL


def _tell(what: str, figures: Figures, went: float, seconds: float) -> None:
    shown = [percentile(figures.acknowledged, share) for share in (0.5, 0.9, 0.99, 0.999)]
    print(
        f"{what}: {figures.sent} commands in {seconds:.0f} s, acknowledged p50 {shown[0]:.1f}, "
        f"p90 {shown[1]:.1f}, p99 {shown[2]:.1f}, p99.9 {shown[3]:.1f}, "
        f"longest {figures.acknowledged[-1]:.0f} ms; {figures.refused.total()} refused, "
        f"{figures.lost} lost, {figures.gaps} gaps; sent late p99 "
        f"{percentile(figures.late, 0.99):.1f} ms; server {figures.other_cpu / seconds:.2f} cores; "
        f"{went:.0f} games gone",
        flush=True,
    )


async def _compared(place: Place, options: argparse.Namespace, expected: str, before: int) -> bool:
    """Compare what is left, and tell how large it is."""
    store = place.store()
    await store.open()
    same = await digests(store, options.games) == expected
    others = [table_id(number) for number in range(options.games) if stays(number) is None]
    left = 0
    for begin in range(0, len(others), ASKED):
        left += len(await store.heads(tuple(others[begin : begin + ASKED])))
    await store.close()
    found = f"{'the same' if same else 'NOT THE SAME'} digest of what stays ({expected[:12]})"
    print(f"{found}; {left} others are left")
    after = await asyncio.to_thread(place.size)
    print(f"size before {before / 1e6:.0f} MB, behind {after / 1e6:.0f} MB")
    return same and (options.stop or not left) and (after < before or options.store == "postgres")


async def _reused(address: str) -> None:
    """Tell what of the logs' room can be used again, and how small they would be if written anew."""
    free = """
        SELECT (SELECT sum(avail) FROM pg_freespace('log'))::float / greatest(pg_relation_size('log'), 1)
    """
    await _value(address, "CREATE EXTENSION IF NOT EXISTS pg_freespacemap", "SELECT 1")
    vacuumed = await _value(
        address, "SELECT last_autovacuum::text FROM pg_stat_user_tables WHERE relname = 'log'"
    )
    print(f"autovacuum of the log: {vacuumed}; free in it: {await _value(address, free):.0%}")
    share = await _value(address, "VACUUM log", free)
    size = await _value(address, "SELECT pg_total_relation_size('log')")
    print(f"behind VACUUM: {size / 1e6:.0f} MB, free {share:.0%}")
    size = await _value(address, "VACUUM FULL log", "SELECT pg_total_relation_size('log')")
    whole = await _value(address, "SELECT pg_database_size(current_database())")
    print(f"behind VACUUM FULL: log {size / 1e6:.0f} MB, database {whole / 1e6:.0f} MB")


async def fill(options: argparse.Namespace) -> bool:
    """Fill a new folder."""
    begun = time.monotonic()
    if options.store == "sqlite":
        await asyncio.to_thread(fill_sqlite, options.folder / "data" / DATABASE, options.games)
    else:
        options.folder.mkdir(parents=True)
        async with place_in(options.folder, "postgres", Settings()) as place:
            await fill_postgres(place.settings.store or "", options.games)
    print(f"filled with {options.games} games in {time.monotonic() - begun:.0f} s")
    return True


def main() -> int:
    """Fill or run; return 1 if anything is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("do", choices=("fill", "run"))
    parser.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--tables", type=int, default=100, help="tables that are played at")
    parser.add_argument("--rate", type=float, default=300.0, help="commands a second")
    parser.add_argument("--begin", type=int, default=60, help="seconds before the first look of retention")
    usual = Retention().rest
    parser.add_argument("--rest", type=float, default=usual, help="times as long as a batch took is rested")
    parser.add_argument("--stop", action="store_true", help="kill the server then; the next run goes on")
    parser.add_argument("--seconds", type=float, default=240.0, help="of commands while games go")
    options = parser.parse_args()
    return 0 if asyncio.run((fill if options.do == "fill" else run)(options)) else 1


if __name__ == "__main__":
    sys.exit(main())
