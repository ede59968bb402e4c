"""The company for a load test: guests at tables whose games have begun."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random

from tests.server.support.http import Http

PLAYERS = 5
AT_ONCE = 8


@dataclass
class Table:
    """A table and the cookies of its owners, by seat."""

    id: str
    cookies: list[str]


async def spread(number: int, port: int, work: Callable[[Http, int], Awaitable[None]]) -> None:
    """Do something a number of times, over a few connections at once."""
    numbers = iter(range(number))

    async def worker() -> None:
        http = Http(port)
        try:
            for index in numbers:
                await work(http, index)
        finally:
            await http.close()

    async with asyncio.TaskGroup() as group:
        for _ in range(min(AT_ONCE, number)):
            group.create_task(worker())


async def opened(port: int, tables: int) -> list[Table]:
    """Open a number of listed tables with five guests each, and start the games."""
    found: list[Table] = []

    async def one(http: Http, index: int) -> None:
        cookies = []
        for seat in range(PLAYERS):
            answer = await http.request("POST", "/api/guests", {"name": f"Guest {index}.{seat}"})
            cookies.append(answer.cookie)
        options = {"edition": "full", "players": PLAYERS, "listed": True}
        made = await http.expect(200, "POST", "/api/tables", {"options": options}, cookie=cookies[0])
        table = Table(made["table"], cookies)
        for seat in range(1, PLAYERS):
            await _do(http, table, seat, f"s{seat}", {"do": "sit", "seat": seat})
        await _do(http, table, 0, "start", {"do": "start"})
        found.append(table)

    await spread(tables, port, one)
    return found


async def moved(port: int, tables: list[Table], moves: int) -> None:
    """Do a number of legal commands at every table."""

    async def one(http: Http, index: int) -> None:
        table, rand = tables[index], Random(index)
        for number in range(moves):
            seats = rand.sample(range(PLAYERS), PLAYERS)
            for seat in seats:
                path = f"/api/tables/{table.id}/legal"
                choices = (await http.expect(200, "GET", path, cookie=table.cookies[seat]))["choices"]
                legal = [one for one in choices["legal"] if one["do"] != "harvest"]
                if legal:
                    await _do(http, table, seat, f"m{number}", rand.choice(legal))
                    break

    await spread(len(tables), port, one)


async def _do(http: Http, table: Table, seat: int, key: str, command: dict[str, object]) -> None:
    path, body = f"/api/tables/{table.id}/commands", {"id": key, "command": command}
    await http.expect(200, "POST", path, body, cookie=table.cookies[seat])
