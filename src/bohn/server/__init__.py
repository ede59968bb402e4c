"""The online table: what is acknowledged is on the disk, and nobody is sent what he may not see."""
