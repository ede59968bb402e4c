"""A game that is over, as the API tells it: what was on the table behind each entry."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import Any

from tests.web.support.people import KINDS, Person, fetched


class Replay:
    """A replay through one seat's eyes; ``path`` is that of a finished table or of a kept record."""

    def __init__(self, person: Person, path: str, seat: int) -> None:
        """Fetch it."""
        headers = {"Cookie": person.cookie()}
        answer = fetched("GET", f"{person.url}{path}/replay?seat={seat}", headers=headers)
        assert answer.status == 200, answer.data
        data = answer.data if answer.data[:2] != b"\x1f\x8b" else gzip.decompress(answer.data)
        self.start, *self.entries = [json.loads(line) for line in data.splitlines() if line]
        self.moments = list(_folded(self.start["game"], self.entries))

    @property
    def stops(self) -> list[int]:
        """Return the entries at which there is something to see; a no is told to nobody else."""
        return [
            at for at, entry in enumerate(self.entries)
            if at == 0 or any(event["event"] != "offer-declined" for event in entry.get("events", []))
        ]  # fmt: skip

    def stop(self, entry: int) -> int:
        """Return the place of the last stop that is not behind an entry."""
        return sum(at <= entry for at in self.stops) - 1

    def hand(self, entry: int) -> list[str]:
        """Return the seat's hand behind an entry, as the page names its kinds."""
        return [KINDS[bean] for bean in self.moments[entry]["own"]["hand"]]

    def turn(self, number: int) -> int:
        """Return the entry with which a turn began."""
        return next(at for at, view in enumerate(self.moments) if view["turn"] == number)


def _folded(view: Any, entries: list[Any]) -> Iterator[Any]:
    """Yield the view behind every entry."""
    yield view
    for entry in entries[1:]:
        patch = dict(entry.get("view", {}))
        changed = {int(seat): player for seat, player in patch.pop("players", {}).items()}
        players = [changed.get(seat, player) for seat, player in enumerate(view["players"])]
        view = {**view, **patch, "players": players}
        yield view
