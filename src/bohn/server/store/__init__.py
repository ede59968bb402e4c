"""What is kept: one log per table, one row per committed batch, and the rows that may be deleted."""
