"""Whoever a game over days waits for is told where he is: once, with no card in it, and never too late."""

from __future__ import annotations

import pytest

from tests.server.alerts.conftest import HOUR, Evening, Visit
from tests.server.support.site import checked, of, until


def test_whoever_a_game_waits_for_is_told(over_days: Visit) -> None:
    """By each of his devices; the message names the table and what is to be done."""

    async def scenario(evening: Evening) -> None:
        await evening.sit()
        (first,) = await evening.awaited()
        await evening.subscribe(first)
        await evening.wait()
        assert evening.service.taken == []  # he had no channel when that turn began
        await evening.next_turn(first)
        assert evening.service.taken == []
        await evening.wait()

        (taken,) = evening.service.taken
        assert taken.path == f"/{first.user}"
        assert taken.message["table"] == evening.table
        assert (taken.message["kind"], taken.message["count"]) == ("turn", 1)
        assert taken.message["title"] == "It is your turn"
        where, what = taken.message["body"].split("\n")
        assert where.startswith("The 11-kind game, with ")
        assert what == "Plant the beans that you have got."
        assert set(taken.message) == {"kind", "title", "body", "table", "count"}
        assert 0 < int(taken.headers["ttl"]) <= 72 * 3600
        assert len(taken.headers["topic"]) == 32
        assert taken.claims["sub"] == "mailto:host@bohn.example"

    over_days(scenario)


def test_key_is_the_one_that_browsers_subscribe_with(over_days: Visit) -> None:
    """It is made once, and signs what is sent."""

    async def scenario(evening: Evening) -> None:
        anna = await evening.place.guest()
        key = (await anna.get("/api/me/alerts"))["key"]
        channel = await evening.subscribe(anna)
        assert await anna.post(f"/api/me/alerts/channels/{channel}/test") == {"result": "sent"}

        assert evening.service.taken[0].claims["k"] == key
        assert evening.service.taken[0].message["kind"] == "test"
        assert "topic" not in evening.service.taken[0].headers

    over_days(scenario)


def test_turn_that_is_over_is_not_told(over_days: Visit) -> None:
    """However late its alert is looked at."""

    async def scenario(evening: Evening) -> None:
        await evening.sit()
        (first,) = await evening.awaited()
        await evening.subscribe(first)
        await evening.next_turn(first)
        assert [one.user for one in await evening.place.store.alerts_of(first.user)] == [first.user]
        while first in await evening.awaited():
            await evening.play(first)
        await evening.wait(2 * HOUR)

        assert evening.service.asked == 0
        assert await evening.place.store.alerts_of(first.user) == ()

    over_days(scenario)


def test_one_is_told_once_until_one_comes_back(over_days: Visit) -> None:
    """And reminded once, half an hour before his clock of four hours, with its reserve of eight, ends."""

    async def scenario(evening: Evening) -> None:
        await evening.sit("4h")
        (first,) = await evening.awaited()
        await evening.subscribe(first)
        await evening.next_turn(first)
        for _ in range(46):
            await evening.wait(HOUR // 4)
        assert [taken.message["kind"] for taken in evening.service.taken] == ["turn", "reminder"]
        reminder = evening.service.taken[1]
        assert reminder.headers["urgency"] == "high"
        assert reminder.message["title"] == "Your time is running out"
        assert reminder.message["body"].endswith("\nLess than an hour is left for your move.")
        assert 0 < int(reminder.headers["ttl"]) <= 1800

    over_days(scenario)


def test_whoever_looks_in_is_told_of_the_next_turn(over_days: Visit) -> None:
    """And not of the one that he has seen."""

    async def scenario(evening: Evening) -> None:
        await evening.sit()
        (first,) = await evening.awaited()
        await evening.subscribe(first)
        await evening.next_turn(first)
        await evening.wait()
        assert len(evening.service.taken) == 1
        socket = first.socket(evening.table)
        await until(lambda: of(socket, "welcome"))
        await socket.hang_up()
        await evening.wait(20_000)
        await evening.next_turn(first)
        await evening.wait()

        assert [taken.message["kind"] for taken in evening.service.taken] == ["turn", "turn"]

    over_days(scenario)


def test_whoever_is_at_the_table_is_not_told(over_days: Visit) -> None:
    """Unless he only left the page open, for ten minutes."""

    async def scenario(evening: Evening) -> None:
        await evening.sit()
        (first,) = await evening.awaited()
        await evening.subscribe(first)
        socket = first.socket(evening.table)
        await until(lambda: of(socket, "welcome"))
        await evening.next_turn(first)
        await evening.wait(4_000)
        await evening.wait(9 * 60_000)
        assert evening.service.taken == []
        await evening.wait(2 * 60_000)
        await socket.hang_up()

        assert [taken.path for taken in evening.service.taken] == [f"/{first.user}"]

    over_days(scenario)


def test_other_tables_are_told_to_whoever_asks(over_days: Visit) -> None:
    """Where people are there at the same time, nobody is told who has not asked for it."""

    async def scenario(evening: Evening) -> None:
        await evening.sit("none")
        (first,) = await evening.awaited()
        await evening.subscribe(first)
        await evening.next_turn(first)
        await evening.wait()
        assert evening.service.taken == []
        checked(await first.ask("PATCH", "/api/me/alerts", {"every": True}))
        await evening.next_turn(first)
        await evening.wait()

        assert [taken.path for taken in evening.service.taken] == [f"/{first.user}"]

    over_days(scenario)


@pytest.mark.parametrize("status", [404, 410])
def test_subscription_that_is_gone_goes(over_days: Visit, status: int) -> None:
    """As the push service says."""

    async def scenario(evening: Evening) -> None:
        anna = await evening.place.guest()
        channel = await evening.subscribe(anna)
        evening.service.status = status
        assert await anna.post(f"/api/me/alerts/channels/{channel}/test") == {"result": "gone"}

        assert (await anna.get("/api/me/alerts"))["channels"] == []

    over_days(scenario)


def test_message_that_did_not_arrive_is_sent_again(over_days: Visit) -> None:
    """By the channel that has failed, and by no other one."""

    async def scenario(evening: Evening) -> None:
        await evening.sit()
        (first,) = await evening.awaited()
        await evening.subscribe(first)
        evening.service.status = 503
        await evening.next_turn(first)
        await evening.wait()
        asked = evening.service.asked
        assert asked > 0
        assert (await first.get("/api/me/alerts"))["channels"][0]["failed"] > 0
        evening.service.status = 201
        await evening.wait(2 * HOUR)
        await evening.wait(2 * HOUR)

        assert [taken.message["kind"] for taken in evening.service.taken] == ["turn"]
        assert (await first.get("/api/me/alerts"))["channels"][0]["failed"] == 0

    over_days(scenario)


def test_nothing_is_sent_to_a_browser_that_has_signed_out(over_days: Visit) -> None:
    """Whoever sits at that device next reads nothing of it."""

    async def scenario(evening: Evening) -> None:
        await evening.sit()
        (first,) = await evening.awaited()
        await evening.subscribe(first)
        await evening.next_turn(first)
        (session,) = await evening.place.store.sessions_of(first.user)
        await evening.place.store.revoke_session(session.digest)
        await evening.wait()

        assert evening.service.asked == 0
        assert await evening.place.store.channels_of(first.user) == ()

    over_days(scenario)


def test_message_is_in_the_language_of_its_reader(over_days: Visit) -> None:
    """As he has chosen it."""

    async def scenario(evening: Evening) -> None:
        anna = await evening.place.guest(language="de")
        channel = await evening.subscribe(anna)
        await anna.post(f"/api/me/alerts/channels/{channel}/test")

        assert evening.service.taken[0].message["title"] == "Testnachricht"

    over_days(scenario)


def test_preferences_are_shown_as_they_were_chosen(over_days: Visit) -> None:
    """What is left out stays; a time zone that nobody knows is refused."""

    async def scenario(evening: Evening) -> None:
        anna = await evening.place.guest()
        change = {"quiet_from": 1320, "quiet_to": 420, "zone": "Europe/Berlin"}
        checked(await anna.ask("PATCH", "/api/me/alerts", change))
        shown = checked(await anna.ask("PATCH", "/api/me/alerts", {"every": True}))
        assert {name: shown[name] for name in (*change, "every")} == {**change, "every": True}

        for zone in ("Nowhere/Else", "../etc/passwd", "", "/etc/localtime", "x" * 99):
            answer = await anna.ask("PATCH", "/api/me/alerts", {"zone": zone})
            assert answer.json()["reason"] == "zone-unknown"

    over_days(scenario)


def test_channel_belongs_to_its_owner(over_days: Visit) -> None:
    """Nobody else tests or deletes it, and a browser tells only who sits at it last."""

    async def scenario(evening: Evening) -> None:
        anna, bert = await evening.place.guest(), await evening.place.guest("Bert")
        channel = await evening.subscribe(anna, "shared")
        path = f"/api/me/alerts/channels/{channel}"
        assert (await bert.ask("DELETE", path)).json()["reason"] == "not-found"
        assert (await bert.ask("POST", f"{path}/test")).json()["reason"] == "not-found"
        await evening.subscribe(bert, "shared")
        assert (await anna.get("/api/me/alerts"))["channels"] == []
        shown = checked(await bert.ask("DELETE", path))
        assert shown["channels"] == []

    over_days(scenario)


def test_channels_of_one_are_limited(over_days: Visit) -> None:
    """Ten; the same one again is no other one."""

    async def scenario(evening: Evening) -> None:
        anna = await evening.place.guest()
        for number in range(10):
            await evening.subscribe(anna, f"p{number}")
        await evening.subscribe(anna, "p3")
        body = evening.service.subscription("p10")
        answer = await anna.ask("POST", "/api/me/alerts/channels", body)

        assert answer.json()["reason"] == "too-many"

    over_days(scenario)


def test_endpoint_that_may_not_be_asked_is_refused(over_days: Visit) -> None:
    """Of another scheme, with a password in it, or with keys that are none."""

    async def scenario(evening: Evening) -> None:
        anna = await evening.place.guest()
        good = evening.service.subscription()
        for wrong in (
            {"endpoint": "file:///etc/passwd"},
            {"endpoint": "https://user:secret@push.example/"},
            {"endpoint": "https://push.example/\r\nX: y"},
            {"endpoint": "https:///x"},
            {"endpoint": "https://push.example:99999/"},
            {"p256dh": "AAAA"},
            {"auth": "AAAA"},
        ):
            answer = await anna.ask("POST", "/api/me/alerts/channels", {**good, **wrong})
            assert answer.json()["reason"] == "channel-not-valid", wrong

    over_days(scenario)


def test_export_has_channels_and_preferences_and_no_key(over_days: Visit) -> None:
    """And at which tables one was told; what a browser is reached by is not in it."""

    async def scenario(evening: Evening) -> None:
        await evening.sit()
        (first,) = await evening.awaited()
        await evening.subscribe(first)
        checked(await first.ask("PATCH", "/api/me/alerts", {"zone": "Asia/Tokyo"}))
        await evening.next_turn(first)
        await evening.wait()
        answer = await first.ask("GET", "/api/me/export")
        found = checked(answer)

        assert [one["label"] for one in found["alerts"]["channels"]] == ["Phone"]
        assert found["alerts"]["zone"] == "Asia/Tokyo"
        assert [(one["table"], one["told"]) for one in found["turns"]] == [(evening.table, True)]
        assert evening.service.origin not in answer.body.decode()

    over_days(scenario)
