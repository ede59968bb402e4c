"""Whether a record is kept: it is decided anew in a process of its own, which can be ended.

Started as ``python -m bohn.server.past.verifying``: reads a record from its input, and writes a
:class:`About` or a :class:`Fault`. Whoever sends a record may have made it to be slow.
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
from bohn.rules.state import Result
from bohn.server.past.game import PastGame
from bohn.server.past.replay import TooLong, replay
from bohn.server.past.summary import summary_of
from bohn.server.refusals import Problem, Refusal

NICENESS = 5
"""Whoever is at the tables comes before what is verified."""

DETAIL = 300
"""Letters of what is said about a fault."""

SLOW = "expected a game that can be verified in time"

_PLACE = re.compile(r"entry (\d+): ")


class About(Struct, frozen=True, tag="about"):
    """What is told of a record in a list; it stands in the store as JSON."""

    edition: str
    house_rules: tuple[str, ...]
    names: tuple[str, ...]
    bots: tuple[str | None, ...]
    entries: int
    turns: int
    result: Result | None


class Fault(Struct, frozen=True, tag="fault"):
    """Why a record is not kept: the line of the file, from 1 on, and what was expected there."""

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
    """Return what is told of a record, as the store has it."""
    return msgspec.json.decode(text, type=About)


async def verified(data: bytes, milliseconds: int) -> About:
    """Return what is told of a record. Raises :class:`Refusal` (``record-not-valid``)."""
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
