"""The order in which records were kept, which not every database tells by itself."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what is new; in a file the rows themselves are numbered, and elsewhere there are none yet."""
    op.add_column("records", sa.Column("kept", sa.BigInteger, nullable=False, server_default="0"))
    if op.get_bind().dialect.name == "sqlite":
        op.execute("UPDATE records SET kept = rowid")
    op.drop_index("ix_records_user_id_at", "records")
    op.create_index("ix_records_user_id_at_kept", "records", ["user_id", "at", "kept"])
