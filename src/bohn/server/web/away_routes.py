"""Endpoints of standing orders: what one leaves with a table over days."""

from __future__ import annotations

from bohn.protocol import away as wire
from bohn.server.web.api_request import ApiRequest


async def show_away(request: ApiRequest) -> wire.AwayInfo:
    """Return what the one who asks has left with a table."""
    return await request.services.tables.away(request.table, request.me.user.id)


async def add_order(request: ApiRequest) -> wire.AwayInfo:
    """Store one more order."""
    user = request.me.user.id
    request.services.commands.take(user)
    await request.services.tables.add_order(request.table, user, request.body)
    return await request.services.tables.away(request.table, user)


async def drop_order(request: ApiRequest) -> wire.AwayInfo:
    """Delete an order."""
    user = request.me.user.id
    request.services.commands.take(user)
    await request.services.tables.drop_order(request.table, user, request.path("order"))
    return await request.services.tables.away(request.table, user)
