"""Records: a game as JSON lines, first a header, then an entry for every accepted command.

A file is appended to after every command. Reading refuses what is not a record;
:func:`replay` folds the events without any rules, :func:`verify` decides everything anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

from bohn.notation.counting import cards_in
from bohn.notation.deals import Deal, check
from bohn.notation.errors import NotationError, RecordError, shorten
from bohn.rules.commands import AnyCommand, Command
from bohn.rules.deal import begins, opening
from bohn.rules.decide import decide
from bohn.rules.errors import IllegalCommand
from bohn.rules.events import AnyEvent, Dealt, Event
from bohn.rules.evolve import fold
from bohn.rules.folds.course import EMPTY
from bohn.rules.ruleset import Rules
from bohn.rules.shuffle import SEED_BYTES
from bohn.rules.state import State

DIGEST_EVERY = 50
"""Entries from one with the state's digest to the next, the first entry being one; part of the format."""

LARGEST_RECORD = 32_000_000
"""Bytes a record may have; a long game has some hundred thousand."""

LARGEST_LINE = 1_000_000
"""Bytes a line of a record may have; most have some hundred."""

LONGEST_NAME = 80
"""Characters a name in the header may have, as it is shown in a terminal."""

LARGEST_IN_HEADER = 1_000
"""The largest number in a header: no rules have a larger one, and it could make a game take all memory."""

LARGEST_IN_ENTRY = 1_000_000
"""The largest number in an entry: no game has a larger one, and it could make a fold take all memory."""

Cause = Literal["player", "bot", "clock", "host", "order", "ahead", "forced"]

LEFT: frozenset[Cause] = frozenset({"order", "ahead", "forced"})
"""Causes of what is done for whoever is not there: for an order, for a move set ahead, as the only move."""

T = TypeVar("T")

# What folding or deciding raises on events and rules that no game has produced.
_NOT_FROM_A_GAME = (ArithmeticError, AttributeError, LookupError, MemoryError, TypeError, ValueError)


class Header(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line: which game under which rules, who sat where, and the seed.

    ``core`` names what the digests are made of; it changes when the state gets other parts. A game that a
    server has dealt has its ``deal``, from which the seed follows. ``bots`` has the digest of each computer
    player that sits there, by its name; records of before players had digests have none.
    """

    format: Literal["bohn-record"] = "bohn-record"
    version: Literal[1] = 1
    core: Literal["core-1"] = "core-1"
    edition: str
    house_rules: tuple[str, ...]
    rules: Rules
    rules_digest: str
    seats: tuple[str, ...]
    starter: int
    seed: str
    product: str
    deal: Deal | UnsetType = UNSET
    bots: dict[str, str] | UnsetType = UNSET


class Entry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One accepted command, or the opening: who, why, what, and what followed."""

    seq: int
    actor: int | None
    cause: Cause
    command: AnyCommand | None
    events: tuple[AnyEvent, ...]
    digest: str | None = None


class Record(Struct, frozen=True):
    """A whole record."""

    header: Header
    entries: tuple[Entry, ...]


# -- making ------------------------------------------------------------------------------------


def digest(value: Rules | State) -> str:
    """Return the SHA-256 of rules or state as JSON, in hexadecimal digits."""
    return sha256(msgspec.json.encode(value)).hexdigest()


def header_of(
    rules: Rules,
    seats: Sequence[str],
    seed: bytes,
    product: str,
    deal: Deal | UnsetType = UNSET,
    bots: Mapping[str, str] | None = None,
) -> Header:
    """Return the header of a game that begins, or of one whose deal is revealed.

    ``bots`` are the digests of its computer players by name.
    """
    return Header(
        edition=rules.edition,
        house_rules=rules.house_rules,
        rules=rules,
        rules_digest=digest(rules),
        seats=tuple(seats),
        starter=begins(rules, seed),
        seed=seed.hex(),
        product=product,
        deal=deal,
        bots=dict(bots) if bots else UNSET,
    )


def entry_of(
    seq: int, cause: Cause, command: Command | None, events: tuple[Event, ...], after: State
) -> Entry:
    """Return the entry of a batch; ``command`` is ``None`` for the opening, ``after`` the state it led to."""
    members: Any = (command, events)  # decide() takes and returns base classes; every member is in the unions
    return Entry(
        seq=seq,
        actor=None if command is None else command.player,
        cause=cause,
        command=members[0],
        events=members[1],
        digest=None if seq % DIGEST_EVERY else digest(after),
    )


def line_of(part: Header | Entry) -> bytes:
    """Return the line of a header or an entry, with its end; append it to the file."""
    return msgspec.json.encode(part) + b"\n"


def format_record(record: Record) -> bytes:
    """Return a whole record."""
    return line_of(record.header) + b"".join(map(line_of, record.entries))


# -- reading -------------------------------------------------------------------------------------


def without_torn_tail(data: bytes) -> bytes:
    """Return the whole lines; what a crash has left of one more is dropped."""
    return data[: data.rfind(b"\n") + 1]


def read_record(data: bytes, *, torn_tail: bool = False) -> Record:
    """Return the record in a file's bytes. Raises :class:`RecordError`, which names the line.

    With ``torn_tail`` a last line without its end is dropped, as after a crash; before
    more is appended, the file must be cut to :func:`without_torn_tail`.
    """
    if len(data) > LARGEST_RECORD:
        msg = f"record: expected at most {LARGEST_RECORD} bytes, not {len(data)}"
        raise RecordError(msg)
    if torn_tail:
        data = without_torn_tail(data)
    lines = data.split(b"\n")
    if lines.pop() or not lines:
        msg = "record: expected lines that end, and a header in the first"
        raise RecordError(msg)
    header = _decoded(lines[0], Header, "header", LARGEST_IN_HEADER)
    if len(header.seed) != 2 * SEED_BYTES or set(header.seed) - set("0123456789abcdef"):
        msg = f"header: expected a seed of {2 * SEED_BYTES} hexadecimal digits, not {shorten(header.seed)}"
        raise RecordError(msg)
    if not all(name.isprintable() and len(name) <= LONGEST_NAME for name in header.seats):
        msg = f"header: expected names of at most {LONGEST_NAME} printable characters"
        raise RecordError(msg)
    entries = tuple(_decoded(line, Entry, f"entry {i}", LARGEST_IN_ENTRY) for i, line in enumerate(lines[1:]))
    for i, entry in enumerate(entries):
        if entry.seq != i:
            msg = f"entry {i}: expected seq {i}, not {entry.seq}"
            raise RecordError(msg)
    return Record(header, entries)


def _decoded(line: bytes, kind: type[T], where: str, largest: int) -> T:
    """Return the value of a line, refusing what is no part of it."""
    if len(line) > LARGEST_LINE:
        msg = f"{where}: expected a line of at most {LARGEST_LINE} bytes, not {len(line)}"
        raise RecordError(msg)
    try:
        found = msgspec.json.decode(line, type=kind)
        raw = msgspec.json.decode(line)
    except RecursionError:
        msg = f"{where}: expected JSON; nested too deeply"
        raise RecordError(msg) from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        msg = f"{where}: {str(error)[:300]}"
        raise RecordError(msg) from None
    _require_known(raw, msgspec.to_builtins(found), where, largest)
    return found


def _require_known(raw: Any, known: Any, where: str, largest: int) -> None:
    """Refuse fields that decoding has ignored, and numbers that no game has."""
    if isinstance(raw, dict):
        strange = raw.keys() - known.keys()
        if strange:
            msg = f"{where}: expected no field {shorten(min(strange))}"
            raise RecordError(msg)
        for key, value in raw.items():
            _require_known(value, known[key], where, largest)
    elif isinstance(raw, list):
        if len(raw) != len(known):
            msg = f"{where}: expected {len(known)} values, not {len(raw)}"
            raise RecordError(msg)
        for value, part in zip(raw, known, strict=True):
            _require_known(value, part, where, largest)
    elif isinstance(raw, int | float) and not -1 <= raw <= largest:
        msg = f"{where}: expected numbers from -1 to {largest}, not {shorten(raw)}"
        raise RecordError(msg)


# -- replaying and verifying ---------------------------------------------------------------------


def replay(record: Record) -> State:
    """Return the state a record ends in, folded from its events without any rules.

    Digests and the number of every card are compared at every entry with a digest, and at the end.
    Raises :class:`RecordError` where one does not fit.
    """
    state = EMPTY
    for entry in record.entries:
        last = entry is record.entries[-1]
        state = _state_after(record, state, entry, count=last or entry.seq % DIGEST_EVERY == 0)
    return state


def verify(record: Record) -> State:
    """Return the state a record ends in after everything was decided anew under its own rules.

    Raises :class:`RecordError` at the first difference, and names its entry.
    """
    header = record.header
    if digest(header.rules) != header.rules_digest:
        found = shorten(header.rules_digest, 70)
        msg = f"header: expected the rules' digest {digest(header.rules)}, not {found}"
        raise RecordError(msg)
    claimed = (header.edition, header.house_rules, len(header.seats))
    if claimed != (header.rules.edition, header.rules.house_rules, header.rules.players):
        msg = "header: expected edition, house rules and number of seats to be those of the rules"
        raise RecordError(msg)
    if min(_numbers(msgspec.to_builtins(header.rules)), default=0) < 0:
        msg = "header: expected no negative numbers in the rules"
        raise RecordError(msg)
    if header.deal is not UNSET:
        _require_fair(header, header.deal)
    state = EMPTY
    for entry in record.entries:
        _require_same(record, state, entry)
        state = _state_after(record, state, entry, count=True)
    return state


def _require_fair(header: Header, deal: Deal) -> None:
    """Refuse a deal that does not lead from the commitment and everybody's salt to the seed."""
    if len(deal.salts) != len(header.seats):
        msg = f"header: deal: expected {len(header.seats)} salts, not {len(deal.salts)}"
        raise RecordError(msg)
    try:
        seed = check(deal).hex()
    except NotationError as error:
        msg = f"header: deal: {error}"
        raise RecordError(msg) from None
    if header.seed != seed:
        msg = f"header: deal: expected the seed {seed}, not {header.seed}"
        raise RecordError(msg)


def _numbers(value: Any) -> list[int]:
    """Return all numbers of a value made of dicts, lists and others."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [number for part in value for number in _numbers(part)]
    return [value] if isinstance(value, int) else []


def _state_after(record: Record, state: State, entry: Entry, *, count: bool) -> State:
    """Return the state after an entry, if no card came or went and the digest fits; ``count`` the cards."""
    where = f"entry {entry.seq}"
    deals = [type(event) for event in entry.events].count(Dealt)
    if deals != (entry.seq == 0) or (deals and type(entry.events[0]) is not Dealt):
        msg = f"{where}: expected the deal in the first entry, and nowhere else"
        raise RecordError(msg)
    try:
        after = fold(entry.events, state)
        same = not count or cards_in(after) == cards_in(fold(record.entries[0].events[:1]))
        expected = None if entry.seq % DIGEST_EVERY else digest(after)
    except _NOT_FROM_A_GAME as error:
        msg = f"{where}: expected events that follow from the position; {_brief(error)}"
        raise RecordError(msg) from None
    if not same:
        msg = f"{where}: expected every card that was dealt, once, and no other"
        raise RecordError(msg)
    if entry.digest != expected:
        msg = f"{where}: expected the digest {expected}, not {shorten(entry.digest, 70)}"
        raise RecordError(msg)
    if entry.seq == 0 and after.seed.hex() != record.header.seed:
        msg = f"{where}: expected the seed of the header"
        raise RecordError(msg)
    return after


def _brief(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error)[:100]}"


def _require_same(record: Record, state: State, entry: Entry) -> None:
    """Refuse an entry whose events are not what the rules decide."""
    rules, where, command = record.header.rules, f"entry {entry.seq}", entry.command
    if (command is None) != (entry.seq == 0) or entry.actor != (None if command is None else command.player):
        msg = f"{where}: expected the opening without a command, then commands, each by its actor"
        raise RecordError(msg)
    try:
        events = _decided(record, rules, state, command)
    except IllegalCommand as refusal:
        msg = f"{where}: expected a legal command; {refusal}"
        raise RecordError(msg) from None
    except _NOT_FROM_A_GAME as error:
        msg = f"{where}: expected rules that can be played; {_brief(error)}"
        raise RecordError(msg) from None
    if events != entry.events:
        msg = f"{where}: expected events {shorten(events, 200)}, not {shorten(entry.events, 200)}"
        raise RecordError(msg)


def _decided(record: Record, rules: Rules, state: State, command: Command | None) -> tuple[Event, ...]:
    if command is not None:
        return decide(rules, state, command)
    seed = bytes.fromhex(record.header.seed)
    if record.header.starter != begins(rules, seed):
        msg = f"expected the starter {begins(rules, seed)}, not {record.header.starter}"
        raise ValueError(msg)
    return opening(rules, seed)
