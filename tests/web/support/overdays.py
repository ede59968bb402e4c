"""Tables over days as states for a page without a server: who has how long, with which reserve, and why."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict, replace

from bohn.protocol import frames
from bohn.protocol.room import Holiday, Hours, PlayingTimes, Seat
from tests.web.support.markets import SEED, Market
from tests.web.support.states import ADA, Still

HOUR = 3_600_000
NAMES = ("Ada", "Bert", "Chiyo")
LONG = ("Ada", "Maximiliane-Josephine", "Bartholomäus Greiffenklau")
NIGHTS = Hours(8 * 60, 22 * 60, "Europe/Berlin")


class OverDays(Still, frozen=True, kw_only=True):
    """A state of a table of 24 hours a move at which only people sit.

    The clock is due in ``due`` hours, ``reserve`` of them last; ``rests`` are from and until which hour it
    stands still, ``holiday`` is how many hours one of the second player lasts, beginning now.
    """

    due: float = 60
    reserve: float = 0
    rests: tuple[tuple[float, float], ...] = ()
    clock: int | None = None
    beat: float | None = None
    hours: Hours | None = None
    holiday: float = 0
    done: tuple[int, ...] = ()
    names: tuple[str, ...] = NAMES
    present: tuple[int, ...] = (0,)
    paused: bool = False
    bots: tuple[int, ...] = ()

    def _welcome(self, seq: int, now: int) -> frames.Welcome:
        welcome = Still._welcome(self, seq, now)

        def at(hours: float) -> int:
            return now + int(hours * HOUR)

        clock = frames.Clock(
            self.clock,
            None if self.paused else at(self.due),
            left=int(self.due * HOUR) if self.paused else None,
            reserve=int(self.reserve * HOUR),
            beat=None if self.beat is None else at(self.beat),
            rests=tuple((at(begins), at(ends)) for begins, ends in self.rests),
        )
        users = (ADA, *(f"u{seat}" for seat in range(1, self.rules.players)))
        seats = tuple(
            Seat(user=user, bot="pk" if seat in self.bots else None) for seat, user in enumerate(users)
        )
        times = (PlayingTimes(1, hours=self.hours), PlayingTimes(2))
        if self.holiday:
            times = (replace(times[0], holidays=(Holiday(now - HOUR, at(self.holiday)),)), times[1])
        options = replace(welcome.room.options, clock="24h")
        if self.hours is not None:
            options = replace(options, hours=self.hours)
        room = replace(
            welcome.room, options=options, seats=seats, times=times, done=self.done, paused=self.paused
        )
        people = {user: frames.Person(name) for user, name in zip(users, self.names, strict=True)}
        return replace(welcome, room=room, clocks=(clock,), people=people, present=self.present)


def over_days(still: Still, **how: Any) -> OverDays:
    """Return a state as one of a table over days."""
    return OverDays(**{**asdict(still), **how})


def planting(starter: int = 0, **how: Any) -> OverDays:
    """Return a table at which somebody has planted, and may plant on or turn cards over."""
    market = Market(starter, revealed=False)
    return over_days(market.still(), **{"clock": starter, **how})


def trading(starter: int = 1, *, offered: bool = False, **how: Any) -> OverDays:
    """Return a table with the trading of somebody, with a look in two hours; an offer may wait for us."""
    market = Market(starter, SEED, "closing=unanimous")
    if offered:
        other = 1 if starter == 0 else starter
        market.offer(other, [0], market.hand(other)[:1], [market.lacked(other)])
    return over_days(market.still(), **{"beat": 2, **how})
