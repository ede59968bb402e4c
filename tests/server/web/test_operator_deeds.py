"""What the operator does: tables closed, limits changed, people and addresses banned, all in the log."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from bohn.server.settings import Limits, Settings
from bohn.server.store.operating import Deed
from bohn.server.store.protocol import Report, User
from bohn.server.tables.notices import OperatorActed
from tests.server.support.site import Place, Visitor, checked, from_elsewhere, of, until, visit
from tests.server.web.test_chat import company, refused
from tests.server.web.test_operator import ban

# -- what he does --------------------------------------------------------------------------------------------


def test_table_is_closed_with_a_word_to_its_players() -> None:
    """They read it at once and later; it is done once."""

    async def scenario(place: Place) -> None:
        anna, _, _, table = await company(place)
        socket = anna.socket(table)
        await until(lambda: of(socket, "welcome"))
        operator = await place.operator()
        await operator.post(f"/api/operator/tables/{table}/close", {"word": "Good night"})
        await until(lambda: of(socket, "batch"))
        batch = of(socket, "batch")[-1]
        assert batch["events"][0] == {"event": "abandoned", "word": "Good night", "ended_by": "operator"}
        assert (batch["room"]["status"], batch["room"]["word"]) == ("abandoned", "Good night")
        assert (await anna.get(f"/api/tables/{table}"))["room"]["word"] == "Good night"
        again = await operator.ask("POST", f"/api/operator/tables/{table}/close", {"word": "Again"})
        assert refused(again) == (409, "table-over")
        (person,) = (await operator.get(f"/api/operator/people?find={anna.user}"))["people"]
        assert person["tables"] == []
        unknown = await operator.ask("POST", "/api/operator/tables/unknown/close", {"word": "Again"})
        assert refused(unknown) == (404, "no-such-table")
        await socket.hang_up()

    visit(scenario)


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        ({"word": "Good night", "report": 7}, (404, "not-found")),
        ({"word": " \u202e"}, (400, "text-not-allowed")),
        ({"word": ""}, (400, "text-not-allowed")),
    ],
)
def test_table_is_not_closed_by_what_makes_no_sense(body: Any, refusal: tuple[int, str]) -> None:
    """It is open as before."""

    async def scenario(place: Place) -> None:
        _, _, _, table = await company(place)
        operator = await place.operator()
        assert refused(await operator.ask("POST", f"/api/operator/tables/{table}/close", body)) == refusal
        assert await place.store.closings() == ()

    visit(scenario)


def test_words_of_an_operator_are_cleaned() -> None:
    """Those to players, reasons and notes alike: they are read where others' words are."""

    async def scenario(place: Place) -> None:
        anna, bert, _, table = await company(place)
        await bert.post(f"/api/tables/{table}/reports", {"user": anna.user, "reason": "x"})
        operator = await place.operator()
        words = "\u202eGood \x1b[2J night"
        await operator.post("/api/operator/sanctions", {**ban(bert.user), "reason": words})
        await operator.post(f"/api/operator/tables/{table}/close", {"word": words})
        await operator.post("/api/operator/reports/1/settle", {"word": words})
        deeds = await place.store.deeds()
        assert [deed.text for deed in deeds[-3:]] == ["Good [2J night"] * 3

    visit(scenario)


def test_other_workers_are_told_of_every_deed() -> None:
    """Else they would follow a sweep later."""

    async def scenario(place: Place) -> None:
        told: list[Any] = []
        place.services.tables.tell_others = told.append  # type: ignore[method-assign, assignment] # mypy: - who listens
        operator = await place.operator()
        await operator.post("/api/operator/limits", {"name": "tables", "value": 5})
        assert told == [OperatorActed()]

    visit(scenario)


@pytest.mark.parametrize(
    ("limit", "method", "path", "body"),
    [
        ("guests_at_once", "POST", "/api/guests", {"name": "Carl"}),
        ("changes_at_once", "PATCH", "/api/me", {"name": "Anne"}),
        ("chat_at_once", "POST", "/api/tables/{table}/chat", {"key": "hello"}),
        ("replays_at_once", "GET", "/api/tables/{table}/replay", None),
        ("commands_at_once", "POST", "/api/tables/{table}/commands", {"command": {"do": "stand"}}),
        ("requests_at_once", "GET", "/api/catalog", None),
    ],
)
def test_rate_that_is_lowered_holds_at_once(limit: str, method: str, path: str, body: Any) -> None:
    """Whoever had tokens left has none more than it allows."""

    async def scenario(place: Place) -> None:
        anna, _, _, table = await company(place)
        operator = await place.operator()
        await operator.post("/api/operator/limits", {"name": limit, "value": 1})
        who = place.stranger if limit == "guests_at_once" else anna
        answers = [await who.ask(method, path.format(table=table), body) for _ in range(2)]
        assert (answers[0].status == 429, answers[1].status) == (False, 429)

    slow = {name: 0.001 for name in Limits.__struct_fields__ if name.endswith("_a_second")}
    visit(scenario, Settings(limits=replace(Limits(), **slow)))


@pytest.mark.parametrize("limit", ["sockets", "sockets_an_address"])
def test_fewer_sockets_than_are_open_let_nobody_else_in(limit: str) -> None:
    """Whoever is there stays."""

    async def scenario(place: Place) -> None:
        anna, bert, _, table = await company(place)
        sockets = [anna.socket(table), bert.socket(table)]
        await until(lambda: all(of(socket, "welcome") for socket in sockets))
        operator = await place.operator()
        await operator.post("/api/operator/limits", {"name": limit, "value": 1})
        third = await bert.ask("GET", f"/api/tables/{table}/stream")
        assert refused(third) == (503, "server-full")
        for socket in sockets:
            socket.send({"type": "ping", "id": "p1"})
            await until(lambda: of(socket, "pong"))  # noqa: B023 - it is waited for here
            await socket.hang_up()

    visit(scenario)


def test_limits_are_changed_while_it_runs() -> None:
    """And reset; a value out of its range changes nothing."""

    async def scenario(place: Place) -> None:
        operator, anna = await place.operator(), await place.guest()
        limits = "/api/operator/limits"
        await operator.post(limits, {"name": "tables_a_user", "value": 1})
        await anna.open_table()
        assert refused(await anna.ask("POST", "/api/tables", {})) == (409, "too-many")
        await operator.post(limits, {"name": "tables_a_user", "value": None})
        await anna.open_table()
        for name, value in (("tables_a_user", 0), ("tables_a_user", 1.5), ("chat_a_second", 1e9)):
            answer = await operator.ask("POST", limits, {"name": name, "value": value})
            assert refused(answer) == (400, "out-of-range")
            assert set(answer.json()["params"]) == {"what", "given", "least", "most"}
        assert refused(await operator.ask("POST", limits, {"name": "x", "value": 1})) == (404, "not-found")
        shown = {one["name"]: one["value"] for one in (await operator.get("/api/operator"))["limits"]}
        assert (shown["tables_a_user"], shown["chat_a_second"]) == (8, 1.0)

    visit(scenario)


def test_rates_that_are_changed_hold_for_sockets_that_are_open() -> None:
    """Nobody has to come again."""

    async def scenario(place: Place) -> None:
        anna, _, _, table = await company(place)
        socket = anna.socket(table)
        await until(lambda: of(socket, "welcome"))
        operator = await place.operator()
        await operator.post("/api/operator/limits", {"name": "commands_at_once", "value": 1})
        for number in range(2):
            socket.send({"type": "ping", "id": f"p{number}"})
        await until(lambda: of(socket, "refused"))

        assert (len(of(socket, "pong")), of(socket, "refused")[0]["reason"]) == (1, "rate-limited")
        await socket.hang_up()

    visit(scenario)


def test_operator_cannot_ban_himself() -> None:
    """Neither his player in this browser nor the address from which he came."""

    async def scenario(place: Place) -> None:
        anna, operator = await place.guest(), await place.operator()
        both = Visitor(place.app, f"{operator.headers['cookie']}; {anna.headers['cookie']}")
        for body in (
            ban(anna.user),
            {**ban(""), "user": None, "network": "127.0.0.0/8", "anyway": True},
        ):
            answer = await both.ask("POST", "/api/operator/sanctions", body)
            assert refused(answer) == (409, "own-self")
        assert await place.store.sanctions(0) == ()

    visit(scenario)


@pytest.mark.parametrize(
    ("change", "status", "reason"),
    [
        ({"user": "nobody"}, 404, "no-such-user"),
        ({"user": None}, 404, "no-such-user"),
        ({"length": 1_000}, 400, "out-of-range"),
        ({"length": 10**15}, 400, "out-of-range"),
        ({"reason": " "}, 400, "text-not-allowed"),
        ({"user": "a\0b"}, 404, "no-such-user"),
        ({"report": 77}, 404, "not-found"),
        ({"report": -1}, 404, "not-found"),
        ({"report": 2**31}, 404, "not-found"),
        ({"report": 10**30}, 404, "not-found"),
        ({"network": "not an address"}, 400, "not-understood"),
        ({"network": "0.0.0.0/0", "anyway": False}, 409, "own-self"),
        ({"network": "10.0.0.0/8"}, 409, "everybodys-address"),
        ({"network": "100.64.3.4"}, 409, "everybodys-address"),
    ],
)
def test_sanction_that_makes_no_sense_changes_nothing(change: Any, status: int, reason: str) -> None:
    """A clear refusal, and no deed is written."""

    async def scenario(place: Place) -> None:
        anna, operator = await place.guest(), await place.operator()
        before = await place.store.last_deed()
        answer = await operator.ask("POST", "/api/operator/sanctions", {**ban(anna.user), **change})
        assert refused(answer) == (status, reason)
        assert await place.store.last_deed() == before
        assert await place.store.sanctions(0) == ()

    visit(scenario)


def test_address_of_a_crowd_is_banned_only_anyway() -> None:
    """Four others that are known to come from there are more than a family; he himself is no other."""

    async def scenario(place: Place) -> None:
        operator, anna = await place.operator(), await place.guest()
        for user in (anna.user, "bert", "carl", "dora"):
            place.services.addresses.came(user, "203.0.113.7")
        await operator.post("/api/operator/sanctions", ban(anna.user, network="203.0.113.7"))
        body = {"kind": "ban", "reason": "Floods", "network": "203.0.113.7"}
        answer = await operator.ask("POST", "/api/operator/sanctions", body)
        assert refused(answer) == (409, "everybodys-address")
        made = await operator.post("/api/operator/sanctions", {**body, "anyway": True})
        assert [one["network"] for one in made["sanctions"]] == ["203.0.113.7/32"]

    visit(scenario)


@pytest.mark.parametrize(
    ("address", "network", "neighbour", "stranger"),
    [
        ("203.0.113.7", "203.0.113.7/32", "203.0.113.7", "203.0.113.8"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1:2::7", "2001:db8:1:3::7"),
    ],
)
def test_ban_with_the_address_that_is_shown_is_two_sanctions(
    address: str, network: str, neighbour: str, stranger: str
) -> None:
    """One for the user, one for where he came from, whatever address he takes there next."""

    async def scenario(place: Place) -> None:
        operator, anna = await place.operator(), await place.guest()
        await from_elsewhere(place, anna.headers, address, "/api/me")
        (person,) = (await operator.get(f"/api/operator/people?find={anna.user}"))["people"]
        made = await operator.post("/api/operator/sanctions", ban(anna.user, network=person["address"]))
        assert [(one["user"], one["network"]) for one in made["sanctions"]] == [
            (anna.user, None),
            (None, network),
        ]
        (person,) = (await operator.get(f"/api/operator/people?find={anna.user}"))["people"]
        assert person["standing"]["sanction"] == "ban"
        asked = [
            await from_elsewhere(place, {}, one, "/api/tables") for one in (address, neighbour, stranger)
        ]
        assert asked == [403, 403, 200]

    visit(scenario)


def test_lists_tell_that_there_is_more() -> None:
    """A hundred tables, people and reports are shown; deeds are the newest."""

    async def scenario(place: Place) -> None:
        operator = await place.operator()
        for path in ("tables", "people", "reports", "deeds"):
            assert (await operator.get(f"/api/operator/{path}"))["more"] is False
        for number in range(101):
            await place.store.put_user(User(f"u{number}", f"U{number}", "en", 0))
            await place.store.report(Report("t", 0, "u1", "u2", number, "", "x"))
            await place.store.write_deed(Deed(0, number, "terminal:root", "settle", "u2"))
        for path in ("people", "reports", "deeds"):
            shown = await operator.get(f"/api/operator/{path}")
            assert (len(shown[path]), shown["more"]) == (100, True)
        assert (await operator.get("/api/operator/deeds"))["deeds"][0]["at"] == 100

    visit(scenario)


def test_address_of_a_proxy_is_banned_only_anyway() -> None:
    """Else everybody behind it would be."""

    async def scenario(place: Place) -> None:
        operator = await place.operator()
        body = {"kind": "ban", "reason": "Floods", "network": "203.0.113.7"}
        answer = await operator.ask("POST", "/api/operator/sanctions", body)
        assert refused(answer) == (409, "everybodys-address")

    visit(scenario, Settings(proxies=("203.0.113.0/28",)))


def test_person_is_shown_with_the_sanction_of_his_address() -> None:
    """As if it were his own: it is what he meets."""

    async def scenario(place: Place) -> None:
        operator, anna = await place.operator(), await place.guest()
        place.services.addresses.came(anna.user, "203.0.113.7")
        await operator.post("/api/operator/sanctions", {**ban(""), "user": None, "network": "203.0.113.7"})
        (person,) = (await operator.get(f"/api/operator/people?find={anna.user}"))["people"]
        assert person["standing"]["sanction"] == "ban"

    visit(scenario)


def test_every_deed_is_in_the_log_with_who_did_it() -> None:
    """By the link's name; the log tells whether it is whole."""

    async def scenario(place: Place) -> None:
        operator, anna = await place.operator(), await place.guest()
        await operator.post("/api/operator/sanctions", ban(anna.user))
        await operator.post("/api/operator/limits", {"name": "tables", "value": 5})
        shown = checked(await operator.ask("GET", "/api/operator/deeds"))
        assert [(one["deed"], one["about"]) for one in shown["deeds"][:2]] == [
            ("limit", "tables"),
            ("ban", anna.user),
        ]
        assert {one["by"].partition(":")[0] for one in shown["deeds"]} == {"page", "terminal"}
        assert shown["whole"] is True
        deeds = place.store._data.deeds  # type: ignore[attr-defined] # mypy: - the memory store
        del deeds[1]
        assert (await operator.get("/api/operator/deeds"))["whole"] is False

    visit(scenario)
