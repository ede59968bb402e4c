"""The simple players exist twice: for views (`bohn.bots`), and for rows (`bohn.lab.players.simple`).

One program for both is not to be had: a row counts what lies on the table by kind and has no places for it,
knows offers to one seat only, and draws its chance otherwise, while the games of the views are frozen by
their digests down to the place of every card. So both decide here on the same positions, and every decision
is compared. Where a row has no order of its own, the view is shown in that of the kinds.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from msgspec import Struct
from msgspec.structs import replace

from bohn.bots import PLAYERS
from bohn.bots.api import Bot, Choices, Copies, TradeView
from bohn.bots.bargaining import Bargainer
from bohn.lab.mirror import to_commands
from bohn.lab.mirrored import Chance, Mirror, Plan
from bohn.lab.players import simple
from bohn.lab.players.haggle import NONE
from bohn.lab.players.player_memory import MEMORY, NO_TRADE
from bohn.lab.players.styles import SIMPLE
from bohn.lab.row import ANSWER, ASKED, DUE, Rows
from bohn.lab.twin import A_FACE, A_HAND, can_serve
from bohn.play.floor import BRISK
from bohn.rules import Bean, Rules, State, resolve
from bohn.rules.commands import (
    AcceptOffer,
    Command,
    DiscardLeftover,
    PlantFaceUp,
    PlantLeftover,
    PlantSetAside,
)
from bohn.rules.legal import legal_commands, offer_space
from bohn.views import View, know, view
from tests.tables import COVERING

TABLES = tuple(table for table in COVERING if resolve(*table).game != "das-duell")
"""Tables that show all that rows play."""

TRADING = tuple(table for table in TABLES if table[1] > 2)
"""Those of them at which there is trading."""

DECISIONS = 600
"""Decisions of the one game at each table."""

Terms = tuple[int, tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Of an offer: to whom, face-up beans, hand cards, and what is wanted."""


class Position(Struct):
    """A position in which a seat decides, as the core and as the twin have it."""

    rules: Rules
    state: State
    row: Rows
    table: Rows
    seat: int
    seen: View
    choices: Choices


def position(mirror: Mirror) -> Position:
    """Return the position of a mirrored game, seen by the seat that decides."""
    rules, state, seat = mirror.plan.rules, mirror.state, int(mirror.row[0]["seat"])
    legal = tuple(legal_commands(rules, state, seat))
    choices = Choices(legal, offer_space(rules, state, seat), BRISK.offers_a_turn)
    return Position(
        rules, state, mirror.row.copy(), mirror.table, seat, in_order(view(rules, state, seat)), choices
    )


def in_order(seen: View) -> View:
    """Return a view in which what lies face up or set aside is in the order of the kinds."""
    phase: Any = seen.phase
    lies = {
        name: tuple(sorted(getattr(phase, name))) for name in ("face_up", "leftovers") if hasattr(phase, name)
    }
    players = tuple(replace(player, set_aside=tuple(sorted(player.set_aside))) for player in seen.players)
    return replace(seen, phase=replace(phase, **lies), players=players)


@cache
def walked(edition: str, players: int) -> tuple[tuple[Position, int], ...]:
    """Return the positions of a random game in which a seat decides, each with the kind of decision."""
    mirror = Mirror(Plan(resolve(edition, players), players, BRISK, attentive=(1 << players) - 1))
    choose, found = Chance(players), []
    while mirror.mask and mirror.played.decisions < DECISIONS:
        if mirror.row[0]["selected"] < 0:
            found.append((position(mirror), int(mirror.row[0]["mode"])))
        mirror.play(choose(mirror.mask))
    return tuple(found)


def positions(edition: str, players: int, mode: int) -> list[Position]:
    """Return those with one kind of decision."""
    return [found for found, decides in walked(edition, players) if decides == mode]


class Lowest:
    """In the place of chance: the first of what there is."""

    @staticmethod
    def choice(options: list[int]) -> int:
        """Return the lowest."""
        return min(options)


@pytest.fixture(autouse=True)
def no_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let both forms take the lowest field where they would draw one."""
    monkeypatch.setattr(simple, "any_bit", lambda _, mask: simple.lowest(mask))


def player(name: str) -> Bot:
    """Return a simple player for views."""
    found: Any = PLAYERS[name](0)
    found.rand = Lowest()
    made: Bot = found
    return made


def decided(name: str, at: Position) -> Command | None:
    """Return what the player for views does."""
    return player(name).decide(at.seen, at.choices, know(at.seen))


def memory() -> Any:
    """Return the memory of a player for rows, empty."""
    found: Any = np.zeros(1, MEMORY)
    found["ladder_stamp"] = -1
    return found[0]


# -- farming -----------------------------------------------------------------------------------------------


def farmed(name: str, at: Position) -> Command:
    """Return what the player for rows does; a bean that it selects first and its field are one command."""
    row = at.row.copy()
    action = simple.simple_farm(at.table[0], row[0], memory(), SIMPLE[name], at.seat)
    if A_FACE <= action < A_HAND:
        row[0]["selected"] = action - A_FACE
        action = simple.simple_farm(at.table[0], row[0], memory(), SIMPLE[name], at.seat)
    (command,) = to_commands(at.rules, at.state, row, int(action), at.table)
    return command


def deed(command: Command | None, seen: View) -> tuple[object, ...]:
    """Return a command with a bean in the place of its place.

    In the bean duel a player for rows discards what finds no field from the other end.
    """
    if isinstance(command, DiscardLeftover):
        return (DiscardLeftover,)
    if isinstance(command, PlantSetAside | PlantLeftover | PlantFaceUp):
        return type(command), lying(seen)[command.place], command.field
    return (command,)


def lying(seen: View) -> tuple[Bean, ...]:
    """Return what places count: beans on the table, else the own ones that are set aside."""
    phase: Any = seen.phase
    assert seen.viewer is not None
    on_table: tuple[Bean, ...] = getattr(phase, "leftovers", ()) or getattr(phase, "face_up", ())
    return on_table or seen.players[seen.viewer].set_aside


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_simple_players_farm_alike(edition: str, players: int) -> None:
    """Where the game waits for them, both forms plant, harvest, buy and go on in the same way."""
    found = positions(edition, players, DUE)
    for at in found:
        known = view(at.rules, at.state, at.seat)
        for name in SIMPLE:
            assert deed(decided(name, at), at.seen) == deed(farmed(name, at), known), name
    assert len(found) > 20


# -- trading -----------------------------------------------------------------------------------------------


def accepted(name: str, at: Position) -> bool:
    """Tell whether the player for rows accepts the offer on the table."""
    able = SIMPLE[name] != NO_TRADE and can_serve(at.row[0], at.seat)
    return bool(able and simple.simple_accepts(at.row[0], SIMPLE[name], at.seat))


@pytest.mark.parametrize(("edition", "players"), TRADING)
def test_simple_players_answer_alike(edition: str, players: int) -> None:
    """Both forms accept the same offers."""
    found = positions(edition, players, ANSWER)
    for at in found:
        for name in SIMPLE:
            assert isinstance(decided(name, at), AcceptOffer) == accepted(name, at), name
    assert len(found) > 20


def told(code: int) -> Terms:
    """Return the terms of an offer on the list of a player for rows."""

    def kinds(side: int, places: range) -> tuple[int, ...]:
        found = [side >> 4 * place & 15 for place in places]
        return tuple(sorted(kind for kind in found if kind != NONE))

    return code >> 32, kinds(code, range(2)), kinds(code, range(2, 4)), kinds(code >> 16, range(4))


def proposed(name: str, at: Position) -> list[Terms]:
    """Return what a player for views proposes, seat by seat and each once, in its order."""
    bot, seen = player(name), at.seen
    if not isinstance(bot, Bargainer):
        return []
    assert isinstance(seen.phase, TradeView)
    found = [
        (partner, beans(one.face_up), beans(one.hand), tuple(sorted(one.want)))
        for one in bot.proposals(seen, seen.phase)
        for partner in one.to
    ]
    return list(dict.fromkeys(found))


def beans(copies: Copies) -> tuple[int, ...]:
    """Return the kinds of some cards, rising."""
    return tuple(sorted(copy.bean for copy in copies))


def listed(name: str, at: Position) -> list[Terms]:
    """Return what a player for rows proposes, each once, in its order."""
    own = memory()
    if SIMPLE[name] == NO_TRADE:
        return []
    number = simple.simple_list(at.row[0], own, SIMPLE[name], at.seat)
    return list(dict.fromkeys(told(int(code)) for code in own["offer"][:number]))


@pytest.mark.parametrize(("edition", "players"), TRADING)
def test_simple_players_propose_alike(edition: str, players: int) -> None:
    """Both forms have the same proposals in the same order; `b6` for rows asks in the order of its fields."""
    found = positions(edition, players, ASKED)
    for at in found:
        for name in SIMPLE:
            one, other = proposed(name, at), listed(name, at)

            assert set(one) == set(other), name
            if name == "b6":
                assert [terms[:3] for terms in one] == [terms[:3] for terms in other]
            else:
                assert one == other, name
    assert len(found) > 20
