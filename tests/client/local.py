"""A table without a server: the rules in this process, and for each seat the frames it would be sent."""

from __future__ import annotations

from collections import deque
from typing import Any

from msgspec import UNSET

from bohn.client.errors import RefusedByTable
from bohn.protocol import frames
from bohn.protocol.room import Options, Room, Seat
from bohn.rules.commands import Command
from bohn.rules.deal import opening
from bohn.rules.decide import decide
from bohn.rules.errors import IllegalCommand
from bohn.rules.events import Event
from bohn.rules.evolve import fold
from bohn.rules.legal import legal_commands, offer_space
from bohn.rules.resolve import resolve
from bohn.rules.shuffle import seed_from
from bohn.rules.state import EndPhase
from bohn.views import View, view, visible
from bohn.views.worth import SeatWorth, worth


def difference(old: View, new: View) -> frames.ViewPatch:
    """Return what a client that has one view needs for the other."""
    parts: dict[str, Any] = {}
    for name in frames.ViewPatch.__struct_fields__:
        if name != "players" and getattr(old, name) != getattr(new, name):
            parts[name] = getattr(new, name)
    pairs = enumerate(zip(old.players, new.players, strict=True))
    players = {seat: now for seat, (before, now) in pairs if before != now}
    return frames.ViewPatch(**parts, players=players or UNSET)


def _changed(old: tuple[SeatWorth, ...], new: tuple[SeatWorth, ...]) -> dict[int, SeatWorth]:
    """Return the seats whose fields are worth something else now."""
    pairs = enumerate(zip(old, new, strict=True))
    return {seat: now for seat, (before, now) in pairs if before != now}


class Local:
    """One game; ``frames`` are those still to be read, by seat."""

    def __init__(self, edition: str, players: int, seed: int) -> None:
        """Deal."""
        self.rules = resolve(edition, players)
        self.state = fold(opening(self.rules, seed_from(seed)))
        self.seq = 1
        self.sent: list[Command] = []
        self.frames: list[deque[frames.AnyServerFrame]] = [deque() for _ in range(players)]
        seats = tuple(Seat(f"u{seat}") for seat in range(players))
        self.room = Room("t1", Options(edition, players), "u0", seats, "00", 0, "playing")
        for seat in range(players):
            self.frames[seat].append(self.welcome(seat))

    def choices(self, seat: int) -> frames.Choices:
        """Return what a seat may do."""
        legal: Any = legal_commands(self.rules, self.state, seat)
        return frames.Choices(legal, offer_space(self.rules, self.state, seat), ())

    def welcome(self, seat: int, *, fresh: bool = True) -> frames.Welcome:
        """Return the first frame of a seat."""
        game = view(self.rules, self.state, seat)
        return frames.Welcome(
            1,
            "t1",
            self.seq,
            0,
            f"u{seat}",
            seat,
            self.room,
            {},
            fresh,
            game,
            self.choices(seat),
            worth(game),
        )

    def do(self, table: str, command: Command) -> int:
        """Decide a command, and send every seat what it sees of it."""
        assert table == "t1"
        try:
            events = decide(self.rules, self.state, command)
        except IllegalCommand as refusal:
            raise RefusedByTable(refusal.reason, refusal.clause, refusal.params, 409) from None
        self.sent.append(command)
        before, self.state = self.state, fold(events, self.state)
        self.seq += 1
        for seat, queue in enumerate(self.frames):
            old, new = view(self.rules, before, seat), view(self.rules, self.state, seat)
            choices = self.choices(seat)
            patch = difference(old, new)
            shown = self.seen(events, seat)
            batch = frames.Batch(
                self.seq, events=shown, view=patch, legal=choices.legal, offers=choices.offers,
                worth=_changed(worth(old), worth(new)) or UNSET,
            )  # fmt: skip
            queue.append(batch)
        return self.seq

    def seen(self, events: tuple[Event, ...], seat: int) -> tuple[Any, ...]:
        """Return events as a seat sees them."""
        found = (visible(event, seat) for event in events)
        return tuple(event for event in found if event is not None)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return isinstance(self.state.phase, EndPhase)
