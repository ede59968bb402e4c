"""Playing a seat: asked when it matters, at a pace for people, and calm about refusals."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from bohn.bots import PLAYERS
from bohn.client import Client, Game, Pace, RefusedByTable, play
from bohn.client.play import STUBBORN, Decide, Seated
from bohn.rules.commands import Command, DeclineOffer, EndTrading, Harvest, MakeOffer, Reveal
from bohn.rules.state import Result
from bohn.server.room.state import LastCall
from bohn.server.wire import frames
from bohn.sim.floor import BotError
from bohn.sim.seat import Choices
from bohn.views.knowledge import Knowledge
from bohn.views.view import TradeView, View
from tests.client.local import Local

AT_ONCE = Pace(think=(0.0, 0.0), answers=8.0, quiet=6.0, again=1.0)


class Clock:
    """The time of a test, in seconds."""

    def __init__(self) -> None:
        """Begin some time after the beginning of time."""
        self.now = 1000.0

    def __call__(self) -> float:
        """Return the time, a moment later than the last."""
        self.now += 0.001
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that is set by hand."""
    found = Clock()
    monkeypatch.setattr(play, "monotonic", found)
    return found


class Queue:
    """Frames that are there already; whoever waits for more has waited."""

    def __init__(self, queue: deque[frames.AnyServerFrame], clock: Clock | None = None) -> None:
        """Read from here."""
        self._queue = queue
        self._clock = clock

    def next(self, seconds: float) -> frames.AnyServerFrame | None:
        """Return the next frame, or let the time pass."""
        if self._queue:
            return self._queue.popleft()
        if self._clock is not None:
            self._clock.now += seconds
        return None


def seated(table: Local, seat: int, decide: Decide, pace: Pace = AT_ONCE, **more: bool) -> Seated:
    """Return a seat at a local table that has read what was sent."""
    found = Seated(table, Game("t1"), decide, pace, **{"trades": True, "off_turn": False, **more})
    read(table, seat, found)
    return found


def read(table: Local, seat: int, reader: Seated) -> None:
    """Let a seat read what was sent."""
    while table.frames[seat]:
        reader.take(table.frames[seat].popleft())


def to_trading(table: Local) -> int:
    """Plant and turn over, and return the active player."""
    active = table.state.active_player
    table.do("t1", table.choices(active).legal[0])
    table.do("t1", Reveal(active))
    return active


class Noting:
    """A player that notes when it was asked, and does as it is told."""

    def __init__(self, *commands: Command | None) -> None:
        """Return these in turn, then pass."""
        self.asked: list[tuple[View, Choices]] = []
        self._commands = list(commands)

    def __call__(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Note and answer."""
        assert isinstance(knowledge, Knowledge)
        self.asked.append((view, choices))
        return self._commands.pop(0) if self._commands else None


# -- whole games -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "names"),
    [
        ("full", ("pk", "b4", "b6", "b3")),
        ("full", ("random-trader", "random-trader", "pk")),
        ("classic-sv", ("pk", "b4", "no-trade")),
        ("full", ("pk", "random")),
        ("das-duell", ("pk", "b3")),
    ],
)
def test_computer_players_finish_games_through_the_client(
    clock: Clock, edition: str, names: tuple[str, ...]
) -> None:
    """Any player of the library can sit at a table of the server: all games come to an end."""
    table = Local(edition, len(names), seed=11)
    bots = [PLAYERS[name](seat) for seat, name in enumerate(names)]
    seats = [
        seated(table, seat, bot.decide, trades=bot.trades, off_turn=bot.off_turn)
        for seat, bot in enumerate(bots)
    ]
    for _ in range(100_000):
        if table.over:
            break
        clock.now += 1.0
        for seat, one in enumerate(seats):
            read(table, seat, one)
            one.act()

    for seat, one in enumerate(seats):
        read(table, seat, one)
        assert isinstance(one.game.result, Result)


def test_run_plays_to_the_end(clock: Clock) -> None:
    """One call plays a whole game and returns its result."""
    table = Local("full", 3, seed=12)
    others = [seated(table, seat, PLAYERS["no-trade"](seat).decide, trades=False) for seat in (1, 2)]

    class Waiting(Queue):
        """While one seat waits, the others play."""

        def next(self, seconds: float) -> frames.AnyServerFrame | None:
            """Let the others move first."""
            for seat, other in zip((1, 2), others, strict=True):
                read(table, seat, other)
                other.act()
            return super().next(seconds)

    me = Seated(table, Game("t1"), PLAYERS["pk"](0).decide, AT_ONCE, trades=True, off_turn=False)
    result = me.run(Waiting(table.frames[0], clock))  # type: ignore[arg-type] # - a feed in all that counts

    assert result is not None
    assert result == me.game.result


# -- when it is asked ------------------------------------------------------------------------------


def test_player_is_asked_when_the_game_waits_for_it() -> None:
    """The active player plants, and nobody else is asked."""
    table = Local("full", 3, seed=1)
    active = table.state.active_player
    players = [
        Noting(table.choices(seat).legal[0] if table.choices(seat).legal else None) for seat in range(3)
    ]
    for seat in range(3):
        seated(table, seat, players[seat]).act()

    assert [len(one.asked) for one in players] == [int(seat == active) for seat in range(3)]
    assert len(table.sent) == 1


def test_player_is_asked_off_turn_if_it_wants() -> None:
    """Who harvests in others' turns is asked there too, once there is something he may do."""
    table = Local("full", 3, seed=1)
    seat = harvester(table)
    quiet, curious = Noting(), Noting()
    seated(table, seat, quiet).act()
    table.frames[seat].append(table.welcome(seat))
    seated(table, seat, curious, off_turn=True).act()

    assert (len(quiet.asked), len(curious.asked)) == (0, 1)


def harvester(table: Local) -> int:
    """Play on until somebody may harvest in another one's turn, outside the trading, and return his seat."""
    for _ in range(100):
        if not isinstance(view_phase(table), TradeView):
            for seat in {0, 1, 2} - {table.state.active_player}:
                if table.choices(seat).legal:
                    return seat
        advance(table)
    pytest.fail("nobody may ever harvest")


def view_phase(table: Local) -> Any:
    """Return the phase as everybody sees it."""
    game = table.welcome(0).game
    assert game is not None
    return game.phase


def advance(table: Local) -> None:
    """Let whoever may do something do the first that is no harvest."""
    for seat in range(3):
        for command in table.choices(seat).legal:
            if not isinstance(command, Harvest):
                table.do("t1", command)
                return
    seat = next(s for s in range(3) if table.choices(s).legal)
    table.do("t1", table.choices(seat).legal[0])


def test_passing_where_one_must_act_is_an_error() -> None:
    """A player that would hold up the table is told so at once."""
    table = Local("full", 3, seed=1)

    with pytest.raises(BotError, match="the game waits for it"):
        seated(table, table.state.active_player, Noting()).act()


def test_player_is_asked_once_for_each_change() -> None:
    """Who has passed is left alone until something moves."""
    table = Local("full", 3, seed=1)
    active = to_trading(table)
    player = Noting()
    one = seated(table, active, player)
    one.act()
    one.act()
    assert len(player.asked) == 1

    other = (active + 1) % 3
    table.do("t1", MakeOffer(other, (active,), (), (), (table.rules.kinds[0],)))
    read(table, active, one)
    one.act()

    assert len(player.asked) == 2


def test_hidden_batches_are_no_reason_to_ask() -> None:
    """What others do in secret wakes nobody."""
    table = Local("full", 3, seed=1)
    active = to_trading(table)
    player = Noting()
    one = seated(table, active, player)
    one.act()
    one.take(frames.Batch(table.seq + 1))
    one.act()

    assert len(player.asked) == 1


def test_player_thinks_before_it_looks(clock: Clock) -> None:
    """The delay comes first: what is decided fits the table as it is then."""
    table = Local("full", 3, seed=1)
    active = table.state.active_player
    player = Noting(table.choices(active).legal[0])
    one = seated(table, active, player, Pace(think=(2.0, 3.0)))
    one.act()
    assert player.asked == []

    clock.now += 3.0
    one.act()

    assert len(player.asked) == 1


def test_player_waits_until_its_own_command_has_come_back() -> None:
    """Nothing is decided on a view that is older than what one has done."""
    table = Local("full", 3, seed=1)
    active = table.state.active_player
    plant = table.choices(active).legal[0]
    player = Noting(plant, Reveal(active))
    one = seated(table, active, player)
    one.act()
    one.take(frames.Presence((0,), 0))
    one.act()
    assert len(player.asked) == 1

    read(table, active, one)
    one.act()

    assert len(player.asked) == 2


def test_player_is_not_asked_while_the_table_is_paused() -> None:
    """A paused table takes no command."""
    table = Local("full", 3, seed=1)
    active = table.state.active_player
    player = Noting(table.choices(active).legal[0])
    one = seated(table, active, player)
    one.take(frames.Batch(2, room=replace(table.room, paused=True)))
    one.act()
    assert player.asked == []

    one.take(frames.Batch(3, room=table.room))
    one.act()

    assert len(player.asked) == 1


# -- offers ----------------------------------------------------------------------------------------


def offering(table: Local, active: int) -> Command:
    """Return an offer of the active player to everybody: a face-up bean for nothing."""
    space = table.choices(active).offers
    return MakeOffer(active, space.partners, (), space.face_up[:1])


def tries(player: Noting) -> list[int]:
    """Return how many offers were left each time."""
    return [choices.tries for _, choices in player.asked]


def test_next_offer_waits_for_the_answers() -> None:
    """Nobody is buried under offers: while one is unanswered there is none left to make."""
    table = Local("full", 3, seed=1)
    active = to_trading(table)
    player = Noting(offering(table, active))
    one = seated(table, active, player)
    one.act()
    read(table, active, one)
    one.act()
    for seat in sorted({0, 1, 2} - {active}):
        table.do("t1", DeclineOffer(seat, 1, 1))
        read(table, active, one)
        one.act()

    assert tries(player) == [5, 0, 0, 4]


def test_next_offer_does_not_wait_for_ever(clock: Clock) -> None:
    """Who does not answer in time is not waited for any longer."""
    table = Local("full", 3, seed=1)
    active = to_trading(table)
    player = Noting(offering(table, active))
    one = seated(table, active, player)
    one.act()
    read(table, active, one)
    one.act()
    clock.now += 8.0
    one.act()

    assert tries(player) == [5, 0, 4]


def test_active_player_who_passes_ends_the_trading(clock: Clock) -> None:
    """After nothing has moved for a while, and not before."""
    table = Local("full", 3, seed=1)
    active = to_trading(table)
    one = seated(table, active, Noting())
    one.act()
    clock.now += 5.0
    one.act()
    assert EndTrading(active) not in table.sent

    clock.now += 1.1
    one.act()

    assert EndTrading(active) in table.sent


def test_others_do_not_end_the_trading(clock: Clock) -> None:
    """It is the active player's to end."""
    table = Local("full", 3, seed=1)
    active = to_trading(table)
    one = seated(table, (active + 1) % 3, Noting())
    sent = len(table.sent)
    for _ in range(5):
        one.act()
        clock.now += 10.0

    assert len(table.sent) == sent


def test_everybody_passes_where_all_must(clock: Clock) -> None:
    """Where nobody must want more, each seat says so for itself."""
    table = Local("classic-sv", 3, seed=1)
    active = to_trading(table)
    seats = [seated(table, seat, Noting()) for seat in range(3)]
    for _ in range(2):
        for one in seats:
            one.act()
        clock.now += 6.1

    assert table.rules.closing == "unanimous"
    assert isinstance(view_phase(table), TradeView) is False
    assert table.state.active_player == active


def test_last_call_is_not_cut_short(clock: Clock) -> None:
    """A second end of the trading would be final: during the last call nothing more is said."""
    table = Local("full", 3, seed=1)
    active = to_trading(table)
    one = seated(table, active, Noting())
    one.take(frames.Batch(table.seq + 1, room=replace(table.room, last_call=LastCall(1, 0))))
    sent = len(table.sent)
    for _ in range(3):
        one.act()
        clock.now += 10.0

    assert len(table.sent) == sent


# -- refusals --------------------------------------------------------------------------------------


class Refusing:
    """A table that refuses so many times."""

    def __init__(self, table: Local, reason: str, times: int) -> None:
        """Stand before a table."""
        self._table = table
        self._reason = reason
        self._times = times
        self.calls = 0

    def do(self, table: str, command: Command) -> int:
        """Refuse, or let it through."""
        self.calls += 1
        if self.calls <= self._times:
            raise RefusedByTable(self._reason, None, {}, 409)
        return self._table.do(table, command)


def refused(table: Local, reason: str, times: int) -> tuple[Seated, Refusing]:
    """Return the active seat, whose first commands are refused."""
    active = table.state.active_player
    actor = Refusing(table, reason, times)
    plant = table.choices(active).legal[0]
    decide: Callable[..., Command | None] = lambda *_: plant  # noqa: E731 - the shortest player
    one = Seated(actor, Game("t1"), decide, AT_ONCE, trades=True, off_turn=False)
    read(table, active, one)
    return one, actor


def test_refusal_is_forgotten_when_the_table_moves() -> None:
    """The table has moved on while the command was under way: look again."""
    table = Local("full", 3, seed=1)
    one, actor = refused(table, "hand-changed", 1)
    one.act()
    one.act()
    assert actor.calls == 1

    one.take(frames.Batch(2, by=0))
    one.act()

    assert actor.calls == 2


def test_refusal_is_forgotten_after_a_while(clock: Clock) -> None:
    """Where nothing moves, it is tried again all the same."""
    table = Local("full", 3, seed=1)
    one, actor = refused(table, "table-paused", 1)
    one.act()
    clock.now += 1.1
    one.act()

    assert actor.calls == 2
    assert len(table.sent) == 1


def test_insisting_ends_with_the_refusal(clock: Clock) -> None:
    """A player that always wants the same illegal thing does not try for ever."""
    table = Local("full", 3, seed=1)
    one, actor = refused(table, "does-not-fit", 10_000)

    for _ in range(STUBBORN - 1):
        one.act()
        clock.now += 1.1

    with pytest.raises(RefusedByTable, match="does-not-fit"):
        one.act()

    assert actor.calls == STUBBORN


@pytest.mark.parametrize(
    "reason", ["no-such-table", "not-seated", "not-your-seat", "no-guest", "scope-missing"]
)
def test_hopeless_refusals_end_the_play(reason: str) -> None:
    """Without a seat or a right to it there is nothing to wait for."""
    one, actor = refused(Local("full", 3, seed=1), reason, 10_000)

    with pytest.raises(RefusedByTable, match=reason):
        one.act()

    assert actor.calls == 1


# -- seats -----------------------------------------------------------------------------------------


def test_playing_without_a_seat_is_refused() -> None:
    """Who has not sat down cannot play."""
    table = Local("full", 3, seed=1)
    queue: deque[frames.AnyServerFrame] = deque([replace(table.welcome(0), seat=None)])
    one = Seated(table, Game("t1"), Noting(), AT_ONCE, trades=True, off_turn=False)

    with pytest.raises(RefusedByTable, match="not-seated"):
        one.run(Queue(queue))  # type: ignore[arg-type] # - a feed in all that counts


def test_a_lost_seat_ends_the_play() -> None:
    """Whom the host has sent away plays no more, and there is no result for him."""
    table = Local("full", 3, seed=1)
    active = table.state.active_player
    gone = replace(table.welcome(active), seat=None)
    one = seated(table, active, Noting(table.choices(active).legal[0]))

    class Later(Queue):
        """Says after the first move that the seat is gone."""

        def next(self, seconds: float) -> frames.AnyServerFrame | None:
            """Return nothing at first."""
            return super().next(seconds) if table.sent else None

    assert one.run(Later(deque([gone]))) is None  # type: ignore[arg-type] # - a feed in all that counts


def test_an_abandoned_table_has_no_result() -> None:
    """Where the host has ended the table there is nothing to return."""
    table = Local("full", 3, seed=1)
    over = replace(table.room, status="abandoned")
    one = seated(table, 0, Noting())

    assert one.run(Queue(deque([frames.Batch(2, room=over)]))) is None  # type: ignore[arg-type] # - as above


def test_play_needs_no_more_than_a_client(client: Client) -> None:
    """A table that is not there ends the play with its refusal, and leaves no thread behind."""
    with pytest.raises(RefusedByTable, match="not-found"):
        client.play("t1", Noting())
