"""The frames on their way to one client: bounded, so that a slow reader costs no memory."""

from __future__ import annotations

from collections import deque

from bohn.server.settings import Limits


class Outbox:
    """A queue of encoded frames, bounded by their number and their bytes."""

    __slots__ = ("_bytes", "_frames", "_limits")

    def __init__(self, limits: Limits) -> None:
        """Begin empty; an empty outbox holds no memory to speak of."""
        self._limits = limits
        self._frames: deque[bytes] | None = None
        self._bytes = 0

    def __bool__(self) -> bool:
        return bool(self._frames)

    @property
    def size(self) -> int:
        """The bytes that wait."""
        return self._bytes

    def put(self, frame: bytes, *, bounded: bool = True) -> bool:
        """Take a frame; ``False`` if there is no room for it. One frame always fits into an empty outbox."""
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
        """Return the next frame, or ``None``."""
        if not self._frames:
            self._frames = None
            return None
        frame = self._frames.popleft()
        self._bytes -= len(frame)
        return frame

    def take_all(self) -> list[bytes]:
        """Return all frames."""
        frames = list(self._frames or ())
        self.clear()
        return frames

    def clear(self) -> None:
        """Forget everything."""
        self._frames = None
        self._bytes = 0
