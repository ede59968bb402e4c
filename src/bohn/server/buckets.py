"""Rate limits by token buckets: a burst at once, then a rate; whoever asks for more is told when to retry."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable

from bohn.protocol.refusals import Problem, Refusal

MOST_KEYS = 20_000
"""Addresses or users that are remembered, to bound memory; the least recently used is forgotten first."""


class Bucket:
    """One bucket: full at first, refilled with time."""

    __slots__ = ("_at", "_left", "_rate", "_size")

    def __init__(self, size: float, rate: float, now: float) -> None:
        """Make a full bucket of ``size`` tokens that gains ``rate`` of them a second."""
        self._size = size
        self._rate = rate
        self._left = size
        self._at = now

    def take(self, now: float, tokens: float = 1.0) -> int:
        """Take tokens and return 0, or take none and return in how many ms there are enough."""
        self._left = min(self._size, self._left + max(0.0, now - self._at) * self._rate)
        self._at = now
        if self._left >= tokens:
            self._left -= tokens
            return 0
        return int((tokens - self._left) / self._rate * 1000) + 1


class Buckets:
    """A bucket for every key (an address, a user); memory is bounded."""

    def __init__(
        self,
        size: float,
        rate: float,
        *,
        most: int = MOST_KEYS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Make buckets of one size and rate; ``clock`` gives seconds."""
        self._size = size
        self._rate = rate
        self._most = most
        self._clock = clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def resize(self, size: float, rate: float) -> None:
        """Let another size and rate hold; every bucket is full again."""
        if (size, rate) != (self._size, self._rate):
            self._size, self._rate = size, rate
            self._buckets.clear()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, key: str, tokens: float = 1.0) -> None:
        """Take tokens for a key; raises :class:`Refusal` (``rate-limited``, ``retry_after`` in ms)."""
        now = self._clock()
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._size, self._rate, now)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        if wait := bucket.take(now, tokens):
            raise Refusal(Problem.RATE_LIMITED, retry_after=wait)


def group(address: str) -> str:
    """Return what one network is counted by: an IPv4 address, or the first 64 bits of an IPv6 one."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False).network_address)
