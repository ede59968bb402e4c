"""The store: one log per table with one row per committed batch, and data that may be deleted."""
