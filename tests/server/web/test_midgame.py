"""Opening a table on which an earlier game goes on, or a lesson begins; and what lists tell of games."""

from __future__ import annotations

from typing import Any

import pytest

from bohn.server.people.service import digest
from bohn.server.settings import Limits, Settings
from bohn.server.store.protocol import Session, User
from tests.server.support.asgi import request
from tests.server.support.past import keep_finished, text_of
from tests.server.support.rooms import ANNA
from tests.server.support.site import Place, Visitor, checked, visit


def refused(answer: Any) -> tuple[int, str, Any]:
    """Return status, reason and ``what`` of a refusal."""
    body = answer.json()
    return answer.status, body["reason"], body["params"].get("what")


async def kept(visitor: Visitor) -> str:
    """Keep a record, and return its id."""
    headers = {**visitor.headers, "content-type": "application/x-ndjson"}
    answer = await request(visitor.app, "POST", "/api/records", text_of(), headers=headers)
    record: str = checked(answer)["record"]
    return record


def test_record_is_played_on() -> None:
    """Behind the entry that was asked for, on that seat, at once."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        record = await kept(anna)
        made = await anna.post("/api/tables", {"origin": {"record": record, "entry": 20, "seat": 1}})
        table = await anna.get(f"/api/tables/{made['table']}")

        assert made["seq"] == table["seq"] == 22
        assert (table["seat"], table["room"]["status"]) == (1, "playing")
        assert table["room"]["origin"] == {"entry": 20, "seat": 1, "table": None, "record": record}
        assert table["room"]["seats"][2]["name"] == "Bot2"
        assert table["game"]["own"]["hand"]

    visit(scenario)


def test_finished_table_is_played_on() -> None:
    """By whoever may watch it; with the clock and the bots he wants."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await keep_finished(place.store, anna.user)
        body = {
            "origin": {"table": table, "entry": 5, "seat": 3},
            "options": {"clock": "fast"},
            "bots": ["b6"],
        }
        new = await anna.get(f"/api/tables/{await anna.open_table(**body)}")

        assert new["room"]["origin"]["table"] == table
        assert [seat["bot"] for seat in new["room"]["seats"]] == ["b6", "pk", "pk", None]
        assert (new["room"]["options"]["clock"], new["room"]["options"]["players"]) == ("fast", 4)
        assert new["clocks"]

    visit(scenario)


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ({"entry": 1, "seat": 0}, (400, "options-not-valid", "origin")),
        ({"entry": 1, "seat": 0, "table": "t1", "record": "r1"}, (400, "options-not-valid", "origin")),
        ({"entry": 1, "seat": 0, "table": "nowhere"}, (404, "no-such-table", None)),
        ({"entry": 1, "seat": 0, "table": "a b"}, (404, "no-such-table", None)),
        ({"entry": 1, "seat": 0, "table": ""}, (404, "no-such-table", None)),
        ({"entry": 1, "seat": 0, "record": "nowhere"}, (404, "no-such-record", None)),
        ({"entry": 1, "seat": 0, "record": "\0"}, (404, "no-such-record", None)),
        ({"entry": 1, "seat": 9, "table": "t1"}, (409, "no-such-seat", None)),
        ({"entry": 10**6, "seat": 0, "table": "t1"}, (400, "options-not-valid", "entry")),
    ],
)
def test_origin_must_be_a_moment_of_a_game(origin: dict[str, Any], expected: tuple[Any, ...]) -> None:
    """Of one game, and one that may be watched."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        await keep_finished(place.store, anna.user)

        assert refused(await anna.ask("POST", "/api/tables", {"origin": origin})) == expected
        assert len((await anna.get("/api/me/tables"))["tables"]) == 0

    visit(scenario)


def test_long_game_is_played_on_up_to_some_entry() -> None:
    """All that was before stands in the log of the new table."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await keep_finished(place.store, anna.user)
        origin = {"table": table, "seat": 0}
        late = await anna.ask("POST", "/api/tables", {"origin": {**origin, "entry": 10}})

        assert refused(late) == (400, "options-not-valid", "entry")
        assert await anna.open_table(origin={**origin, "entry": 9})

    visit(scenario, Settings(limits=Limits(begun_entries=10)))


def test_playing_on_costs_by_its_entries() -> None:
    """To open a table is two commands; behind entry 500 it is two more, whether or not it is there."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        body = {"origin": {"record": "nowhere", "entry": 500, "seat": 0}}
        answers = [await anna.ask("POST", "/api/tables", body) for _ in range(3)]

        reasons = [refused(answer)[1] for answer in answers]
        assert reasons == ["no-such-record", "no-such-record", "rate-limited"]

    visit(scenario, Settings(limits=Limits(commands_at_once=8, commands_a_second=0.001)))


def test_game_that_is_not_over_is_no_origin() -> None:
    """Nobody looks at the cards of a running game by playing it on; not at one that was given up, either."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table(options={"players": 3}, bots=["pk", "pk"], start=True)
        body = {"origin": {"table": table, "entry": 0, "seat": 0}}

        assert refused(await anna.ask("POST", "/api/tables", body)) == (409, "not-finished", None)
        await anna.post(f"/api/tables/{table}/commands", {"command": {"do": "end-table"}})
        assert refused(await anna.ask("POST", "/api/tables", body)) == (409, "not-finished", None)

    visit(scenario)


def test_table_of_others_is_no_origin() -> None:
    """Who may not see it may not play it on."""

    async def scenario(place: Place) -> None:
        table = await keep_finished(place.store)
        ben = await place.guest("Ben")
        body = {"origin": {"table": table, "entry": 0, "seat": 0}}

        assert refused(await ben.ask("POST", "/api/tables", body)) == (404, "no-such-table", None)

    visit(scenario)


def test_same_request_opens_one_table() -> None:
    """A page that asks again under its key gets the table it has."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        record = await kept(anna)
        for body in ({"origin": {"record": record, "entry": 20, "seat": 1}}, {"lesson": "first-game"}):
            key = {"idempotency-key": next(iter(body))}
            made = [checked(await anna.ask("POST", "/api/tables", body, key)) for _ in range(2)]
            assert made[0] == made[1]

        tables = (await anna.get("/api/me/tables"))["tables"]
        assert sorted((one["origin"], one["lesson"]) for one in tables) == [
            (False, "first-game"),
            (True, None),
        ]

    visit(scenario)


def test_unknown_bot_plays_on_for_nobody() -> None:
    """Bots of lessons sit in lessons only."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        record = await kept(anna)
        for bot in ("nobody", "first-game"):
            body = {"origin": {"record": record, "entry": 1, "seat": 0}, "bots": [bot]}
            answer = await anna.ask("POST", "/api/tables", body)
            assert refused(answer)[:2] == (409, "unknown-bot")

    visit(scenario)


# -- lessons -------------------------------------------------------------------------------------------------


def test_lesson_begins_at_once() -> None:
    """The learner sits where the catalog says, among bots with names."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        (lesson,) = (await anna.get("/api/catalog"))["lessons"]
        table = await anna.get(f"/api/tables/{await anna.open_table(lesson=lesson['lesson'])}")
        room = table["room"]

        assert (lesson["lesson"], lesson["edition"], lesson["seat"]) == ("first-game", "full", 0)
        assert (room["lesson"], room["status"], table["seat"]) == ("first-game", "playing", lesson["seat"])
        assert [seat["name"] for seat in room["seats"]] == lesson["names"] == ["", "Anna", "Bert"]
        assert list(room["options"]["house_rules"]) == lesson["house_rules"]
        assert (room["options"]["listed"], room["options"]["spectators"]) == (False, False)
        assert (room["options"]["clock"], room["commitment"]) == ("none", "")

    visit(scenario)


def test_lesson_that_is_begun_anew_ends_the_one_before() -> None:
    """Whoever begins again leaves nothing behind."""

    async def scenario(place: Place) -> None:
        anna, ben = await place.guest(), await place.guest("Ben")
        tables = [await visitor.open_table(lesson="first-game") for visitor in (anna, ben, anna)]
        status = [(await place.store.listing(table)) for table in tables]

        assert [one.status for one in status if one is not None] == ["abandoned", "playing", "playing"]

    visit(scenario)


@pytest.mark.parametrize(
    "body",
    [{"lesson": "nothing"}, {"lesson": ""}, {"lesson": "first-game", "origin": {"entry": 0, "seat": 0}}],
)
def test_unknown_lesson_is_refused(body: dict[str, Any]) -> None:
    """And so is one with an origin."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()

        assert refused(await anna.ask("POST", "/api/tables", body)) == (400, "options-not-valid", "lesson")

    visit(scenario)


# -- lists ---------------------------------------------------------------------------------------------------


def test_list_tells_who_sits_where() -> None:
    """By seat: people by name, bots by theirs, and which seat is one's own."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        await anna.open_table(options={"players": 4}, bots=["pk"])
        (mine,) = (await anna.get("/api/me/tables"))["tables"]

        assert mine["seats"] == [
            {"person": {"name": "Anna", "bot": False, "handle": ""}, "bot": None, "name": "", "mine": True},
            {"person": None, "bot": "pk", "name": "", "mine": False},
            {"person": None, "bot": None, "name": "", "mine": False},
            {"person": None, "bot": None, "name": "", "mine": False},
        ]
        assert (mine["result"], mine["origin"], mine["lesson"]) == (None, False, None)

    visit(scenario)


def test_list_tells_how_a_game_ended() -> None:
    """Coins and winners by seat, without anybody reading its log."""

    async def scenario(place: Place) -> None:
        await keep_finished(place.store)
        await place.store.put_user(User(ANNA, "Anna", "en", 0))
        now = place.clock.now()
        session = Session(digest("secret"), ANNA, now, cookie=True, scopes=("read",), used=now)
        await place.store.put_session(session)
        anna = Visitor(place.app, cookie="bohn=secret")
        (mine,) = (await anna.get("/api/me/tables"))["tables"]
        summary = await anna.get("/api/tables/t1/summary")

        assert (mine["status"], mine["result"]) == ("finished", summary["result"])
        assert [seat["mine"] for seat in mine["seats"]] == [True, False, False, False]
        assert [seat["bot"] for seat in mine["seats"]] == [None, "pk", "pk", "b3"]  # Bert was handed over

    visit(scenario)
