"""Scripted sessions at a server: every frame to every viewer, and every answer over HTTP, in full."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

# the bundle
from bench.bundle.games import at_random, record_of
from bench.bundle.harness import ScriptedServer, standing
from bench.bundle.writing import Folder

# the rules and the server
from bohn.rules import resolve
from tests.server.support.memory_store import MemoryStore

ROUNDS = 260

CHECKED: tuple[dict[str, Any], ...] = (
    {"do": "plant", "player": 0, "field": 7},
    {"do": "reveal", "player": 0},
    {"do": "harvest", "player": 1, "field": 0},
    {"do": "make-offer", "player": 1, "to": [0], "want": [3]},
    {"do": "accept-offer", "player": 1, "offer": 99, "revision": 1},
    {"do": "set-wish", "player": 1, "bean": 3, "mark": "want"},
)


async def company(place: ScriptedServer) -> None:
    """Four at a table with clocks: two people, two bots, spectators; everything that happens at tables."""
    await place.come("anna", "bert", "carl")
    options = {"edition": "full", "players": 4, "clock": "slow", "listed": True}
    table = await place.open_table("anna", options=options, salt="aa")
    await place.room("bert", table, do="sit", salt="bb")
    await place.room("anna", table, do="seat-bot", seat=2, bot="b3")
    for label, who, lines in (("anna", "anna", False), ("bert", "bert", False), ("carl", "carl", False),
                              ("stranger", "stranger", False), ("bert-lines", "bert", True)):  # fmt: skip
        await place.watch(label, who, table, lines=lines)
    await place.command("carl", do="start")
    await place.command("anna", do="start", fill="pk")
    people = {"anna": (0, "b3"), "bert": (1, "random-trader")}
    await place.play(table, people, 60)
    await _talk(place, table)
    for command in CHECKED:
        await place.send("bert", {"type": "check", "command": command})
        await place.send("bert", {"type": "command", "command": command})
    await place.send("anna", {"type": "draft", "to": [1, 2], "hand": [], "want": [2, 2]})
    await place.send("anna", {"type": "ping"})
    await place.send("anna", "no json")
    await place.send("anna", {"type": "nothing"})
    await place.leave("bert")
    await place.play(table, {"anna": (0, "b3")}, 25, seed=2)
    await place.clock.advance(30_000)
    await place.watch("bert-again", "bert", table, "&after=20")
    await place.watch("bert-afresh", "bert", table)
    await place.command("bert-again", do="stand")
    await place.clock.advance(20_000)
    await place.command("bert-again", do="take-back")
    await place.command("anna", do="pause")
    await place.clock.advance(5_000)
    await place.command("bert-again", do="reveal", player=1)
    await place.command("anna", do="resume")
    people = {"anna": (0, "b3"), "bert-again": (1, "random-trader")}
    await place.play(table, people, ROUNDS, seed=3)
    await place.clock.advance(200_000)  # clocks expire
    await place.clock.advance(200_000)
    for path in ("", "/legal", "/chat", "/record", "/summary", "/links"):
        await place.get("anna", f"/api/tables/{table}{path}")
    await place.play(table, people, 2_000, seed=4)
    await _afterwards(place, table)
    await place.command("anna", do="rematch")
    await place.log(table)


async def _talk(place: ScriptedServer, table: str) -> None:
    await place.send("anna", {"type": "say", "text": "Good beans?"})
    await place.send("bert", {"type": "say", "text": "  none \u200b left  "})
    await place.send("carl", {"type": "say", "text": ""})
    await place.post("bert", f"/api/tables/{table}/chat", {"text": "over HTTP"})
    await place.ask("bert", "DELETE", f"/api/tables/{table}/chat/1")
    await place.ask("anna", "DELETE", f"/api/tables/{table}/chat/2")
    await place.post("carl", f"/api/tables/{table}/chat/3/report", {"reason": "loud"})


async def _afterwards(place: ScriptedServer, table: str) -> None:
    """Read all there is of a game, over or not."""
    for path in ("", "/record", "/summary", "/replay", "/replay?seat=1", "/replay?hands=1", "/replay?seat=9"):
        await place.get("anna", f"/api/tables/{table}{path}")
    for path in ("/api/me/tables", "/api/tables"):
        await place.get("anna", path)


async def delayed(place: ScriptedServer) -> None:
    """Three at a fast table that spectators see a minute later."""
    await place.come("anna", "bert", "carl")
    options = {"edition": "classic-ja", "players": 3, "clock": "fast", "delay": 60, "listed": True}
    table = await place.open_table("anna", options=options)
    await place.room("bert", table, do="sit")
    for who in ("anna", "bert", "carl", "stranger"):
        await place.watch(who, who, table)
    await place.command("anna", do="start", fill="pk")
    await place.watch("carl-inside", "carl", table)  # whoever sees the past has to come again
    await place.watch("stranger-inside", "stranger", table)
    await place.play(table, {"anna": (0, "b6"), "bert": (1, "random-trader")}, ROUNDS)
    await place.clock.advance(90_000)
    await place.watch("carl-again", "carl", table, "&after=10")
    await place.get("stranger", f"/api/tables/{table}")
    await place.room("anna", table, do="end-table")
    await place.clock.advance(90_000)
    await _afterwards(place, table)
    await place.log(table)


async def bean_duel(place: ScriptedServer) -> None:
    """Two people without a clock; one calls for the other's choice."""
    await place.come("anna", "bert")
    table = await place.open_table("anna", options={"edition": "full", "players": 2, "listed": True})
    await place.room("bert", table, do="sit", seat=1)
    for who in ("anna", "bert", "stranger"):
        await place.watch(who, who, table)
    await place.command("anna", do="start")
    people = {"anna": (0, "random-trader"), "bert": (1, "b3")}
    await place.play(table, people, 80)
    for who in people:
        await place.command(who, do="call-for-choice")
    await place.clock.advance(125_000)
    for who in people:
        await place.command(who, do="call-for-choice")
    await place.play(table, people, 3_000, seed=2)
    await _afterwards(place, table)
    await place.log(table)


async def das_duell(place: ScriptedServer) -> None:
    """A person and a bot, with every house rule that leads elsewhere."""
    await place.come("anna")
    house = ["trading=also", "rest=may_discard", "bluff=continues"]
    options = {"edition": "das-duell", "players": 2, "house_rules": house, "clock": "fast", "listed": True}
    table = await place.open_table("anna", options=options, bots=["pk"])
    await place.watch("anna", "anna", table)
    await place.watch("stranger", "stranger", table)
    await place.command("anna", do="start", fill="pk")
    await place.play(table, {"anna": (0, "random-trader")}, 3_000)
    await _afterwards(place, table)
    await place.log(table)


async def unanimous(place: ScriptedServer) -> None:
    """Five at a table where all must pass; its clock ends the trading, and a bot takes a seat."""
    await place.come("anna", "bert", "carl")
    house = ["closing=unanimous", "payment=chosen", "end=plant_first"]
    options = {"edition": "classic", "players": 5, "house_rules": house, "clock": "fast", "listed": True}
    table = await place.open_table("anna", options=options)
    for who in ("bert", "carl"):
        await place.room(who, table, do="sit")
    for who in ("anna", "bert", "carl"):
        await place.watch(who, who, table)
    await place.command("anna", do="start", fill="b3u")
    people = {"anna": (0, "b3"), "bert": (1, "random-trader"), "carl": (2, "b4")}
    await place.play(table, people, ROUNDS)
    await place.clock.advance(300_000)
    await place.command("anna", do="kick", seat=2)
    await place.play(table, {"anna": (0, "b3"), "bert": (1, "random-trader")}, ROUNDS, seed=2)
    await place.leave("bert")
    await place.clock.advance(600_000)
    await _afterwards(place, table)
    await place.log(table)


async def lesson(place: ScriptedServer) -> None:
    """The first lesson, by a learner who does not listen."""
    await place.come("lena")
    made = await place.post("lena", "/api/tables", {"lesson": "first-game"})
    table = made["table"]
    await place.watch("lena", "lena", table)
    await place.play(table, {"lena": (0, "b3")}, ROUNDS)
    await place.log(table)


async def played_on(place: ScriptedServer) -> None:
    """A record is stored, looked at and played on."""
    await place.come("anna", "bert")
    game = at_random("full-3", resolve("full", 3), 90)
    answer = await place.upload("anna", record_of(game))
    record = answer.json().get("record", "none")
    await place.upload("anna", b"{}")
    for path in ("", "/summary", "/replay", "/replay?seat=2&hands=1", "/replay?seat=7"):
        await place.get("bert", f"/api/records/{record}{path}")
    for entry, seat in ((40, 1), (90, 0), (9_999, 0), (5, 7)):
        origin = {"record": record, "entry": entry, "seat": seat}
        made = await place.post("anna", "/api/tables", {"origin": origin, "bots": ["b6"]})
        if "table" in made:
            label = f"anna-{entry}"
            await place.watch(label, "anna", made["table"])
            await place.play(made["table"], {label: (seat, "b3")}, 40)
            await place.log(made["table"])
    await place.get("anna", "/api/me/records")
    await place.ask("bert", "DELETE", f"/api/records/{record}")
    await place.ask("anna", "DELETE", f"/api/records/{record}")


async def lobby(place: ScriptedServer) -> None:
    """People, tokens, links, mutes, seats and options before a game begins."""
    await place.come("anna", "bert", "carl")
    table = await place.open_table("anna", options={"players": 5, "listed": True, "spectators": False})
    for who in ("anna", "bert"):
        await place.watch(who, who, table)
    await place.watch("stranger", "stranger", table)
    await place.room("bert", table, do="sit", seat=3, salt="zz")
    await place.room("bert", table, do="sit", seat=3, salt="0b")
    await place.watch("bert-seated", "bert", table)
    await place.room("carl", table, do="sit", seat=3)
    await place.room("bert", table, do="give-salt", salt="0c")
    await place.room("anna", table, do="seat-bot", seat=1, bot="b3")
    await place.room("anna", table, do="seat-bot", seat=2, bot="nobody")
    await place.room("anna", table, do="remove-bot", seat=1)
    await place.room("anna", table, do="choose-options", options={"edition": "classic", "players": 3})
    await place.room("anna", table, do="choose-options", options={"edition": "nowhere", "players": 3})
    await place.room("anna", table, do="pass-host", seat=1)
    link = await place.post("anna", f"/api/tables/{table}/links")
    await place.ask("stranger", "POST", "/api/links", {"token": link.get("token", ""), "name": "Dora"})
    await place.get("anna", f"/api/tables/{table}/links")
    bert = (await place.get("bert", "/api/me"))["user"]
    await place.post("anna", "/api/me/mutes", {"user": bert, "on": True})
    token = await place.post("anna", "/api/me/tokens", {"scopes": ["read"], "label": "tool"})
    for method, path in (("GET", "/api/me/tokens"), ("GET", "/api/me/mutes"), ("GET", "/api/catalog"),
                         ("GET", "/api/tables"), ("POST", "/api/me/links"), ("GET", "/healthz"),
                         ("GET", "/readyz"), ("GET", "/nowhere"), ("PUT", "/api/me"),
                         ("DELETE", f"/api/me/tokens/{token.get('id')}")):  # fmt: skip
        await place.ask("anna", method, path)
    await place.ask("anna", "PATCH", "/api/me", {"name": "Änne", "language": "de"})
    for query in ("", "?edition=das-duell&players=2", "?edition=full&players=9", "?house=field_price%3D2"):
        await place.get("stranger", f"/api/rules{query}")
    for language in ("en", "de", "ja", "xx"):
        await place.get("stranger", f"/api/clauses?language={language}")
    await place.ask("bert", "DELETE", "/api/me")
    await place.log(table)


SESSIONS: tuple[Callable[[ScriptedServer], Awaitable[None]], ...] = (
    company, delayed, bean_duel, das_duell, unanimous, lesson, played_on, lobby,
)  # fmt: skip


async def _perform(folder: Folder, session: Callable[[ScriptedServer], Awaitable[None]]) -> None:
    async with standing(folder, MemoryStore()) as place:
        await session(place)


def write_sessions(folder: Folder) -> None:
    """Perform all sessions, each at a server of its own."""
    for session in SESSIONS:
        asyncio.run(_perform(folder.below(session.__name__), session))
