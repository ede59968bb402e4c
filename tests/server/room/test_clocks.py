"""The clocks of a table: whom they run for, how long, and what happens when time is over.

One long file: a third of it is the table on which whole games are timed, beside the cases they are made of.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bohn.protocol import room_events as e
from bohn.protocol.frames import Clock
from bohn.protocol.room import Options, Room
from bohn.rules import Bean
from bohn.rules.commands import EndTrading, Harvest, MakePromise, Pass, SetWish, WithdrawPromise
from bohn.rules.decide import decide
from bohn.rules.evolve import fold
from bohn.rules.legal import waiting
from bohn.rules.ruleset import Rules
from bohn.rules.state import EndPhase, PlantPhase, PlantTradedPhase, State, TradePhase
from bohn.server.room.clocks import (
    NOTHING,
    Choice,
    EndTradingNow,
    Expiry,
    PassFor,
    acting,
    choices_called,
    expiry,
    timers_after,
    view_of,
)
from bohn.server.room.fold import fold_room
from bohn.server.settings import Times
from bohn.server.store.protocol import Timer
from tests.server.support.positions import steps
from tests.server.support.rooms import (
    ANNA,
    BERT,
    CHIYO,
    DAGUR,
    abandoned,
    finished,
    handed_over,
    open_room,
    paused,
    playing_room,
)

TIMES = Times()
NOW = 5_000_000

SLOW = playing_room(ANNA, BERT, CHIYO, DAGUR, options=Options(players=4, clock="slow"))
FAST = playing_room(ANNA, BERT, CHIYO, DAGUR, options=Options(players=4, clock="fast"))
DAYS = playing_room(ANNA, BERT, CHIYO, DAGUR, options=Options(players=4, clock="24h"))
NONE = playing_room(ANNA, BERT, CHIYO, DAGUR)

RULES, GAME = steps("full", 4)


def in_phase(kind: type, seats: int = 1) -> State:
    """Return a position in this phase in which the game waits for this number of seats."""
    return next(
        step.before
        for step in GAME
        if isinstance(step.before.phase, kind) and len(waiting(RULES, step.before)) == seats
    )


PLANTING = in_phase(PlantPhase)
TRADING = in_phase(TradePhase)
PLANTING_TRADED = in_phase(PlantTradedPhase, seats=2)
ENDED = GAME[-1].after
SEAT = waiting(RULES, PLANTING)[0]
DECISION = f"decision:{SEAT}"


def after(
    room: Room, state: State | None, *before: Timer, acted: int | None = None, now: int = NOW
) -> tuple[Timer, ...]:
    """Return the timers after a batch."""
    return timers_after(room, RULES, state, before, acted, now, TIMES)


def in_last_call(room: Room, until: int = NOW + 3_000) -> Room:
    """Return the room in the last call of the turn in which beans are traded."""
    return fold_room((e.LastCallBegan(TRADING.turn, until),), room)


# -- which timers there are ------------------------------------------------------------------------------


@pytest.mark.parametrize(("room", "length"), [(SLOW, 60_000), (FAST, 20_000)])
def test_whoever_the_game_waits_for_has_a_clock(room: Room, length: int) -> None:
    """As long as the table's clock says."""
    assert after(room, PLANTING) == (Timer(DECISION, NOW + length),)


def test_everybody_the_game_waits_for_has_his_own_clock() -> None:
    """In the order of the seats."""
    expected = tuple(
        Timer(f"decision:{seat}", NOW + 60_000) for seat in sorted(waiting(RULES, PLANTING_TRADED))
    )

    assert after(SLOW, PLANTING_TRADED) == expected


@pytest.mark.parametrize(("room", "length"), [(SLOW, 180_000), (FAST, 60_000)])
def test_trading_has_one_clock(room: Room, length: int) -> None:
    """It is that of the phase, whoever plays in which seat."""
    expected = (Timer(f"trading:{TRADING.turn}", NOW + length),)

    assert after(room, TRADING) == expected
    assert after(handed_over(room, TRADING.active_player), TRADING) == expected


@pytest.mark.parametrize("state", [PLANTING, TRADING, PLANTING_TRADED])
def test_a_table_without_clocks_has_none(state: State) -> None:
    """Nobody is hurried."""
    assert after(NONE, state) == ()


@pytest.mark.parametrize(
    "room", [open_room(ANNA), finished(SLOW), abandoned(SLOW), finished(in_last_call(SLOW))]
)
@pytest.mark.parametrize("state", [None, PLANTING, TRADING, ENDED])
def test_a_table_that_does_not_play_has_none(room: Room, state: State | None) -> None:
    """Those there were are gone."""
    assert after(room, state, Timer(DECISION, NOW + 1), Timer("trading:1", None, 5)) == ()


def test_a_table_without_a_deal_has_none() -> None:
    """Until the cards are dealt nobody is waited for."""
    assert after(SLOW, None) == ()


def test_nobody_is_hurried_after_the_end() -> None:
    """The game waits for nobody."""
    assert after(SLOW, ENDED, Timer(DECISION, NOW + 1)) == ()


def test_a_bot_has_no_clock() -> None:
    """It has its own watchdog; with its owner a seat loses his clock."""
    kicked = fold_room((e.Kicked(SEAT, "pk"),), SLOW)
    assert after(kicked, PLANTING, Timer(DECISION, NOW + 5_000)) == ()


def test_clock_of_an_owner_stands_while_a_bot_plays_for_him() -> None:
    """Whoever hands his seat over and takes it back has what he had left, and no more."""
    handed = fold_room((e.HandedOver(SEAT, "pk"),), SLOW)
    standing = Timer(DECISION, None, 5_000)
    assert after(handed, PLANTING, Timer(DECISION, NOW + 5_000)) == (standing,)
    assert after(SLOW, PLANTING, standing) == (Timer(DECISION, NOW + 5_000),)


def test_decision_of_the_bot_ends_the_clock_of_the_owner() -> None:
    """What the bot has decided is decided: the next decision has a clock of its own."""
    handed = fold_room((e.HandedOver(SEAT, "pk"),), SLOW)
    assert after(handed, PLANTING, Timer(DECISION, None, 5_000), acted=SEAT) == ()


def test_an_owner_who_returns_to_a_new_decision_has_his_whole_time() -> None:
    """Taking back is newly being waited for."""
    assert after(SLOW, PLANTING) == (Timer(DECISION, NOW + 60_000),)


# -- how they run ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("acted", [None, (SEAT + 1) % 4])
def test_a_running_clock_is_left_alone(acted: int | None) -> None:
    """What others do costs and gives no time."""
    assert after(SLOW, PLANTING, Timer(DECISION, NOW + 5_000), acted=acted) == (Timer(DECISION, NOW + 5_000),)


def test_an_own_decision_starts_the_clock_afresh() -> None:
    """Whoever may plant twice has his time for each."""
    assert after(SLOW, PLANTING, Timer(DECISION, NOW + 5_000), acted=SEAT) == (Timer(DECISION, NOW + 60_000),)


def test_trading_is_not_prolonged_by_acting() -> None:
    """Offers of anybody change nothing about its end."""
    timer = Timer(f"trading:{TRADING.turn}", NOW + 5_000)

    assert after(SLOW, TRADING, timer, acted=TRADING.active_player) == (timer,)


def test_the_trading_of_another_turn_has_its_own_clock() -> None:
    """An old timer is never taken for a new one."""
    assert after(SLOW, TRADING, Timer(f"trading:{TRADING.turn - 1}", NOW + 5_000)) == (
        Timer(f"trading:{TRADING.turn}", NOW + 180_000),
    )


def test_a_late_timer_stays_due() -> None:
    """Expiry is decided where timers are fired, not here."""
    assert after(SLOW, PLANTING, Timer(DECISION, NOW - 5_000)) == (Timer(DECISION, NOW - 5_000),)


def test_talk_is_no_decision() -> None:
    """Wishes and promises do not restart the clock of whoever makes them."""
    talk = (
        SetWish(1, Bean.RED, "want"),
        MakePromise(1, 2, (Bean.RED,), (), "some-time"),
        WithdrawPromise(1, 1),
    )

    assert [acting(command) for command in talk] == [None, None, None]
    assert acting(Harvest(1, 0)) == 1


# -- pauses ------------------------------------------------------------------------------------------------


def test_a_pause_keeps_what_is_left() -> None:
    """The timer is stopped, and stays so whatever happens."""
    standing = after(paused(SLOW), PLANTING, Timer(DECISION, NOW + 5_000))

    assert standing == (Timer(DECISION, None, 5_000),)
    assert after(paused(SLOW), PLANTING, *standing, now=NOW + 99_000) == standing


def test_after_a_pause_the_clock_goes_on() -> None:
    """With the rest of its time, counted from now."""
    assert after(SLOW, PLANTING, Timer(DECISION, None, 5_000)) == (Timer(DECISION, NOW + 5_000),)


def test_a_timer_that_was_due_has_nothing_left_in_a_pause() -> None:
    """Never less than nothing."""
    assert after(paused(SLOW), PLANTING, Timer(DECISION, NOW - 5)) == (Timer(DECISION, None, 0),)


def test_who_returns_in_a_pause_has_his_whole_time_standing() -> None:
    """It begins with the end of the pause."""
    assert after(paused(SLOW), PLANTING) == (Timer(DECISION, None, 60_000),)


# -- the last call -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("room", [NONE, SLOW])
def test_a_last_call_is_timed_with_and_without_clocks(room: Room) -> None:
    """Beside the clock of the trading."""
    timers = after(in_last_call(room), TRADING)

    assert timers[-1] == Timer(f"last-call:{TRADING.turn}", NOW + 3_000)
    assert len(timers) == (1 if room is NONE else 2)


@pytest.mark.parametrize("state", [PLANTING, PLANTING_TRADED])
def test_a_last_call_ends_with_the_trading(state: State) -> None:
    """What the room remembers of it times nothing any more."""
    same_turn = replace(state, turn=TRADING.turn)

    assert after(in_last_call(NONE), same_turn) == ()


def test_the_last_call_of_an_earlier_turn_is_over() -> None:
    """Each turn has its own."""
    assert after(in_last_call(NONE), replace(TRADING, turn=TRADING.turn + 4)) == ()


def test_a_prolonged_last_call_ends_later() -> None:
    """Its timer follows the room."""
    room = fold_room((e.LastCallProlonged(NOW + 5_000),), in_last_call(NONE))

    assert after(room, TRADING, Timer(f"last-call:{TRADING.turn}", NOW + 1_000)) == (
        Timer(f"last-call:{TRADING.turn}", NOW + 5_000),
    )


def test_a_last_call_that_was_put_off_stays_so() -> None:
    """A time in which no server ran costs nobody anything."""
    timer = Timer(f"last-call:{TRADING.turn}", NOW + 9_000)

    assert after(in_last_call(NONE), TRADING, timer) == (timer,)


def test_a_last_call_stands_in_a_pause_and_goes_on_after_it() -> None:
    """Timer and room agree on its end, however long the pause was."""
    room = in_last_call(NONE)
    running = after(room, TRADING)
    room = fold_room((e.Paused(NOW + 1_000),), room)
    standing = after(room, TRADING, *running, now=NOW + 1_000)
    room = fold_room((e.Resumed(NOW + 61_000),), room)
    again = after(room, TRADING, *standing, now=NOW + 61_000)

    assert standing == (Timer(f"last-call:{TRADING.turn}", None, 2_000),)
    assert again == (Timer(f"last-call:{TRADING.turn}", NOW + 63_000),)
    assert room.last_call is not None
    assert room.last_call.until == NOW + 63_000


# -- what an expiry brings about -----------------------------------------------------------------------------


def test_an_expired_decision_is_made() -> None:
    """For the seat whose clock it was."""
    assert expiry(SLOW, RULES, PLANTING, DECISION) == Choice(SEAT)


@pytest.mark.parametrize("key", ["trading", "last-call"])
def test_expired_trading_is_ended(key: str) -> None:
    """By the active player, without any more last call."""
    expected = EndTradingNow(TRADING.active_player)

    assert expiry(SLOW, RULES, TRADING, f"{key}:{TRADING.turn}") == expected


@pytest.mark.parametrize(
    ("room", "state", "key"),
    [
        (SLOW, PLANTING, f"decision:{(SEAT + 1) % 4}"),
        (SLOW, TRADING, DECISION),
        (SLOW, ENDED, DECISION),
        (SLOW, None, DECISION),
        (handed_over(SLOW, SEAT), PLANTING, DECISION),
        (paused(SLOW), PLANTING, DECISION),
        (finished(SLOW), PLANTING, DECISION),
        (abandoned(SLOW), TRADING, f"trading:{TRADING.turn}"),
        (paused(SLOW), TRADING, f"trading:{TRADING.turn}"),
        (SLOW, TRADING, f"trading:{TRADING.turn + 1}"),
        (SLOW, PLANTING, f"trading:{PLANTING.turn}"),
        (SLOW, PLANTING_TRADED, f"last-call:{PLANTING_TRADED.turn}"),
        (SLOW, PLANTING, "decision:"),
        (SLOW, PLANTING, "decision:-1"),
        (SLOW, PLANTING, "decision:٠"),
        (SLOW, PLANTING, "decision:" + "9" * 5_000),
        (SLOW, PLANTING, "decision"),
        (SLOW, PLANTING, ""),
        (SLOW, TRADING, f"lunch:{TRADING.turn}"),
    ],
)
def test_an_expiry_that_comes_too_late_does_nothing(room: Room, state: State | None, key: str) -> None:
    """Nor does one that nobody has set."""
    assert expiry(room, RULES, state, key) == NOTHING


UNANIMOUS, UNANIMOUS_GAME = steps("classic-ja", 4)
IN_TRADING = next(step.before for step in UNANIMOUS_GAME if isinstance(step.before.phase, TradePhase))


def passed(*seats: int) -> State:
    """Return a position with these passes."""
    state = IN_TRADING
    for seat in seats:
        state = fold(decide(UNANIMOUS, state, Pass(seat)), state)
    return state


@pytest.mark.parametrize("seats", [(), (0,), (0, 1), (3, 1, 2)])
def test_expired_trading_passes_for_all_who_have_not(seats: tuple[int, ...]) -> None:
    """Where everybody must want no more; then the trading is over."""
    state = passed(*seats)
    found = expiry(SLOW, UNANIMOUS, state, f"trading:{state.turn}")

    assert isinstance(found, PassFor)
    assert sorted((*seats, *found.players)) == [0, 1, 2, 3]
    for seat in found.players:
        state = fold(decide(UNANIMOUS, state, Pass(seat)), state)
    assert not isinstance(state.phase, TradePhase)


def test_ending_now_ends_the_trading() -> None:
    """What the expiry names is a legal command."""
    found = expiry(SLOW, RULES, TRADING, f"trading:{TRADING.turn}")

    assert isinstance(found, EndTradingNow)
    events = decide(RULES, TRADING, EndTrading(found.player))
    assert not isinstance(fold(events, TRADING).phase, TradePhase)


# -- calls for the choice -------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "state", "expected"),
    [
        (RULES, PLANTING, (Choice(SEAT),)),
        (RULES, PLANTING_TRADED, tuple(map(Choice, waiting(RULES, PLANTING_TRADED)))),
        (RULES, TRADING, (EndTradingNow(TRADING.active_player),)),
        (UNANIMOUS, passed(1, 2), (PassFor((0, 3)),)),
        (RULES, ENDED, ()),
    ],
)
def test_enough_calls_make_the_choice(rules: Rules, state: State, expected: tuple[Expiry, ...]) -> None:
    """For everybody who is waited for."""
    assert choices_called(rules, state) == expected


# -- games over days -----------------------------------------------------------------------------------------

DAY = 24 * 3_600_000


# -- for the wire --------------------------------------------------------------------------------------------


def test_view_of_shows_clocks_and_no_last_call() -> None:
    """The trading's clock has no seat; the last call is in the room."""
    timers = (
        Timer("decision:2", 5),
        Timer("decision:3", None, 7),
        Timer("trading:4", 9),
        Timer("last-call:4", 8),
    )

    assert view_of(timers) == (Clock(2, 5), Clock(3, None, 7), Clock(None, 9))


def test_view_of_tells_the_reserve_with_the_clock_it_lies_behind() -> None:
    """Whose decision is not waited for is told of no reserve."""
    timers = (Timer("decision:2", 5), Timer("reserve:2", None, 4), Timer("reserve:3", None, 9))

    assert view_of(timers) == (Clock(2, 5, None, 4),)


# -- a whole game --------------------------------------------------------------------------------------------

GAMES = (("full", 4), ("classic-ja", 4), ("das-duell", 2), ("full-it", 2))
USERS = (ANNA, BERT, CHIYO, DAGUR)
LENGTHS = {"decision": 60_000, "trading": 180_000}


class Table:
    """A table with slow clocks, and beside it what each clock has left, counted in the plainest way."""

    def __init__(self, edition: str, players: int, begin: int) -> None:
        self.rules, self.game = steps(edition, players)
        options = Options(edition, players, clock="slow")
        self.room = playing_room(*USERS[:players], options=options)
        self.place = begin % len(self.game)
        self.state = self.game[self.place].before
        self.now = NOW
        self.left: dict[str, int] = {}
        self.timers: tuple[Timer, ...] = ()
        self.batch(None)

    def pass_time(self, milliseconds: int) -> None:
        """Let time pass; a clock that pauses loses none."""
        self.now += milliseconds
        if not self.room.paused:
            resting = self.resting()
            self.left = {k: left if k in resting else left - milliseconds for k, left in self.left.items()}

    def resting(self) -> set[str]:
        """Return the clocks of owners for whom a bot plays: they are stopped."""
        seats = self.room.seats
        absent = {
            f"decision:{seat}"
            for seat in waiting(self.rules, self.state)
            if seats[seat].user and seats[seat].bot
        }
        return absent & set(self.left)

    def wanted(self, acted: int | None) -> set[str]:
        """Return the clocks that must run or be stopped."""
        if isinstance(self.state.phase, TradePhase):
            return {f"trading:{self.state.turn}"}
        running = {
            f"decision:{seat}"
            for seat in waiting(self.rules, self.state)
            if self.room.seats[seat].user is not None and self.room.seats[seat].bot is None
        }
        return running | (self.resting() - {f"decision:{acted}"})

    def batch(self, acted: int | None) -> None:
        """Count what is left after a batch, and let the timers follow."""
        self.left = {
            key: LENGTHS[key.partition(":")[0]]
            if key not in self.left or key == f"decision:{acted}"
            else self.left[key]
            for key in self.wanted(acted)
        }
        standing = set(self.left) if self.room.paused else self.resting()
        self.left = {key: max(0, left) if key in standing else left for key, left in self.left.items()}
        self.timers = timers_after(self.room, self.rules, self.state, self.timers, acted, self.now, TIMES)

    def play(self) -> None:
        """Play on, if nothing stops the game."""
        if self.room.paused or isinstance(self.state.phase, EndPhase):
            return
        step = self.game[self.place]
        self.place += 1
        self.state = step.after
        self.batch(acting(step.command))

    def happen(self, event: e.AnyRoomEvent) -> None:
        """Let something happen beside the game."""
        self.room = fold_room((event,), self.room)
        self.batch(None)

    def turn_pause(self) -> None:
        """Pause, or go on."""
        self.happen(e.Resumed(self.now) if self.room.paused else e.Paused(self.now))

    def turn_seat(self, number: int) -> None:
        """Hand a seat over, or take it back."""
        seat = number % len(self.room.seats)
        taken = self.room.seats[seat].bot is not None
        self.happen(e.TakenBack(seat) if taken else e.HandedOver(seat, "pk"))

    def check(self) -> None:
        """Compare the timers with what was counted."""
        assert {timer.key for timer in self.timers} == set(self.left)
        for timer in self.timers:
            if self.room.paused or timer.key in self.resting():
                assert (timer.due, timer.left) == (None, self.left[timer.key])
            else:
                assert (timer.due, timer.left) == (self.now + self.left[timer.key], None)


@given(
    game=st.sampled_from(GAMES),
    begin=st.integers(0, 800),
    happens=st.lists(
        st.tuples(
            st.integers(0, 40_000),
            st.sampled_from(("play", "play", "play", "pause", "seat")),
            st.integers(0, 3),
        ),
        max_size=40,
    ),
)
@settings(max_examples=150, deadline=None)
def test_timers_agree_with_what_is_left(
    game: tuple[str, int], begin: int, happens: list[tuple[int, str, int]]
) -> None:
    """Whatever happens: a clock never vanishes while its seat is due, and a pause costs nothing."""
    table = Table(*game, begin)
    table.check()
    for milliseconds, what, seat in happens:
        table.pass_time(milliseconds)
        if what == "play":
            table.play()
        elif what == "pause":
            table.turn_pause()
        else:
            table.turn_seat(seat)
        table.check()
