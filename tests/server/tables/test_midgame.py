"""Tables on which an earlier game goes on: their log, their bots, their clocks, their end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from bohn.notation.records import Record, read_record, verify
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Origin, Seat
from bohn.protocol.room_commands import EndTable, Rematch, SeatBot
from bohn.rules.commands import EndTrading, Pass
from bohn.rules.evolve import fold
from bohn.rules.legal import legal_commands
from bohn.rules.state import EndPhase, State, TradePhase
from bohn.server.settings import Limits, Settings
from bohn.server.tables.midgame import ACTOR, MidgameTable, played_on
from bohn.server.tables.past_game import PastGame
from bohn.views.view import view
from tests.server.support.audit import Folded
from tests.server.support.past import past_game
from tests.server.support.tables import Ear, House

ANNA = "anna"


def story(test: Callable[[House], Awaitable[None]], settings: Settings | None = None) -> None:
    """Run a story in a service of its own."""

    async def whole() -> None:
        house = await House(settings).begin()
        try:
            await test(house)
        finally:
            await house.end()

    asyncio.run(whole())


def midgame(game: PastGame, entry: int, seat: int = 0, *bots: str, clock: Any = "none") -> MidgameTable:
    """Return how a game goes on behind an entry."""
    return played_on(game, Origin(entry, seat, record="r1"), clock, bots)


async def opened(house: House, begun: MidgameTable, key: str | None = None, wish: str = "") -> str:
    """Open such a table for Anna."""
    return (await house.tables.open_midgame(ANNA, begun, key, wish))[0]


def position(game: PastGame, entry: int) -> State:
    """Return the position behind an entry."""
    state = fold(game.entries[0].events)
    for one in game.entries[1 : entry + 1]:
        state = fold(one.events, state)
    return state


def trading_entry(game: PastGame) -> int:
    """Return an entry behind which beans are traded and an offer stands."""
    for number in range(len(game.entries)):
        phase = position(game, number).phase
        if isinstance(phase, TradePhase) and phase.offers:
            return number
    raise AssertionError


# -- what may be played on -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "problem", "what"),
    [
        ({"seat": 3}, Problem.NO_SUCH_SEAT, None),
        ({"seat": -1}, Problem.NO_SUCH_SEAT, None),
        ({"entry": -1}, Problem.OPTIONS_NOT_VALID, "entry"),
        ({"entry": len(past_game().entries)}, Problem.OPTIONS_NOT_VALID, "entry"),
        ({"entry": len(past_game().entries) - 1}, Problem.OPTIONS_NOT_VALID, "entry"),
    ],
)
def test_moment_must_be_one_of_the_game(change: dict[str, int], problem: Problem, what: str | None) -> None:
    """Somewhere between the deal and the end, on a seat of that game."""
    origin = replace(Origin(3, 0, record="r1"), **change)

    with pytest.raises(Refusal) as refused:
        played_on(past_game(), origin, "none", ())
    assert (refused.value.problem, refused.value.params.get("what")) == (problem, what)


def test_more_bots_than_seats_are_refused() -> None:
    """One seat is the user's own."""
    with pytest.raises(Refusal) as refused:
        midgame(past_game(), 3, 0, "pk", "pk", "pk")
    assert refused.value.params == {"what": "bots"}


@pytest.mark.parametrize(
    "changed",
    [{"rules": {"reveal": 3}}, {"edition": "nowhere"}, {"seats": ("a", "b")}, {"house_rules": ("x=y",)}],
)
def test_rules_of_another_version_are_not_played_on(changed: dict[str, Any]) -> None:
    """A record may be watched under the rules it brings, but a table here has rules of its own."""
    game = past_game()
    header = game.record.header
    if "rules" in changed:
        changed = {"rules": replace(header.rules, **changed["rules"])}
    other = PastGame(Record(replace(header, **changed), game.entries))

    with pytest.raises(Refusal) as refused:
        midgame(other, 3)
    assert refused.value.params == {"what": "rules"}


def test_bots_are_those_named_then_those_of_the_game_then_the_default() -> None:
    """In the order of the seats; they keep the names of whom they play on for."""
    game = past_game("full", 4)
    seats = ("Ada", "Beanie:b3", "Old:gone", "Eve  the long-named and even longer named:pk")
    game = PastGame(Record(replace(game.record.header, seats=seats), game.entries))

    assert midgame(game, 3, 1).bots == (
        ("pk", "Ada"), ("b3", "Beanie"), ("pk", "Old"), ("pk", "Eve the long-named and ev"[:24].strip()),
    )  # fmt: skip
    assert [bot for bot, _ in midgame(game, 3, 1, "b4", "b6").bots] == ["b4", "b3", "b6", "pk"]


# -- the table -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("whole", [True, False])
def test_game_goes_on_where_it_was(whole: bool) -> None:
    """In the same position, as a table that plays, with its user on the seat he wanted."""
    game = past_game(whole=whole)

    async def test(house: House) -> None:
        for entry in (0, 1, 40, 150):
            table = await opened(house, midgame(game, entry, 2, clock="slow"))
            peek = await house.tables.peek(table)
            room = peek.room
            assert peek.state == position(game, entry)
            assert (room.status, room.host, room.origin) == ("playing", ANNA, Origin(entry, 2, record="r1"))
            assert room.options.clock == "slow"
            assert not room.options.listed
            assert not room.options.spectators
            assert [seat.user for seat in room.seats] == [None, None, ANNA]
            assert room.seats[1] == Seat(bot="b3", name="Beanie")
            assert (room.commitment, room.reveal, room.last_call) == ("", None, None)
            assert peek.seq == entry + 2

    story(test)


def test_log_begins_with_the_game() -> None:
    """Each entry is a row, decided as the rules decide; whoever comes sees it as history."""

    async def test(house: House) -> None:
        game = past_game()
        table = await opened(house, midgame(game, 60))
        rows = await house.store.rows(table)
        ear = Ear()
        await house.tables.watch(table, ANNA, ear, 1)

        assert Folded(rows).faults == []
        assert [row.command for row in rows[2:]] == [entry.command for entry in game.entries[1:61]]
        assert [row.cause for row in rows[1:]] == [entry.cause for entry in game.entries[:61]]
        assert {row.actor for row in rows[1:]} == {ACTOR}
        assert [batch["seq"] for batch in ear.of("batch")] == list(range(2, 63))
        welcome = ear.of("welcome")[0]
        assert welcome["seat"] == 0
        assert welcome["room"]["origin"] == {"entry": 60, "seat": 0, "table": None, "record": "r1"}

    story(test)


def test_game_goes_on_in_the_middle_of_a_trade() -> None:
    """Offers that lay open do so still, for whoever sits there now."""
    game = past_game(whole=False)
    entry = trading_entry(game)
    phase = position(game, entry).phase
    assert isinstance(phase, TradePhase)
    maker = phase.offers[0].maker

    async def test(house: House) -> None:
        table = await opened(house, midgame(game, entry, maker))
        welcome = await house.tables.welcome(table, ANNA)

        assert welcome.game == view(game.rules, position(game, entry), maker)
        assert welcome.choices is not None
        assert welcome.choices.legal == legal_commands(game.rules, position(game, entry), maker)

    story(test)


def test_clocks_begin_with_the_table() -> None:
    """They are those of a batch that was committed just now."""
    game = past_game()
    first = position(game, 0).active_player

    async def test(house: House) -> None:
        table = await opened(house, midgame(game, 0, first, clock="fast"))
        now, times = house.clock.now(), house.settings.times
        quiet = await opened(house, midgame(game, 0, first))

        assert [(t.key, t.due) for t in await house.store.timers(table)] == [
            (f"decision:{first}", now + times.fast_decision)
        ]
        assert await house.store.timers(quiet) == ()

    story(test)


def test_nobody_else_may_look_on() -> None:
    """The table is not listed, and has no spectators while the game goes on."""

    async def test(house: House) -> None:
        table = await opened(house, midgame(past_game(), 10))
        for user, problem in (("ben", Problem.NO_SUCH_TABLE), (None, Problem.NO_SUCH_TABLE)):
            with pytest.raises(Refusal) as refused:
                await house.tables.welcome(table, user)
            assert refused.value.problem is problem
        await house.store.grant(table, "ben")
        with pytest.raises(Refusal) as refused:
            await house.tables.welcome(table, "ben")
        assert refused.value.problem is Problem.NO_SPECTATORS

    story(test)


async def play_to_the_end(house: House, table: str) -> None:
    """Let Anna's host right and the rules end the game: everybody does the first thing that goes on."""
    for _ in range(3_000):
        peek = await house.tables.peek(table)
        state = peek.state
        assert state is not None
        if isinstance(state.phase, EndPhase):
            return
        for seat, place in enumerate(peek.room.seats):
            legal: Any = legal_commands(peek.rules, state, seat)
            closing = [one for one in legal if isinstance(one, EndTrading | Pass)]
            if not legal:
                continue
            command = (closing or list(legal))[0]
            if place.user is None:
                await house.tables.execute_for_bot(table, seat, house.fresh_id(), command)
            elif isinstance(command, EndTrading):
                await house.do(table, ANNA, command)
                await house.do(table, ANNA, command) if _calls(await house.tables.peek(table)) else None
            else:
                await house.do(table, ANNA, command)
            break


def _calls(peek: Any) -> bool:
    return isinstance(peek.state.phase, TradePhase) and peek.room.last_call is not None


def test_record_of_such_a_table_verifies() -> None:
    """To its end, with the names of everybody; its deal cannot be checked and is not there."""
    game = past_game("classic", 3)

    async def test(house: House) -> None:
        table = await opened(house, midgame(game, 100))
        await play_to_the_end(house, table)
        record = read_record(await house.tables.record(table, ANNA))
        room = (await house.tables.peek(table)).room

        assert isinstance(verify(record).phase, EndPhase)
        assert record.header.seats == ("Anna", "Beanie:b3", "Bot2:pk")
        assert record.header.seed == game.record.header.seed
        assert record.header.deal is UNSET
        assert record.entries[:101] == game.entries[:101]
        assert (room.status, room.reveal) == ("finished", None)

    story(test)


def test_table_that_was_given_up_reveals_nothing() -> None:
    """There is no secret behind its deal."""

    async def test(house: House) -> None:
        table = await opened(house, midgame(past_game(), 10))
        await house.do(table, ANNA, EndTable())
        room = (await house.tables.peek(table)).room

        assert (room.status, room.reveal) == ("abandoned", None)

    story(test)


def test_rematch_is_a_table_like_any_other() -> None:
    """Dealt anew, with a commitment, and with bots that may sit anywhere."""

    async def test(house: House) -> None:
        table = await opened(house, midgame(past_game(), 10))
        await house.do(table, ANNA, EndTable())
        await house.do(table, ANNA, Rematch())
        following = (await house.tables.peek(table)).room.rematch
        assert following is not None
        room = (await house.tables.peek(following)).room

        assert (room.origin, room.status, len(room.commitment)) == (None, "open", 64)
        assert [seat.bot for seat in room.seats] == [None, "b3", "pk"]

    story(test)


def test_table_is_opened_once_for_a_key() -> None:
    """A request that is sent again opens nothing more; the same key for something else is refused."""

    async def test(house: House) -> None:
        begun = midgame(past_game(), 30)
        first = await house.tables.open_midgame(ANNA, begun, "key", "wish")
        again = await house.tables.open_midgame(ANNA, begun, "key", "wish")
        with pytest.raises(Refusal) as refused:
            await house.tables.open_midgame(ANNA, begun, "key", "another wish")

        assert (first[0] == again[0], first[1], again[1]) == (True, True, False)
        assert refused.value.problem is Problem.COMMAND_ID_REUSED
        assert len(await house.store.rows(first[0])) == 32

    story(test)


def test_tables_that_go_on_are_counted() -> None:
    """A user has a limited number of tables, however they were opened; and none with a log that is full."""

    async def test(house: House) -> None:
        await opened(house, midgame(past_game(), 3))
        with pytest.raises(Refusal) as many:
            await opened(house, midgame(past_game(), 3))
        with pytest.raises(Refusal) as long:
            await opened(house, midgame(past_game(), 60))

        assert many.value.problem is Problem.TOO_MANY
        assert long.value.params == {"what": "entry"}

    story(test, Settings(limits=Limits(tables_a_user=1, log_rows=100)))


def test_table_is_loaded_again_from_its_log() -> None:
    """Everything of it is in the log: another process has it too."""

    async def test(house: House) -> None:
        table = await opened(house, midgame(past_game(), 50))
        before = await house.tables.peek(table)
        other = await House(store=house.store, clock=house.clock, entropy=house.entropy).begin()
        assert await other.tables.peek(table) == before
        await other.tables.stop()

    story(test)


def test_host_may_seat_other_bots() -> None:
    """As at any table that plays: for himself one who takes over."""

    async def test(house: House) -> None:
        table = await opened(house, midgame(past_game(), 10))
        await house.do(table, ANNA, SeatBot(0, "pk"))

        assert (await house.tables.peek(table)).room.seats[0].bot == "pk"

    story(test)
