"""Accounts: handles, passkeys, recovery codes, challenges that wait for an answer, confirmed sessions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what is new; workers of the revision before may be running meanwhile, and go on."""
    op.create_table(
        "accounts",
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("handle", sa.Text, nullable=False),
        sa.Column("handle_key", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_accounts"),
        sa.UniqueConstraint("handle_key", name="uq_accounts_handle_key"),
    )
    op.create_table(
        "passkeys",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("backed_up", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_passkeys"),
    )
    op.create_index("ix_passkeys_user_id", "passkeys", ["user_id"])
    op.create_table(
        "recovery_codes",
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_recovery_codes"),
    )
    op.create_index("ix_recovery_codes_user_id", "recovery_codes", ["user_id"])
    op.create_table(
        "challenges",
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("challenge", sa.LargeBinary, nullable=False),
        sa.Column("session", sa.Text, nullable=False),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_challenges"),
    )
    op.create_index("ix_challenges_expires", "challenges", ["expires"])
    op.create_table(
        "confirmations",
        sa.Column("session", sa.Text, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("session", name="pk_confirmations"),
    )
    op.create_index("ix_confirmations_until", "confirmations", ["until"])
