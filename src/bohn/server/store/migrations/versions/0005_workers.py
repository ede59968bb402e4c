"""Many workers: leases, who is present by which, what they tell each other; and the order of kept records."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what is new; a file, which one process serves, has the tables of workers and never uses them."""
    _records()
    _leases()
    _company()


def _records() -> None:
    """Number the records; in a file the rows themselves are, and elsewhere there are none yet."""
    op.add_column("records", sa.Column("kept", sa.BigInteger, nullable=False, server_default="0"))
    if op.get_bind().dialect.name == "sqlite":
        op.execute("UPDATE records SET kept = rowid")
    op.drop_index("ix_records_user_id_at", "records")
    op.create_index("ix_records_user_id_at_kept", "records", ["user_id", "at", "kept"])


def _leases() -> None:
    """Make what tells which worker acts for the server."""
    op.add_column("log", sa.Column("epoch", sa.BigInteger))
    op.create_table(
        "workers",
        sa.Column("worker", sa.Text, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("worker", name="pk_workers"),
    )
    op.create_table(
        "leases",
        sa.Column("bucket", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("worker", sa.Text, nullable=False),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("renewed", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("bucket", name="pk_leases"),
    )
    op.create_table(
        "takings",
        sa.Column("bucket", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("epoch", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("worker", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("bucket", "epoch", name="pk_takings"),
    )


def _company() -> None:
    """Make what workers tell each other."""
    op.create_table(
        "presence",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("worker", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("sign", sa.Text, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "worker", "user_id", name="pk_presence"),
    )
    op.create_index("ix_presence_worker", "presence", ["worker"])
    op.create_table(
        "notices",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False),
        sa.Column("worker", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_notices"),
    )
    op.create_index("ix_notices_at", "notices", ["at"])
