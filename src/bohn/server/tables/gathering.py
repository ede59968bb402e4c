"""Acceptances of one offer by several seats: they wait a moment, and people come before bots.

Here for one process that serves a table alone; see :mod:`bohn.server.tables.waiting_acceptances` for several.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Protocol, TypeVar

from bohn.notation.records import Cause
from bohn.rules.commands import AcceptOffer
from bohn.rules.state import Offer, TradePhase
from bohn.server.clock import TimeSource
from bohn.server.tables.loaded import Acceptances, LoadedTable
from bohn.server.tables.plan import Request


class Gathers(Protocol):
    """Lets requests wait for their turn."""

    async def turn(self, loaded: LoadedTable, request: Request) -> None:
        """Wait with others for the same offer; any other request goes on at once."""
        ...


class Accepting(Protocol):
    """What is asked of an acceptance to tell whose turn it is."""

    @property
    def cause(self) -> Cause:
        """Whether a bot gives it."""
        ...

    @property
    def command(self) -> Any:
        """It names the seat."""
        ...


A = TypeVar("A", bound=Accepting)


def by_person_then_seat(accepting: Iterable[A]) -> list[A]:
    """Return the acceptances of people as they came, then those of bots by seat."""
    found = list(accepting)
    bots = [one for one in found if one.cause == "bot"]
    return [one for one in found if one.cause != "bot"] + sorted(bots, key=lambda one: one.command.player)


class Gathering:
    """Gathers acceptances of an offer for ``milliseconds``; then they go on in a fair order."""

    def __init__(
        self, clock: TimeSource, milliseconds: int, spawn: Callable[[Coroutine[Any, Any, Any]], object]
    ) -> None:
        """Begin with none; ``spawn`` runs something that shutdown waits for."""
        self._clock = clock
        self._milliseconds = milliseconds
        self._spawn = spawn

    async def turn(self, loaded: LoadedTable, request: Request) -> None:
        """Wait with others for the same offer; any other request goes on at once."""
        offer = offer_gathered_for(loaded, request)
        if offer is None:
            return
        gathered = loaded.acceptances.get(offer.id)
        if gathered is None:
            gathered = loaded.acceptances[offer.id] = Acceptances()
            self._spawn(self._release(loaded, offer.id, gathered))
        turn: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        gathered.entries.append((request, turn))
        await turn

    async def _release(self, loaded: LoadedTable, offer: int, gathered: Acceptances) -> None:
        """After the wait, let the gathered acceptances go on one after another."""
        await self._clock.sleep(self._milliseconds)
        loaded.acceptances.pop(offer, None)
        turns = {id(request): turn for request, turn in gathered.entries}
        for request in by_person_then_seat(request for request, _ in gathered.entries):
            turn = turns[id(request)]
            if not turn.done():
                turn.set_result(0)  # each then waits for the table's lock, which is first come, first served


def offer_gathered_for(loaded: LoadedTable, request: Request) -> Offer | None:
    """Return the direct offer to several people that this request would accept, if it does."""
    command, state = request.command, loaded.snapshot.state
    if not isinstance(command, AcceptOffer) or state is None or not isinstance(state.phase, TradePhase):
        return None
    if loaded.recall(request.actor, request.command_id) is not None:
        return None
    if request.user is not None and loaded.snapshot.room.seat_of(request.user) != command.player:
        return None
    for offer in state.phase.offers:
        meant = offer.id == command.offer and command.player in offer.to
        if meant and not offer.open and len(offer.to) > 1:
            return offer
    return None
