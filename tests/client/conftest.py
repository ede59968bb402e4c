"""What the tests of the client share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bohn.client import Client, RetryPolicy, play
from tests.client.fake import Fake, serving
from tests.client.seating import Clock

QUICK = RetryPolicy(first=0.01, longest=0.05, give_up=3.0, answer=5.0, silence=5.0)
"""Does not wait for long."""


@pytest.fixture
def fake() -> Iterator[Fake]:
    """A server that does as it is told."""
    with serving() as server:
        yield server


@pytest.fixture
def client(fake: Fake) -> Iterator[Client]:
    """A client of that server."""
    with Client(fake.url, retries=QUICK) as one:
        yield one


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that is set by hand."""
    found = Clock()
    monkeypatch.setattr(play, "monotonic", found)
    return found
