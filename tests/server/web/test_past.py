"""Games that are over, over HTTP: replays, summaries, and records that people keep."""

from __future__ import annotations

import asyncio
import gzip
from typing import Any

import msgspec
import pytest

from bohn.notation.records import read_record, verify
from bohn.server.settings import Limits, Settings, Times
from bohn.server.store.protocol import User
from bohn.server.tables.archive import library
from bohn.server.tables.archive.replay import replay
from bohn.server.tables.archive.verifying import About, verified
from bohn.server.tables.past_game import PastGame
from tests.server.support.asgi import request
from tests.server.support.http import HttpReply
from tests.server.support.past import keep_finished, record_of, text_of
from tests.server.support.rooms import ANNA, BERT
from tests.server.support.site import Place, Visitor, checked, visit

NDJSON = "application/x-ndjson"


def refused(answer: HttpReply) -> tuple[int, str]:
    """Return status and reason of a refusal."""
    return answer.status, answer.json()["reason"]


async def keep(visitor: Visitor, text: bytes | None = None, media: str = NDJSON) -> HttpReply:
    """Send a record."""
    data = text_of() if text is None else text
    return await request(
        visitor.app, "POST", "/api/records", data, headers={**visitor.headers, "content-type": media}
    )


async def kept(visitor: Visitor) -> str:
    """Keep a record, and return its id."""
    record: str = checked(await keep(visitor))["record"]
    return record


def lines(answer: HttpReply) -> list[dict[str, Any]]:
    """Return the frames of a replay."""
    assert answer.status == 200, answer
    assert dict(answer.headers)["content-type"] == NDJSON
    return [msgspec.json.decode(line) for line in answer.body.splitlines()]


# -- tables --------------------------------------------------------------------------------------------------


def test_finished_table_is_replayed() -> None:
    """As everybody saw it, or as a seat did; with times, which a record has not."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await keep_finished(place.store, anna.user)
        start, *entries = lines(await anna.ask("GET", f"/api/tables/{table}/replay"))
        seated = lines(await anna.ask("GET", f"/api/tables/{table}/replay?seat=2"))[0]
        opened = lines(await anna.ask("GET", f"/api/tables/{table}/replay?seat=2&hands=1"))[0]

        assert (start["type"], start["table"], start["seat"], start["game"]["own"]) == (
            "replay", table, None, None,
        )  # fmt: skip
        assert start["entries"] == len(entries)
        assert [entry["seq"] for entry in entries] == list(range(len(entries)))
        assert all(entry["at"] >= start["at"] > 0 for entry in entries)
        assert len(seated["game"]["own"]["hand"]) == seated["game"]["players"][2]["hand_size"]
        assert (seated["open_hands"], opened["open_hands"][2]) == (None, seated["game"]["own"]["hand"])

    visit(scenario)


def test_replay_is_compressed_for_who_takes_it() -> None:
    """Browsers do; the others get the same lines."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await keep_finished(place.store, anna.user)
        plain = await anna.ask("GET", f"/api/tables/{table}/replay")
        packed = await anna.ask("GET", f"/api/tables/{table}/replay", headers={"accept-encoding": "gzip, br"})

        assert dict(packed.headers)["content-encoding"] == "gzip"
        assert dict(packed.headers)["vary"] == dict(plain.headers)["vary"] == "accept-encoding"
        assert "content-encoding" not in dict(plain.headers)
        assert gzip.decompress(packed.body) == plain.body
        assert len(packed.body) * 5 < len(plain.body)

    visit(scenario)


def test_finished_table_is_summarized() -> None:
    """With its names, as the record has them."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await keep_finished(place.store, anna.user)
        summary = await anna.get(f"/api/tables/{table}/summary")

        assert (summary["table"], summary["record"], summary["edition"]) == (table, None, "full")
        assert summary["bots"] == [None, None, "pk", "b3"]
        assert summary["coins"][-1]["coins"] == summary["result"]["coins"]
        assert len(summary["players"]) == len(summary["ranks"]) == 4
        assert summary["ended"] > summary["began"]

    visit(scenario)


@pytest.mark.parametrize("path", ["replay", "replay?seat=1", "replay?hands=1", "summary", "record"])
def test_unfinished_table_is_neither_replayed_nor_summarized(path: str) -> None:
    """Not even to its host, nor once it was given up."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table(options={"players": 3}, bots=["pk", "pk"], start=True)
        address = f"/api/tables/{table}"

        assert refused(await anna.ask("GET", f"{address}/{path}")) == (409, "not-finished")
        await anna.post(f"{address}/commands", {"command": {"do": "end-table"}})
        assert refused(await anna.ask("GET", f"{address}/{path}")) == (409, "not-finished")

    visit(scenario)


@pytest.mark.parametrize("path", ["replay", "summary"])
def test_table_of_others_is_not_found(path: str) -> None:
    """It is not listed, and nobody has invited him."""

    async def scenario(place: Place) -> None:
        table = await keep_finished(place.store)
        ben = await place.guest("Ben")

        for visitor in (ben, place.stranger):
            answer = await visitor.ask("GET", f"/api/tables/{table}/{path}")
            assert refused(answer) == (404, "no-such-table")

    visit(scenario)


@pytest.mark.parametrize(
    ("query", "status", "reason"),
    [("seat=4", 409, "no-such-seat"), ("seat=-1", 400, "not-understood"), ("hands=x", 400, "not-understood")],
)
def test_replay_wants_a_seat_that_there_is(query: str, status: int, reason: str) -> None:
    """By its number."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await keep_finished(place.store, anna.user)

        assert refused(await anna.ask("GET", f"/api/tables/{table}/replay?{query}")) == (status, reason)

    visit(scenario)


def test_names_that_were_deleted_are_in_no_replay() -> None:
    """Whoever has his data deleted has no name in any game from then on."""

    async def scenario(place: Place) -> None:
        carl = await place.guest("Carl")
        for user, name in ((ANNA, "Anna"), (BERT, "Bert")):
            await place.store.put_user(User(user, name, "en", 0))
        table = await keep_finished(place.store, carl.user)
        before = await carl.get(f"/api/tables/{table}/summary")
        lines(await carl.ask("GET", f"/api/tables/{table}/replay"))
        await place.services.people.forget(BERT)
        place.services.tables.sign_out(BERT)
        after = await carl.get(f"/api/tables/{table}/summary")

        assert before["names"] == ["Anna", "Bert", "Bot1", "Bot2"]
        assert after["names"] == ["Anna", "Player2", "Bot1", "Bot2"]
        assert b"Bert" not in (await carl.ask("GET", f"/api/tables/{table}/replay")).body

    visit(scenario)


def test_replays_are_limited() -> None:
    """They cost more than other answers."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await keep_finished(place.store, anna.user)
        answers = [await anna.ask("GET", f"/api/tables/{table}/replay") for _ in range(3)]

        assert [answer.status for answer in answers] == [200, 200, 429]

    visit(scenario, Settings(limits=Limits(replays_at_once=2, replays_a_second=0.001)))


# -- records -------------------------------------------------------------------------------------------------


def test_record_is_kept_and_handed_out_as_it_was_sent() -> None:
    """Whoever has its id may watch it, without a name."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        info = checked(await keep(anna))
        address = f"/api/records/{info['record']}"
        download = await place.stranger.ask("GET", address)
        start, *entries = lines(await place.stranger.ask("GET", f"{address}/replay?seat=0"))
        summary = await place.stranger.get(f"{address}/summary")

        assert (len(info["record"]), info["size"], info["edition"]) == (32, len(text_of()), "full")
        assert info["names"] == ["Ada", "Beanie", "Bot2"]
        assert (download.status, download.body) == (200, text_of())
        assert f'filename="{info["record"]}.bohn"' in dict(download.headers)["content-disposition"]
        assert (start["record"], start["table"], start["at"]) == (info["record"], None, None)
        assert len(entries) == info["entries"] == len(record_of().entries)
        assert summary["result"] == info["result"]

    visit(scenario)


def test_user_has_one_record_verified_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """His second is refused before it is read; somebody else's waits for its turn."""
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def slowly(data: bytes, milliseconds: int) -> About:
        begun.set()
        await go_on.wait()
        return await verified(data, milliseconds)

    async def scenario(place: Place) -> None:
        anna, ben = await place.guest(), await place.guest("Ben")
        async with asyncio.TaskGroup() as group:
            first = group.create_task(keep(anna))
            await begun.wait()
            second = await keep(anna, media="text/plain")
            other = group.create_task(keep(ben))
            go_on.set()

        assert refused(second) == (429, "rate-limited")
        assert second.json()["params"]["retry_after"] > 0
        assert (first.result().status, other.result().status) == (200, 200)

    monkeypatch.setattr(library, "verified", slowly)
    visit(scenario)


def test_replay_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many ask for it, as long as they ask for the same."""
    made: list[tuple[int | None, bool]] = []

    def counted(game: PastGame, seat: int | None, *, hands: bool = False) -> bytes:
        made.append((seat, hands))
        return replay(game, seat, hands=hands)

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        address = f"/api/records/{await kept(anna)}/replay"
        both = await asyncio.gather(*(anna.ask("GET", address) for _ in range(2)))
        await anna.ask("GET", f"{address}?seat=1")
        again = await place.stranger.ask("GET", address)
        await anna.ask("GET", f"{address}?seat=1&hands=1")

        assert made == [(None, False), (1, False), (1, True)]
        assert both[0].body == both[1].body == again.body

    monkeypatch.setattr(library, "replay_of", counted)
    visit(scenario)


def test_deleted_record_is_not_replayed_from_memory() -> None:
    """What its owner has taken back is gone."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        address = f"/api/records/{await kept(anna)}"
        shown = lines(await anna.ask("GET", f"{address}/replay"))
        checked(await anna.ask("DELETE", address))

        assert shown
        assert refused(await anna.ask("GET", f"{address}/replay")) == (404, "no-such-record")

    visit(scenario)


def test_unfinished_record_may_be_watched() -> None:
    """Up to where it goes; a last line without its end is taken."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        info = checked(await keep(anna, text_of(whole=False).rstrip(b"\n")))
        start, *entries = lines(await anna.ask("GET", f"/api/records/{info['record']}/replay"))

        assert (info["result"], start["result"]) == (None, None)
        assert len(entries) == info["entries"]

    visit(scenario)


def test_record_of_a_table_can_be_kept() -> None:
    """What one downloads here one can upload here, deal and all."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await keep_finished(place.store, anna.user)
        text = (await anna.ask("GET", f"/api/tables/{table}/record")).body
        record = checked(await keep(anna, text))["record"]
        again = (await anna.ask("GET", f"/api/records/{record}")).body

        assert verify(read_record(again)) == verify(read_record(text))

    visit(scenario)


def test_records_are_listed_newest_first_and_the_oldest_falls_out() -> None:
    """One has a few; they are nobody else's."""

    async def scenario(place: Place) -> None:
        anna, ben = await place.guest(), await place.guest("Ben")
        mine = []
        for _ in range(3):
            mine.append(await kept(anna))
            await place.clock.advance(1_000)
        listed = await anna.get("/api/me/records")

        assert ([one["record"] for one in listed["records"]], listed["most"]) == (mine[:0:-1], 2)
        assert (await ben.get("/api/me/records"))["records"] == []
        assert refused(await anna.ask("GET", f"/api/records/{mine[0]}")) == (404, "no-such-record")

    visit(scenario, Settings(limits=Limits(records_a_user=2)))


def test_record_is_deleted_by_its_owner_only() -> None:
    """Whoever has the id may watch it, and no more."""

    async def scenario(place: Place) -> None:
        anna, ben = await place.guest(), await place.guest("Ben")
        record = await kept(anna)

        assert refused(await ben.ask("DELETE", f"/api/records/{record}")) == (404, "no-such-record")
        assert (await anna.ask("DELETE", f"/api/records/{record}")).status == 200
        assert refused(await anna.ask("DELETE", f"/api/records/{record}")) == (404, "no-such-record")
        for path in ("", "/replay", "/summary"):
            assert refused(await anna.ask("GET", f"/api/records/{record}{path}")) == (404, "no-such-record")

    visit(scenario)


def test_records_go_with_their_owner() -> None:
    """Whoever has his data deleted keeps no record here."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        record = await kept(anna)
        checked(await anna.ask("DELETE", "/api/me"))

        assert refused(await place.stranger.ask("GET", f"/api/records/{record}")) == (404, "no-such-record")

    visit(scenario)


WRONG = text_of().replace(b'"field":0', b'"field":1', 1)
WRONG_LINE = 1 + text_of()[: text_of().index(b'"field":0')].count(b"\n")


@pytest.mark.parametrize(("text", "line"), [(b"nonsense", 1), (WRONG, WRONG_LINE), (b"\xff", 1)])
def test_record_that_is_none_is_refused(text: bytes, line: int) -> None:
    """With the line that is wrong; nothing is kept."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        answer = await keep(anna, text)

        assert refused(answer) == (400, "record-not-valid")
        assert answer.json()["params"]["line"] == line
        assert answer.json()["params"]["detail"]
        assert (await anna.get("/api/me/records"))["records"] == []

    visit(scenario)


def test_large_record_is_refused() -> None:
    """A record may be larger than other bodies, up to a limit of its own."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        assert len(text_of()) > place.services.settings.limits.body_bytes

        assert refused(await keep(anna)) == (413, "too-large")

    visit(scenario, Settings(limits=Limits(record_bytes=40_000)))


@pytest.mark.parametrize("media", ["application/json", "text/plain", ""])
def test_record_says_what_it_is(media: str) -> None:
    """A form of a foreign page could send the others."""

    async def scenario(place: Place) -> None:
        answer = await keep(await place.guest(), media=media)

        assert refused(answer) == (415, "not-json")
        assert answer.json()["params"] == {"expected": NDJSON}

    visit(scenario)


def test_record_is_kept_for_guests_who_may_play() -> None:
    """No stranger keeps one, and no token that may only read."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        program = await place.program(anna, "read")

        assert refused(await keep(place.stranger)) == (401, "no-guest")
        assert refused(await keep(program)) == (403, "scope-missing")
        assert (await program.get("/api/me/records"))["records"] == []

    visit(scenario)


def test_record_that_takes_too_long_is_refused() -> None:
    """Nobody keeps the server busy with one."""

    async def scenario(place: Place) -> None:
        answer = await keep(await place.guest())

        assert refused(answer) == (400, "record-not-valid")
        assert "in time" in answer.json()["params"]["detail"]

    visit(scenario, Settings(times=Times(verify=1)))
