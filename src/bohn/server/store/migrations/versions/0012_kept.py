"""Kinds that a player keeps are marked as such: the log may say so, and no table of the database changes."""

from __future__ import annotations

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change nothing: a program that does not know the mark does not start on the database."""
