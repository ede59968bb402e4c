"""Every version the database has had: Alembic's environment, and a file for each step."""

HEAD = "0005"
"""The revision of :mod:`bohn.server.store.schema`; known without importing Alembic."""
