"""Token buckets: refuse for a while, never for good, and remember only so much."""

from __future__ import annotations

import pytest

from bohn.protocol.refusals import Problem, Refusal
from bohn.server.buckets import Buckets, group


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """Return the seconds."""
        return self.now


def test_bucket_gives_a_burst_and_then_the_rate() -> None:
    """A full bucket gives all its tokens at once, then as many as flow in."""
    clock = Clock()
    buckets = Buckets(3, 2.0, clock=clock)
    for _ in range(3):
        buckets.take("a")
    with pytest.raises(Refusal):
        buckets.take("a")
    clock.now += 1.0
    buckets.take("a")
    buckets.take("a")

    with pytest.raises(Refusal):
        buckets.take("a")


def test_refusal_tells_when_to_come_back() -> None:
    """After that time it is granted."""
    clock = Clock()
    buckets = Buckets(1, 0.5, clock=clock)
    buckets.take("a")
    with pytest.raises(Refusal) as caught:
        buckets.take("a")

    assert caught.value.problem == Problem.RATE_LIMITED
    wait = caught.value.params["retry_after"]
    assert 1_999 <= wait <= 2_001
    clock.now += wait / 1000
    buckets.take("a")


def test_who_was_refused_does_not_wait_longer_for_it() -> None:
    """A refusal takes nothing: there is no ban."""
    clock = Clock()
    buckets = Buckets(1, 1.0, clock=clock)
    buckets.take("a")
    for _ in range(1_000):
        with pytest.raises(Refusal):
            buckets.take("a")
    clock.now += 1.0

    buckets.take("a")


def test_keys_do_not_share_a_bucket() -> None:
    """One client's haste is not another's wait."""
    buckets = Buckets(1, 1.0, clock=Clock())
    buckets.take("a")

    buckets.take("b")


def test_clock_that_runs_backwards_gives_nothing() -> None:
    """Nor does it take anything."""
    clock = Clock()
    buckets = Buckets(2, 1.0, clock=clock)
    buckets.take("a")
    clock.now -= 50
    buckets.take("a")

    with pytest.raises(Refusal):
        buckets.take("a")


def test_memory_is_bounded() -> None:
    """The key that was heard longest ago is forgotten first."""
    buckets = Buckets(1, 0.001, most=3, clock=Clock())
    for key in "abca":
        if key == "a" and len(buckets) == 3:
            with pytest.raises(Refusal):
                buckets.take(key)
        else:
            buckets.take(key)
    buckets.take("d")

    assert len(buckets) == 3
    buckets.take("b")  # forgotten, so it begins anew
    with pytest.raises(Refusal):
        buckets.take("a")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("1.2.3.4", "1.2.3.4", True),
        ("1.2.3.4", "1.2.3.5", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:1.2.3.4", "1.2.3.4", True),
        ("somewhere", "somewhere", True),
    ],
)
def test_household_is_an_address_or_a_network(one: str, other: str, same: bool) -> None:
    """One LAN has any number of IPv6 addresses, so its whole network counts as one."""
    assert (group(one) == group(other)) is same
