"""Every version the database has had: Alembic's environment, and a file for each step."""

HEAD = "0016"
"""The revision of :mod:`bohn.server.store.schema`; known without importing Alembic."""

UNFINISHED = "moving"
"""Stands in the place of the revision while `bohn move` has not brought everything into a database."""
