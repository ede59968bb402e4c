"""Acceptances of one offer by several seats: they wait a moment, and people come before bots."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from bohn.rules.commands import AcceptOffer
from bohn.rules.state import Offer, TradePhase
from bohn.server.clock import TimeSource
from bohn.server.tables.loaded import Acceptances, LoadedTable
from bohn.server.tables.plan import Request


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
        """Wait with others for the same offer ; any other request goes on at once."""
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
        for _, turn in gathered.fair_order():
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
