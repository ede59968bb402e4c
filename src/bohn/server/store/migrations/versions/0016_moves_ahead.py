"""Moves set ahead stand among the orders that people leave: no table of the database changes."""

from __future__ import annotations

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change nothing: a program that does not know such moves does not start on the database."""
