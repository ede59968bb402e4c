"""The frames as a contract: everything goes through JSON and back, and old clients keep working."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bohn.bots import PLAYERS
from bohn.play.floor import play_game
from bohn.protocol import api, frames
from bohn.protocol.room_commands import AnyRoomCommand
from bohn.protocol.shown import NEVER_SHOWN, SHOWN, ShownEvent
from bohn.rules.commands import AnyCommand
from bohn.rules.events import AnyEvent, BonusReshuffled, Dealt, Event, Reshuffled, Traded
from bohn.rules.resolve import resolve
from bohn.views import visible
from tests.effort import examples
from tests.protocol import values
from tests.protocol.golden import GOLDEN

CLIENT = get_args(frames.AnyClientFrame)
SERVER = get_args(frames.AnyServerFrame)
TO_SERVER = msgspec.json.Decoder(frames.AnyClientFrame)
TO_CLIENT = msgspec.json.Decoder(frames.AnyServerFrame)
EVENT = msgspec.json.Decoder(ShownEvent)
BODIES = tuple(
    kind for kind in vars(api).values() if values.is_struct(kind) and kind.__module__ == api.__name__
)
GOLDEN_LINES = tuple(GOLDEN.read_bytes().splitlines(keepends=True))

EVENT_OF_ALL: dict[type[Event], Event] = {
    Dealt: Dealt(b"", 0, 2, ((), ()), (), ()),
    Reshuffled: Reshuffled(()),
    Traded: Traded(1, 0, 1),
    BonusReshuffled: BonusReshuffled(()),
}


def tag_of(line: bytes) -> str:
    """Return the type of a frame."""
    return str(msgspec.json.decode(line)["type"])


def decoder_of(line: bytes) -> msgspec.json.Decoder[Any]:
    """Return what reads a golden line: the server's end or the client's."""
    sent = {kind.__struct_config__.tag for kind in CLIENT}
    return TO_SERVER if tag_of(line) in sent else TO_CLIENT


@pytest.mark.parametrize("kind", CLIENT, ids=lambda kind: kind.__name__)
@examples(25)
@given(data=st.data())
def test_client_frames_go_through_json(kind: type[Any], data: st.DataObject) -> None:
    """What a client sends is what the server reads."""
    frame = data.draw(values.strategy(kind))

    assert frame == TO_SERVER.decode(msgspec.json.encode(frame))


@pytest.mark.parametrize("kind", SERVER, ids=lambda kind: kind.__name__)
@examples(15)
@given(data=st.data())
def test_server_frames_go_through_json(kind: type[Any], data: st.DataObject) -> None:
    """What the server sends is what a client reads, event for event."""
    frame = data.draw(values.strategy(kind))
    read = TO_CLIENT.decode(msgspec.json.encode(frame))

    if isinstance(read, frames.Batch):
        events = msgspec.convert(read.events, tuple[ShownEvent, ...])
        read = msgspec.structs.replace(read, events=events)
    assert frame == read


@pytest.mark.parametrize("kind", BODIES, ids=lambda kind: kind.__name__)
@examples(15)
@given(data=st.data())
def test_bodies_go_through_json(kind: type[Any], data: st.DataObject) -> None:
    """What one end of the HTTP API writes the other end reads."""
    body = data.draw(values.strategy(kind))

    assert body == msgspec.json.decode(msgspec.json.encode(body), type=kind)


@pytest.mark.parametrize("kind", SHOWN, ids=lambda kind: kind.__name__)
@examples(5)
@given(data=st.data())
def test_shown_events_go_through_json(kind: type[Any], data: st.DataObject) -> None:
    """Every event a viewer may see is known by its tag among all of them."""
    event = data.draw(values.strategy(kind))

    assert event == EVENT.decode(msgspec.json.encode(event))


@pytest.mark.parametrize("frame_id", ["", "x" * 65, "a b", "a\n", "ä", "a/b"])
def test_client_frames_with_a_strange_id_are_refused(frame_id: str) -> None:
    """An id is up to 64 plain letters, so that it can stand in a log and a key."""
    with pytest.raises(msgspec.ValidationError):
        TO_SERVER.decode(msgspec.json.encode({"type": "ping", "id": frame_id}))


def test_client_frames_with_unknown_fields_are_refused() -> None:
    """A misspelt field is an error, not a default."""
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        TO_SERVER.decode(b'{"type": "draft", "id": "a", "to": [1], "hnad": []}')


def test_a_hidden_batch_is_its_number_only() -> None:
    """Of what a viewer may not see there is nothing on the wire but the seq."""
    assert msgspec.json.encode(frames.Batch(12)) == b'{"type":"batch","seq":12}'


def test_a_patch_tells_an_empty_part_from_one_that_has_not_changed() -> None:
    """``own`` that became nothing is said; what is absent stays."""
    gone = msgspec.json.encode(frames.ViewPatch(own=None))

    assert (gone, msgspec.json.encode(frames.ViewPatch())) == (b'{"own":null}', b"{}")


# -- what viewers are shown ------------------------------------------------------------------------


def test_shown_events_are_those_of_the_game_their_shown_versions_and_those_of_the_room() -> None:
    """No event of the game is missing: it is shown, or its shown version is."""
    assert set(get_args(AnyEvent)) - set(SHOWN) == set(NEVER_SHOWN) == set(EVENT_OF_ALL)


@pytest.mark.parametrize("event", EVENT_OF_ALL.values(), ids=lambda event: type(event).__name__)
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_events_with_the_cards_of_all_are_shown_to_nobody(event: Event, viewer: int | None) -> None:
    """Whoever looks gets a shown version, players and spectators alike."""
    assert type(visible(event, viewer)) not in NEVER_SHOWN


@pytest.mark.parametrize(("edition", "players"), [("full", 3), ("full", 2), ("das-duell", 2)])
def test_everything_shown_of_a_game_is_a_shown_event(edition: str, players: int) -> None:
    """Whatever a random game brings, each viewer gets something a client can decode."""
    rules = resolve(edition, players)
    bots = [PLAYERS["random-trader"](seat) for seat in range(players)]
    game = play_game(rules, 5, bots, with_moves=True)
    events = [*game.opening, *(event for move in game.moves for event in move.events)]
    shown = {type(visible(event, viewer)) for event in events for viewer in (None, *range(players))}

    assert shown - {type(None)} <= set(SHOWN)


# -- clients of an earlier day ---------------------------------------------------------------------


@pytest.mark.parametrize("line", GOLDEN_LINES, ids=tag_of)
def test_golden_frames_still_decode(line: bytes) -> None:
    """What a client of that day sends is understood; what it was sent is still a frame."""
    decoder_of(line).decode(line)


@pytest.mark.parametrize("line", GOLDEN_LINES, ids=tag_of)
def test_golden_frames_still_have_all_their_parts(line: bytes) -> None:
    """Nothing an old client reads has gone or changed its kind; new fields may have come."""
    now = msgspec.json.decode(msgspec.json.encode(decoder_of(line).decode(line)))

    assert values.keys_kept(msgspec.json.decode(line), now) == []


def test_golden_events_still_decode() -> None:
    """Every event of that day is still known."""
    for line in GOLDEN_LINES:
        for event in msgspec.json.decode(line).get("events", ()):
            EVENT.decode(msgspec.json.encode(event))


def test_golden_file_has_every_kind_of_frame() -> None:
    """A new frame or command is added with ``python -m tests.protocol.golden``."""
    tags = {kind.__struct_config__.tag for kind in (*CLIENT, *SERVER)}
    sent = [msgspec.json.decode(line).get("command", {}).get("do") for line in GOLDEN_LINES]
    commands = {kind.__struct_config__.tag for kind in (*get_args(AnyCommand), *get_args(AnyRoomCommand))}

    assert tags - {tag_of(line) for line in GOLDEN_LINES} == set()
    assert commands - set(sent) == set()


def test_golden_file_has_every_event() -> None:
    """A new event is added with ``python -m tests.protocol.golden``."""
    shown = {event["event"] for line in GOLDEN_LINES for event in msgspec.json.decode(line).get("events", ())}

    assert {kind.__struct_config__.tag for kind in SHOWN} - shown == set()


def test_kept_keys_are_told_from_lost_ones() -> None:
    """The comparison itself sees a field that has gone, and a value of another kind."""
    assert values.keys_kept({"a": [{"b": 1}]}, {"a": [{"b": 1, "new": 2}]}) == []
    assert values.keys_kept({"a": [{"b": 1}]}, {"a": [{}]}) == ["$.a[0].b"]
    assert values.keys_kept({"a": 1}, {"a": "1"}) == ["$.a: 1 became '1'"]
