"""The bots in the seats: when each looks, what it then does, and what happens if it does not manage.

A batch asks for a look, which takes its time and then sees the table as it is. What the bot returns is sent
with the seq it looked at in its id, so that a second look at the same batch, here or in another process, does
nothing twice. One look may decline several offers on the way: that is secret, so it takes no time of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from random import Random
from typing import Any

import structlog
from msgspec.structs import replace

from bohn.bots import DEFAULT
from bohn.bots.reasons import Reason
from bohn.rules.commands import AcceptOffer, AnyCommand, Claim, Command, DeclineOffer, EndTrading, Pass
from bohn.rules.errors import IllegalCommand
from bohn.rules.legal import legal_commands
from bohn.rules.state import EndPhase, State, TradePhase
from bohn.server.ambient import Ambient
from bohn.server.bots.asking import addressed
from bohn.server.bots.asks import PLAYERS, Traits, guessed, load_players, place_of
from bohn.server.bots.concerns import (
    AMONG,
    ANEW,
    END,
    ENGAGING,
    FRESH,
    LOOKS_IN_TRADING,
    MUST,
    OWN,
    PASS,
    Key,
    News,
    in_secret,
    looks,
    news_of,
    stands,
)
from bohn.server.bots.deciding import TALK, Case, Decided, Decides, Deciding, Decision, onward
from bohn.server.bots.desk import Desk, Moment, Player
from bohn.server.bots.memory import Log, game_events
from bohn.server.bots.pace import Pace, people
from bohn.server.bots.pool import BotFailed, Pool
from bohn.server.lessons import LESSONS
from bohn.server.refusals import Refusal
from bohn.server.room.state import Room
from bohn.server.settings import Settings
from bohn.server.store.protocol import Row, StoreUnavailable
from bohn.server.tables.api import Peek, Tables
from bohn.server.wire.frames import Remark
from bohn.sim.floor import BRISK, due
from bohn.sim.seat import Maker

LOG = structlog.get_logger("bohn.bots")

ACTS_A_TURN = 100
"""So much a bot does in one trading; then it listens no more, so that the trading ends."""

TALK_A_MOVE = 4
"""So often a bot may talk while the game waits for it."""

STRIKES = 3
"""A bot that breaks so often at a table is relieved there by the default one."""

REFUSALS = 5
"""So often in a row a bot in the trading tries again what was refused."""

DECISIONS_A_LOOK = 40
"""So often a bot decides in one look: it declines and goes on, or the table moved on meanwhile."""

TICK = 10
"""Ms between two looks at whether a trading can end, at least."""

Act = Callable[[Desk, Player], Awaitable[None]]


class BotSeats:
    """All bots in the seats of this process's tables; it offers :class:`bohn.server.tables.api.Seats`."""

    def __init__(
        self,
        tables: Tables,
        settings: Settings,
        ambient: Ambient,
        rand: Random,
        *,
        players: str = PLAYERS,
        log: Log | None = None,
        pool: Decides | None = None,
        decided: Decided | None = None,
    ) -> None:
        """Play at these tables; processes are started when the first bot has to decide.

        ``players`` is where the bots are found (``module:NAME``). ``log`` reads a table's log, so that a bot
        which uses knowledge has all of it even if it came later; without ``log`` it begins with what it sees.
        ``decided`` is told of every decision.
        """
        self._tables = tables
        self._ambient = ambient
        self._rand = rand
        self._makers: dict[str, Maker] = load_players(players)
        self._pace = Pace(settings.times, rand)
        self._asks = settings.times.bot_asks
        self._last_call = max(0, settings.times.last_call - settings.times.collect)
        self._log = log
        self._deciding = Deciding(pool or Pool(settings.bots, settings.times.bot_limit, players), decided)
        self._desks: dict[str, Desk] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopped = False

    # -- what the tables tell --------------------------------------------------------------------------

    def noticed(self, peek: Peek, row: Row | None) -> None:
        """Look at a table after a batch, or after it was loaded (``row`` is ``None``)."""
        if self._stopped:
            return
        desk = self._desks.get(peek.room.id)
        bots = any(seat.bot is not None for seat in peek.room.seats)
        if peek.room.status != "playing" or peek.state is None or not bots:
            self.dropped(peek.room.id)
            return
        if desk is not None and row is not None and row.seq <= desk.peek.seq:
            return
        anew = desk is None or row is None
        if desk is None:
            desk = self._desks[peek.room.id] = Desk(peek)
        self._seat_bots(desk, peek.room)
        desk.follow(peek, row, anew=anew)
        self._go_on(desk, row, ANEW if anew else news_of(peek, row))
        if row is not None:
            self._speak(desk, row)

    def dropped(self, table: str) -> None:
        """Forget a table that left memory."""
        desk = self._desks.pop(table, None)
        if desk is not None:
            self._hush(desk)
            for player in desk.players.values():
                player.dismiss()

    async def choose(self, peek: Peek, seat: int) -> AnyCommand | None:
        """Return PK's choice for a seat whose clock has expired; ``None`` if nobody waits for it any more."""
        state = peek.state
        if state is None or seat not in due(state):
            return None
        case = Case(peek.room.id, peek.seq, peek.rules, state, seat, DEFAULT, seed=0, must=True)
        try:
            decision = await self._deciding.decide(case)
        except Exception as error:  # noqa: BLE001 - an expired clock must not wait for what is broken here
            LOG.warning("choice-failed", table=case.table, seq=case.seq, seat=seat, detail=place_of(error))
            legal: Any = legal_commands(peek.rules, state, seat)
            return onward(legal)
        return decision.command

    async def stop(self) -> None:
        """End all work."""
        self._stopped = True
        for table in tuple(self._desks):
            self.dropped(table)
        await self._deciding.stop()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _speak(self, desk: Desk, row: Row) -> None:
        """Say what bots have to say about a batch; in a lesson the story speaks."""
        command, room = row.command, desk.peek.room
        if not isinstance(command, Command) or room.lesson is not None:
            return
        player = desk.players.get(command.player)
        reason = player.reason if player is not None and row.cause == "bot" else None
        events = game_events(row.events)
        for saying in desk.voices.sayings(desk.state.turn, command, events, reason, people(room)):
            told = saying.reason
            self._tables.post(desk.id, Remark(saying.seat, row.at, told.key, told.params), seat=saying.to)

    # -- who plays -------------------------------------------------------------------------------------

    def _seat_bots(self, desk: Desk, room: Room) -> None:
        """Let bots sit down where they play now; those whose seats are taken back are dismissed."""
        playing = not room.paused
        for seat, place in enumerate(room.seats):
            player = desk.players.get(seat)
            if player is not None and place.bot != player.bot:
                desk.players.pop(seat).dismiss()
                player = None
            if place.bot is not None and player is None:
                traits = guessed(self._makers.get(place.bot))
                desk.players[seat] = Player(seat, place.bot, self._rand.getrandbits(32), traits)
            elif player is not None and player.seated and not playing:
                player.dismiss()

    def _go_on(self, desk: Desk, row: Row | None, news: News) -> None:
        """Ask for the looks that follow from a batch."""
        peek, state = desk.peek, desk.state
        if peek.room.paused or isinstance(state.phase, EndPhase):
            self._hush(desk)
            return
        for player in desk.players.values():
            new = not player.seated or row is None
            if new:
                player.dismiss()
                player.seated = True
            self._concern(desk, player, ANEW if new else news, row)
        self._listen(desk, alive=news.alive)
        for player in desk.players.values():
            self._ensure(desk, player)

    def _concern(self, desk: Desk, player: Player, news: News, row: Row | None) -> None:
        state, seat = desk.state, player.seat
        for key in tuple(player.pending):
            if not stands(key, state, seat):
                player.drop(key)
        if news.anew:
            player.acts = player.refused = 0
        elif row is not None and getattr(row.command, "player", None) == seat:
            player.acts += 1
        if player.acts >= ACTS_A_TURN and isinstance(state.phase, TradePhase):
            return
        for look in looks(self._pace, desk.peek, seat, player.traits, news, player.pending):
            if look.over:
                player.drop(look.key)
            self._start(desk, player, look.key, look.delay, self._look)

    # -- moments ---------------------------------------------------------------------------------------

    def _ensure(self, desk: Desk, player: Player) -> None:
        """See to it that whoever is waited for will look, and whoever has nothing more to do closes."""
        state, seat, room = desk.state, player.seat, desk.peek.room
        if not isinstance(state.phase, TradePhase):
            if seat in due(state) and MUST not in player.pending and not player.lock.locked():
                delay = _patient(self._pace.move(room, state), player)
                self._start(desk, player, MUST, delay, self._look)
        elif desk.peek.rules.closing == "unanimous":
            if not player.busy and seat not in state.phase.passes and PASS not in player.pending:
                self._start(desk, player, PASS, _patient(self._pace.delay(room), player), self._pass)
        elif seat == state.active_player and self._may_end(desk, player) and END not in player.pending:
            self._start(desk, player, END, 0, self._end_trading)

    def _start(self, desk: Desk, player: Player, key: Key, delay: float, act: Act) -> None:
        task = self._spawn(self._moment(desk, player, key, delay, act))
        player.pending[key] = Moment(task, self._ambient.now() + delay)
        player.tasks.add(task)
        task.add_done_callback(player.tasks.discard)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _moment(self, desk: Desk, player: Player, key: Key, delay: float, act: Act) -> None:
        """Wait, act, and see what is to be done next; refusals are normal, for the table moves on."""
        await self._ambient.sleep(delay)
        again = False
        async with player.lock:
            player.pending.pop(key, None)
            try:
                await act(desk, player)
            except BotFailed:  # all is stopped
                return
            except (IllegalCommand, Refusal, StoreUnavailable):
                again = key.why in LOOKS_IN_TRADING and player.refused < REFUSALS
                player.refused += 1
            except Exception as error:  # noqa: BLE001 - one table's trouble is not to stop the bots of others
                detail = place_of(error)  # without its words, which may name cards
                LOG.error("bot-task-failed", table=desk.id, seat=player.seat, detail=detail)  # noqa: TRY400 - as above
                player.refused += 1
        if not player.seated or self._desks.get(desk.id) is not desk:
            return
        if again and isinstance(desk.state.phase, TradePhase) and FRESH not in player.pending:
            self._start(desk, player, FRESH, self._pace.delay(desk.peek.room), self._look)
        for one in {player.seat, desk.state.active_player} & desk.players.keys():
            self._ensure(desk, desk.players[one])

    # -- looking ---------------------------------------------------------------------------------------

    async def _look(self, desk: Desk, player: Player) -> None:
        """Let the bot decide on the table as it is now, and do what it says."""
        for _ in range(DECISIONS_A_LOOK):
            peek = desk.peek if desk.peek.seq >= player.acted else await self._tables.peek(desk.id)
            state = peek.state
            if state is None or isinstance(state.phase, EndPhase):
                return
            must = player.seat in due(state)
            if not must and not _listens(player.traits, trading=isinstance(state.phase, TradePhase)):
                return
            decision = await self._decision(desk, player, peek, state, must=must)
            here = people(peek.room) if peek.room.lesson is None else frozenset()
            made = desk.ledger.made(player.seat)
            command = addressed(peek.rules, state, decision.command, here, made, self._asks)
            if command is None or _too_early(player, command):
                return
            if desk.peek.seq > peek.seq and not isinstance(state.phase, TradePhase):
                continue  # what it would have done may mean something else now
            await self._send(desk, player, peek, command, decision.reason)
            if not in_secret(state, command):
                return

    async def _decision(
        self, desk: Desk, player: Player, peek: Peek, state: State, *, must: bool
    ) -> Decision:
        """Ask the bot, with what it may still offer and, if it wants that, with what it knows."""
        made = desk.ledger.made(player.seat)
        left = max(0, BRISK.offers_a_turn - len(made))
        # while an own offer waits for answers, nothing else is proposed
        out = OWN in player.pending or AMONG in player.pending
        tries = left if isinstance(state.phase, TradePhase) and not out else 0
        bot = DEFAULT if player.strikes >= STRIKES else player.bot
        mute = must and player.talked >= TALK_A_MOVE
        case = Case(
            desk.id, peek.seq, peek.rules, state, player.seat, bot, player.seed, must, tries, made, mute=mute
        )
        if player.traits.uses_knowledge:
            case = replace(case, knowledge=await desk.notebook.page(peek, player.seat, self._log))
        decision = await self._deciding.decide(case)
        player.strikes += decision.broke
        if decision.traits is not None and bot == player.bot:
            player.traits = decision.traits
            if player.traits.uses_knowledge and case.knowledge is None:
                page = await desk.notebook.page(peek, player.seat, self._log)
                decision = await self._deciding.decide(replace(case, knowledge=page))
        return decision

    async def _send(
        self, desk: Desk, player: Player, peek: Peek, command: AnyCommand, reason: Reason | None = None
    ) -> None:
        """Send a command; of each look at a batch there is one, and its id says so."""
        number = f"bot:{player.seat}:{peek.seq}:0"
        player.reason = reason
        player.acted = await self._tables.execute_for_bot(desk.id, player.seat, number, command)
        player.refused = 0
        player.talked = player.talked + 1 if isinstance(command, TALK) else 0

    # -- closing ---------------------------------------------------------------------------------------

    def _listen(self, desk: Desk, *, alive: bool) -> None:
        """Time the silence in a trading that a bot will end; bots' haggling with bots does not break it."""
        state = desk.state
        active = desk.players.get(state.active_player)
        closes = isinstance(state.phase, TradePhase) and desk.peek.rules.closing == "active" and active
        if not closes:
            self._hush(desk)
        elif alive or desk.silence is None:
            self._hush(desk)
            desk.silence = self._spawn(self._wait_for_quiet(desk))

    def _hush(self, desk: Desk) -> None:
        desk.quiet = False
        if desk.silence is not None:
            desk.silence.cancel()
            desk.silence = None

    async def _wait_for_quiet(self, desk: Desk) -> None:
        while True:
            await self._ambient.sleep(max(TICK, self._pace.quiet(desk.peek.room)))
            desk.quiet = True
            for player in desk.players.values():
                self._ensure(desk, player)

    def _may_end(self, desk: Desk, player: Player) -> bool:
        """Tell whether nobody has stirred, and what bots have still to answer will be answered in time."""
        end = self._ambient.now() + (self._last_call if people(desk.peek.room) else 0)
        return desk.quiet and not player.engaged and desk.heard(end)

    async def _pass(self, desk: Desk, player: Player) -> None:
        """Want no more trade, if still nothing is to be done."""
        peek, phase = desk.peek, desk.state.phase
        looking = any(key.why in LOOKS_IN_TRADING for key in player.pending)
        if not looking and isinstance(phase, TradePhase) and player.seat not in phase.passes:
            await self._send(desk, player, peek, Pass(player.seat))

    async def _end_trading(self, desk: Desk, player: Player) -> None:
        """End the trading, unless the table holds the last call already; one try for each silence."""
        peek, state = desk.peek, desk.state
        looking = any(key.why in ENGAGING for key in player.pending)
        if looking or not desk.quiet or not isinstance(state.phase, TradePhase):
            return
        desk.quiet = False
        if self._keeps_open(desk, player):
            return
        call = peek.room.last_call
        if call is not None and call.turn == state.turn:
            over = call.until + self._pace.quiet(peek.room)  # by then the table should have ended it
            if self._ambient.now() < over:
                return
        await self._send(desk, player, peek, EndTrading(player.seat))

    def _keeps_open(self, desk: Desk, player: Player) -> bool:
        """Tell whether the bot of a lesson goes on waiting for somebody to answer or to harvest."""
        room = desk.peek.room
        lesson = LESSONS.get(room.lesson or "")
        patience = 0 if lesson is None else lesson.patience(desk.state, player.seat, people(room))
        return patience > 0 and desk.wait(max(100, int(self._pace.quiet(room)))) <= patience


def _patient(delay: float, player: Player) -> float:
    """Return a delay, longer and longer for what is refused again and again."""
    return delay * 2.0 ** min(max(0, player.refused - 1), 5)


def _listens(traits: Traits, *, trading: bool) -> bool:
    """Tell whether a bot wants to be asked when nobody waits for it."""
    return traits.off_turn or (trading and traits.trades)


def _too_early(player: Player, command: AnyCommand) -> bool:
    """Tell whether this answers an offer for which the bot has not taken its time; it will look again."""
    if not isinstance(command, AcceptOffer | Claim | DeclineOffer):
        return False
    return any(key.why == "offer" and key.offer == command.offer for key in player.pending)
