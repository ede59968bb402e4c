"""Offers to several people, of whom more than one may accept at the same moment."""

from __future__ import annotations

from bohn.rules.commands import AcceptOffer
from bohn.rules.state import Offer, TradePhase
from bohn.server.tables.live import Live
from bohn.server.tables.plan import Request


def offer_gathered_for(live: Live, request: Request) -> Offer | None:
    """Return the direct offer to several people that this request would accept, if it does."""
    command, state = request.command, live.stage.state
    if not isinstance(command, AcceptOffer) or state is None or not isinstance(state.phase, TradePhase):
        return None
    if live.recall(request.actor, request.command_id) is not None:
        return None
    if request.user is not None and live.stage.room.seat_of(request.user) != command.player:
        return None
    for offer in state.phase.offers:
        meant = offer.id == command.offer and command.player in offer.to
        if meant and not offer.open and len(offer.to) > 1:
            return offer
    return None
