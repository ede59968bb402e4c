"""Records: whole games as files that replay and can be verified."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from bohn.notation import records
from bohn.notation.errors import RecordError
from bohn.notation.records import (
    Record,
    digest,
    entry_of,
    format_record,
    header_of,
    line_of,
    read_record,
    replay,
    verify,
    without_torn_tail,
)
from bohn.rules import Bean, resolve, seed_from
from bohn.rules.commands import Reveal
from bohn.rules.events import Dealt, Drew, Exhausted, Planted, TurnBegan
from tests.notation.playing import GAMES, finished, game


def record_of(
    edition: str, players: int, house_rules: tuple[str, ...] = (), *, whole: bool = False
) -> Record:
    """Return the record of a random game."""
    rules, played = finished(edition, players, house_rules) if whole else game(edition, players, house_rules)
    header = header_of(rules, [f"player {seat}" for seat in range(players)], played[0][2].seed, "0.1.0")
    entries = [
        entry_of(i, "bot" if command else "host", command, events, state)
        for i, (command, events, state) in enumerate(played)
    ]
    return Record(header, tuple(entries))


@pytest.fixture
def record() -> Record:
    """Return the record of 251 entries of the 8-kind game."""
    return record_of("classic", 4)


def changed(record: Record, index: int, **changes: Any) -> Record:
    """Return the record with one entry changed."""
    entries = list(record.entries)
    entries[index] = replace(entries[index], **changes)
    return Record(record.header, tuple(entries))


def with_header(record: Record, **changes: Any) -> Record:
    """Return the record with another header."""
    return Record(replace(record.header, **changes), record.entries)


def with_rules(record: Record, **changes: Any) -> Record:
    """Return the record with other rules and their digest."""
    rules = replace(record.header.rules, **changes)
    return with_header(record, rules=rules, rules_digest=digest(rules))


def with_line(record: Record, index: int, **fields: Any) -> bytes:
    """Return the bytes of a record with fields of one line replaced; the header is line 0."""
    lines = format_record(record).splitlines()
    lines[index] = json.dumps({**json.loads(lines[index]), **fields}).encode()
    return b"\n".join(lines) + b"\n"


# -- round trips -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "players", "house_rules"), GAMES)
def test_record_round_trips(edition: str, players: int, house_rules: tuple[str, ...]) -> None:
    """What is written is read back."""
    record = record_of(edition, players, house_rules)

    assert read_record(format_record(record)) == record


@pytest.mark.parametrize(("edition", "players", "house_rules"), GAMES)
def test_record_leads_to_the_position(edition: str, players: int, house_rules: tuple[str, ...]) -> None:
    """Replayed or verified, a record ends where its game ended."""
    _, played = finished(edition, players, house_rules)
    record = read_record(format_record(record_of(edition, players, house_rules, whole=True)))

    assert replay(record) == verify(record) == played[-1][2]


def test_record_with_offers_verifies(record: Record) -> None:
    """Offers, claims and talk are decided anew too."""
    assert verify(record) == replay(record) == game("classic", 4)[1][-1][2]


def test_record_is_appended_line_by_line(record: Record) -> None:
    """The lines of header and entries, one after the other, are the record."""
    lines = [line_of(record.header), *map(line_of, record.entries)]

    assert b"".join(lines) == format_record(record)
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in lines)


def test_record_has_a_digest_every_fifty_entries(record: Record) -> None:
    """The first entry and every fiftieth from there have the state's digest."""
    assert [entry.seq for entry in record.entries if entry.digest] == [0, 50, 100, 150, 200, 250]


def test_record_of_a_game_that_has_not_begun_is_empty(record: Record) -> None:
    """A header alone is a record."""
    alone = Record(record.header, ())

    assert read_record(format_record(alone)) == alone
    assert verify(alone) == replay(alone)


# -- crashes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", [1, 2, 30])
def test_torn_tail_is_dropped_on_request(record: Record, cut: int) -> None:
    """After a crash the last line is dropped if its end is missing."""
    torn = format_record(record)[:-cut]
    shorter = Record(record.header, record.entries[:-1])

    assert read_record(torn, torn_tail=True) == shorter
    assert without_torn_tail(torn) == format_record(shorter)


def test_torn_tail_is_refused_otherwise(record: Record) -> None:
    """A record whose last line has no end is no whole record."""
    with pytest.raises(RecordError, match="lines that end"):
        read_record(format_record(record)[:-1])


@pytest.mark.parametrize("torn_tail", [True, False])
@pytest.mark.parametrize("data", [b"", b"{"])
def test_record_needs_a_header(data: bytes, *, torn_tail: bool) -> None:
    """Without a whole header there is nothing to go on with."""
    with pytest.raises(RecordError, match="a header in the first"):
        read_record(data, torn_tail=torn_tail)


# -- garbage ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"format": "chess"}, r"header: .*format"),
        ({"version": 2}, r"header: .*version"),
        ({"core": "core-0"}, r"header: .*core"),
        ({"colour": "red"}, "header: .*colour"),
        ({"seats": "Ann"}, "header: .*seats"),
        ({"seed": "ab"}, "header: expected a seed of 64"),
        ({"seed": "G" * 64}, "header: expected a seed of 64"),
        ({"starter": 10**30}, "header: "),
        ({"starter": 1_001}, "header: expected numbers from -1 to 1000"),
        ({"starter": -2}, "header: expected numbers"),
    ],
)
def test_record_refuses_other_headers(record: Record, fields: dict[str, Any], message: str) -> None:
    """Another format or version, an unknown field, a number out of range are refused."""
    with pytest.raises(RecordError, match=message):
        read_record(with_line(record, 0, **fields))


def test_record_refuses_unknown_rules(record: Record) -> None:
    """Fields of the rules that nobody knows are refused too."""
    rules = {**msgspec.to_builtins(record.header.rules), "colour": "red"}

    with pytest.raises(RecordError, match="header: expected no field 'colour'"):
        read_record(with_line(record, 0, rules=rules))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"seq": 7}, "entry 3: expected seq 3, not 7"),
        ({"colour": "red"}, "entry 3: .*colour"),
        ({"cause": "weather"}, "entry 3: .*weather"),
        ({"command": {"do": "dance"}}, "entry 3: .*dance"),
        ({"events": [{"event": "danced"}]}, "entry 3: .*danced"),
        (
            {"events": [{"event": "exhausted", "count": 1, "colour": 1}]},
            "entry 3: expected no field 'colour'",
        ),
        (
            {"events": [{"event": "exhausted", "count": 10**7}]},
            "entry 3: expected numbers from -1 to 1000000",
        ),
        ({"events": [{"event": "exhausted", "count": 10**400}]}, "entry 3: "),
        ({"events": [{"event": "drew", "player": 0, "beans": [11]}]}, "entry 3: .*11"),
        (
            {
                "events": [
                    {"event": "traded", "offer": 1, "maker": 0, "partner": 1, "maker_hand": [[0, 1, 2]]}
                ]
            },
            "entry 3: expected 2 values, not 3",
        ),
    ],
)
def test_record_refuses_other_entries(record: Record, fields: dict[str, Any], message: str) -> None:
    """What is no entry is refused, with its number."""
    with pytest.raises(RecordError, match=message):
        read_record(with_line(record, 4, **fields))


def test_record_refuses_deep_nesting(record: Record) -> None:
    """Nesting that exhausts the stack is an error like any other."""
    deep = b"[" * 200_000 + b"]" * 200_000

    with pytest.raises(RecordError, match=r"header: .*nested too deeply"):
        read_record(b'{"format": "bohn-record", "rules": {"colour": ' + deep + b"}}\n")
    with pytest.raises(RecordError, match="entry 251: "):
        read_record(format_record(record) + b'{"events": ' + deep + b"}\n")


@pytest.mark.parametrize(
    "garbage", [b"\x00" * 10_000_000, b"\n" * 10_000_000, b"\xff\xfe\n", b"[]\n", b"{}\n", b"{\n"]
)
def test_record_refuses_garbage(garbage: bytes) -> None:
    """Megabytes of garbage are refused without being searched."""
    with pytest.raises(RecordError):
        read_record(garbage + b"\n")


def test_record_refuses_bad_encodings(record: Record) -> None:
    """Names must be UTF-8."""
    with pytest.raises(RecordError, match="header"):
        read_record(format_record(record).replace(b"player 0", b"player \xff"))


def test_record_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """More bytes than any game has are refused at once."""
    monkeypatch.setattr(records, "LARGEST_RECORD", 10)

    with pytest.raises(RecordError, match="at most 10 bytes, not 12"):
        read_record(b"x" * 12)


# -- replaying ---------------------------------------------------------------------------------------------


def test_replay_refuses_another_digest(record: Record) -> None:
    """A digest that does not fit is refused."""
    with pytest.raises(RecordError, match="entry 50: expected the digest"):
        replay(changed(record, 50, digest="0" * 64))


def test_replay_refuses_a_missing_digest(record: Record) -> None:
    """A digest that is due may not be left out."""
    with pytest.raises(RecordError, match="entry 0: expected the digest"):
        replay(changed(record, 0, digest=None))


def test_replay_refuses_a_card_twice(record: Record) -> None:
    """A card that appears out of nothing is refused where the cards are counted next."""
    entry = record.entries[3]
    bean = Bean.RED

    with pytest.raises(RecordError, match="expected every card that was dealt"):
        replay(changed(record, 3, events=(*entry.events, Drew(0, (bean,) * 5))))


@pytest.mark.parametrize("event", [Planted(9, 0, Bean.RED), Drew(99, (Bean.RED,))])
def test_replay_refuses_events_without_a_place(record: Record, event: Any) -> None:
    """An event that fits no position is refused in its entry."""
    with pytest.raises(RecordError, match="entry 3: expected events that follow"):
        replay(changed(record, 3, events=(event,)))


def test_replay_refuses_a_second_deal(record: Record) -> None:
    """Cards are dealt once, in the first entry."""
    dealt = record.entries[0].events[0]

    with pytest.raises(RecordError, match="entry 3: expected the deal in the first entry"):
        replay(changed(record, 3, events=(dealt,)))
    with pytest.raises(RecordError, match="entry 0: expected the deal in the first entry"):
        replay(changed(record, 0, events=(TurnBegan(0),)))
    with pytest.raises(RecordError, match="entry 0: expected the deal in the first entry"):
        replay(changed(record, 0, events=(dealt, dealt)))


def test_replay_refuses_another_seed(record: Record) -> None:
    """The seed of the header is the one the cards were dealt with."""
    with pytest.raises(RecordError, match="entry 0: expected the seed of the header"):
        replay(with_header(record, seed="00" * 32))


# -- verifying -----------------------------------------------------------------------------------------------


def test_verify_refuses_another_digest_of_the_rules(record: Record) -> None:
    """The rules are those whose digest the header has."""
    with pytest.raises(RecordError, match="header: expected the rules' digest"):
        verify(with_header(record, rules_digest="0" * 64))


@pytest.mark.parametrize(
    "changes", [{"edition": "full"}, {"house_rules": ("end=at_once",)}, {"seats": ("Ann",)}]
)
def test_verify_refuses_a_header_that_contradicts_the_rules(record: Record, changes: dict[str, Any]) -> None:
    """Edition, house rules and seats are those of the rules."""
    with pytest.raises(RecordError, match="header: expected edition"):
        verify(with_header(record, **changes))


def test_verify_refuses_negative_rules(record: Record) -> None:
    """Rules below zero, which would never end, are refused."""
    with pytest.raises(RecordError, match="no negative numbers"):
        verify(with_rules(record, draw=-1))


def test_verify_refuses_rules_that_cannot_be_played(record: Record) -> None:
    """Rules that fail while they are played are refused in the entry."""
    with pytest.raises(RecordError, match="entry 0: expected rules that can be played; ValueError"):
        verify(with_rules(record, deal=()))


def test_verify_refuses_another_starter(record: Record) -> None:
    """The starter is drawn from the seed."""
    with pytest.raises(RecordError, match=r"entry 0: .*expected the starter"):
        verify(with_header(record, starter=(record.header.starter + 1) % 4))


def test_verify_refuses_another_opening(record: Record) -> None:
    """The deal is the one of the seed."""
    dealt, *rest = record.entries[0].events
    assert isinstance(dealt, Dealt)
    swapped = replace(dealt, draw_pile=dealt.draw_pile[::-1])

    with pytest.raises(RecordError, match="entry 0: expected events"):
        verify(changed(record, 0, events=(swapped, *rest)))


def test_verify_refuses_other_events(record: Record) -> None:
    """Events that the command does not cause are refused, even if cards and digests fit."""
    entry = record.entries[1]

    with pytest.raises(RecordError, match="entry 1: expected events"):
        verify(changed(record, 1, events=(*entry.events, Exhausted(1))))


def test_verify_refuses_an_illegal_command(record: Record) -> None:
    """A command that the rules refuse is refused in its entry, with the reason."""
    with pytest.raises(RecordError, match=r"entry 1: expected a legal command; not-active-player"):
        verify(
            changed(
                record,
                1,
                actor=(record.header.starter + 1) % 4,
                command=Reveal((record.header.starter + 1) % 4),
            )
        )


@pytest.mark.parametrize("changes", [{"actor": None}, {"command": None}, {"actor": None, "command": None}])
def test_verify_refuses_another_actor(record: Record, changes: dict[str, Any]) -> None:
    """A command is by its actor, and only the opening has none."""
    with pytest.raises(RecordError, match="entry 1: expected the opening without a command"):
        verify(changed(record, 1, **changes))


def test_header_is_made_from_the_rules() -> None:
    """A header has what its rules and seed say."""
    rules = resolve("full", 3, "starter=seat:2")
    header = header_of(rules, ("A", "B", "C"), seed_from(1), "0.1.0")

    assert (header.edition, header.house_rules, header.starter) == ("full", ("starter=seat:2",), 2)
    assert (header.seed, header.rules_digest) == (seed_from(1).hex(), digest(rules))


@pytest.mark.parametrize("name", ["\x1b[31mred", "x" * 81])
def test_record_refuses_names_that_are_none(record: Record, name: str) -> None:
    """A name in the header is short and printable; it will be shown in a terminal."""
    seats = (name, *record.header.seats[1:])

    with pytest.raises(RecordError, match="header: expected names of at most 80 printable characters"):
        read_record(format_record(with_header(record, seats=seats)))
