"""The room in any company: properties that hold after any commands of anybody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from bohn.protocol import room_commands as c
from bohn.protocol import room_events as e
from bohn.protocol.refusals import Refusal
from bohn.protocol.room import Options, Room, Seat
from bohn.server.room.decide import decide_room
from bohn.server.room.fold import after_game, fold_room
from tests.server.support.rooms import ANNA, BERT, CHIYO, CONTEXT, DAGUR, OPENED, opening_events

USERS = (ANNA, BERT, CHIYO, DAGUR, "elsa")
SEATS = st.integers(-1, 7)
SALTS = st.sampled_from(("", "ab", "00ff", "xy", "00" * 33))
BOTS = st.sampled_from(("pk", "b3", "hal"))
OPTIONS = st.sampled_from(
    (
        Options(players=3),
        Options(players=4),
        Options(players=7),
        Options("das-duell", 2),
        Options("classic", 3, clock="fast"),
        Options("classic", 9),
        Options("classic", 3, clock="8h"),
    )
)

COMMANDS: dict[type, st.SearchStrategy[c.AnyRoomCommand]] = {
    c.Sit: st.builds(c.Sit, st.none() | SEATS, SALTS),
    c.Stand: st.builds(c.Stand),
    c.GiveSalt: st.builds(c.GiveSalt, SALTS),
    c.ChooseOptions: st.builds(c.ChooseOptions, OPTIONS),
    c.SeatBot: st.builds(c.SeatBot, SEATS, BOTS),
    c.RemoveBot: st.builds(c.RemoveBot, SEATS),
    c.Kick: st.builds(c.Kick, SEATS),
    c.PassHost: st.builds(c.PassHost, SEATS),
    c.Start: st.builds(c.Start, st.none() | BOTS),
    c.Pause: st.builds(c.Pause),
    c.Resume: st.builds(c.Resume),
    c.EndTable: st.builds(c.EndTable),
    c.TakeBack: st.builds(c.TakeBack),
    c.CallForChoice: st.builds(c.CallForChoice),
    c.Rematch: st.builds(c.Rematch),
    c.BeDone: st.builds(c.BeDone, st.booleans()),
}

HOSTS = (c.ChooseOptions, c.SeatBot, c.RemoveBot, c.Kick, c.PassHost, c.Start, c.Pause, c.Resume)
OWNERS = (c.Stand, c.GiveSalt, c.TakeBack, c.CallForChoice, c.BeDone)


def test_every_command_is_drawn() -> None:
    """The properties below leave none out."""
    assert set(COMMANDS) == set(get_args(c.AnyRoomCommand))


def owners(room: Room) -> list[str]:
    """Return who owns a seat, by seat."""
    return [seat.user for seat in room.seats if seat.user is not None]


def own(room: Room, user: str) -> Seat | None:
    """Return a user's seat."""
    place = room.seat_of(user)
    return None if place is None else room.seats[place]


def plays(room: Room, user: str) -> bool:
    """Tell whether a user plays himself."""
    seat = own(room, user)
    return seat is not None and seat.bot is None


DONE: dict[type, Callable[[Room, str, Any], bool]] = {
    c.Sit: lambda room, user, command: (
        room.seat_of(user) is not None and command.seat in (None, room.seat_of(user))
    ),
    c.Stand: lambda room, user, _: not plays(room, user),
    c.GiveSalt: lambda room, user, command: getattr(own(room, user), "salt", None) == command.salt,
    c.ChooseOptions: lambda room, _, command: room.options == command.options,
    c.SeatBot: lambda room, _, command: room.seats[command.seat].bot == command.bot,
    c.RemoveBot: lambda room, _, command: room.seats[command.seat].empty,
    c.Kick: lambda room, _, command: room.seats[command.seat].user is None,
    c.PassHost: lambda room, _, command: room.host == room.seats[command.seat].user,
    c.Start: lambda room, _, __: room.status == "playing",
    c.Pause: lambda room, _, __: room.paused,
    c.Resume: lambda room, _, __: not room.paused,
    c.EndTable: lambda room, _, __: room.status == "abandoned",
    c.TakeBack: lambda room, user, _: plays(room, user),
    c.CallForChoice: lambda room, user, _: user in room.called,
    c.Rematch: lambda room, _, __: room.status in ("finished", "abandoned"),
    c.BeDone: lambda room, user, command: (room.seat_of(user) in room.done) == command.done,
}
"""What is true of the room after a user's command was taken."""


class Company(RuleBasedStateMachine):
    """Any users send any commands; now and then the game moves or ends."""

    def __init__(self) -> None:
        super().__init__()
        self.log: list[e.AnyRoomEvent] = list(opening_events(Options(players=4)))
        self.room = fold_room(self.log, None)
        self.now = OPENED
        self.anna_has_sat = False
        self.played_by: list[str] = []

    def folded(self, events: tuple[e.AnyRoomEvent, ...]) -> None:
        """Append to the log."""
        self.log += events
        self.room = fold_room(events, self.room)

    def send(self, user: str, command: c.AnyRoomCommand) -> bool:
        """Let a user send a command; tell whether it was taken."""
        before = self.room
        try:
            events = decide_room(before, user, command, self.now, CONTEXT)
        except Refusal:
            return False
        self.folded(events)
        assert DONE[type(command)](self.room, user, command)
        self.anna_has_sat |= ANNA in owners(self.room)
        if isinstance(command, c.Start):
            self.played_by = [user for user in USERS if user in owners(before)]
        elif isinstance(command, c.Kick) and before.status == "playing":
            self.played_by.remove(str(before.seats[command.seat].user))
        return True

    @rule(user=st.sampled_from(USERS), command=st.one_of(*COMMANDS.values()))
    def anybody(self, user: str, command: c.AnyRoomCommand) -> None:
        """Send whatever comes; what is over stays as it is."""
        before = self.room
        self.send(user, command)
        if before.status in ("finished", "abandoned"):
            assert self.room == before

    @precondition(lambda self: self.room.host is not None)
    @rule(command=st.one_of(*(COMMANDS[kind] for kind in HOSTS)))
    def host(self, command: c.AnyRoomCommand) -> None:
        """Let the host use his powers."""
        self.send(str(self.room.host), command)

    @precondition(lambda self: bool(owners(self.room)))
    @rule(
        number=st.integers(0, 6), kind=st.sampled_from(OWNERS), draw=st.data(), later=st.integers(0, 200_000)
    )
    def owner(self, number: int, kind: type, draw: st.DataObject, later: int) -> None:
        """Let somebody who sits do what he may."""
        self.now += later
        seated = owners(self.room)
        self.send(seated[number % len(seated)], draw.draw(COMMANDS[kind]))

    @precondition(lambda self: self.room.status == "open")
    @rule(user=st.sampled_from(USERS))
    def sit(self, user: str) -> None:
        """Sit down, so that games begin."""
        self.send(user, c.Sit())

    @precondition(lambda self: self.room.status == "open" and self.room.host is not None)
    @rule()
    def start(self) -> None:
        """Let the host begin, whoever it is."""
        assert self.room.host is not None
        assert self.send(self.room.host, c.Start("pk"))

    @precondition(lambda self: self.room.status == "playing" and not self.room.paused)
    @rule(seat=st.integers(0, 1), ends=st.integers(0, 9))
    def game(self, seat: int, ends: int) -> None:
        """Let the game move, a clock expire, or all end."""
        if self.room.seats[seat].user is not None:
            self.folded((e.ClockMissed(seat),))
        self.room = after_game(self.room, self.now)
        if not ends:
            self.folded((e.Finished(),))

    @invariant()
    def nobody_owns_two_seats(self) -> None:
        """One seat a user."""
        assert len(owners(self.room)) == len(set(owners(self.room)))

    @invariant()
    def seats_are_those_of_the_options(self) -> None:
        """As many as the game needs."""
        assert len(self.room.seats) == self.room.options.players

    @invariant()
    def host_owns_a_seat(self) -> None:
        """Or is the one who opened the table and has not sat yet; nobody, if nobody sits before the start."""
        if self.room.host is None:
            assert self.room.status in ("open", "abandoned")
            assert owners(self.room) == []
        elif self.room.host not in owners(self.room):
            assert self.room.host == ANNA
            assert not self.anna_has_sat

    @invariant()
    def nobody_is_lost_in_the_game(self) -> None:
        """From the start on a seat is lost by being kicked only, and no seat is ever empty."""
        if self.room.status in ("playing", "finished"):
            assert sorted(owners(self.room)) == sorted(self.played_by)
            assert not any(seat.empty for seat in self.room.seats)

    @invariant()
    def salts_stay_as_they_were_at_the_start(self) -> None:
        """They are in the seed."""
        started = next((place for place, event in enumerate(self.log) if isinstance(event, e.Started)), None)
        if started is not None:
            then = fold_room(self.log[: started + 1], None)
            assert [seat.salt for seat in then.seats] == [seat.salt for seat in self.room.seats]

    @invariant()
    def only_owners_have_called(self) -> None:
        """Each once."""
        assert set(self.room.called) <= set(owners(self.room))
        assert len(set(self.room.called)) == len(self.room.called)

    @invariant()
    def pauses_are_of_games(self) -> None:
        """What does not play does not pause."""
        assert not self.room.paused or self.room.status == "playing"


TestCompany = Company.TestCase
TestCompany.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)


@given(st.lists(st.tuples(st.sampled_from(USERS), st.one_of(*COMMANDS.values())), max_size=30))
@settings(max_examples=60, deadline=None)
def test_a_room_is_its_log(sent: list[tuple[str, c.AnyRoomCommand]]) -> None:
    """Folded command by command, event by event or at once, a log gives the same room."""
    log = list(opening_events(Options(players=4)))
    room = fold_room(log, None)
    for number, (user, command) in enumerate(sent):
        try:
            events = decide_room(room, user, command, OPENED + number, CONTEXT)
        except Refusal:
            continue
        log += events
        room = fold_room(events, room)

    one_by_one: Room | None = None
    for event in log:
        one_by_one = fold_room((event,), one_by_one)
    assert fold_room(log, None) == one_by_one == room


@pytest.mark.parametrize("user", USERS)
@given(command=st.one_of(*COMMANDS.values()))
@settings(max_examples=30, deadline=None)
def test_a_decision_is_a_function(user: str, command: c.AnyRoomCommand) -> None:
    """Asked twice, the room answers the same: no clock and no chance is in it."""
    room = fold_room(opening_events(Options(players=4)), None)

    def answer() -> object:
        try:
            return decide_room(room, user, command, OPENED, CONTEXT)
        except Refusal as refusal:
            return refusal.problem, refusal.params

    assert answer() == answer()
