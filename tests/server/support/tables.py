"""A table service in memory, with people at its tables, for tests."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import msgspec

from bohn.bots import PLAYERS
from bohn.protocol.frames import Person
from bohn.protocol.room import Options
from bohn.protocol.room_commands import RoomCommand, Sit, Start
from bohn.rules.commands import Command, EndTrading, Harvest, Plant, Reveal
from bohn.server.addresses import Addresses
from bohn.server.entropy import Entropy
from bohn.server.settings import Settings
from bohn.server.store.protocol import Store
from bohn.server.store.shared import is_shared
from bohn.server.tables.service import TableService
from tests.server.support.clock import StillClock
from tests.server.support.entropy import RepeatableEntropy
from tests.server.support.memory_store import Backing, MemoryStore
from tests.server.support.shared_memory_store import SharedBacking, SharedMemoryStore


class Namesake:
    """Everybody is called as his id."""

    async def people(self, ids: tuple[str, ...]) -> dict[str, Person]:
        """Return a person for every id."""
        return {user: Person(user.capitalize()) for user in ids}


class Ear:
    """A sink that keeps every frame, as bytes and decoded."""

    def __init__(self) -> None:
        self.raw: list[bytes] = []
        self.cut_for: str | None = None

    def push(self, frame: bytes) -> None:
        """Keep a frame."""
        self.raw.append(frame)

    def cut(self, reason: Any) -> None:
        """Note why it was cut."""
        self.cut_for = reason

    @property
    def frames(self) -> list[dict[str, Any]]:
        """All frames."""
        return [msgspec.json.decode(frame) for frame in self.raw]

    def of(self, kind: str) -> list[dict[str, Any]]:
        """All frames of a type."""
        return [frame for frame in self.frames if frame["type"] == kind]

    @property
    def events(self) -> list[str]:
        """The tags of all events in all batches."""
        return [event["event"] for batch in self.of("batch") for event in batch.get("events", ())]


class House:
    """A service with its store, clock and entropy; :meth:`table` opens a table and seats people at it."""

    def __init__(
        self,
        settings: Settings | None = None,
        store: Store | None = None,
        clock: Any = None,
        entropy: Entropy | None = None,
        bots: Collection[str] = PLAYERS,
    ) -> None:
        self.clock: StillClock = clock or StillClock()
        self.entropy: Entropy = entropy or RepeatableEntropy()
        self.backing = Backing()
        self.store = store or MemoryStore(shared=self.backing)
        self.settings = settings or Settings()
        self.addresses = Addresses()
        self.tables = TableService(
            self.store, self.settings, self.clock, self.entropy, Namesake(),
            bots=bots, addresses=self.addresses, shared=self.store if is_shared(self.store) else None,
        )  # fmt: skip
        self._ids = 0

    async def begin(self, seats: Any = None) -> House:
        """Open the store and start the clocks."""
        await self.store.open()
        await self.tables.start(seats)
        return self

    async def end(self) -> None:
        """Stop everything."""
        await self.tables.stop()
        await self.store.close()

    def drop(self, table: str) -> None:
        """Let a table leave memory."""
        loaded = self.tables.loaded.find(table)
        assert loaded is not None
        self.tables.loaded.drop(loaded)

    async def here(self, table: str) -> int:
        """Return how many owners the list of tables says are at a table."""
        listing = await self.store.listing(table)
        assert listing is not None
        return (await self.tables.here((listing,)))[table]

    def fresh_id(self) -> str:
        """Return a command id that was not used."""
        self._ids += 1
        return f"c{self._ids}"

    async def table(
        self, *people: str, options: Options | None = None, start: bool = True, salt: str = "aa"
    ) -> str:
        """Open a table for these people, seat them in order, and deal."""
        chosen = options or Options(players=max(len(people), 3))
        table = await self.tables.open_table(people[0], msgspec.structs.replace(chosen, listed=True))
        for person in people:
            await self.do(table, person, Sit(salt=salt))
        if start:
            await self.do(table, people[0], Start(fill="pk"))
        return table

    async def do(
        self, table: str, user: str, command: Any, acked: Callable[[int], None] | None = None, name: str = ""
    ) -> int:
        """Do a command of a user."""
        assert isinstance(command, Command | RoomCommand)
        return await self.tables.execute(table, user, name or self.fresh_id(), command, acked)  # type: ignore[arg-type]  # - asserted above

    async def until_trading(self, table: str, people: tuple[str, ...]) -> int:
        """Let the active player, who must be one of these people, plant and turn over; return his seat."""
        state = (await self.tables.peek(table)).state
        assert state is not None
        active = state.active_player
        await self.do(table, people[active], Plant(active, 0))
        await self.do(table, people[active], Reveal(active))
        return active


async def workers(settings: Settings | None = None, *, deaf: bool = False) -> tuple[House, House]:
    """Return two workers on one store in memory, with one clock, that share the buckets evenly."""
    clock, entropy = StillClock(), RepeatableEntropy()
    backing = SharedBacking(clock.now)
    houses = [
        await House(settings, SharedMemoryStore(backing, deaf=deaf), clock, entropy).begin() for _ in range(2)
    ]
    await clock.advance(3 * houses[0].settings.times.beat)
    return houses[0], houses[1]


__all__ = ["Ear", "EndTrading", "Harvest", "House", "Namesake", "Plant", "Reveal", "workers"]
