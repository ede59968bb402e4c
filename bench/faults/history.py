"""What happened, in the form that the checker judges: the log's rows, what clients sent and saw, and faults.

Times are in seconds of the machine's steady clock, which all processes share; those of rows since 1970.
"""

from __future__ import annotations

from hashlib import blake2b

import msgspec
from msgspec import Struct

from bohn.protocol import frames
from bohn.server.store.protocol import LogRow, SecretDeal


class Sent(Struct):
    """One command of one person: when it was due, how often it was sent, and what was said to it.

    ``unsaved`` is when it was last refused as not saved, before it was sent again; 0 if it never was.
    ``answered`` is 0 while there is no answer.
    """

    id: str
    command: str
    due: float
    sent: int = 0
    unsaved: float = 0.0
    answered: float = 0.0
    seq: int | None = None
    refusal: str | None = None


class Stretch(Struct):
    """Batches without a gap: those behind ``first``, a digest of each, and when it came."""

    first: int
    digests: list[int] = []
    times: list[float] = []


class Viewer(Struct):
    """What one person at a table sent and saw; ``links`` are his connections: from, to, and which worker.

    ``final`` is all that he had at hand at the end, as one frame.
    """

    table: str
    user: str
    seat: int
    sent: list[Sent] = []
    stretches: list[Stretch] = []
    links: list[tuple[float, float, int]] = []
    complaints: list[str] = []
    final: frames.Welcome | None = None


class Told(Struct):
    """What the crowd has to tell: everybody, and between when it played.

    ``given_up`` are commands that were due and not sent, ``cores`` what the crowd has used of the processor
    while it played, ``late`` by how many ms 99 of 100 commands were sent later than they were due at most.
    """

    viewers: list[Viewer]
    begun: float
    ended: float
    given_up: int = 0
    cores: float = 0.0
    late: float = 0.0


class Stored(Struct, frozen=True):
    """A row as it is stored: with the epoch that it carries, and when it was committed."""

    row: LogRow
    epoch: int | None
    committed: float


class TableLog(Struct):
    """The log of one table, and the secret of its deal."""

    table: str
    rows: tuple[Stored, ...]
    deal: SecretDeal | None = None


class Taken(Struct, frozen=True):
    """A lease that was taken, and when that was committed."""

    bucket: int
    epoch: int
    committed: float


class Fault(Struct):
    """One fault: its kind and whom it hit, and its beginning and end; ``back`` is when all was well again."""

    kind: str
    target: str
    begun: float
    ended: float
    back: float = 0.0
    note: str = ""


class Overdue(Struct, frozen=True):
    """A clock that was found to be due for ``ms`` and not fired yet."""

    table: str
    key: str
    ms: int
    at: float


class Violation(Struct, frozen=True):
    """Something that may not be: of what kind, at which table, and what it is in words."""

    kind: str
    table: str
    what: str


def digest_of(heading: tuple[object, ...]) -> int:
    """Return a short digest of what a batch tells: when, why, by whom, and its events."""
    return int.from_bytes(blake2b(msgspec.json.encode(heading), digest_size=7).digest(), "big")


def digest_of_batch(frame: frames.Batch) -> int:
    """Return the digest of a batch as a client was sent it; 0 for one that tells nothing."""
    if not frame.events:
        return 0
    by = None if frame.by is msgspec.UNSET else frame.by
    return digest_of((frame.at, frame.cause, by, frame.events))
