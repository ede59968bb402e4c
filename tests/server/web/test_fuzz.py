"""Hypothesis over frames: whatever a client sends, the socket answers each or closes with a code."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bohn.protocol import frames
from bohn.server.run import running
from bohn.server.settings import Settings
from bohn.server.web import socket as web_socket
from tests.server.support.asgi import Socket
from tests.server.support.clock import StillClock
from tests.server.support.entropy import RepeatableEntropy
from tests.server.support.memory_store import MemoryStore
from tests.server.support.serving import PLENTY
from tests.server.support.site import Place, Visitor, frames_of, until

ANSWERS = {"ack", "refused", "checked", "previewed", "said", "pong"}

# -- what is sent --------------------------------------------------------------------------------------------

KEYS = st.sampled_from(
    [
        "type",
        "id",
        "command",
        "do",
        "player",
        "seat",
        "to",
        "want",
        "hand",
        "face_up",
        "offer",
        "text",
        "key",
        "revision",
    ]
) | st.text(max_size=5)
WORDS = st.sampled_from(
    [
        "command",
        "check",
        "draft",
        "say",
        "ping",
        "sit",
        "stand",
        "reveal",
        "plant",
        "harvest",
        "make-offer",
        "thanks",
        "x",
    ]
) | st.text(max_size=8)
NUMBERS = st.integers(-3, 9) | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=12,
)

SOUND: list[dict[str, Any]] = [
    {"type": "ping", "id": "f"},
    {"type": "say", "id": "f", "text": "hello"},
    {"type": "say", "id": "f", "key": "thanks"},
    {"type": "draft", "id": "f", "to": [1], "hand": [[0, 3]], "face_up": [[0, 1]], "want": [2]},
    {"type": "check", "id": "f", "command": {"do": "reveal", "player": 0}},
    {"type": "command", "id": "f", "command": {"do": "plant", "player": 0, "field": 0}},
    {"type": "command", "id": "f", "command": {"do": "harvest", "player": 0, "field": 0}},
    {"type": "command", "id": "f", "command": {"do": "set-wish", "player": 0, "bean": 3, "mark": "want"}},
    {"type": "command", "id": "f", "command": {"do": "make-offer", "player": 0, "to": [1], "hand": [],
                                               "face_up": [], "want": [3], "hand_revision": 0}},
    {"type": "command", "id": "f", "command": {"do": "accept-offer", "player": 0, "offer": 1, "revision": 1,
                                               "hand": [[0, 3]], "hand_revision": 0}},
    {"type": "command", "id": "f", "command": {"do": "kick", "seat": 2}},
    {"type": "command", "id": "f", "command": {"do": "seat-bot", "seat": 1, "bot": "pk"}},
    {"type": "command", "id": "f", "command": {"do": "give-salt", "salt": "ab"}},
    {"type": "command", "id": "f", "command": {"do": "choose-options", "options": {"players": 3}}},
    {"type": "command", "id": "f", "command": {"do": "pass-host", "seat": 1}},
]  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Return a sound frame with one to three of its parts replaced, taken out, doubled or put in."""
    frame = msgspec.json.decode(msgspec.json.encode(draw(st.sampled_from(SOUND))))
    for _ in range(draw(st.integers(1, 3))):
        spots = list(places(frame))
        if not spots:
            break
        parent, key = draw(st.sampled_from(spots))
        match draw(st.integers(0, 3)):
            case 0:
                parent[key] = draw(VALUES)
            case 1:
                del parent[key]
            case 2 if isinstance(parent, dict):
                parent[draw(KEYS)] = draw(VALUES)
            case _:
                parent[key] = [parent[key], parent[key]]
    return msgspec.json.encode(frame).decode()


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Return every place in a value: what it is in, and its key there."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from places(value[key])


@st.composite
def broken(draw: st.DrawFn) -> str:
    """Return the text of a sound frame with some characters taken out or put in."""
    text = msgspec.json.encode(draw(st.sampled_from(SOUND))).decode()
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(text)))
        cut = draw(st.integers(0, 4))
        text = text[:place] + draw(st.text(max_size=3)) + text[place + cut :]
    return text


ANYTHING = st.one_of(
    mutated(), broken(), VALUES.map(lambda value: msgspec.json.encode(value).decode()), st.text(max_size=30)
)

# -- to whom -------------------------------------------------------------------------------------------------


class Rig:
    """A site with a table in play, held over all examples."""

    def __init__(self, runner: asyncio.Runner) -> None:
        """Open everything."""
        self.runner = runner
        self.stack = AsyncExitStack()
        self.place: Place = runner.run(self._open())
        self.anna: Visitor = runner.run(self.place.guest())
        body = {"options": {"players": 3}, "bots": ["pk", "pk"], "start": True}
        self.table = runner.run(self.anna.open_table(**body))

    async def _open(self) -> Place:
        clock, store = StillClock(), MemoryStore()
        site = await self.stack.enter_async_context(
            running(Settings(limits=PLENTY), store, clock, RepeatableEntropy())
        )
        return Place(site, clock, store)

    def send(self, texts: list[str]) -> list[dict[str, Any]]:
        """Send frames on a new socket, then a ping; return the answers."""
        return self.runner.run(self._send(texts))

    async def _send(self, texts: list[str]) -> list[dict[str, Any]]:
        socket: Socket = self.anna.socket(self.table)
        for text in texts:
            socket.send(text)
        socket.send('{"type":"ping","id":"last"}')
        await until(lambda: any(frame.get("id") == "last" for frame in frames_of(socket)) or socket.ended)
        await socket.hang_up()
        return [frame for frame in frames_of(socket) if frame["type"] in ANSWERS]


@pytest.fixture(scope="module")
def rig() -> Iterator[Rig]:
    """Return the site."""
    with asyncio.Runner() as runner:
        made = Rig(runner)
        yield made
        runner.run(made.stack.aclose())


@given(texts=st.lists(ANYTHING, min_size=1, max_size=6))
@settings(
    max_examples=250,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_socket_answers_every_frame(rig: Rig, texts: list[str]) -> None:
    """One answer each, never a mistake of ours, and no more than a code with parameters."""
    answers = rig.send(texts)

    assert len(answers) == len(texts) + 1
    assert answers[-1]["type"] == "pong"
    refusals = [answer for answer in answers if answer["type"] == "refused"]
    assert [answer for answer in refusals if answer["reason"] == "internal"] == []
    assert "Traceback" not in repr(refusals)


@given(text=ANYTHING)
@settings(max_examples=300, deadline=None)
def test_what_is_understood_was_meant(text: str) -> None:
    """A frame that is taken for sound is the same when it is written down again and read again."""
    try:
        frame = web_socket.DECODER.decode(text)
    except msgspec.DecodeError:
        return

    assert isinstance(frame, frames.ClientFrame)
    assert web_socket.DECODER.decode(msgspec.json.encode(frame)) == frame
