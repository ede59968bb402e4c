"""Who has made a program that is a user of its own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what is new; of programs of before nobody knows who made them."""
    op.add_column("users", sa.Column("made_by", sa.Text))
    op.create_index("ix_users_made_by", "users", ["made_by"])
