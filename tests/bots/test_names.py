"""Players that were renamed: old names are read everywhere, and new games are kept under the new ones."""

from __future__ import annotations

import asyncio

import pytest

from bohn.arena.build import Bots
from bohn.arena.core import CoreEngine
from bohn.arena.engine import lacking
from bohn.arena.errors import ArenaError
from bohn.arena.twin_engine import TwinEngine
from bohn.bots import DEFAULT, FORMER, PLAYERS, current_name
from bohn.cli.seats import parse_seats, read_seats
from bohn.protocol.room import Options
from bohn.protocol.room_commands import SeatBot, Start
from bohn.server.tables import plan
from bohn.server.tables.past_game import named_seats
from bohn.server.tables.plan import Planner
from tests.arena.support import plan as plan_of
from tests.arena.support import whole
from tests.server.bots.company import RARELY, BotHouse, silent
from tests.server.support.site import Place, visit
from tests.server.support.tables import Ear


def test_former_names_are_nobodys_today() -> None:
    """Each stands for a player there is, and is listed no more."""
    assert set(FORMER.values()) <= set(PLAYERS)
    assert set(FORMER).isdisjoint(PLAYERS)


def test_name_of_today_stays() -> None:
    """So does a name that is nobody's."""
    assert [current_name(name) for name in ("h", "g", "pk", "nobody")] == [
        "value-trader", "generous-trader", "pk", "nobody",
    ]  # fmt: skip


def test_seats_of_the_command_line_take_a_former_name() -> None:
    """What is recorded is the name of today."""
    assert [seat.bot for seat in parse_seats("you,h,g", "Ada")] == [None, "value-trader", "generous-trader"]


def test_seats_of_a_record_keep_their_player() -> None:
    """A record of an older version says `h`, behind a name or alone."""
    assert [seat.bot for seat in read_seats(("Anna:h", "g", "Ada"))] == [
        "value-trader", "generous-trader", None,
    ]  # fmt: skip
    assert [bot for _, bot in named_seats(("Anna:h", "g", "Ada"))] == [
        "value-trader",
        "generous-trader",
        None,
    ]


def test_plans_of_the_arena_keep_a_former_name() -> None:
    """An old command and an old plan go on as they began: the name stays, the player is the same."""
    assert Bots().line("h,pk") == ("h", "pk")
    assert lacking(TwinEngine(), {"h": "h", "g": "g"}) == ()
    assert lacking(CoreEngine(), {"h": "h", "g": "g"}) == ()
    with pytest.raises(ArenaError):
        Bots(("h=pk",))


@pytest.mark.compiled(only=True)
def test_engine_plays_a_former_name_as_the_same_player() -> None:
    """Equal games in every figure."""
    old, new = (
        TwinEngine().play(whole(plan_of((name, "no-trade", "no-trade"), 1))).games
        for name in ("h", "value-trader")
    )

    assert old == new
    assert CoreEngine().factory("g")(1).name == "generous-trader"


def test_table_seats_a_former_name_under_that_of_today() -> None:
    """An old link, page or program asks for `h`."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table(bots=["h"])
        seats = (await anna.get(f"/api/tables/{table}"))["room"]["seats"]

        assert [seat["bot"] for seat in seats if seat["bot"]] == ["value-trader"]

    visit(scenario)


def test_free_seats_are_filled_by_a_former_name() -> None:
    """Who deals may call the player as it was called."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table(options={"players": 3})
        command = {"do": "start", "fill": "g"}
        answer = await anna.ask("POST", f"/api/tables/{table}/commands", {"id": "a", "command": command})
        seats = (await anna.get(f"/api/tables/{table}"))["room"]["seats"]

        assert answer.status == 200, answer.body
        assert [seat["bot"] for seat in seats if seat["bot"]] == ["generous-trader"] * 2

    visit(scenario)


def test_bot_of_an_old_log_sits_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that was begun when the player had another name is played by the same player."""

    async def play() -> None:
        pool = silent()
        house = await BotHouse(pool).begin()
        house.tables._log._planner = Planner(frozenset({"h"}), RARELY)
        table = await house.tables.open_table("anna", Options(players=3))
        for seat in range(3):
            await house.do(table, "anna", SeatBot(seat, "h"))
        await house.do(table, "anna", Start())
        await house.tables.watch(table, "anna", Ear(), None)
        await house.clock.advance(20_000)

        assert {seat.bot for seat in (await house.peek(table)).room.seats} == {"h"}
        assert {question.bot for question in pool.questions} - {DEFAULT} == {
            "value-trader"
        }  # who is silent is replaced
        await house.end()

    monkeypatch.setattr(plan, "current_name", lambda name: name)  # the log of a server of that time
    asyncio.run(play())
