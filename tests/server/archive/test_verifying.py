"""Only records that follow their rules are stored, and none can keep the server busy."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bohn.notation.records import format_record
from bohn.protocol.refusals import Problem, Refusal
from bohn.server.tables.archive import replay as replaying
from bohn.server.tables.archive import verifying
from bohn.server.tables.archive.summary import summary_of
from bohn.server.tables.archive.verifying import About, Fault, examine, read_about, verified
from tests.server.support.past import past_game, record_of, text_of

GOLDEN = sorted((Path(__file__).parents[2] / "golden" / "records").glob("*.bohn"))


def with_line(number: int, **fields: Any) -> bytes:
    """Return a record with fields of one line replaced; the header is line 1."""
    lines = text_of().splitlines()
    lines[number - 1] = json.dumps({**json.loads(lines[number - 1]), **fields}).encode()
    return b"\n".join(lines) + b"\n"


@pytest.mark.parametrize("whole", [True, False])
def test_sound_record_is_told_of(whole: bool) -> None:
    """Finished or not: what the list of records shows of it."""
    found = examine(text_of(whole=whole))
    summary = summary_of(past_game(whole=whole))

    assert isinstance(found, About)
    assert (found.edition, found.names, found.bots) == ("full", summary.names, summary.bots)
    assert (found.entries, found.turns, found.result) == (summary.entries, summary.turns, summary.result)
    assert (found.result is not None) == whole
    assert read_about(msgspec.json.encode(found).decode()) == found


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_records_of_every_release_are_taken(path: Path) -> None:
    """Whatever this program has ever written."""
    assert isinstance(examine(path.read_bytes()), About)


@pytest.mark.parametrize(
    ("data", "line", "said"),
    [
        (b"", 1, "expected lines that end"),
        (b"nonsense\n", 1, "header: "),
        (text_of().splitlines(keepends=True)[0], 2, "an entry for the deal"),
        (text_of()[:-20] + b"\n", text_of().count(b"\n"), "entry "),
        (with_line(1, seed="00" * 32), 2, "entry 0: expected"),
        (with_line(1, rules_digest="0"), 1, "the rules' digest"),
        (with_line(3, actor=9), 3, "entry 1: "),
        (with_line(2, digest=None), 2, "entry 0: expected the digest"),
        (with_line(5, events=[]), 5, "entry 3: expected"),
    ],
)
def test_fault_names_its_line(data: bytes, line: int, said: str) -> None:
    """From 1 on, as an editor counts them; and what was expected there."""
    found = examine(data)

    assert isinstance(found, Fault)
    assert (found.line, said in found.detail) == (line, True)


def test_record_with_too_long_a_replay_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be shown is refused."""
    monkeypatch.setattr(replaying, "LARGEST", 1_000)

    found = examine(text_of())

    assert isinstance(found, Fault)
    assert "at most 1000 bytes" in found.detail


def test_record_is_verified_in_a_process_of_its_own() -> None:
    """It says the same as in this one, good or bad."""
    assert asyncio.run(verified(text_of(), 20_000)) == examine(text_of())

    with pytest.raises(Refusal) as refused:
        asyncio.run(verified(with_line(3, actor=9), 20_000))
    assert refused.value.problem is Problem.RECORD_NOT_VALID
    assert refused.value.params["line"] == 3
    assert refused.value.params["detail"].startswith("entry 1: ")


def test_record_that_takes_too_long_is_refused() -> None:
    """The process is ended, whatever it does."""
    with pytest.raises(Refusal) as refused:
        asyncio.run(verified(text_of(), 1))

    assert (refused.value.params["line"], refused.value.params["detail"]) == (1, verifying.SLOW)


def test_text_without_a_header_needs_no_process() -> None:
    """What is no record at all is refused at once."""
    with pytest.raises(Refusal) as refused:
        asyncio.run(verified(b"nonsense\n" * 1_000, 0))

    assert refused.value.params["detail"].startswith("header: ")


def test_process_that_dies_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record on which the process breaks is refused."""
    monkeypatch.setattr(verifying, "__name__", "bohn.server.tables.archive.nowhere")

    with pytest.raises(Refusal) as refused:
        asyncio.run(verified(text_of(), 20_000))

    assert refused.value.params["detail"] == verifying.SLOW


def test_long_message_of_a_fault_is_cut() -> None:
    """It goes back to whoever has sent the record, not further."""
    record = record_of()
    events = record.entries[0].events
    changed = format_record(msgspec.structs.replace(record, entries=(
        msgspec.structs.replace(record.entries[0], events=(*events, events[1])), *record.entries[1:],
    )))  # fmt: skip
    found = examine(changed)

    assert isinstance(found, Fault)
    assert len(found.detail) <= verifying.DETAIL
