"""Verifying records before they are stored: each is replayed in a process of its own, which can be killed.

Started as ``python -m bohn.server.tables.archive.verifying``: reads a record from its input, and writes a
:class:`About` or a :class:`Fault`. A record may have been made to be slow.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
from contextlib import suppress

import msgspec
from msgspec import Struct

from bohn.notation.errors import RecordError
from bohn.notation.records import read_record, verify
from bohn.protocol.refusals import Problem, Refusal
from bohn.rules.state import Result
from bohn.server.tables.archive.replay import TooLong, replay
from bohn.server.tables.archive.summary import summary_of
from bohn.server.tables.past_game import PastGame

NICENESS = 5
"""How far below the server's own priority records are verified: people at the tables come first."""

DETAIL = 300
"""Characters of the text about a fault."""

SLOW = "expected a game that can be verified in time"

_PLACE = re.compile(r"entry (\d+): ")


class About(Struct, frozen=True, tag="about"):
    """What a list of records shows of each; the store has it as JSON."""

    edition: str
    house_rules: tuple[str, ...]
    names: tuple[str, ...]
    bots: tuple[str | None, ...]
    entries: int
    turns: int
    result: Result | None


class Fault(Struct, frozen=True, tag="fault"):
    """Why a record is refused: the line of the file, from 1 on, and what was expected there."""

    line: int
    detail: str


def examine(data: bytes) -> About | Fault:
    """Verify a record, and see whether it can be shown."""
    try:
        record = read_record(data)
        if not record.entries:
            return Fault(2, "expected an entry for the deal")
        verify(record)
        game = PastGame(record)
        summary = summary_of(game)
        replay(game, None, hands=True)
    except RecordError as error:
        return _fault(str(error))
    except TooLong as error:
        return Fault(1, str(error))
    return About(
        summary.edition, summary.house_rules, summary.names, summary.bots, summary.entries, summary.turns,
        summary.result,
    )  # fmt: skip


def _fault(message: str) -> Fault:
    found = _PLACE.match(message)
    return Fault(1 if found is None else int(found[1]) + 2, message[:DETAIL])


def read_about(text: str) -> About:
    """Return what a list shows of a record, from the JSON in the store."""
    return msgspec.json.decode(text, type=About)


async def verified(data: bytes, milliseconds: int) -> About:
    """Return what a list shows of a record. Raises :class:`Refusal` (``record-not-valid``)."""
    found = _headed(data) or await _examined(data, milliseconds / 1000)
    if isinstance(found, Fault):
        raise Refusal(Problem.RECORD_NOT_VALID, line=found.line, detail=found.detail)
    return found


def _headed(data: bytes) -> Fault | None:
    """Return what is wrong with the header, for which no process is needed."""
    try:
        read_record(data[: data.find(b"\n") + 1])
    except RecordError as error:
        return _fault(str(error))
    return None


async def _examined(data: bytes, seconds: float) -> About | Fault:
    path = os.pathsep.join(entry for entry in sys.path if entry)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", __name__,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    try:
        async with asyncio.timeout(seconds):
            answer, _ = await process.communicate(data)
        return msgspec.json.decode(answer, type=About | Fault)
    except (TimeoutError, OSError, msgspec.DecodeError):
        return Fault(1, SLOW)
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def main() -> None:
    """Examine what comes in."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    sys.stdout.buffer.write(msgspec.json.encode(examine(sys.stdin.buffer.read())))


if __name__ == "__main__":
    main()
