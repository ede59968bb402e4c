"""What a client asks about its user's account, of a real server."""

from __future__ import annotations

import pytest

from bohn.client import Client, RefusedByTable
from tests.server.support.site import live


def test_user_of_a_client_is_shown_with_all_his_data() -> None:
    """A guest has no account; what he has left is exported, and his session ends when he says so."""
    with live() as server, Client(server.origin) as client:
        user = client.guest("Ada").user
        table = client.open_table()

        assert client.account().handle == ""
        found = client.export()
        assert (found.me.user, [one.table for one in found.tables]) == (user, [table])
        (session,) = client.sessions()
        assert session.current
        client.end_session(session.id)
        with pytest.raises(RefusedByTable, match="no-guest"):
            client.me()


def test_wrong_recovery_code_is_refused_to_a_client() -> None:
    """With the server's own word for it."""
    with live() as server, Client(server.origin) as client, pytest.raises(RefusedByTable) as refused:
        client.sign_in_by_code("0000-0000-0000-0000")

    assert refused.value.reason == "code-not-valid"
