"""The computer players in the seats: processes that decide, and whoever tells each when to look."""
