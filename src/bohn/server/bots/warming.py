"""Compiles what the players think with, into the cache: ``python -m bohn.server.bots.warming``.

A server starts it once, at the lowest priority, and it ends with the server. Exit status 0 tells that
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
from bohn.bots.reasons import told_by
from bohn.rules.resolve import resolve
from bohn.sim.floor import BRISK, play_game
from bohn.sim.warmth import forget_old, is_warm, mark

NICENESS = 19
"""Everybody else comes first."""

TABLES = (("strong", "no-trade", "no-trade"), ("strong", "strong", "h"))
"""Where nobody trades a player searches: in these games every kind of decision is made."""


class _Telling:
    """A bot that gives its reasons, as it is asked to at a table of people."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.name = bot.name
        self.trades, self.off_turn, self.uses_knowledge = bot.trades, bot.off_turn, bot.uses_knowledge

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        command = self._bot.decide(view, choices, knowledge)
        told_by(self._bot)
        return command


def rehearse() -> None:
    """Play some games, so that whatever a table may ask for is loaded, or compiled if it has to be."""
    for names in TABLES:
        bots = [_Telling(PLAYERS[name](seat)) for seat, name in enumerate(names)]
        play_game(resolve("full", len(bots)), 0, bots, BRISK)


def main() -> int:
    """Compile if it was not done before; return the exit status."""
    if is_warm():
        with contextlib.suppress(OSError):
            mark().touch()  # it is still used
        return 0
    from bohn.sim.compiling import COMPILED

    if not COMPILED:
        return 1
    try:
        place = mark()
        rehearse()
        place.touch()
    except OSError:  # what is compiled here nobody else can load
        return 1
    with contextlib.suppress(OSError):  # another server may be doing the same
        forget_old()
    return 0


def _end_with_server() -> None:
    """End at once when the server does: nobody waits for the result any more."""
    while os.read(0, 1):  # not through a buffer, whose lock would be held when this process ends by itself
        pass
    os._exit(1)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server is interrupted, and ends this process
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    threading.Thread(target=_end_with_server, daemon=True).start()
    sys.exit(main())
