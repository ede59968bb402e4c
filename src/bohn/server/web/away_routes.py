"""Endpoints of being away: what one leaves with a table over days, and when one plays there at all."""

from __future__ import annotations

from bohn.protocol import away as wire
from bohn.protocol.room import Hours
from bohn.server.web.api_request import ApiRequest


async def show_away(request: ApiRequest) -> wire.AwayInfo:
    """Return what the one who asks has left with a table."""
    return await request.services.tables.away(request.table, request.me.user.id)


async def add_order(request: ApiRequest) -> wire.AwayInfo:
    """Store one more order."""
    user = request.me.user.id
    request.services.commands.take(user)
    await request.services.tables.add_instruction(request.table, user, request.body)
    return await request.services.tables.away(request.table, user)


async def set_ahead(request: ApiRequest) -> wire.AwayInfo:
    """Store one more move."""
    body: wire.NewMove = request.body
    user = request.me.user.id
    request.services.commands.take(user)
    await request.services.tables.add_instruction(request.table, user, body.move)
    return await request.services.tables.away(request.table, user)


async def drop_order(request: ApiRequest) -> wire.AwayInfo:
    """Delete an instruction: an order, or a move."""
    user = request.me.user.id
    request.services.commands.take(user)
    await request.services.tables.drop_instruction(request.table, user, request.path("order"))
    return await request.services.tables.away(request.table, user)


async def show_times(request: ApiRequest) -> wire.TimesInfo:
    """Return the playing hours and holidays of the one who asks."""
    return await request.services.times.show(request.me.user.id)


async def set_hours(request: ApiRequest) -> wire.TimesInfo:
    """Store playing hours."""
    body: wire.ChangeHours = request.body
    user = request.me.user.id
    request.services.changes.take(user)
    await request.services.times.set_hours(user, Hours(body.begin, body.end, body.zone))
    return await _changed(request)


async def announce_holiday(request: ApiRequest) -> wire.TimesInfo:
    """Store one more holiday."""
    body: wire.NewHoliday = request.body
    user = request.me.user.id
    request.services.changes.take(user)
    await request.services.times.announce(user, wire.Days(body.first, body.last), body.zone)
    return await _changed(request)


async def drop_holiday(request: ApiRequest) -> wire.TimesInfo:
    """Delete a holiday."""
    user = request.me.user.id
    request.services.changes.take(user)
    await request.services.times.take_back(user, request.path("first"))
    return await _changed(request)


async def _changed(request: ApiRequest) -> wire.TimesInfo:
    await request.services.tables.times_changed(request.me.user.id)
    return await show_times(request)
