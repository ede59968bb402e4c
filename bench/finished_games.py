"""How long one's games, profiles and people take to be asked for, with many finished games in the store.

``python -m bench.finished_games`` seeds a SQLite database in a temporary folder with 10,000 people, 100,000
finished games and 2,000 games over days, dealt by a server and out of its memory, each of which waits for
somebody; and it asks as different people, the busiest among them. With ``--postgres`` it is a PostgreSQL
server of its own. Prints ms at the 50th and 95th percentile; ends with 1 if any p95 is over 150 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from random import Random
from statistics import quantiles

import structlog

from bench.load.shared import database
from bohn.protocol.room import Options
from bohn.server.clock import SystemClock
from bohn.server.entropy import SystemEntropy
from bohn.server.people.results import Results
from bohn.server.people.service import People
from bohn.server.settings import Settings, Times
from bohn.server.store.acquaintances import GameResult, Wanted
from bohn.server.store.choosing import store_of
from bohn.server.store.protocol import Store, User
from bohn.server.tables.turns import awaited_at
from tests.server.support.clock import StillClock
from tests.server.support.tables import House

PEOPLE = 10_000
GAMES = 100_000
OPEN = 2_000
BUSIEST = 5_000
"""Games of the one who has played most."""

COMPANY = 3
SEATED_BY_ONE = 5
"""People at a game over days, and games at which the same people sit."""

SEATS = 4
ASKED = 200
"""How often each question is asked."""

MOST = 150.0
"""Ms that a question may take at the 95th percentile."""

NOW = 1_790_000_000_000
AT_ONCE = 2_000

HOUR = 3_600_000
TIMES = Times(poll=60_000, beat=600_000, idle_table=HOUR, stale_table=HOUR)


def seats_of(game: int, rand: Random) -> list[str]:
    """Return who has played a game: the busiest person in some, the others by chance."""
    found = [f"u{number}" for number in rand.sample(range(1, PEOPLE), SEATS)]
    return ["u0", *found[1:]] if game < BUSIEST else found


async def seed(store: Store) -> None:
    """Store people, results of their games, and open tables at which some of them sit."""
    rand = Random(1)
    for number in range(PEOPLE):
        await store.put_user(User(f"u{number}", f"Person {number}", "en", NOW))
    results: list[GameResult] = []
    for game in range(GAMES):
        edition = rand.choice(("full", "classic"))
        results += (
            GameResult(
                user, f"t{game}", NOW - game * 60_000, edition, SEATS, place, 12 - place,
                rand.randrange(9), rand.randrange(3), rand.randrange(3),
            )
            for place, user in enumerate(seats_of(game, rand), 1)
        )  # fmt: skip
        if len(results) >= AT_ONCE or game == GAMES - 1:
            await store.put_results(tuple(results))
            results.clear()


async def deal(house: House) -> None:
    """Deal the games over days as a server does, with clocks and turns; then they leave its memory."""
    for number in range(OPEN):
        first = number // SEATED_BY_ONE * COMPANY
        people = tuple(f"u{first + place}" for place in range(COMPANY))
        house.drop(await house.table(*people, options=Options(players=COMPANY, clock="24h")))


async def measure(ask: Callable[[str], Awaitable[object]], users: list[str]) -> tuple[float, float]:
    """Return how many ms a question takes at the 50th and 95th percentile."""
    taken = []
    for number in range(ASKED):
        begun = time.perf_counter()
        await ask(users[number % len(users)])
        taken.append((time.perf_counter() - begun) * 1000)
    parts = quantiles(taken, n=20)
    return parts[9], parts[18]


async def run(address: str | None) -> int:
    """Seed, ask, and print; return the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        store = store_of(address, Path(folder))
        house = await House(Settings(times=TIMES), store, StillClock(NOW)).begin()
        begun = time.perf_counter()
        await seed(store)
        await deal(house)
        print(f"seeded in {time.perf_counter() - begun:.0f} s")
        status = await report(house)
        await house.end()
    return status


async def my_tables(house: House, user: str) -> None:
    """List somebody's tables, and say for what each of them waits, as ``/api/me/tables`` does."""
    for listing in await house.store.listings_of(user):
        awaited_at(await house.tables.peek(listing.table), user, house.clock.now())


async def report(house: House) -> int:
    """Ask each question, and print how long it takes."""
    store = house.store
    results = Results(store, People(store, SystemClock(), SystemEntropy(), Settings()))

    async def by_name(user: str) -> None:
        company = await results.company(user, "person 77")
        await results.page(user, Wanted(company=company))

    questions: dict[str, Callable[[str], Awaitable[object]]] = {
        "my games": lambda user: results.page(user, Wanted()),
        "my games, deep": lambda user: results.page(user, Wanted(before=(NOW - 4_000 * 60_000, ""))),
        "my games of an edition, won": lambda user: results.page(
            user, Wanted(edition="classic", outcome="won")
        ),
        "my games, none found": lambda user: results.page(user, Wanted(edition="none")),
        "my games with somebody": by_name,
        "profile": lambda user: results.profile(user, user),
        "my tables": partial(my_tables, house),
        "my tables, again": partial(my_tables, house),
        "open tables": lambda _user: store.listings(),
    }
    rand = Random(2)
    anybody = [f"u{number}" for number in rand.sample(range(1, PEOPLE), 50)]
    seated = [f"u{number}" for number in range(COMPANY, OPEN // SEATED_BY_ONE * COMPANY, COMPANY)]
    slow = False
    for name, ask in questions.items():
        others = seated[:ASKED] if name.startswith("my tables") else anybody
        for who, users in (("anybody", others), ("the busiest", ["u0"])):
            half, most = await measure(ask, users)
            slow |= most > MOST
            print(f"{name:30} {who:12} p50 {half:7.1f} ms   p95 {most:7.1f} ms")
    return int(slow)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgres", action="store_true", help="seed a PostgreSQL server of its own")
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    if not parser.parse_args().postgres:
        sys.exit(asyncio.run(run(None)))
    with database() as server:
        sys.exit(asyncio.run(run(server.address)))
