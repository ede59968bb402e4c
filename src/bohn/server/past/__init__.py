"""Games that are over, and records: replayed as views, counted, kept, and played on."""
