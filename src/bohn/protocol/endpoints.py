"""Every endpoint of the HTTP API, as data: the server's routes and the OpenAPI document are made from it."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from bohn.protocol import account, alerts, api, away, frames, operator, people, replay
from bohn.protocol.refusals import Problem
from bohn.protocol.sanctions import SanctionKind
from bohn.views.preview import Preview

JSON = "application/json"
NDJSON = "application/x-ndjson"
"""One JSON value a line."""

PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"
"""What Prometheus reads (its text format)."""

LANGUAGE = "[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}"
"""The form of a language tag."""

Access = Literal["open", "read", "play", "cookie", "operator"]
"""What a caller needs: nothing; a token that may read or play; a cookie, which no token stands for.

Or the cookie of an operator, for which nothing else stands.
"""


class Parameter(Struct, frozen=True):
    """A header, or something in the query: a number, or text of this ``pattern``; ``many`` may repeat."""

    name: str
    summary: str
    pattern: str = ""
    many: bool = False


class Endpoint(Struct, frozen=True, kw_only=True):
    """One method of one path: who may ask, what is sent, and what comes back.

    ``stranger`` endpoints need no guest; ``media`` is the type of an answer that is no JSON, ``takes`` that
    of a body. ``rules`` tells that the rules may refuse, ``endless`` that the answer has no end.
    ``barred`` is from which sanction on it is refused, where :func:`barred_from` says another; ``spared``:
    never.
    """

    method: Literal["GET", "POST", "PATCH", "DELETE"]
    path: str
    name: str
    summary: str
    result: Any
    body: Any = None
    access: Access = "read"
    stranger: bool = False
    query: tuple[Parameter, ...] = ()
    headers: tuple[Parameter, ...] = ()
    problems: tuple[Problem, ...] = ()
    rules: bool = False
    endless: bool = False
    status: int = 200
    media: str = JSON
    takes: str = JSON
    barred: SanctionKind | None = None
    spared: bool = False


def barred_from(endpoint: Endpoint) -> SanctionKind | None:
    """Return from which sanction on an endpoint is refused; ``None``: it never is.

    A suspended person looks on, and may do nothing; to a banned one nothing is shown.
    """
    if endpoint.spared or endpoint.access == "operator":
        return None
    if endpoint.barred is not None or endpoint.access == "open":
        return endpoint.barred
    return "ban" if endpoint.access == "read" else "suspend"


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
_OVER_DAYS = (Problem.NOT_SEATED, Problem.NOT_OVER_DAYS)
_T = "/api/tables/{table}"
_R = "/api/records/{record}"
_A = "/api/account"
_C = "/api/me/alerts"
_P = "/api/me/times"
_TAKEN = (Problem.HANDLE_NOT_ALLOWED, Problem.HANDLE_MIXED, Problem.HANDLE_TAKEN)
_SIGN_IN: dict[str, Any] = {"access": "open", "barred": "suspend"}
_O = "/api/operator"
HANDLE = Parameter("handle", "The whole handle.", pattern="^[^\\x00-\\x1f]{0,64}$")
SEARCH = (
    Parameter("with", "A part of the name of somebody who has played, or his handle or id.",
              pattern="^[^\\x00-\\x1f]{0,64}$"),
    Parameter("edition", "The edition.", pattern="^[a-z-]{1,32}$"),
    Parameter("players", "The number of players.", pattern="^[0-9]{1,2}$"),
    Parameter("result", "A first place, or any other.", pattern="^(won|lost)$"),
    Parameter("since", "Games that ended at this time (ms) or later."),
    Parameter("until", "Games that ended before this time (ms)."),
    Parameter("before", "The `next` of the page before.", pattern="^[0-9]{1,15}[.][A-Za-z0-9_.:-]{1,64}$"),
)  # fmt: skip
_FIND = Parameter("find", "A part of a name, or an id.", pattern="^[^\\x00-\\x1f]{0,64}$")


def _get(path: str, name: str, result: Any, summary: str, **more: Any) -> Endpoint:
    return Endpoint(method="GET", path=path, name=name, result=result, summary=summary, **more)


def _post(path: str, name: str, body: Any, result: Any, summary: str, **more: Any) -> Endpoint:
    more = {"access": "play", **more}
    return Endpoint(method="POST", path=path, name=name, body=body, result=result, summary=summary, **more)


def _delete(path: str, name: str, summary: str, **more: Any) -> Endpoint:
    more = {"access": "play", "result": api.Empty, **more}
    return Endpoint(method="DELETE", path=path, name=name, summary=summary, **more)


ENDPOINTS: tuple[Endpoint, ...] = (
    # operators and tools
    _get("/healthz", "alive", api.Health, "Does the process live, and stay?", access="open"),
    _get("/readyz", "ready", api.Health, "Are tables served?", access="open"),
    _get("/metrics", "metrics", str, "Counters for Prometheus", access="open", media=PROMETHEUS),
    # people
    _post("/api/guests", "come_in", api.NewGuest, api.Me, "Come in: a name and a language are enough",
          access="open", problems=_NAMES, barred="suspend"),
    _get("/api/me", "who_am_i", api.Me, "Who am I?", spared=True),
    Endpoint(method="PATCH", path="/api/me", name="change_me", body=api.ChangeMe,
              result=api.Me, summary="Change my name or language", access="play", problems=_NAMES),
    _delete("/api/me", "forget_me", "Delete my data", access="cookie", spared=True,
            problems=(Problem.CONFIRM_FIRST,)),
    _get("/api/me/export", "export_me", account.Export, "All my data", access="cookie", spared=True),
    _get("/api/me/tables", "list_own_tables", api.TableList, "My tables"),
    _get("/api/me/tokens", "list_tokens", tuple[api.TokenInfo, ...], "My cookies and tokens", spared=True),
    _post("/api/me/tokens", "make_token", api.NewToken, api.TokenMade, "Make a token for a program",
          access="cookie", problems=(Problem.TOO_MANY, *_NAMES)),
    _delete("/api/me/tokens/{token}", "revoke_token", "Revoke a cookie or token", spared=True),
    _post("/api/me/links", "link_device", None, api.LinkMade, "Take my seats to another device",
          access="cookie", problems=(Problem.CONFIRM_FIRST,)),
    _post("/api/links", "use_link", api.UseLink, api.LinkUsed, "Exchange a link for what it opens",
          access="open", barred="suspend",
          problems=(Problem.LINK_NOT_VALID, Problem.SIGNED_IN_ALREADY, *_NAMES)),
    _post("/api/links/look", "look_at_link", api.LinkBody, api.LinkSeen, "What would a link open?",
          access="open", problems=(Problem.LINK_NOT_VALID,), barred="ban"),
    _get("/api/me/mutes", "list_mutes", api.Mutes, "Whom I do not read"),
    _post("/api/me/mutes", "mute", api.MuteBody, api.Mutes, "Read somebody no more, or again",
          problems=(Problem.NOT_FOUND,)),
    # people one knows
    _get("/api/me/people", "list_acquaintances", people.Acquaintances,
         "Whom I follow and block, and my invitations"),
    _post("/api/me/follows", "follow", people.FollowBody, people.Acquaintances, "Follow somebody, or no more",
          problems=(Problem.NOT_FOUND, Problem.TOO_MANY)),
    _post("/api/me/blocks", "block", people.BlockBody, people.Acquaintances, "Block somebody, or no more",
          problems=(Problem.NOT_FOUND, Problem.TOO_MANY)),
    _post("/api/me/privacy", "set_privacy", people.PrivacyBody, people.Acquaintances,
          "Show my profile, or keep it private"),
    _get("/api/me/games", "list_games", people.GamePage, "My finished games, searched", query=SEARCH),
    _delete("/api/me/invitations/{table}", "drop_invitation", "Say no to an invitation",
            result=people.Acquaintances),
    _get("/api/people", "find_person", people.KnownPerson, "Somebody by his handle", query=(HANDLE,),
         problems=(Problem.NO_SUCH_USER,)),
    _get("/api/people/{user}", "show_profile", people.Profile, "Somebody's games in numbers",
         problems=(Problem.NO_PROFILE,)),
    # playing times
    _get(_P, "show_times", away.TimesInfo, "When my clocks run at tables over days"),
    Endpoint(method="PATCH", path=_P, name="set_hours", body=away.ChangeHours, result=away.TimesInfo,
             summary="Say at which hours I play", access="play",
             problems=(Problem.ZONE_UNKNOWN, Problem.HOURS_NOT_VALID)),
    _post(f"{_P}/holidays", "announce_holiday", away.NewHoliday, away.TimesInfo, "Announce a holiday",
          problems=(Problem.ZONE_UNKNOWN, Problem.HOLIDAY_NOT_VALID, Problem.HOLIDAYS_USED)),
    _delete(f"{_P}/holidays/{{first}}", "drop_holiday", "Take a holiday back, or end it tonight",
            result=away.TimesInfo),
    # alerts
    _get(_C, "show_alerts", alerts.AlertsInfo, "By what and when I am told that a game waits for me",
         access="cookie", spared=True),
    Endpoint(method="PATCH", path=_C, name="change_alerts", body=alerts.ChangeAlerts,
             result=alerts.AlertsInfo, summary="Say when I want to be told", access="cookie",
             problems=(Problem.ZONE_UNKNOWN,)),
    _post(f"{_C}/channels", "add_channel", alerts.NewChannel, alerts.AlertsInfo, "Tell me here as well",
          access="cookie",
          problems=(Problem.CHANNEL_NOT_OFFERED, Problem.CHANNEL_NOT_VALID, Problem.TOO_MANY,
                    Problem.CONFIRM_FIRST)),
    Endpoint(method="PATCH", path=f"{_C}/channels/{{channel}}", name="change_channel",
             body=alerts.ChangeChannel, result=alerts.AlertsInfo, summary="Tell me of turns there, or not",
             access="cookie"),
    _delete(f"{_C}/channels/{{channel}}", "drop_channel", "Tell me here no more", access="cookie",
            result=alerts.AlertsInfo, spared=True, problems=(Problem.CONFIRM_FIRST,)),
    _post(f"{_C}/channels/{{channel}}/test", "test_channel", None, alerts.ChannelTested,
          "Send me something to see that it comes", access="cookie"),
    _post("/api/mail/confirm", "confirm_mail", alerts.MailToken, api.Empty,
          "Confirm an e-mail address by the link that was sent to it", access="open", barred="suspend",
          problems=(Problem.LINK_NOT_VALID,)),
    _post("/api/mail/stop/{channel}/{key}", "stop_mail", None, api.Empty,
          "No more e-mail about turns, by the link in it", access="open", spared=True,
          problems=(Problem.LINK_NOT_VALID,)),
    # accounts
    _get(_A, "show_account", account.AccountInfo, "My account", access="cookie", spared=True),
    _post(f"{_A}/passkeys/begin", "begin_passkey", account.BeginPasskey, account.CeremonyBegun,
          "Begin to make a passkey", access="cookie",
          problems=(Problem.NO_ACCOUNTS, Problem.CONFIRM_FIRST, Problem.TOO_MANY, *_TAKEN)),
    _post(f"{_A}/passkeys", "make_passkey", account.FinishPasskey, account.PasskeyMade,
          "Keep the passkey; the first one makes the account", access="cookie",
          problems=(Problem.NO_ACCOUNTS, Problem.CONFIRM_FIRST, Problem.TOO_MANY, Problem.PASSKEY_NOT_VALID,
                    Problem.HANDLE_TAKEN)),
    _delete(f"{_A}/passkeys/{{passkey}}", "drop_passkey", "Delete a passkey, but the last",
            access="cookie", result=account.AccountInfo,
            problems=(Problem.CONFIRM_FIRST, Problem.LAST_PASSKEY)),
    _post(f"{_A}/codes", "new_codes", None, account.RecoveryCodes, "Make new recovery codes",
          access="cookie", problems=(Problem.NO_ACCOUNT, Problem.CONFIRM_FIRST)),
    _post(f"{_A}/sign-in/begin", "begin_sign_in", None, account.CeremonyBegun,
          "Begin to sign in by a passkey", problems=(Problem.NO_ACCOUNTS,), **_SIGN_IN),
    _post(f"{_A}/sign-in", "sign_in_by_passkey", account.SignIn, api.Me, "Sign in by a passkey",
          problems=(Problem.NO_ACCOUNTS, Problem.PASSKEY_NOT_VALID), **_SIGN_IN),
    _post(f"{_A}/recover", "sign_in_by_code", account.UseCode, api.Me, "Sign in by a recovery code",
          problems=(Problem.NO_ACCOUNTS, Problem.CODE_NOT_VALID), **_SIGN_IN),
    _post(f"{_A}/way-back", "ask_way_back", account.AskWayBack, api.Empty,
          "Send a link to a confirmed address; the answer is the same for every address",
          problems=(Problem.CHANNEL_NOT_OFFERED,), **_SIGN_IN),
    _post(f"{_A}/way-back/use", "use_way_back", account.UseWayBack, api.Me, "Sign in by that link",
          problems=(Problem.CHANNEL_NOT_OFFERED, Problem.LINK_NOT_VALID), **_SIGN_IN),
    _post(f"{_A}/confirm/begin", "begin_confirm", None, account.CeremonyBegun,
          "Begin to confirm this session by a passkey", access="cookie", spared=True,
          problems=(Problem.NO_ACCOUNTS, Problem.NO_ACCOUNT)),
    _post(f"{_A}/confirm", "confirm", account.Confirm, account.AccountInfo, "Confirm this session",
          access="cookie", spared=True, problems=(Problem.NO_ACCOUNTS, Problem.PASSKEY_NOT_VALID)),
    # the lobby
    _get("/api/catalog", "catalog", api.Catalog, "What a table may be made of", stranger=True),
    _get("/api/tables", "list_tables", api.TableList, "The tables shown to everybody", stranger=True),
    _post("/api/tables", "open_table", api.NewTable, api.TableMade, "Open a table",
          problems=(Problem.OPTIONS_NOT_VALID, Problem.UNKNOWN_BOT, Problem.SALT_NOT_VALID,
                    Problem.SERVER_FULL, Problem.NO_SUCH_TABLE, Problem.NO_SUCH_RECORD,
                    Problem.NO_SUCH_SEAT, Problem.NOT_FINISHED, Problem.NO_SPECTATORS),
          rules=True, headers=(_KEY,)),
    # the rules
    _get("/api/clauses", "list_clauses", api.ClauseList, "The clauses of the rules, in a language",
         stranger=True, query=(_LANGUAGE,), problems=(Problem.LANGUAGE_UNKNOWN,)),
    _get("/api/rules", "show_rules", api.RuleSheet, "What holds in a game", stranger=True,
         query=(_EDITION, _PLAYERS, _HOUSE), problems=(Problem.OPTIONS_NOT_VALID,)),
    # a table
    _get(_T, "show", frames.Welcome, "The whole table, as I may see it", stranger=True,
         problems=(Problem.NO_SPECTATORS,)),
    _get(f"{_T}/stream", "stream", frames.AnyServerFrame, "All that happens, one frame a line",
         stranger=True, query=(_SINCE,), media=NDJSON, endless=True,
         problems=(Problem.NO_SPECTATORS, Problem.SERVER_FULL)),
    _post(f"{_T}/commands", "do", api.Do, api.Done, "Do something", headers=(_KEY,),
          problems=(Problem.COMMAND_ID_REUSED,), rules=True),
    _get(f"{_T}/legal", "legal", api.Legal, "What I may do now"),
    _get(f"{_T}/away", "show_away", away.AwayInfo, "What I have left with a table over days",
         problems=_OVER_DAYS),
    _post(f"{_T}/away", "add_order", away.Terms, away.AwayInfo, "Leave an order for the beats to come",
          problems=(*_OVER_DAYS, Problem.ORDER_NOT_VALID, Problem.TOO_MANY, Problem.NOT_STARTED,
                    Problem.TABLE_OVER)),
    _post(f"{_T}/away/moves", "set_ahead", away.NewMove, away.AwayInfo, "Set a move ahead",
          problems=(*_OVER_DAYS, Problem.ORDER_NOT_VALID, Problem.TOO_MANY, Problem.NOT_STARTED,
                    Problem.TABLE_OVER)),
    _delete(f"{_T}/away/{{order}}", "drop_order", "Take an order back, or a move", result=away.AwayInfo,
            problems=_OVER_DAYS),
    _post(f"{_T}/draft", "draft", api.Draft, Preview, "What an offer of mine would mean",
          access="read", rules=True),
    _post(f"{_T}/check", "check", api.Ask, api.Verdict, "Would a command be refused, and why?",
          access="read"),
    _get(f"{_T}/record", "record", Any, "The record of a finished game", stranger=True, media=NDJSON,
         problems=(Problem.NOT_FINISHED,)),
    _get(f"{_T}/replay", "replay_table", replay.AnyReplayFrame, "A finished game, entry by entry",
         problems=(Problem.NOT_FINISHED, *_SHOWN), **_REPLAY),
    _get(f"{_T}/summary", "summarize_table", replay.Summary, "A finished game in numbers", stranger=True,
         problems=(Problem.NOT_FINISHED,)),
    _get(f"{_T}/links", "list_links", tuple[api.LinkInfo, ...], "The invitations I may take back"),
    _post(f"{_T}/links", "make_link", None, api.LinkMade, "Invite to this table",
          problems=(Problem.NOT_HOST, Problem.TOO_MANY)),
    _delete(f"{_T}/links/{{link}}", "revoke_link", "Take an invitation back"),
    _post(f"{_T}/invitations", "invite", people.InviteBody, people.InvitationsSent, "Ask people to come",
          problems=(Problem.NOT_HOST, Problem.TABLE_OVER, Problem.NOT_INVITABLE)),
    _get(f"{_T}/chat", "read_chat", api.ChatPage, "The chat", stranger=True, query=(_AFTER,)),
    _post(f"{_T}/chat", "say", api.SayBody, frames.Line, "Say something",
          problems=(Problem.TEXT_NOT_ALLOWED, Problem.SENT_AWAY), barred="mute"),
    _delete(f"{_T}/chat/{{line}}", "delete_line", "Delete a line: mine, or any as the host",
            problems=(Problem.NOT_HOST,)),
    _post(f"{_T}/chat/{{line}}/report", "report_line", api.ReportBody, api.Empty,
          "Report a line to the operator"),
    _post(f"{_T}/reports", "report_person", api.ReportPerson, api.Empty,
          "Report somebody at the table to the operator",
          problems=(Problem.NO_SUCH_USER, Problem.TEXT_NOT_ALLOWED)),
    # records
    _get("/api/me/records", "list_records", replay.RecordList, "The records I keep here"),
    _post("/api/records", "keep_record", api.RecordText, replay.RecordInfo, "Keep a record, once verified",
          takes=NDJSON, problems=(Problem.RECORD_NOT_VALID,)),
    _get(_R, "download_record", Any, "A record as it was sent", stranger=True, media=NDJSON,
         problems=(Problem.NO_SUCH_RECORD,)),
    _delete(_R, "drop_record", "Delete a record of mine", problems=(Problem.NO_SUCH_RECORD,)),
    _get(f"{_R}/replay", "replay_record", replay.AnyReplayFrame, "A recorded game, entry by entry",
         problems=(Problem.NO_SUCH_RECORD, *_SHOWN), **_REPLAY),
    _get(f"{_R}/summary", "summarize_record", replay.Summary, "A recorded game in numbers", stranger=True,
         problems=(Problem.NO_SUCH_RECORD,)),
    # an operator
    _post(f"{_O}/session", "sign_in", operator.OperatorToken, operator.OperatorSession,
          "Sign in by a link of `bohn admin link`", access="open", problems=(Problem.LINK_NOT_VALID,)),
    _delete(f"{_O}/session", "sign_out", "Sign out", access="operator"),
    _get(_O, "overview", operator.Overview, "Load, sanctions and limits", access="operator"),
    _get(f"{_O}/tables", "operator_tables", operator.OperatorTables, "All tables that are not over",
         access="operator"),
    _get(f"{_O}/people", "find_people", operator.SeenPeople, "People by their name or id", access="operator",
         query=(_FIND,)),
    _get(f"{_O}/reports", "list_reports", operator.ReportList, "The reports", access="operator"),
    _get(f"{_O}/reports/{{report}}", "show_report", operator.ReportContext, "A report with its context",
         access="operator"),
    _get(f"{_O}/deeds", "list_deeds", operator.DeedList, "What operators did", access="operator"),
    _post(f"{_O}/sanctions", "begin_sanction", operator.NewSanction, operator.SanctionsMade,
          "Mute, suspend or ban", access="operator",
          problems=(Problem.NO_SUCH_USER, Problem.OWN_SELF, Problem.EVERYBODYS_ADDRESS, Problem.OUT_OF_RANGE,
                    Problem.NOT_FOUND, Problem.TEXT_NOT_ALLOWED)),
    _delete(f"{_O}/sanctions/{{sanction}}", "lift_sanction", "Lift a sanction", access="operator"),
    _post(f"{_O}/tables/{{table}}/close", "close_table", operator.CloseTable, api.Empty,
          "Close a table with a word to its players", access="operator",
          problems=(Problem.TABLE_OVER, Problem.TEXT_NOT_ALLOWED)),
    _post(f"{_O}/reports/{{report}}/settle", "settle_report", operator.SettleReport, api.Empty,
          "Nothing more is done about a report", access="operator", problems=(Problem.TEXT_NOT_ALLOWED,)),
    _post(f"{_O}/limits", "change_limit", operator.ChangeLimit, api.Empty, "Change a limit",
          access="operator", problems=(Problem.NOT_FOUND, Problem.OUT_OF_RANGE)),
    _post(f"{_O}/notices/test", "test_notice", operator.NoticeTest, operator.NoticeTested,
          "Send a test, as people are told that a game waits for them", access="operator",
          problems=(Problem.CHANNEL_NOT_OFFERED,)),
)  # fmt: skip
"""Every endpoint of the API, in the order of its document."""
