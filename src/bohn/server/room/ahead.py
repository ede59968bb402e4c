"""Moves set ahead, plantings and harvests of people who are not there, and moves without a choice. Pure.

The ruling ``moves-ahead`` (docs/rules/rulings.md) says when each is made. All are commands of the game,
judged by the rules as any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from bohn.protocol.away import HarvestAhead, MoveAhead, PlantAhead, RevealAhead
from bohn.rules.commands import (
    AnyCommand,
    Harvest,
    Plant,
    PlantGift,
    PlantLeftover,
    PlantSetAside,
    Reveal,
)
from bohn.rules.decide import decide
from bohn.rules.errors import IllegalCommand
from bohn.rules.evolve import fold
from bohn.rules.legal import legal_commands, waiting
from bohn.rules.ruleset import Rules
from bohn.rules.state import PlantPhase, PlantTradedPhase, State, TradePhase

PUBLIC = (Plant, Harvest, Reveal, PlantSetAside, PlantGift, PlantLeftover)
"""Moves that say nothing by being the only one: what else could be done then, this or the next one shows."""


class Ahead(Struct, frozen=True, gc=False):
    """A move that a seat has set ahead, and that may be made ``left`` times more."""

    id: str
    seat: int
    move: MoveAhead
    left: int


class Made(Struct, frozen=True, gc=False):
    """Commands that are made one behind the other: for the ``move`` set ahead, or as the only one (empty)."""

    move: str
    commands: tuple[AnyCommand, ...]


def possible(move: MoveAhead, rules: Rules) -> bool:
    """Tell whether a move could ever be made in a game of these rules."""
    return not isinstance(move, PlantAhead) or move.bean in rules.kinds


def next_move(rules: Rules, state: State, people: Sequence[int], moves: Sequence[Ahead]) -> Made | None:
    """Return what is made next for the ``people``, who play their seats themselves; ``None`` if nothing is.

    Harvests come first, then plantings, then the turning over, each kind as its owner has listed it.
    """
    awake = [one for one in moves if one.left > 0 and one.seat in people]
    for kind in (HarvestAhead, PlantAhead, RevealAhead):
        for one in awake:
            if isinstance(one.move, kind):
                for commands in _ways(state, one.seat, one.move, awake):
                    if _legal(rules, state, commands):
                        return Made(one.id, commands)
    if isinstance(state.phase, TradePhase):
        return None
    for seat in waiting(rules, state):
        only = only_move(rules, state, seat) if seat in people else None
        if only is not None:
            return Made("", (only,))
    return None


def only_move(rules: Rules, state: State, seat: int) -> AnyCommand | None:
    """Return the move of a seat that the game waits for, if there is no other way on.

    With an empty hand that is to turn beans over: fields can be harvested and bought afterwards as well,
    unless the draw pile runs out with it, for then what was harvested before is shuffled too (DRAW-3).
    Whoever has bonus cards is never taken to have one move: whether he may claim one is his secret (DD-15).
    """
    own = state.players[seat]
    if own.bonus.hand:
        return None
    legal = legal_commands(rules, state, seat)
    if not own.hand and len(state.draw_pile) > rules.reveal:
        legal = tuple(one for one in legal if isinstance(one, Reveal)) or legal
    only = legal[0] if len(legal) == 1 else None
    return only if isinstance(only, PUBLIC) else None


def _ways(
    state: State, seat: int, move: MoveAhead, awake: Sequence[Ahead]
) -> Iterator[tuple[AnyCommand, ...]]:
    """Yield what could be done for a move, as far as the beans are there."""
    if isinstance(move, RevealAhead):
        if not _planting_next(state, seat, awake):
            yield (Reveal(seat),)
        return
    fields = state.players[seat].fields
    growing = fields[move.field] if move.field < len(fields) else ()
    if isinstance(move, HarvestAhead):
        if len(growing) >= move.beans:
            yield (Harvest(seat, move.field),)
        return
    first: tuple[AnyCommand, ...] = ()
    if growing and growing[0] != move.bean:
        if not move.harvest:
            return
        first = (Harvest(seat, move.field),)
    for planting in _plantings(state, seat, move):
        yield (*first, planting)


def _planting_next(state: State, seat: int, awake: Sequence[Ahead]) -> bool:
    """Whether a planting of the card in front is set ahead; if it is not possible now, the game waits."""
    plantings = [one.move for one in awake if one.seat == seat and isinstance(one.move, PlantAhead)]
    return any(state.players[seat].hand[:1] == (move.bean,) for move in plantings)


def _plantings(state: State, seat: int, move: PlantAhead) -> Iterator[Plant | PlantSetAside]:
    """Yield the plantings of a kind that a seat has before it: its front card, or a bean set aside."""
    own = state.players[seat]
    if isinstance(state.phase, PlantPhase) and own.hand[:1] == (move.bean,):
        yield Plant(seat, move.field)
    if isinstance(state.phase, PlantTradedPhase) and move.bean in own.set_aside:
        yield PlantSetAside(seat, own.set_aside.index(move.bean), move.field)


def _legal(rules: Rules, state: State, commands: tuple[AnyCommand, ...]) -> bool:
    """Whether commands are legal one behind the other."""
    try:
        for command in commands:
            state = fold(decide(rules, state, command), state)
    except IllegalCommand:
        return False
    return True
