"""Games over days at a whole server, on a file and on PostgreSQL, and people told by a push service."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from bohn.rules.legal import waiting
from bohn.server.settings import Alerts, Settings, Times
from bohn.server.store.postgres.store import PostgresStore
from bohn.server.store.protocol import Store
from bohn.server.store.sqlite import SqliteStore
from tests.server.support.postgres import emptied
from tests.server.support.push_service import PushService, push_service
from tests.server.support.site import Place, Visitor, checked, visit

SETTINGS = Settings(
    alerts=Alerts(private=True, contact="mailto:host@bohn.example"),
    times=Times(alerts=1_000_000_000),
)

HOUR = 3_600_000

ORDER = (
    "pass", "end-trading", "plant-set-aside", "reveal", "plant", "keep-hand", "discard-from-hand", "harvest",
    "buy-field", "make-offer", "set-wish", "make-promise", "decline-offer",
)  # fmt: skip
"""Which of the legal commands is done: the first of these."""

Scenario = Callable[["Evening"], Awaitable[None]]
Visit = Callable[[Scenario], None]


class Evening:
    """Three guests at a table over days, and the push service by which they can be told."""

    def __init__(self, place: Place, service: PushService) -> None:
        """Begin with nobody."""
        self.place = place
        self.service = service
        self.guests: dict[str, Visitor] = {}
        self.table = ""

    async def sit(self, clock: str = "24h", language: str = "en") -> None:
        """Let three guests sit down, and deal."""
        for name in ("Anna", "Bert", "Carla"):
            guest = await self.place.guest(name, language)
            self.guests[guest.user] = guest
        host, *others = self.guests.values()
        options = {"players": 3, "edition": "full", "clock": clock, "listed": True}
        self.table = await host.open_table(options=options)
        for seat, guest in enumerate(others, 1):
            await self.do(guest, {"do": "sit", "seat": seat})
        await self.do(host, {"do": "start"})

    async def do(self, guest: Visitor, command: dict[str, Any]) -> None:
        """Do something at the table."""
        key = f"k{self.place.services.entropy.token_bytes(6).hex()}"
        path = f"/api/tables/{self.table}/commands"
        checked(await guest.ask("POST", path, {"id": key, "command": command}))

    async def subscribe(self, guest: Visitor, name: str = "") -> str:
        """Let a guest be told, and return the channel's id."""
        info = await guest.post(
            "/api/me/alerts/channels", self.service.subscription(name or guest.user, label="Phone")
        )
        channel: str = info["channels"][-1]["id"]
        return channel

    async def awaited(self) -> list[Visitor]:
        """Return the guests for whom the game waits."""
        peek = await self.place.services.tables.peek(self.table)
        assert peek.state is not None
        return [self.guests[peek.room.seats[seat].user or ""] for seat in waiting(peek.rules, peek.state)]

    async def play(self, guest: Visitor) -> None:
        """Let a guest do something that brings the game on."""
        choices = (await guest.get(f"/api/tables/{self.table}/legal"))["choices"]
        await self.do(guest, min(choices["legal"], key=lambda one: ORDER.index(one["do"])))

    async def next_turn(self, guest: Visitor) -> None:
        """Play until a turn of a guest begins: he plays his present one, and the others play on."""
        while guest in await self.awaited():
            await self.play(guest)
        while guest not in (found := await self.awaited()):
            await self.play(found[0])

    async def wait(self, milliseconds: int = 4_000) -> None:
        """Let time pass in which no clock is looked at, and send what is due then."""
        self.place.clock.jump(milliseconds)
        await self.place.services.alerts.look()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def over_days(request: pytest.FixtureRequest, tmp_path: Path) -> Visit:
    """Return how to run a scenario at a new server, on each kind of store."""

    def run(scenario: Scenario) -> None:
        store: Store = SqliteStore(tmp_path / "tables.sqlite")
        if request.param == "postgres":
            address = request.getfixturevalue("postgres_database")
            emptied(address)
            store = PostgresStore(address)

        async def whole(place: Place) -> None:
            async with push_service() as service:
                await scenario(Evening(place, service))

        visit(whole, SETTINGS, store)

    return run
