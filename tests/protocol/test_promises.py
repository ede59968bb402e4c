"""What docs/protocol.md promises has tests, which it names; those no other file has stand here."""

from __future__ import annotations

import re
from functools import cache, partial
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from bohn.protocol import api, replay, typescript
from bohn.protocol.frames import AnyClientFrame, Remark
from bohn.protocol.shown import ShownEvent
from bohn.rules.beans import Bean
from bohn.rules.errors import Reason
from bohn.rules.state import Copy
from bohn.server.settings import Limits, Settings, Times
from bohn.server.store.protocol import ChatLine
from tests.protocol.document import promises, rows, section, tags
from tests.server.support.site import Place, Visitor, of, until, visit

TESTS = Path(__file__).parents[1]
SALT = {"command": {"do": "give-salt", "salt": "ab"}}


@cache
def names_of_tests() -> frozenset[str]:
    """Return the name of every test there is."""
    files = (*TESTS.rglob("test_*.py"), *TESTS.rglob("contract_*.py"))
    return frozenset(
        name
        for file in files
        for name in re.findall(
            r"^ *(?:async )?def (test_\w+)\(", file.read_text(encoding="utf-8"), re.MULTILINE
        )
    )


@pytest.mark.parametrize(
    ("words", "named"), promises(), ids=lambda part: part[:40] if isinstance(part, str) else ""
)
def test_everything_the_document_says_names_its_tests(words: str, named: tuple[str, ...] | None) -> None:
    """Behind each paragraph, table and item of a list stands what proves it, or that it promises nothing."""
    assert named is not None, f"no `<!-- promise: test_... -->` and no `<!-- no promise -->` behind: {words}"
    assert set(named) - names_of_tests() == set()


# -- numbers and names -----------------------------------------------------------------------------


def test_beans_and_cards_are_numbers_as_told() -> None:
    """0 is cocoa and 10 is coffee; a card is its place and its bean."""
    assert (Bean.COCOA, Bean.COFFEE) == (0, 10)
    assert msgspec.json.encode(Copy(3, Bean.COFFEE)) == b"[3,10]"


def test_names_of_the_routes_are_in_the_typescript() -> None:
    """What the table of routes calls bodies and answers the page finds under the same name."""
    told = {
        name
        for row in rows("Routes")
        for name in re.findall(r"\b[A-Z][a-z]+[A-Z][A-Za-z]*", " ".join(row[3:]))
    }
    declared = re.findall(r"^export (?:interface|type) (\w+)", typescript.generate(), flags=re.MULTILINE)

    assert len(told) > 20
    assert told - set(declared) == {"RecordText"}  # a body that is no JSON


def test_every_field_of_a_replays_first_line_is_explained() -> None:
    """Nothing may come with it that is not told."""
    told = {name.strip() for row in rows("Replays") for name in row[0].split(",")}

    assert told == set(replay.ReplayStart.__struct_fields__)


def test_remarks_have_no_place_where_anything_is_kept() -> None:
    """Neither an event of a log nor a line of a replay could be one."""
    assert Remark not in (*get_args(ShownEvent), *get_args(replay.AnyReplayFrame))


def test_every_code_of_the_rules_may_be_named_in_a_refusal() -> None:
    """Codes of the rules and of the server are told apart by the clause alone, so none is both."""
    assert {str(reason) for reason in Reason} & {row[0] for row in rows("Refusals")} == set()


# -- over HTTP -------------------------------------------------------------------------------------


def sent(title: str) -> list[Any]:
    """Return what the lines for curl under a heading send."""
    return [msgspec.json.decode(body) for body in re.findall(r"-d '(.*?)'", section(title))]


def test_five_minutes_with_curl_are_as_told() -> None:
    """The requests of the document do what they are said to do, in their order."""
    guest, table, _, token = sent("Five minutes with curl")

    async def scenario(place: Place) -> None:
        ada = await place.guest(guest["name"])
        address = f"/api/tables/{await ada.open_table(**table)}"
        legal = await ada.get(f"{address}/legal")
        assert (await ada.get(address))["room"]["status"] == "playing"
        if legal["choices"]["legal"]:
            await ada.ask("POST", f"{address}/commands", {"command": legal["choices"]["legal"][0]})
        made = await ada.post("/api/me/tokens", token)
        mine = await Visitor(place.app, token=made["token"]).get("/api/me")
        assert (mine["name"], mine["bot"]) == ("Beanie", True)

    visit(scenario)


@pytest.mark.parametrize("body", sent("Five minutes with curl"), ids=str)
def test_bodies_of_the_curl_examples_are_understood(body: Any) -> None:
    """Each is what one of the routes takes."""
    kinds: tuple[Any, ...] = (api.NewGuest, api.NewTable, api.Do, api.NewToken)
    understood = []
    for kind in kinds:
        try:
            understood.append(msgspec.convert(body, kind))
        except msgspec.ValidationError:
            continue

    assert understood


def test_two_people_may_have_the_same_name() -> None:
    """A name is how one is called; who one is tells the id."""

    async def scenario(place: Place) -> None:
        first, second = await place.guest("Ada"), await place.guest("Ada")

        assert [(await one.get("/api/me"))["name"] for one in (first, second)] == ["Ada", "Ada"]
        assert first.user != second.user

    visit(scenario)


def test_every_part_of_a_new_table_may_be_left_out() -> None:
    """An empty request opens a table for four, of whom whoever asks is one."""

    async def scenario(place: Place) -> None:
        ada = await place.guest()
        welcome = await ada.get(f"/api/tables/{await ada.open_table()}")

        assert welcome["room"]["options"]["players"] == len(welcome["room"]["seats"]) == 4
        assert [seat["user"] for seat in welcome["room"]["seats"]] == [ada.user, None, None, None]
        assert welcome["protocol"] == (await ada.get("/api/catalog"))["protocol"] == 1

    visit(scenario)


def test_newest_lines_of_a_chat_are_the_ones_told() -> None:
    """Of more than 200 lines one reads the last 200, oldest first."""

    async def scenario(place: Place) -> None:
        ada = await place.guest()
        table = await ada.open_table()
        for _ in range(203):
            await place.store.say(ChatLine(0, table, ada.user, 0, text="hello"))
        lines = (await ada.get(f"/api/tables/{table}/chat"))["lines"]

        assert [line["line"] for line in lines] == list(range(4, 204))

    visit(scenario)


def test_quick_settings_of_the_document_are_understood() -> None:
    """The file that makes a server quick sets only what there is, and every wait of a bot in it is 0."""
    (file,) = re.findall(r"^```text\n(.*?)^```", section("For Python"), flags=re.MULTILINE | re.DOTALL)
    settings = msgspec.json.decode(file, type=Settings)
    told = msgspec.json.decode(file)

    assert set(told["times"]) <= set(Times.__struct_fields__)
    assert set(told["limits"]) <= set(Limits.__struct_fields__)
    assert settings.times.bot_move == settings.times.bot_delay == (0, 0)
    assert settings.times.last_call == 0


# -- over both transports -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["after", "since"])
def test_both_transports_take_either_name_of_the_last_seq(name: str) -> None:
    """``after`` and ``since`` mean the same on the WebSocket and on the stream."""

    async def scenario(place: Place) -> None:
        ada = await place.guest()
        table = await ada.open_table()
        seqs = [(await ada.post(f"/api/tables/{table}/commands", SALT))["seq"] for _ in range(3)]
        for connection in (ada.socket(table, f"&{name}={seqs[0]}"), ada.lines(table, f"?{name}={seqs[0]}")):
            await until(partial(lambda it: len(of(it, "batch")) == 2, connection))
            assert [batch["seq"] for batch in of(connection, "batch")] == seqs[1:]
            await connection.hang_up()

    visit(scenario)


def test_same_id_is_the_same_command_over_both_transports() -> None:
    """What was sent on a socket is not done again when it comes as a POST."""

    async def scenario(place: Place) -> None:
        ada = await place.guest()
        table = await ada.open_table()
        socket = ada.socket(table)
        socket.send({"type": "command", "id": "c1", **SALT})
        await until(lambda: of(socket, "ack"))
        again = await ada.post(f"/api/tables/{table}/commands", {**SALT, "id": "c1"})

        assert again["seq"] == of(socket, "ack")[0]["seq"]
        assert (await ada.get(f"/api/tables/{table}"))["seq"] == again["seq"]
        await socket.hang_up()

    visit(scenario)


def test_id_of_a_refused_command_may_be_sent_again() -> None:
    """It is decided anew, and may be another command."""

    async def scenario(place: Place) -> None:
        ada = await place.guest()
        address = f"/api/tables/{await ada.open_table()}/commands"
        refused = await ada.ask("POST", address, {"command": {"do": "pause"}, "id": "c1"})

        assert (refused.status, refused.json()["reason"]) == (409, "not-started")
        assert (await ada.post(address, {**SALT, "id": "c1"}))["id"] == "c1"

    visit(scenario)


def test_every_frame_of_a_client_may_be_answered_by_a_refusal() -> None:
    """Each carries an id, under which an answer or a refusal comes back."""
    assert all("id" in kind.__struct_fields__ for kind in get_args(AnyClientFrame))
    assert "refused" in {row[0] for row in rows("Frames")}
    assert len(tags(AnyClientFrame)) == 6
