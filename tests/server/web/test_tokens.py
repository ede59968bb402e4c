"""Tokens: what they let a program do, for whom, and how they are listed and revoked."""

from __future__ import annotations

from typing import Any

import pytest

from bohn.server.settings import Limits, Settings
from tests.server.support.site import Place, Visitor, checked, refused, visit


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
