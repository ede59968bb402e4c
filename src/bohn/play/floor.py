"""The floor: the documented order in which computer players are asked when no people play.

`bohn.rules` knows who *may* act, a set. The floor drives a game and is no rule: the active player is
asked first, then the others clockwise. While beans are traded

* an offer is put to its addressees at once, each is asked once, and then its maker again;
* an exchange, a harvest or a purchase concerns everybody: all are asked again, from the active player on;
* whoever is asked answers, proposes at most one offer, harvests, buys or passes;
* when nobody is left to ask, all have passed, and the trading ends.

Outside the trading the game always waits for somebody (:func:`~bohn.rules.legal.waiting`); before he goes
on, every other seat with a legal command is asked, once after each event.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from bohn.play.seat import Bot, Choices
from bohn.rules.commands import (
    AcceptOffer,
    BuyField,
    Claim,
    Command,
    DeclineOffer,
    EditOffer,
    EndTrading,
    Harvest,
    MakeOffer,
    MakePromise,
    Pass,
    Pick,
    SetWish,
    WithdrawOffer,
    WithdrawPromise,
)
from bohn.rules.deal import opening
from bohn.rules.decide import decide
from bohn.rules.errors import BohnError, IllegalCommand
from bohn.rules.events import Event, Traded
from bohn.rules.evolve import fold
from bohn.rules.legal import legal_commands, may_act, waiting
from bohn.rules.policies import ALL_MUST_PASS
from bohn.rules.ruleset import Rules
from bohn.rules.shuffle import seed_from
from bohn.rules.state import EndPhase, State, TradePhase, in_order
from bohn.views.knowledge import Knowledge, know, learn
from bohn.views.view import view
from bohn.views.visible import visible


class FloorSetting(Struct, frozen=True):
    """How long the floor lets a table trade; its name is in every result, because it changes results.

    The most offers of one seat in a turn, and between two exchanges; the most exchanges in a turn.
    ``asks_again``: whoever has answered or said something is asked again, so that it can still propose.
    """

    name: str
    offers_a_turn: int
    offers_between_exchanges: int
    exchanges_a_turn: int
    asks_again: bool = False


BRISK = FloorSetting("brisk", 5, 5, 24)
"""For tables with people: at most 5 offers a seat a turn."""

FREE = FloorSetting("free", 24 * 200, 200, 24)
"""At most 200 offers a seat between two exchanges, 24 exchanges a turn."""

AS_SEATED = FloorSetting("as-seated", 5, 5, 24, asks_again=True)
"""For a look at what computer players do beside people: there each looks at the table in its own time."""

FLOOR_SETTINGS: dict[str, FloorSetting] = {setting.name: setting for setting in (BRISK, FREE)}
"""Those of results: what is measured in one of them stays comparable."""

MOST_QUESTIONS = 20_000
"""Questions the floor asks in one trading phase before it ends it: some bots would go on for ever."""

TALK_LIMIT = 10_000
"""Wishes and promises that may be made in one game, since a bot that only talks would never let it end."""

NOTHING_LEARNT = Knowledge(None, 0, (), (), (), (), ())
"""What bots that do not use knowledge are given."""


class BotError(BohnError):
    """A bot broke its contract: an illegal command, an offer too many, a pass when the game waits for it."""


class Stats(Struct):
    """Counts of what happened in one game.

    ``offers`` counts edited ones too; ``trades`` are exchanges in which both sides give, ``gifts`` those
    in which one does; ``other_commands`` are all but offers, answers and talk.
    """

    commands: int = 0
    other_commands: int = 0
    offers: int = 0
    answers: int = 0
    talk: int = 0
    trades: int = 0
    gifts: int = 0
    off_turn_harvests: int = 0
    purchases: int = 0


class Move(Struct, frozen=True, gc=False):
    """One accepted command and the batch of events it caused."""

    command: Command
    events: tuple[Event, ...]


class GameResult(Struct, frozen=True):
    """A finished game: the result by seat, counts of what happened, and if asked for every batch.

    ``shares`` is the part of the win of each seat: 1, or an equal part of it after the tie-break.
    """

    edition: str
    players: int
    setting: str
    names: tuple[str, ...]
    coins: tuple[int, ...]
    pennies: tuple[int, ...]
    hand_cards: tuple[int, ...]
    winners: tuple[int, ...]
    shares: tuple[float, ...]
    turns: int
    stats: Stats
    opening: tuple[Event, ...] = ()
    moves: tuple[Move, ...] = ()


Watch = Callable[[State, Command, tuple[Event, ...], State], None]
"""A function called after every move with the state before, the command, the batch and the state after."""


# -- the order -----------------------------------------------------------------------------------


def floor(rules: Rules, state: State) -> tuple[int, ...]:
    """Return the seats that may act, in the order in which they are asked."""
    acting = may_act(rules, state)
    return tuple(seat for seat in in_order(state) if seat in acting)


# -- one game ------------------------------------------------------------------------------------

_OFFERS = (MakeOffer, EditOffer)
_ANSWERS = (AcceptOffer, DeclineOffer, Claim, Pick, WithdrawOffer)
_TALK = (SetWish, MakePromise, WithdrawPromise)


class FloorGame:
    """One game in progress whose players the floor asks; :func:`play_game` plays a whole one."""

    def __init__(
        self,
        rules: Rules,
        state: State,
        bots: Sequence[Bot],
        setting: FloorSetting = FREE,
        watch: Watch | None = None,
    ) -> None:
        """Seat the bots; ``state`` may be any position.

        Raises ``ValueError`` for a number of bots that is not that of the seats.
        """
        if len(bots) != rules.players:
            msg = f"{rules.players} seats and {len(bots)} bots"
            raise ValueError(msg)
        self.rules = rules
        self.state = state
        self.bots = tuple(bots)
        self.setting = setting
        self.stats = Stats()
        self.moves: list[Move] | None = None
        self._watch = watch
        self._knowledge = [
            know(view(rules, state, seat)) if bot.uses_knowledge else NOTHING_LEARNT
            for seat, bot in enumerate(bots)
        ]
        self._any_off_turn = any(bot.off_turn for bot in bots)
        self._learners = [seat for seat, bot in enumerate(bots) if bot.uses_knowledge]

    # what every move needs

    def ask(self, seat: int, tries: int = 0, legal: tuple[Command, ...] | None = None) -> Command | None:
        """Return what the bot in a seat decides now; ``legal`` are its legal commands, if already known."""
        bot = self.bots[seat]
        choices = Choices.at(self.rules, self.state, seat, tries) if legal is None else Choices(legal)
        command = bot.decide(view(self.rules, self.state, seat), choices, self._knowledge[seat])
        if command is None:
            return None
        if getattr(command, "player", None) != seat:  # an unfinished bot may return anything
            msg = f"{bot.name} in seat {seat} returned {command!r}"
            raise BotError(msg)
        if tries <= 0 and isinstance(command, _OFFERS):
            msg = f"{bot.name} in seat {seat} has no offer left: {command!r}"
            raise BotError(msg)
        return command

    def apply(self, command: Command) -> tuple[Event, ...]:
        """Play a command, count it, and update the knowledge of the bots that use it.

        Raises :class:`BotError` for an illegal command.
        """
        before = self.state
        try:
            events = decide(self.rules, before, command)
        except IllegalCommand as refusal:
            who = f"{self.bots[command.player].name} in seat {command.player}"
            msg = f"{who} played {command!r}, refused: {refusal.reason} ({refusal.clause})"
            raise BotError(msg) from refusal
        self.state = fold(events, before)
        self._count(before, command, events)
        for seat in self._learners:
            self._learn(seat, events)
        if self.moves is not None:
            self.moves.append(Move(command, events))
        if self._watch is not None:
            self._watch(before, command, events, self.state)
        return events

    def _learn(self, seat: int, events: tuple[Event, ...]) -> None:
        knowledge = self._knowledge[seat]
        for event in events:
            shown = visible(event, seat)
            if shown is not None:
                knowledge = learn(knowledge, shown)
        self._knowledge[seat] = knowledge

    def _count(self, before: State, command: Command, events: tuple[Event, ...]) -> None:
        stats = self.stats
        stats.commands += 1
        if isinstance(command, _OFFERS):
            stats.offers += 1
        elif isinstance(command, _ANSWERS):
            stats.answers += 1
            first = events[0]
            if isinstance(first, Traded):
                maker_gives = first.maker_hand or first.maker_face_up
                both = bool(maker_gives and (first.partner_hand or first.partner_face_up))
                stats.trades += both
                stats.gifts += not both
        elif isinstance(command, _TALK):
            stats.talk += 1
            if stats.talk > TALK_LIMIT:
                msg = f"{self.bots[command.player].name} in seat {command.player} talks without end"
                raise BotError(msg)
        else:
            stats.other_commands += 1
            if isinstance(command, Harvest):
                stats.off_turn_harvests += command.player != before.active_player
            elif isinstance(command, BuyField):
                stats.purchases += 1

    # the two kinds of phases

    def play(self) -> None:
        """Play until the game is over."""
        while not isinstance(self.state.phase, EndPhase):
            if isinstance(self.state.phase, TradePhase):
                Trading(self).run()
            else:
                self.step()

    def step(self) -> None:
        """Ask the seat the game waits for, then the others that may act off turn."""
        seat = waiting(self.rules, self.state)[0]
        before = self.state
        command = self.ask(seat)
        if command is None:
            msg = f"{self.bots[seat].name} in seat {seat} passed, but the game waits for it: {before.phase!r}"
            raise BotError(msg)
        self.apply(command)
        if self._any_off_turn:
            self._ask_off_turn(seat)

    def _ask_off_turn(self, mover: int) -> None:
        """Ask every seat the game does not wait for, once after each event that concerns it."""
        off_turn = [seat for seat in in_order(self.state) if self.bots[seat].off_turn]
        asked = [seat for seat in off_turn if seat != mover]
        waited_for = waiting(self.rules, self.state)
        while asked and not isinstance(self.state.phase, TradePhase | EndPhase):
            seat = asked.pop(0)
            if seat in waited_for:
                continue
            legal = legal_commands(self.rules, self.state, seat)
            command = self.ask(seat, legal=legal) if legal else None
            if command is not None:
                self.apply(command)
                waited_for = waiting(self.rules, self.state)
                if not isinstance(command, _TALK):
                    asked = list(off_turn)


class Trading:
    """One trading phase: which seats are to be asked, and how many offers each has made."""

    def __init__(self, game: FloorGame) -> None:
        """Begin with every seat that trades to be asked."""
        self._game = game
        self._order = floor(game.rules, game.state)
        self._asks = [bot.trades or bot.off_turn for bot in game.bots]
        self._made = [0] * len(self._order)
        self._since = [0] * len(self._order)
        self._exchanges = 0
        # by addressee, the makers whose offers he has not been asked about
        self._reached: dict[int, list[int]] = {}
        self._fresh = {seat for seat in self._order if self._asks[seat]}

    def run(self) -> None:
        """Ask until all have passed, then end the trading."""
        game = self._game
        questions_left = MOST_QUESTIONS
        while isinstance(game.state.phase, TradePhase):
            seat = self._next()
            questions_left -= 1
            if seat is None or not questions_left:
                self._close()
                return
            makers = self._reached.pop(seat, ())
            if makers and game.setting.asks_again:
                self._fresh.add(seat)
            else:
                self._fresh.discard(seat)
            command = game.ask(seat, self._tries(seat))
            if command is not None:
                events = game.apply(command)
                self._note(seat, command, events)
                if self._exchanges >= game.setting.exchanges_a_turn:
                    self._close()
                    return
            self._fresh.update(makers)

    def _next(self) -> int | None:
        """Return the seat to ask next: addressees of new offers before all others."""
        for concerned in (self._reached, self._fresh):
            if concerned:
                for seat in self._order:
                    if seat in concerned:
                        return seat
        return None

    def _tries(self, seat: int) -> int:
        setting = self._game.setting
        return min(
            setting.offers_a_turn - self._made[seat], setting.offers_between_exchanges - self._since[seat]
        )

    def _note(self, seat: int, command: Command, events: tuple[Event, ...]) -> None:
        """Update which seats are to be asked after a command."""
        if isinstance(events[0], Traded):
            self._exchanges += 1
            self._since = [0] * len(self._order)
            self._reached.clear()
            self._everybody()
        elif isinstance(command, MakeOffer | EditOffer):
            self._made[seat] += 1
            self._since[seat] += 1
            reached = [to for to in command.to if self._asks[to]]
            for to in reached:
                self._reached.setdefault(to, []).append(seat)
            if not reached:
                self._fresh.add(seat)
        elif isinstance(command, Harvest | BuyField):
            self._everybody()
        elif isinstance(command, _TALK):
            self._fresh.update({seat} if self._game.setting.asks_again else ())
        elif not isinstance(command, Pass):
            self._answered(seat, command)

    def _answered(self, seat: int, command: Command) -> None:
        """Have the maker of an answered offer asked, and the one who answered if he has another offer."""
        phase = self._game.state.phase
        if not isinstance(phase, TradePhase):
            return
        if isinstance(command, WithdrawOffer):
            self._fresh.add(seat)
        for offer in phase.offers:
            if isinstance(command, Claim | DeclineOffer) and offer.id == command.offer:
                self._fresh.add(offer.maker)
            elif seat in offer.to and seat not in offer.declined:
                self._fresh.add(seat)

    def _everybody(self) -> None:
        self._fresh = {seat for seat in self._order if self._asks[seat]}

    def _close(self) -> None:
        """End the trading, or pass for everybody where all must pass."""
        game = self._game
        if not ALL_MUST_PASS[game.rules.closing]:
            game.apply(EndTrading(game.state.active_player))
            return
        for seat in self._order:
            phase = game.state.phase
            if isinstance(phase, TradePhase) and seat not in phase.passes:
                game.apply(Pass(seat))


def play_game(
    rules: Rules,
    seed: bytes | str | int,
    bots: Sequence[Bot],
    setting: FloorSetting = FREE,
    *,
    with_moves: bool = False,
    watch: Watch | None = None,
) -> GameResult:
    """Play one whole game and return its result; ``with_moves`` adds every batch, as a record needs them.

    ``seed`` is 32 bytes, or a text or number that is hashed to them. Raises :class:`BotError` if a bot breaks
    its contract.
    """
    batch = opening(rules, seed_from(seed))
    game = FloorGame(rules, fold(batch), bots, setting, watch)
    if with_moves:
        game.moves = []
    game.play()
    return outcome(game, batch if with_moves else ())


def outcome(game: FloorGame, batch: tuple[Event, ...] = ()) -> GameResult:
    """Return the result of a finished game. Raises ``TypeError`` for one that is not over."""
    phase = game.state.phase
    if not isinstance(phase, EndPhase):
        msg = "the game is not over"
        raise TypeError(msg)
    result = phase.result
    seats = range(len(result.coins))
    share = 1 / len(result.winners)
    return GameResult(
        game.rules.edition,
        game.rules.players,
        game.setting.name,
        tuple(bot.name for bot in game.bots),
        result.coins,
        result.pennies,
        result.hand_cards,
        result.winners,
        tuple(share if seat in result.winners else 0.0 for seat in seats),
        game.state.turn,
        game.stats,
        batch,
        tuple(game.moves or ()),
    )
