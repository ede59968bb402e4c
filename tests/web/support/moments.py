"""Prepared games, as records: the fullest moments, reached by playing with the rules and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from bohn.bots import PLAYERS
from bohn.notation.records import Entry, Record, entry_of, format_record, header_of
from bohn.play.floor import BRISK, FloorGame
from bohn.play.seat import Bot, Choices, TradeView, View
from bohn.rules.beans import Bean
from bohn.rules.commands import (
    AcceptOffer,
    BuyField,
    Claim,
    Command,
    Harvest,
    MakeOffer,
    MakePromise,
    Plant,
    PlantSetAside,
    Reveal,
    SetWish,
)
from bohn.rules.deal import opening
from bohn.rules.decide import decide
from bohn.rules.evolve import fold
from bohn.rules.folds.course import EMPTY
from bohn.rules.resolve import resolve
from bohn.rules.ruleset import Rules
from bohn.rules.shuffle import seed_from
from bohn.rules.state import Copies, Copy, EndPhase, FaceUpPhase, GiftPhase, State, TradePhase
from bohn.views.knowledge import Knowledge

NAMES = ("Ada", "Bert", "Chiyo", "Dagur", "Elena", "Fatima", "Giulia")
BOT = "pk"
ADA = 0

Found = Callable[[State], bool]


class Moment(Struct, frozen=True):
    """A record that ends at the moment; or some commands before it, which are ``then`` done at the table."""

    record: bytes
    entries: int
    then: tuple[Any, ...] = ()


class Hoarder:
    """Grows, but gives nothing of its hand away: only what lies face up, for what it grows."""

    name = BOT
    trades = True
    off_turn = False
    uses_knowledge = False

    def __init__(self, pairs: int) -> None:
        """Plant two cards in so many turns, then one."""
        self.pairs = pairs

    def decide(self, view: View, choices: Choices, _: Knowledge) -> Command | None:
        """Return the next command."""
        grown = {field[-1] for field in view.players[ADA].fields if field}
        if isinstance(view.phase, TradeView):
            return self._trade(view.phase, choices, grown)
        legal = choices.legal
        planted = getattr(view.phase, "planted", 0)
        plants = [one for one in legal if isinstance(one, Plant | PlantSetAside)]
        if plants and (planted == 0 or self.pairs > 0):
            self.pairs -= planted
            return min(plants, key=lambda one: not view.players[ADA].fields[one.field])
        if not any(isinstance(one, Reveal) for one in legal):
            return max((one for one in legal if isinstance(one, Harvest)), key=lambda one: one.field % 2)
        return next(one for one in legal if isinstance(one, Reveal))

    def _trade(self, phase: TradeView, choices: Choices, grown: set[Bean]) -> Command | None:
        """Take what grows here, for what lies face up."""
        good = {offer.id for offer in phase.offers if grown.issuperset(offer.given)}
        answers = (one for one in choices.legal if isinstance(one, AcceptOffer))
        return next((one for one in answers if one.offer in good and not one.hand), None)


class Play:
    """A game that is written down while it is played."""

    def __init__(self, rules: Rules, seed: bytes) -> None:
        """Deal."""
        self.rules = rules
        self.seed = seed
        events = opening(rules, seed)
        self.state = fold(events, EMPTY)
        self.entries: list[Entry] = [entry_of(0, "host", None, events, self.state)]

    def do(self, command: Command) -> None:
        """Do a command."""
        events = decide(self.rules, self.state, command)
        self.state = fold(events, self.state)
        self.entries.append(entry_of(len(self.entries), "player", command, events, self.state))

    def moment(self, *, early: int = 0) -> Moment:
        """Return what was played so far; so many of the last commands (``early``) are left to be done."""
        played = len(self.entries) - early
        then = tuple(msgspec.to_builtins(entry.command) for entry in self.entries[played:])
        entries = tuple(self.entries[:played])
        names = NAMES[: self.rules.players]
        seats = [name if seat == ADA else f"{name}:{BOT}" for seat, name in enumerate(names)]
        header = header_of(self.rules, seats, self.seed, "bohn tests")
        return Moment(format_record(Record(header, entries)), len(entries), then)


def until(rules: Rules, seed: int, bots: Sequence[Bot], found: Found) -> Play | None:
    """Play a whole game, and return it up to the first moment that is looked for."""
    play = Play(rules, seed_from(seed))
    table = FloorGame(rules, play.state, bots, BRISK)
    table.moves = []
    table.play()
    for move in table.moves:
        play.do(move.command)
        if found(play.state):
            return play
    return None


# -- seven players, eight offers, twelve cards in hand ----------------------------------------------------


def _market_of_ada(state: State) -> bool:
    """Ada's market has just opened, and she has twelve cards."""
    fresh = isinstance(state.phase, TradePhase) and not state.phase.offers
    return fresh and state.active_player == ADA and len(state.players[ADA].hand) == 12


@cache
def seven_players(seed: int = 498) -> Moment:
    """Return Ada's market with eight standing offers, two claims on one of them, wishes and a promise."""
    rules = resolve("full", 7, "starter=seat:3")
    bots: list[Bot] = [Hoarder(2), *(PLAYERS[BOT](seat) for seat in range(1, 7))]
    play = until(rules, seed, bots, _market_of_ada)
    assert play is not None, "no market with twelve cards"
    _talk(play)
    _offer_all(play)
    for seat in range(1, 7):
        _propose(play, seat)
    told = len(play.entries)
    _say(play, ADA)
    _give(play)
    return play.moment(early=len(play.entries) - told)


def _talk(play: Play) -> None:
    """Let the others say what they grow and could spare, one give his word, and two buy a field."""
    for seat in range(1, 7):
        _say(play, seat)
    play.do(MakePromise(1, ADA, (play.state.players[1].hand[0],), ()))
    for seat in sorted(range(1, 7), key=lambda seat: -len(play.state.players[seat].treasury))[:2]:
        play.do(BuyField(seat))


def _say(play: Play, seat: int) -> None:
    """Let somebody say what he grows, and what he could spare."""
    player = play.state.players[seat]
    grown = {field[-1] for field in player.fields if field}
    for bean in sorted(grown)[:2]:
        play.do(SetWish(seat, bean, "want"))
    for bean in sorted(set(player.hand) - grown)[:1]:
        play.do(SetWish(seat, bean, "spare"))


def _copies(hand: Sequence[Bean], *beans: Bean) -> Copies:
    return tuple(Copy(hand.index(bean), bean) for bean in beans)


def _offer_all(play: Play) -> None:
    """Ada offers two cards for one that two others have, who would both take it."""
    ada, others = play.state.players[ADA], play.state.players[1:]
    holders = {bean: [s for s, p in enumerate(others, start=1) if bean in p.hand] for bean in Bean}
    want = max(holders, key=lambda bean: (len(holders[bean]), bean in {f[-1] for f in ada.fields if f}))
    give = next(bean for bean in ada.hand if bean != want)
    everybody = tuple(range(1, play.rules.players))
    face_up = tuple(Copy(0, bean) for bean in _face_up(play)[:1])
    hand = _copies(ada.hand, give)
    play.do(MakeOffer(ADA, everybody, hand, face_up, (want,), open=True, hand_revision=ada.hand_revision))
    for seat in holders[want][:2]:
        player = play.state.players[seat]
        play.do(Claim(seat, 1, 1, _copies(player.hand, want), player.hand_revision))


def _give(play: Play) -> None:
    """Ada gives away a card that is in no offer of hers."""
    ada, phase = play.state.players[ADA], play.state.phase
    assert isinstance(phase, TradePhase)
    mine = next(offer for offer in phase.offers if offer.maker == ADA)
    offered = {copy.bean for copy in mine.hand}
    other = next(bean for bean in ada.hand if bean not in offered.union(mine.want))
    copies = _copies(ada.hand, other)
    play.do(MakeOffer(ADA, (4,), copies, (), (), open=False, hand_revision=ada.hand_revision))


def _face_up(play: Play) -> tuple[Bean, ...]:
    phase = play.state.phase
    return phase.face_up if isinstance(phase, TradePhase) else ()


def _propose(play: Play, seat: int) -> None:
    """Let somebody offer Ada what suits her best for what he grows, or the last of her hand."""
    ada, own = play.state.players[ADA], play.state.players[seat]
    hers = {field[-1] for field in ada.fields if field}
    his = {field[-1] for field in own.fields if field}
    give = sorted(own.hand, key=lambda bean: (bean not in hers, bean in his))[: 1 + seat % 2]
    places: list[Copy] = []
    for bean in give:
        taken = {copy.place for copy in places}
        place = next(p for p, b in enumerate(own.hand) if b == bean and p not in taken)
        places.append(Copy(place, bean))
    there = [*_face_up(play), *ada.hand]
    want = next((bean for bean in there if bean in his and bean not in give), ada.hand[-1])
    wanted = () if seat == 5 else (want,)
    play.do(MakeOffer(seat, (ADA,), tuple(places), (), wanted, open=False, hand_revision=own.hand_revision))


# -- the duels ------------------------------------------------------------------------------------------


def _haggling(state: State) -> bool:
    phase = state.phase
    return (
        isinstance(phase, GiftPhase)
        and phase.word == ADA
        and phase.open
        and len(phase.named) >= 2
        and sum(map(bool, state.players[ADA].fields)) >= 2
    )


def _choosing(state: State) -> bool:
    phase = state.phase
    return isinstance(phase, FaceUpPhase) and state.active_player == ADA and len(phase.face_up) >= 4


@cache
def das_duell(seed: int = 49) -> Moment:
    """Return the middle of a haggling in which Ada has the word."""
    return _duel("das-duell", seed, _haggling)


@cache
def bean_duel(seed: int = 143) -> Moment:
    """Return a turn of Ada; her next command turns cards over and sweeps the discard pile."""
    return _duel("full", seed, _choosing, early=1)


def _duel(edition: str, seed: int, found: Found, *, early: int = 0) -> Moment:
    bots = [PLAYERS[BOT](seat) for seat in range(2)]
    play = until(resolve(edition, 2), seed, bots, found)
    assert play is not None, "the moment does not come"
    return play.moment(early=early)


# -- the end --------------------------------------------------------------------------------------------


@cache
def last_card(seed: int = 25) -> Moment:
    """Return a game of four that Ada's next command ends."""
    bots = [PLAYERS[BOT](seat) for seat in range(4)]
    play = until(resolve("full", 4), seed, bots, lambda state: isinstance(state.phase, EndPhase))
    assert play is not None
    assert play.entries[-1].actor == ADA, "somebody else ends this game"
    return play.moment(early=1)
