"""Playing times: the hours in which clocks of people run at tables over days, and their holidays."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what is new; workers of the revision before may be running meanwhile, and go on."""
    op.create_table(
        "playing_times",
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("begins", sa.Integer, nullable=False),
        sa.Column("ends", sa.Integer, nullable=False),
        sa.Column("zone", sa.Text, nullable=False),
        sa.Column("holidays", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_playing_times"),
    )
