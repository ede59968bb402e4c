"""Which kinds of rows the programs know that serve one database together, by number.

While workers are restarted one after the other, older and newer programs share the tables. What a newer one
has introduced is written only once every worker that is registered knows it; until then the newer ones do as
the older ones do, or refuse as not saved, for that passes by itself. Each worker registers the number of its
program with its leases, and a renewal tells the least of all (:class:`bohn.server.store.shared.Renewal`).

Whoever adds a command, an event or another kind of row to what is stored takes the next number, enters it in
:data:`INTRODUCED` or here below, and adds a revision of the schema, an empty one if need be, to
:data:`REVISIONS`: a program that does not know the revision of a database does not start on it, so nobody
comes later who cannot read what has been written.
"""

from __future__ import annotations

from bohn.protocol.room_commands import BeDone, ChooseOptions
from bohn.protocol.room_events import (
    DoneGiven,
    DoneTakenBack,
    OptionsChosen,
    OrdersLookedAt,
    PlayingTimesSet,
    TableOpened,
)
from bohn.rules.commands import SetWish
from bohn.rules.events import WishSet
from bohn.server.store.protocol import LogRow

FIRST = 1
"""What every program knows that serves a database with others."""

ACCEPTANCES = 2
"""Acceptances of an offer to several people wait as rows, and the holder of the lease decides them."""

KEPT = 3
"""A kind may be marked as one that a player keeps."""

ORDERS = 4
"""Standing orders are carried out at beats, and people are done at the next one."""

TIMES = 5
"""Clocks of tables over days run in playing hours only, and stand still in holidays."""

MOVES = 6
"""Moves that are set ahead stand among the standing orders of a table."""

NEWEST = MOVES
"""What this program knows."""

REVISIONS = {
    FIRST: "0005", ACCEPTANCES: "0006", KEPT: "0012", ORDERS: "0014", TIMES: "0015", MOVES: "0016"
}  # fmt: skip
"""The revision of the schema that came with each number."""

INTRODUCED: dict[type, int] = {
    BeDone: ORDERS,
    DoneGiven: ORDERS,
    DoneTakenBack: ORDERS,
    OrdersLookedAt: ORDERS,
    PlayingTimesSet: TIMES,
}
"""Commands and events of the log that came later than :data:`FIRST`, by their classes."""


def needed_by(row: LogRow) -> int:
    """Return the number that a worker must know to read a row."""
    return max(map(_number_of, (row.command, *row.events)))


def _number_of(kind: object) -> int:
    """Return the number that came with a command or an event, or with what it says."""
    if isinstance(kind, SetWish | WishSet) and kind.mark == "keep":
        return KEPT
    if isinstance(kind, TableOpened | OptionsChosen | ChooseOptions) and kind.options.hours:
        return TIMES
    return INTRODUCED.get(type(kind), FIRST)
