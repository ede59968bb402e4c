"""The tables of the store. Only migrations and tests import this: the server itself uses plain SQL.

All types are portable: times and numbers are 64-bit integers, structured values JSON as text; command and
events of a batch are JSON as bytes. It has more than 500 lines because every table of the store stands here.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    false,
    true,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""Every table below; constraints have names, so that a migration can drop them."""

log = Table(
    "log",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("actor", Text, nullable=False),
    Column("command_id", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("cause", Text, nullable=False),
    Column("command", LargeBinary, nullable=False),
    Column("events", LargeBinary, nullable=False),
    Column("epoch", BigInteger),
    UniqueConstraint("table_id", "actor", "command_id"),
)

deals = Table(
    "deals",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("secret", LargeBinary, nullable=False),
    Column("nonce", LargeBinary, nullable=False),
)

timers = Table(
    "timers",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("due", BigInteger),
    Column("remaining", BigInteger),
    Index(None, "due"),
)

beats = Table(
    "beats",
    metadata,
    Column("worker", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
)

listings = Table(
    "listings",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("status", Text, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("options", Text, nullable=False),
    Column("host", Text),
    Column("users", Text, nullable=False),
    Column("bots", Integer, nullable=False),
    Column("opened", BigInteger, nullable=False),
    Column("moved", BigInteger, nullable=False),
    Column("seats", Text, nullable=False, server_default="[]"),
    Column("result", Text),
    Column("origin", Boolean, nullable=False, server_default=false()),
    Column("lesson", Text),
    Index(None, "status", "moved"),
)

members = Table(
    "members",
    metadata,
    Column("user_id", Text, primary_key=True),
    Column("table_id", Text, primary_key=True),
    Index(None, "table_id"),
)
"""Who owns a seat where: the users of each listing, the other way round."""

grants = Table(
    "grants",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("user_id", Text, primary_key=True),
)

users = Table(
    "users",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("bot", Boolean, nullable=False),
    Column("made_by", Text),
    Index(None, "made_by"),
)
"""Guests and programs; ``made_by`` is who has made a program, if that is known."""

sessions = Table(
    "sessions",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("user_id", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("cookie", Boolean, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("used", BigInteger, nullable=False, server_default="0"),
    Index(None, "user_id"),
    Index(None, "used"),
)

links = Table(
    "links",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("id", Text, nullable=False),
    Column("created_by", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Column("table_id", Text),
    Column("user_id", Text),
    Index(None, "table_id"),
    Index(None, "created_by"),
    Index(None, "user_id"),
    Index(None, "expires"),
)

chat = Table(
    "chat",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("text", Text, nullable=False),
    Column("key", Text, nullable=False),
    Index(None, "user_id"),
)

chat_heads = Table(
    "chat_heads",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("last", BigInteger, nullable=False),
)
"""The last number given to a line of each chat: numbers of deleted lines are not given again."""

mutes = Table(
    "mutes",
    metadata,
    Column("user_id", Text, primary_key=True),
    Column("muted", Text, primary_key=True),
)

reports = Table(
    "reports",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("table_id", Text, nullable=False),
    Column("line", BigInteger, nullable=False),
    Column("by_user", Text, nullable=False),
    Column("against", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("text", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Index(None, "at"),
)

records = Table(
    "records",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user_id", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("about", Text, nullable=False),
    Column("text", LargeBinary, nullable=False),
    Column("kept", BigInteger, nullable=False, server_default="0"),
    Index(None, "user_id", "at", "kept"),
)
"""Records that users keep; ``kept`` counts each user's, so that of two of one moment the later is known."""

workers = Table(
    "workers",
    metadata,
    Column("worker", Text, primary_key=True),
    Column("label", Text, nullable=False),
    Column("until", BigInteger, nullable=False),
    Column("formats", Integer, nullable=False, server_default="1"),
)
"""The processes that serve this database, each until its lease ends; ``formats``: what its program knows."""

leases = Table(
    "leases",
    metadata,
    Column("bucket", Integer, primary_key=True, autoincrement=False),
    Column("worker", Text, nullable=False),
    Column("epoch", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Column("renewed", BigInteger, nullable=False),
)
"""Who does at the tables of a bucket what the server itself does; ``renewed`` is when it was served last."""

takings = Table(
    "takings",
    metadata,
    Column("bucket", Integer, primary_key=True, autoincrement=False),
    Column("epoch", BigInteger, primary_key=True, autoincrement=False),
    Column("worker", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)
"""The history of the leases."""

presence = Table(
    "presence",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("worker", Text, primary_key=True),
    Column("user_id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("count", Integer, nullable=False),
    Column("sign", Text, nullable=False),
    Column("until", BigInteger, nullable=False),
    Column("turn", BigInteger, nullable=False, server_default="0"),
    Index(None, "worker"),
    Index(None, "user_id"),
)
"""Who looks at a table by which worker, and what sign he gives in which turn; it ends with the worker."""

acceptances = Table(
    "acceptances",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("table_id", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("command_id", Text, nullable=False),
    Column("cause", Text, nullable=False),
    Column("user_id", Text),
    Column("offer", BigInteger, nullable=False),
    Column("command", LargeBinary, nullable=False),
    Column("at", BigInteger, nullable=False),
    UniqueConstraint("table_id", "actor", "command_id"),
)
"""Acceptances that wait with others for the same offer, until the holder of the lease decides them."""

notices = Table(
    "notices",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("worker", Text, nullable=False),
    Column("table_id", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Index(None, "at"),
)
"""What a worker tells the others beside the logs; it is kept for a minute."""

deeds = Table(
    "deeds",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("by_whom", Text, nullable=False),
    Column("deed", Text, nullable=False),
    Column("about", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("until", BigInteger),
    Column("sanction", Text, nullable=False),
    Column("report", BigInteger, nullable=False),
    Column("chain", Text, nullable=False),
    Index(None, "report"),
)
"""What operators did; triggers refuse every change (:mod:`bohn.server.store.guards`)."""

sanctions = Table(
    "sanctions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("user_id", Text),
    Column("network", Text),
    Column("begun", BigInteger, nullable=False),
    Column("until", BigInteger),
    Column("reason", Text, nullable=False),
    Column("deed", BigInteger, nullable=False),
    Column("lifted", BigInteger),
    Index(None, "user_id"),
)

closings = Table(
    "closings",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("word", Text, nullable=False),
    Column("deed", BigInteger, nullable=False),
)
"""Tables that an operator closes, with his word; whoever serves the table does it."""

limits = Table(
    "limits",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Float, nullable=False),
)
"""Limits that operators have set over those of the settings."""

operator_keys = Table(
    "operator_keys",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Column("network", Text, nullable=False),
)
"""Links and sessions of operators, by the SHA-256 of their secrets."""

accounts = Table(
    "accounts",
    metadata,
    Column("user_id", Text, primary_key=True),
    Column("handle", Text, nullable=False),
    Column("handle_key", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    UniqueConstraint("handle_key"),
)
"""Users who have an account; handles that look alike have the same key."""

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user_id", Text, nullable=False),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("used", BigInteger, nullable=False),
    Column("label", Text, nullable=False),
    Column("backed_up", Boolean, nullable=False),
    Index(None, "user_id"),
)
"""What accounts are signed in with: public keys, nothing secret."""

recovery_codes = Table(
    "recovery_codes",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("user_id", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Index(None, "user_id"),
)
"""Codes that sign in once each, by their SHA-256."""

challenges = Table(
    "challenges",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("challenge", LargeBinary, nullable=False),
    Column("session", Text, nullable=False),
    Column("about", Text, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Index(None, "expires"),
)
"""What authenticators are to sign, by the SHA-256 of the ticket that goes with each; used once."""

confirmations = Table(
    "confirmations",
    metadata,
    Column("session", Text, primary_key=True),
    Column("until", BigInteger, nullable=False),
    Index(None, "until"),
)
"""Sessions whose owner has just shown a passkey or a recovery code."""

blocks = Table(
    "blocks",
    metadata,
    Column("user_id", Text, primary_key=True),
    Column("blocked", Text, primary_key=True),
    Index(None, "blocked"),
)
"""Whom a user does not want to play with or read."""

follows = Table(
    "follows",
    metadata,
    Column("user_id", Text, primary_key=True),
    Column("followed", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Index(None, "followed"),
)

invitations = Table(
    "invitations",
    metadata,
    Column("to_user", Text, primary_key=True),
    Column("table_id", Text, primary_key=True),
    Column("by_user", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Index(None, "table_id"),
    Index(None, "by_user"),
)
"""Who asks whom to come to a table; links to tables are in ``links``."""

private_profiles = Table(
    "private_profiles",
    metadata,
    Column("user_id", Text, primary_key=True),
)

results = Table(
    "results",
    metadata,
    Column("user_id", Text, primary_key=True),
    Column("table_id", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("edition", Text, nullable=False),
    Column("players", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("coins", Integer, nullable=False),
    Column("trades", Integer, nullable=False),
    Column("gifts_given", Integer, nullable=False),
    Column("gifts_received", Integer, nullable=False),
    Index(None, "user_id", "at", "table_id"),
    Index(None, "table_id"),
)
"""How users did in finished games, read from their logs once; it stays when a table goes."""

channels = Table(
    "channels",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user_id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("session", Text, nullable=False),
    Column("verified", Boolean, nullable=False),
    Column("failed", BigInteger, nullable=False),
    Column("active", Boolean, nullable=False, server_default=true()),
    Column("found_by", Text, nullable=False, server_default=""),
    Index(None, "user_id"),
    Index(None, "found_by"),
)
"""By what people are told that a game waits for them; those of a browser end with its ``session``."""

alert_preferences = Table(
    "alert_preferences",
    metadata,
    Column("user_id", Text, primary_key=True),
    Column("every", Boolean, nullable=False),
    Column("quiet_from", Integer, nullable=False),
    Column("quiet_to", Integer, nullable=False),
    Column("zone", Text, nullable=False),
)
"""At which tables and hours people want to be told."""

alerts = Table(
    "alerts",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("user_id", Text, primary_key=True),
    Column("seq", BigInteger, nullable=False),
    Column("begun", BigInteger, nullable=False),
    Column("due", BigInteger),
    Column("stage", Integer, nullable=False),
    Column("seen", Boolean, nullable=False),
    Column("taken", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("remaining", Text, nullable=False),
    Index(None, "due"),
    Index(None, "user_id"),
)
"""Who is to be told that a game waits for him; written with the batch that makes it so."""

orders = Table(
    "orders",
    metadata,
    Column("id", Text, primary_key=True),
    Column("table_id", Text, nullable=False),
    Column("user_id", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("terms", Text, nullable=False),
    Index(None, "table_id"),
    Index(None, "user_id"),
)
"""Orders and moves that people leave at tables over days; how often each was done stands in the log."""

playing_times = Table(
    "playing_times",
    metadata,
    Column("user_id", Text, primary_key=True),
    Column("begins", Integer, nullable=False),
    Column("ends", Integer, nullable=False),
    Column("zone", Text, nullable=False),
    Column("holidays", Text, nullable=False),
)
"""Playing hours and holidays of people, for their clocks at tables over days."""

server_keys = Table(
    "server_keys",
    metadata,
    Column("name", Text, primary_key=True),
    Column("secret", LargeBinary, nullable=False),
)
"""Keys of the server itself, one of each name for all workers: the one that signs pushes."""
