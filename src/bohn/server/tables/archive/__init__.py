"""Games that are over, and records: replayed as views, counted, stored, and played on."""
