"""The operator: how he comes in, what he sees, what he does, and what he cannot do."""

from __future__ import annotations

from typing import Any

import pytest

from bohn.server.moderation.keys import LINK_FOR, SESSION_FOR
from bohn.server.moderation.networks import network_of
from bohn.server.settings import Limits, Settings
from tests.server.support.asgi import ORIGIN, request
from tests.server.support.site import Place, Visitor, from_elsewhere, visit
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
