"""Compare what clients were promised with what stands in the log, and the log with the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace

from bohn.notation.deals import commitment, seed_of
from bohn.protocol.room import Room
from bohn.protocol.room_events import LastCallBegan, RoomEvent, TableOpened
from bohn.rules.commands import Command, EndTrading
from bohn.rules.deal import opening
from bohn.rules.decide import decide
from bohn.rules.errors import IllegalCommand
from bohn.rules.events import Event
from bohn.rules.evolve import fold
from bohn.rules.legal import legal_commands, offer_space
from bohn.rules.resolve import resolve
from bohn.rules.ruleset import Rules
from bohn.rules.state import State
from bohn.server.room.fold import after_game, fold_room
from bohn.server.store.protocol import LogRow, SecretDeal
from bohn.views.giving import answer, discards, gift_ways
from bohn.views.view import TradeView, View, view
from bohn.views.visible import visible
from bohn.views.worth import worth
from tests.server.support.mirror import Mirror
from tests.server.support.wire import Ledger

Faults = list[str]
"""What is wrong, in words; empty if nothing."""


def promises(user: str, ledger: Ledger, rows: Iterable[LogRow]) -> Faults:
    """Return what a player's ledger and the log of his table tell differently.

    What was acknowledged stands in the log once, at the seq that was said; what was refused does not; what
    has no answer stands there once at most; and nothing stands there that he has not sent.
    """
    faults: Faults = []
    kept: dict[str, list[LogRow]] = {}
    for row in rows:
        if row.actor == user:
            kept.setdefault(row.command_id, []).append(row)
    for key, entry in ledger.entries.items():
        found = kept.pop(key, [])
        seqs = [row.seq for row in found]
        if len(found) > 1:
            faults.append(f"{key} was doubled: {seqs}")
        if entry.seq is not None and seqs != [entry.seq]:
            faults.append(f"{key} was acknowledged as {entry.seq}, but the log has it at {seqs}")
        if entry.refusal is not None and found:
            faults.append(f"{key} was refused ({entry.refusal.reason}), but the log has it at {seqs}")
        faults += [
            f"{key}: another command stands in the log" for row in found if row.command != entry.command
        ]
    faults += [f"{key} was never sent" for key in kept if not key.startswith(("sit", "start", "open:"))]
    return faults


def cards_told(mirror: Mirror, seen: View, legal: tuple[Command, ...]) -> list[tuple[str, Any, Any]]:
    """Return what a client knows of the own cards he may give or discard, beside what he should know."""
    offers = seen.phase.offers if isinstance(seen.phase, TradeView) else ()
    mine = [offer for offer in offers if seen.viewer in (offer.maker, *offer.to)]
    told = {preview.offer: preview.answer for preview in mirror.previews}
    return [
        ("gifts", mirror.gifts, gift_ways(seen)),
        ("discards", mirror.discards, discards(seen, legal)),
        ("answers", told, {offer.id: answer(seen, offer) for offer in mine}),
    ]


class Folded:
    """A table folded from its log, with everything decided anew on the way; ``faults`` says what differs."""

    def __init__(self, rows: tuple[LogRow, ...], deal: SecretDeal | None = None) -> None:
        """Fold and check all rows."""
        self.faults: Faults = []
        self.deal = deal
        self.room: Room | None = None
        self.state: State | None = None
        self.rules: Rules | None = None
        self.seq = 0
        doubled = [key for key, n in Counter((row.actor, row.command_id) for row in rows).items() if n > 1]
        self.faults += [f"doubled in the log: {key}" for key in doubled]
        for row in rows:
            self._row(row)

    def _row(self, row: LogRow) -> None:
        if row.seq != self.seq + 1:
            self.faults.append(f"row {row.seq} stands behind {self.seq}")
        self.seq = row.seq
        if row.command is not None and row.digest != sha256(msgspec.json.encode(row.command)).hexdigest():
            self.faults.append(f"row {row.seq}: the digest is of another command")
        of_room: Any = tuple(event for event in row.events if isinstance(event, RoomEvent))
        of_game: Any = tuple(event for event in row.events if isinstance(event, Event))
        if isinstance(row.command, Command):
            self._decided(row, row.command, of_room, of_game)
        self.room = fold_room(of_room, self.room)
        if isinstance(of_room[0] if of_room else None, TableOpened) and self.deal is not None:
            self._committed(self.room)
        if of_game:
            if self.state is None:
                self._opening(of_game)
            self.state = fold(of_game) if self.state is None else fold(of_game, self.state)
        if any(visible(event, None) for event in of_game):  # a silence ends where everybody sees it
            self.room = after_game(self.room, row.at)

    def _decided(
        self, row: LogRow, command: Command, of_room: tuple[RoomEvent, ...], of_game: tuple[Event, ...]
    ) -> None:
        if self.state is None or self.rules is None:
            self.faults.append(f"row {row.seq}: a command before the deal")
            return
        try:
            events = decide(self.rules, self.state, command)
        except IllegalCommand as refusal:
            self.faults.append(f"row {row.seq}: {command} is refused by the rules: {refusal}")
            return
        waits = isinstance(command, EndTrading) and any(isinstance(one, LastCallBegan) for one in of_room)
        if of_game != (() if waits else events):
            self.faults.append(f"row {row.seq}: {command} leads to {events}, not {of_game}")

    def _opening(self, events: tuple[Event, ...]) -> None:
        assert self.room is not None
        options = self.room.options
        self.rules = resolve(options.edition, options.players, *options.house_rules)
        if self.deal is None:
            return
        seed = seed_of(self.deal.secret, [seat.salt for seat in self.room.seats])
        if events != opening(self.rules, seed):
            self.faults.append("the deal is not that of secret and salts")

    def _committed(self, room: Room) -> None:
        assert self.deal is not None
        if room.commitment != commitment(self.deal.secret, self.deal.nonce):
            self.faults.append("the commitment is not that of secret and nonce")

    def shown_otherwise(self, mirror: Mirror) -> Faults:
        """Return in what the merged frames of a client differ from the table; both at the same row."""
        assert self.room is not None
        seat = mirror.seat
        pairs: list[tuple[str, Any, Any]] = [
            ("seq", mirror.seq, self.seq),
            ("room", still(mirror.room), still(self.room)),
        ]
        if self.state is not None and self.rules is not None:
            seen = view(self.rules, self.state, seat)
            pairs += [("game", mirror.game, seen), ("worth", mirror.worth, worth(seen))]
            if seat is not None:
                legal = legal_commands(self.rules, self.state, seat)
                offers = offer_space(self.rules, self.state, seat)
                pairs += [("legal", mirror.legal, legal), ("offers", mirror.offers, offers)]
                pairs += cards_told(mirror, seen, legal)
        return [f"{name} of seat {seat}: {shown} is not {is_}" for name, shown, is_ in pairs if shown != is_]


def still(room: Room | None) -> Room | None:
    """Return a room without what no log tells of a moment: a last call put off ends with its timer."""
    if room is None or room.last_call is None:
        return room
    return replace(room, last_call=replace(room.last_call, until=0))
