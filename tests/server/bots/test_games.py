"""Whole games at real tables, to their end."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from bohn.play.floor import BRISK
from bohn.protocol.room_commands import Stand
from bohn.rules.commands import Command, EditOffer, EndTrading, MakeOffer
from bohn.rules.editions import EDITIONS
from bohn.rules.evolve import fold
from bohn.rules.state import EndPhase, TradePhase
from bohn.server.bots.seats import BotSeats
from bohn.server.bots.table_memory import game_events
from bohn.server.clock import SystemClock
from bohn.server.settings import Settings, Times
from tests.server.bots.company import BotHouse, HomePool
from tests.server.bots.players import WHERE
from tests.server.support.tables import Ear

TABLES = [("full", players) for players in EDITIONS["full"]] + [("classic-ja", 5), ("das-duell", 2)]
"""Every number of players; a trading that all must end; and the game without one."""

TINY = Times(
    bot_move=(1, 4),
    bot_delay=(1, 4),
    bot_chatter=(1, 2),
    bot_beside_people=(5, 8),
    bot_quiet=20,
    bot_open=(5, 10),
    collect=2,
    last_call=30,
    poll=10,
    beat=600_000,
)


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_bots_finish_every_game(edition: str, players: int) -> None:
    """Bots in all seats play every game with every number of players to its end."""

    async def play() -> None:
        house = await BotHouse(HomePool()).begin()
        names = ("pk", "b3", "b4", "b6", "no-trade", "random", "pk")[:players]
        table = await house.company(*names, edition=edition)
        peek = await house.play_out(table)

        assert peek.room.status == "finished"
        await house.end()

    asyncio.run(play())


@pytest.mark.parametrize("rule", ["closing=unanimous", "singles=all_single", "end=plant_first"])
def test_bots_finish_under_house_rules(rule: str) -> None:
    """Where everybody must pass, or harvests and the end are different, bots come to the end as well."""

    async def play() -> None:
        house = await BotHouse(HomePool()).begin()
        table = await house.company("pk", "b3", "no-trade", "random-trader", house_rules=(rule,))
        peek = await house.play_out(table)

        assert peek.room.status == "finished"
        await house.end()

    asyncio.run(play())


@pytest.mark.parametrize("seed", range(2))
def test_players_of_chance_finish(seed: int) -> None:
    """Bots that do whatever the rules allow, open offers, claims and talk among it, finish too."""

    async def play() -> None:
        house = await BotHouse(HomePool(), seed=seed).begin()
        table = await house.company(*["random-trader"] * 4, house_rules=("closing=unanimous",) * (seed % 2))
        peek = await house.play_out(table)

        assert peek.room.status == "finished"
        await house.end()

    asyncio.run(play())


@pytest.mark.parametrize(
    "name",
    [
        "raising", "wrong-type", "no-data", "wrong-field", "inventor", "other-seat", "illegal", "passing",
        "chatterbox", "beggar", "importunate", "watchful", "grateful", "knowing", "modest",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("edition", "players", "house_rules"), [("full", 3, ("exhaustions=1",)), ("das-duell", 2, ())]
)
def test_no_bot_holds_a_game_up(name: str, edition: str, players: int, house_rules: tuple[str, ...]) -> None:
    """Whatever a bot returns, raises or says, its table comes to the end."""

    async def play() -> None:
        house = await BotHouse(HomePool()).begin()
        table = await house.company(*[name] * players, edition=edition, house_rules=house_rules)
        peek = await house.play_out(table)

        assert peek.room.status == "finished"
        await house.end()

    asyncio.run(play())


def test_processes_play_a_whole_game() -> None:
    """The bots of two processes finish two tables in real time, and the log folds to the same end."""

    async def play() -> None:
        settings = Settings(times=TINY, bots=2)
        house = BotHouse(times=TINY, clock=SystemClock())
        house.seats = BotSeats(house.tables, settings, SystemClock(), Random(1), players=WHERE)
        await house.begin()
        tables = [await house.company("pk", "b3", "random-trader", "no-trade") for _ in range(2)]
        for table in tables:
            peek = await house.over(table)
            events = [event for row in await house.rows(table) for event in game_events(row.events)]

            assert isinstance(fold(events).phase, EndPhase)
            assert fold(events) == peek.state
        await house.end()

    asyncio.run(play())


def test_every_command_has_the_id_of_its_look() -> None:
    """Each bot's command is known by seat and the seq it looked at, and none comes twice."""

    async def play() -> None:
        house = await BotHouse(HomePool()).begin()
        table = await house.company("pk", "pk", "pk")
        await house.play_out(table)
        rows = [row for row in await house.rows(table) if row.cause == "bot"]

        assert all(row.command_id.split(":")[:2] == ["bot", row.actor.removeprefix("bot:")] for row in rows)
        assert all(int(row.command_id.split(":")[2]) < row.seq for row in rows)
        assert len({(row.actor, row.command_id) for row in rows}) == len(rows)
        await house.end()

    asyncio.run(play())


def test_nobody_offers_too_often_or_the_same_again() -> None:
    """In a turn no seat makes more than five offers, nor the same terms to the same seats twice."""

    async def play() -> None:
        house = await BotHouse(HomePool()).begin()
        table = await house.company("pk", "beggar", "random-trader", "pk", "b3")
        await house.play_out(table)
        made: dict[tuple[int, int], list[tuple[object, ...]]] = {}
        turn, most = 0, 0
        for row in await house.rows(table):
            for event in game_events(row.events):
                turn += type(event).__name__ == "TurnBegan"
            command = row.command
            if isinstance(command, MakeOffer | EditOffer):
                give = sorted(copy.bean for copy in command.hand + command.face_up)
                terms = (frozenset(command.to), tuple(give), tuple(sorted(command.want)))
                assert terms not in made.setdefault((turn, command.player), [])
                made[turn, command.player].append(terms)
                most = max(most, len(made[turn, command.player]))

        assert most == BRISK.offers_a_turn
        await house.end()

    asyncio.run(play())


def test_table_goes_on_beside_somebody_who_does_nothing_in_the_trading() -> None:
    """A person who only plants what he must, and ends his trading, keeps no bot from playing on."""

    async def play() -> None:
        house = await BotHouse(HomePool(), times=Times(beat=600_000)).begin()
        table = await house.company("anna", "pk", "pk")
        for _ in range(60):
            await person_moves(house, table)
            await house.clock.advance(20_000)
        turns = (await house.state(table)).turn

        assert turns > 10
        assert any(
            row.cause == "clock" and type(row.command).__name__ == "EndTrading"
            for row in await house.rows(table)
        )
        await house.end()

    asyncio.run(play())


async def person_moves(house: BotHouse, table: str) -> None:
    """Let Anna do what the game waits for, as a bot that never trades would."""
    while True:
        peek = await house.peek(table)
        assert peek.state is not None
        command: Command | None = await house.seats.choose(peek, 0)
        if isinstance(peek.state.phase, TradePhase) and peek.state.active_player == 0:
            command = EndTrading(0)
        if command is None:
            return
        await house.do(table, "anna", command)
        if isinstance(command, EndTrading):
            return


def test_table_of_an_absent_owner_is_played_to_the_end() -> None:
    """Once its only person has stood up and looks on, a table hastens to its end."""

    async def play() -> None:
        house = await BotHouse(HomePool()).begin()
        table = await house.company("anna", "pk", "pk")
        await house.do(table, "anna", Stand())
        await house.tables.watch(table, "anna", Ear(), None)
        peek = await house.play_out(table, minutes=15)

        assert peek.room.status == "finished"
        await house.end()

    asyncio.run(play())
