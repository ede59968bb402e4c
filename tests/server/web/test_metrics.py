"""The counters: what happens is counted, and only who may sees it."""

from __future__ import annotations

import asyncio
import re

import pytest

from bohn.server.measured import measured
from bohn.server.metrics import Metrics
from bohn.server.settings import Settings
from bohn.server.store.protocol import StoreUnavailable, User
from bohn.server.web.ops_routes import _loopback
from tests.server.support.asgi import request, scope_of
from tests.server.support.memory_store import MemoryStore
from tests.server.support.site import Place, of, until, visit


async def counters(place: Place) -> dict[str, float]:
    """Return every counter with its labels."""
    text = (await place.stranger.ask("GET", "/metrics")).body.decode()
    return {
        name: float(value)
        for name, _, value in (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
    }


def test_what_happens_is_counted() -> None:
    """Commands, refusals, frames, sockets, tables, store calls and groups."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        table = await anna.open_table()
        socket, lines = anna.socket(table), anna.lines(table)
        await until(lambda: of(socket, "welcome") and of(lines, "welcome"))
        socket.send({"type": "command", "id": "a", "command": {"do": "give-salt", "salt": "ab"}})
        socket.send({"type": "command", "id": "b", "command": {"do": "pause"}})
        socket.send("nonsense")
        await until(lambda: len(of(socket, "refused")) == 2)
        await anna.ask("GET", "/api/tables/nowhere")
        found = await counters(place)

        assert found['bohn_commands_total{cause="player",command="GiveSalt"}'] == 1
        assert found['bohn_refused_total{reason="not-started"}'] == 1
        assert found['bohn_turned_away_total{reason="not-json"}'] == 1
        assert found['bohn_turned_away_total{reason="no-such-table"}'] == 1
        assert found['bohn_connections{kind="socket"}'] == 1
        assert found['bohn_connections{kind="stream"}'] == 1
        assert found['bohn_frames_received_total{type="Send"}'] == 2
        assert found["bohn_ack_seconds_count"] == 2
        assert found["bohn_frames_total"] >= 2
        assert found["bohn_tables"] == 1
        assert found['bohn_store_seconds_count{call="append"}'] >= 3
        assert found["bohn_store_group_sum"] == found['bohn_store_seconds_count{call="append"}']
        assert found['bohn_requests_total{method="POST",status="200"}'] == 2
        place.services.tables.sign_out(anna.user)
        await until(lambda: lines.ended)
        await socket.hang_up()
        await lines.hang_up()
        found = await counters(place)
        assert found['bohn_cut_total{reason="signed-out"}'] == 2
        assert found['bohn_connections{kind="socket"}'] == 0
        assert found['bohn_connections{kind="stream"}'] == 0

    visit(scenario)


def test_counters_name_nobody() -> None:
    """No user, no table, no address: only kinds."""

    async def scenario(place: Place) -> None:
        anna = await place.guest("Annabella")
        table = await anna.open_table()
        text = (await place.stranger.ask("GET", "/metrics")).body.decode()

        assert not re.search(f"Annabella|{anna.user}|{table}|127\\.0\\.0", text)

    visit(scenario)


def test_counters_are_shown_to_this_machine_only() -> None:
    """Unless the settings open them."""

    async def scenario(place: Place) -> None:
        scope = scope_of("http", "/metrics", {})

        async def ask(address: str) -> int:
            async def app(scope: dict[str, object], receive: object, send: object) -> None:
                scope["client"] = (address, 1)
                await place.app(scope, receive, send)

            return (await request(app, "GET", "/metrics")).status

        assert scope["client"][0] == "127.0.0.1"
        opened = place.services.settings.metrics_open
        assert [await ask("127.0.0.1"), await ask("::1"), await ask("9.9.9.9")] == [
            200,
            200,
            200 if opened else 404,
        ]

    visit(scenario)
    visit(scenario, Settings(metrics_open=True))


def test_counters_are_closed_behind_a_proxy() -> None:
    """A proxy on this machine has its address; one that forwards nothing is known by the origin."""

    async def status(place: Place, headers: dict[str, str]) -> int:
        return (await request(place.app, "GET", "/metrics", headers=headers)).status

    async def forwarding(place: Place) -> None:
        shown = 200 if place.services.settings.metrics_open else 404
        assert await status(place, {}) == 200
        assert await status(place, {"X-Forwarded-For": "127.0.0.1"}) == shown
        assert await status(place, {"X-Forwarded-Proto": "https"}) == shown

    async def silent(place: Place) -> None:
        assert await status(place, {}) == (200 if place.services.settings.metrics_open else 404)

    origin = ("https://bohn.example.org",)
    visit(forwarding)
    visit(forwarding, Settings(metrics_open=True))
    visit(silent, Settings(origins=origin))
    visit(silent, Settings(origins=origin, metrics_open=True))


def test_address_that_is_none_is_not_this_machine() -> None:
    """Better closed."""
    assert not _loopback("")
    assert not _loopback("somewhere")


def test_store_that_fails_is_counted() -> None:
    """By its kind; the failure goes on to whoever asked."""
    metrics = Metrics()
    store = measured(MemoryStore(), metrics)  # which was not opened

    with pytest.raises(StoreUnavailable):
        asyncio.run(store.put_user(User("u", "n", "en", 0)))

    text = metrics.text().decode()
    assert 'bohn_store_failed_total{kind="closed"} 1.0' in text
    assert 'bohn_store_seconds_count{call="put_user"} 1.0' in text


def test_made_up_methods_are_counted_together() -> None:
    """A client does not decide how many counters there are."""
    metrics = Metrics()
    for number in range(100):
        metrics.answered(f"BREW{number}", 405)

    assert metrics.text().decode().count("bohn_requests_total{") == 1


def test_bots_and_timers_are_counted() -> None:
    """Their outcome, and the kind of timer without its seat."""
    metrics = Metrics()
    metrics.decided("decided", 0.02)
    metrics.decided("broken", 1.0)
    metrics.fired("decision:3")
    text = metrics.text().decode()

    assert 'bohn_bot_decisions_total{outcome="broken"} 1.0' in text
    assert "bohn_bot_seconds_count 2.0" in text
    assert 'bohn_timers_fired_total{timer="decision"} 1.0' in text
