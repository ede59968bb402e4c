"""The queue of frames that wait to be sent to one client, bounded, so that a slow reader fills no memory."""

from __future__ import annotations

from collections import deque

from bohn.server.settings import Limits


class Outbox:
    """A queue of encoded frames, bounded by their number and their bytes."""

    __slots__ = ("_bytes", "_frames", "_limits")

    def __init__(self, limits: Limits) -> None:
        """Begin empty; the queue itself is made with the first frame, because most outboxes are empty."""
        self._limits = limits
        self._frames: deque[bytes] | None = None
        self._bytes = 0

    def __bool__(self) -> bool:
        return bool(self._frames)

    @property
    def size(self) -> int:
        """The number of bytes in the queue."""
        return self._bytes

    def put(self, frame: bytes, *, bounded: bool = True) -> bool:
        """Add a frame; return ``False`` if it is full. One frame always fits into an empty outbox."""
        if self._frames is None:
            self._frames = deque()
        elif bounded and self._full(len(frame)):
            return False
        self._frames.append(frame)
        self._bytes += len(frame)
        return True

    def _full(self, more: int) -> bool:
        limits = self._limits
        return len(self._frames or ()) >= limits.outbox_frames or self._bytes + more > limits.outbox_bytes

    def take(self) -> bytes | None:
        """Remove and return the next frame, or return ``None``."""
        if not self._frames:
            self._frames = None
            return None
        frame = self._frames.popleft()
        self._bytes -= len(frame)
        return frame

    def take_all(self) -> list[bytes]:
        """Remove and return all frames."""
        frames = list(self._frames or ())
        self.clear()
        return frames

    def clear(self) -> None:
        """Drop all frames."""
        self._frames = None
        self._bytes = 0
