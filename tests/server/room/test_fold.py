"""How each event of the room changes it."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest
from msgspec.structs import replace

from bohn.protocol import room_events as e
from bohn.protocol.room import EndedBy, LastCall, Options, Reveal, Room, Seat
from bohn.server.room import fold
from bohn.server.room.fold import after_game, fold_kicked, fold_room
from tests.server.support.rooms import (
    ANNA,
    BEGAN,
    BERT,
    CHIYO,
    OPENED,
    open_room,
    opening_events,
    paused,
    playing_room,
)

OPEN = open_room(ANNA, BERT)
PLAYING = playing_room(ANNA, BERT, CHIYO)


def after(room: Room, *events: e.AnyRoomEvent) -> Room:
    """Return the room after these events."""
    return fold_room(events, room)


def test_every_event_has_a_fold() -> None:
    """No event of a log is left out."""
    assert {*fold._FOLDS, e.TableOpened} == set(get_args(e.AnyRoomEvent))


def test_a_table_begins_with_its_opening() -> None:
    """It is empty, and who opened it is host."""
    options = Options("classic", 3)

    assert fold_room(opening_events(options), None) == Room(
        "t1", options, ANNA, (Seat(), Seat(), Seat()), "c0" * 32, OPENED
    )


@pytest.mark.parametrize("events", [(), (e.Started(),)])
def test_a_log_without_opening_is_no_table(events: tuple[e.AnyRoomEvent, ...]) -> None:
    """A caller who has lost the first row is told."""
    with pytest.raises(ValueError, match="table-opened"):
        fold_room(events, None)


def test_sat_seats_an_owner() -> None:
    """With his time and his salt."""
    seats = after(OPEN, e.Sat(3, CHIYO, "ab", 7)).seats

    assert seats[3] == Seat(CHIYO, None, 7, 0, "ab")
    assert seats[:3] == OPEN.seats[:3]


@pytest.mark.parametrize("event", [e.Stood(1), e.Kicked(1, None), e.BotRemoved(1)])
def test_a_seat_is_freed_with_its_salt(event: e.AnyRoomEvent) -> None:
    """Before the start nothing of an owner or a bot stays."""
    room = after(OPEN, e.SaltGiven(1, "ab"))

    assert after(room, event).seats == (OPEN.seats[0], Seat(), Seat(), Seat())


def test_salt_given_changes_the_salt_alone() -> None:
    """The owner sits as before."""
    assert after(OPEN, e.SaltGiven(1, "ab")).seats[1] == replace(OPEN.seats[1], salt="ab")


def test_bot_seated_takes_the_seat() -> None:
    """A bot owns nothing: it has no user and no time."""
    assert after(OPEN, e.BotSeated(2, "b3", "ab")).seats[2] == Seat(bot="b3", salt="ab")


@pytest.mark.parametrize("players", [3, 4, 6])
def test_options_chosen_keeps_the_first_seats(players: int) -> None:
    """Seats are added and taken away at the end."""
    room = after(OPEN, e.OptionsChosen(Options(players=players)))

    assert room.seats == (*OPEN.seats, Seat(), Seat())[:players]
    assert room.options.players == players


def test_started_table_plays() -> None:
    """The seats stay as they are."""
    assert after(OPEN, e.Started()) == replace(OPEN, status="playing")


def test_host_passed_changes_the_host() -> None:
    """To somebody, or to nobody."""
    assert after(OPEN, e.HostPassed(BERT)).host == BERT
    assert after(OPEN, e.HostPassed(None)).host is None


def test_kicked_in_the_game_leaves_the_salt() -> None:
    """The salt is in the seed: without it nobody could check the deal."""
    room = after(PLAYING, e.ClockMissed(1))
    room = replace(room, seats=(room.seats[0], replace(room.seats[1], salt="ab"), *room.seats[2:]))

    assert after(room, e.Kicked(1, "pk")).seats[1] == Seat(bot="pk", salt="ab")


def test_kicked_users_call_counts_no_more() -> None:
    """The others' calls do."""
    room = after(PLAYING, e.ChoiceCalled(BERT), e.ChoiceCalled(CHIYO))

    assert after(room, e.Kicked(1, "pk")).called == (CHIYO,)


def test_handed_over_and_taken_back() -> None:
    """The owner stays owner, and his expired clocks are forgotten."""
    missed = after(PLAYING, e.ClockMissed(1), e.ClockMissed(1))
    handed = after(missed, e.HandedOver(1, "b3"))

    assert missed.seats[1].misses == 2
    assert handed.seats[1] == replace(PLAYING.seats[1], bot="b3")
    assert after(handed, e.TakenBack(1)) == PLAYING


def test_clocks_kept_forgets_the_missed_ones() -> None:
    """Only those in a row count."""
    assert after(PLAYING, e.ClockMissed(1), e.ClocksKept(1), e.ClockMissed(1)).seats[1].misses == 1


def test_a_pause_puts_off_silence_and_last_call() -> None:
    """The time of a pause is nobody's time."""
    room = after(PLAYING, e.LastCallBegan(3, BEGAN + 3_000))
    resumed = after(room, e.Paused(BEGAN + 1_000), e.Resumed(BEGAN + 61_000))

    assert (resumed.paused, resumed.paused_at) == (False, 0)
    assert resumed.quiet_since == BEGAN + 60_000
    assert resumed.last_call == LastCall(3, BEGAN + 63_000, announced=BEGAN + 63_000)


def test_paused_table_says_since_when() -> None:
    """So that its end can put off what it has to."""
    assert paused(PLAYING, 5) == replace(PLAYING, paused=True, paused_at=5)


def test_a_clock_that_steps_back_shortens_no_time() -> None:
    """A pause that ends before it began was none."""
    assert after(PLAYING, e.Paused(BEGAN + 9), e.Resumed(BEGAN + 1)) == PLAYING


def test_last_call_is_prolonged_once() -> None:
    """The room remembers that it was, and when it was to end at first."""
    room = after(PLAYING, e.LastCallBegan(3, 10), e.LastCallProlonged(20))

    assert room.last_call == LastCall(3, 20, prolonged=True, announced=10)


def test_prolonging_no_last_call_changes_nothing() -> None:
    """Folding is total."""
    assert after(PLAYING, e.LastCallProlonged(20)) == PLAYING


def test_the_game_ends_silence_and_calls() -> None:
    """Whoever wants a choice made must call again."""
    room = after(PLAYING, e.ChoiceCalled(BERT), e.ChoiceCalled(CHIYO))

    assert room.called == (BERT, CHIYO)
    assert after_game(room, 77) == replace(PLAYING, quiet_since=77)


@pytest.mark.parametrize(("event", "status"), [(e.Finished(), "finished"), (e.Abandoned(), "abandoned")])
def test_the_end_leaves_nothing_running(event: e.AnyRoomEvent, status: str) -> None:
    """No pause, no last call, no calls; who sat where stays."""
    room = after(PLAYING, e.LastCallBegan(3, 10), e.ChoiceCalled(BERT), e.Paused(5))

    assert after(room, event) == replace(PLAYING, status=status)


@pytest.mark.parametrize("by", ["host", "operator", "left", "server"])
def test_room_of_an_abandoned_table_tells_who_ended_it(by: EndedBy) -> None:
    """As the event says it, so that whoever comes later reads it too."""
    assert after(PLAYING, e.Abandoned(ended_by=by)).ended_by == by


@pytest.mark.parametrize(("word", "by"), [("", ""), ("Good night", "operator")])
def test_older_log_tells_of_an_operator_by_his_word(word: str, by: str) -> None:
    """It does not say who ended a table, and only operators have words."""
    stored = msgspec.json.encode({"event": "abandoned", "word": word} if word else {"event": "abandoned"})
    event = msgspec.json.decode(stored, type=e.Abandoned)

    assert after(PLAYING, event).ended_by == by


def test_reveal_and_rematch_are_kept() -> None:
    """After the end these are still to come."""
    reveal = Reveal("aa", "bb", ("", "", "", ""))
    room = after(PLAYING, e.Finished(), e.DealRevealed(reveal), e.RematchMade("t2"))

    assert (room.reveal, room.rematch) == (reveal, "t2")


@pytest.mark.parametrize("bot", [None, "pk"])
def test_kicked_user_is_remembered_until_he_sits_again(bot: str | None) -> None:
    """Before the start and during the game; somebody who stands up by himself is not."""
    room = open_room(ANNA, BERT)
    kicked = fold_kicked((e.Kicked(1, bot), e.Stood(0)), room, frozenset())

    assert kicked == {BERT}
    assert fold_kicked((e.Sat(1, BERT, "", OPENED),), room, kicked) == frozenset()


def test_kicked_users_are_not_in_the_room() -> None:
    """The room is sent to everybody, and does not list them."""
    room = open_room(ANNA, BERT)

    assert BERT.encode() not in msgspec.json.encode(after(room, e.Kicked(1, None)))


STARTS = Options(players=4, house_rules=("fields=3", "head_start=0:1:0", "head_start=1:3:1"))
"""Anna and Bert have a head start each."""


@pytest.mark.parametrize(
    "left", [e.Stood(1), e.Kicked(1, None), e.BotRemoved(1)], ids=["stood", "kicked", "removed"]
)
def test_head_start_goes_with_who_leaves(left: e.AnyRoomEvent) -> None:
    """Before the game it is lost with the seat; that of the others and the other house rules stay."""
    room = after(OPEN, e.OptionsChosen(STARTS), left)

    assert room.options.house_rules == ("fields=3", "head_start=0:1:0")


def test_head_start_stays_when_a_bot_plays_on() -> None:
    """During the game the deal was made by it: rules do not change when an owner is kicked."""
    assert after(replace(PLAYING, options=STARTS), e.Kicked(1, "pk")).options == STARTS
