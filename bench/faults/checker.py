"""The checker: what clients were told and what the log says must be one and the same.

Each check takes a piece of the history (:mod:`bench.faults.history`) and returns what is wrong in it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

import msgspec

from bench.faults.history import (
    Fault,
    Overdue,
    Sent,
    Stored,
    TableLog,
    Taken,
    Told,
    Viewer,
    Violation,
    digest_of,
)
from bohn.rules.commands import EndTrading
from bohn.server.store.protocol import LogRow
from bohn.server.store.shared import bucket_of
from bohn.server.tables.shown import shown
from tests.server.support.audit import Folded
from tests.server.support.mirror import Mirror

BEHIND = 10.0
"""Seconds within which everybody is shown a row where nothing is wrong: ten sweeps."""

OVERDUE = 15.0
"""Seconds behind which a clock has fired, or been put off, where nothing is wrong."""

REFUSED_BEFORE = 0.5
"""Seconds for which a refusal may have been on its way."""

EARLY, LATE = 1.0, 60.0
"""Seconds by which the time that a row tells may be ahead of its commit, and behind it."""

OWN = ("bot:", "clock:")
"""What the server itself does begins so."""

DECISION = "clock:decision:"

Log = Sequence[Stored]


def numbers(table: TableLog) -> Iterator[Violation]:
    """Find numbers that are missing, or there twice, and commands that are."""
    expected = 1
    for stored in table.rows:
        if stored.row.seq != expected:
            yield Violation("number", table.table, f"row {stored.row.seq} stands where {expected} should")
        expected = stored.row.seq + 1
    counts = Counter((stored.row.actor, stored.row.command_id) for stored in table.rows)
    for (actor, key), count in counts.items():
        if count > 1:
            yield Violation("doubled", table.table, f"{key} of {actor} stands there {count} times")


def promises(viewer: Viewer, rows: Log) -> Iterator[Violation]:
    """Find commands of one person that are not in the log as he was told.

    ``rows`` were committed in the time of the steady clock.
    """
    kept: dict[str, list[Stored]] = {}
    for stored in rows:
        if stored.row.actor == viewer.user:
            kept.setdefault(stored.row.command_id, []).append(stored)
    for sent in viewer.sent:
        for kind, what in _promise(sent, kept.pop(sent.id, [])):
            yield Violation(kind, viewer.table, f"{sent.id} {what}")
    for key in kept:
        if not key.startswith(("sit", "start", "open:")):
            yield Violation("never-sent", viewer.table, f"{key} stands in the log, and nobody has sent it")


def _promise(sent: Sent, found: list[Stored]) -> Iterator[tuple[str, str]]:
    seqs = [stored.row.seq for stored in found]
    if len(found) > 1:
        yield "doubled", f"was done {len(found)} times: {seqs}"
    if sent.seq is not None and not found:
        yield "lost", f"was acknowledged as {sent.seq}, and is not in the log"
    elif sent.seq is not None and sent.seq not in seqs:
        yield "elsewhere", f"was acknowledged as {sent.seq}, and is in the log at {seqs}"
    if sent.refusal is not None and any(not done_by_a_copy(sent, stored) for stored in found):
        yield "refused", f"was refused ({sent.refusal}), and is in the log at {seqs}"
    digest = sha256(sent.command.encode()).hexdigest()
    if any(stored.row.digest != digest for stored in found):
        yield "other", f"is another command in the log at {seqs}"


def done_by_a_copy(sent: Sent, stored: Stored) -> bool:
    """Whether a refused command may stand in the log: it was sent twice, and done behind the refusal.

    A worker that stood still reads what it was sent before, and does it if it is legal by then.
    """
    return sent.sent > 1 and stored.committed > sent.answered - REFUSED_BEFORE


def complaints(viewer: Viewer) -> Iterator[Violation]:
    """Find what a client itself has found: gaps, and answers that contradict each other."""
    for complaint in viewer.complaints:
        yield Violation("complaint", viewer.table, complaint)


def unanswered(viewer: Viewer) -> Iterator[Violation]:
    """Find commands that have no answer long after everything was well again."""
    for sent in viewer.sent:
        if not sent.answered and sent.sent:
            yield Violation("unanswered", viewer.table, f"{sent.id} was sent {sent.sent} times")


def epochs(table: TableLog, taken: dict[int, list[Taken]]) -> Iterator[Violation]:
    """Find rows of an epoch that had ended when they were committed, and those of the server without one.

    Whoever takes a lease waits for rows under way, so the order of commits is that of the epochs.
    """
    takings = taken.get(bucket_of(table.table), [])
    for stored in table.rows:
        row = stored.row
        if stored.epoch is None:
            if row.actor.startswith(OWN):
                yield Violation("no-epoch", table.table, f"row {row.seq} of {row.actor} carries none")
            continue
        for later in takings:
            if later.epoch > stored.epoch and later.committed < stored.committed:
                late = stored.committed - later.committed
                what = (
                    f"row {row.seq} of {row.actor} carries {stored.epoch}, {late:.3f} s behind {later.epoch}"
                )
                yield Violation("stale-epoch", table.table, what)
                break
        if takings and stored.epoch > takings[-1].epoch:
            yield Violation("stale-epoch", table.table, f"row {row.seq} carries {stored.epoch} of nobody")


def times(table: TableLog) -> Iterator[Violation]:
    """Find rows that tell another time than the database had."""
    for stored in table.rows:
        behind = stored.committed - stored.row.at / 1000
        if not -EARLY <= behind <= LATE:
            what = f"row {stored.row.seq} tells a time {behind:.1f} s before its commit"
            yield Violation("time", table.table, what)


def timers(table: TableLog, decision: int) -> Iterator[Violation]:
    """Find clocks that fired twice; ``decision`` is the time that each decision has at least, in ms."""
    decided: dict[str, int] = {}
    ended: set[str] = set()
    for stored in table.rows:
        row = stored.row
        if row.cause != "clock":
            continue
        if row.actor.startswith(DECISION):
            before = decided.get(row.actor)
            if before is not None and row.at - before < decision - 500:
                what = f"{row.actor} fired again at row {row.seq}, {row.at - before} ms later"
                yield Violation("fired-twice", table.table, what)
            decided[row.actor] = row.at
        elif isinstance(row.command, EndTrading):
            turn = row.actor.rpartition(":")[2]
            if row.actor in ended:
                yield Violation("fired-twice", table.table, f"trading {turn} was ended twice: row {row.seq}")
            ended.add(row.actor)


def rules(table: TableLog) -> Iterator[Violation]:
    """Find rows that the rules do not allow, and deals that were not committed to."""
    rows = tuple(stored.row for stored in table.rows)
    try:
        found = Folded(rows, table.deal).faults
    except Exception as error:  # noqa: BLE001 - a log that cannot be folded is what is looked for
        found = [f"the log cannot be folded: {type(error).__name__}: {error}"]
    for fault in found:
        yield Violation("rules", table.table, fault[:500])


def streams(viewer: Viewer, rows: Log) -> Iterator[Violation]:
    """Find batches that tell something else than the log, as this person may see it."""
    by_seq = {stored.row.seq: stored.row for stored in rows}
    for stretch in viewer.stretches:
        for seq, digest in enumerate(stretch.digests, stretch.first + 1):
            row = by_seq.get(seq)
            if row is None:
                what = f"seat {viewer.seat} was shown batch {seq}, which is not in the log"
                yield Violation("stream", viewer.table, what)
            elif digest != digest_for(row, viewer.seat):
                what = f"seat {viewer.seat} was shown batch {seq} otherwise than it is in the log"
                yield Violation("stream", viewer.table, what)


def digest_for(row: LogRow, seat: int) -> int:
    """Return the digest of the batch that a seat is to be shown of a row; 0 if it sees nothing of it."""
    events = shown(row, seat)
    if not events:
        return 0
    told = tuple(msgspec.json.decode(msgspec.json.encode(events)))
    return digest_of((row.at, row.cause, getattr(row.command, "player", None), told))


def final(viewer: Viewer, rows: Log, folds: dict[int, Folded]) -> Iterator[Violation]:
    """Find what a person had at hand at the end that is not so; ``folds`` keeps tables by their seq."""
    if viewer.final is None:
        return
    mirror = Mirror()
    mirror.take(viewer.final)
    try:
        if mirror.seq not in folds:
            folds[mirror.seq] = Folded(tuple(stored.row for stored in rows[: mirror.seq]))
        found = folds[mirror.seq].shown_otherwise(mirror)
    except Exception as error:  # noqa: BLE001 - a log that cannot be folded is what is looked for
        found = [f"the log cannot be folded: {type(error).__name__}: {error}"]
    for fault in found:
        yield Violation("shown", viewer.table, fault[:500])


def behind(
    viewer: Viewer,
    rows: Log,
    troubled: Troubled,
    ended: float,
    most: float = BEHIND,
) -> Iterator[Violation]:
    """Find rows that a person was shown too late, or not at all, though nothing kept his worker from it.

    ``rows`` were committed in the time of the steady clock. Only rows count of which he sees anything, while
    he is connected all the time from its commit on; and only where no fault excuses it.
    """
    came = {
        seq: at for stretch in viewer.stretches for seq, at in enumerate(stretch.times, stretch.first + 1)
    }
    # a welcome shows the whole table at once, with all that came before it
    came |= dict.fromkeys(_jumped_over(viewer), 0.0)
    starts = sorted(viewer.links)
    for stored in rows:
        row = stored.row
        limit = stored.committed + most
        if limit > ended or came.get(row.seq, limit + 1) <= limit:
            continue
        place = bisect_right(starts, (stored.committed, float("inf"), 0)) - 1
        if place < 0 or starts[place][1] < limit or troubled.at(stored.committed, limit):
            continue
        if not shown(row, viewer.seat):
            continue
        late = f"{came[row.seq] - stored.committed:.1f} s late" if row.seq in came else "never"
        what = f"seat {viewer.seat} at worker {starts[place][2]} was shown row {row.seq} {late}"
        yield Violation("behind", viewer.table, what)


def _jumped_over(viewer: Viewer) -> Iterator[int]:
    last = 0
    for stretch in viewer.stretches:
        yield from range(last + 1, stretch.first + 1)
        last = stretch.first + len(stretch.digests)


class Troubled:
    """The times in which a fault excuses delays: while it lasts, and until all was well again."""

    EXCUSE = frozenset({"kill", "stop", "database", "cut"})
    """A bell that is cut off excuses nothing, nor does a clock that is wrong."""

    def __init__(self, faults: Iterable[Fault], rest: float = 5.0) -> None:
        """Take the faults; ``rest`` seconds behind each belong to it."""
        self._spans = sorted(
            (one.begun, max(one.ended, one.back) + rest) for one in faults if one.kind in self.EXCUSE
        )

    def at(self, begun: float, ended: float) -> bool:
        """Whether anything excuses a delay between these times."""
        return any(start < ended and begun < end for start, end in self._spans)


def overdue(found: Iterable[Overdue], troubled: Troubled, most: float = OVERDUE) -> Iterator[Violation]:
    """Find clocks that stood still though nothing kept the workers from them."""
    for one in found:
        late = one.ms / 1000
        if late > most and not troubled.at(one.at - late, one.at):
            yield Violation("overdue", one.table, f"{one.key} was due for {late:.1f} s and not fired")


def table_violations(
    table: TableLog,
    viewers: Sequence[Viewer],
    taken: dict[int, list[Taken]],
    told: Told,
    troubled: Troubled,
    decision: int,
    steady: float,
    most: float = BEHIND,
) -> list[Violation]:
    """Return all that is wrong at one table; ``steady`` is the steady clock's time less that since 1970."""
    rows = table.rows
    found = [*numbers(table), *epochs(table, taken), *times(table), *timers(table, decision), *rules(table)]
    folds: dict[int, Folded] = {}
    on_steady = tuple(Stored(one.row, one.epoch, one.committed + steady) for one in rows)
    for viewer in viewers:
        found += promises(viewer, on_steady)
        found += complaints(viewer)
        found += unanswered(viewer)
        found += streams(viewer, rows)
        found += final(viewer, rows, folds)
        found += behind(viewer, on_steady, troubled, told.ended, most)
    return found
