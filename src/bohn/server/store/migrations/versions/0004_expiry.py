"""When cookies and tokens were last used, and what finds those and the links that have expired."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what is new; of before no use is known but the first, from which browsers have counted too."""
    op.add_column("sessions", sa.Column("used", sa.BigInteger, nullable=False, server_default="0"))
    op.execute("UPDATE sessions SET used = created")
    op.create_index("ix_sessions_used", "sessions", ["used"])
    op.create_index("ix_links_expires", "links", ["expires"])
