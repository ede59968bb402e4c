"""A process of computer players: reads questions from a pipe, answers one after the other, ends with it.

Started as ``python -m bohn.server.bots.worker PLAYERS LIMIT MODE``: PLAYERS is ``module:NAME``, LIMIT the
time in ms in which a decision must be made, MODE ``compiled`` to load what lies in the cache, or
``interpreted``. What bots print goes nowhere, so that their cards reach no log.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections import OrderedDict
from typing import BinaryIO, cast

import msgspec

from bohn.bots.reasons import told_by
from bohn.rules.commands import AnyCommand, Command, EditOffer, MakeOffer
from bohn.server.bots.asks import (
    LENGTH,
    Answer,
    Ask,
    Broken,
    Reply,
    Traits,
    decode_ask,
    encode,
    framed,
    load_players,
    place_of,
    terms_of,
)
from bohn.sim.floor import NOTHING_LEARNT
from bohn.sim.seat import Bot, Choices, Maker
from bohn.sim.warmth import INTERPRET, is_warm

READY = framed(b"")
"""Sent once the players are imported."""

REMEMBERED = 2_048
"""So many bots are kept; one that is made anew repeats itself, and the server does not let it."""

REPEATS = 32
"""So often a bot is asked in one look if it proposes what it has proposed before."""

NICENESS = 5
"""Whoever is at the tables comes before whoever thinks."""

COLD = 3
"""The exit status of a process that was to load compiled code and found none."""

Seated = tuple[str, int, str, int]


class Company:
    """The bots of a process: each is made once for its seat, and remembered as long as there is room."""

    def __init__(self, players: dict[str, Maker]) -> None:
        """Know these players, and have none at a table."""
        self._players = players
        self._bots: OrderedDict[Seated, Bot] = OrderedDict()

    def reply(self, ask: Ask) -> Reply:
        """Return what a bot decides, or how it broke; then it is forgotten."""
        try:
            return self._answer(ask)
        except Exception as error:  # noqa: BLE001 - whatever a bot in the making raises
            self._bots.pop(_seated(ask), None)
            return Broken(place_of(error))

    def _answer(self, ask: Ask) -> Reply:
        bot = self._bot(ask)
        traits = Traits(bool(bot.trades), bool(bot.off_turn), bool(bot.uses_knowledge))
        knowledge = ask.knowledge or NOTHING_LEARNT
        for _ in range(REPEATS):
            command: object = bot.decide(ask.view, Choices(ask.legal, ask.offers, ask.tries), knowledge)
            if command is not None and not isinstance(command, Command):
                return Broken(f"returned {type(command).__name__}")
            if not isinstance(command, MakeOffer | EditOffer) or terms_of(command) not in ask.made:
                said = cast("AnyCommand | None", command)  # whoever decodes it is strict
                return Answer(said, traits, None if said is None else told_by(bot))
        return Answer(None, traits)

    def _bot(self, ask: Ask) -> Bot:
        key = _seated(ask)
        bot = self._bots.pop(key, None) or self._players[ask.bot](ask.seed)
        self._bots[key] = bot
        if len(self._bots) > REMEMBERED:
            self._bots.popitem(last=False)
        return bot


def _seated(ask: Ask) -> Seated:
    return ask.table, ask.seat, ask.bot, ask.seed


def _serialized(reply: Reply) -> bytes:
    """Return a reply as bytes; a command that holds what is no data is broken as well."""
    try:
        return encode(reply)
    except (TypeError, ValueError, OverflowError, msgspec.MsgspecError) as error:
        return encode(Broken(place_of(error)))


def serve(questions: BinaryIO, answers: BinaryIO, company: Company, limit: float) -> None:
    """Answer until the pipe ends; a decision that takes twice its limit (seconds) ends the process.

    The server is quicker, with once the limit; but it may be gone.
    """
    while True:
        head = questions.read(LENGTH.size)
        if len(head) < LENGTH.size:
            return
        ask = decode_ask(questions.read(LENGTH.unpack(head)[0]))
        signal.setitimer(signal.ITIMER_REAL, 2 * limit)
        data = _serialized(company.reply(ask))
        signal.setitimer(signal.ITIMER_REAL, 0)
        answers.write(framed(data))
        answers.flush()


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Return the pipes to the server, and put nothing in their place: no bot reads or prints there."""
    pipes = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return os.fdopen(pipes[0], "rb"), os.fdopen(pipes[1], "wb")


def load_compiled() -> None:
    """Load all compiled code before anybody is asked; end the process where it would have to be compiled."""
    if not is_warm():
        sys.exit(COLD)
    from bohn.server.bots.warming import rehearse

    rehearse()


def main(players: str, limit: float, mode: str = "interpreted") -> None:
    """Answer with these players; a decision may take so many ms."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server is interrupted, and ends this process
    os.nice(NICENESS)
    # the first compiled decision would take a minute; interpreted ones take milliseconds
    os.environ[INTERPRET] = "0" if mode == "compiled" else "1"
    questions, answers = _own_pipes()
    if mode == "compiled":
        load_compiled()
    company = Company(load_players(players))
    gc.freeze()
    with questions, answers:
        answers.write(READY)
        answers.flush()
        serve(questions, answers, company, limit / 1000)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), *sys.argv[3:4])
