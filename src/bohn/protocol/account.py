"""Bodies of the HTTP API about accounts: passkeys, recovery codes, signing in, and one's data.

Times are in ms since 1970; ``options`` and ``credential`` are the JSON forms of WebAuthn, which a page hands
to the browser, and gets from it, as they are.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from bohn.protocol.alerts import AlertsInfo
from bohn.protocol.api import Body, Me, TokenInfo
from bohn.protocol.away import Days, MoveAhead, Terms
from bohn.protocol.replay import RecordInfo
from bohn.protocol.room import Hours


class PasskeyInfo(Struct, frozen=True):
    """A passkey, by its name here; ``synced``: its owner has it on several devices."""

    id: str
    label: str
    created: int
    used: int
    synced: bool


class AccountInfo(Struct, frozen=True):
    """The account of the one who asks; ``handle`` is empty for a guest, who has none.

    ``codes`` counts the recovery codes that are left. Until ``confirmed`` this session may change who can
    sign in; 0: it has to be confirmed first.
    """

    handle: str
    created: int
    passkeys: tuple[PasskeyInfo, ...]
    codes: int
    confirmed: int


class CeremonyBegun(Struct, frozen=True):
    """What a browser is to ask an authenticator; ``ticket`` comes back with the answer, once."""

    ticket: str
    options: dict[str, Any]


class BeginPasskey(Body, frozen=True):
    """Make a passkey: the first one with the ``handle`` that the account shall have."""

    handle: str = ""


class FinishPasskey(Body, frozen=True):
    """The new passkey, as the browser gives it; ``label`` is what its device is called."""

    ticket: str
    credential: dict[str, Any]
    label: str = ""


class PasskeyMade(Struct, frozen=True):
    """The account with the new passkey; with the first one its recovery codes, which are shown once."""

    account: AccountInfo
    codes: tuple[str, ...]


class SignIn(Body, frozen=True):
    """The answer of a passkey; ``label`` is what this device is called in the list of sessions."""

    ticket: str
    credential: dict[str, Any]
    label: str = ""


class UseCode(Body, frozen=True):
    """A recovery code, which is used up; ``label`` is what this device is called in the list of sessions."""

    code: str
    label: str = ""


class AskWayBack(Body, frozen=True):
    """An e-mail address, to which a link is sent if an account has confirmed it."""

    address: str


class UseWayBack(Body, frozen=True):
    """What the link has in it, once; ``label`` is what this device is called in the list of sessions."""

    token: str
    label: str = ""


class Confirm(Body, frozen=True):
    """The answer of a passkey of one's own account, in the session that it confirms."""

    ticket: str
    credential: dict[str, Any]


class RecoveryCodes(Struct, frozen=True):
    """New recovery codes, shown once; all older ones are void."""

    codes: tuple[str, ...]


class ExportedTable(Struct, frozen=True):
    """A table at which one owns a seat; ``/api/tables/{table}/record`` is its record once it is over."""

    table: str
    edition: str
    players: int
    status: str
    opened: int
    moved: int


class ExportedLine(Struct, frozen=True):
    """A line of chat; ``key`` is the quick phrase that it was, else it has a ``text``."""

    table: str
    at: int
    text: str
    key: str


class ExportedReport(Struct, frozen=True):
    """A report of one's own: whom it is ``against``, what was said, and the reason one gave."""

    table: str
    against: str
    at: int
    text: str
    reason: str


class ExportedInvitation(Struct, frozen=True):
    """An invitation that one has got or sent: ``by`` asks ``to`` to come to a table."""

    table: str
    by: str
    to: str
    at: int


class ExportedResult(Struct, frozen=True):
    """How one did in a finished game."""

    table: str
    at: int
    edition: str
    players: int
    place: int
    coins: int
    trades: int
    gifts_given: int
    gifts_received: int


class ExportedAlert(Struct, frozen=True):
    """A table at which one was to be told of a turn that had begun then; ``told``: one was."""

    table: str
    begun: int
    told: bool


class ExportedOrder(Struct, frozen=True):
    """A standing order at a table over days, and when it was left there."""

    table: str
    created: int
    terms: Terms


class ExportedMove(Struct, frozen=True):
    """A move that was set ahead at a table over days, and when."""

    table: str
    created: int
    move: MoveAhead


class ExportedTimes(Struct, frozen=True):
    """Playing hours and holidays at tables over days."""

    hours: Hours
    holidays: tuple[Days, ...]


class Export(Struct, frozen=True):
    """All that is stored of somebody, without secrets, and without what others have written."""

    me: Me
    created: int
    account: AccountInfo
    sessions: tuple[TokenInfo, ...]
    tables: tuple[ExportedTable, ...]
    records: tuple[RecordInfo, ...]
    mutes: tuple[str, ...]
    blocks: tuple[str, ...]
    follows: tuple[str, ...]
    private_profile: bool
    invitations: tuple[ExportedInvitation, ...]
    results: tuple[ExportedResult, ...]
    lines: tuple[ExportedLine, ...]
    reports: tuple[ExportedReport, ...]
    alerts: AlertsInfo
    turns: tuple[ExportedAlert, ...]
    orders: tuple[ExportedOrder, ...] = ()
    moves: tuple[ExportedMove, ...] = ()
    times: ExportedTimes | None = None
