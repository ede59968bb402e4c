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
from itertools import chain
from typing import Any, BinaryIO, cast

import msgspec
from msgspec.structs import replace

from bohn.bots.bargaining import Proposal, offer_command
from bohn.bots.reasons import Reason, reason_of, why
from bohn.lab.compile_cache import INTERPRET, is_cache_complete
from bohn.play.floor import NOTHING_LEARNT
from bohn.play.seat import Bot, BotFactory, Choices
from bohn.rules.commands import AnyCommand, Command, EditOffer, MakeOffer
from bohn.server.bots.answer_reasons import why_after_all
from bohn.server.bots.common_sense import is_senseless, second_thought
from bohn.server.bots.haggling import (
    AS_PROMISED,
    MOST,
    Aim,
    Haggler,
    Key,
    aims,
    as_offer,
    given,
    has_to_answer,
    nearest,
    prices,
    welcome,
)
from bohn.server.bots.harvest_sense import harvest_with_sense
from bohn.server.bots.levels import has_sense, is_hard
from bohn.server.bots.manners import ChangedOffers, for_those_who_may_have, is_mannerly
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
from bohn.server.bots.parting import KEPT_FOR_PARTING, given_instead, hand_partings, partings
from bohn.server.bots.promises import Promises
from bohn.server.bots.promising import Promiser, kept_by
from bohn.server.bots.said import hearing
from bohn.server.bots.taking_back import StandingOffers
from bohn.server.bots.trust import Trust
from bohn.server.bots.wishing import Speaker
from bohn.views.knowledge import Knowledge
from bohn.views.view import TradeView

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


class SeatedPlayer:
    """A bot in its seat, and what it has taken up of what others said and offered there."""

    def __init__(self, bot: Bot, name: str) -> None:
        """Begin with nothing taken up; the bot is one of that name."""
        self.bot = bot
        self._taken_up: set[Key] = set()
        self._speaker = Speaker(is_hard=is_hard(name))
        self.changed = ChangedOffers()
        self._trust = Trust()
        self._promises = Promises()
        self._promiser = Promiser()
        self.standing = StandingOffers()

    @property
    def _haggler(self) -> Haggler | None:
        """The bot as one that can say what offers are worth to it, which not every bot can."""
        bot: Any = self.bot
        return bot if hasattr(bot, "next_offers") else None

    def hears(self, question: Question) -> Question:
        """Return a question with what others say as far as it is believed."""
        others = _others(question)
        self._trust.note(question.view, others)
        knowledge = question.knowledge or NOTHING_LEARNT
        view = self._trust.heard(question.view, knowledge, others)
        return question if view is question.view else replace(question, view=view)

    def says(self, question: Question, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Return what it says or promises, before it offers anything, while nothing waits for an answer."""
        haggler, view, people = self._haggler, question.view, question.people
        if haggler is None or question.deputy or has_to_answer(view):
            return None
        said = self._speaker.says(haggler, view, choices, knowledge, people)
        if said is not None:
            return said
        return self._promiser.says(
            haggler, view, choices, knowledge, people, lambda one: self._suits(one, question)
        )

    def parts(self, question: Question, traits: Traits) -> BotAnswer | None:
        """Return an offer that rids it of beans which would cost it a row, beside people."""
        haggler, view = self._haggler, question.view
        if haggler is None or question.tries <= 0 or not has_sense(question) or has_to_answer(view):
            return None
        is_last = question.tries <= 1
        of_hand = () if is_hard(question.bot) else hand_partings(view, gifts_only=is_last)
        offers = chain(partings(view, gifts_only=is_last), of_hand)
        found = next((one for one in offers if self._suits(one, question)), None)
        if found is None:
            return None
        command = haggler.propose(question.view, question.knowledge or NOTHING_LEARNT, found)
        return BotAnswer(cast("AnyCommand", command), traits, why(question.view, command))

    def takes_back(
        self, question: Question, choices: Choices, knowledge: Knowledge
    ) -> tuple[Command, Reason | None] | None:
        """Return how it takes an offer back that has become senseless, beside people, and why."""
        haggler = self._haggler
        if haggler is None or question.deputy or not has_sense(question):
            return None
        kept = list(self._promiser.aims(question.view))
        return self.standing.reconsidered(haggler, question, choices, knowledge, kept)

    def takes_up(
        self, question: Question, choices: Choices, knowledge: Knowledge
    ) -> tuple[Command, Reason | None] | None:
        """Return an offer that takes up what somebody said, offered or refused, and what is said with it."""
        haggler = self._haggler
        if haggler is None or question.tries <= 0 or has_to_answer(question.view):
            return None
        view, others = question.view, _others(question)
        kept = () if question.deputy else self._promiser.aims(view)
        heard = aims(view, others, others - question.people)
        to_take_up = (*kept, *heard, *self._promises.aims(view, others))
        due = [aim for aim in to_take_up if aim.key not in self._taken_up]
        for aim in due:
            self._taken_up.add(aim.key)
            proposals = [one for one in prices(view, aim) if self._suits(one, question, aim)]
            if not aim.kept:
                proposals = welcome(haggler, view, choices, knowledge, proposals)
            found = nearest(aim, proposals)
            if found is None:
                likes = haggler.next_offers(view, choices, knowledge, MOST)
                found = nearest(aim, [one for one in likes if self._suits(one, question, aim)])
            if found is not None:
                return as_offer(aim, haggler.propose(view, knowledge, found)), aim.reason()
            gift = given_instead(view, question.bot, aim) if has_sense(question) else None
            if gift is not None and self._suits(gift, question, aim):
                command = as_offer(aim, haggler.propose(view, knowledge, gift))
                return command, why(view, command)
        return None

    def may_offer(self, command: MakeOffer | EditOffer, question: Question) -> bool:
        """Tell whether an offer is new in this turn, and suits the people at the table."""
        view, terms = question.view, terms_of(command)
        return (
            terms not in question.made
            and is_mannerly(command, view, question.made, _everybody(question))
            and not self.changed.is_too_soon(command, view, question.people)
            and not (has_sense(question) and is_senseless(question, terms))
        )

    def sells_first(self, command: MakeOffer | EditOffer, question: Question) -> bool:
        """Tell whether a gift has a bean for which something can still be asked: a price comes before it.

        That is of who would get it, or of a computer player: another person may have heard enough.
        """
        terms = terms_of(command)
        if terms.want or question.tries <= KEPT_FOR_PARTING or not has_sense(question):
            return False
        hears = frozenset(terms.to) | (_everybody(question) - question.people)
        sales = (one for one in partings(question.view) if one.want and hears.issuperset(one.to))
        about = (one for one in sales if not given(one).keys().isdisjoint(terms.give))
        return any(self._suits(one, question) for one in about)

    def _suits(self, proposal: Proposal, question: Question, aim: Aim | None = None) -> bool:
        """Tell whether a proposal is mannerly, perhaps as what takes something up; a word is kept anyway."""
        view = question.view
        if not isinstance(view.phase, TradeView):
            return False
        command: Any = offer_command(view, view.phase, proposal)
        if aim is not None:
            command = as_offer(aim, command)
            if aim.kept:
                return terms_of(command) not in question.made
        likely = _for_those_who_may_have(command, question)
        return likely is not None and likely.to == command.to and self.may_offer(command, question)


class BotCache:
    """The bots of a process: each is made once for its seat, and dropped when there are too many."""

    def __init__(self, players: dict[str, BotFactory]) -> None:
        """Know these players, and have none at a table."""
        self._players = players
        self._bots: OrderedDict[Seated, SeatedPlayer] = OrderedDict()

    def reply(self, question: Question) -> Reply:
        """Return what a bot decides, or how it broke; a broken bot is dropped."""
        try:
            player = self._player(question)
            reply = self._answer(player, question)
            if isinstance(reply, BotAnswer):
                player.changed.note(reply.command, question.view)
                player.standing.note(question, reply.command)
        except Exception as error:  # noqa: BLE001 - whatever a bot in the making raises
            self._bots.pop(_seated(question), None)
            return Broken(place_of(error))
        return reply

    def _answer(self, player: SeatedPlayer, question: Question) -> Reply:
        bot = player.bot
        question = player.hears(question)
        traits = Traits(bool(bot.trades), bool(bot.off_turn), bool(bot.uses_knowledge))
        knowledge = hearing(question.view, question.knowledge or NOTHING_LEARNT, _others(question))
        choices = Choices(question.legal, question.offers, question.tries)
        kept = None if question.deputy else kept_by(question.view, question.legal)
        if kept is not None:
            return BotAnswer(kept, traits, AS_PROMISED)
        taken_back = player.takes_back(question, choices, knowledge)
        if taken_back is not None:
            return BotAnswer(cast("AnyCommand", taken_back[0]), traits, taken_back[1])
        said = player.says(question, choices, knowledge)
        if said is not None:
            return BotAnswer(cast("AnyCommand", said), traits)
        taken_up = player.takes_up(question, choices, knowledge)
        if taken_up is not None:
            return BotAnswer(cast("AnyCommand", taken_up[0]), traits, taken_up[1])
        if question.tries <= KEPT_FOR_PARTING and (parted := player.parts(question, traits)) is not None:
            return parted
        for _ in range(REPEATS):
            command: object = bot.decide(question.view, choices, knowledge)
            if command is not None and not isinstance(command, Command):
                return Broken(f"returned {type(command).__name__}")
            if isinstance(command, MakeOffer | EditOffer):
                offer = _for_those_who_may_have(command, question)
                if offer is None or not player.may_offer(offer, question):
                    continue
                if player.sells_first(offer, question):
                    continue
                command = offer
            decided = cast("AnyCommand | None", command)  # the server checks it when it decodes it
            if decided is not None:
                return _explained(question, traits, decided, reason_of(bot))
            break
        return player.parts(question, traits) or BotAnswer(None, traits)

    def _player(self, question: Question) -> SeatedPlayer:
        key = _seated(question)
        player = self._bots.pop(key, None) or SeatedPlayer(
            self._players[question.bot](question.seed), question.bot
        )
        self._bots[key] = player
        if len(self._bots) > MOST_BOTS:
            self._bots.popitem(last=False)
        return player


def _everybody(question: Question) -> frozenset[int]:
    """Return those towards whom there are manners: beside people the computer players as well."""
    return frozenset(range(len(question.view.players))) if has_sense(question) else question.people


def _for_those_who_may_have(
    command: MakeOffer | EditOffer, question: Question
) -> MakeOffer | EditOffer | None:
    """Return an offer without those who are not likely to have what it asks for, if anybody is left."""
    everybody = _everybody(question)
    return for_those_who_may_have(command, question.view, question.knowledge, everybody, question.told_none)


def _others(question: Question) -> frozenset[int]:
    """Return those whose words and answers are taken up: people, and beside them the computer players too."""
    return _everybody(question) - {question.seat}


def _explained(question: Question, traits: Traits, command: AnyCommand, reason: Reason | None) -> BotAnswer:
    """Return an answer as it is given beside people: looked at once more, with the reason for it."""
    if not has_sense(question):
        return BotAnswer(command, traits, reason)
    found = harvest_with_sense(question, second_thought(question, command))
    return BotAnswer(found, traits, why_after_all(question, command, found, reason))


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
