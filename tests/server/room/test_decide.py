"""Who may do what in a room, and why else it is refused."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from msgspec.structs import replace

from bohn.protocol import room_commands as c
from bohn.protocol import room_events as e
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Options, Room
from bohn.server.room.decide import Context, calls_needed, decide_room, host_after
from bohn.server.room.fold import fold_room
from tests.server.support.rooms import (
    ANNA,
    BEGAN,
    BERT,
    CHIYO,
    CONTEXT,
    DAGUR,
    OPENED,
    SILENCE,
    abandoned,
    finished,
    handed_over,
    open_room,
    paused,
    playing_room,
    with_host,
)

LATER = BEGAN + SILENCE
SALT = "00ff"

OPEN = open_room(ANNA, BERT)
FULL = open_room(ANNA, BERT, CHIYO, DAGUR)
PLAYING = playing_room(ANNA, BERT, CHIYO)
CLOCKED = playing_room(ANNA, BERT, CHIYO, options=Options(players=4, clock="slow"))
WITH_BOT = fold_room((e.BotSeated(2, "b3", ""),), OPEN)


def decided(room: Room, user: str, command: c.AnyRoomCommand, **context: Any) -> tuple[e.AnyRoomEvent, ...]:
    """Return what a command brings about, two minutes after the game has moved."""
    return decide_room(room, user, command, LATER, replace(CONTEXT, **context))


# -- what is refused -------------------------------------------------------------------------------------

HOST_ONLY: dict[str, tuple[c.AnyRoomCommand, bool, bool]] = {
    "choose-options": (c.ChooseOptions(Options()), True, False),
    "seat-bot": (c.SeatBot(3, "pk"), True, True),
    "remove-bot": (c.RemoveBot(2), True, False),
    "kick": (c.Kick(1), True, True),
    "pass-host": (c.PassHost(1), True, True),
    "start": (c.Start("pk"), True, False),
    "pause": (c.Pause(), False, True),
    "resume": (c.Resume(), False, True),
    "end-table": (c.EndTable(), True, True),
}
"""Commands of the host, and whether they are for open tables and for playing ones."""

EVERYBODYS: dict[str, tuple[c.AnyRoomCommand, bool, bool]] = {
    "sit": (c.Sit(), True, False),
    "stand": (c.Stand(), True, True),
    "give-salt": (c.GiveSalt(SALT), True, False),
    "take-back": (c.TakeBack(), False, True),
    "call-for-choice": (c.CallForChoice(), False, True),
    "be-done": (c.BeDone(), False, True),
}

ALL = {**HOST_ONLY, **EVERYBODYS}


def test_every_command_is_in_a_table() -> None:
    """The tests of statuses leave no command out; the rematch alone is for tables that are over."""
    assert {*map(type, (command for command, _, _ in ALL.values())), c.Rematch} == set(
        get_args(c.AnyRoomCommand)
    )


@pytest.mark.parametrize("name", sorted(ALL))
@pytest.mark.parametrize("over", [finished(PLAYING), abandoned(PLAYING), abandoned(OPEN)])
def test_every_command_is_refused_when_the_table_is_over(name: str, over: Room) -> None:
    """After the end nobody, not even the host, changes the table."""
    with pytest.raises(Refusal) as refusal:
        decided(over, ANNA, ALL[name][0])

    assert refusal.value.problem is Problem.TABLE_OVER


@pytest.mark.parametrize("name", sorted(HOST_ONLY))
@pytest.mark.parametrize("room", [OPEN, PLAYING, paused(PLAYING)])
@pytest.mark.parametrize("user", [BERT, DAGUR])
def test_what_is_the_hosts_is_refused_to_all_others(name: str, room: Room, user: str) -> None:
    """Seated or not, at any time: only the host has the powers of the host."""
    with pytest.raises(Refusal) as refusal:
        decided(room, user, HOST_ONLY[name][0])

    assert refusal.value.problem is Problem.NOT_HOST


@pytest.mark.parametrize("name", sorted(name for name, (_, _, playing) in ALL.items() if not playing))
def test_what_is_for_open_tables_is_refused_after_the_start(name: str) -> None:
    """Seats and options are closed once the game has begun."""
    with pytest.raises(Refusal) as refusal:
        decided(PLAYING, ANNA, ALL[name][0])

    assert refusal.value.problem is Problem.ALREADY_STARTED


@pytest.mark.parametrize("name", sorted(name for name, (_, is_open, _) in ALL.items() if not is_open))
def test_what_is_for_games_is_refused_before_the_start(name: str) -> None:
    """There is nothing to pause, to take back or to call for yet."""
    with pytest.raises(Refusal) as refusal:
        decided(OPEN, ANNA, ALL[name][0])

    assert refusal.value.problem is Problem.NOT_STARTED


REFUSED: dict[str, tuple[Room, str, c.AnyRoomCommand, Problem]] = {
    "a second seat": (OPEN, BERT, c.Sit(3), Problem.SEATED_ALREADY),
    "a person's seat": (OPEN, CHIYO, c.Sit(0), Problem.SEAT_TAKEN),
    "a bot's seat": (WITH_BOT, CHIYO, c.Sit(2), Problem.SEAT_TAKEN),
    "no free seat": (FULL, "elsa", c.Sit(), Problem.SEAT_TAKEN),
    "a seat too high": (OPEN, CHIYO, c.Sit(4), Problem.NO_SUCH_SEAT),
    "a negative seat": (OPEN, CHIYO, c.Sit(-1), Problem.NO_SUCH_SEAT),
    "a salt that is no hex": (OPEN, CHIYO, c.Sit(3, "xy"), Problem.SALT_NOT_VALID),
    "a salt of half a byte": (OPEN, CHIYO, c.Sit(3, "abc"), Problem.SALT_NOT_VALID),
    "a salt of 33 bytes": (OPEN, CHIYO, c.Sit(3, "00" * 33), Problem.SALT_NOT_VALID),
    "a salt with a space": (OPEN, BERT, c.GiveSalt("00 ff"), Problem.SALT_NOT_VALID),
    "a salt in other digits": (OPEN, BERT, c.GiveSalt("٠٠"), Problem.SALT_NOT_VALID),
    "a stranger's salt": (OPEN, CHIYO, c.GiveSalt(SALT), Problem.NOT_SEATED),
    "a stranger stands": (OPEN, CHIYO, c.Stand(), Problem.NOT_SEATED),
    "a stranger leaves the game": (PLAYING, DAGUR, c.Stand(), Problem.NOT_SEATED),
    "standing twice": (handed_over(PLAYING, 1), BERT, c.Stand(), Problem.SEAT_TAKEN),
    "a bot nobody knows": (OPEN, ANNA, c.SeatBot(2, "hal"), Problem.UNKNOWN_BOT),
    "a bot in a person's seat": (OPEN, ANNA, c.SeatBot(1, "pk"), Problem.SEAT_TAKEN),
    "a bot in no seat": (OPEN, ANNA, c.SeatBot(4, "pk"), Problem.NO_SUCH_SEAT),
    "a bot for a bot": (PLAYING, ANNA, c.SeatBot(3, "b3"), Problem.SEAT_TAKEN),
    "a second bot for an owner": (handed_over(PLAYING, 1), ANNA, c.SeatBot(1, "b3"), Problem.SEAT_TAKEN),
    "removing nobody": (OPEN, ANNA, c.RemoveBot(2), Problem.SEAT_EMPTY),
    "removing a person": (OPEN, ANNA, c.RemoveBot(1), Problem.SEAT_TAKEN),
    "removing from no seat": (OPEN, ANNA, c.RemoveBot(-1), Problem.NO_SUCH_SEAT),
    "kicking nobody": (OPEN, ANNA, c.Kick(3), Problem.SEAT_EMPTY),
    "kicking a bot": (PLAYING, ANNA, c.Kick(3), Problem.SEAT_EMPTY),
    "kicking oneself": (OPEN, ANNA, c.Kick(0), Problem.NOT_YOUR_SEAT),
    "kicking oneself in the game": (PLAYING, ANNA, c.Kick(0), Problem.NOT_YOUR_SEAT),
    "kicking from no seat": (OPEN, ANNA, c.Kick(9), Problem.NO_SUCH_SEAT),
    "a bot as host": (PLAYING, ANNA, c.PassHost(3), Problem.SEAT_EMPTY),
    "nobody as host": (OPEN, ANNA, c.PassHost(3), Problem.SEAT_EMPTY),
    "a host in no seat": (OPEN, ANNA, c.PassHost(4), Problem.NO_SUCH_SEAT),
    "a start with free seats": (OPEN, ANNA, c.Start(), Problem.SEATS_EMPTY),
    "a start with strange bots": (OPEN, ANNA, c.Start("hal"), Problem.UNKNOWN_BOT),
    "a second pause": (paused(PLAYING), ANNA, c.Pause(), Problem.TABLE_PAUSED),
    "going on without a pause": (PLAYING, ANNA, c.Resume(), Problem.NOT_PAUSED),
    "taking back one's own": (PLAYING, BERT, c.TakeBack(), Problem.NOT_HANDED_OVER),
    "a stranger takes back": (PLAYING, DAGUR, c.TakeBack(), Problem.NOT_SEATED),
    "a stranger's call": (PLAYING, DAGUR, c.CallForChoice(), Problem.NOT_SEATED),
    "a call beside clocks": (CLOCKED, BERT, c.CallForChoice(), Problem.HAS_CLOCK),
    "a call in a pause": (paused(PLAYING), BERT, c.CallForChoice(), Problem.TABLE_PAUSED),
    "a call for oneself": (PLAYING, ANNA, c.CallForChoice(), Problem.NOT_WAITED_FOR),
    "a second call": (replace(PLAYING, called=(BERT,)), BERT, c.CallForChoice(), Problem.CALLED_ALREADY),
    "a rematch before the start": (OPEN, ANNA, c.Rematch(), Problem.NOT_FINISHED),
    "a rematch in the game": (PLAYING, ANNA, c.Rematch(), Problem.NOT_FINISHED),
    "a stranger's rematch": (finished(PLAYING), DAGUR, c.Rematch(), Problem.NOT_SEATED),
    "a second rematch": (
        replace(finished(PLAYING), rematch="t2"),
        BERT,
        c.Rematch(),
        Problem.REMATCH_MADE,
    ),
    "an unknown edition": (OPEN, ANNA, c.ChooseOptions(Options("poker")), Problem.OPTIONS_NOT_VALID),
}


@pytest.mark.parametrize("name", REFUSED)
def test_command_is_refused(name: str) -> None:
    """Each of these is refused, and for this reason."""
    room, user, command, problem = REFUSED[name]

    with pytest.raises(Refusal) as refusal:
        decided(room, user, command)

    assert refusal.value.problem is problem


@pytest.mark.parametrize(("early", "seconds"), [(SILENCE, 120), (1_001, 2), (1_000, 1), (1, 1)])
def test_call_is_refused_while_the_game_moves(early: int, seconds: int) -> None:
    """Before two minutes of silence a call is refused, with the whole seconds that are left."""
    with pytest.raises(Refusal) as refusal:
        decide_room(PLAYING, BERT, c.CallForChoice(), LATER - early, CONTEXT)

    assert (refusal.value.problem, refusal.value.params) == (Problem.NOT_QUIET, {"seconds": seconds})


def test_start_tells_how_many_seats_are_empty() -> None:
    """Two of four seats are free."""
    with pytest.raises(Refusal) as refusal:
        decided(OPEN, ANNA, c.Start())

    assert refusal.value.params == {"count": 2}


def test_a_second_rematch_names_the_first() -> None:
    """Whoever asks too late learns where the others are."""
    with pytest.raises(Refusal) as refusal:
        decided(replace(finished(PLAYING), rematch="t2"), BERT, c.Rematch())

    assert refusal.value.params == {"table": "t2"}


def test_a_call_for_nobody_is_refused() -> None:
    """Where the game waits for nobody there is no choice to be made."""
    with pytest.raises(Refusal) as refusal:
        decided(PLAYING, BERT, c.CallForChoice(), waited_for=())

    assert refusal.value.problem is Problem.NOT_WAITED_FOR


# -- before the start ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("command", "seat"), [(c.Sit(), 2), (c.Sit(3), 3)])
def test_sit_takes_the_seat_named_or_the_first_free_one(command: c.Sit, seat: int) -> None:
    """The time and the salt go with it."""
    assert decided(OPEN, CHIYO, command) == (e.Sat(seat, CHIYO, "", LATER),)


def test_sit_keeps_the_salt_in_small_digits() -> None:
    """Large and small digits are the same salt."""
    assert decided(OPEN, CHIYO, c.Sit(3, "00FF")) == (e.Sat(3, CHIYO, "00ff", LATER),)


def test_sit_makes_host_where_there_is_none() -> None:
    """Whoever first comes to a table that everybody has left is its host."""
    room = with_host(open_room(), None)

    assert decided(room, BERT, c.Sit()) == (e.Sat(0, BERT, "", LATER), e.HostPassed(BERT))


def test_stand_frees_the_seat() -> None:
    """Before the start nothing stays behind."""
    assert decided(OPEN, BERT, c.Stand()) == (e.Stood(1),)


def test_stand_of_the_host_passes_the_role_to_the_longest_seated() -> None:
    """It goes to who has sat longest, not to the next seat."""
    room = fold_room((e.Sat(0, CHIYO, "", 9), e.Sat(1, BERT, "", 5), e.Sat(2, ANNA, "", 1)), open_room())

    assert decided(room, ANNA, c.Stand()) == (e.Stood(2), e.HostPassed(BERT))


def test_stand_of_the_last_person_leaves_no_host() -> None:
    """Bots are no hosts; the next to sit will be."""
    room = fold_room((e.BotSeated(1, "pk", ""),), open_room(ANNA))

    assert decided(room, ANNA, c.Stand()) == (e.Stood(0), e.HostPassed(None))


def test_give_salt_replaces_the_salt() -> None:
    """As often as one likes before the start."""
    assert decided(OPEN, BERT, c.GiveSalt("AB")) == (e.SaltGiven(1, "ab"),)


def test_choose_options_changes_the_table() -> None:
    """Nobody loses a seat that is still there."""
    options = Options("classic", 3)

    assert decided(OPEN, ANNA, c.ChooseOptions(options)) == (e.OptionsChosen(options),)


def test_choose_options_passes_the_role_of_a_host_without_seat() -> None:
    """A host whose seat is gone stands up like everybody else."""
    room = with_host(FULL, DAGUR)
    options = Options("classic", 3)

    assert decided(room, DAGUR, c.ChooseOptions(options)) == (e.OptionsChosen(options), e.HostPassed(ANNA))


def test_choose_options_leaves_a_host_who_never_sat() -> None:
    """Whoever opened the table without sitting down is host still."""
    room = open_room(None, BERT)

    assert decided(room, ANNA, c.ChooseOptions(Options())) == (e.OptionsChosen(Options()),)


def test_seat_bot_fills_a_free_seat() -> None:
    """A bot's salt is empty, so that the server has nothing to choose after the commitment."""
    assert decided(OPEN, ANNA, c.SeatBot(3, "b3")) == (e.BotSeated(3, "b3", ""),)


def test_seat_bot_takes_the_place_of_another() -> None:
    """The host changes the level of a seated computer player in one step, without a free seat between."""
    assert decided(WITH_BOT, ANNA, c.SeatBot(2, "pk")) == (e.BotRemoved(2), e.BotSeated(2, "pk", ""))


def test_bot_of_another_level_keeps_the_head_start() -> None:
    """The host changes how it plays, and not what it begins with."""
    options = Options(players=4, house_rules=("head_start=2:3:1",))
    room = fold_room((e.OptionsChosen(options),), WITH_BOT)

    after = fold_room(decided(room, ANNA, c.SeatBot(2, "pk")), room)

    assert (after.options, after.seats[2].bot) == (options, "pk")


def test_remove_bot_frees_its_seat() -> None:
    """Somebody else may sit there."""
    assert decided(WITH_BOT, ANNA, c.RemoveBot(2)) == (e.BotRemoved(2),)


def test_sitting_is_refused_to_who_was_sent_away() -> None:
    """Whom the host has kicked takes no other seat either."""
    with pytest.raises(Refusal) as refusal:
        decided(OPEN, DAGUR, c.Sit(), sent_away=True)

    assert refusal.value.problem is Problem.SENT_AWAY


def test_kick_frees_the_seat_before_the_start() -> None:
    """No bot takes it by itself."""
    assert decided(OPEN, ANNA, c.Kick(1)) == (e.Kicked(1, None),)


@pytest.mark.parametrize("room", [OPEN, PLAYING])
def test_pass_host_makes_the_owner_of_a_seat_host(room: Room) -> None:
    """The role goes by seat, so that nobody has to know a user's id."""
    assert decided(room, ANNA, c.PassHost(1)) == (e.HostPassed(BERT),)


def test_start_closes_the_seats() -> None:
    """With all seats taken it needs no bots."""
    assert decided(FULL, ANNA, c.Start()) == (e.Started(),)


def test_start_fills_the_free_seats() -> None:
    """Those, and no others, go to the bot that is named."""
    expected = (e.BotSeated(2, "b3", ""), e.BotSeated(3, "b3", ""), e.Started())

    assert decided(OPEN, ANNA, c.Start("b3")) == expected


def test_start_with_a_bot_to_spare_seats_none() -> None:
    """A full table stays as it is."""
    assert decided(FULL, ANNA, c.Start("b3")) == (e.Started(),)


def test_bots_get_the_salts_of_the_context() -> None:
    """Each its own."""
    salts = iter(("aa", "bb"))
    context = Context(bots=frozenset({"pk"}), salts=lambda: next(salts))

    events = decide_room(OPEN, ANNA, c.Start("pk"), LATER, context)

    assert events == (e.BotSeated(2, "pk", "aa"), e.BotSeated(3, "pk", "bb"), e.Started())


# -- during the game -----------------------------------------------------------------------------------


def test_stand_hands_the_seat_over_during_the_game() -> None:
    """The owner stays owner, and the host stays host."""
    assert decided(PLAYING, ANNA, c.Stand()) == (e.HandedOver(0, "pk", LATER),)


def test_seat_bot_lets_it_play_for_an_owner() -> None:
    """With the bot the host has named."""
    assert decided(PLAYING, ANNA, c.SeatBot(1, "b3")) == (e.HandedOver(1, "b3"),)


def test_kick_gives_the_seat_to_a_bot_during_the_game() -> None:
    """The game needs somebody there."""
    assert decided(PLAYING, ANNA, c.Kick(1)) == (e.Kicked(1, "pk"),)


def test_kick_keeps_the_bot_that_plays_already() -> None:
    """The one who was named for the absent owner goes on."""
    room = fold_room((e.HandedOver(1, "b3"),), PLAYING)

    assert decided(room, ANNA, c.Kick(1)) == (e.Kicked(1, "b3"),)


def test_pause_and_resume_bear_their_time() -> None:
    """What is counted in absolute time can be put off by the length of the pause."""
    assert decided(PLAYING, ANNA, c.Pause()) == (e.Paused(LATER),)
    assert decided(paused(PLAYING), ANNA, c.Resume()) == (e.Resumed(LATER),)


@pytest.mark.parametrize("room", [OPEN, PLAYING, paused(PLAYING)])
def test_end_table_abandons_it(room: Room) -> None:
    """At any time before the end."""
    assert decided(room, ANNA, c.EndTable()) == (e.Abandoned(ended_by="host"),)


@pytest.mark.parametrize("room", [PLAYING, paused(PLAYING)])
def test_take_back_ends_the_bots_play(room: Room) -> None:
    """Even in a pause."""
    assert decided(handed_over(room, 1), BERT, c.TakeBack()) == (e.TakenBack(1),)


@pytest.mark.parametrize("waited_for", [(0,), (0, 2), (0, 1), (0, 1, 2, 3)])
def test_call_counts_once_it_has_been_silent(waited_for: tuple[int, ...]) -> None:
    """Whoever is not the only one waited for may call, to the millisecond two minutes after the last move."""
    assert decided(PLAYING, BERT, c.CallForChoice(), waited_for=waited_for) == (e.ChoiceCalled(BERT),)


def test_rematch_is_checked_and_brings_nothing() -> None:
    """The next table is not made here."""
    assert decided(finished(PLAYING), BERT, c.Rematch()) == ()


# -- who is host, how many must call ---------------------------------------------------------------------


def test_host_after_is_the_longest_seated_of_those_present() -> None:
    """Who sat down first, whatever the seat; those who are away do not count."""
    room = fold_room(
        (e.Sat(0, CHIYO, "", 30), e.Sat(1, BERT, "", 20), e.Sat(2, ANNA, "", 10), e.BotSeated(3, "pk", "")),
        open_room(),
    )

    assert host_after(room, frozenset({ANNA, BERT, CHIYO})) == ANNA
    assert host_after(room, frozenset({BERT, CHIYO, DAGUR})) == BERT
    assert host_after(room, frozenset({DAGUR})) is None
    assert host_after(room, frozenset()) is None


def test_host_after_prefers_the_lower_seat_at_the_same_time() -> None:
    """The name of a user decides nothing."""
    room = fold_room((e.Sat(0, CHIYO, "", OPENED), e.Sat(1, ANNA, "", OPENED)), open_room())

    assert host_after(room, frozenset({ANNA, CHIYO})) == CHIYO


DUEL = Options("das-duell", 2)


@pytest.mark.parametrize(
    ("room", "waited_for", "needed"),
    [
        (PLAYING, (0,), 2),
        (playing_room(ANNA, BERT, CHIYO, DAGUR), (0,), 2),
        (playing_room(ANNA, BERT), (0,), 1),
        (playing_room(ANNA, BERT), (3,), 2),
        (playing_room(ANNA, BERT), (0, 1, 2, 3), 1),
        (playing_room(ANNA), (0,), 1),
        (playing_room(ANNA), (3,), 1),
        (playing_room(), (0,), 1),
        (playing_room(ANNA, BERT, options=DUEL), (0,), 1),
        (playing_room(ANNA, options=DUEL), (1,), 1),
    ],
)
def test_calls_needed(room: Room, waited_for: tuple[int, ...], needed: int) -> None:
    """Two, one in a game of two, and where fewer others own seats all of those."""
    assert calls_needed(room, waited_for) == needed
