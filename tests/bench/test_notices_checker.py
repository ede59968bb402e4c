"""The checker of bench.notices finds whatever is wrong in messages that were made by hand."""

from __future__ import annotations

import asyncio

from bench.notices.checker import LATE, Death, Message, Turn, judged, turns_of
from bohn.protocol.room import Options
from tests.server.support.tables import House

TURN = Turn("t", "anna", 5, 10_000, 9, 20_000)
OWED = 60_000


def message(
    at: int = 13_000, worker: str = "one", user: str = "anna", kind: str = "turn", seen: int = 6
) -> Message:
    """Return a message of the turn."""
    return Message(at, worker, user, "t", kind, seen)


def faults(
    *messages: Message, deaths: tuple[Death, ...] = (), turn: Turn = TURN, until: int = 30_000
) -> list[str]:
    """Return what is wrong with messages of a turn."""
    return judged([turn], messages, deaths, OWED, until).faults


def test_checker_takes_one_message_of_a_turn() -> None:
    """Sent while it lasted; one that was under way when it ended may arrive a little behind."""
    assert faults(message()) == []
    assert faults(message(at=20_000 + LATE, seen=8)) == []


def test_checker_finds_messages_that_the_sender_could_see_are_of_no_turn() -> None:
    """Before its first row, once the sender has its last one, long behind it, or of somebody else."""
    for wrong in (message(seen=4), message(seen=9), message(user="bert"), message(kind="reminder")):
        assert len(faults(wrong)) == 1
    assert len(faults(message(at=20_001 + LATE, seen=8))) == 1


def test_checker_finds_turns_that_were_not_told() -> None:
    """That lasted for longer than a message may take; one that lasts counts up to now."""
    lasting = Turn("t", "anna", 5, 10_000)
    assert faults() == []
    assert len(faults(turn=Turn("t", "anna", 5, 10_000, 9, 10_001 + OWED))) == 1
    assert faults(turn=lasting, until=10_000 + OWED) == []
    assert len(faults(turn=lasting, until=10_001 + OWED)) == 1


def test_checker_takes_a_repeat_only_if_its_sender_was_killed_between() -> None:
    """That another worker was, or the sender before or behind it, excuses nothing."""
    twice = message(), message(at=16_000, worker="two")
    assert faults(*twice, deaths=(Death("one", 14_000),)) == []
    for deaths in ((), (Death("two", 14_000),), (Death("one", 12_000),), (Death("one", 17_000),)):
        assert len(faults(*twice, deaths=deaths)) == 1


def test_checker_reads_turns_from_the_log() -> None:
    """One has the first turn, from the deal on; nobody else is waited for."""

    async def made() -> list[Turn]:
        house = await House().begin()
        table = await house.table("anna", "bert", "cleo", options=Options(players=3, clock="24h"))
        found = turns_of(await house.store.rows(table))
        await house.end()
        return found

    (turn,) = asyncio.run(made())

    assert turn.ended is None
    assert turn.lasts_at(turn.begun)
    assert not turn.lasts_at(turn.begun - 1)
