"""Alerts: channels of people, their preferences, what is to be sent, and the key that signs pushes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what is new; workers of the revision before may be running meanwhile, and go on."""
    op.create_table(
        "channels",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("session", sa.Text, nullable=False),
        sa.Column("verified", sa.Boolean, nullable=False),
        sa.Column("failed", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_channels"),
    )
    op.create_index("ix_channels_user_id", "channels", ["user_id"])
    op.create_table(
        "alert_preferences",
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("every", sa.Boolean, nullable=False),
        sa.Column("quiet_from", sa.Integer, nullable=False),
        sa.Column("quiet_to", sa.Integer, nullable=False),
        sa.Column("zone", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_alert_preferences"),
    )
    op.create_table(
        "alerts",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("begun", sa.BigInteger, nullable=False),
        sa.Column("due", sa.BigInteger),
        sa.Column("stage", sa.Integer, nullable=False),
        sa.Column("seen", sa.Boolean, nullable=False),
        sa.Column("taken", sa.BigInteger, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("remaining", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "user_id", name="pk_alerts"),
    )
    op.create_index("ix_alerts_due", "alerts", ["due"])
    op.create_index("ix_alerts_user_id", "alerts", ["user_id"])
    op.create_table(
        "server_keys",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_server_keys"),
    )
