"""Operators: sanctions, tables to be closed, limits, links and sessions, and the log that nobody changes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from bohn.server.store.guards import GUARDS

revision = "0008"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what is new; workers of the revision before may be running meanwhile, and go on."""
    op.create_table(
        "deeds",
        sa.Column("id", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("by_whom", sa.Text, nullable=False),
        sa.Column("deed", sa.Text, nullable=False),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("until", sa.BigInteger),
        sa.Column("sanction", sa.Text, nullable=False),
        sa.Column("report", sa.BigInteger, nullable=False),
        sa.Column("chain", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_deeds"),
    )
    op.create_index("ix_deeds_report", "deeds", ["report"])
    op.create_table(
        "sanctions",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text),
        sa.Column("network", sa.Text),
        sa.Column("begun", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("deed", sa.BigInteger, nullable=False),
        sa.Column("lifted", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_sanctions"),
    )
    op.create_index("ix_sanctions_user_id", "sanctions", ["user_id"])
    op.create_table(
        "closings",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("word", sa.Text, nullable=False),
        sa.Column("deed", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_closings"),
    )
    op.create_table(
        "limits",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("value", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_limits"),
    )
    op.create_table(
        "operator_keys",
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.Column("network", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_operator_keys"),
    )
    for statement in GUARDS[op.get_bind().dialect.name]:
        op.execute(statement)
