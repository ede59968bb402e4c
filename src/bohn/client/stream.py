"""The stream of one table: reconnects after a failure and goes on after the last frame."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import suppress
from threading import Event, Lock
from types import TracebackType
from typing import Any, Self, get_args

import msgspec
from msgspec.structs import replace
from urllib3 import BaseHTTPResponse
from urllib3.exceptions import HTTPError

from bohn.client.errors import NotUnderstood, RefusedByTable
from bohn.client.transport import Backoff, Transport, is_temporary, pause_of
from bohn.protocol.frames import PROTOCOL, AnyServerFrame, Batch, Goodbye, Welcome
from bohn.protocol.shown import ShownEvent

_FRAME = msgspec.json.Decoder(AnyServerFrame)
_TAG: msgspec.json.Decoder[dict[str, Any]] = msgspec.json.Decoder(dict[str, Any])
_KNOWN = frozenset(kind.__struct_config__.tag for kind in get_args(AnyServerFrame))


class Stream:
    """An iterator over frames; :meth:`close` ends it from any thread.

    ``seq`` is the last batch that was yielded: hand it to a later stream as ``since``.
    """

    def __init__(self, transport: Transport, table: str, since: int | None = None) -> None:
        """Connect when the first frame is asked for; ``since`` asks for the batches behind that one."""
        self.table = table
        self.seq = since
        self._transport = transport
        self._closed = Event()
        self._lock = Lock()
        self._response: BaseHTTPResponse | None = None
        self._frames: Generator[AnyServerFrame, None, None] = self._run()

    def __iter__(self) -> Iterator[AnyServerFrame]:
        return self._frames

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the stream; a thread that waits for a frame gets none."""
        self._closed.set()
        with self._lock, suppress(OSError, RuntimeError, ValueError):  # it may have ended by itself
            if self._response is not None:
                self._response.shutdown()
        with suppress(ValueError):  # another thread is in it, and finds it closed
            self._frames.close()

    def _run(self) -> Generator[AnyServerFrame, None, None]:
        """Yield frames, connection after connection."""
        backoff = Backoff(self._transport.retries)
        while not self._closed.is_set():
            pause = 0.0
            failure: object = "the stream ended"
            try:
                for frame in self._connection():
                    backoff.reset()
                    yield frame
                    if isinstance(frame, Goodbye):
                        pause = frame.retry / 1000
            except RefusedByTable as refusal:
                if not is_temporary(refusal):
                    raise
                failure, pause = refusal, pause_of(refusal)
            except (HTTPError, OSError) as error:
                failure = error
            if self._closed.is_set() or self._transport.closed.is_set():
                return
            self._closed.wait(backoff.pause(failure, pause))

    def _connection(self) -> Iterator[AnyServerFrame]:
        """Yield the frames of one connection; a missing batch ends it, so that the next one brings it."""
        since = "" if self.seq is None else f"?since={self.seq}"
        response = self._transport.open_stream(f"/api/tables/{self.table}/stream{since}")
        with self._lock:
            self._response = response
        try:
            if self._closed.is_set():
                return
            for line in response:
                if not line.endswith(b"\n"):
                    return  # the connection broke within a line
                frame = decoded(line) if line.strip() else None
                if frame is None:
                    continue
                if not self._follows(frame):
                    return
                yield frame
        finally:
            with self._lock:
                self._response = None
            response.close()

    def _follows(self, frame: AnyServerFrame) -> bool:
        """Record the last batch; ``False`` for a batch before which another is missing."""
        if isinstance(frame, Welcome):
            if frame.protocol != PROTOCOL:
                msg = f"the server speaks protocol {frame.protocol}, this client {PROTOCOL}"
                raise NotUnderstood(msg)
            if frame.fresh or self.seq is None:
                self.seq = frame.seq
        elif isinstance(frame, Batch):
            if self.seq is not None and frame.seq != self.seq + 1:
                return False
            self.seq = frame.seq
        return True


def decoded(line: bytes) -> AnyServerFrame | None:
    """Return a frame with its events as structs; ``None`` for a kind of frame that is newer than this client.

    Raises :class:`NotUnderstood`. An event that is newer stays as it was sent, a dict.
    """
    try:
        frame: AnyServerFrame = _FRAME.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        if _is_newer(line):
            return None
        msg = f"no frame: {error}"
        raise NotUnderstood(msg) from None
    if isinstance(frame, Batch) and frame.events:
        return replace(frame, events=tuple(_event(event) for event in frame.events))
    return frame


def _is_newer(line: bytes) -> bool:
    try:
        tag = _TAG.decode(line).get("type")
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return False
    return isinstance(tag, str) and tag not in _KNOWN


def _event(event: object) -> object:
    try:
        return msgspec.convert(event, ShownEvent)
    except msgspec.ValidationError:
        return event
