"""Playing a seat: whole games, being asked when it matters, and losing the seat."""

from __future__ import annotations

from collections import deque

import pytest
from msgspec.structs import replace

from bohn.bots import PLAYERS
from bohn.client import Client, Game, Pace, RefusedByTable
from bohn.client.play import SeatPlayer
from bohn.play.floor import BotError
from bohn.protocol import frames
from bohn.rules.commands import Command, Harvest, MakeOffer, Reveal
from bohn.rules.state import Result
from bohn.views.view import TradeView
from tests.client.local import Local
from tests.client.seating import AT_ONCE, Clock, Noting, Queue, read, seated, to_trading, view_phase

pytestmark = pytest.mark.usefixtures("clock")


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

    me = SeatPlayer(table, Game("t1"), PLAYERS["pk"](0).decide, AT_ONCE, trades=True, off_turn=False)
    result = me.run(Waiting(table.frames[0], clock))

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
    player = Noting(table.choices(active).legal[0], Reveal(active))

    class Busy:
        """A table at which somebody else was quicker: one's own batch is the next but one."""

        def do(self, name: str, command: Command) -> int:
            """Do it, one batch later than the table says."""
            return table.do(name, command) + 1

    one = SeatPlayer(Busy(), Game("t1"), player, AT_ONCE, trades=True, off_turn=False)
    read(table, active, one)
    one.act()
    read(table, active, one)
    one.act()
    assert len(player.asked) == 1

    one.take(frames.Batch(3, by=active))
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


# -- seats -----------------------------------------------------------------------------------------


def test_playing_without_a_seat_is_refused() -> None:
    """Who has not sat down cannot play."""
    table = Local("full", 3, seed=1)
    queue: deque[frames.AnyServerFrame] = deque([replace(table.welcome(0), seat=None)])
    one = SeatPlayer(table, Game("t1"), Noting(), AT_ONCE, trades=True, off_turn=False)

    with pytest.raises(RefusedByTable, match="not-seated"):
        one.run(Queue(queue))


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

    assert one.run(Later(deque([gone]))) is None


@pytest.mark.parametrize("reason", ["no-such-table", "no-spectators"])
def test_a_seat_lost_at_a_closed_table_ends_the_play(reason: str) -> None:
    """Who may not even watch any more gets no result either, and no error."""
    table = Local("full", 3, seed=1)

    class Closed(Queue):
        """A stream that is refused when it comes back."""

        def next(self, seconds: float) -> frames.AnyServerFrame | None:
            """Return what is there, then refuse."""
            if not self._queue and seconds == 1.0:
                raise RefusedByTable(reason, None, {}, 404)
            return super().next(seconds)

    waiting = next(seat for seat in range(3) if seat != table.state.active_player)
    one = SeatPlayer(table, Game("t1"), Noting(), AT_ONCE, trades=True, off_turn=False)

    assert one.run(Closed(table.frames[waiting])) is None


def test_an_abandoned_table_has_no_result() -> None:
    """Where the host has ended the table there is nothing to return."""
    table = Local("full", 3, seed=1)
    over = replace(table.room, status="abandoned")
    one = seated(table, 0, Noting())

    assert one.run(Queue(deque([frames.Batch(2, room=over)]))) is None


def test_play_needs_no_more_than_a_client(client: Client) -> None:
    """A table that is not there ends the play with its refusal, and leaves no thread behind."""
    with pytest.raises(RefusedByTable, match="not-found"):
        client.play("t1", Noting())
