"""Records that are kept, and what the lobby shows of games that are over."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what is new; listings of before have neither seats nor a result until their table moves."""
    op.add_column("listings", sa.Column("seats", sa.Text, nullable=False, server_default="[]"))
    op.add_column("listings", sa.Column("result", sa.Text))
    op.add_column("listings", sa.Column("origin", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("listings", sa.Column("lesson", sa.Text))
    op.create_table(
        "records",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("text", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_records"),
    )
    op.create_index("ix_records_user_id_at", "records", ["user_id", "at"])
