"""How long bots take."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from bohn.protocol.room import Options, Room, Seat
from bohn.rules.deal import opening
from bohn.rules.evolve import fold
from bohn.rules.resolve import resolve
from bohn.rules.shuffle import seed_from
from bohn.rules.state import GiftPhase, Offer, StandingClaim
from bohn.server.bots.pace import Pace, PublicOffer, people, public_offer
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


def test_people_look_first_at_the_cards_of_a_bot() -> None:
    """A bot looks later at a trading of one of them that begins; where no people play it does not."""
    assert close(drawn("first_look", MIXED), 1600 + 800, 1600 + 2500)
    assert close(drawn("first_look", ALONE), 80, 250)
    assert drawn("first_look", replace(MIXED, lesson="first")) == drawn(
        "delay", replace(MIXED, lesson="first")
    )


def test_answer_waits_for_people_who_are_asked_too() -> None:
    """An offer that also goes to people is looked at later, a person's as usual.

    One among bots soon, but not before people have seen it; where no people play at once.
    """
    to_all = PublicOffer(1, 1, 1, (0, 2, 3), ())
    to_bot = PublicOffer(1, 1, 0, (1, 2), ())
    among = PublicOffer(1, 1, 1, (2,), ())

    assert close(drawn("answer", MIXED, to_all, 2), 3000, 4500)
    assert close(drawn("answer", MIXED, to_bot, 2), 800, 2500)
    assert close(drawn("answer", MIXED, among, 2), 1600 + 150, 1600 + 400)
    assert close(drawn("answer", replace(MIXED, lesson="first"), among, 2), 150, 400)
    assert close(drawn("answer", ALONE, to_all, 2), 15, 40)


def test_answer_waits_longer_for_the_only_person_without_a_clock() -> None:
    """He reads at leisure what both are asked, before somebody else takes it."""
    to_all = PublicOffer(1, 1, 1, (0, 2), ())
    alone = room(ANNA, BOT, BOT)
    clocked = replace(alone, options=replace(alone.options, clock="slow"))

    assert close(drawn("answer", alone, to_all, 2), 9_000, 13_500)
    assert close(drawn("answer", clocked, to_all, 2), 3_000, 4_500)


def test_answer_does_not_wait_for_people_who_have_openly_answered() -> None:
    """Once all people asked have claimed an open offer, nobody is waited for."""
    assert close(drawn("answer", MIXED, PublicOffer(1, 1, 1, (0, 2, 3), (0,)), 2), 3000, 4500)
    assert close(drawn("answer", MIXED, PublicOffer(1, 1, 1, (0, 2, 3), (3, 0)), 2), 1600 + 150, 1600 + 400)


@pytest.mark.parametrize(
    ("table", "to", "low", "high"),
    [
        (MIXED, (2,), 1600 + 400 + 150, 1600 + 400 + 400),
        (room(ANNA, BOT, BOT, BOT), (2, 3), 1600 + 800 + 150, 1600 + 800 + 400),
        (MIXED, (0, 2, 3), 800 + 300, 800 + 700),
        (ALONE, (0, 2, 3), 40 + 400 + 15, 40 + 400 + 40),
        (ALONE, (2,), 40 + 15, 40 + 40),
        (MIXED, (0,), 800 + 300, 800 + 700),
    ],
)
def test_maker_waits_for_the_slowest_bot_and_not_for_people(
    table: Room, to: tuple[int, ...], low: float, high: float
) -> None:
    """Among bots a maker waits until all have looked; an offer to people stands, and it goes on.

    Beside people they look, and it goes on, later by as long as two short looks take.
    """
    assert close(drawn("patience", table, PublicOffer(1, 1, 1, to, ())), low, high)


def test_quiet_is_long_enough_for_every_bot_where_no_people_play() -> None:
    """How long nothing may happen before a bot ends the trading; beside people a last call follows."""
    assert (Pace(TIMES, Random(1)).quiet(MIXED), Pace(TIMES, Random(1)).quiet(ALONE)) == (2000, 500)
    assert Pace(replace(TIMES, bot_quiet=8000), Random(1)).quiet(ALONE) == 800


def test_moves_outside_the_trading_are_quick_but_for_haggling() -> None:
    """To plant takes a moment; a word about a gift as long as one in a trading."""
    rules = resolve("das-duell", 2)
    planting = fold(opening(rules, seed_from("pace")))
    haggling = replace(planting, phase=GiftPhase((), (), 0, open=False))

    assert close(drawn("move", MIXED, planting), 300, 700)
    assert close(drawn("move", ALONE, planting), 30, 70)
    assert close(drawn("move", MIXED, haggling), 800, 2500)


def test_bots_of_a_lesson_keep_its_time() -> None:
    """So that one can follow the story."""
    lesson = replace(MIXED, lesson="first-game")
    pace = Pace(TIMES, Random(1))
    planting = fold(opening(resolve("full", 4), seed_from("pace")))

    to_person = PublicOffer(1, 1, 1, (0,), ())

    assert {pace.delay(lesson), pace.move(lesson, planting)} == {TIMES.lesson_delay}
    assert pace.patience(lesson, to_person) == TIMES.lesson_delay


def test_declines_are_no_part_of_what_is_waited_for() -> None:
    """The public part of an offer is the same whoever has declined it."""
    offer = Offer(3, 2, 1, (0, 2), (), (), (), open=True, claims=(StandingClaim(2, ()),))

    assert (
        public_offer(offer)
        == public_offer(replace(offer, declined=(0,)))
        == PublicOffer(3, 2, 1, (0, 2), (2,))
    )
