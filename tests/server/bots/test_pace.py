"""How long bots take."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from bohn.rules.state import Offer, StandingClaim
from bohn.server.bots.pace import Pace, Posted, people, posted
from bohn.server.room.state import Options, Room, Seat
from bohn.server.settings import Times

TIMES = Times()
BOT = Seat(bot="pk")


def room(*seats: Seat) -> Room:
    """Return a room with these seats."""
    return Room("t1", Options(players=len(seats)), None, seats, "", 0, "playing")


ANNA, BERT = Seat(user="anna"), Seat(user="bert")
ABSENT = Seat(user="bert", bot="pk")
MIXED = room(ANNA, BOT, BOT, BERT)
ALONE = room(BOT, BOT, BOT, ABSENT)


def drawn(of: str, *args: object, times: Times = TIMES) -> tuple[float, float]:
    """Return the shortest and longest of many draws."""
    pace = Pace(times, Random(1))
    found = [getattr(pace, of)(*args) for _ in range(2000)]
    return min(found), max(found)


def close(found: tuple[float, float], low: float, high: float) -> bool:
    """Tell whether draws fill a range."""
    width = (high - low) / 20
    return low <= found[0] <= low + width and high - width <= found[1] <= high


def test_people_are_who_play_their_own_seats() -> None:
    """Neither bots nor owners for whom a bot plays are counted."""
    assert people(room(ANNA, BOT, ABSENT, Seat())) == {0}


def test_bot_takes_its_time_and_a_tenth_where_no_people_play() -> None:
    """The usual delay; if all seats are played by bots, a tenth of it."""
    assert close(drawn("delay", MIXED), 800, 2500)
    assert close(drawn("delay", ALONE), 80, 250)


def test_answer_waits_for_people_who_are_asked_too() -> None:
    """An offer that also goes to people is looked at later; one that goes to bots only, as usual."""
    to_all = Posted(1, 1, 1, (0, 2, 3), ())
    to_bot = Posted(1, 1, 0, (1, 2), ())

    assert close(drawn("answer", MIXED, to_all, 2), 6000, 8000)
    assert close(drawn("answer", MIXED, to_bot, 2), 800, 2500)
    assert close(drawn("answer", ALONE, to_all, 2), 80, 250)


def test_answer_does_not_wait_for_people_who_have_openly_answered() -> None:
    """Once all people asked have claimed an open offer, nobody is waited for."""
    assert close(drawn("answer", MIXED, Posted(1, 1, 1, (0, 2, 3), (0,)), 2), 6000, 8000)
    assert close(drawn("answer", MIXED, Posted(1, 1, 1, (0, 2, 3), (3, 0)), 2), 800, 2500)


@pytest.mark.parametrize(
    ("table", "to", "low", "high"),
    [
        (MIXED, (2,), 2500 + 400 + 800, 2500 + 400 + 2500),
        (MIXED, (0, 2, 3), 8000 + 400 + 800, 8000 + 400 + 2500),
        (ALONE, (0, 2, 3), 250 + 400 + 80, 250 + 400 + 250),
        (MIXED, (0, 3), 6000, 6000),
        (MIXED, (0,), 6000, 6000),
    ],
)
def test_maker_waits_longer_than_the_slowest_bot(
    table: Room, to: tuple[int, ...], low: float, high: float
) -> None:
    """A maker waits until all bots asked have looked; where only people are asked, the time of quiet."""
    assert close(drawn("patience", table, Posted(1, 1, 1, to, ())), low, high)


def test_quiet_is_a_tenth_where_no_people_play() -> None:
    """How long nothing may happen before a bot ends the trading."""
    pace = Pace(replace(TIMES, bot_quiet=5000), Random(1))

    assert (pace.quiet(MIXED), pace.quiet(ALONE)) == (5000, 500)


def test_declines_are_no_part_of_what_is_waited_for() -> None:
    """The public part of an offer is the same whoever has declined it."""
    offer = Offer(3, 2, 1, (0, 2), (), (), (), open=True, claims=(StandingClaim(2, ()),))

    assert posted(offer) == posted(replace(offer, declined=(0,))) == Posted(3, 2, 1, (0, 2), (2,))
