"""The stream of the client: every batch once and in order, over any number of connections."""

from __future__ import annotations

from itertools import islice
from threading import Thread
from typing import Any

import pytest

from bohn.client import Client, NotUnderstood, RefusedByTable, RetryPolicy, Unreachable
from bohn.protocol import frames
from bohn.protocol.room import Options, Room, Seat
from bohn.protocol.room_events import Finished
from bohn.rules.events import Drew
from tests.client.conftest import QUICK
from tests.client.fake import Drop, Fake, Json, Lines, Reply, Text

STREAM = "GET /api/tables/t1/stream"
ROOM = Room("t1", Options(players=3), "u1", (Seat("u1"), Seat(), Seat()), "00", 0)


def welcome(seq: int, *, fresh: bool = True, protocol: int = 1) -> frames.Welcome:
    """Return the first frame of a stream."""
    return frames.Welcome(protocol, "t1", seq, 0, "u1", 0, ROOM, {}, fresh)


def batches(first: int, last: int) -> tuple[frames.Batch, ...]:
    """Return batches of which nothing can be seen."""
    return tuple(frames.Batch(seq) for seq in range(first, last + 1))


def first(client: Client, count: int, since: int | None = None) -> list[frames.AnyServerFrame]:
    """Return so many frames of the stream."""
    with client.stream("t1", since) as stream:
        return list(islice(stream, count))


def seqs(found: list[frames.AnyServerFrame]) -> list[int]:
    """Return the numbers of the batches among frames."""
    return [frame.seq for frame in found if isinstance(frame, frames.Batch)]


def test_stream_yields_what_comes(fake: Fake, client: Client) -> None:
    """Frames come as they are sent; the empty lines between them say nothing."""
    fake.on(STREAM, Lines((welcome(3), b"\n", *batches(4, 5), b"\n", frames.Presence((0,), 1)), held=True))

    assert first(client, 4) == [welcome(3), *batches(4, 5), frames.Presence((0,), 1)]


def test_stream_decodes_events(fake: Fake, client: Client) -> None:
    """Events of game and room are structs, as bots and knowledge need them."""
    batch = frames.Batch(4, events=(Drew(1, ()), Finished()))
    fake.on(STREAM, Lines((welcome(3), batch), held=True))

    assert first(client, 2)[1] == batch


def test_stream_begins_behind_what_is_known(fake: Fake, client: Client) -> None:
    """``since`` asks for the gap only."""
    fake.on(STREAM, Lines((welcome(9, fresh=False), *batches(8, 10)), held=True))

    assert seqs(first(client, 4, since=7)) == [8, 9, 10]
    assert fake.paths() == ["/api/tables/t1/stream?since=7"]


@pytest.mark.parametrize(
    "failure",
    [Drop(), Text(b"<h1>Bad gateway</h1>", 502), Json({"reason": "server-stopping"}, 503), Lines(())],
    ids=["dropped", "proxy", "stopping", "ended"],
)
def test_stream_comes_back_and_goes_on(fake: Fake, client: Client, failure: Reply) -> None:
    """After any failure the stream is opened again behind the last batch; nothing is seen twice or missed."""
    again = Lines((welcome(6, fresh=False), *batches(5, 7)), held=True)
    fake.on(STREAM, Lines((welcome(3), *batches(4, 4))), failure, again)

    assert seqs(first(client, 6)) == [4, 5, 6, 7]
    assert fake.paths()[-1] == "/api/tables/t1/stream?since=4"


def test_stream_comes_back_when_a_batch_is_missing(fake: Fake, client: Client) -> None:
    """A number that is left out is a lost message: it is asked for."""
    again = Lines((welcome(6, fresh=False), *batches(5, 6)), held=True)
    fake.on(STREAM, Lines((welcome(3), *batches(4, 4), *batches(6, 6)), held=True), again)

    assert seqs(first(client, 5)) == [4, 5, 6]
    assert fake.paths()[-1] == "/api/tables/t1/stream?since=4"


def test_stream_throws_a_torn_line_away(fake: Fake, client: Client) -> None:
    """Half a frame is none; the whole one comes with the next connection."""
    torn = Lines((welcome(3), b'{"type":"batch","se'))
    fake.on(STREAM, torn, Lines((welcome(3, fresh=False), *batches(4, 4)), held=True))

    assert seqs(first(client, 3)) == [4]


def test_stream_takes_a_fresh_welcome_as_a_new_beginning(fake: Fake, client: Client) -> None:
    """Where the gap was too long, everything is new and the numbers go on from there."""
    again = Lines((welcome(900), *batches(901, 901)), held=True)
    fake.on(STREAM, Lines((welcome(3),)), again)

    assert seqs(first(client, 3)) == [901]


def test_stream_takes_a_welcome_in_between(fake: Fake, client: Client) -> None:
    """Whoever has sat down is shown everything anew, on the same connection."""
    fake.on(STREAM, Lines((welcome(3), *batches(4, 4), welcome(4), *batches(5, 5)), held=True))

    assert seqs(first(client, 4)) == [4, 5]
    assert len(fake.paths()) == 1


def test_goodbye_is_yielded_and_obeyed(fake: Fake) -> None:
    """Who is asked to come back later does so, and is given up on if that is too late."""
    farewell = frames.Goodbye("server-stopping", 60_000)
    fake.on(STREAM, Lines((welcome(3), farewell)), Json({"reason": "no-such-table"}, 404))
    retries = RetryPolicy(first=0.01, longest=0.02, give_up=1.0)
    found: list[frames.AnyServerFrame] = []

    with Client(fake.url, retries=retries) as client, pytest.raises(Unreachable):
        found.extend(client.stream("t1"))

    assert len(fake.paths()) == 1


def test_refusal_that_does_not_pass_ends_the_stream(fake: Fake, client: Client) -> None:
    """A table that is not there will not be there in a minute."""
    fake.on(STREAM, Json({"reason": "no-such-table"}, 404))

    with pytest.raises(RefusedByTable, match="no-such-table"):
        first(client, 1)


def test_rate_limit_of_a_stream_is_waited_for(fake: Fake, client: Client) -> None:
    """Too many streams at once become fewer."""
    limited = Json({"reason": "rate-limited", "params": {"retry_after": 5}}, 429)
    fake.on(STREAM, limited, Lines((welcome(3),), held=True))

    assert first(client, 1) == [welcome(3)]


def test_other_protocol_is_not_understood(fake: Fake, client: Client) -> None:
    """A server of another version is told from a bad connection."""
    fake.on(STREAM, Lines((welcome(3, protocol=2),), held=True))

    with pytest.raises(NotUnderstood, match="protocol 2"):
        first(client, 1)


@pytest.mark.parametrize("line", [b"<html>\n", b'{"type":"batch"}\n', b"[]\n", b"\xff\n"])
def test_lines_that_are_no_frames_are_not_understood(fake: Fake, client: Client, line: bytes) -> None:
    """What is no frame of this protocol is an error, not silence."""
    fake.on(STREAM, Lines((welcome(3), line), held=True))

    with pytest.raises(NotUnderstood):
        first(client, 2)


def test_frames_of_a_newer_kind_are_passed_over(fake: Fake, client: Client) -> None:
    """A server may send more than a client knows."""
    fake.on(STREAM, Lines((welcome(3), {"type": "applause", "by": 1}, *batches(4, 4)), held=True))

    assert first(client, 2) == [welcome(3), *batches(4, 4)]


def test_events_of_a_newer_kind_stay_as_they_were_sent(fake: Fake, client: Client) -> None:
    """A batch with an unknown event still counts."""
    event: dict[str, Any] = {"event": "sneezed", "player": 1}
    fake.on(STREAM, Lines((welcome(3), {"type": "batch", "seq": 4, "events": [event]}), held=True))

    batch = first(client, 2)[1]

    assert isinstance(batch, frames.Batch)
    assert batch.events == (event,)


def test_nobody_there_is_unreachable(fake: Fake) -> None:
    """A stream that cannot be opened again is given up on."""
    fake.on(STREAM, Lines((welcome(3),)), Drop())
    retries = RetryPolicy(first=0.01, longest=0.02, give_up=0.1)

    with Client(fake.url, retries=retries) as client, pytest.raises(Unreachable):
        first(client, 2)


def test_silence_is_a_lost_connection(fake: Fake) -> None:
    """Where not even the empty lines come any more, the connection is dead."""
    fake.on(
        STREAM, Lines((welcome(3),), held=True), Lines((welcome(3, fresh=False), *batches(4, 4)), held=True)
    )
    retries = RetryPolicy(first=0.01, longest=0.02, give_up=3.0, silence=0.1)

    with Client(fake.url, retries=retries) as client:
        assert seqs(first(client, 3)) == [4]


def test_close_ends_a_stream_that_is_waited_on(fake: Fake) -> None:
    """Another thread can end a stream that says nothing."""
    fake.on(STREAM, Lines((welcome(3),), held=True))
    found: list[frames.AnyServerFrame] = []
    with Client(fake.url, retries=QUICK) as client:
        stream = client.stream("t1")
        iterator = iter(stream)
        found.append(next(iterator))
        reader = Thread(target=lambda: found.extend(iterator))
        reader.start()
        stream.close()
        reader.join(5)

        assert not reader.is_alive()
    assert found == [welcome(3)]


def test_close_ends_a_stream_that_never_began(client: Client) -> None:
    """A closed stream yields nothing."""
    stream = client.stream("t1")
    stream.close()

    assert list(stream) == []
