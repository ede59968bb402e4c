"""The clocks of a game over days: hours for a move, and a reserve behind them."""

from __future__ import annotations

import pytest

from bohn.server.room.clocks import (
    NOTHING,
    expiry,
)
from bohn.server.store.protocol import Timer
from tests.server.room.test_clocks import DAY, DAYS, DECISION, NOW, PLANTING, RULES, SEAT, TRADING, after
from tests.server.support.rooms import (
    paused,
)


def reserves(*left: int) -> tuple[Timer, ...]:
    """Return the reserves of all seats."""
    return tuple(Timer(f"reserve:{seat}", None, ms) for seat, ms in enumerate(left))


def test_clock_of_hours_has_them_and_the_reserve_behind_them() -> None:
    """A decision ends after its day and two more in reserve; everybody has his own."""
    expected = (Timer(DECISION, NOW + 3 * DAY), *reserves(2 * DAY, 2 * DAY, 2 * DAY, 2 * DAY))

    assert after(DAYS, PLANTING) == expected


def test_trading_of_a_game_over_days_has_no_reserve() -> None:
    """It has the hours of one decision, for all."""
    assert after(DAYS, TRADING)[0] == Timer(f"trading:{TRADING.turn}", NOW + DAY)


@pytest.mark.parametrize(
    ("rest", "kept"),
    [(3 * DAY, 2 * DAY), (2 * DAY, 2 * DAY), (2 * DAY - 5, 2 * DAY - 5), (DAY, DAY), (0, 0), (-5, 0)],
)
def test_reserve_is_used_by_what_takes_longer_than_its_time(rest: int, kept: int) -> None:
    """Whoever decides in time keeps all of it; nothing is ever added."""
    timers = after(DAYS, PLANTING, Timer(DECISION, NOW + rest), *reserves(*[2 * DAY] * 4), acted=SEAT)

    left = [2 * DAY] * 4
    left[SEAT] = kept
    assert timers == (Timer(DECISION, NOW + DAY + kept), *reserves(*left))


def test_reserve_that_was_used_up_leaves_the_time_of_a_move() -> None:
    """Who missed his clock has his hours again."""
    timers = after(DAYS, PLANTING, *reserves(*[0] * 4))

    assert timers[0] == Timer(DECISION, NOW + DAY)


def test_reserve_is_kept_while_others_decide_and_while_the_table_pauses() -> None:
    """It belongs to the owner of a seat, whoever acts."""
    before = reserves(5, 6, 7, 8)
    other = (SEAT + 1) % 4

    assert after(DAYS, PLANTING, Timer(DECISION, NOW + 9), *before, acted=other)[1:] == before
    assert after(paused(DAYS), PLANTING, Timer(DECISION, NOW + 9), *before)[1:] == before


def test_reserve_expires_never() -> None:
    """Nothing comes of a key that names one."""
    assert expiry(DAYS, RULES, PLANTING, f"reserve:{SEAT}") == NOTHING


def test_pauses_use_no_reserve() -> None:
    """What stood still is measured by what was left when it was stopped."""
    timers = after(DAYS, PLANTING, Timer(DECISION, None, 3 * DAY - 9), *reserves(*[2 * DAY] * 4), acted=SEAT)

    assert timers[1:] == reserves(*[2 * DAY] * 4)
