"""People one knows, from a program: follow, block, invite, and look at games."""

from __future__ import annotations

import pytest

from bohn.client import Client, RefusedByTable
from bohn.protocol.room import Options
from tests.server.support.site import live


def test_client_follows_blocks_and_invites() -> None:
    """Each answer is what it knows now; an invitation that was declined is gone."""
    with live() as server, Client(server.origin) as anna, Client(server.origin) as bert:
        her, him = anna.guest("Anna").user, bert.guest("Bert").user
        assert [one.user for one in anna.follow(him).followed] == [him]
        table = anna.open_table(Options(players=3))
        assert anna.ask_to_come(table, him) == (him,)
        assert [one.table.table for one in bert.people().invitations] == [table]
        assert bert.decline_invitation(table).invitations == ()

        assert [one.user for one in bert.block(her).blocked] == [her]
        assert anna.people().followed == ()
        assert bert.block(her, on=False).blocked == ()


def test_client_reads_its_profile_and_searches_its_games() -> None:
    """That of somebody it has never met is refused, and a handle that nobody has finds nobody."""
    with live() as server, Client(server.origin) as anna, Client(server.origin) as bert:
        her, him = anna.guest("Anna").user, bert.guest("Bert").user
        assert anna.set_private(True).private
        assert anna.profile(her).games == 0
        assert anna.games(result="won", **{"with": "bert"}).games == ()
        with pytest.raises(RefusedByTable, match="no-profile"):
            anna.profile(him)
        with pytest.raises(RefusedByTable, match="no-such-user"):
            anna.find_person("nobody-here")
