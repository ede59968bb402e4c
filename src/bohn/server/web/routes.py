"""The table of routes: which function handles each endpoint of the protocol."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import Struct

from bohn.protocol.endpoints import ENDPOINTS, Endpoint
from bohn.server.web import account_routes as account
from bohn.server.web import acquaintance_routes as acquaintances
from bohn.server.web import alert_routes as alerts
from bohn.server.web import away_routes as away
from bohn.server.web import lobby_routes as lobby
from bohn.server.web import operator_routes as operator
from bohn.server.web import ops_routes as ops
from bohn.server.web import past_routes as past
from bohn.server.web import people_routes as people
from bohn.server.web import rules_routes as rules
from bohn.server.web import table_routes as table
from bohn.server.web.api_request import ApiRequest

Handler = Callable[[ApiRequest], Awaitable[Any]]

_HANDLERS: tuple[Handler, ...] = (
    ops.alive, ops.ready, ops.metrics,
    people.come_in, people.who_am_i, people.change_me, people.forget_me,
    people.list_tokens, people.make_token, people.revoke_token,
    people.link_device, people.use_link, lobby.look_at_link,
    people.list_links, people.make_link, people.revoke_link,
    people.list_mutes, people.mute,
    acquaintances.list_acquaintances, acquaintances.follow, acquaintances.block, acquaintances.set_privacy,
    acquaintances.list_games, acquaintances.drop_invitation, acquaintances.find_person,
    acquaintances.show_profile, acquaintances.invite,
    account.show_account, account.begin_passkey, account.make_passkey, account.drop_passkey,
    account.new_codes, account.begin_sign_in, account.sign_in_by_passkey, account.sign_in_by_code,
    account.ask_way_back, account.use_way_back, account.begin_confirm,
    account.confirm, account.export_me,
    alerts.show_alerts, alerts.change_alerts, alerts.add_channel, alerts.drop_channel, alerts.test_channel,
    alerts.change_channel, alerts.confirm_mail, alerts.stop_mail,
    away.show_away, away.add_order, away.set_ahead, away.drop_order,
    away.show_times, away.set_hours, away.announce_holiday, away.drop_holiday,
    lobby.catalog, lobby.list_tables, lobby.list_own_tables, lobby.open_table,
    rules.list_clauses, rules.show_rules,
    table.show, table.stream, table.do, table.legal, table.draft, table.check, table.record,
    table.read_chat, table.say, table.delete_line, table.report_line, table.report_person,
    past.replay_table, past.summarize_table, past.replay_record, past.summarize_record,
    past.list_records, past.keep_record, past.download_record, past.drop_record,
    operator.sign_in, operator.sign_out, operator.overview, operator.operator_tables, operator.find_people,
    operator.list_reports, operator.show_report, operator.list_deeds, operator.begin_sanction,
    operator.lift_sanction, operator.close_table, operator.settle_report, operator.change_limit,
    operator.test_notice,
)  # fmt: skip
"""The handlers; each function has the name of its endpoint."""

_GATES: dict[str, Callable[[ApiRequest], None]] = {"keep_record": past.admit_record}
"""Checks of an endpoint that may refuse before the body is read."""


class Operation(Struct, frozen=True):
    """An endpoint and its handler; ``gate`` may refuse before the body is read."""

    endpoint: Endpoint
    handler: Handler
    gate: Callable[[ApiRequest], None] | None = None


def _operations() -> tuple[Operation, ...]:
    """Return an operation for every endpoint, in their order; raises ``KeyError`` for one without handler."""
    handlers = {handler.__name__: handler for handler in _HANDLERS}
    return tuple(Operation(one, handlers[one.name], _GATES.get(one.name)) for one in ENDPOINTS)


OPERATIONS = _operations()
"""Every operation of the API."""
