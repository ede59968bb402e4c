"""Every route of the HTTP API, as data: the server and the OpenAPI document are both made from this table."""

from __future__ import annotations

from typing import Any

from bohn.server.metrics import CONTENT_TYPE
from bohn.server.names import LANGUAGE
from bohn.server.refusals import Problem
from bohn.server.web import lobby_routes as lobby
from bohn.server.web import ops_routes as ops
from bohn.server.web import past_routes as past
from bohn.server.web import people_routes as people
from bohn.server.web import rules_routes as rules
from bohn.server.web import table_routes as table
from bohn.server.web.answers import NDJSON
from bohn.server.web.calls import Operation, Parameter
from bohn.server.wire import api, frames, replay
from bohn.views.preview import Preview

_KEY = Parameter("Idempotency-Key", "The id of the command; the same id is done at most once.")
_SINCE = Parameter("since", "The last seq that is known; the stream goes on behind it.")
_AFTER = Parameter("after", "The last line that is known.")
_LANGUAGE = Parameter("language", "The language to read in, such as de or pt-BR.", pattern=f"^{LANGUAGE}$")
_EDITION = Parameter("edition", "The edition; without it the plain 11-kind game.", pattern="^[a-z-]{1,32}$")
_PLAYERS = Parameter("players", "The number of players; without it four, or as near as the edition has.")
_HOUSE = Parameter(
    "house", "A house rule, such as field_price=2.", pattern="^[a-z_]{1,32}=[a-z0-9_:-]{1,32}$", many=True
)
_NAMES = (Problem.NAME_NOT_ALLOWED, Problem.LANGUAGE_UNKNOWN)
_SEAT = Parameter("seat", "The seat as which the game is seen; without it, as everybody saw it.")
_HANDS = Parameter("hands", "1 lays all hands open.")
_REPLAY: dict[str, Any] = {"stranger": True, "query": (_SEAT, _HANDS), "media": NDJSON}
_SHOWN = (Problem.NO_SUCH_SEAT, Problem.TOO_LARGE)
_T = "/api/tables/{table}"
_R = "/api/records/{record}"


def _get(path: str, handler: Any, result: Any, summary: str, **more: Any) -> Operation:
    return Operation(
        method="GET",
        path=path,
        name=handler.__name__,
        handler=handler,
        result=result,
        summary=summary,
        **more,
    )


def _post(path: str, handler: Any, body: Any, result: Any, summary: str, **more: Any) -> Operation:
    return Operation(
        method="POST",
        path=path,
        name=handler.__name__,
        handler=handler,
        body=body,
        result=result,
        summary=summary,
        **{"access": "play", **more},
    )


def _delete(path: str, handler: Any, summary: str, **more: Any) -> Operation:
    return Operation(
        method="DELETE",
        path=path,
        name=handler.__name__,
        handler=handler,
        result=api.Empty,
        summary=summary,
        **{"access": "play", **more},
    )


OPERATIONS: tuple[Operation, ...] = (
    # operators and tools
    _get("/healthz", ops.alive, api.Health, "Is the process alive?", access="open"),
    _get("/readyz", ops.ready, api.Health, "Are tables served?", access="open"),
    _get("/metrics", ops.metrics, str, "Counters for Prometheus", access="open", media=CONTENT_TYPE),
    # people
    _post("/api/guests", people.come_in, api.NewGuest, api.Me, "Come in: a name and a language are enough",
          access="open", problems=_NAMES),
    _get("/api/me", people.who_am_i, api.Me, "Who am I?"),
    Operation(method="PATCH", path="/api/me", name="change_me", handler=people.change_me, body=api.ChangeMe,
              result=api.Me, summary="Change my name or language", access="play", problems=_NAMES),
    _delete("/api/me", people.forget_me, "Delete my data", access="cookie"),
    _get("/api/me/tables", lobby.list_own_tables, api.TableList, "My tables"),
    _get("/api/me/tokens", people.list_tokens, tuple[api.TokenInfo, ...], "My cookies and tokens"),
    _post("/api/me/tokens", people.make_token, api.NewToken, api.TokenMade, "Make a token for a program",
          access="cookie", problems=(Problem.TOO_MANY, *_NAMES)),
    _delete("/api/me/tokens/{token}", people.revoke_token, "Revoke a cookie or token"),
    _post("/api/me/links", people.link_device, None, api.LinkMade, "Take my seats to another device",
          access="cookie"),
    _post("/api/links", people.use_link, api.UseLink, api.LinkUsed, "Exchange a link for what it opens",
          access="open", problems=(Problem.LINK_NOT_VALID, Problem.SIGNED_IN_ALREADY, *_NAMES)),
    _get("/api/me/mutes", people.list_mutes, api.Mutes, "Whom I do not read"),
    _post("/api/me/mutes", people.mute, api.MuteBody, api.Mutes, "Read somebody no more, or again",
          problems=(Problem.NOT_FOUND,)),
    # the lobby
    _get("/api/catalog", lobby.catalog, api.Catalog, "What a table may be made of", stranger=True),
    _get("/api/tables", lobby.list_tables, api.TableList, "The tables shown to everybody", stranger=True),
    _post("/api/tables", lobby.open_table, api.NewTable, api.TableMade, "Open a table",
          problems=(Problem.OPTIONS_NOT_VALID, Problem.UNKNOWN_BOT, Problem.SALT_NOT_VALID,
                    Problem.SERVER_FULL, Problem.NO_SUCH_TABLE, Problem.NO_SUCH_RECORD,
                    Problem.NO_SUCH_SEAT, Problem.NOT_FINISHED, Problem.NO_SPECTATORS),
          rules=True, headers=(_KEY,)),
    # the rules
    _get("/api/clauses", rules.list_clauses, api.ClauseList, "The clauses of the rules, in a language",
         stranger=True, query=(_LANGUAGE,), problems=(Problem.LANGUAGE_UNKNOWN,)),
    _get("/api/rules", rules.show_rules, api.RuleSheet, "What holds in a game", stranger=True,
         query=(_EDITION, _PLAYERS, _HOUSE), problems=(Problem.OPTIONS_NOT_VALID,)),
    # a table
    _get(_T, table.show, frames.Welcome, "The whole table, as I may see it", stranger=True,
         problems=(Problem.NO_SPECTATORS,)),
    _get(f"{_T}/stream", table.stream, frames.AnyServerFrame, "All that happens, one frame a line",
         stranger=True, query=(_SINCE,), media=NDJSON, endless=True,
         problems=(Problem.NO_SPECTATORS, Problem.SERVER_FULL)),
    _post(f"{_T}/commands", table.do, api.Do, api.Done, "Do something", headers=(_KEY,),
          problems=(Problem.COMMAND_ID_REUSED,), rules=True),
    _get(f"{_T}/legal", table.legal, api.Legal, "What I may do now"),
    _post(f"{_T}/draft", table.draft, api.Draft, Preview, "What an offer of mine would mean",
          access="read", rules=True),
    _post(f"{_T}/check", table.check, api.Ask, api.Verdict, "Would a command be refused, and why?",
          access="read"),
    _get(f"{_T}/record", table.record, Any, "The record of a finished game", stranger=True, media=NDJSON,
         problems=(Problem.NOT_FINISHED,)),
    _get(f"{_T}/replay", past.replay_table, replay.AnyReplayFrame, "A finished game, entry by entry",
         problems=(Problem.NOT_FINISHED, *_SHOWN), **_REPLAY),
    _get(f"{_T}/summary", past.summarize_table, replay.Summary, "A finished game in numbers", stranger=True,
         problems=(Problem.NOT_FINISHED,)),
    _get(f"{_T}/links", people.list_links, tuple[api.LinkInfo, ...], "The invitations I may take back"),
    _post(f"{_T}/links", people.make_link, None, api.LinkMade, "Invite to this table",
          problems=(Problem.NOT_HOST, Problem.TOO_MANY)),
    _delete(f"{_T}/links/{{link}}", people.revoke_link, "Take an invitation back"),
    _get(f"{_T}/chat", table.read_chat, api.ChatPage, "The chat", stranger=True, query=(_AFTER,)),
    _post(f"{_T}/chat", table.say, api.SayBody, frames.Line, "Say something",
          problems=(Problem.TEXT_NOT_ALLOWED,)),
    _delete(f"{_T}/chat/{{line}}", table.delete_line, "Delete a line: mine, or any as the host",
            problems=(Problem.NOT_HOST,)),
    _post(f"{_T}/chat/{{line}}/report", table.report_line, api.ReportBody, api.Empty,
          "Report a line to the operator"),
    # records
    _get("/api/me/records", past.list_records, replay.RecordList, "The records I keep here"),
    _post("/api/records", past.keep_record, api.RecordText, replay.RecordInfo, "Keep a record, once verified",
          takes=NDJSON, gate=past.admit_record, problems=(Problem.RECORD_NOT_VALID,)),
    _get(_R, past.download_record, Any, "A record as it was sent", stranger=True, media=NDJSON,
         problems=(Problem.NO_SUCH_RECORD,)),
    _delete(_R, past.drop_record, "Delete a record of mine", problems=(Problem.NO_SUCH_RECORD,)),
    _get(f"{_R}/replay", past.replay_record, replay.AnyReplayFrame, "A recorded game, entry by entry",
         problems=(Problem.NO_SUCH_RECORD, *_SHOWN), **_REPLAY),
    _get(f"{_R}/summary", past.summarize_record, replay.Summary, "A recorded game in numbers", stranger=True,
         problems=(Problem.NO_SUCH_RECORD,)),
)  # fmt: skip
"""Every operation of the API, in the order of its document."""
