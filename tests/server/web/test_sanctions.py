"""Sanctions: what muted, suspended and banned people may not do, what they are told, when it ends."""

from __future__ import annotations

import pytest

from bohn.server.moderation.desk import Desk
from bohn.server.moderation.durations import UNITS
from bohn.server.moderation.networks import network_of
from tests.server.support.asgi import Socket
from tests.server.support.site import Place, frames_of, from_elsewhere, of, until, visit
from tests.server.web.test_chat import company, refused

HOUR = UNITS["h"]
MOVE = {"type": "command", "id": "c1", "command": {"do": "give-salt", "salt": "ab"}}


def reasons(socket: Socket) -> list[tuple[str | None, str]]:
    """Return the refusals a socket was sent: for which frame, and why."""
    return [(frame["id"], frame["reason"]) for frame in of(socket, "refused")]


def test_muted_person_plays_and_does_not_write() -> None:
    """Neither by HTTP nor by the socket that is open already; he reads why."""

    async def scenario(place: Place) -> None:
        anna, _, chat, table = await company(place)
        socket = anna.socket(table)
        await until(lambda: of(socket, "welcome"))
        await place.sanction(anna.user, "mute", HOUR)
        answer = await anna.ask("POST", chat, {"text": "hello"})
        assert refused(answer) == (403, "muted")
        assert answer.json()["params"] == {"reason": "Insults", "until": place.clock.now() + HOUR}
        socket.send({"type": "say", "id": "s1", "key": "hello"})
        socket.send(MOVE)
        await until(lambda: of(socket, "ack"))

        assert of(socket, "sanctioned") == [
            {"type": "sanctioned", "sanction": "mute", "reason": "Insults", "until": place.clock.now() + HOUR}
        ]
        assert reasons(socket) == [("s1", "muted")]
        assert (await anna.get("/api/me"))["standing"]["sanction"] == "mute"
        await socket.hang_up()

    visit(scenario)


def test_suspended_person_acts_no_more_by_an_old_socket() -> None:
    """He looks on, and is told at once; his seat is played by a bot, and the role of the host passes on."""

    async def scenario(place: Place) -> None:
        anna, bert, _, table = await company(place)
        await bert.post(f"/api/tables/{table}/commands", {"command": {"do": "sit"}})
        await anna.post(f"/api/tables/{table}/commands", {"command": {"do": "start", "fill": "gentle"}})
        socket = anna.socket(table)
        await until(lambda: of(socket, "welcome"))
        await place.sanction(anna.user, "suspend")
        socket.send({"type": "sign", "id": "g1", "sign": None})
        socket.send({"type": "command", "id": "c1", "command": {"do": "take-back"}})
        socket.send({"type": "draft", "id": "d1", "to": [1]})
        await until(lambda: [one for one in frames_of(socket) if one.get("id") == "d1"])

        assert [frame["sanction"] for frame in of(socket, "sanctioned")] == ["suspend"]
        assert reasons(socket)[:2] == [("g1", "suspended"), ("c1", "suspended")]
        shown = (await bert.get(f"/api/tables/{table}"))["room"]
        assert (shown["host"], shown["seats"][0]["bot"] is None) == (bert.user, False)
        assert refused(await anna.ask("POST", "/api/tables", {})) == (403, "suspended")
        assert (await anna.ask("GET", f"/api/tables/{table}")).status == 200
        await socket.hang_up()

    visit(scenario)


def test_banned_person_is_cut_and_not_let_in_again() -> None:
    """By sockets and streams alike, with the reason as the last frame; his own data he may still delete."""

    async def scenario(place: Place) -> None:
        anna, _, _, table = await company(place)
        socket, lines = anna.socket(table), anna.lines(table)
        await until(lambda: of(socket, "welcome") and of(lines, "welcome"))
        await place.sanction(anna.user, "ban")
        await until(lambda: socket.got[-1] == b"close 1008" and of(lines, "goodbye"))
        assert reasons(socket)[-1] == (None, "banned")
        assert [frame["reason"] for frame in of(lines, "refused")] == ["banned"]
        again = anna.socket(table)
        await until(lambda: again.got and again.got[-1] == b"close 1008")
        assert reasons(again) == [(None, "banned")]
        assert refused(await anna.ask("GET", "/api/tables")) == (403, "banned")
        assert refused(await anna.ask("POST", "/api/guests", {"name": "Other"})) == (403, "banned")
        assert (await anna.ask("DELETE", "/api/me")).status == 200
        for one in (socket, again):
            await one.hang_up()
        await lines.hang_up()

    visit(scenario)


def test_program_shares_the_sanction_of_who_has_made_it() -> None:
    """Else one would act on by it."""

    async def scenario(place: Place) -> None:
        anna, _, chat, _ = await company(place)
        made = await anna.post("/api/me/tokens", {"bot": True, "name": "Robot"})
        await place.sanction(anna.user, "mute")
        bearer = {"authorization": f"Bearer {made['token']}"}

        assert refused(await place.stranger.ask("POST", chat, {"text": "hi"}, bearer)) == (403, "muted")

    visit(scenario)


def test_sanction_ends_by_itself_and_can_be_lifted() -> None:
    """At its end nobody has to do anything."""

    async def scenario(place: Place) -> None:
        anna, bert, chat, _ = await company(place)
        await place.sanction(anna.user, "mute", HOUR)
        await place.sanction(bert.user, "mute")
        await place.clock.advance(HOUR)
        assert (await anna.ask("POST", chat, {"text": "hi"})).status == 200
        assert refused(await bert.ask("POST", chat, {"text": "hi"})) == (403, "muted")
        operator = await place.operator()
        (held,) = (await operator.get("/api/operator"))["sanctions"]
        assert (held["name"], held["until"]) == ("Bert", None)
        await operator.ask("DELETE", f"/api/operator/sanctions/{held['id']}")
        assert (await bert.ask("POST", chat, {"text": "hi"})).status == 200
        again = await operator.ask("DELETE", f"/api/operator/sanctions/{held['id']}")
        assert refused(again) == (404, "not-found")

    visit(scenario)


@pytest.mark.parametrize(
    ("network", "inside"), [("203.0.113.7", True), ("203.0.113.0/24", True), ("203.0.114.0/24", False)]
)
def test_network_is_banned_for_strangers_and_guests(network: str, inside: bool) -> None:
    """Whoever comes from there is kept out, whoever comes from elsewhere is not."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        desk = Desk(place.store, place.clock, place.services.entropy, "terminal:root")
        await desk.sanction("ban", "Floods", network=network_of(network))
        await place.services.following.look()
        expected = 403 if inside else 200
        for headers in ({}, anna.headers):
            for address in ("203.0.113.7", "::ffff:203.0.113.7"):
                assert await from_elsewhere(place, headers, address, "/api/tables") == expected
        assert (await anna.ask("GET", "/api/tables")).status == 200

    visit(scenario)


def test_network_that_is_banned_is_cut_at_once() -> None:
    """Whoever looks on from there, strangers too."""

    async def scenario(place: Place) -> None:
        _, _, _, table = await company(place)
        lines = place.stranger.lines(table)
        await until(lambda: of(lines, "welcome"))
        desk = Desk(place.store, place.clock, place.services.entropy, "terminal:root")
        await desk.sanction("ban", "Floods", network=network_of("127.0.0.1"), anyway=True)
        await place.services.following.look()
        await until(lambda: of(lines, "goodbye"))
        assert [frame["reason"] for frame in of(lines, "refused")] == ["banned"]
        await lines.hang_up()

    visit(scenario)


def test_sanction_is_told_once_and_the_milder_not_at_all() -> None:
    """Whatever else operators do meanwhile."""

    async def scenario(place: Place) -> None:
        anna, bert, _, table = await company(place)
        socket = anna.socket(table)
        await until(lambda: of(socket, "welcome"))
        for user, kind in ((anna, "mute"), (bert, "mute"), (anna, "suspend"), (anna, "mute"), (bert, "ban")):
            await place.sanction(user.user, kind)  # type: ignore[arg-type] # mypy: - a text
        socket.send({"type": "ping", "id": "p1"})
        await until(lambda: of(socket, "pong"))
        assert [frame["sanction"] for frame in of(socket, "sanctioned")] == ["mute", "suspend"]
        await socket.hang_up()

    visit(scenario)


def test_graver_sanction_is_the_one_that_counts() -> None:
    """Of two of one kind the longer one is told."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        await place.sanction(anna.user, "ban", HOUR)
        await place.sanction(anna.user, "ban", 2 * HOUR)
        await place.sanction(anna.user, "mute")
        told = (await anna.get("/api/me"))["standing"]

        assert told == {"sanction": "ban", "reason": "Insults", "until": place.clock.now() + 2 * HOUR}

    visit(scenario)
