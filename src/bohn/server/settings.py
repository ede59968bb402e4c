"""The server's settings: limits, times (in ms unless said otherwise), and addresses."""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """What one client, user or table may use. Rates are token buckets: a burst, then a rate a second."""

    frame_bytes: int = 32_768
    body_bytes: int = 32_768
    json_depth: int = 12
    sockets: int = 4_000
    sockets_an_address: int = 64
    tables: int = 2_000
    tables_a_user: int = 8
    tables_an_address: int = 128
    outbox_frames: int = 256
    outbox_bytes: int = 1_048_576
    gap_rows: int = 400
    commands_at_once: int = 60
    commands_a_second: float = 8.0
    requests_at_once: int = 400
    requests_a_second: float = 40.0
    guests_at_once: int = 120
    guests_a_second: float = 0.05
    changes_at_once: int = 60
    changes_a_second: float = 1.0
    chat_at_once: int = 8
    chat_a_second: float = 1.0
    chat_letters: int = 500
    chat_lines: int = 5_000
    reports_at_once: int = 10
    reports_a_second: float = 0.001
    invitations_at_once: int = 12
    invitations_a_second: float = 0.05
    links_a_table: int = 20
    tokens_a_user: int = 20
    log_rows: int = 40_000
    begun_entries: int = 4_000
    record_bytes: int = 2_097_152
    records_a_user: int = 20
    passkeys_a_user: int = 20
    channels_a_user: int = 10
    alert_tests_at_once: int = 5
    alert_tests_a_second: float = 0.02
    mails_at_once: int = 5
    mails_a_second: float = 0.002
    sign_ins_at_once: int = 30
    sign_ins_a_second: float = 0.2
    replays_at_once: int = 40
    replays_a_second: float = 1.0

    def __post_init__(self) -> None:
        """Refuse limits under which nobody could be served."""
        for name in self.__struct_fields__:
            if getattr(self, name) <= 0:
                msg = f"expected {name} to be more than 0, not {getattr(self, name)}"
                raise ValueError(msg)


class Times(Struct, frozen=True, forbid_unknown_fields=True):
    """How long things take, in ms.

    Bots: ``bot_move`` before each move outside the trading, ``bot_delay`` before each look at what people
    take part in, ``bot_chatter`` among themselves, ``bot_beside_people`` before they answer what people are
    asked as well. Beside people the shortest ``bot_delay`` passes behind every offer to them as well, with
    ``bot_move``; twice before an answer among bots, with ``bot_chatter``, and before the first look at a
    bot's trading. ``bot_quiet`` is how
    long nothing may have happened before a bot ends its trading, a sixth of what people have at least to look
    at it, and a quarter of what they have for their next offer; in the first market of a game that a bot ends
    it waits ``bot_first_market`` for who has done nothing. ``bot_open`` is how long it leaves open what
    people are asked who may have the beans and have not said that they have traded enough. ``bot_asks`` is a
    number of offers: those of a bot in a turn that reach people; what it proposes beyond that goes to bots
    only.

    ``composing`` is how long the sign holds that somebody puts an offer together, unless it is given again;
    ``composing_most`` how long it may hold in one trading.

    Of several workers each renews its leases every ``beat``, for ``lease``, and reads every ``sweep`` what
    the others have written. One that is told to stop says so to its proxy and goes on for ``notice``: so
    long the proxy may take to choose others.

    Without a clock players may call for the choice after ``silence``; whoever is waited for has ``warned`` to
    move by himself, once enough have called.

    ``absence`` is the longest time without a server that a start believes. A system clock that tells of more
    is followed so far only: one that is wrong ends little of what holds for a time, and the next starts
    follow further. Clocks and invitations lose nothing in either case.

    The link that confirms an e-mail address holds for ``mail_link``, one that lets in by e-mail for
    ``way_back``.

    A passkey has to answer its ``challenge`` within that time. A session is ``confirmed`` for so long, and
    may change who can sign in, once its owner has shown who he is.

    Every ``alerts`` is looked whom a game waits for who is to be told.

    Tables at which nobody looks: ``unowned_table`` is how long one stays open in which no seat has an owner
    (bots may sit there), and ``unowned_game`` how long such a game stays; then they are abandoned.
    ``idle_table`` is when a table leaves memory, ``stale_table`` when it leaves the lobby.
    """

    collect: int = 400
    last_call: int = 3_000
    silence: int = 120_000
    warned: int = 10_000
    away: int = 15_000
    host_grace: int = 60_000
    bot_move: tuple[int, int] = (300, 700)
    bot_delay: tuple[int, int] = (800, 2_500)
    bot_chatter: tuple[int, int] = (150, 400)
    bot_beside_people: tuple[int, int] = (3_000, 4_500)
    bot_quiet: int = 2_000
    bot_first_market: int = 40_000
    bot_open: tuple[int, int] = (12_000, 15_000)
    bot_asks: int = 2
    bot_limit: int = 5_000
    composing: int = 12_000
    composing_most: int = 60_000
    poll: int = 100
    sweep: int = 1_000
    beat: int = 1_000
    lease: int = 3_500
    absence: int = 30 * 24 * 3_600_000
    notice: int = 1_500
    stop: int = 5_000
    link: int = 7 * 24 * 3_600_000
    device_link: int = 3_600_000
    cookie: int = 365 * 24 * 3_600_000
    idle_table: int = 600_000
    stale_table: int = 6 * 3_600_000
    unowned_table: int = 300_000
    unowned_game: int = 24 * 3_600_000
    ping: int = 20_000
    slow_decision: int = 60_000
    slow_trading: int = 180_000
    fast_decision: int = 20_000
    fast_trading: int = 60_000
    verify: int = 10_000
    lesson_delay: int = 800
    challenge: int = 300_000
    mail_link: int = 24 * 3_600_000
    way_back: int = 1_800_000
    alerts: int = 1_000
    confirmed: int = 600_000

    def __post_init__(self) -> None:
        """Refuse times that run backwards."""
        for name in self.__struct_fields__:
            value = getattr(self, name)
            low, high = value if isinstance(value, tuple) else (value, value)
            if not 0 <= low <= high:
                msg = f"expected {name} to be 0 or more, and a span to rise, not {value}"
                raise ValueError(msg)


LONGEST_REST = 1_000
"""How many times as long as a batch of retention took may at most be rested behind it."""


class Retention(Struct, frozen=True, forbid_unknown_fields=True):
    """How many days what is over stays; 0: for ever.

    ``finished`` and ``abandoned`` are tables, from their last move on. ``guests`` have not been here for so
    long, ``visitors`` on one day only and sit nowhere; both are forgotten as if they had asked for it, and
    nobody is who has a token or sits at a table that is not over. ``chat`` is lines, ``records`` what people
    have stored, which goes with them in any case, and ``reports`` those that something was done about.
    ``sanctions`` have ended. ``unfinished`` tables are open or in play, and nobody has moved there for so
    long: they are given up, and go with the others that were.

    ``archive`` is a folder into which finished games are written first; a game that is not written there
    stays. People stand in its records as seats unless ``names`` are wanted. ``every`` is how often is looked
    for what is due, in ms; ``rest`` how many times as long as each batch took is rested behind it.
    """

    finished: int = 365
    abandoned: int = 30
    guests: int = 365
    visitors: int = 30
    chat: int = 180
    records: int = 0
    reports: int = 365
    sanctions: int = 365
    unfinished: int = 365
    archive: str | None = None
    names: bool = False
    every: int = 600_000
    rest: float = 4.0

    def __post_init__(self) -> None:
        """Refuse days that have not come yet, and to look without a pause."""
        for name in (
            *("finished", "abandoned", "guests", "visitors", "chat", "records", "reports", "sanctions"),
            "unfinished",
        ):
            if getattr(self, name) < 0:
                msg = f"expected {name} to be a number of days, or 0 for ever, not {getattr(self, name)}"
                raise ValueError(msg)
        if self.every <= 0:
            msg = f"expected every to be more than 0 ms, not {self.every}"
            raise ValueError(msg)
        if not 0 <= self.rest <= LONGEST_REST:
            msg = f"expected rest to be a number from 0 to {LONGEST_REST}, not {self.rest}"
            raise ValueError(msg)


class Alerts(Struct, frozen=True, forbid_unknown_fields=True):
    """By what people may be told that a game waits for them; docs/notices.md tells more.

    ``contact`` is where a push service reaches whoever runs the server: ``mailto:...`` or ``https://...``.
    ``private`` allows addresses in private networks, and such without TLS: whoever plays here can then have
    this machine send requests to whatever it reaches.

    ``ntfy`` is the address of an ntfy server, the operator's own or a public one; without it there is none.
    Its access token stands in the file ``ntfy_token_file``, else in ``BOHN_NTFY_TOKEN``. ``hooks`` lets
    people name addresses to which messages are posted, such as those of Discord and Slack.
    """

    push: bool = True
    contact: str = ""
    private: bool = False
    ntfy: str = ""
    ntfy_token_file: str = ""
    hooks: bool = False

    def __post_init__(self) -> None:
        """Refuse a contact that push services would refuse, and an ntfy server that is no address."""
        if self.ntfy and not re.fullmatch(r"https?://[^\s/?#@]+(/[^\s?#]*)?", self.ntfy):
            msg = f"expected ntfy to be an address such as https://ntfy.sh, not {self.ntfy!r}"
            raise ValueError(msg)
        if self.contact and not self.contact.startswith(("mailto:", "https://")):
            msg = f"expected contact to begin with mailto: or https://, not {self.contact!r}"
            raise ValueError(msg)


class Mail(Struct, frozen=True, forbid_unknown_fields=True):
    """The SMTP server that takes e-mail; without a ``host`` there is none, and no e-mail is offered.

    ``tls`` is how the connection is encrypted: by STARTTLS, from its beginning, or ``none``. Without a
    ``port`` it is the usual one of each: 587, 465, 25. The password of the ``user`` stands in the file
    ``password_file``, else in the environment variable ``BOHN_SMTP_PASSWORD``. ``sender`` is the address from
    which e-mail comes.
    """

    host: str = ""
    port: int = 0
    tls: Literal["starttls", "tls", "none"] = "starttls"
    user: str = ""
    password_file: str = ""
    sender: str = ""

    def __post_init__(self) -> None:
        """Refuse a host without a sender, and a password that would go in the clear."""
        if self.host and not is_mail_address(self.sender):
            msg = f"expected sender to be an e-mail address, not {self.sender!r}"
            raise ValueError(msg)
        if self.user and self.tls == "none":
            msg = "expected tls for a user: without it the password could be read on its way"
            raise ValueError(msg)


_MAIL_ADDRESS = re.compile(
    r"[^\s@<>()\[\],;:\\\"\x00-\x1f\x7f]{1,64}@([^\W_]([\w-]*[^\W_])?\.)*[^\W_]([\w-]*[^\W_])?"
)
LONGEST_MAIL_ADDRESS = 254
"""Characters of an e-mail address (RFC 5321, 4.5.3.1.3)."""


def is_mail_address(text: str) -> bool:
    """Tell whether this can be an e-mail address: a mailbox without quotes, and a host name."""
    return len(text) <= LONGEST_MAIL_ADDRESS and _MAIL_ADDRESS.fullmatch(text) is not None


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """One server.

    ``origins`` are allowed beside the own one; ``bots`` is the number of processes for computer players.
    ``store`` is the address of a PostgreSQL database, without a password, which other processes may serve as
    well; without one the store is a file. ``worker`` is this process's name among them. ``lan`` lets
    others of the same network in; ``share`` is the origin under which they come, for invitations.

    ``relying_party`` is the host name for which passkeys are made, without which there are no accounts. It is
    localhost where only people of this machine can come by a name, and none if it is empty.

    ``proxies`` are the addresses whose ``X-Forwarded-For`` and ``X-Forwarded-Proto`` are believed.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    origins: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    bots: int = 1
    store: str | None = None
    worker: str = ""
    lan: bool = False
    share: str | None = None
    metrics_open: bool = False
    relying_party: str | None = None
    limits: Limits = Limits()
    times: Times = Times()
    retention: Retention = Retention()
    alerts: Alerts = Alerts()
    mail: Mail = Mail()

    def __post_init__(self) -> None:
        """Refuse a relying party that is no host name."""
        if self.relying_party and not is_host_name(self.relying_party):
            msg = f"expected relying_party to be a host name, not {self.relying_party!r}"
            raise ValueError(msg)


LOCAL = "localhost"
"""The one host name whose pages browsers trust without TLS, at any port."""

_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


def is_host_name(text: str) -> bool:
    """Tell whether passkeys can be made for this: a name in small letters, no address and no port."""
    labels = text.split(".")
    named = len(text) <= 253 and all(map(_LABEL.fullmatch, labels))
    return named and not labels[-1].isdigit() and (len(labels) > 1 or text == LOCAL)


def relying_party_of(settings: Settings) -> str | None:
    """Return the host name for which passkeys are made; ``None``: there are no accounts.

    Without one in the settings it is localhost, unless others can reach the server by a name.
    """
    if settings.relying_party is not None:
        return settings.relying_party or None
    here = settings.lan or settings.host in {"127.0.0.1", "::1", LOCAL}
    return LOCAL if here and not settings.origins else None


def own_address(settings: Settings) -> str:
    """Return where people find this server, for links in messages; no request decides that."""
    first = next(iter(settings.origins), "") or settings.share or f"http://{LOCAL}:{settings.port}"
    return first.rstrip("/")
