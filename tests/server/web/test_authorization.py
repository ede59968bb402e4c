"""Every route x who: nobody is let in, or kept out, but as docs/authorization.md says."""

from __future__ import annotations

from functools import cache

import pytest

from bohn.protocol.endpoints import ENDPOINTS
from bohn.protocol.refusals import Problem
from tests.server.support.authorization import FRAMES, WHO, Table, asked, written


@cache
def outcomes() -> Table:
    """Return what came of it, asked once for all tests of this module."""
    return asked()


def test_every_route_has_a_row() -> None:
    """Whoever adds a route says who may ask for it."""
    routes = {(one.method, one.path) for one in ENDPOINTS} | {("frame", frame) for frame in FRAMES}

    assert set(written()) == routes


def test_everybody_is_let_in_as_it_is_written() -> None:
    """Each route is asked as each kind of person."""
    assert outcomes() == written()


@pytest.mark.parametrize("route", [(one.method, one.path) for one in ENDPOINTS if "/operator" in one.path])
def test_routes_of_operators_are_closed_to_all_others(route: tuple[str, str]) -> None:
    """But for signing in, which wants a link."""
    row = dict(zip(WHO, outcomes()[route], strict=True))
    wanted = "yes" if route == ("POST", "/api/operator/session") else "`no-operator`"

    assert {who: row[who] for who in WHO if who != "operator"} == dict.fromkeys(WHO[:-1], wanted)


def test_account_differs_from_a_guest_only_in_what_it_confirms_first() -> None:
    """All that says so in its description wants it of accounts, and of nobody else."""
    kept = {("POST", "/api/account/passkeys")}  # its ticket comes from the beginning, which is refused
    wanted = {(one.method, one.path) for one in ENDPOINTS if Problem.CONFIRM_FIRST in one.problems} - kept
    guest, account = WHO.index("guest"), WHO.index("account")
    told = {route: row for route, row in outcomes().items() if row[guest] != row[account]}

    assert {route: row[account] for route, row in told.items()} == dict.fromkeys(wanted, "`confirm-first`")


def test_suspended_do_nothing_that_is_seen_by_others() -> None:
    """What changes anything but their own data is refused to them; to the banned nothing is shown either."""
    own = {
        ("DELETE", "/api/me"),
        ("DELETE", "/api/me/tokens/{token}"),
        ("DELETE", "/api/me/alerts/channels/{channel}"),
        ("POST", "/api/mail/stop/{channel}/{key}"),  # whoever is banned is written to no more if he wants
        ("POST", "/api/operator/session"),
        ("POST", "/api/account/confirm/begin"),  # without it nobody could delete his data
        ("POST", "/api/account/confirm"),
    }
    looking = ("/draft", "/check", "/look")
    acting = [
        (one.method, one.path)
        for one in ENDPOINTS
        if one.method != "GET" and (one.method, one.path) not in own and one.access != "operator"
    ]
    place = WHO.index("suspended")
    let_in = {route for route in acting if outcomes()[route][place] == "yes"}

    assert all(path.endswith(looking) for _, path in let_in)
