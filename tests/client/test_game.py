"""What a client knows of a table: as much as the server would tell it at any moment."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from bohn.bots import PLAYERS
from bohn.client import Game, merge
from bohn.client.stream import decoded
from bohn.play.seat import Choices
from bohn.protocol import frames
from bohn.protocol.room import LastCall
from bohn.rules.commands import EndTrading, Pass
from bohn.rules.legal import NO_OFFERS
from bohn.rules.state import EndPhase
from bohn.views import know, learn, view
from bohn.views.view import TradeView
from bohn.views.worth import worth
from tests.client.local import Local


def moves(table: Local, count: int = 100_000) -> Iterator[int]:
    """Let random traders play at a table, and yield after each command."""
    rand = Random(7)
    bots = [PLAYERS["random-trader"](seat) for seat in range(table.rules.players)]
    for _ in range(count):
        if table.over:
            return
        seat = rand.randrange(len(bots))
        choices = table.choices(seat)
        seen = view(table.rules, table.state, seat)
        command = None
        if choices.legal and (seen.viewer in seen.waiting or isinstance(seen.phase, TradeView)):
            command = bots[seat].decide(seen, Choices(choices.legal, choices.offers, 1), know(seen))
        if command is None and rand.random() < 0.3:
            command = next((one for one in choices.legal if isinstance(one, EndTrading | Pass)), None)
        if command is not None:
            table.do("t1", command)
            yield seat


def over_the_wire(frame: frames.AnyServerFrame) -> frames.AnyServerFrame:
    """Return a frame as a client reads it."""
    read = decoded(msgspec.json.encode(frame))
    assert read is not None
    return read


@pytest.mark.parametrize(
    ("edition", "players"), [("full", 3), ("full", 2), ("das-duell", 2), ("classic-sv", 4)]
)
def test_merged_view_is_the_view_of_the_server(edition: str, players: int) -> None:
    """After every batch each seat has what a new stream would show it, knowledge apart."""
    table = Local(edition, players, seed=3)
    games = [Game("t1") for _ in range(players)]
    for _ in moves(table, 300):
        for seat, game in enumerate(games):
            while table.frames[seat]:
                game.take(over_the_wire(table.frames[seat].popleft()))
            assert game.view == view(table.rules, table.state, seat)
            assert game.worth == worth(game.view)
            assert frames.Choices(game.legal, game.offers, ()) == table.choices(seat)


def test_knowledge_is_that_of_a_seat_on_the_floor() -> None:
    """What was shown is remembered as where no server is between."""
    table = Local("full", 3, seed=4)
    known = [know(view(table.rules, table.state, seat)) for seat in range(3)]
    games = [Game("t1") for _ in range(3)]
    for _ in moves(table, 200):
        pass
    for seat, game in enumerate(games):
        for frame in table.frames[seat]:
            game.take(over_the_wire(frame))
            if isinstance(frame, frames.Batch):
                for event in frame.events:
                    known[seat] = learn(known[seat], event)
        assert game.knowledge == known[seat]


def test_history_is_learnt_and_nothing_else() -> None:
    """The batches of a gap bring events that were missed; the view has come with the welcome."""
    table = Local("full", 3, seed=5)
    whole, broken = Game("t1"), Game("t1")
    for _ in moves(table, 200):
        pass
    sent = list(table.frames[0])
    for frame in sent:
        whole.take(frame)
    for frame in sent[:100]:
        broken.take(frame)
    broken.take(table.welcome(0, fresh=False))
    for frame in sent[50:]:  # half of it is known already, and all of it older than the welcome
        broken.take(frame)
        assert (broken.view, broken.seq) == (whole.view, whole.seq)

    assert (broken.view, broken.legal, broken.seq) == (whole.view, whole.legal, whole.seq)
    assert broken.knowledge == whole.knowledge


def test_fresh_welcome_begins_knowledge_anew() -> None:
    """Where the gap is lost, one knows what somebody knows who has just sat down."""
    table = Local("full", 3, seed=5)
    game = Game("t1")
    for _ in moves(table, 200):
        pass
    for frame in table.frames[0]:
        game.take(frame)
    known = know(view(table.rules, table.state, 0))
    assert game.knowledge != known

    game.take(table.welcome(0))

    assert game.knowledge == known


def test_game_takes_clocks_that_were_put_off() -> None:
    """They replace those that were known, and so does the last call; nothing to do follows from that."""
    table = Local("full", 3, seed=5)
    game = Game("t1")
    game.take(table.welcome(0))
    called = LastCall(1, 80_000)

    moved = game.take(frames.Clocks(70_000, (frames.Clock(None, 90_000),), called))

    assert not moved
    assert game.room is not None
    assert (game.clocks, game.room.last_call) == ((frames.Clock(None, 90_000),), called)


def test_game_of_a_batch_begins_the_view() -> None:
    """Who was there before the deal gets the whole view with it."""
    table = Local("full", 3, seed=5)
    game = Game("t1")
    before = replace(table.welcome(0), game=None, choices=None, worth=(), seq=1)
    seen = view(table.rules, table.state, 0)

    game.take(before)
    assert (game.view, game.knowledge, game.legal, game.offers) == (None, None, (), NO_OFFERS)
    game.take(frames.Batch(2, game=seen, worth=dict(enumerate(worth(seen)))))

    assert (game.view, game.knowledge, game.worth) == (seen, know(seen), worth(seen))


def test_hidden_batch_moves_nothing() -> None:
    """Of what cannot be seen only the number counts, and nobody need look again."""
    table = Local("full", 3, seed=5)
    game = Game("t1")
    game.take(table.welcome(0))
    seen = game.view

    assert game.take(frames.Batch(2)) is False
    assert (game.seq, game.view) == (2, seen)


def test_silence_of_the_room_begins_anew_where_a_batch_says_so() -> None:
    """Nothing else in the room has changed then."""
    game = Game("t1")
    game.take(Local("full", 3, seed=5).welcome(0))
    assert game.room is not None
    moved = replace(game.room, quiet_since=77)

    game.take(frames.Batch(2, quiet_since=77))

    assert game.room == moved


def test_presence_names_and_talk_move_nothing() -> None:
    """Who is here and what is said concerns no decision."""
    game = Game("t1")
    game.take(Local("full", 3, seed=5).welcome(0))

    assert not game.take(frames.Presence((0, 2), 5))
    assert not game.take(frames.People({"u9": frames.Person("Eve")}))
    assert not game.take(frames.Line(1, "u9", 0, text="hello"))
    assert (game.present, game.watching, game.people) == ((0, 2), 5, {"u9": frames.Person("Eve")})


def test_result_is_there_at_the_end_only() -> None:
    """Before the end there is no result."""
    table = Local("full", 3, seed=6)
    game = Game("t1")
    results = []
    for _ in moves(table):
        while table.frames[0]:
            game.take(table.frames[0].popleft())
        results.append(game.result)

    assert isinstance(table.state.phase, EndPhase)
    assert set(results[:-1]) == {None}
    assert results[-1] == table.state.phase.result


def test_merge_keeps_what_a_patch_does_not_name() -> None:
    """An empty patch changes nothing, and a part only itself."""
    table = Local("full", 3, seed=6)
    seen = view(table.rules, table.state, 1)
    richer = replace(seen.players[2], coins=9)

    assert merge(seen, frames.ViewPatch()) == seen
    assert merge(seen, frames.ViewPatch(players={2: richer})) == replace(
        seen, players=(*seen.players[:2], richer)
    )
    assert merge(seen, frames.ViewPatch(own=None)) == replace(seen, own=None)
