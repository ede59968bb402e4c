"""What may go, and when."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from bohn.server.retention.goes import guest_goes, table_goes
from bohn.server.settings import Retention
from bohn.server.store.retaining import DAY, NEVER, Guest, OverTable, horizon

NOW = 1_000 * DAY
SETTINGS = Retention(finished=10, abandoned=5, guests=20, visitors=4)
GUEST = Guest("anna", True, NOW - 500 * DAY, NOW - 20 * DAY, seated=True, playing=False, tokens=False)
VISITOR = Guest("ben", True, NOW - 4 * DAY, NOW - 4 * DAY, seated=False, playing=False, tokens=False)


def test_horizon_of_days_that_stay_for_ever_is_never() -> None:
    """So are more days than there have been."""
    assert horizon(NOW, 10) == NOW - 10 * DAY
    assert horizon(NOW, 0) == NEVER
    assert horizon(NOW, 2_000) == NEVER


@pytest.mark.parametrize(("status", "days"), [("finished", 10), ("abandoned", 5)])
def test_table_goes_once_it_has_not_moved_for_its_days(status: str, days: int) -> None:
    """Not a millisecond sooner; without days it stays."""
    table = OverTable("t1", status, NOW - days * DAY, 3)  # type: ignore[arg-type]  # - one of the statuses

    assert table_goes(table, NOW, SETTINGS)
    assert not table_goes(replace(table, moved=table.moved + 1), NOW, SETTINGS)
    assert not table_goes(replace(table, moved=0), NOW, Retention(finished=0, abandoned=0))


def test_guest_goes_once_he_was_not_here_for_his_days() -> None:
    """Counted from the last use of a cookie, else from when he came."""
    assert guest_goes(GUEST, NOW, SETTINGS)
    assert not guest_goes(replace(GUEST, used=NOW - 20 * DAY + 1), NOW, SETTINGS)
    assert guest_goes(replace(GUEST, used=None), NOW, SETTINGS)
    assert not guest_goes(replace(GUEST, used=None, created=NOW - DAY), NOW, SETTINGS)
    assert not guest_goes(GUEST, NOW, Retention(guests=0, visitors=0))


def test_visitor_goes_sooner() -> None:
    """Who was here on one day only and sits nowhere; whoever came back or sits somewhere is a guest."""
    assert guest_goes(VISITOR, NOW, SETTINGS)
    assert guest_goes(replace(VISITOR, used=None), NOW, SETTINGS)
    assert not guest_goes(replace(VISITOR, seated=True), NOW, SETTINGS)
    assert not guest_goes(replace(VISITOR, created=NOW - 5 * DAY), NOW, SETTINGS)
    assert not guest_goes(replace(VISITOR, created=NOW - 3 * DAY, used=None), NOW, SETTINGS)
    assert not guest_goes(VISITOR, NOW, replace(SETTINGS, visitors=0))


@pytest.mark.parametrize("why", ["tokens", "playing", "account"])
def test_guest_for_whom_something_waits_stays(why: str) -> None:
    """A token holds until it is revoked, a game that is not over waits for its players; an account stays."""
    for guest in (GUEST, VISITOR):
        assert not guest_goes(replace(guest, **{why: True}), NOW, SETTINGS)


def test_forgotten_guest_is_not_forgotten_again() -> None:
    """He has no name any more."""
    assert not guest_goes(replace(GUEST, named=False), NOW, SETTINGS)


@pytest.mark.parametrize(
    "name",
    ["finished", "abandoned", "guests", "visitors", "chat", "records", "reports", "sanctions", "unfinished"],
)
def test_settings_refuse_negative_days(name: str) -> None:
    """Else everything would go at once."""
    with pytest.raises(msgspec.ValidationError, match=name):
        msgspec.convert({name: -1}, Retention)


def test_settings_refuse_to_look_without_a_pause() -> None:
    """Else nothing else would be done."""
    with pytest.raises(ValueError, match="every"):
        Retention(every=0)


@pytest.mark.parametrize("rest", [-0.1, 1_001.0])
def test_settings_refuse_a_rest_that_cannot_be(rest: float) -> None:
    """Nobody rests for less than no time, or so long that nothing goes."""
    with pytest.raises(ValueError, match="rest"):
        Retention(rest=rest)
