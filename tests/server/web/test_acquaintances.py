"""People one knows, over HTTP: blocks, follows, invitations, profiles and searched games."""

from __future__ import annotations

from typing import Any, cast

import pytest

from bohn.server.people.results import A_PAGE
from bohn.server.settings import Limits, Settings
from bohn.server.store.accounts import Account, Passkey
from bohn.server.store.acquaintances import GameResult, Wanted
from bohn.server.store.protocol import User
from tests.server.support.http import HttpReply
from tests.server.support.memory_store import MemoryStore
from tests.server.support.past import keep_finished
from tests.server.support.playing import Hands
from tests.server.support.rooms import ANNA, BERT
from tests.server.support.site import Place, Visitor, of, until, visit

LISTED = {"listed": True, "players": 3}


def refused(answer: HttpReply) -> tuple[int, str]:
    """Return the status and the reason of a refusal."""
    return answer.status, answer.json()["reason"]


async def sit(visitor: Visitor, table: str) -> HttpReply:
    """Try to sit down."""
    return await visitor.ask("POST", f"/api/tables/{table}/commands", {"command": {"do": "sit"}})


async def block(visitor: Visitor, other: Visitor, *, on: bool = True) -> Any:
    """Block somebody, or end that."""
    return await visitor.post("/api/me/blocks", {"user": other.user, "on": on})


async def follow(visitor: Visitor, other: Visitor, *, on: bool = True) -> Any:
    """Follow somebody, or end that."""
    return await visitor.post("/api/me/follows", {"user": other.user, "on": on})


async def name_him(place: Place, visitor: Visitor, handle: str) -> None:
    """Give somebody an account with a handle."""
    account = Account(visitor.user, handle, handle, 1)
    assert await place.store.open_account(account, Passkey(handle, visitor.user, b"", 0, 1, 1), ())


async def won(place: Place, *visitors: Visitor, table: str = "t1", at: int = 1_000) -> None:
    """Store the results of a game, in the order in which they came in."""
    await place.store.put_results(
        tuple(
            GameResult(one.user, table, at, "full", 3, number, 12 - number, 4, 2, 1)
            for number, one in enumerate(visitors, 1)
        )
    )


# -- blocks --------------------------------------------------------------------------------------------------


def test_blocked_person_does_not_sit_down_where_the_other_sits() -> None:
    """He is told that there is no seat for him; everybody else sits down, and he does once it is undone."""

    async def scenario(place: Place) -> None:
        anna, bert, carl = [await place.guest(name) for name in ("Anna", "Bert", "Carl")]
        table = await anna.open_table(options=LISTED)
        await block(anna, bert)
        assert refused(await sit(bert, table)) == (403, "no-seat-for-you")
        assert (await sit(carl, table)).status == 200

        await block(anna, bert, on=False)
        assert (await sit(bert, table)).status == 200

    visit(scenario)


def test_blocked_person_does_not_sit_down_where_the_other_is_host() -> None:
    """Though he has no seat."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest("Anna"), await place.guest("Bert")
        table = await anna.open_table(options=LISTED, sit=False)
        await block(anna, bert)

        assert refused(await sit(bert, table)) == (403, "no-seat-for-you")

    visit(scenario)


def test_whoever_blocks_may_sit_down_beside_the_blocked() -> None:
    """It is his choice; and a third may share a table with both."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest("Anna"), await place.guest("Bert")
        table = await bert.open_table(options=LISTED)
        await block(anna, bert)

        assert (await sit(anna, table)).status == 200

    visit(scenario)


def test_lines_of_the_blocked_are_hidden_as_those_of_the_muted() -> None:
    """Those that are there, and those that come; others read them."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest("Anna"), await place.guest("Bert")
        table = await anna.open_table(options=LISTED)
        chat = f"/api/tables/{table}/chat"
        await bert.post(chat, {"text": "before"})
        socket, other = anna.socket(table), bert.socket(table)
        await until(lambda: of(socket, "welcome") and of(other, "welcome"))
        await block(anna, bert)
        await bert.post(chat, {"text": "behind"})
        await anna.post(chat, {"text": "mine"})
        await until(lambda: of(other, "line")[1:])

        assert [line["text"] for line in (await anna.get(chat))["lines"]] == ["mine"]
        assert [line["text"] for line in of(socket, "line")] == ["mine"]
        assert (await anna.get("/api/me/mutes"))["users"] == []
        for one in (socket, other):
            await one.hang_up()

    visit(scenario)


def test_block_is_listed_and_undone_by_whoever_has_set_it() -> None:
    """The blocked one sees nothing of it."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest("Anna"), await place.guest("Bert")
        listed = await block(anna, bert)
        assert [one["person"]["name"] for one in listed["blocked"]] == ["Bert"]
        assert (await bert.get("/api/me/people"))["blocked"] == []

        assert (await block(anna, bert, on=False))["blocked"] == []

    visit(scenario)


@pytest.mark.parametrize("deed", ["blocks", "follows"])
def test_nobody_blocks_or_follows_himself_or_nobody(deed: str) -> None:
    """There is no such other person."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        for user in (anna.user, "nobody", "no id"):
            answer = await anna.ask("POST", f"/api/me/{deed}", {"user": user})
            assert refused(answer) == (404, "not-found")

    visit(scenario)


# -- follows -------------------------------------------------------------------------------------------------


def test_followed_person_is_shown_with_an_open_table_of_his() -> None:
    """Only a listed one with a free seat, and only while he is there."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest("Anna"), await place.guest("Bert")
        listed = await follow(anna, bert)
        assert [(one["person"]["name"], one["here"], one["table"]) for one in listed["followed"]] == [
            ("Bert", False, None)
        ]
        await bert.open_table(options={"players": 3})
        assert (await anna.get("/api/me/people"))["followed"][0]["table"] is None

        table = await bert.open_table(options=LISTED)
        assert (await anna.get("/api/me/people"))["followed"][0]["table"]["table"] == table
        await bert.post(f"/api/tables/{table}/commands", {"command": {"do": "start", "fill": "pk"}})
        assert (await anna.get("/api/me/people"))["followed"][0]["table"] is None
        assert (await follow(anna, bert, on=False))["followed"] == []

    visit(scenario)


def test_followed_person_is_here_while_his_page_asks_and_a_little_longer() -> None:
    """Whoever looks at a table is here, too."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest("Anna"), await place.guest("Bert")
        await follow(anna, bert)

        async def here() -> bool:
            return bool((await anna.get("/api/me/people"))["followed"][0]["here"])

        await bert.get("/api/me/people")
        assert await here()
        await place.clock.advance(60_000)
        assert not await here()

        socket = bert.socket(await bert.open_table(options=LISTED))
        await until(lambda: of(socket, "welcome"))
        assert await here()
        await socket.hang_up()

    visit(scenario)


@pytest.mark.parametrize("hidden", ["block", "private"])
def test_whereabouts_are_not_told_by_the_blocking_and_the_private(hidden: str) -> None:
    """He looks as one who is away."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest("Anna"), await place.guest("Bert")
        await bert.open_table(options=LISTED)
        if hidden == "block":
            await block(bert, anna)
        else:
            await bert.post("/api/me/privacy", {"private": True})
        await follow(anna, bert)
        await bert.get("/api/me/people")

        followed = (await anna.get("/api/me/people"))["followed"]
        assert [(one["here"], one["table"]) for one in followed] == (
            [] if hidden == "block" else [(False, None)]
        )

    visit(scenario)


def test_person_is_found_by_the_exact_handle() -> None:
    """Written with or without the sign before it; a part, or one that only looks like it, finds nobody."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest("Anna"), await place.guest("Bert")
        await name_him(place, bert, "bert")
        for handle in ("bert", "@Bert"):
            assert (await anna.get(f"/api/people?handle={handle}"))["user"] == bert.user
        for handle in ("ber", "b\u0435rt", ""):
            answer = await anna.ask("GET", f"/api/people?handle={handle}")
            assert refused(answer) == (404, "no-such-user")

    visit(scenario)


# -- invitations ---------------------------------------------------------------------------------------------


def test_invited_person_sees_it_where_he_is_and_comes() -> None:
    """In his list, and as a frame where he is; the table need not be listed. Once he sits it goes."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest("Anna"), await place.guest("Bert")
        table = await anna.open_table(options={"players": 3})
        socket = bert.socket(await bert.open_table(options={"players": 3}))
        await until(lambda: of(socket, "welcome"))
        sent = await anna.post(f"/api/tables/{table}/invitations", {"users": [bert.user]})
        await until(lambda: of(socket, "invited"))

        assert sent == {"users": [bert.user]}
        assert [(one["table"], one["by"]["name"]) for one in of(socket, "invited")] == [(table, "Anna")]
        (shown,) = (await bert.get("/api/me/people"))["invitations"]
        assert (shown["by"]["name"], shown["table"]["table"]) == ("Anna", table)
        assert (await sit(bert, table)).status == 200
        assert (await bert.get("/api/me/people"))["invitations"] == []
        await socket.hang_up()

    visit(scenario)


def test_invitation_is_turned_down() -> None:
    """Then it is listed no more."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest("Anna"), await place.guest("Bert")
        table = await anna.open_table(options={"players": 3})
        await anna.post(f"/api/tables/{table}/invitations", {"users": [bert.user]})

        answer = await bert.ask("DELETE", f"/api/me/invitations/{table}")
        assert answer.json()["invitations"] == []
        assert (await bert.get("/api/me/people"))["invitations"] == []

    visit(scenario)


def test_blocked_person_invites_in_vain_and_is_told_as_of_anybody_else() -> None:
    """As if there were nobody of that id."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest("Anna"), await place.guest("Bert")
        await block(anna, bert)
        table = await bert.open_table(options={"players": 3})
        path = f"/api/tables/{table}/invitations"
        blocked = await bert.ask("POST", path, {"users": [anna.user]})
        nobody = await bert.ask("POST", path, {"users": ["nobody"]})

        assert refused(blocked) == (409, "not-invitable")
        assert blocked.body == nobody.body
        assert (await anna.get("/api/me/people"))["invitations"] == []
        assert refused(await anna.ask("GET", f"/api/tables/{table}")) == (404, "no-such-table")

    visit(scenario)


def test_only_those_at_the_table_invite() -> None:
    """Its host, and whoever has a seat."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest("Anna"), await place.guest("Bert")
        table = await anna.open_table(options=LISTED)

        answer = await bert.ask("POST", f"/api/tables/{table}/invitations", {"users": [anna.user]})
        assert refused(answer) == (403, "not-host")

    visit(scenario)


def test_invitations_are_limited() -> None:
    """A burst, then a few a minute."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest("Anna"), await place.guest("Bert")
        table = await anna.open_table(options=LISTED)
        path = f"/api/tables/{table}/invitations"
        for _ in range(2):
            await anna.post(path, {"users": [bert.user]})

        assert refused(await anna.ask("POST", path, {"users": [bert.user]})) == (429, "rate-limited")

    visit(scenario, Settings(limits=Limits(invitations_at_once=2)))


# -- profiles and games --------------------------------------------------------------------------------------


def test_profile_tells_the_games_of_somebody_and_those_against_the_viewer() -> None:
    """Added up, by kinds, and the coins of the last ones, oldest first."""

    async def scenario(place: Place) -> None:
        anna, bert, carl = [await place.guest(name) for name in ("Anna", "Bert", "Carl")]
        await won(place, anna, bert)
        await won(place, bert, carl, table="t2", at=2_000)
        profile = await anna.get(f"/api/people/{bert.user}")

        assert [profile[key] for key in ("games", "won", "coins", "trades", "gifts_given")] == [
            2,
            1,
            21,
            8,
            4,
        ]
        assert profile["kinds"] == [{"edition": "full", "players": 3, "games": 2, "won": 1, "coins": 21}]
        assert [one["coins"] for one in profile["recent"]] == [10, 11]
        assert profile["against"] == {"games": 1, "ahead": 1, "behind": 0}
        assert (await bert.get(f"/api/people/{bert.user}"))["against"] is None

    visit(scenario)


def test_profile_is_shown_to_companions_and_followers_only() -> None:
    """To nobody else, and to nobody while it is private or the viewer is blocked; all are told the same."""

    async def scenario(place: Place) -> None:
        anna, bert, carl = [await place.guest(name) for name in ("Anna", "Bert", "Carl")]
        path = f"/api/people/{anna.user}"
        await won(place, anna, bert)
        assert (await bert.ask("GET", path)).status == 200
        assert refused(await carl.ask("GET", path)) == (404, "no-profile")
        await follow(carl, anna)
        assert (await carl.ask("GET", path)).status == 200

        await block(anna, carl)
        assert refused(await carl.ask("GET", path)) == (404, "no-profile")
        await anna.post("/api/me/privacy", {"private": True})
        assert refused(await bert.ask("GET", path)) == (404, "no-profile")
        assert (await anna.get(path))["private"]
        assert refused(await bert.ask("GET", "/api/people/nobody")) == (404, "no-profile")

    visit(scenario)


def test_games_are_searched_page_by_page() -> None:
    """By the name of somebody who has played, by result and by date; each page leads to the next."""

    async def scenario(place: Place) -> None:
        anna, bert, carl = [await place.guest(name) for name in ("Anna", "Bert", "Carl")]
        for number in range(A_PAGE + 3):
            await won(place, bert, anna, table=f"t{number:02}", at=1_000 + number)
        await won(place, anna, carl, table="t99", at=5_000)

        async def tables(query: str) -> list[str]:
            return [one["table"] for one in (await anna.get(f"/api/me/games?{query}"))["games"]]

        first = await anna.get("/api/me/games")
        assert [one["table"] for one in first["games"]][:2] == ["t99", "t22"]
        assert len(first["games"]) == A_PAGE
        assert await tables(f"before={first['next']}") == ["t03", "t02", "t01", "t00"]
        assert await tables("with=car") == ["t99"]
        assert await tables(f"with={carl.user}") == ["t99"]
        assert await tables("with=dora") == []
        assert await tables("result=won") == ["t99"]
        assert await tables("since=1021&until=1022") == ["t21"]
        assert await tables("edition=classic") == []
        shown = (await anna.get("/api/me/games?with=carl"))["games"][0]
        assert [(one["person"]["name"], one["place"]) for one in shown["people"]] == [
            ("Anna", 1),
            ("Carl", 2),
        ]
        assert not shown["kept"]

    visit(scenario)


@pytest.mark.parametrize("query", ["result=drawn", "edition=%00", "players=100", "before=x", "since=x"])
def test_search_that_is_none_is_not_understood(query: str) -> None:
    """Rather than to find nothing."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        assert refused(await anna.ask("GET", f"/api/me/games?{query}")) == (400, "not-understood")

    visit(scenario)


# -- results -------------------------------------------------------------------------------------------------


def test_missed_result_is_noted_when_somebody_asks() -> None:
    """Of a game whose end nobody noted: with place, coins, trades and gifts as its summary."""

    async def scenario(place: Place) -> None:
        for user, name in ((ANNA, "Anna"), (BERT, "Bert")):
            await place.store.put_user(User(user, name, "en", 0))
        viewer = await place.guest()
        table = await keep_finished(place.store, viewer.user)
        summary = await viewer.get(f"/api/tables/{table}/summary")
        (game,) = (await place.services.results.page(ANNA, Wanted())).games
        profile = await place.services.results.profile(ANNA, ANNA)
        counted = summary["players"][0]

        assert (game.table, game.edition, game.players, game.kept) == (table, "full", 4, True)
        assert (game.place, game.coins) == (summary["ranks"][0], summary["result"]["coins"][0])
        assert [one.person.name for one in game.people if one.place == game.place][:1] == ["Anna"]
        assert (profile.trades, profile.gifts_given, profile.gifts_received) == (
            counted["trades"], counted["gifts_given"], counted["gifts_received"],
        )  # fmt: skip

    visit(scenario)


def test_result_is_noted_when_the_game_ends() -> None:
    """With the last batch, before anybody asks."""

    async def scenario(place: Place) -> None:
        anna, bert, carl = [await place.guest(name) for name in ("Anna", "Bert", "Carl")]
        table = await anna.open_table(options=LISTED)
        for visitor in (bert, carl):
            await sit(visitor, table)
        await anna.post(f"/api/tables/{table}/commands", {"command": {"do": "start"}})
        users = (anna.user, bert.user, carl.user)
        hands = Hands(table, users, (place.services.tables,), 7, haste=0.1, clock=place.clock)
        await hands.play_on(100_000)
        await until(lambda: cast("MemoryStore", place.store)._data.results)

        assert {one.user for one in await place.store.results_at((table,))} == set(users)

    visit(scenario)
