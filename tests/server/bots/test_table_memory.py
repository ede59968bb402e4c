"""What the server remembers of a table for its bots."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from bohn.bots import PLAYERS
from bohn.bots.reasons import Reason
from bohn.play.floor import BRISK, NOTHING_LEARNT, FloorGame, play_game
from bohn.protocol.room import Options, Room
from bohn.protocol.room_events import Started
from bohn.rules.beans import Bean
from bohn.rules.events import OfferDeclined, OfferEdited, OfferMade, Traded, TurnBegan
from bohn.rules.evolve import fold
from bohn.rules.resolve import resolve
from bohn.server.bots.messages import terms_of
from bohn.server.bots.table_memory import (
    OffersMade,
    SeatKnowledge,
    ToldNone,
    game_events,
    knowledge_from_log,
)
from bohn.server.store.protocol import LogRow
from bohn.server.tables.api import Peek
from bohn.views.knowledge import Knowledge, know
from bohn.views.view import view

RULES = resolve("full", 4)
ROOM = Room("t1", Options(), None, (), "", 0, "playing")


def log() -> list[tuple[Peek, LogRow]]:
    """Return a whole game as the tables would report it; the deal is the third batch."""
    bots = [PLAYERS["random-trader"](seat) for seat in range(4)]
    game = play_game(RULES, 5, bots, BRISK, with_moves=True)
    state = fold(game.opening)
    told = [(Peek(3, ROOM, RULES, state), row(3, None, (Started(), *game.opening)))]
    for seq, move in enumerate(game.moves, 4):
        state = fold(move.events, state)
        told.append((Peek(seq, ROOM, RULES, state), row(seq, move.command, move.events)))
    return told


def row(seq: int, command: Any, events: tuple[Any, ...]) -> LogRow:
    """Return a batch."""
    return LogRow(
        table="t1", seq=seq, at=seq, actor="bot:0", command_id=str(seq), digest="", cause="bot",
        command=command, events=events,
    )  # fmt: skip


LOG = log()


def learnt_by(seat: int, upto: int | None = None) -> Knowledge:
    """Return what the floor would hand to a bot in a seat after a number of batches."""
    bots = [PLAYERS["pk"](0) for _ in range(4)]
    first = LOG[0][0]
    assert first.state is not None
    table = FloorGame(RULES, first.state, bots)
    table._knowledge[seat] = know(view(RULES, first.state, seat))
    for _, batch in LOG[1:upto]:
        table._learn(seat, game_events(batch.events))
    return table._knowledge[seat]


def known(
    knowledge: SeatKnowledge, peek: Peek, seat: int, rows: tuple[LogRow, ...] | None = None
) -> Knowledge | None:
    """Return a seat's knowledge; ``rows`` is the log, if there is one to read."""

    async def read(table: str) -> tuple[LogRow, ...]:
        assert table == "t1"
        assert rows is not None
        return rows

    return asyncio.run(knowledge.of_seat(peek, seat, None if rows is None else read))


@pytest.mark.parametrize("seat", range(4))
def test_knowledge_grows_with_the_batches(seat: int) -> None:
    """From the deal on, a seat knows at every moment what the floor would have taught it."""
    knowledge = SeatKnowledge()
    for peek, batch in LOG:
        knowledge.follow(peek, batch, range(4))

    assert known(knowledge, LOG[-1][0], seat) == learnt_by(seat)
    assert learnt_by(seat).trades > 0


def test_knowledge_counts_who_exchanges_with_whom() -> None:
    """Every exchange counts for its two players, to either side, and for nobody else."""
    expected = [[0] * 4 for _ in range(4)]
    for _, batch in LOG:
        for event in batch.events:
            if isinstance(event, Traded):
                expected[event.maker][event.partner] += 1
                expected[event.partner][event.maker] += 1
    found = learnt_by(0).exchanges

    assert found == tuple(map(tuple, expected))
    assert sum(map(sum, found)) == 2 * learnt_by(0).trades


def test_knowledge_is_read_from_the_log_after_a_loss() -> None:
    """Whoever comes later, or whose table was reloaded, learns all from the log."""
    peek, _ = LOG[200]
    rows = tuple(batch for _, batch in LOG)
    knowledge = SeatKnowledge()
    knowledge.follow(peek, None, range(4))

    assert known(knowledge, peek, 2, rows) == learnt_by(2, 201)


def test_knowledge_read_from_the_log_grows_on() -> None:
    """What was read is remembered, and learns from the batches that follow."""
    rows = tuple(batch for _, batch in LOG)
    knowledge = SeatKnowledge()
    knowledge.follow(LOG[200][0], None, ())
    known(knowledge, LOG[200][0], 1, rows)
    for peek, batch in LOG[201:]:
        knowledge.follow(peek, batch, ())

    assert known(knowledge, LOG[-1][0], 1, ()) == learnt_by(1)


def test_gap_makes_all_forgotten() -> None:
    """A batch that was missed leaves no half knowledge: without a log one begins with what one sees."""
    knowledge = SeatKnowledge()
    for peek, batch in LOG[:50] + LOG[51:60]:
        knowledge.follow(peek, batch, range(4))
    last = LOG[59][0]
    assert last.state is not None

    assert known(knowledge, last, 0) == know(view(RULES, last.state, 0))


def test_knowledge_is_of_the_batch_one_looks_at() -> None:
    """If the table has moved on, the log is read up to the batch that is looked at."""
    rows = tuple(batch for _, batch in LOG)
    knowledge = SeatKnowledge()
    for peek, batch in LOG[:101]:
        knowledge.follow(peek, batch, range(4))

    assert known(knowledge, LOG[90][0], 3, rows) == learnt_by(3, 91)


def test_log_without_a_deal_teaches_nothing() -> None:
    """Before the deal there is nothing to know."""
    before = replace(LOG[0][1], events=(Started(),))

    assert knowledge_from_log(RULES, (before,), 9, 0) is None
    assert known(SeatKnowledge(), replace(LOG[0][0], state=None), 0) is None
    assert NOTHING_LEARNT.viewer is None


def test_offers_of_a_turn_are_noted() -> None:
    """Every offer, new or edited, is noted for its maker until the turn is over."""
    made = OffersMade()
    most = 0
    for peek, batch in LOG:
        assert peek.state is not None
        events = game_events(batch.events)
        made.follow(peek.state, events)
        for event in events:
            if isinstance(event, OfferMade | OfferEdited):
                of_maker = made.by(event.offer.maker)
                assert of_maker[-1] == terms_of(event.offer)
                most = max(most, len(of_maker))
        if any(isinstance(event, TurnBegan) for event in events):
            assert not any(made.by(seat) for seat in range(4))

    assert most > 1


def test_standing_offers_of_a_loaded_table_are_noted() -> None:
    """After a restart the offers that stand are not made again."""
    for peek, _ in LOG:
        state = peek.state
        assert state is not None
        offers = getattr(state.phase, "offers", ())
        if offers:
            made = OffersMade()
            made.load(state)
            assert made.by(offers[0].maker)[0] == terms_of(offers[0])
            return
    pytest.fail("no offer in this game")


def test_told_none_is_for_the_maker_and_the_turn() -> None:
    """Whoever has none of a kind has said so to the maker of the offer, until the turn is over."""
    told, said = ToldNone(), Reason("says.none", {"bean": Bean.SOY})
    no = OfferDeclined(offer=1, revision=1, maker=0, player=2)
    told.note(3, (no,), said)
    told.note(3, (no,), Reason("says.useless"))
    told.note(3, (replace(no, player=1),), None)

    assert told.to(0, 3) == ((2, Bean.SOY),)
    assert told.to(2, 3) == told.to(0, 4) == ()
    told.note(4, (replace(no, maker=1),), said)
    assert told.to(0, 4) == ()
    assert told.to(1, 4) == ((2, Bean.SOY),)
