"""What a program leaves with a table over days."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from bohn.client import Client, Options, RefusedByTable
from bohn.protocol.away import HarvestAhead, MoveAhead, PlantAhead, RevealAhead, Terms
from bohn.protocol.room_commands import Sit, Start
from bohn.rules.beans import Bean
from tests.server.support.site import live


@contextmanager
def over_days() -> Iterator[tuple[Client, Client, str]]:
    """Two programs at a table over days: of a player whose turn it is not, and of one who only watches."""
    with ExitStack() as stack:
        server = stack.enter_context(live())
        host, second, third, watcher = (stack.enter_context(Client(server.origin)) for _ in range(4))
        for name, client in (("Ada", host), ("Bo", second), ("Cy", third), ("Di", watcher)):
            client.guest(name)
        table = host.open_table(Options(players=3, clock="8h", listed=True))
        second.do(table, Sit(1))
        third.do(table, Sit(2))
        host.do(table, Start())
        player = next(one for one in (host, second, third) if not _legal(one, table))
        yield player, watcher, table


def _legal(client: Client, table: str) -> tuple[object, ...]:
    choices = client.legal(table).choices
    assert choices is not None
    return choices.legal


def test_client_sets_moves_ahead_and_takes_them_back() -> None:
    """They are listed as they were set, beside the orders; each is taken back by its id."""
    moves: tuple[MoveAhead, ...] = (
        HarvestAhead(0, 4),
        PlantAhead(Bean.GREEN, 1, harvest=True, times=2),
        HarvestAhead(1, 9, 3),
    )
    with over_days() as (client, _, table):
        client.leave_order(table, Terms(give=Bean.WAX, take=Bean.RED))
        for number, move in enumerate(moves, 1):
            assert [one.move for one in client.set_ahead(table, move).moves] == [*moves[:number]]
        left = client.away(table)
        assert [(one.move, one.carried) for one in left.moves] == [(move, 0) for move in moves]
        assert [one.terms.give for one in left.orders] == [Bean.WAX]

        first, second, third = left.moves
        left = client.drop_instruction(table, second.id)
        assert (left.moves, len(left.orders)) == ((first, third), 1)
        assert client.drop_instruction(table, second.id) == left  # what is gone stays so
        assert client.drop_instruction(table, left.orders[0].id).orders == ()


def test_client_is_refused_moves_that_nobody_makes_for_it() -> None:
    """It has no seat, there is no such bean in the game, or it has set as many as it may."""
    with over_days() as (client, watcher, table):
        with pytest.raises(RefusedByTable, match="not-seated"):
            watcher.set_ahead(table, RevealAhead())
        with pytest.raises(RefusedByTable, match="order-not-valid"):
            client.set_ahead(table, PlantAhead(Bean.COCOA, 0))
        for _ in range(12):
            client.set_ahead(table, HarvestAhead(1, 24))
        with pytest.raises(RefusedByTable, match="too-many") as refusal:
            client.set_ahead(table, HarvestAhead(1, 24))
        assert refusal.value.params == {"most": 12}
        assert len(client.away(table).moves) == 12
