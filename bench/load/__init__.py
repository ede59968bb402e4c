"""The load generator of bench/server_load.py."""
