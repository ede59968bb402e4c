"""The program that fills the compile cache: ``python -m bohn.server.bots.compile_job``.

A server starts it once, at the lowest priority, and it ends with the server. Exit status 0 means that
processes of computer players may load compiled code.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading

from bohn.bots import PLAYERS
from bohn.bots.api import Bot, Choices, Command, Knowledge, View
from bohn.bots.reasons import reason_of
from bohn.lab.compile_cache import is_cache_complete, mark_file, remove_unused
from bohn.play.floor import BRISK, play_game
from bohn.rules.resolve import resolve

NICENESS = 19
"""The priority of the program: the lowest, so that everything else on the machine comes first."""

TABLES = (("strong-1", "no-trade", "no-trade"), ("strong-1", "strong-1", "value-trader"))
"""The players of two games in which every kind of decision is made: players search where nobody trades."""


class _GivesReasons:
    """A bot that gives its reasons, as it is asked to at a table of people."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.name = bot.name
        self.trades, self.off_turn, self.uses_knowledge = bot.trades, bot.off_turn, bot.uses_knowledge

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        command = self._bot.decide(view, choices, knowledge)
        reason_of(self._bot)
        return command


def make_every_decision() -> None:
    """Play some games, so that every function a table can need is loaded from the cache, or compiled."""
    for names in TABLES:
        bots = [_GivesReasons(PLAYERS[name](seat)) for seat, name in enumerate(names)]
        play_game(resolve("full", len(bots)), 0, bots, BRISK)


def main() -> int:
    """Compile if it was not done before; return the exit status."""
    if is_cache_complete():
        with contextlib.suppress(OSError):
            mark_file().touch()  # it is still used
        return 0
    from bohn.lab.compiling import COMPILED

    if not COMPILED:
        return 1
    try:
        mark = mark_file()
        make_every_decision()
        mark.touch()
    except OSError:  # the cache cannot be written, so no other process could load the code
        return 1
    with contextlib.suppress(OSError):  # another server may be doing the same
        remove_unused()
    return 0


def _end_with_server() -> None:
    """End at once when the server does: the result is no longer needed."""
    while os.read(0, 1):  # not through a buffer, whose lock would be held when this process ends by itself
        pass
    os._exit(1)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server is interrupted, and ends this process
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    threading.Thread(target=_end_with_server, daemon=True).start()
    sys.exit(main())
