"""People one knows: blocks, follows, invitations, private profiles, and the results of finished games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what is new; workers of the revision before may be running meanwhile, and go on."""
    op.create_table(
        "blocks",
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("blocked", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "blocked", name="pk_blocks"),
    )
    op.create_index("ix_blocks_blocked", "blocks", ["blocked"])
    op.create_table(
        "follows",
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("followed", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "followed", name="pk_follows"),
    )
    op.create_index("ix_follows_followed", "follows", ["followed"])
    op.create_table(
        "invitations",
        sa.Column("to_user", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("by_user", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("to_user", "table_id", "by_user", name="pk_invitations"),
    )
    op.create_index("ix_invitations_table_id", "invitations", ["table_id"])
    op.create_index("ix_invitations_by_user", "invitations", ["by_user"])
    op.create_table(
        "private_profiles",
        sa.Column("user_id", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_private_profiles"),
    )
    op.create_table(
        "results",
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("edition", sa.Text, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("coins", sa.Integer, nullable=False),
        sa.Column("trades", sa.Integer, nullable=False),
        sa.Column("gifts_given", sa.Integer, nullable=False),
        sa.Column("gifts_received", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "table_id", name="pk_results"),
    )
    op.create_index("ix_results_user_id_at_table_id", "results", ["user_id", "at", "table_id"])
    op.create_index("ix_presence_user_id", "presence", ["user_id"])
    op.create_index("ix_results_table_id", "results", ["table_id"])
