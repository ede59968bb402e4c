"""How long a table waits for its bots beside others that keep them busy: ``python -m bench.bot_waits``.

`bohn serve` runs in a process of its own. One address opens tables of seven `strongest` and watches all of
them; a guest from another address watches one table of four. Its usual and longest pauses between two batches
are printed for each number of other tables: what these add to the longest is what the guest notices.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path
from statistics import quantiles
from typing import Any

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect

from bench.load.company import spread
from bench.load.sockets import connected
from tests.server.support.http import Http
from tests.server.support.serving import Serving

BUSY, HONEST = "203.0.113.5", "198.51.100.7"
"""Addresses kept for documents; a proxy on this machine names them."""

SEATS = 7
COMPILED = 600.0
"""Seconds in which the players must have been compiled."""

PATIENCE = 30.0
"""Seconds after which a table at which nothing happens is watched no longer."""


class Waits(Struct):
    """What one run saw: pauses between two batches, in seconds, and how many moves the other tables made."""

    tables: int
    pauses: list[float]
    moves: int


async def guest(http: Http, address: str) -> str:
    """Let somebody come in from an address; return his cookie."""
    headers = {"X-Forwarded-For": address}
    return (await http.request("POST", "/api/guests", {"name": "Guest"}, headers=headers)).cookie


async def opened(http: Http, cookie: str, address: str, body: dict[str, Any]) -> str:
    """Open a table from an address; return its id."""
    headers = {"X-Forwarded-For": address}
    answer = await http.request("POST", "/api/tables", body, cookie=cookie, headers=headers)
    table: str = answer.json()["table"]
    return table


async def compiled(port: int, seconds: float) -> None:
    """Wait until the bots are compiled, and then until their process has loaded that."""
    http = Http(port)
    async with asyncio.timeout(COMPILED):
        while "strongest" not in (await http.request("GET", "/api/catalog")).body.decode():  # noqa: ASYNC110 - over HTTP nobody tells
            await asyncio.sleep(1.0)
    table = {"options": {"players": 4}, "bots": ["pk"] * 3, "start": True}
    await opened(http, await guest(http, BUSY), BUSY, table)
    await asyncio.sleep(seconds)
    await http.close()


async def busy(port: int, tables: int, bot: str) -> list[Any]:
    """Open tables of nothing but bots, and watch them; return the sockets."""
    found: list[Any] = []
    http = Http(port)
    cookie = await guest(http, BUSY)
    await http.close()

    async def one(http: Http, _: int) -> None:
        body = {"options": {"players": SEATS}, "bots": [bot] * SEATS, "sit": False, "start": True}
        table = await opened(http, cookie, BUSY, body)
        found.append(await connected(port, table, cookie, lambda *_: None))

    if tables:
        await spread(tables, port, one)
    return found


async def pauses(socket: ClientConnection, seconds: float, patience: float = PATIENCE) -> list[float]:
    """Return the seconds between two batches at a table, until its game is over or the time is up.

    A pause that the end of the time falls into is waited for, at least ``patience`` seconds; one that is
    longer counts as it is then.
    """
    found: list[float] = []
    begun = last = time.perf_counter()
    while last < begun + seconds:
        until = max(begun + seconds, last + patience)
        try:
            heard = await asyncio.wait_for(socket.recv(), max(0.0, until - time.perf_counter()))
        except TimeoutError:
            found.append(time.perf_counter() - last)
            break
        frame = msgspec.json.decode(heard)
        if frame["type"] == "batch":
            now = time.perf_counter()
            found.append(now - last)
            last = now
            if any(event["event"] == "finished" for event in frame.get("events", ())):
                break
    return found


async def one_run(folder: Path, tables: int, options: argparse.Namespace) -> Waits:
    """Start a server, keep its bots busy, and watch the table of somebody else."""
    server = Serving(folder)
    async with server:
        await compiled(server.port, options.warm)
        sockets = await busy(server.port, tables, options.bot)
        await asyncio.sleep(options.settle)
        http = Http(server.port)
        cookie = await guest(http, HONEST)
        body = {"options": {"players": 4}, "bots": [options.honest] * 4, "sit": False, "start": True}
        table = await opened(http, cookie, HONEST, body)
        before = sum(socket.batches for socket in sockets)
        headers = {"Cookie": cookie, "X-Forwarded-For": HONEST}
        url, origin = f"ws://127.0.0.1:{server.port}/ws?table={table}", f"http://127.0.0.1:{server.port}"
        async with connect(url, origin=origin, additional_headers=headers) as socket:  # type: ignore[arg-type]  # - a text is one
            found = await pauses(socket, options.seconds)
        await http.close()
        return Waits(tables, found, sum(socket.batches for socket in sockets) - before)


def report(runs: list[Waits]) -> None:
    """Print the pauses of every run."""
    print(
        f"{'other tables':>12}{'batches':>10}{'p50, ms':>10}{'p90, ms':>10}"
        f"{'longest, ms':>13}{'their moves':>13}"
    )
    for run in runs:
        print(f"{run.tables:>12}{len(run.pauses):>10}{told(run.pauses):<33}{run.moves:>13}")


def told(pauses: list[float]) -> str:
    """Return the usual pauses and the longest as they are printed; of fewer than two none is usual."""
    usual = f"{'starved':>20}"
    if len(pauses) > 1:
        parts = quantiles(pauses, n=10)
        usual = f"{parts[4] * 1000:>10.0f}{parts[8] * 1000:>10.0f}"
    return usual + "".join(f"{pause * 1000:>13.0f}" for pause in sorted(pauses)[-1:])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[0, 64, 200])
    parser.add_argument("--bot", default="strongest", help="who sits at the other tables")
    parser.add_argument("--honest", default="pk", help="who sits at the table that is watched")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--settle", type=float, default=10.0, help="seconds for the other tables to begin")
    parser.add_argument("--warm", type=float, default=30.0, help="seconds for compiled code to be loaded")
    options = parser.parse_args()
    runs = []
    for tables in options.tables:
        with tempfile.TemporaryDirectory() as folder:
            runs.append(asyncio.run(one_run(Path(folder), tables, options)))
    report(runs)


if __name__ == "__main__":
    main()
