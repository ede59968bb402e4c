"""Settings of all tests."""

from __future__ import annotations

from hypothesis import settings

# A deadline would fail a property because the machine is busy; `make test` as a whole is timed instead.
settings.register_profile("bohn", deadline=None)
settings.load_profile("bohn")
