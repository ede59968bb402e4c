"""The operator: how he comes in, what he sees, what he does, and what he cannot do."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from bohn.server.moderation.keys import LINK_FOR, SESSION_FOR
from bohn.server.moderation.networks import network_of
from bohn.server.settings import Limits, Settings
from bohn.server.store.operating import Deed
from bohn.server.store.protocol import Report, User
from bohn.server.tables.notices import OperatorActed
from tests.server.support.asgi import ORIGIN, request
from tests.server.support.site import Place, Visitor, checked, from_elsewhere, of, until, visit
from tests.server.web.test_chat import company, refused

SESSION = "/api/operator/session"


async def link(place: Place, network: str | None = None) -> dict[str, str]:
    """Return the body with a new link."""
    return {
        "token": await place.services.keys.link(
            "terminal:root", None if network is None else network_of(network)
        )
    }


def ban(user: str, **more: Any) -> dict[str, Any]:
    """Return the body of a ban."""
    return {"kind": "ban", "user": user, "reason": "Insults", "length": 3_600_000, **more}


# -- coming in -----------------------------------------------------------------------------------------------


def test_link_of_an_operator_is_used_once() -> None:
    """However it is sent again."""

    async def scenario(place: Place) -> None:
        body = await link(place)
        first = await place.stranger.ask("POST", SESSION, body)
        assert first.status == 200
        assert refused(await place.stranger.ask("POST", SESSION, body)) == (404, "link-not-valid")
        assert (await Visitor(place.app, first.cookie).ask("GET", "/api/operator")).status == 200

    visit(scenario)


@pytest.mark.parametrize(("wait", "status"), [(LINK_FOR - 1, 200), (LINK_FOR, 404)])
def test_link_of_an_operator_is_refused_late(wait: int, status: int) -> None:
    """After ten minutes."""

    async def scenario(place: Place) -> None:
        body = await link(place)
        await place.clock.advance(wait)
        assert (await place.stranger.ask("POST", SESSION, body)).status == status

    visit(scenario)


def test_link_of_an_operator_is_refused_from_elsewhere() -> None:
    """It is for this machine, or for the network that was named; a foreign page cannot use it either."""

    async def scenario(place: Place) -> None:
        elsewhere = await link(place, "203.0.113.7")
        assert refused(await place.stranger.ask("POST", SESSION, elsewhere)) == (404, "link-not-valid")
        foreign = await place.stranger.ask(
            "POST", SESSION, await link(place), {"origin": "https://evil.test"}
        )
        assert refused(foreign) == (403, "foreign-origin")
        assert (await place.stranger.ask("POST", SESSION, await link(place, "127.0.0.1"))).status == 200

    visit(scenario)


def test_link_of_an_operator_is_for_this_machine_unless_another_network_is_named() -> None:
    """Who has overheard it elsewhere does not even use it up."""

    async def scenario(place: Place) -> None:
        body = await link(place)
        for address in ("203.0.113.7", "10.0.0.1", "2001:db8::1", "::ffff:203.0.113.7"):
            answer = await request(place.app, "POST", SESSION, body, client=address)
            assert refused(answer) == (404, "link-not-valid")
        assert (await request(place.app, "POST", SESSION, body, client="::1")).status == 200

    visit(scenario)


@pytest.mark.parametrize(
    ("address", "same", "other"),
    [
        ("203.0.113.7", "::ffff:203.0.113.7", "203.0.113.8"),
        ("2001:db8:1:2::5", "2001:db8:1:2:ffff::1", "2001:db8:1:3::5"),
    ],
)
def test_session_of_an_operator_holds_where_it_began(address: str, same: str, other: str) -> None:
    """At another address the cookie is none; of IPv6 a household may change its addresses."""

    async def scenario(place: Place) -> None:
        body = await link(place, "::/0" if ":" in address else "0.0.0.0/0")
        answer = await request(place.app, "POST", SESSION, body, client=address)
        cookie = {"cookie": answer.cookie}
        asked = [await from_elsewhere(place, cookie, one, "/api/operator") for one in (address, same, other)]
        assert asked == [200, 200, 401]

    visit(scenario)


def test_session_of_an_operator_is_short_strict_and_of_one_address() -> None:
    """Its cookie is read by no script and sent by no other page; it ends, and is of one address."""

    async def scenario(place: Place) -> None:
        answer = await place.stranger.ask("POST", SESSION, await link(place))
        parts = {part.strip().lower() for part in answer.header("set-cookie").split(";")[1:]}
        assert {"httponly", "samesite=strict", "path=/", "max-age=3600"} <= parts
        operator = Visitor(place.app, answer.cookie)
        stored = await place.store.operator_key(next(iter(place.store._data.operator_keys)))  # type: ignore[attr-defined] # mypy: - the memory store
        assert stored is not None
        assert stored.network == "127.0.0.1/32"
        await place.clock.advance(SESSION_FOR - 1)
        assert (await operator.ask("GET", "/api/operator")).status == 200
        await place.clock.advance(1)
        assert refused(await operator.ask("GET", "/api/operator")) == (401, "no-operator")

    visit(scenario)


def test_operator_signs_out() -> None:
    """Then the cookie is none any more."""

    async def scenario(place: Place) -> None:
        operator = await place.operator()
        answer = await operator.ask("DELETE", SESSION)
        assert "max-age=0" in answer.header("set-cookie").lower()
        assert refused(await operator.ask("GET", "/api/operator")) == (401, "no-operator")
        deeds = await place.store.deeds()
        assert [deed.deed for deed in deeds] == ["sign-in", "sign-in", "sign-out"]
        secret = operator.headers["cookie"].partition("=")[2]
        assert not [deed for deed in deeds if secret in repr(deed)]

    visit(scenario)


def test_links_are_tried_only_so_often() -> None:
    """As everything that changes something."""

    async def scenario(place: Place) -> None:
        answers = [await place.stranger.ask("POST", SESSION, {"token": "x"}) for _ in range(4)]
        assert [answer.status for answer in answers] == [404] * 3 + [429]

    visit(scenario, Settings(limits=Limits(changes_at_once=3)))


def test_deed_of_an_operator_from_a_foreign_page_is_refused() -> None:
    """As everything that changes anything."""

    async def scenario(place: Place) -> None:
        operator, anna = await place.operator(), await place.guest()
        for headers in ({"origin": "https://evil.test"}, {"sec-fetch-site": "cross-site"}):
            answer = await operator.ask("POST", "/api/operator/sanctions", ban(anna.user), headers)
            assert refused(answer) == (403, "foreign-origin")
        plain = {"origin": ORIGIN, "content-type": "text/plain"}
        assert (await operator.ask("POST", "/api/operator/sanctions", b"{}", plain)).status == 415
        assert await place.store.sanctions(0) == ()

    visit(scenario)


# -- what he sees --------------------------------------------------------------------------------------------


def test_operator_sees_tables_people_and_load() -> None:
    """Tables that are not listed too."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table()
        operator = await place.operator()
        shown = await operator.get("/api/operator")
        assert (shown["people"], shown["tables"], shown["loaded"]) == (1, {"open": 1}, 1)
        assert [one["table"] for one in (await operator.get("/api/operator/tables"))["tables"]] == [table]
        (person,) = (await operator.get("/api/operator/people?find=ann"))["people"]
        assert (person["user"], person["tables"], person["address"]) == (anna.user, [table], "127.0.0.1")
        assert (await operator.get("/api/operator/people?find=x"))["people"] == []

    visit(scenario)


def test_report_is_shown_with_its_context_and_what_was_done() -> None:
    """The lines around it, the log without cards, and each deed that names it."""

    async def scenario(place: Place) -> None:
        anna, bert, chat, table = await company(place)
        for number in range(12):
            await bert.post(chat, {"text": f"line {number}"})
            await place.clock.advance(2_000)
        await anna.post(f"{chat}/2/report", {"reason": "insult"})
        await anna.post(f"/api/tables/{table}/commands", {"command": {"do": "start", "fill": "gentle"}})
        operator = await place.operator()
        (report,) = (await operator.get("/api/operator/reports"))["reports"]
        assert (report["against_name"], report["text"], report["settled"]) == ("Bert", "line 1", False)
        await operator.post("/api/operator/sanctions", ban(bert.user, report=report["id"]))
        shown = await operator.get(f"/api/operator/reports/{report['id']}")
        assert [line["line"] for line in shown["lines"]] == list(range(1, 11))
        assert shown["log"][0] == {**shown["log"][0], "seq": 1, "events": ["table-opened"]}
        assert set(shown["log"][0]) == {"seq", "at", "actor", "command", "events"}
        assert [deed["deed"] for deed in shown["deeds"]] == ["ban"]
        assert (await operator.get("/api/operator/reports"))["reports"][0]["settled"] is True

    visit(scenario, Settings(limits=Limits(chat_at_once=100)))


def test_context_of_a_report_begins_shortly_before_it() -> None:
    """Two minutes of the log, and ten of the chat for a report about the person."""

    async def scenario(place: Place) -> None:
        anna, bert, chat, table = await company(place)
        await bert.post(chat, {"text": "long ago"})
        await place.clock.advance(10 * 60_000)
        await bert.post(chat, {"text": "just so"})
        await place.clock.advance(1)
        await anna.post(f"/api/tables/{table}/commands", {"command": {"do": "start", "fill": "gentle"}})
        await bert.post(f"/api/tables/{table}/chat", {"text": "now"})
        await anna.post(f"/api/tables/{table}/reports", {"user": bert.user, "reason": "x"})
        shown = await (await place.operator()).get("/api/operator/reports/1")
        assert [line["text"] for line in shown["lines"]] == ["just so", "now"]
        assert shown["log"][0]["command"] == "start"

    visit(scenario)


def test_report_about_a_person_has_what_was_said_at_the_time() -> None:
    """Who sits there, is host, or has written can be reported; nobody else, and not oneself."""

    async def scenario(place: Place) -> None:
        anna, bert, chat, table = await company(place)
        carl = await place.guest("Carl")
        reports = f"/api/tables/{table}/reports"
        body = {"user": bert.user, "reason": "He plays for another"}
        assert refused(await anna.ask("POST", reports, body)) == (404, "no-such-user")
        await bert.post(chat, {"text": "hello"})
        await anna.post(reports, body)
        assert refused(await anna.ask("POST", reports, {**body, "user": anna.user})) == (404, "no-such-user")
        assert refused(await anna.ask("POST", reports, {**body, "user": carl.user})) == (404, "no-such-user")
        assert refused(await anna.ask("POST", reports, {**body, "reason": ""})) == (400, "text-not-allowed")
        operator = await place.operator()
        (report,) = (await operator.get("/api/operator/reports"))["reports"]
        shown = await operator.get(f"/api/operator/reports/{report['id']}")
        assert (report["line"], report["reason"]) == (0, "He plays for another")
        assert [line["text"] for line in shown["lines"]] == ["hello"]
        await operator.post(f"/api/operator/reports/{report['id']}/settle", {"word": "A friend of mine"})
        assert (await operator.get("/api/operator"))["reports"] == 0

    visit(scenario)


def test_reports_of_one_person_are_limited() -> None:
    """Ten at once."""

    async def scenario(place: Place) -> None:
        anna, _, _, table = await company(place)
        carl = await place.guest("Carl")
        body = {"user": anna.user, "reason": "x"}
        answers = [await carl.ask("POST", f"/api/tables/{table}/reports", body) for _ in range(11)]

        assert [answer.status for answer in answers] == [200] * 10 + [429]

    visit(scenario)


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
