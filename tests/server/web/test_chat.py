"""Chat: who may read, write, delete, mute and report."""

from __future__ import annotations

from typing import Any

import pytest

from bohn.i18n.catalog import Catalog
from bohn.server.people.chat import PHRASES, Chat, text_key
from bohn.server.settings import Limits, Settings
from bohn.server.store.postgres.store import PostgresStore
from bohn.server.store.protocol import Report
from tests.server.support.memory_store import MemoryStore
from tests.server.support.postgres import emptied
from tests.server.support.site import Place, checked, of, until, visit


def refused(answer: Any) -> tuple[int, str]:
    """Return status and reason of a refusal."""
    return answer.status, answer.json()["reason"]


async def company(place: Place) -> tuple[Any, Any, str, str]:
    """Return two guests, the address of their table's chat, and the table."""
    anna, bert = await place.guest(), await place.guest("Bert")
    table = await anna.open_table(options={"listed": True})
    return anna, bert, f"/api/tables/{table}/chat", table


def test_line_is_shown_to_everybody_at_the_table() -> None:
    """On sockets at once, and to those who come later."""

    async def scenario(place: Place) -> None:
        anna, bert, chat, table = await company(place)
        socket = anna.socket(table)
        await until(lambda: of(socket, "welcome"))
        line = await bert.post(chat, {"text": " two red\u202e for  one blue "})
        await until(lambda: of(socket, "line"))

        assert (line["text"], line["user"], line["line"]) == ("two red for one blue", bert.user, 1)
        assert of(socket, "line") == [line]
        assert (await anna.get(chat))["lines"] == [line]
        await socket.hang_up()

    visit(scenario)


def test_line_said_on_a_socket_is_answered_with_its_number() -> None:
    """So that one can take it back."""

    async def scenario(place: Place) -> None:
        anna, _, _, table = await company(place)
        socket = anna.socket(table)
        socket.send({"type": "say", "id": "s1", "key": "thanks"})
        await until(lambda: of(socket, "said"))

        assert of(socket, "said") == [{"type": "said", "id": "s1", "line": 1}]
        assert (of(socket, "line")[0]["key"], of(socket, "line")[0]["text"]) == ("thanks", "")
        await socket.hang_up()

    visit(scenario)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": ""},
        {"text": "hi", "key": "thanks"},
        {"key": "you-cheat"},
        {"text": "\u200b"},
        {"text": "x" * 501},
    ],
)
def test_line_that_says_nothing_or_too_much_is_refused(body: dict[str, str]) -> None:
    """Text or the key of a phrase, one of them."""

    async def scenario(place: Place) -> None:
        anna, _, chat, _ = await company(place)

        assert refused(await anna.ask("POST", chat, body)) == (400, "text-not-allowed")
        assert (await anna.get(chat))["lines"] == []

    visit(scenario)


def test_every_phrase_has_its_text() -> None:
    """A key stands for the same words in every language."""
    catalog = Catalog.load("en")

    assert len(PHRASES) == len(set(PHRASES)) == 22
    assert [key for key in PHRASES if text_key(key) not in catalog] == []


def test_chat_goes_on_behind_a_line() -> None:
    """One reads what is new."""

    async def scenario(place: Place) -> None:
        anna, _, chat, _ = await company(place)
        for number in range(3):
            await anna.post(chat, {"text": f"line {number}"})

        assert [line["line"] for line in (await anna.get(f"{chat}?after=1"))["lines"]] == [2, 3]
        assert refused(await anna.ask("GET", f"{chat}?after=x")) == (400, "not-understood")

    visit(scenario)


def test_stranger_reads_and_does_not_write() -> None:
    """Who writes has a name."""

    async def scenario(place: Place) -> None:
        anna, _, chat, _ = await company(place)
        await anna.post(chat, {"text": "hello"})

        assert len((await place.stranger.get(chat))["lines"]) == 1
        assert refused(await place.stranger.ask("POST", chat, {"text": "hi"})) == (401, "no-guest")

    visit(scenario)


def test_chat_of_a_private_table_is_not_there_for_others() -> None:
    """Neither to read nor to write, delete or report."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest(), await place.guest("Bert")
        chat = f"/api/tables/{await anna.open_table()}/chat"
        await anna.post(chat, {"text": "between us"})

        for method, path, body in (
            ("GET", chat, None),
            ("POST", chat, {"text": "hi"}),
            ("DELETE", f"{chat}/1", None),
            ("POST", f"{chat}/1/report", {}),
        ):
            assert refused(await bert.ask(method, path, body)) == (404, "no-such-table")

    visit(scenario)


def test_line_is_deleted_by_its_author() -> None:
    """For good, and everybody's page forgets it."""

    async def scenario(place: Place) -> None:
        anna, bert, chat, table = await company(place)
        socket = anna.socket(table)
        await until(lambda: of(socket, "welcome"))
        await bert.post(chat, {"text": "oops"})
        checked(await bert.ask("DELETE", f"{chat}/1"))
        await until(lambda: of(socket, "line-deleted"))

        assert of(socket, "line-deleted") == [{"type": "line-deleted", "line": 1}]
        assert (await anna.get(chat))["lines"] == []
        assert refused(await bert.ask("DELETE", f"{chat}/1")) == (404, "not-found")
        await socket.hang_up()

    visit(scenario)


def test_line_is_deleted_by_the_host() -> None:
    """Whoever runs the table keeps its chat clean."""

    async def scenario(place: Place) -> None:
        anna, bert, chat, _ = await company(place)
        await bert.post(chat, {"text": "rude"})

        checked(await anna.ask("DELETE", f"{chat}/1"))
        assert (await bert.get(chat))["lines"] == []

    visit(scenario)


def test_line_is_not_deleted_by_others() -> None:
    """It stays."""

    async def scenario(place: Place) -> None:
        anna, bert, chat, _ = await company(place)
        await anna.post(chat, {"text": "hello"})

        assert refused(await bert.ask("DELETE", f"{chat}/1")) == (403, "not-host")
        assert len((await anna.get(chat))["lines"]) == 1

    visit(scenario)


@pytest.mark.parametrize("line", ["0", "2", "x", "-1", "1.0", "99999999999999999999"])
def test_line_that_is_not_there_is_not_found(line: str) -> None:
    """Whatever is asked of it."""

    async def scenario(place: Place) -> None:
        anna, _, chat, _ = await company(place)
        await anna.post(chat, {"text": "hello"})

        assert refused(await anna.ask("DELETE", f"{chat}/{line}")) == (404, "not-found")
        assert refused(await anna.ask("POST", f"{chat}/{line}/report", {})) == (404, "not-found")

    visit(scenario)


def test_early_line_of_a_long_chat_can_be_deleted() -> None:
    """It is found behind many others."""

    async def scenario(place: Place) -> None:
        anna, _, chat, _ = await company(place)
        for number in range(260):
            await anna.post(chat, {"text": f"line {number}"})

        checked(await anna.ask("DELETE", f"{chat}/1"))

    visit(scenario, Settings(limits=Limits(chat_at_once=1_000, requests_at_once=1_000)))


def test_line_that_is_still_to_come_can_be_neither_deleted_nor_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What a delayed spectator does not read yet is not there for him, but for what he said himself."""

    async def scenario(place: Place) -> None:
        anna, bert, chat, _ = await company(place)
        await anna.post(chat, {"text": "he has two blues"})
        await bert.post(chat, {"text": "hello"})
        past = place.clock.now() - 1
        monkeypatch.setattr(place.services.tables, "horizon", lambda _table, _user: past)

        assert refused(await bert.ask("POST", f"{chat}/1/report", {})) == (404, "not-found")
        assert refused(await bert.ask("DELETE", f"{chat}/1")) == (404, "not-found")
        checked(await bert.ask("DELETE", f"{chat}/2"))
        assert await place.store.reports() == ()

    visit(scenario)


def test_deleting_and_reporting_is_limited() -> None:
    """As often as one may talk."""

    async def scenario(place: Place) -> None:
        anna, _, chat, _ = await company(place)
        await anna.post(chat, {"text": "hi"})
        checked(await anna.ask("POST", f"{chat}/1/report", {}))

        assert refused(await anna.ask("DELETE", f"{chat}/1")) == (429, "rate-limited")

    visit(scenario, Settings(limits=Limits(chat_at_once=2, chat_a_second=0.001)))


def test_long_chat_loses_its_oldest_lines() -> None:
    """It does not grow for ever."""

    async def scenario(place: Place) -> None:
        anna, _, chat, _ = await company(place)
        for number in range(4):
            await anna.post(chat, {"text": f"line {number}"})

        assert [line["line"] for line in (await anna.get(chat))["lines"]] == [3, 4]

    visit(scenario, Settings(limits=Limits(chat_lines=2)))


def test_report_keeps_the_text() -> None:
    """Even if the line is deleted afterwards."""

    async def scenario(place: Place) -> None:
        anna, bert, chat, table = await company(place)
        await bert.post(chat, {"text": "rude words"})
        await bert.post(chat, {"key": "hurry"})
        await anna.ask("POST", f"{chat}/1/report", {"reason": "insult\u202e"})
        await anna.ask("POST", f"{chat}/2/report", {})
        await anna.ask("DELETE", f"{chat}/1")

        at = place.clock.now()
        second, first = await place.store.reports()
        assert first == Report(table, 1, anna.user, bert.user, at, "rude words", "insult")
        assert (second.text, second.reason) == ("phrase.hurry", "")

    visit(scenario)


def test_muted_user_is_not_read() -> None:
    """Neither on a socket nor in the pages; the others read him, and he does not learn of it."""

    async def scenario(place: Place) -> None:
        anna, bert, chat, table = await company(place)
        carla = await place.guest("Carla")
        sockets = [guest.socket(table) for guest in (anna, bert, carla)]
        await until(lambda: all(of(socket, "welcome") for socket in sockets))
        assert (await anna.post("/api/me/mutes", {"user": bert.user}))["users"] == [bert.user]
        await bert.post(chat, {"text": "first"})
        await carla.post(chat, {"text": "second"})
        await until(lambda: all(of(socket, "line") for socket in sockets))

        said = [[line["text"] for line in of(socket, "line")] for socket in sockets]
        assert said == [["second"], ["first", "second"], ["first", "second"]]
        assert [line["text"] for line in (await anna.get(chat))["lines"]] == ["second"]
        assert len((await bert.get(chat))["lines"]) == 2
        for socket in sockets:
            await socket.hang_up()

    visit(scenario)


def test_mute_holds_for_connections_that_come_later_and_ends() -> None:
    """It is kept with the user, and can be taken back while he is connected."""

    async def scenario(place: Place) -> None:
        anna, bert, chat, table = await company(place)
        await anna.post("/api/me/mutes", {"user": bert.user})
        socket, stream = anna.socket(table), anna.lines(table)
        await until(lambda: of(socket, "welcome") and of(stream, "welcome"))
        await bert.post(chat, {"text": "first"})
        assert (await anna.post("/api/me/mutes", {"user": bert.user, "on": False}))["users"] == []
        await bert.post(chat, {"text": "second"})
        await until(lambda: of(socket, "line") and of(stream, "line"))

        assert [line["text"] for line in of(socket, "line")] == ["second"]
        assert [line["text"] for line in of(stream, "line")] == ["second"]
        assert (await anna.get("/api/me/mutes"))["users"] == []
        await socket.hang_up()
        await stream.hang_up()
        assert place.services.chat._reading == {}

    visit(scenario)


@pytest.mark.parametrize("kind", ["socket", "lines"])
def test_mute_holds_though_it_comes_while_a_connection_opens(kind: str) -> None:
    """Not one line gets through, however long the table takes."""

    async def scenario(place: Place) -> None:
        anna, bert, chat, table = await company(place)
        watch = place.services.tables.watch

        async def slow(*given: Any) -> Any:
            found = await watch(*given)
            await anna.post("/api/me/mutes", {"user": bert.user})
            await bert.post(chat, {"text": "you bean"})
            return found

        place.services.tables.watch = slow  # type: ignore[method-assign, assignment] # mypy: - a slow table
        connection = anna.socket(table) if kind == "socket" else anna.lines(table)
        await until(lambda: of(connection, "welcome"))
        await anna.post(chat, {"text": "hello"})
        await until(lambda: of(connection, "line"))
        await bert.post(chat, {"text": "still there?"})
        await anna.post(chat, {"text": "bye"})
        await until(lambda: of(connection, "line")[-1]["text"] == "bye")
        assert [line["text"] for line in of(connection, "line")] == ["hello", "bye"]
        await connection.hang_up()

    visit(scenario)


def test_mute_that_comes_while_the_store_is_asked_is_the_newer_one() -> None:
    """What the store answers late is not taken for what holds."""

    class Late(MemoryStore):
        """A store while whose answer is under way somebody is muted."""

        told: Chat | None = None

        async def unread(self, user: str) -> frozenset[str]:
            """Return what was found before."""
            found = await super().unread(user)
            if self.told is not None:
                self.told.follow_mutes(user, frozenset({"bert"}))
            return found

    store = Late()

    async def scenario(place: Place) -> None:
        chat = store.told = place.services.chat
        async with chat.reading("anna"):
            assert chat.unread_by("bert") == {"anna"}
        assert chat.unread_by("bert") == frozenset()

    visit(scenario, store=store)


def test_only_others_that_exist_are_muted() -> None:
    """Not oneself, and nobody made up."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()

        for user in (anna.user, "nobody", ""):
            assert refused(await anna.ask("POST", "/api/me/mutes", {"user": user})) == (404, "not-found")

    visit(scenario)


@pytest.mark.postgres
def test_nobody_is_found_by_what_no_database_takes(postgres_database: str) -> None:
    """A letter that PostgreSQL refuses in any text is no failure of the store."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        answer = await anna.ask("POST", "/api/me/mutes", {"user": "a\0b"})
        assert refused(answer) == (404, "not-found")

    emptied(postgres_database)
    visit(scenario, store=PostgresStore(postgres_database))


def test_chat_is_limited() -> None:
    """Some lines at once, and then about one a second."""

    async def scenario(place: Place) -> None:
        anna, _, chat, table = await company(place)
        for _ in range(2):
            await anna.post(chat, {"text": "hi"})
        socket = anna.socket(table)
        socket.send({"type": "say", "id": "s", "text": "hi"})
        await until(lambda: of(socket, "refused"))

        assert refused(await anna.ask("POST", chat, {"text": "hi"})) == (429, "rate-limited")
        assert of(socket, "refused")[0]["reason"] == "rate-limited"
        await socket.hang_up()

    visit(scenario, Settings(limits=Limits(chat_at_once=2, chat_a_second=0.001)))


async def kicked_company(place: Place) -> tuple[Any, Any, str, str]:
    """Return a host, a guest whom he has kicked from a listed table, its chat, and the table."""
    anna, bert, chat, table = await company(place)
    commands = f"/api/tables/{table}/commands"
    await bert.post(commands, {"command": {"do": "sit", "seat": 2}})
    await anna.post(commands, {"command": {"do": "kick", "seat": 2}})
    return anna, bert, chat, table


def test_kicked_guest_of_a_listed_table_writes_no_more() -> None:
    """Neither text nor a phrase; he still reads, and others still write."""

    async def scenario(place: Place) -> None:
        anna, bert, chat, _ = await kicked_company(place)

        assert refused(await bert.ask("POST", chat, {"text": "hi"})) == (403, "sent-away")
        assert refused(await bert.ask("POST", chat, {"key": "thanks"})) == (403, "sent-away")
        await anna.post(chat, {"text": "hi"})
        assert [line["text"] for line in (await bert.get(chat))["lines"]] == ["hi"]

    visit(scenario)


def test_kicked_guest_of_a_listed_table_does_not_sit_down_again() -> None:
    """No seat of it is his any more; he still watches, and others are not told who was kicked."""

    async def scenario(place: Place) -> None:
        anna, bert, _, table = await kicked_company(place)
        commands = f"/api/tables/{table}/commands"

        assert refused(await bert.ask("POST", commands, {"command": {"do": "sit"}})) == (403, "sent-away")
        assert (await bert.get(f"/api/tables/{table}"))["seat"] is None
        assert bert.user not in str((await anna.get(f"/api/tables/{table}"))["room"])

    visit(scenario)


def test_kicked_guest_of_a_private_table_sits_down_by_another_invitation() -> None:
    """There the host decides again, by whom he invites; listed afterwards, it is no other."""

    async def scenario(place: Place) -> None:
        anna, bert = await place.guest(), await place.guest("Bert")
        table = await anna.open_table()
        commands = f"/api/tables/{table}/commands"
        link = await anna.post(f"/api/tables/{table}/links")
        checked(await bert.ask("POST", "/api/links", {"token": link["token"]}))
        await bert.post(commands, {"command": {"do": "sit", "seat": 2}})
        await anna.post(commands, {"command": {"do": "kick", "seat": 2}})
        checked(await bert.ask("POST", "/api/links", {"token": link["token"]}))
        await bert.post(commands, {"command": {"do": "sit", "seat": 2}})
        await anna.post(commands, {"command": {"do": "choose-options", "options": {"listed": True}}})

        await bert.post(f"/api/tables/{table}/chat", {"text": "hi"})

    visit(scenario)
