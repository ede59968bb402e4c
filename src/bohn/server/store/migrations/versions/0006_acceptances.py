"""Acceptances that wait as rows, the turn of a sign, and which kinds of rows a worker knows."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what is new; workers of the revision before may be running meanwhile, and go on."""
    op.add_column("workers", sa.Column("formats", sa.Integer, nullable=False, server_default="1"))
    op.add_column("presence", sa.Column("turn", sa.BigInteger, nullable=False, server_default="0"))
    op.create_table(
        "acceptances",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("command_id", sa.Text, nullable=False),
        sa.Column("cause", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text),
        sa.Column("offer", sa.BigInteger, nullable=False),
        sa.Column("command", sa.LargeBinary, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_acceptances"),
        sa.UniqueConstraint(
            "table_id", "actor", "command_id", name="uq_acceptances_table_id_actor_command_id"
        ),
    )
