"""The frames on their way to one client."""

from __future__ import annotations

from bohn.server.settings import Limits
from bohn.server.web.outbox import Outbox

LIMITS = Limits(outbox_frames=3, outbox_bytes=10)


def test_frames_leave_in_the_order_they_came() -> None:
    """First in, first out, and then it is empty."""
    outbox = Outbox(LIMITS)
    assert [outbox.put(frame) for frame in (b"1", b"2", b"3")] == [True, True, True]

    assert [outbox.take() for _ in range(4)] == [b"1", b"2", b"3", None]


def test_outbox_is_bounded_by_frames() -> None:
    """However small they are."""
    outbox = Outbox(LIMITS)

    assert [outbox.put(b"") for _ in range(4)] == [True, True, True, False]


def test_outbox_is_bounded_by_bytes() -> None:
    """However few they are."""
    outbox = Outbox(LIMITS)

    assert [outbox.put(b"x" * 5), outbox.put(b"x" * 5), outbox.put(b"x")] == [True, True, False]


def test_what_was_taken_makes_room() -> None:
    """Bytes and frames are counted down again."""
    outbox = Outbox(LIMITS)
    outbox.put(b"x" * 5)
    outbox.put(b"x" * 5)
    outbox.take()

    assert [outbox.put(b"x" * 5), outbox.put(b"x")] == [True, False]


def test_one_frame_always_fits() -> None:
    """A welcome may be larger than what else may wait."""
    outbox = Outbox(LIMITS)

    assert outbox.put(b"x" * 50)
    assert not outbox.put(b"x")


def test_what_was_missed_fits_whatever_it_is() -> None:
    """The tables bound it themselves."""
    outbox = Outbox(LIMITS)

    assert all(outbox.put(b"x" * 9, bounded=False) for _ in range(50))


def test_cleared_outbox_is_as_new() -> None:
    """Nothing is left to be sent, and nothing is counted."""
    outbox = Outbox(LIMITS)
    for _ in range(3):
        outbox.put(b"x" * 3)
    outbox.clear()

    assert not outbox
    assert outbox.take() is None
    assert all(outbox.put(b"x" * 3) for _ in range(3))
