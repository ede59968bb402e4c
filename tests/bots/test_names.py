"""Players that were renamed: old names are read everywhere, and new games are kept under the new ones."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from bohn.arena.build import Bots, Order, run_cells
from bohn.arena.build import plan_of as arena_plan
from bohn.arena.core import CoreEngine
from bohn.arena.engine import lacking
from bohn.arena.errors import ArenaError
from bohn.arena.match import Result
from bohn.arena.report import report
from bohn.arena.store import Store
from bohn.arena.twin_engine import TwinEngine
from bohn.bots import (
    DEFAULT,
    DIGESTS,
    FORMER,
    LEVELS,
    PLAYERS,
    current_name,
    digests_of,
    level_of,
    recorded_name,
)
from bohn.cli.main import main
from bohn.cli.seats import parse_seats, read_seats
from bohn.notation.records import header_of, line_of, read_record
from bohn.protocol.room import Options
from bohn.protocol.room_commands import SeatBot, Start
from bohn.rules.resolve import resolve
from bohn.rules.shuffle import seed_from
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


def test_levels_are_names_of_nobody() -> None:
    """Each stands for a frozen player, and is none itself."""
    assert set(LEVELS.values()) <= set(PLAYERS)
    assert set(LEVELS).isdisjoint(PLAYERS)
    assert set(LEVELS).isdisjoint(FORMER)


def test_level_asked_for_is_its_player_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    """A level stands for another player as soon as it has one."""
    monkeypatch.setitem(LEVELS, "strong", "pk")

    assert current_name("strong") == "pk"


def test_level_in_an_old_record_is_its_first_player(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever plays at that level by now, the record was played by the first."""
    monkeypatch.setitem(LEVELS, "strong", "pk")

    assert recorded_name("strong") == "strong-1"
    assert [seat.bot for seat in read_seats(("Anna:strong", "fair"))] == ["strong-1", "fair-1"]
    assert [bot for _, bot in named_seats(("Anna:strong", "fair"))] == ["strong-1", "fair-1"]


def test_levels_are_known_by_their_player() -> None:
    """Whoever plays there today: the word for how one plays is that of its level."""
    assert [level_of(name) for name in ("strong-1", "strong-12", "strong", "pk", "no-trade", "nobody-1")] == [
        "strong", "strong", "strong", "pk", "no-trade", "nobody-1",
    ]  # fmt: skip


def test_seats_of_the_command_line_store_the_player_of_a_level() -> None:
    """What is recorded is the player's own name."""
    assert parse_seats("you,strong", "Ada")[1].written() == "Anna:strong-5"


def test_record_has_the_digests_of_its_computer_players() -> None:
    """Each once, with what it did then; people have none."""
    rules = resolve("full", 3)
    header = header_of(
        rules, ("Ada", "Anna:pk", "Bert:pk"), seed_from(1), "test", bots=digests_of(["pk", "pk", "Ada"])
    )

    assert read_record(line_of(header)).header.bots == {"pk": DIGESTS["pk"]}


def test_record_without_computer_players_is_written_as_before() -> None:
    """A header of people alone has no such part."""
    header = header_of(resolve("full", 3), ("Ada", "Bea", "Cleo"), seed_from(1), "test", bots=digests_of(()))

    assert b'"bots"' not in line_of(header)


def test_plan_of_the_arena_stores_players_and_digests() -> None:
    """A level and a definition by level are kept as the players they stand for."""
    bots = Bots(("mine=strong",))
    names = bots.line("strong,mine,pk,h")
    order = Order(deals=1)
    plan = arena_plan("run", run_cells("pk", [names[:3]], order), bots, order)

    assert names == ("strong-5", "mine", "pk", "h")
    assert plan.bots == {"pk": "pk", "strong-5": "strong-5", "mine": "strong-5"}
    assert plan.digests == {name: DIGESTS[name] for name in ("pk", "strong-5")}


def test_old_plan_goes_on_without_digests(tmp_path: Path) -> None:
    """A run that was begun before players had digests is not another run."""
    bots, order = Bots(), Order(deals=1)
    plan = arena_plan("run", run_cells("pk", [("b4",)], order), bots, order)
    with Store(tmp_path, replace(plan, digests={})):
        pass

    with Store(tmp_path, plan) as store:
        assert store.plan.digests


def test_run_of_a_player_that_did_otherwise_is_another_run(tmp_path: Path) -> None:
    """Results of two players of one name are never mixed."""
    bots, order = Bots(), Order(deals=1)
    plan = arena_plan("run", run_cells("pk", [("b4",)], order), bots, order)
    with Store(tmp_path, replace(plan, digests={**plan.digests, "pk": "0" * 16})):
        pass

    with pytest.raises(ArenaError), Store(tmp_path, plan):
        pass


def test_engine_plays_a_level_of_an_old_plan() -> None:
    """It is read as its first player."""
    assert lacking(TwinEngine(), {"strong": "strong"}) == ()
    assert lacking(CoreEngine(), {"strong": "strong"}) == ()
    assert CoreEngine().factory("strong")(1).name == "strong-1"


def test_simulation_says_what_its_players_did(capsys: pytest.CaptureFixture[str]) -> None:
    """The result has the digest of each player, once."""
    assert main(["simulate", "--bots", "pk,no-trade,pk", "--games", "3", "--workers", "1", "--json"]) == 0

    assert json.loads(capsys.readouterr().out)["digests"] == digests_of(["no-trade", "pk"])


def test_report_names_players_with_their_digests() -> None:
    """A page that is shown later still says who played."""
    plan = arena_plan("run", run_cells("pk", [("b4",)], Order(deals=1)), Bots(), Order(deals=1))
    page = report(Result(plan, (), (), (), "", (), ()), {})

    for name in ("pk", "b4"):
        assert f"<td>{name}</td><td>{name}</td><td>{DIGESTS[name]}</td>" in page


def test_table_stores_the_player_of_a_level() -> None:
    """Who asks for `gentle` gets today's, under its own name in the log."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table(bots=["gentle"])
        seats = (await anna.get(f"/api/tables/{table}"))["room"]["seats"]

        assert [seat["bot"] for seat in seats if seat["bot"]] == ["gentle-3"]

    visit(scenario)
