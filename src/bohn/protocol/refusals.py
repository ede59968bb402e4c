"""Refusals of the server as data, beside those of the rules (:class:`bohn.rules.errors.IllegalCommand`)."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from bohn.rules.errors import BohnError


class Problem(StrEnum):
    """Why the server refuses; the code is also the translation key ``problem.<code>``."""

    # what was sent
    NOT_JSON = "not-json"
    NOT_UNDERSTOOD = "not-understood"
    TOO_LARGE = "too-large"
    TOO_DEEP = "too-deep"
    COMMAND_ID_REUSED = "command-id-reused"
    NOT_FOUND = "not-found"
    METHOD_NOT_ALLOWED = "method-not-allowed"
    # who sent it
    NO_GUEST = "no-guest"
    FOREIGN_ORIGIN = "foreign-origin"
    SCOPE_MISSING = "scope-missing"
    NAME_NOT_ALLOWED = "name-not-allowed"
    LANGUAGE_UNKNOWN = "language-unknown"
    LINK_NOT_VALID = "link-not-valid"
    MUTED = "muted"
    SUSPENDED = "suspended"
    BANNED = "banned"
    SIGNED_IN_ALREADY = "signed-in-already"
    TEXT_NOT_ALLOWED = "text-not-allowed"
    # accounts
    NO_ACCOUNTS = "no-accounts"
    NO_ACCOUNT = "no-account"
    HANDLE_NOT_ALLOWED = "handle-not-allowed"
    HANDLE_MIXED = "handle-mixed"
    HANDLE_TAKEN = "handle-taken"
    PASSKEY_NOT_VALID = "passkey-not-valid"
    LAST_PASSKEY = "last-passkey"
    CODE_NOT_VALID = "code-not-valid"
    CONFIRM_FIRST = "confirm-first"
    # alerts
    CHANNEL_NOT_OFFERED = "channel-not-offered"
    CHANNEL_NOT_VALID = "channel-not-valid"
    ZONE_UNKNOWN = "zone-unknown"
    # how much was sent
    RATE_LIMITED = "rate-limited"
    TOO_SLOW = "too-slow"
    SERVER_FULL = "server-full"
    SERVER_STOPPING = "server-stopping"
    TOO_MANY = "too-many"
    # the store, and ourselves
    NOT_SAVED = "not-saved"
    INTERNAL = "internal"
    # the table
    NO_SUCH_TABLE = "no-such-table"
    OPTIONS_NOT_VALID = "options-not-valid"
    NOT_YOUR_SEAT = "not-your-seat"
    NOT_SEATED = "not-seated"
    NO_SUCH_SEAT = "no-such-seat"
    SEAT_TAKEN = "seat-taken"
    SEATED_ALREADY = "seated-already"
    SEAT_EMPTY = "seat-empty"
    SEATS_EMPTY = "seats-empty"
    NOT_HOST = "not-host"
    UNKNOWN_BOT = "unknown-bot"
    ALREADY_STARTED = "already-started"
    NOT_STARTED = "not-started"
    NOT_FINISHED = "not-finished"
    TABLE_OVER = "table-over"
    TABLE_PAUSED = "table-paused"
    NOT_PAUSED = "not-paused"
    SALT_NOT_VALID = "salt-not-valid"
    NOT_HANDED_OVER = "not-handed-over"
    HAS_CLOCK = "has-clock"
    NOT_QUIET = "not-quiet"
    NOT_WAITED_FOR = "not-waited-for"
    CALLED_ALREADY = "called-already"
    REMATCH_MADE = "rematch-made"
    NO_SPECTATORS = "no-spectators"
    SENT_AWAY = "sent-away"
    NO_SEAT_FOR_YOU = "no-seat-for-you"
    REMOVED = "removed"
    NOT_OVER_DAYS = "not-over-days"
    ORDER_NOT_VALID = "order-not-valid"
    HOURS_NOT_VALID = "hours-not-valid"
    HOLIDAY_NOT_VALID = "holiday-not-valid"
    HOLIDAYS_USED = "holidays-used"
    # people one knows
    NOT_INVITABLE = "not-invitable"
    NO_PROFILE = "no-profile"
    # operators
    NO_OPERATOR = "no-operator"
    NO_SUCH_USER = "no-such-user"
    OWN_SELF = "own-self"
    EVERYBODYS_ADDRESS = "everybodys-address"
    OUT_OF_RANGE = "out-of-range"
    # records
    NO_SUCH_RECORD = "no-such-record"
    RECORD_NOT_VALID = "record-not-valid"


STATUS: dict[Problem, int] = {
    Problem.NO_GUEST: 401,
    Problem.FOREIGN_ORIGIN: 403,
    Problem.SCOPE_MISSING: 403,
    Problem.NOT_YOUR_SEAT: 403,
    Problem.MUTED: 403,
    Problem.SUSPENDED: 403,
    Problem.BANNED: 403,
    Problem.NO_OPERATOR: 401,
    Problem.NO_SUCH_USER: 404,
    Problem.OUT_OF_RANGE: 400,
    Problem.NOT_HOST: 403,
    Problem.NO_SPECTATORS: 403,
    Problem.SENT_AWAY: 403,
    Problem.NO_SEAT_FOR_YOU: 403,
    Problem.NO_PROFILE: 404,
    Problem.REMOVED: 403,
    Problem.LINK_NOT_VALID: 404,
    Problem.NO_ACCOUNT: 404,
    Problem.HANDLE_NOT_ALLOWED: 400,
    Problem.HANDLE_MIXED: 400,
    Problem.PASSKEY_NOT_VALID: 403,
    Problem.CODE_NOT_VALID: 403,
    Problem.CONFIRM_FIRST: 403,
    Problem.CHANNEL_NOT_VALID: 400,
    Problem.ZONE_UNKNOWN: 400,
    Problem.NOT_FOUND: 404,
    Problem.NO_SUCH_TABLE: 404,
    Problem.METHOD_NOT_ALLOWED: 405,
    Problem.TOO_LARGE: 413,
    Problem.RATE_LIMITED: 429,
    Problem.NOT_SAVED: 503,
    Problem.INTERNAL: 500,
    Problem.SERVER_FULL: 503,
    Problem.SERVER_STOPPING: 503,
    Problem.NOT_JSON: 400,
    Problem.NOT_UNDERSTOOD: 400,
    Problem.TOO_DEEP: 400,
    Problem.NAME_NOT_ALLOWED: 400,
    Problem.LANGUAGE_UNKNOWN: 400,
    Problem.TEXT_NOT_ALLOWED: 400,
    Problem.OPTIONS_NOT_VALID: 400,
    Problem.SALT_NOT_VALID: 400,
    Problem.ORDER_NOT_VALID: 400,
    Problem.HOURS_NOT_VALID: 400,
    Problem.HOLIDAY_NOT_VALID: 400,
    Problem.NO_SUCH_RECORD: 404,
    Problem.RECORD_NOT_VALID: 400,
}
"""The HTTP status of each problem; 409, a conflict with what is, for all others and those of the rules."""


class Refusal(BohnError):  # noqa: N818 - a fact, beside IllegalCommand
    """The server refuses; nothing has changed. ``params`` name only what the sender may know."""

    def __init__(self, problem: Problem, /, **params: Any) -> None:
        """Keep the problem and its parameters as data."""
        self.problem = problem
        self.params: dict[str, Any] = params
        super().__init__(problem.value)

    @property
    def status(self) -> int:
        """The HTTP status that fits."""
        return STATUS.get(self.problem, 409)
