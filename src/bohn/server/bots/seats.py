"""The bots in the seats: when each looks, what it then does, and what happens if it does not manage.

A batch asks for a look, which takes its time and then sees the table as it is. What the bot returns is sent
with the seq it looked at in its id, so that a second look at the same batch, here or in another process, does
nothing twice. One look may decline several offers on the way: that is secret, so it takes no time of its own.
Nor does what it says about a kind.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from random import Random
from typing import Any

import structlog
from msgspec.structs import replace

from bohn.bots import DEFAULT, recorded_name
from bohn.bots.reasons import Reason
from bohn.play.floor import BRISK
from bohn.play.seat import BotFactory
from bohn.protocol.frames import Remark
from bohn.protocol.refusals import Refusal
from bohn.rules.commands import AcceptOffer, AnyCommand, Claim, Command, DeclineOffer, EndTrading, Pass, Pick
from bohn.rules.decide import decide
from bohn.rules.errors import IllegalCommand
from bohn.rules.legal import legal_commands, waiting
from bohn.rules.policies import ALL_MUST_PASS
from bohn.rules.state import EndPhase, State, TradePhase
from bohn.server.bots.bot_table import BotTable, PendingAct, SeatedBot
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
    BatchMeaning,
    LookKey,
    in_secret,
    looks,
    meaning_of,
    stands,
)
from bohn.server.bots.deciding import TALK, BotLook, BotPool, Decided, Deciding, Decision, onward
from bohn.server.bots.messages import Traits, guessed, load_players, place_of
from bohn.server.bots.pace import Pace, people
from bohn.server.bots.pool import BotFailed, Pool
from bohn.server.bots.recipients import addressed
from bohn.server.bots.table_memory import ReadLog, game_events
from bohn.server.clock import TimeSource
from bohn.server.lessons import LESSONS, WHERE
from bohn.server.settings import Settings
from bohn.server.store.protocol import LogRow, StoreUnavailable
from bohn.server.tables.api import Peek, Tables

LOG = structlog.get_logger("bohn.bots")

ACTS_A_TURN = 100
"""Commands of one bot in one trading; then it looks at nothing more there, so that the trading ends."""

TALK_A_MOVE = 4
"""Wishes and promises a bot may send in one look, and while the game waits for it; then it must move."""

STRIKES = 3
"""Failed decisions of a bot at one table; then the default bot decides in its place."""

REFUSALS = 5
"""Refusals in a row after which a bot in the trading no longer looks again at once."""

DECISIONS_A_LOOK = 40
"""Decisions in one look, at most: a bot declines and goes on, or the table moved on meanwhile."""

TICK = 10
"""Least time in ms between two looks at whether a trading can end."""

SHORT_SILENCE = 100
"""Ms between two such looks where all people have traded enough: they wait for bots only."""

EXCHANGES = (AcceptOffer, Pick)
"""What may bring about an exchange."""

Act = Callable[[BotTable, SeatedBot], Awaitable[None]]


class BotSeats:
    """All bots in the seats of this process's tables; it offers :class:`bohn.server.tables.api.Seats`."""

    def __init__(
        self,
        tables: Tables,
        settings: Settings,
        clock: TimeSource,
        rand: Random,
        *,
        players: str = WHERE,
        log: ReadLog | None = None,
        pool: BotPool | None = None,
        decided: Decided | None = None,
    ) -> None:
        """Play at these tables; processes are started when the first bot has to decide.

        ``players`` is where the bots are found (``module:NAME``). ``log`` reads a table's log, so that a bot
        which uses knowledge has all of it even if it came later; without ``log`` it begins with what it sees.
        ``decided`` is told of every decision.
        """
        self._tables = tables
        self._clock = clock
        self._rand = rand
        self._factories: dict[str, BotFactory] = load_players(players)
        self._pace = Pace(settings.times, rand)
        self._asks = settings.times.bot_asks
        self._last_call = max(0, settings.times.last_call - settings.times.collect)
        self._log = log
        self._deciding = Deciding(pool or Pool(settings.bots, settings.times.bot_limit, players), decided)
        self._bot_tables: dict[str, BotTable] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopped = False

    # -- what the tables tell --------------------------------------------------------------------------

    def noticed(self, peek: Peek, row: LogRow | None) -> None:
        """Look at a table after a batch, or after it was loaded (``row`` is ``None``)."""
        if self._stopped:
            return
        table = self._bot_tables.get(peek.room.id)
        bots = any(seat.bot is not None for seat in peek.room.seats)
        if peek.room.status != "playing" or peek.state is None or not bots:
            self.dropped(peek.room.id)
            return
        if table is not None and row is not None and row.seq <= table.peek.seq:
            return
        anew = table is None or row is None
        if table is None:
            table = self._bot_tables[peek.room.id] = BotTable(peek)
        table.peek = peek
        self._seat_bots(table)
        table.follow(peek, row, anew=anew)
        self._go_on(table, row, ANEW if anew else meaning_of(peek, row))
        if row is not None:
            self._speak(table, row)

    def dropped(self, table: str) -> None:
        """Forget a table that left memory."""
        found = self._bot_tables.pop(table, None)
        if found is not None:
            self._hush(found)
            for seated in found.bots.values():
                seated.dismiss()

    def audience_changed(self, peek: Peek) -> None:
        """Go on where bots alone play and somebody looks again; rest there when nobody does any more."""
        table = self._bot_tables.get(peek.room.id)
        if table is None or table.peek.seq != peek.seq:
            return
        before, table.peek = table.rests, peek
        if table.rests != before:
            self._seat_bots(table)
            self._go_on(table, None, ANEW)

    def signs_changed(self, peek: Peek) -> None:
        """Look whether a trading can end: at once where people have traded enough, else after a silence.

        Who has traded enough is waited for no longer: it may stay open for a shorter time than before.
        """
        table = self._bot_tables.get(peek.room.id)
        if table is None or table.peek.seq != peek.seq:
            return
        composed, until = table.peek.composing, table.open_until
        table.peek = peek
        sooner = table.all_have_enough or table.open_until < until
        if not table.rests and (sooner or composed - peek.composing):
            self._listen(table, alive=True)

    async def choose(self, peek: Peek, seat: int) -> AnyCommand | None:
        """Return PK's choice for a seat whose clock has expired; ``None`` if nobody waits for it any more."""
        state = peek.state
        if state is None or isinstance(state.phase, TradePhase) or seat not in waiting(peek.rules, state):
            return None
        look = BotLook(peek.room.id, peek.seq, peek.rules, state, seat, DEFAULT, seed=0, must=True)
        try:
            decision = await self._deciding.decide(look)
        except Exception as error:  # noqa: BLE001 - an expired clock must not wait for what is broken here
            LOG.warning("choice-failed", table=look.table, seq=look.seq, seat=seat, detail=place_of(error))
            legal: Any = legal_commands(peek.rules, state, seat)
            return onward(legal)
        return decision.command

    async def stop(self) -> None:
        """End all work."""
        self._stopped = True
        for table in tuple(self._bot_tables):
            self.dropped(table)
        await self._deciding.stop()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _speak(self, table: BotTable, row: LogRow) -> None:
        """Say what bots have to say about a batch; in a lesson the story speaks."""
        command, room = row.command, table.peek.room
        if not isinstance(command, Command) or room.lesson is not None:
            return
        seated = table.bots.get(command.player)
        reason = seated.reason if seated is not None and row.cause == "bot" else None
        events = game_events(row.events)
        table.told_none.note(table.state.turn, events, reason)
        for saying in table.voices.sayings(table.state.turn, command, events, reason, people(room)):
            told = saying.reason
            remark = Remark(saying.seat, row.at, told.key, told.params, row.seq)
            self._tables.post(table.id, remark, seat=saying.to)

    # -- who plays -------------------------------------------------------------------------------------

    def _seat_bots(self, table: BotTable) -> None:
        """Let bots sit down where they play now; those whose seats are taken back are dismissed."""
        for seat, place in enumerate(table.peek.room.seats):
            seated = table.bots.get(seat)
            bot = None if place.bot is None else recorded_name(place.bot)
            if seated is not None and bot != seated.bot:
                table.bots.pop(seat).dismiss()
                seated = None
            if bot is not None and seated is None:
                traits = guessed(self._factories.get(bot))
                table.bots[seat] = SeatedBot(seat, bot, self._rand.getrandbits(32), traits)
            elif seated is not None and seated.active and table.rests:
                seated.dismiss()

    def _go_on(self, table: BotTable, row: LogRow | None, meaning: BatchMeaning) -> None:
        """Ask for the looks that follow from a batch; without one the table has only come into sight."""
        if meaning.anew and row is not None:
            for seated in table.bots.values():
                seated.acts = seated.refused = 0
        if table.rests or isinstance(table.state.phase, EndPhase):
            self._hush(table)
            return
        for seated in table.bots.values():
            new = not seated.active or row is None
            if new:
                seated.dismiss()
                seated.active = True
            self._concern(table, seated, ANEW if new else meaning, row)
        if table.peek.room.lesson is None:
            table.note_open_offers(self._pace, self._clock.now())
        self._listen(table, alive=meaning.alive)
        for seated in table.bots.values():
            self._ensure(table, seated)

    def _concern(self, table: BotTable, seated: SeatedBot, meaning: BatchMeaning, row: LogRow | None) -> None:
        state, seat = table.state, seated.seat
        for key in tuple(seated.pending):
            if not stands(key, table.peek.rules, state, seat):
                seated.drop(key)
        if row is not None and not meaning.anew and getattr(row.command, "player", None) == seat:
            seated.acts += 1
        if seated.acts >= ACTS_A_TURN and isinstance(state.phase, TradePhase):
            return
        for look in looks(self._pace, table.peek, seat, seated.traits, meaning, seated.pending):
            if look.over:
                seated.drop(look.key)
            self._start(table, seated, look.key, look.delay, self._look)

    # -- pending acts ---------------------------------------------------------------------------------------

    def _ensure(self, table: BotTable, seated: SeatedBot) -> None:
        """Make sure that a bot the game waits for will look, and that one with nothing more to do closes."""
        state, seat, room = table.state, seated.seat, table.peek.room
        if not isinstance(state.phase, TradePhase):
            if (
                seat in waiting(table.peek.rules, state)
                and MUST not in seated.pending
                and not seated.lock.locked()
            ):
                delay = _patient(self._pace.move(room, state), seated)
                self._start(table, seated, MUST, delay, self._look)
        elif ALL_MUST_PASS[table.peek.rules.closing]:
            if not seated.busy and seat not in state.phase.passes and PASS not in seated.pending:
                self._start(table, seated, PASS, _patient(self._pace.delay(room), seated), self._pass)
        elif seat == state.active_player and self._may_end(table, seated) and END not in seated.pending:
            self._start(table, seated, END, 0, self._end_trading)

    def _start(self, table: BotTable, seated: SeatedBot, key: LookKey, delay: float, act: Act) -> None:
        task = self._spawn(self._act_later(table, seated, key, delay, act))
        seated.pending[key] = PendingAct(task, self._clock.now() + delay)
        seated.tasks.add(task)
        task.add_done_callback(seated.tasks.discard)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _act_later(
        self, table: BotTable, seated: SeatedBot, key: LookKey, delay: float, act: Act
    ) -> None:
        """Wait, act, and see what is to be done next; refusals are normal, for the table moves on."""
        await self._clock.sleep(delay)
        again = False
        async with seated.lock:
            seated.pending.pop(key, None)
            try:
                await act(table, seated)
            except BotFailed:  # all is stopped
                return
            except (IllegalCommand, Refusal, StoreUnavailable):
                again = key.why in LOOKS_IN_TRADING and seated.refused < REFUSALS
                seated.refused += 1
            except Exception as error:  # noqa: BLE001 - one table's trouble is not to stop the bots of others
                detail = place_of(error)  # without its words, which may name cards
                LOG.error("bot-task-failed", table=table.id, seat=seated.seat, detail=detail)  # noqa: TRY400 - as above
                seated.refused += 1
        if not seated.active or self._bot_tables.get(table.id) is not table:
            return
        if again and isinstance(table.state.phase, TradePhase) and FRESH not in seated.pending:
            self._start(table, seated, FRESH, self._pace.delay(table.peek.room), self._look)
        for one in {seated.seat, table.state.active_player} & table.bots.keys():
            self._ensure(table, table.bots[one])

    # -- looking ---------------------------------------------------------------------------------------

    async def _look(self, table: BotTable, seated: SeatedBot) -> None:
        """Let the bot decide on the table as it is now, and do what it says."""
        for _ in range(DECISIONS_A_LOOK):
            peek = table.peek if table.peek.seq >= seated.acted else await self._tables.peek(table.id)
            state = peek.state
            if state is None or isinstance(state.phase, EndPhase):
                return
            trading = isinstance(state.phase, TradePhase)
            must = not trading and seated.seat in waiting(peek.rules, state)
            if not must and not _listens(seated.traits, trading=trading):
                return
            here = people(peek.room) if peek.room.lesson is None else frozenset()
            decision = await self._decision(table, seated, peek, state, here, must=must)
            made = table.offers_made.by(seated.seat)
            command = addressed(peek.rules, state, decision.command, here, made, self._asks)
            if command is None or _too_early(seated, command):
                return
            if table.peek.seq > peek.seq and not isinstance(state.phase, TradePhase):
                continue  # what it would have done may mean something else now
            if self._has_to_wait(table, seated, peek, command):
                return
            await self._send(table, seated, peek, command, decision.reason)
            goes_on = seated.talked < TALK_A_MOVE if isinstance(command, TALK) else in_secret(state, command)
            if not goes_on:
                return

    async def _decision(
        self,
        table: BotTable,
        seated: SeatedBot,
        peek: Peek,
        state: State,
        here: frozenset[int],
        *,
        must: bool,
    ) -> Decision:
        """Ask the bot, with what it may still offer and to whom, and if it wants that, with what it knows."""
        made = table.offers_made.by(seated.seat)
        left = max(0, BRISK.offers_a_turn - len(made))
        # while an own offer waits for answers, nothing else is proposed
        out = OWN in seated.pending or AMONG in seated.pending
        tries = left if isinstance(state.phase, TradePhase) and not out else 0
        bot = DEFAULT if seated.strikes >= STRIKES else seated.bot
        mute = must and seated.talked >= TALK_A_MOVE
        look = BotLook(
            table.id, peek.seq, peek.rules, state, seated.seat, bot, seated.seed, must, tries, made,
            mute=mute, people=here, deputy=peek.room.seats[seated.seat].user is not None,
            told_none=table.told_none.to(seated.seat, state.turn),
        )  # fmt: skip
        if seated.traits.uses_knowledge:
            look = replace(look, knowledge=await table.knowledge.of_seat(peek, seated.seat, self._log))
        decision = await self._deciding.decide(look)
        seated.strikes += decision.broke
        if decision.traits is not None and bot == seated.bot:
            seated.traits = decision.traits
            if seated.traits.uses_knowledge and look.knowledge is None:
                known = await table.knowledge.of_seat(peek, seated.seat, self._log)
                decision = await self._deciding.decide(replace(look, knowledge=known))
        return decision

    def _has_to_wait(self, table: BotTable, seated: SeatedBot, peek: Peek, command: AnyCommand) -> bool:
        """Tell whether people are to be left what this would trade away; the bot will look again."""
        state = peek.state
        if state is None or peek.room.lesson is not None or not isinstance(command, EXCHANGES):
            return False
        now, events = self._clock.now(), decide(peek.rules, state, command)
        wait = table.may_exchange_from(seated.seat, events, self._pace, now) - now
        if wait > 0 and FRESH not in seated.pending:
            self._start(table, seated, FRESH, wait, self._look)
        return wait > 0

    async def _send(
        self,
        table: BotTable,
        seated: SeatedBot,
        peek: Peek,
        command: AnyCommand,
        reason: Reason | None = None,
    ) -> None:
        """Send a command; of each look at a batch there is one, and its id says so."""
        number = f"bot:{seated.seat}:{peek.seq}:0"
        seated.reason = reason
        seated.acted = await self._tables.execute_for_bot(table.id, seated.seat, number, command)
        seated.refused = 0
        seated.talked = seated.talked + 1 if isinstance(command, TALK) else 0

    # -- closing ---------------------------------------------------------------------------------------

    def _listen(self, table: BotTable, *, alive: bool) -> None:
        """Time the silence in a trading that a bot will end; bots' haggling with bots does not break it."""
        state = table.state
        active = table.bots.get(state.active_player)
        closes = (
            isinstance(state.phase, TradePhase) and not ALL_MUST_PASS[table.peek.rules.closing] and active
        )
        if not closes:
            self._hush(table)
        elif alive or table.silence is None:
            self._hush(table)
            table.silence = self._spawn(self._wait_for_quiet(table))

    def _hush(self, table: BotTable) -> None:
        table.quiet = False
        if table.silence is not None:
            table.silence.cancel()
            table.silence = None

    async def _wait_for_quiet(self, table: BotTable) -> None:
        while True:
            await self._clock.sleep(self._silence(table))
            table.quiet = True
            for seated in table.bots.values():
                self._ensure(table, seated)

    def _silence(self, table: BotTable) -> float:
        """Return after how long a trading may end: none is needed by people who have traded enough."""
        if table.all_have_enough:
            return SHORT_SILENCE
        return max(TICK, self._pace.quiet(table.peek.room), table.open_until - self._clock.now())

    def _may_end(self, table: BotTable, seated: SeatedBot) -> bool:
        """Tell whether all was quiet, and bots will have answered what they have still to answer in time."""
        done = table.all_have_enough or not people(table.peek.room)
        end = self._clock.now() + (0 if done else self._last_call)
        busy = seated.busy if table.all_have_enough else seated.engaged
        return table.quiet and not busy and not self._is_open(table) and table.all_looked_by(end)

    def _is_open(self, table: BotTable) -> bool:
        """Tell whether the trading stays open for people: one composes, or has had no time for an offer."""
        return table.composed or self._clock.now() < table.open_until

    async def _pass(self, table: BotTable, seated: SeatedBot) -> None:
        """Pass, if there is still nothing to be done."""
        peek, phase = table.peek, table.state.phase
        looking = any(key.why in LOOKS_IN_TRADING for key in seated.pending)
        if not looking and isinstance(phase, TradePhase) and seated.seat not in phase.passes:
            await self._send(table, seated, peek, Pass(seated.seat))

    async def _end_trading(self, table: BotTable, seated: SeatedBot) -> None:
        """End the trading, unless the table holds the last call already; one try for each silence."""
        peek, state = table.peek, table.state
        looking = any(key.why in ENGAGING for key in seated.pending)
        if looking or not table.quiet or not isinstance(state.phase, TradePhase):
            return
        table.quiet = False
        if self._is_open(table) or self._keeps_open(table, seated):
            return
        call = peek.room.last_call
        if call is not None and call.turn == state.turn and not table.all_have_enough:
            over = call.until + self._pace.quiet(peek.room)  # by then the table should have ended it
            if self._clock.now() < over:
                return
        await self._send(table, seated, peek, EndTrading(seated.seat))

    def _keeps_open(self, table: BotTable, seated: SeatedBot) -> bool:
        """Tell whether the bot of a lesson goes on waiting for somebody to answer or to harvest."""
        room = table.peek.room
        lesson = LESSONS.get(room.lesson or "")
        patience = 0 if lesson is None else lesson.patience(table.state, seated.seat, people(room))
        return patience > 0 and table.add_wait(max(100, int(self._pace.quiet(room)))) <= patience


def _patient(delay: float, seated: SeatedBot) -> float:
    """Return a delay, longer and longer for what is refused again and again."""
    return delay * 2.0 ** min(max(0, seated.refused - 1), 5)


def _listens(traits: Traits, *, trading: bool) -> bool:
    """Tell whether a bot wants to be asked when nobody waits for it."""
    return traits.off_turn or (trading and traits.trades)


def _too_early(seated: SeatedBot, command: AnyCommand) -> bool:
    """Tell whether this answers an offer for which the bot has not taken its time; it will look again."""
    if not isinstance(command, AcceptOffer | Claim | DeclineOffer):
        return False
    return any(key.why == "offer" and key.offer == command.offer for key in seated.pending)
