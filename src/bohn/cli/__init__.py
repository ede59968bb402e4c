"""The command line: play, simulate, replay, verify, scenarios, rules, players."""

from bohn.cli.main import main

__all__ = ["main"]
