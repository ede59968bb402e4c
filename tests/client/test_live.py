"""The client and the example bot against `bohn serve`, a process of its own."""

from __future__ import annotations

import asyncio
import itertools
import runpy
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Semaphore
from typing import Any

import pytest
from msgspec.structs import replace

import bohn.client
from bohn.bots import PLAYERS
from bohn.client import Client, Game, Options, Pace, RefusedByTable
from bohn.client.play import Decide
from bohn.notation.records import read_record, verify
from bohn.protocol.room_commands import SeatBot
from bohn.rules.commands import AcceptOffer, Command, Harvest, MakeOffer, Plant
from bohn.rules.state import Result
from bohn.server.settings import Settings, Times
from tests.client.conftest import QUICK
from tests.patience import PATIENCE
from tests.server.support.serving import PLENTY, Serving

EXAMPLE = Path(__file__).parents[2] / "examples" / "bot.py"
PACE = Pace(think=(0.0, 0.0), answers=0.05, quiet=0.03, again=0.02)
TIMES = Times(
    collect=5,
    last_call=5,
    bot_move=(0, 1),
    bot_delay=(0, 1),
    bot_chatter=(0, 1),
    bot_beside_people=(0, 1),
    bot_quiet=10,
    bot_first_market=0,
    bot_open=(0, 1),
    poll=5,
    stop=1_000,
)

LASTING = replace(QUICK, give_up=PATIENCE, answer=PATIENCE, silence=PATIENCE)
"""Asks again as soon, and does not give up a server that takes long to start."""

SHORT = Options(players=3, house_rules=("exhaustions=1",))
"""A game of a few seconds: the pile runs out once."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server whose bots do not pretend to think."""
    serving = Serving(tmp_path_factory.mktemp("server"), Settings(limits=PLENTY, times=TIMES))
    asyncio.run(serving.start())
    try:
        yield serving
    finally:
        asyncio.run(serving.stop())


@pytest.fixture
def ada(server: Serving) -> Iterator[Client]:
    """A guest of that server."""
    with Client(url(server), retries=LASTING) as client:
        client.guest("Ada")
        yield client


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let programs that choose no pace play at once."""
    monkeypatch.setattr(Client.play, "__kwdefaults__", {**(Client.play.__kwdefaults__ or {}), "pace": PACE})


def url(server: Serving) -> str:
    """Return the address of a server."""
    return f"http://127.0.0.1:{server.port}"


def played(client: Client, table: str, seat: int) -> list[Command]:
    """Return what a seat has done in a finished game, which must be a true record."""
    record = read_record(client.record(table))
    verify(record)
    return [entry.command for entry in record.entries if entry.command and entry.actor == seat]


def first_example() -> str:
    """Return the first program in the docstring of the module."""
    block = (bohn.client.__doc__ or "").partition("::\n\n")[2].partition("\nA program")[0]
    return textwrap.dedent(block)


def example() -> Decide:
    """Return how the example bot decides."""
    decide: Decide = runpy.run_path(str(EXAMPLE))["decide"]
    return decide


def test_example_bot_has_forty_lines() -> None:
    """A bot is a page of code."""
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 40


@pytest.mark.usefixtures("at_once")
def test_example_bot_plays_a_game(
    server: Serving, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The program as it stands comes in, opens a table, plays to the end and prints the result."""
    monkeypatch.setattr(sys, "argv", ["bot.py", url(server)])

    runpy.run_path(str(EXAMPLE), run_name="__main__")

    assert capsys.readouterr().out.splitlines()[-1].startswith("Result(coins=(")


def test_example_bot_makes_and_answers_offers(ada: Client) -> None:
    """Among computer players who trade it trades as well."""
    table = ada.open_table(SHORT, bots=("pk", "pk"), start=True)
    result = ada.play(table, example(), pace=PACE)
    done = played(ada, table, 0)

    assert isinstance(result, Result)
    assert any(isinstance(command, MakeOffer) for command in done)
    assert any(isinstance(command, AcceptOffer) for command in done)


@pytest.mark.parametrize(
    "options",
    [
        Options("full", 2),
        Options("das-duell", 2),
        Options("classic-sv", 3, house_rules=("exhaustions=1",)),
    ],
    ids=lambda options: options.edition,
)
def test_computer_player_plays_over_the_network(ada: Client, options: Options) -> None:
    """Any player of the library can be handed to the client, in every game."""
    table = ada.open_table(options, bots=("pk",) * (options.players - 1), start=True)

    assert isinstance(ada.play(table, PLAYERS["pk"](1).decide, pace=PACE), Result)


@pytest.mark.usefixtures("at_once")
def test_first_example_of_the_module_runs(server: Serving, capsys: pytest.CaptureFixture[str]) -> None:
    """What the documentation begins with is a program."""
    program = first_example().replace("http://127.0.0.1:8000", url(server))

    exec(compile(program, "example", "exec"), {})  # noqa: S102 - our own docstring

    assert capsys.readouterr().out.splitlines()[-1].startswith("Result(coins=(")


def test_document_has_the_same_example() -> None:
    """docs/protocol.md shows the program that runs here."""
    text = (EXAMPLE.parents[1] / "docs" / "protocol.md").read_text(encoding="utf-8")
    shown = text.partition("```python\n")[2].partition("```")[0]

    assert shown == first_example()


def test_guest_and_program_play_together(server: Serving, ada: Client) -> None:
    """A program has a token and comes in by invitation; both see the same end."""
    made = ada.bot_token("Beanie")
    table = ada.open_table(SHORT)
    with Client(url(server), token=made.token, retries=LASTING) as beanie:
        beanie.use_link(ada.invite(table).token)
        beanie.sit(table)
        ada.do(table, SeatBot(2, "pk"))
        ada.start(table)
        with ThreadPoolExecutor(2) as threads:
            seats = [
                threads.submit(client.play, table, PLAYERS["pk"](seat).decide, pace=PACE)
                for seat, client in enumerate((ada, beanie))
            ]
        assert beanie.me().bot
        people = beanie.look(table).people

    assert isinstance(seats[0].result(), Result)
    assert seats[0].result() == seats[1].result()
    assert people[made.user].bot


def test_game_goes_on_after_the_server_was_killed(tmp_path: Path) -> None:
    """A power cut is nothing a player has to know about: the client waits, comes back and plays on."""
    serving = Serving(tmp_path, Settings(limits=PLENTY, times=TIMES))
    asyncio.run(serving.start())
    asked, cut = Semaphore(0), Semaphore(0)
    decisions, bot = itertools.count(1), PLAYERS["pk"](1)

    def decide(*seen: Any) -> Command | None:
        """Wait for a power cut in the middle of the third and of the sixth decision."""
        if next(decisions) in {3, 6}:
            asked.release()
            assert cut.acquire(timeout=PATIENCE)
        return bot.decide(*seen)

    try:
        with Client(url(serving), retries=LASTING) as client, ThreadPoolExecutor(1) as threads:
            client.guest("Ada")
            table = client.open_table(Options(players=3), bots=("pk", "pk"), start=True)
            playing = threads.submit(client.play, table, decide, pace=PACE)
            for _ in range(2):
                assert asked.acquire(timeout=PATIENCE)
                serving.kill()
                cut.release()
                asyncio.run(serving.start())
            result = playing.result(PATIENCE)
            done = played(client, table, 0)
    finally:
        stopped = asyncio.run(serving.stop())

    assert stopped == 0
    assert isinstance(result, Result)
    assert any(isinstance(command, Plant) for command in done)


def test_merged_game_is_what_the_server_shows(ada: Client) -> None:
    """At the end of a game the frames have led to what a newcomer is shown."""
    table = ada.open_table(SHORT, bots=("pk", "pk"), start=True)
    ada.play(table, PLAYERS["pk"](1).decide, pace=PACE)
    game = Game(table)
    with ada.stream(table, since=1) as stream:
        for frame in stream:
            game.take(frame)
            if stream.seq == game.seq:
                break
    shown = ada.look(table)

    assert (game.view, game.room, game.seq) == (shown.game, shown.room, shown.seq)


def test_refusals_come_as_codes(ada: Client) -> None:
    """The rules and the server refuse in the same way, and a look is free."""
    table = ada.open_table(Options(players=3), bots=("pk", "pk"), start=True)
    verdict = ada.check(table, Harvest(0, 9))

    assert not verdict.legal
    with pytest.raises(RefusedByTable) as caught:
        ada.do(table, Harvest(0, 9))
    assert verdict.refusal is not None
    assert (caught.value.reason, caught.value.clause) == (verdict.refusal.reason, verdict.refusal.clause)
    with pytest.raises(RefusedByTable, match="already-started"):
        ada.start(table)


def test_same_id_is_done_once(ada: Client) -> None:
    """A command that is sent again under its id has one effect and one answer."""
    table = ada.open_table(Options(players=3))
    first = ada.do(table, SeatBot(1, "pk"), id="bot-1")

    assert ada.do(table, SeatBot(1, "pk"), id="bot-1") == first
    with pytest.raises(RefusedByTable, match="command-id-reused"):
        ada.do(table, SeatBot(2, "pk"), id="bot-1")


def test_chat_goes_through_the_client(ada: Client) -> None:
    """What is said can be read, behind a line too."""
    table = ada.open_table(Options(players=3))
    said = ada.say(table, "hello")
    again = ada.say(table, key=ada.catalog().phrases[0])

    assert ada.chat(table) == (said, again)
    assert ada.chat(table, after=said.line) == (again,)


@pytest.mark.parametrize("look", [Client.legal, Client.look], ids=["legal", "look"])
def test_looking_tells_the_own_seat(ada: Client, look: Callable[[Client, str], object]) -> None:
    """Both looks begin with where one sits."""
    table = ada.open_table(Options(players=3), bots=("pk", "pk"), start=True)
    found = look(ada, table)

    assert getattr(found, "seat", None) == 0
    assert getattr(found, "choices", None) is not None


def test_own_tables_are_listed(ada: Client) -> None:
    """A program that was started anew finds its tables."""
    table = ada.open_table(Options(players=3))

    assert [info.table for info in ada.tables(mine=True)] == [table]
    assert table not in {info.table for info in ada.tables()}


def test_client_imports_no_server() -> None:
    """To play, no web server and no database is loaded."""
    program = "import sys, bohn.client; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)  # noqa: S603 - our own interpreter
    loaded = set(found.stdout.split())

    assert loaded & {"starlette", "uvicorn", "sqlalchemy", "structlog", "prometheus_client"} == set()
    assert {name for name in loaded if name.startswith(("bohn.server.web", "bohn.server.tables"))} == set()
