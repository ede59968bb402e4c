"""Coming in, being somebody, and being forgotten."""

from __future__ import annotations

from typing import Any

import pytest

from bohn.protocol.api import ChangeMe
from bohn.server.people.service import People, digest
from bohn.server.settings import Limits, Retention, Settings, Times
from bohn.server.store.protocol import StoreUnavailable
from tests.server.support.asgi import Socket
from tests.server.support.memory_store import MemoryStore
from tests.server.support.site import Place, Visitor, checked, of, refused, until, visit

# -- guests --------------------------------------------------------------------------------------------------


def test_guest_comes_in_with_a_name() -> None:
    """A name and a language are enough; the answer tells who one is."""

    async def scenario(place: Place) -> None:
        anna = await place.guest("  Anna\u202e ", "de")
        me = await anna.get("/api/me")

        assert me == {
            "user": anna.user,
            "name": "Anna",
            "language": "de",
            "bot": False,
            "cookie": True,
            "scopes": ["read", "play"],
            "standing": None,
            "handle": "",
        }

    visit(scenario)


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ("bohn={secret}", 200),
        ("theme=dark; bohn={secret}; bohn=junk", 200),
        ("bohn=junk; bohn={secret}", 401),
        ('bohn="{secret}"', 401),
        ("bohn", 401),
    ],
)
def test_first_cookie_of_our_name_counts(sent: str, status: int) -> None:
    """Browsers send the one for the narrower host or path first; another page of the host may add its own."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        secret = anna.headers["cookie"].partition("=")[2]
        anna.headers["cookie"] = sent.format(secret=secret)

        assert (await anna.ask("GET", "/api/me")).status == status

    visit(scenario)


def test_secret_of_a_cookie_is_not_kept() -> None:
    """The store has its digest only, so whoever reads the store cannot sign in."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        secret = anna.headers["cookie"].partition("=")[2]

        assert len(secret) == 43
        (session,) = await place.store.sessions_of(anna.user)
        assert session.digest == digest(secret)
        assert secret not in repr(await place.store.identity(session.digest))
        assert await place.store.identity(secret) is None

    visit(scenario)


def test_coming_in_again_stays_the_same_user() -> None:
    """Whoever is in keeps his seats, with the new name; no second user is made."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        again = await anna.ask("POST", "/api/guests", {"name": "Anja", "language": "de"})

        assert (again.json()["user"], again.json()["name"]) == (anna.user, "Anja")
        assert again.cookie == ""

    visit(scenario)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"name": ""}, "name-not-allowed"),
        ({"name": "\u200b"}, "name-not-allowed"),
        ({"name": "x" * 25}, "name-not-allowed"),
        ({"name": "Anna", "language": "../"}, "language-unknown"),
        ({"name": 5}, "not-understood"),
        ({}, "not-understood"),
        ({"name": "Anna", "admin": True}, "not-understood"),
        ([], "not-understood"),
    ],
)
def test_guest_without_a_fit_name_is_refused(body: Any, reason: str) -> None:
    """And nobody is made."""

    async def scenario(place: Place) -> None:
        answer = await place.stranger.ask("POST", "/api/guests", body)

        assert refused(answer) == (400, reason)
        assert answer.cookie == ""

    visit(scenario)


def test_stranger_is_asked_to_come_in() -> None:
    """401 for what needs a guest."""

    async def scenario(place: Place) -> None:
        for method, path, body in (
            ("GET", "/api/me", None),
            ("PATCH", "/api/me", {}),
            ("DELETE", "/api/me", None),
            ("POST", "/api/tables", {}),
            ("GET", "/api/me/tables", None),
        ):
            assert refused(await place.stranger.ask(method, path, body)) == (401, "no-guest")

    visit(scenario)


@pytest.mark.parametrize("secret", ["x", "x" * 43, "x" * 5_000, "", "a b", '"'])
def test_forged_cookie_is_nobody(secret: str) -> None:
    """A cookie that was not given out lets nobody in."""

    async def scenario(place: Place) -> None:
        await place.guest()

        assert refused(await Visitor(place.app, f"bohn={secret}").ask("GET", "/api/me")) == (401, "no-guest")

    visit(scenario)


def test_cookie_of_tls_counts_only_with_tls() -> None:
    """Without TLS anybody could have set it."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        secret = anna.headers["cookie"].partition("=")[2]

        answer = await Visitor(place.app, f"__Host-bohn={secret}").ask("GET", "/api/me")
        assert refused(answer) == (401, "no-guest")

    visit(scenario)


def test_new_guests_of_one_address_are_limited() -> None:
    """With the time to wait, in the answer and in its header."""

    async def scenario(place: Place) -> None:
        await place.guest()
        answer = await place.stranger.ask("POST", "/api/guests", {"name": "Anna"})

        assert refused(answer) == (429, "rate-limited")
        assert 0 < answer.json()["params"]["retry_after"] <= 100_000
        assert int(answer.header("retry-after")) <= 101

    visit(scenario, Settings(limits=Limits(guests_at_once=1, guests_a_second=0.01)))


def test_who_is_a_guest_already_is_no_new_guest_of_his_address() -> None:
    """Where no more guests come in, those who are there change their names and follow invitations."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest(), await place.guest()
        table = await anna.open_table()
        link = (await anna.ask("POST", f"/api/tables/{table}/links", {})).json()
        answers = [
            await bert.ask("PATCH", "/api/me", {"name": "Berta"}),
            await bert.ask("POST", "/api/links", {"token": link["token"], "name": "Bert"}),
        ]

        assert [answer.status for answer in answers] == [200, 200]

    visit(scenario, Settings(limits=Limits(guests_at_once=2, guests_a_second=0.001)))


def test_name_is_changed_for_all_tables() -> None:
    """Those who sit with him see the new name at once."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table()
        socket = anna.socket(table)
        await until(lambda: of(socket, "welcome"))
        await anna.ask("PATCH", "/api/me", {"name": "Berta"})
        await until(lambda: of(socket, "people"))

        assert of(socket, "people")[0]["people"] == {anna.user: {"name": "Berta", "bot": False, "handle": ""}}
        assert (await anna.get("/api/me"))["language"] == "en"
        await socket.hang_up()

    visit(scenario)


# -- cookies that expire -------------------------------------------------------------------------------------

YEAR = Settings(times=Times(cookie=365_000))
"""A year of 365 seconds; each of them is a day."""


def test_cookie_that_is_not_used_expires() -> None:
    """The server holds to what it has told the browser: a year by itself."""
    assert Times().cookie == 365 * 24 * 3_600_000

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        answer = await place.stranger.ask("POST", "/api/guests", {"name": "Bert"})
        assert "Max-Age=365;" in answer.header("set-cookie")
        await place.clock.advance(364_999)
        bert = Visitor(place.app, answer.cookie)
        assert (await bert.ask("GET", "/api/me")).status == 200
        await place.clock.advance(1)

        assert refused(await anna.ask("GET", "/api/me")) == (401, "no-guest")
        assert (await bert.ask("GET", "/api/me")).status == 200

    visit(scenario, YEAR)


def test_cookie_that_is_used_is_renewed() -> None:
    """Here once a day, and in the browser with it."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        assert (await anna.ask("GET", "/api/me")).cookie == ""
        await place.clock.advance(300_000)
        renewed = await anna.ask("GET", "/api/me")
        assert (renewed.cookie, "Max-Age=365;" in renewed.header("set-cookie")) == (
            anna.headers["cookie"],
            True,
        )
        assert (await anna.ask("GET", "/api/me")).cookie == ""
        await place.clock.advance(300_000)
        came = await anna.ask("POST", "/api/guests", {"name": "Anna"})

        assert (came.cookie, came.json()["user"]) == (anna.headers["cookie"], anna.user)

    visit(scenario, YEAR)


def test_token_holds_though_it_is_not_used() -> None:
    """A program may be asleep for long; its user sees and revokes it."""

    async def scenario(place: Place) -> None:
        robo = await place.program(await place.guest(), "read")
        await place.clock.advance(800_000)

        assert (await robo.ask("GET", "/api/me")).status == 200

    visit(scenario, YEAR)


def test_what_has_expired_is_deleted_unasked() -> None:
    """Cookies and links, though nobody shows them any more."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        link = digest((await anna.post("/api/me/links"))["token"])
        secret = digest(anna.headers["cookie"].partition("=")[2])
        await place.clock.advance(4_000)
        assert await place.store.link(link) is not None
        await place.clock.advance(2_000)
        assert await place.store.link(link) is None
        assert await place.store.identity(secret) is not None
        await place.clock.advance(360_000)

        assert await place.store.identity(secret) is None

    times = Times(cookie=365_000, device_link=5_000)
    visit(scenario, Settings(times=times, retention=Retention(every=1_000)))


class FullDisk(MemoryStore):
    """A store that cannot note a use as often as it has failures left."""

    failures = 0

    async def note_use(self, digest: str, at: int) -> None:
        """Fail, or note it."""
        if self.failures > 0:
            self.failures -= 1
            raise StoreUnavailable("full", "the disk is full")
        await super().note_use(digest, at)


def test_full_disk_keeps_nobody_out() -> None:
    """A use that cannot be noted is noted another time."""
    store = FullDisk()

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        await place.clock.advance(300_000)

        store.failures = 1
        answer = await anna.ask("GET", "/api/me")
        assert (answer.status, answer.cookie) == (200, "")
        assert (await anna.ask("GET", "/api/me")).cookie == anna.headers["cookie"]

    visit(scenario, YEAR, store)


# -- being forgotten -----------------------------------------------------------------------------------------


def test_deleted_data_are_gone() -> None:
    """Name, cookies, chat and links go; the seat is given up, and everybody at the table sees it."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest(), await place.guest("Bert")
        table = await anna.open_table(options={"listed": True})
        await bert.post(f"/api/tables/{table}/commands", {"command": {"do": "sit"}})
        await bert.post(f"/api/tables/{table}/chat", {"text": "my secret"})
        link = await bert.post(f"/api/tables/{table}/links")
        watching = anna.socket(table)
        own = bert.socket(table)
        await until(lambda: of(own, "welcome") and of(watching, "welcome"))
        answer = await bert.ask("DELETE", "/api/me")
        await until(lambda: b"close 1008" in own.got and of(watching, "people"))

        assert "Max-Age=0" in answer.header("set-cookie")
        assert (await bert.ask("GET", "/api/me")).status == 401
        assert of(own, "goodbye")[0]["reason"] == "signed-out"
        assert [frame["line"] for frame in of(watching, "line-deleted")] == [1]
        assert of(watching, "people")[-1]["people"][bert.user]["name"] == ""
        assert (await anna.get(f"/api/tables/{table}/chat"))["lines"] == []
        assert (await anna.get(f"/api/tables/{table}"))["room"]["seats"][1]["user"] is None
        used = await place.stranger.ask("POST", "/api/links", {"token": link["token"], "name": "Doro"})
        assert refused(used) == (404, "link-not-valid")
        await own.hang_up()
        await watching.hang_up()

    visit(scenario)


# -- names in memory -----------------------------------------------------------------------------------------


def test_names_are_remembered_for_a_while_only() -> None:
    """Another process may change them; and an unknown user is one without a name."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        here = People(place.store, place.clock, place.services.entropy, Settings())
        there = People(place.store, place.clock, place.services.entropy, Settings())
        assert (await here.people((anna.user, "nobody")))["nobody"].name == ""
        identity = await there.who(anna.headers["cookie"].partition("=")[2], cookie=True)
        assert identity is not None
        await there.change(identity.user, ChangeMe(name="Berta"))
        assert (await here.people((anna.user,)))[anna.user].name == "Anna"
        await place.clock.advance(30_000)

        assert (await here.people((anna.user,)))[anna.user].name == "Berta"

    visit(scenario)


def test_names_in_memory_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many are asked for."""
    monkeypatch.setattr("bohn.server.people.service.CACHED_NAMES", 10)

    async def scenario(place: Place) -> None:
        people = People(MemoryStore(), place.clock, place.services.entropy, Settings())
        people._store = place.store
        await people.people(tuple(f"u{number}" for number in range(100)))

        assert len(people._known) == 10

    visit(scenario)


def test_socket_with_a_forged_cookie_is_a_strangers() -> None:
    """A seat cannot be taken with a made-up cookie."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table(options={"listed": True})
        socket = Socket(place.app, f"/ws?table={table}", {"cookie": "bohn=" + "x" * 43})
        socket.begin()
        socket.send({"type": "command", "id": "x", "command": {"do": "stand"}})
        await until(lambda: of(socket, "refused"))

        assert of(socket, "welcome")[0]["seat"] is None
        assert of(socket, "refused")[0]["reason"] == "no-guest"
        await socket.hang_up()

    visit(scenario)


def test_bots_are_forgotten_with_their_maker() -> None:
    """Their tokens end, what they show is closed, and they have no name any more."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest(), await place.guest("Bert")
        made = await anna.post("/api/me/tokens", {"bot": True, "name": "Robo"})
        robo = Visitor(place.app, token=made["token"])
        table = await bert.open_table(options={"listed": True})
        await robo.post(f"/api/tables/{table}/commands", {"command": {"do": "sit"}})
        await robo.post(f"/api/tables/{table}/chat", {"text": "beep"})
        socket = robo.socket(table)
        await until(lambda: of(socket, "welcome"))
        checked(await anna.ask("DELETE", "/api/me"))

        await until(lambda: of(socket, "goodbye"))
        assert (await robo.ask("GET", "/api/me")).status == 401
        seen = await bert.get(f"/api/tables/{table}")
        assert made["user"] not in [seat["user"] for seat in seen["room"]["seats"]]
        assert (await bert.get(f"/api/tables/{table}/chat"))["lines"] == []
        assert (await place.store.users((made["user"],)))[made["user"]].name == ""

    visit(scenario)
