"""The lobby: the catalog, the lists, and opening a table."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any, get_args

import pytest

from bohn.bots import DEFAULT, LEVELS, PLAYERS
from bohn.i18n.catalog import _patterns
from bohn.protocol.room import ClockName
from bohn.rulebook.in_force import trades
from bohn.rules.editions import EDITIONS
from bohn.rules.resolve import house_rules_for
from bohn.server.people.chat import PHRASES
from bohn.server.settings import Limits, Settings
from tests.patience import PATIENCE
from tests.server.support.serving import PLENTY
from tests.server.support.site import Place, Visitor, of, until, visit

RULES = ["starter=seat:0"]


def refused(answer: Any) -> tuple[int, str]:
    """Return status and reason of a refusal."""
    return answer.status, answer.json()["reason"]


def test_catalog_tells_all_there_is() -> None:
    """A page needs no list of its own."""

    async def scenario(place: Place) -> None:
        catalog = await place.stranger.get("/api/catalog")

        assert catalog["protocol"] == 1
        assert catalog["bots"] == [*PLAYERS, *LEVELS]
        assert catalog["phrases"] == list(PHRASES)
        assert "en" in catalog["languages"]
        assert [clock["clock"] for clock in catalog["clocks"]] == list(get_args(ClockName))
        assert {entry["edition"]: entry["players"] for entry in catalog["editions"]} == {
            edition: list(by_players) for edition, by_players in EDITIONS.items()
        }

    visit(scenario)


def test_catalog_names_bots_for_every_edition() -> None:
    """The usual one is among them, and each has a name and a sentence on the page."""
    english = _patterns("en")

    async def scenario(place: Place) -> None:
        for entry in (await place.stranger.get("/api/catalog"))["editions"]:
            trading = any(map(trades, EDITIONS[entry["edition"]].values()))
            assert entry["usual"] == ("gentle" if trading else DEFAULT)
            assert entry["usual"] in entry["bots"]
            assert len(set(entry["bots"])) == len(entry["bots"]) >= 4
            assert set(entry["bots"]) <= {*LEVELS, *PLAYERS}
            assert {f"bot.{name}{end}" for name in entry["bots"] for end in ("", "-hint")} <= set(english)

    visit(scenario)


def test_catalog_names_who_searches_only_where_he_does() -> None:
    """Where code is interpreted `strongest` is no other than `strong`, so nobody is led to choose it."""

    async def scenario(place: Place) -> None:
        found = []
        for searches in (False, True):
            place.services.searches = partial(bool, searches)
            editions = (await place.stranger.get("/api/catalog"))["editions"]
            found.append(["strongest" in entry["bots"] for entry in editions])
        assert not any(found[0])
        assert any(found[1])

    visit(scenario)


def test_market_of_a_game_over_days_waits_until_everybody_has_passed() -> None:
    """Computer players leave it open for hours, whether anybody looks or not; then a pass ends it."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        options = {"players": 3, "clock": "24h", "house_rules": ["starter=seat:1"]}
        table = await anna.open_table(options=options, bots=[DEFAULT] * 2, start=True)
        shown = f"/api/tables/{table}"

        async def phase() -> Any:
            return (await anna.get(shown))["game"]["phase"]

        async def passed() -> set[int]:
            return set((await phase()).get("passes", ()))

        async with asyncio.timeout(PATIENCE):
            while await passed() != {1, 2}:
                await place.clock.advance(500)
                await asyncio.sleep(0.02)  # computer players think in time that is not the table's
        for _ in range(60):
            await place.clock.advance(60_000)
        assert await passed() == {1, 2}
        options = (await anna.get(shown))["room"]["options"]
        assert options["house_rules"] == ["starter=seat:1", "closing=unanimous"]
        await anna.post(f"{shown}/commands", {"id": "pass", "command": {"do": "pass", "player": 0}})
        assert (await phase())["phase"] != "trade"

    visit(scenario, Settings(limits=PLENTY))


@pytest.mark.parametrize(("edition", "players"), [("full", 2), ("das-duell", 2), ("classic-ja", 3)])
def test_bots_of_an_edition_play_it(edition: str, players: int) -> None:
    """A table is opened with each of them at once, and the bots make the first moves."""

    async def scenario(place: Place) -> None:
        catalog = await place.stranger.get("/api/catalog")
        (entry,) = (one for one in catalog["editions"] if one["edition"] == edition)
        anna = await place.guest()
        for bot in entry["bots"]:
            options = {"edition": edition, "players": players, "house_rules": ["starter=seat:1"]}
            table = await anna.open_table(options=options, bots=[bot] * (players - 1), start=True)
            before = (await anna.get(f"/api/tables/{table}"))["seq"]
            await place.clock.advance(3_000)
            async with asyncio.timeout(PATIENCE):
                while (await anna.get(f"/api/tables/{table}"))["seq"] == before:
                    await place.clock.advance(500)
            await anna.post(f"/api/tables/{table}/commands", {"id": "end", "command": {"do": "end-table"}})

    visit(scenario, Settings(limits=PLENTY))


def test_catalog_has_every_house_rule() -> None:
    """For each edition, whatever the number of players."""

    async def scenario(place: Place) -> None:
        catalog = await place.stranger.get("/api/catalog")
        for entry in catalog["editions"]:
            told = {f"{key}={value}" for key, values in entry["house_rules"].items() for value in values}
            known = {text for rules in EDITIONS[entry["edition"]].values() for text in house_rules_for(rules)}

            assert told == known

    visit(scenario)


def test_listed_tables_are_shown_to_everybody() -> None:
    """With who sits there and who is present; private ones are not."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table(options={"listed": True, "players": 3}, bots=["pk"])
        await anna.open_table()
        socket = anna.socket(table)
        await until(lambda: of(socket, "welcome"))
        (shown,) = (await place.stranger.get("/api/tables"))["tables"]

        assert (shown["table"], shown["status"], shown["taken"], shown["bots"], shown["here"]) == (
            table,
            "open",
            2,
            1,
            1,
        )
        assert shown["people"] == [{"name": "Anna", "bot": False, "handle": ""}]
        assert shown["host"] == {"name": "Anna", "bot": False, "handle": ""}
        assert shown["mine"] is False
        assert (await anna.get("/api/tables"))["tables"][0]["mine"] is True
        await socket.hang_up()

    visit(scenario)


def test_list_shows_presence_of_open_connections_only() -> None:
    """Nobody stays behind as a ghost."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table(options={"listed": True})
        socket = anna.socket(table)
        await until(lambda: of(socket, "welcome"))
        await socket.hang_up()
        await place.clock.advance(20_000)

        assert (await anna.get("/api/tables"))["tables"][0]["here"] == 0

    visit(scenario)


def test_own_tables_tell_which_games_wait_for_one() -> None:
    """For the one whose move it is, and for nobody in a pause or in the list of all tables."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest(), await place.guest("Bert")
        options = {"edition": "full", "players": 3, "house_rules": ["starter=seat:0"], "listed": True}
        made = await anna.post("/api/tables", {"options": options, "bots": ["pk"]})
        commands = f"/api/tables/{made['table']}/commands"
        await bert.post(commands, {"command": {"do": "sit", "seat": None}})
        before = await anna.get("/api/me/tables")
        await anna.post(commands, {"command": {"do": "start"}})
        lists = [await one.get("/api/me/tables") for one in (anna, bert)]
        everybody = await bert.get("/api/tables")
        await anna.post(commands, {"command": {"do": "pause"}})
        paused = await anna.get("/api/me/tables")
        told = [found["tables"][0]["waits"] for found in (before, *lists, everybody, paused)]

        assert told == [False, True, False, False, False]

    visit(scenario)


def test_own_tables_tell_for_whom_a_game_waits_and_until_when() -> None:
    """Over days: seat, phase and clock, to whoever is waited for and to whoever waits."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest(), await place.guest("Bert")
        rules = {"edition": "full", "players": 3, "house_rules": RULES, "clock": "12h", "listed": True}
        made = await anna.post("/api/tables", {"options": rules, "bots": ["pk"]})
        commands = f"/api/tables/{made['table']}/commands"
        await bert.post(commands, {"command": {"do": "sit", "seat": None}})
        await anna.post(commands, {"command": {"do": "start"}})
        (mine,), (his,) = [(await one.get("/api/me/tables"))["tables"] for one in (anna, bert)]
        due = place.clock.now() + 36 * 3_600_000  # the reserve is behind the time of the move

        for told in (mine["awaited"], his["awaited"]):
            assert (told["seats"], told["active"]) == ([0], 0)
            assert (told["phase"], told["all_done"]) == ("plant", False)
            assert (told["clock"]["due"], told["clock"]["reserve"]) == (due, 24 * 3_600_000)

        await anna.post(commands, {"command": {"do": "pause"}})
        told = (await bert.get("/api/me/tables"))["tables"][0]["awaited"]
        assert (told["seats"], told["paused"], told["clock"]) == ([], True, None)

    visit(scenario)


def test_own_tables_tell_that_a_trading_ends_with_the_next_look() -> None:
    """Once everybody has passed or is done at the next check: then nobody is waited for."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        rules = {"edition": "full", "players": 3, "house_rules": RULES, "clock": "12h", "listed": True}
        made = await anna.post("/api/tables", {"options": rules, "bots": []})
        bert, carl = await place.guest("Bert"), await place.guest("Carl")
        commands = f"/api/tables/{made['table']}/commands"
        for one in (bert, carl):
            await one.post(commands, {"command": {"do": "sit", "seat": None}})
        await anna.post(commands, {"command": {"do": "start"}})
        await play_until_trading(anna, made["table"])
        told = []
        for one in (anna, bert, carl):
            await one.post(commands, {"command": {"do": "be-done", "done": True}})
            awaited = (await anna.get("/api/me/tables"))["tables"][0]["awaited"]
            told.append((awaited["seats"], awaited["all_done"]))
            assert awaited["clock"]["beat"] is not None

        assert told == [([1, 2], False), ([2], False), ([], True)]

    visit(scenario)


def test_own_tables_tell_to_turn_over_once_nothing_can_be_planted() -> None:
    """To whoever can do nothing else, as his table says; the others learn nothing of his hand by it."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest(), await place.guest("Bert")
        options = {"edition": "full", "players": 3, "house_rules": RULES, "clock": "12h"}
        made = await anna.post("/api/tables", {"options": options, "bots": ["pk"]})
        commands = f"/api/tables/{made['table']}/commands"
        link = await anna.post(f"/api/tables/{made['table']}/links")
        await bert.post("/api/links", {"token": link["token"]})
        await bert.post(commands, {"command": {"do": "sit", "seat": None}})
        await anna.post(commands, {"command": {"do": "start"}})
        await anna.post(commands, {"command": {"do": "plant", "player": 0, "field": 0}})
        await anna.post(commands, {"command": {"do": "plant", "player": 0, "field": 1}})
        told = [(await one.get("/api/me/tables"))["tables"][0]["awaited"]["phase"] for one in (anna, bert)]

        assert told == ["reveal", "plant"]

    visit(scenario)


async def play_until_trading(who: Visitor, table: str) -> None:
    """Plant and turn over until beans are traded."""
    for _ in range(4):
        welcome = await who.get(f"/api/tables/{table}")
        if welcome["game"]["phase"]["phase"] == "trade":
            return
        legal = (await who.get(f"/api/tables/{table}/legal"))["choices"]["legal"]
        chosen = next((one for one in legal if one["do"] == "reveal"), legal[0])
        await who.post(f"/api/tables/{table}/commands", {"command": chosen})


def test_own_tables_tell_who_deals() -> None:
    """A full table waits for its host, who is told so, and nobody else."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest(), await place.guest("Bert")
        made = await anna.post("/api/tables", {"options": {"players": 3, "listed": True}, "bots": ["pk"]})
        await bert.post(f"/api/tables/{made['table']}/commands", {"command": {"do": "sit", "seat": None}})
        lists = [(await one.get("/api/me/tables"))["tables"][0] for one in (anna, bert)]

        assert [found["hosts"] for found in lists] == [True, False]
        assert [found["taken"] for found in lists] == [3, 3]

    visit(scenario)


def test_own_tables_are_listed_private_and_finished_ones_too() -> None:
    """So that one finds back."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest(), await place.guest("Bert")
        first = await anna.open_table()
        second = await anna.open_table()
        await anna.post(f"/api/tables/{first}/commands", {"command": {"do": "end-table"}})
        mine = (await anna.get("/api/me/tables"))["tables"]

        assert {table["table"]: table["status"] for table in mine} == {first: "abandoned", second: "open"}
        assert (await bert.get("/api/me/tables"))["tables"] == []

    visit(scenario)


def test_play_now_deals_at_once() -> None:
    """A guest, two bots, and the cards are dealt."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        made = await anna.post("/api/tables", {"options": {"players": 3}, "bots": ["b3"], "start": True})
        welcome = await anna.get(f"/api/tables/{made['table']}")

        assert (welcome["seq"], welcome["room"]["status"], welcome["seat"]) == (made["seq"], "playing", 0)
        assert [seat["bot"] for seat in welcome["room"]["seats"]] == [None, "b3", "pk"]
        assert len(welcome["game"]["own"]["hand"]) == 5

    visit(scenario)


def test_table_is_opened_without_sitting_down() -> None:
    """A host may only run the table."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table(sit=False)
        welcome = await anna.get(f"/api/tables/{table}")

        assert (welcome["seat"], welcome["room"]["host"]) == (None, anna.user)

    visit(scenario)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"options": {"edition": "chess"}}, "options-not-valid"),
        ({"options": {"players": 9}}, "options-not-valid"),
        ({"options": {"house_rules": ["nonsense=1"]}}, "options-not-valid"),
        ({"bots": ["hal"]}, "unknown-bot"),
        ({"bots": ["pk"] * 4}, "options-not-valid"),
        ({"salt": "zz"}, "salt-not-valid"),
        ({"options": {"clock": "sundial"}}, "not-understood"),
        ({"options": {"players": 10**30}}, "options-not-valid"),
        ({"options": {"delay": -5}}, "options-not-valid"),
    ],
)
def test_table_that_cannot_be_is_refused_and_leaves_nothing(body: dict[str, Any], reason: str) -> None:
    """All of what was asked for, or nothing."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        answer = await anna.ask("POST", "/api/tables", body)

        assert answer.json()["reason"] == reason
        assert answer.status in (400, 409)
        assert await place.store.listings(listed_only=False, statuses=("open", "playing")) == ()

    visit(scenario)


def test_tables_of_a_user_are_limited() -> None:
    """One does not fill the lobby."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        await anna.open_table()

        answer = await anna.ask("POST", "/api/tables", {})
        assert answer.status in (409, 429)
        assert len((await anna.get("/api/me/tables"))["tables"]) == 1

    visit(scenario, Settings(limits=Limits(tables_a_user=1)))
