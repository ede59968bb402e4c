"""Games that are over, for tests: played by bots, with talk, offers and bluffs of every kind."""

from __future__ import annotations

from functools import cache

from bohn.notation.records import Record, entry_of, format_record, header_of
from bohn.server.store.protocol import Append, Store
from bohn.server.tables.past_game import PastGame
from bohn.server.tables.snapshot import snapshot_of
from bohn.server.tables.writes import listing_of
from tests.notation.playing import finished, game
from tests.server.support.logs import DEAL, whole_log


@cache
def record_of(
    edition: str = "full", players: int = 3, house_rules: tuple[str, ...] = (), *, whole: bool = True
) -> Record:
    """Return the record of a random game: a whole one, or the beginning of one with all that can be done."""
    rules, played = finished(edition, players, house_rules) if whole else game(edition, players, house_rules)
    seats = ["Ada", "Beanie:b3", *(f"Bot{seat}:pk" for seat in range(2, players))]
    header = header_of(rules, seats, played[0][2].seed, "bohn test")
    entries = [
        entry_of(number, "player" if command else "host", command, events, state)
        for number, (command, events, state) in enumerate(played)
    ]
    return Record(header, tuple(entries))


def past_game(
    edition: str = "full", players: int = 3, house_rules: tuple[str, ...] = (), *, whole: bool = True
) -> PastGame:
    """Return such a game."""
    return PastGame(record_of(edition, players, house_rules, whole=whole))


def text_of(edition: str = "full", players: int = 3, *, whole: bool = True) -> bytes:
    """Return such a record as text."""
    return format_record(record_of(edition, players, whole=whole))


async def keep_finished(store: Store, *users: str, table: str = "t1") -> str:
    """Put a finished table of four into a store, and let these users enter it; Anna and Bert sit there."""
    rows = whole_log(table=table)
    listing = listing_of(snapshot_of(rows))
    await store.append(Append(row=rows[0], behind=rows[1:], deal=DEAL, listing=listing, grants=users))
    return table
