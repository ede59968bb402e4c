"""The record of a table, from its log."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from bohn.cli.seats import Seat as NamedSeat
from bohn.cli.seats import read_seats
from bohn.notation.deals import Deal, commitment
from bohn.notation.errors import RecordError
from bohn.notation.records import read_record, verify
from bohn.protocol import room_events as e
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Options, Room, Seat
from bohn.protocol.room_events import RoomEvent
from bohn.rules.commands import Command
from bohn.rules.events import Event
from bohn.rules.state import EndPhase
from bohn.server.store.protocol import LogRow, SecretDeal
from bohn.server.tables.archive.export import record_of, seat_names
from tests.server.support.logs import DEAL, SALTS, whole_log
from tests.server.support.rooms import ANNA, BERT

NAMES = {ANNA: "Anna", BERT: "Bert"}
LOG = whole_log()
RECORD = record_of(LOG, NAMES, DEAL, "bohn test")


@pytest.mark.parametrize("edition", ["full", "classic-ja"])
def test_record_of_a_finished_table_verifies(edition: str) -> None:
    """To the last entry, and its deal with it."""
    record = read_record(record_of(whole_log(edition), NAMES, DEAL, "bohn test"))

    assert isinstance(verify(record).phase, EndPhase)
    assert record.header.deal == Deal(
        commitment(DEAL.secret, DEAL.nonce), DEAL.secret.hex(), DEAL.nonce.hex(), SALTS
    )


def test_record_says_which_game_it_was() -> None:
    """Edition, product and who sat where."""
    header = read_record(RECORD).header

    assert (header.edition, header.product) == ("full", "bohn test")
    assert header.seats == ("Anna", "Bert", "Bot1:pk", "Bot2:b3")


def test_entries_are_the_games_rows_and_no_others() -> None:
    """Renumbered from 0; what went on beside the game is left out, last calls as well."""
    of_game = [row for row in LOG if any(isinstance(event, Event) for event in row.events)]
    entries = read_record(RECORD).entries

    assert [entry.seq for entry in entries] == list(range(len(of_game)))
    assert [entry.cause for entry in entries] == [row.cause for row in of_game]
    assert [entry.command for entry in entries[1:]] == [row.command for row in of_game[1:]]
    assert len(LOG) > len(entries) + 8


def test_the_opening_has_no_command() -> None:
    """It was the start that dealt; that command is none of the game."""
    opening = read_record(RECORD).entries[0]

    assert (opening.command, opening.actor, opening.cause) == (None, None, "host")


def test_rows_that_hold_both_keep_the_games_events() -> None:
    """A hand-over in the same batch is no part of the record."""
    row = next(row for row in LOG if any(isinstance(event, e.ClockMissed) for event in row.events))
    entry = next(entry for entry in read_record(RECORD).entries if entry.command == row.command)

    assert entry.events == tuple(event for event in row.events if not isinstance(event, RoomEvent))


def test_record_without_the_secret_has_no_deal() -> None:
    """A table whose secret is lost can still be exported."""
    record = read_record(record_of(LOG, NAMES, None, "bohn test"))

    assert record.header.deal is UNSET
    assert isinstance(verify(record).phase, EndPhase)


def test_record_with_another_secret_does_not_verify() -> None:
    """The deal in the record is checked against its commitment."""
    record = read_record(record_of(LOG, NAMES, SecretDeal(DEAL.nonce, DEAL.secret), "bohn test"))

    with pytest.raises(RecordError, match="header: deal: commitment"):
        verify(record)


def unfinished() -> dict[str, tuple[LogRow, ...]]:
    """Return logs of tables whose game is not over."""
    finish = next(
        i for i, row in enumerate(LOG) if any(isinstance(event, e.Finished) for event in row.events)
    )
    given_up = replace(LOG[finish], command=None, events=(e.Abandoned(),))
    return {
        "unknown": (),
        "opened": LOG[:1],
        "seated": LOG[:4],
        "dealt": LOG[:5],
        "playing": LOG[:finish],
        "abandoned": (*LOG[:finish], given_up),
        "abandoned before the deal": (*LOG[:4], replace(given_up, seq=5)),
    }


@pytest.mark.parametrize("name", unfinished())
def test_unfinished_table_is_refused(name: str) -> None:
    """Nobody gets a record of a game that may still be played, or was never played to its end."""
    with pytest.raises(Refusal) as refusal:
        record_of(unfinished()[name], NAMES, DEAL, "bohn test")

    assert refusal.value.problem is Problem.NOT_FINISHED


def test_log_with_a_hole_is_refused() -> None:
    """A record is never made of what happens to be there."""
    with pytest.raises(ValueError, match="expected row 9"):
        record_of((*LOG[:8], *LOG[9:]), NAMES, DEAL, "bohn test")


def room_of(*seats: Seat) -> Room:
    """Return a room with these seats."""
    return Room("t1", Options(), None, seats, "", 0)


def named(*names: str) -> tuple[str, ...]:
    """Return how people of these names stand in a header."""
    seats = [Seat(user=f"u{number}") for number in range(len(names))]
    return seat_names(room_of(*seats), {f"u{number}": name for number, name in enumerate(names)})


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("Anna", "Bert"), ("Anna", "Bert")),
        (("Anna", "anna", "ANNA"), ("Anna", "anna-2", "ANNA-3")),
        (("Anna", "Anna-2", "anna"), ("Anna", "Anna-2", "anna-3")),
        (("pk", "random"), ("Pk", "Random")),
        (("", ""), ("Player1", "Player2")),
        (("Player2", ""), ("Player2", "Player2-2")),
        (("a:pk", ":"), ("apk", "Player2")),
        (("क्‍ष", "\x1b[31mred"), ("क्ष", "[31mred")),
        (("x" * 100, "Ann  a\n"), ("x" * 48, "Ann a")),
    ],
)
def test_names_are_fit_for_a_header(names: tuple[str, ...], expected: tuple[str, ...]) -> None:
    """Printable, short, none twice, and nobody is called like a computer player."""
    assert named(*names) == expected


def test_deleted_names_leave_numbers() -> None:
    """Whoever has deleted his name is the player of his seat."""
    assert seat_names(room_of(Seat(user="u1"), Seat(user="u2")), {"u2": "Bert"}) == ("Player1", "Bert")


def test_bots_are_numbered_and_named() -> None:
    """An absent owner's seat is still his, whoever plays it."""
    room = room_of(Seat(bot="pk"), Seat(user=ANNA, bot="pk"), Seat(bot="b3"), Seat(user=BERT))
    seats = seat_names(room, {ANNA: "Bot2", BERT: "Bert"})

    assert seats == ("Bot1:pk", "Bot2", "Bot2-2:b3", "Bert")
    assert read_seats(seats) == (
        NamedSeat("Bot1", "pk"),
        NamedSeat("Bot2"),
        NamedSeat("Bot2-2", "b3"),
        NamedSeat("Bert"),
    )


def test_record_survives_the_store() -> None:
    """Rows that were written as JSON and read again give the same record."""
    rows = msgspec.json.decode(msgspec.json.encode(LOG), type=tuple[LogRow, ...])
    expected: Any = LOG

    assert rows == expected
    assert record_of(rows, NAMES, DEAL, "bohn test") == RECORD
    assert any(isinstance(row.command, Command) for row in rows)
