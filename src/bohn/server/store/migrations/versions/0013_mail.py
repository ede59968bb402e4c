"""Channels that are found by an e-mail address, and such by which one is told of no turns."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what is new; workers of the revision before may be running meanwhile, and go on."""
    op.add_column("channels", sa.Column("active", sa.Boolean, nullable=False, server_default=sa.true()))
    op.add_column("channels", sa.Column("found_by", sa.Text, nullable=False, server_default=""))
    op.create_index("ix_channels_found_by", "channels", ["found_by"])
