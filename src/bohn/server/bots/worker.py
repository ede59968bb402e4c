"""A process of computer players: reads questions from a pipe, answers them in order, ends when it closes.

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
from contextlib import suppress
from typing import BinaryIO, cast

import msgspec

from bohn.bots.reasons import reason_of
from bohn.lab.compile_cache import INTERPRET, is_cache_complete
from bohn.play.floor import NOTHING_LEARNT
from bohn.play.seat import Bot, BotFactory, Choices
from bohn.rules.commands import AnyCommand, Command, EditOffer, MakeOffer
from bohn.server.bots.manners import for_those_who_may_have, is_mannerly
from bohn.server.bots.messages import (
    LENGTH,
    BotAnswer,
    Broken,
    Question,
    Reply,
    Traits,
    decode_question,
    encode,
    framed,
    load_players,
    place_of,
    terms_of,
)

READY = framed(b"")
"""Sent once the players are imported."""

MOST_BOTS = 2_048
"""Bots in memory; one that is dropped and made anew may repeat offers, which the server refuses."""

REPEATS = 32
"""Times a bot is asked in one look while it proposes what it has proposed before, or what has no manners."""

NICENESS = 5
"""How far below the server's own priority bots think: people at the tables come first."""

NOT_COMPILED = 3
"""The exit status of a process that was to load compiled code when the compile cache was not complete."""

Seated = tuple[str, int, str, int]


class BotCache:
    """The bots of a process: each is made once for its seat, and dropped when there are too many."""

    def __init__(self, players: dict[str, BotFactory]) -> None:
        """Know these players, and have none at a table."""
        self._players = players
        self._bots: OrderedDict[Seated, Bot] = OrderedDict()

    def reply(self, question: Question) -> Reply:
        """Return what a bot decides, or how it broke; a broken bot is dropped."""
        try:
            return self._answer(question)
        except Exception as error:  # noqa: BLE001 - whatever a bot in the making raises
            self._bots.pop(_seated(question), None)
            return Broken(place_of(error))

    def _answer(self, question: Question) -> Reply:
        bot = self._bot(question)
        traits = Traits(bool(bot.trades), bool(bot.off_turn), bool(bot.uses_knowledge))
        knowledge = question.knowledge or NOTHING_LEARNT
        for _ in range(REPEATS):
            command: object = bot.decide(
                question.view, Choices(question.legal, question.offers, question.tries), knowledge
            )
            if command is not None and not isinstance(command, Command):
                return Broken(f"returned {type(command).__name__}")
            if isinstance(command, MakeOffer | EditOffer):
                command = for_those_who_may_have(command, question.view, question.knowledge, question.people)
                if command is None:
                    continue
            if not isinstance(command, MakeOffer | EditOffer) or _may_offer(command, question):
                decided = cast("AnyCommand | None", command)  # the server checks it when it decodes it
                return BotAnswer(decided, traits, None if decided is None else reason_of(bot))
        return BotAnswer(None, traits)

    def _bot(self, question: Question) -> Bot:
        key = _seated(question)
        bot = self._bots.pop(key, None) or self._players[question.bot](question.seed)
        self._bots[key] = bot
        if len(self._bots) > MOST_BOTS:
            self._bots.popitem(last=False)
        return bot


def _may_offer(command: MakeOffer | EditOffer, question: Question) -> bool:
    """Tell whether an offer is new in this turn, and suits the people at the table."""
    new = terms_of(command) not in question.made
    return new and is_mannerly(command, question.view, question.made, question.people)


def _seated(question: Question) -> Seated:
    return question.table, question.seat, question.bot, question.seed


def _serialized(reply: Reply) -> bytes:
    """Return a reply as bytes; a command that holds what is no data is broken as well."""
    try:
        return encode(reply)
    except (TypeError, ValueError, OverflowError, msgspec.MsgspecError) as error:
        return encode(Broken(place_of(error)))


def serve(questions: BinaryIO, answers: BinaryIO, bots: BotCache, limit: float) -> None:
    """Answer until the pipe ends; a decision that takes twice its limit (seconds) ends the process.

    The server is quicker, with once the limit; but it may be gone.
    """
    while True:
        head = questions.read(LENGTH.size)
        if len(head) < LENGTH.size:
            return
        size = LENGTH.unpack(head)[0]
        message = questions.read(size)
        if len(message) < size:
            return
        question = decode_question(message)
        signal.setitimer(signal.ITIMER_REAL, 2 * limit)
        data = _serialized(bots.reply(question))
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
    if not is_cache_complete():
        sys.exit(NOT_COMPILED)
    from bohn.server.bots.compile_job import make_every_decision

    make_every_decision()


def main(players: str, limit: float, mode: str = "interpreted") -> None:
    """Answer with these players; ``limit`` is how long one decision may take, in ms."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server is interrupted, and ends this process
    os.nice(NICENESS)
    # the first compiled decision would take a minute; interpreted ones take milliseconds
    os.environ[INTERPRET] = "0" if mode == "compiled" else "1"
    questions, answers = _own_pipes()
    if mode == "compiled":
        load_compiled()
    bots = BotCache(load_players(players))
    gc.freeze()
    with suppress(BrokenPipeError), questions, answers:  # the server has gone: nobody is there to be answered
        answers.write(READY)
        answers.flush()
        serve(questions, answers, bots, limit / 1000)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), *sys.argv[3:4])
