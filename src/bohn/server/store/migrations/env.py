"""Alembic's entry: run the steps over the connection that was handed in, within its transaction."""

from __future__ import annotations

from alembic import context

from bohn.server.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
