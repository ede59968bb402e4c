"""Links to tables and to other devices: whom they let in, as whom, and for how long."""

from __future__ import annotations

import pytest

from bohn.bots import current_name
from bohn.server.settings import Limits, Settings, Times
from tests.server.support.site import Place, Visitor, checked, refused, visit


def test_link_lets_a_stranger_in_with_a_name() -> None:
    """An invitation is exchanged for a cookie and a place at the table, in one step."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table()
        link = await anna.post(f"/api/tables/{table}/links")
        answer = await place.stranger.ask("POST", "/api/links", {"token": link["token"], "name": "Bert"})
        used = checked(answer)
        bert = Visitor(place.app, answer.cookie)

        assert (used["table"], used["me"]["name"], used["me"]["cookie"]) == (table, "Bert", True)
        assert len(link["token"]) == 22
        done = await bert.post(f"/api/tables/{table}/commands", {"command": {"do": "sit"}})
        assert done["seq"] > 1

    visit(scenario)


def test_invitation_shows_the_table_before_it_is_used() -> None:
    """Whoever holds the link sees host, game and seats, without a cookie, and is not let in by looking."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest(), await place.guest("Bert")
        table = await anna.open_table(bots=["fair"])
        link = await anna.post(f"/api/tables/{table}/links")
        answer = await place.stranger.ask("POST", "/api/links/look", {"token": link["token"]})
        seen = checked(answer)["table"]

        assert (seen["table"], seen["status"], seen["host"]["name"]) == (table, "open", "Anna")
        assert [seat["person"] and seat["person"]["name"] for seat in seen["seats"]] == [
            "Anna",
            None,
            None,
            None,
        ]
        assert [seat["bot"] for seat in seen["seats"]] == [None, current_name("fair"), None, None]
        assert answer.cookie == ""
        assert not checked(await bert.ask("POST", "/api/links/look", {"token": link["token"]}))["table"][
            "mine"
        ]
        assert refused(await bert.ask("GET", f"/api/tables/{table}")) == (404, "no-such-table")

    visit(scenario)


def test_link_to_a_device_shows_no_table() -> None:
    """What such a link opens is somebody's own user, of whom nothing is told; and it is not used up."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        link = await anna.post("/api/me/links")
        for _ in range(2):
            answer = await place.stranger.ask("POST", "/api/links/look", {"token": link["token"]})
            assert checked(answer) == {"table": None}
        unknown = await place.stranger.ask("POST", "/api/links/look", {"token": "x" * 22})
        assert refused(unknown) == (404, "link-not-valid")

    visit(scenario)


def test_link_lets_a_guest_in_as_himself() -> None:
    """Whoever is in stays who he is; the same link lets several in."""

    async def scenario(place: Place) -> None:
        anna, bert, carla = await place.guest(), await place.guest("Bert"), await place.guest("Carla")
        table = await anna.open_table()
        assert (await bert.ask("GET", f"/api/tables/{table}")).status == 404
        link = await anna.post(f"/api/tables/{table}/links")
        for guest in (bert, carla):
            answer = await guest.ask("POST", "/api/links", {"token": link["token"]})
            assert (checked(answer)["me"]["user"], answer.cookie) == (guest.user, "")
            assert (await guest.ask("GET", f"/api/tables/{table}")).status == 200

    visit(scenario)


def test_link_expires() -> None:
    """After its time it opens nothing."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest(), await place.guest("Bert")
        table = await anna.open_table()
        link = await anna.post(f"/api/tables/{table}/links")
        assert link["expires"] == place.clock.now() + 5_000
        await place.clock.advance(5_000)

        answer = await bert.ask("POST", "/api/links", {"token": link["token"]})
        assert refused(answer) == (404, "link-not-valid")
        assert await anna.get(f"/api/tables/{table}/links") == []

    visit(scenario, Settings(times=Times(link=5_000)))


def test_link_is_revoked_by_its_maker_or_the_host() -> None:
    """Afterwards it opens nothing; who is neither does not even see it."""

    async def scenario(place: Place) -> None:
        anna, bert, carla = await place.guest(), await place.guest("Bert"), await place.guest("Carla")
        table = await anna.open_table(options={"listed": True})
        for guest in (bert, carla):
            await guest.post(f"/api/tables/{table}/commands", {"command": {"do": "sit"}})
        made = await bert.post(f"/api/tables/{table}/links")
        assert await carla.get(f"/api/tables/{table}/links") == []
        address = f"/api/tables/{table}/links/{made['id']}"
        assert refused(await carla.ask("DELETE", address)) == (404, "not-found")
        assert [link["id"] for link in await bert.get(f"/api/tables/{table}/links")] == [made["id"]]
        assert "token" not in (await anna.get(f"/api/tables/{table}/links"))[0]
        checked(await anna.ask("DELETE", address))

        answer = await place.stranger.ask("POST", "/api/links", {"token": made["token"], "name": "Doro"})
        assert refused(answer) == (404, "link-not-valid")

    visit(scenario)


def test_link_is_made_by_those_who_sit() -> None:
    """Whoever only looks on does not invite."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest(), await place.guest("Bert")
        table = await anna.open_table(options={"listed": True})

        assert refused(await bert.ask("POST", f"/api/tables/{table}/links")) == (403, "not-host")

    visit(scenario)


def test_kicked_guest_does_not_come_back_by_his_own_link() -> None:
    """What he made goes with him; the host's invitation still holds."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest(), await place.guest("Bert")
        table = await anna.open_table()
        commands = f"/api/tables/{table}/commands"
        first = await anna.post(f"/api/tables/{table}/links")
        checked(await bert.ask("POST", "/api/links", {"token": first["token"]}))
        await bert.post(commands, {"command": {"do": "sit", "seat": 2}})
        own = await bert.post(f"/api/tables/{table}/links")
        await anna.post(commands, {"command": {"do": "kick", "seat": 2}})

        answer = await bert.ask("POST", "/api/links", {"token": own["token"]})
        assert refused(answer) == (404, "link-not-valid")
        assert [link["id"] for link in await anna.get(f"/api/tables/{table}/links")] == [first["id"]]

    visit(scenario)


def test_links_of_a_table_are_limited() -> None:
    """One link may be given to many."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table()
        await anna.post(f"/api/tables/{table}/links")

        assert refused(await anna.ask("POST", f"/api/tables/{table}/links")) == (409, "too-many")

    visit(scenario, Settings(limits=Limits(links_a_table=1)))


@pytest.mark.parametrize("token", ["", "x", "x" * 22, "x" * 30_000, "\U0001f600"])
def test_forged_link_opens_nothing(token: str) -> None:
    """And tells nothing."""

    async def scenario(place: Place) -> None:
        answer = await place.stranger.ask("POST", "/api/links", {"token": token, "name": "Bert"})

        assert refused(answer) == (404, "link-not-valid")
        assert answer.cookie == ""

    visit(scenario)


def test_device_link_logs_another_device_in_once() -> None:
    """The same user with another secret; the second who tries gets nothing."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table()
        link = await anna.post("/api/me/links")
        answer = await place.stranger.ask("POST", "/api/links", {"token": link["token"]})
        phone = Visitor(place.app, answer.cookie)

        assert checked(answer)["me"]["user"] == anna.user
        assert answer.cookie != anna.headers["cookie"]
        assert (await phone.get(f"/api/tables/{table}"))["seat"] == 0
        again = await place.stranger.ask("POST", "/api/links", {"token": link["token"]})
        assert refused(again) == (404, "link-not-valid")

    visit(scenario)


def test_device_link_makes_nobody_another_user_unasked() -> None:
    """Whoever is somebody already is told whom it makes him, and stays who he is; the link still holds."""

    async def scenario(place: Place) -> None:
        anna, eve = await place.guest(), await place.guest("Eve")
        link = {"token": (await eve.post("/api/me/links"))["token"]}
        answer = await anna.ask("POST", "/api/links", link)

        assert refused(answer) == (409, "signed-in-already")
        assert answer.json()["params"] == {"name": "Eve"}
        assert answer.cookie == ""
        assert (await anna.get("/api/me"))["user"] == anna.user
        replaced = await anna.ask("POST", "/api/links", {**link, "replace": True})
        assert checked(replaced)["me"]["user"] == eve.user
        assert replaced.cookie

    visit(scenario)


def test_device_link_of_oneself_is_used_without_a_question() -> None:
    """It changes nothing but the secret."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        link = await anna.post("/api/me/links")

        assert (await anna.post("/api/links", {"token": link["token"]}))["me"]["user"] == anna.user

    visit(scenario)


def test_device_link_expires() -> None:
    """It is meant for now, an hour at most."""
    assert Times().device_link == 3_600_000

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        link = await anna.post("/api/me/links")
        await place.clock.advance(5_000)

        answer = await place.stranger.ask("POST", "/api/links", {"token": link["token"]})
        assert refused(answer) == (404, "link-not-valid")

    visit(scenario, Settings(times=Times(device_link=5_000)))
