"""Coming in, being somebody, tokens, links to tables and devices, and being forgotten."""

from __future__ import annotations

from typing import Any

import pytest

from bohn.bots import current_name
from bohn.protocol.api import ChangeMe
from bohn.server.people.service import People, digest
from bohn.server.settings import Limits, Retention, Settings, Times
from bohn.server.store.protocol import StoreUnavailable
from tests.server.support.asgi import Socket
from tests.server.support.memory_store import MemoryStore
from tests.server.support.site import Place, Visitor, checked, of, until, visit


def refused(answer: Any) -> tuple[int, str]:
    """Return status and reason of a refusal."""
    return answer.status, answer.json()["reason"]


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


# -- tokens --------------------------------------------------------------------------------------------------


def test_token_acts_for_its_user() -> None:
    """A program with a token is its user."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        program = await place.program(anna, "read", "play")
        me = await program.get("/api/me")

        assert (me["user"], me["cookie"], me["scopes"]) == (anna.user, False, ["read", "play"])

    visit(scenario)


@pytest.mark.parametrize(
    ("scopes", "method", "path", "body", "reason"),
    [
        (("read",), "POST", "/api/tables", {}, "scope-missing"),
        (("read",), "PATCH", "/api/me", {}, "scope-missing"),
        (("play",), "GET", "/api/me", None, "scope-missing"),
        (("read", "play"), "POST", "/api/me/tokens", {}, "scope-missing"),
        (("read", "play"), "POST", "/api/me/links", None, "scope-missing"),
        (("read", "play"), "DELETE", "/api/me", None, "scope-missing"),
        (("read", "play"), "DELETE", "/api/me/tokens/0123456789abcdef", None, "scope-missing"),
        (("read",), "POST", "/api/links", {"token": "x" * 22}, "scope-missing"),
    ],
)
def test_token_does_only_what_it_may(
    scopes: tuple[str, ...], method: str, path: str, body: Any, reason: str
) -> None:
    """A token never makes another, and never a cookie: revoking it ends all it could do."""

    async def scenario(place: Place) -> None:
        program = await place.program(await place.guest(), *scopes)

        assert refused(await program.ask(method, path, body)) == (403, reason)

    visit(scenario)


@pytest.mark.parametrize("value", ["Bearer x", "Bearer ", "Basic YTpi", "x", "Bearer " + "y" * 9_000])
def test_wrong_token_is_refused(value: str) -> None:
    """Even where a stranger would be let in: whoever shows a token means it."""

    async def scenario(place: Place) -> None:
        answer = await place.stranger.ask("GET", "/api/tables", headers={"authorization": value})

        assert refused(answer) == (401, "no-guest")

    visit(scenario)


def test_cookie_is_no_token_and_token_no_cookie() -> None:
    """A secret opens only the door it was made for."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        secret = anna.headers["cookie"].partition("=")[2]
        program = await place.program(anna, "read")
        token = program.headers["authorization"].partition(" ")[2]

        assert (await Visitor(place.app, token=secret).ask("GET", "/api/me")).status == 401
        assert (await Visitor(place.app, f"bohn={token}").ask("GET", "/api/me")).status == 401

    visit(scenario)


def test_tokens_are_listed_without_their_secrets_and_revoked() -> None:
    """One sees what one has given out, and takes it back."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        made = await anna.post("/api/me/tokens", {"scopes": ["read"], "label": "my \u202ebot"})
        listed = await anna.get("/api/me/tokens")

        assert [(one["cookie"], one["current"], one["label"]) for one in listed] == [
            (True, True, ""),
            (False, False, "my bot"),
        ]
        assert made["token"] not in repr(listed)
        program = Visitor(place.app, token=made["token"])
        assert (await program.ask("GET", "/api/me")).status == 200
        checked(await anna.ask("DELETE", f"/api/me/tokens/{made['id']}"))
        assert (await program.ask("GET", "/api/me")).status == 401
        assert refused(await anna.ask("DELETE", f"/api/me/tokens/{made['id']}")) == (404, "not-found")

    visit(scenario)


def test_revoking_the_own_cookie_signs_out() -> None:
    """The browser is told to forget it."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        (session,) = await anna.get("/api/me/tokens")
        answer = await anna.ask("DELETE", f"/api/me/tokens/{session['id']}")

        assert "Max-Age=0" in answer.header("set-cookie")
        assert (await anna.ask("GET", "/api/me")).status == 401

    visit(scenario)


def test_token_revokes_only_itself() -> None:
    """A program that is lost can be shut out by its user, and never the other way round."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        program, other = await place.program(anna, "read", "play"), await place.program(anna, "read")
        for session in await program.get("/api/me/tokens"):
            answer = await program.ask("DELETE", f"/api/me/tokens/{session['id']}")
            assert answer.status == (200 if session["current"] else 403)
            if session["current"]:
                break

        assert (await program.ask("GET", "/api/me")).status == 401
        assert (await other.ask("GET", "/api/me")).status == 200
        assert (await anna.ask("GET", "/api/me")).status == 200

    visit(scenario)


def test_link_is_not_used_by_a_token_that_may_only_read() -> None:
    """To enter a table is to act: the same link opens it to one that may."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest(), await place.guest("Bert")
        table = await anna.open_table()
        link = {"token": (await anna.post(f"/api/tables/{table}/links"))["token"]}
        reader, player = await place.program(bert, "read"), await place.program(bert, "play")

        assert refused(await reader.ask("POST", "/api/links", link)) == (403, "scope-missing")
        assert refused(await reader.ask("GET", f"/api/tables/{table}")) == (404, "no-such-table")
        checked(await player.ask("POST", "/api/links", link))
        assert (await reader.ask("GET", f"/api/tables/{table}")).status == 200

    visit(scenario)


def test_nobody_revokes_anothers_token() -> None:
    """It is not there for him."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest(), await place.guest("Bert")
        (session,) = await anna.get("/api/me/tokens")

        assert refused(await bert.ask("DELETE", f"/api/me/tokens/{session['id']}")) == (404, "not-found")
        assert (await anna.ask("GET", "/api/me")).status == 200

    visit(scenario)


def test_bot_is_a_user_of_its_own_and_marked() -> None:
    """A program that plays as itself is seen as a program."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        made = await anna.post("/api/me/tokens", {"bot": True, "name": "Robo"})
        robo = Visitor(place.app, token=made["token"])
        me = await robo.get("/api/me")

        assert (me["name"], me["bot"], me["user"]) == ("Robo", True, made["user"])
        assert me["user"] != anna.user
        table = await robo.open_table()
        welcome = await robo.get(f"/api/tables/{table}")
        assert welcome["people"][me["user"]] == {"name": "Robo", "bot": True, "handle": ""}

    visit(scenario)


def test_tokens_of_a_user_are_limited() -> None:
    """One may have some, not any number."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        await anna.post("/api/me/tokens", {})

        assert refused(await anna.ask("POST", "/api/me/tokens", {})) == (409, "too-many")

    visit(scenario, Settings(limits=Limits(tokens_a_user=1)))


def test_token_of_a_bot_is_listed_and_revoked_by_its_maker() -> None:
    """He sees whose it is; nobody else sees it, and the bot sees nothing of its maker's."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest(), await place.guest("Bert")
        made = await anna.post("/api/me/tokens", {"bot": True, "name": "Robo", "label": "at home"})
        robo = Visitor(place.app, token=made["token"])
        own, its = await anna.get("/api/me/tokens")

        assert (own["user"], own["name"], own["current"]) == (anna.user, "Anna", True)
        assert (its["id"], its["user"], its["name"]) == (made["id"], made["user"], "Robo")
        assert [one["id"] for one in await robo.get("/api/me/tokens")] == [made["id"]]
        assert refused(await bert.ask("DELETE", f"/api/me/tokens/{made['id']}")) == (404, "not-found")
        checked(await anna.ask("DELETE", f"/api/me/tokens/{made['id']}"))
        assert (await robo.ask("GET", "/api/me")).status == 401
        assert [one["id"] for one in await anna.get("/api/me/tokens")] == [own["id"]]

    visit(scenario)


def test_tokens_of_bots_count_among_those_of_their_maker() -> None:
    """Nobody makes any number of programs; one that is revoked makes room."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        bot = {"bot": True, "name": "Robo"}
        made = await anna.post("/api/me/tokens", bot)

        assert refused(await anna.ask("POST", "/api/me/tokens", bot)) == (409, "too-many")
        assert refused(await anna.ask("POST", "/api/me/tokens", {})) == (409, "too-many")
        checked(await anna.ask("DELETE", f"/api/me/tokens/{made['id']}"))
        await anna.post("/api/me/tokens", bot)

    visit(scenario, Settings(limits=Limits(tokens_a_user=1)))


# -- links ---------------------------------------------------------------------------------------------------


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
