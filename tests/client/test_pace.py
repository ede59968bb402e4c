"""A seat among people: offers that wait for answers, trading that ends, refusals that are forgotten."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from bohn.client import Game, RefusedByTable
from bohn.client.play import MOST_REFUSALS, SeatPlayer
from bohn.protocol import frames
from bohn.protocol.room import LastCall
from bohn.rules.commands import Command, DeclineOffer, EndTrading, MakeOffer
from bohn.views.view import TradeView
from tests.client.local import Local
from tests.client.seating import AT_ONCE, Clock, Noting, read, seated, to_trading, view_phase

pytestmark = pytest.mark.usefixtures("clock")


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
    call = LastCall(table.state.turn, 0)
    one.take(frames.Batch(table.seq + 1, room=replace(table.room, last_call=call)))
    sent = len(table.sent)
    for _ in range(3):
        one.act()
        clock.now += 10.0

    assert len(table.sent) == sent


def test_last_call_of_another_turn_is_over(clock: Clock) -> None:
    """A call that was made in an earlier turn holds nobody back in this one."""
    table = Local("full", 3, seed=1)
    active = to_trading(table)
    one = seated(table, active, Noting())
    call = LastCall(table.state.turn - 1, 0)
    one.take(frames.Batch(table.seq + 1, room=replace(table.room, last_call=call)))
    one.act()
    clock.now += 6.1
    one.act()

    assert EndTrading(active) in table.sent


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


def refused(table: Local, reason: str, times: int) -> tuple[SeatPlayer, Refusing]:
    """Return the active seat, whose first commands are refused."""
    active = table.state.active_player
    actor = Refusing(table, reason, times)
    plant = table.choices(active).legal[0]
    decide: Callable[..., Command | None] = lambda *_: plant  # noqa: E731 - the shortest player
    one = SeatPlayer(actor, Game("t1"), decide, AT_ONCE, trades=True, off_turn=False)
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

    for _ in range(MOST_REFUSALS - 1):
        one.act()
        clock.now += 1.1

    with pytest.raises(RefusedByTable, match="does-not-fit"):
        one.act()

    assert actor.calls == MOST_REFUSALS


@pytest.mark.parametrize(
    "reason", ["no-such-table", "not-seated", "not-your-seat", "no-guest", "scope-missing"]
)
def test_hopeless_refusals_end_the_play(reason: str) -> None:
    """Without a seat or a right to it there is nothing to wait for."""
    one, actor = refused(Local("full", 3, seed=1), reason, 10_000)

    with pytest.raises(RefusedByTable, match=reason):
        one.act()

    assert actor.calls == 1
