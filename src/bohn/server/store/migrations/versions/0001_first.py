"""The first released schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make all tables."""
    _tables()
    _people()
    _talk()


def _tables() -> None:
    """Make what belongs to the tables of the game."""
    op.create_table(
        "log",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("command_id", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("cause", sa.Text, nullable=False),
        sa.Column("command", sa.LargeBinary, nullable=False),
        sa.Column("events", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seq", name="pk_log"),
        sa.UniqueConstraint("table_id", "actor", "command_id", name="uq_log_table_id_actor_command_id"),
    )
    op.create_table(
        "deals",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("nonce", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_deals"),
    )
    op.create_table(
        "timers",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("due", sa.BigInteger),
        sa.Column("remaining", sa.BigInteger),
        sa.PrimaryKeyConstraint("table_id", "key", name="pk_timers"),
    )
    op.create_index("ix_timers_due", "timers", ["due"])
    op.create_table(
        "beats",
        sa.Column("worker", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("worker", name="pk_beats"),
    )
    op.create_table(
        "listings",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("host", sa.Text),
        sa.Column("users", sa.Text, nullable=False),
        sa.Column("bots", sa.Integer, nullable=False),
        sa.Column("opened", sa.BigInteger, nullable=False),
        sa.Column("moved", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_listings"),
    )
    op.create_index("ix_listings_status_moved", "listings", ["status", "moved"])
    op.create_table(
        "members",
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "table_id", name="pk_members"),
    )
    op.create_index("ix_members_table_id", "members", ["table_id"])
    op.create_table(
        "grants",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "user_id", name="pk_grants"),
    )


def _people() -> None:
    """Make what belongs to users."""
    op.create_table(
        "users",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("bot", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
    )
    op.create_table(
        "sessions",
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("cookie", sa.Boolean, nullable=False),
        sa.Column("scopes", sa.Text, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_sessions"),
    )
    op.create_index("ix_sessions_user_id", "sessions", ["user_id"])
    op.create_table(
        "links",
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("created_by", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.Column("table_id", sa.Text),
        sa.Column("user_id", sa.Text),
        sa.PrimaryKeyConstraint("digest", name="pk_links"),
    )
    op.create_index("ix_links_table_id", "links", ["table_id"])
    op.create_index("ix_links_created_by", "links", ["created_by"])
    op.create_index("ix_links_user_id", "links", ["user_id"])


def _talk() -> None:
    """Make what belongs to chat."""
    op.create_table(
        "chat",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("id", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "id", name="pk_chat"),
    )
    op.create_index("ix_chat_user_id", "chat", ["user_id"])
    op.create_table(
        "chat_heads",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("last", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_chat_heads"),
    )
    op.create_table(
        "mutes",
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("muted", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "muted", name="pk_mutes"),
    )
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("line", sa.BigInteger, nullable=False),
        sa.Column("by_user", sa.Text, nullable=False),
        sa.Column("against", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_reports"),
    )
    op.create_index("ix_reports_at", "reports", ["at"])
