"""The bean duel, two players of the 11-kind game: the turn is the table at the end of this file."""

from __future__ import annotations

from bohn.rules.batch import Batch
from bohn.rules.commands import (
    Command,
    DiscardFromHand,
    DiscardLeftover,
    KeepHand,
    LeaveRest,
    Plant,
    PlantFaceUp,
    PlantLeftover,
    Reveal,
)
from bohn.rules.errors import IllegalCommand, Reason
from bohn.rules.events import (
    Drew,
    Event,
    FaceUpBegan,
    FaceUpPlanted,
    HandDiscarded,
    HandKept,
    LeftoverDiscarded,
    LeftoverPlanted,
    LeftoversDone,
    RestLeft,
    Swept,
    TurnedOver,
)
from bohn.rules.farming import bean_to_plant, require_active, require_copies, require_place
from bohn.rules.piles import is_over, take
from bohn.rules.ruleset import Rules
from bohn.rules.scoring import end_game
from bohn.rules.state import Copy, EndPhase, FaceUpPhase, LeftoversPhase, PlantPhase, RevealPhase, State
from bohn.rules.turns.row import END, PhaseRow, TurnTable, active_player
from bohn.rules.turns.shared import (
    ANY_TIME,
    NUMBERS,
    POLICIES,
    face_up_choices,
    fitting,
    may_end_planting,
    next_turn,
    plant,
    plant_choices,
    require_planted,
    reveal_choices,
)

NAME = "bean-duel"

HOUSE_RULES: dict[str, tuple[str, ...]] = {**POLICIES, **NUMBERS}
"""What a house may change in this game: the key of the rule and its values."""


# -- phase 1: what the opponent left -------------------------------------------------------


def _leftovers(state: State) -> LeftoversPhase:
    assert isinstance(state.phase, LeftoversPhase)  # noqa: S101 - the turn table admits no other phase
    return state.phase


def plant_leftover(rules: Rules, state: State, command: PlantLeftover) -> tuple[Event, ...]:
    """Plant one leftover; the player chooses the order (DUEL-5)."""
    require_active(state, command, "DUEL-5")
    player, leftovers = state.players[command.player], _leftovers(state).leftovers
    bean = bean_to_plant(rules, player, leftovers, command.place, command.field, "DUEL-5")
    return _with_done(state, LeftoverPlanted(command.player, command.place, command.field, bean))


def discard_leftover(rules: Rules, state: State, command: DiscardLeftover) -> tuple[Event, ...]:  # noqa: ARG001 - one signature
    """Discard one leftover; the order decides the next sweep (DUEL-5, DUEL-9)."""
    require_active(state, command, "DUEL-5")
    leftovers = _leftovers(state).leftovers
    require_place(leftovers, command.place, "DUEL-5")
    return _with_done(state, LeftoverDiscarded(command.player, command.place, leftovers[command.place]))


def _with_done(state: State, event: LeftoverPlanted | LeftoverDiscarded) -> tuple[Event, ...]:
    """Add the end of the phase after the last leftover (DUEL-6)."""
    last = len(_leftovers(state).leftovers) == 1
    return (event, LeftoversDone(event.player)) if last else (event,)


def leftover_choices(rules: Rules, state: State, player: int) -> list[Command]:
    """List where each leftover may be planted, and that it may be discarded (DUEL-5)."""
    found: list[Command] = []
    if player == state.active_player:
        for place, bean in enumerate(_leftovers(state).leftovers):
            found += [PlantLeftover(player, place, field) for field in fitting(rules, state, player, bean)]
            found.append(DiscardLeftover(player, place))
    return found


# -- phase 2: plant from the hand, discard one ------------------------------------------------


def discard_from_hand(rules: Rules, state: State, command: DiscardFromHand) -> tuple[Event, ...]:  # noqa: ARG001 - one signature
    """Discard one card from anywhere in the hand, after the planting (DUEL-7)."""
    require_active(state, command, "DUEL-7")
    phase = state.phase
    if isinstance(phase, PlantPhase) and not phase.planted:
        raise IllegalCommand(Reason.DISCARD_BEFORE_PLANTING, "DUEL-7")
    require_copies(state.players[command.player], (command.copy,), command.hand_revision)
    return (HandDiscarded(command.player, command.copy.place, command.copy.bean),)


def keep_hand(rules: Rules, state: State, command: KeepHand) -> tuple[Event, ...]:  # noqa: ARG001 - one signature
    """End the planting without a discard (DUEL-7)."""
    require_planted(state, command)
    return (HandKept(command.player),)


def plant_or_discard(rules: Rules, state: State, player: int) -> list[Command]:
    """List the plantings, and once one is made the discards, the front-most of each kind (DUEL-7)."""
    found = plant_choices(rules, state, player)
    if not may_end_planting(state, player):
        return found
    found.append(KeepHand(player))
    phase = state.phase
    if isinstance(phase, PlantPhase) and phase.planted:
        own = state.players[player]
        front = [(own.hand.index(bean), bean) for bean in sorted(set(own.hand))]
        found += [DiscardFromHand(player, Copy(place, bean), own.hand_revision) for place, bean in front]
    return found


# -- phase 3: reveal, sweep, plant any, leave the rest -----------------------------------------


def reveal(rules: Rules, state: State, command: Reveal) -> tuple[Event, ...]:
    """Turn three beans over and sweep the discard pile, once (DUEL-8, DUEL-9)."""
    require_active(state, command, "DUEL-8")
    batch = Batch(state)
    take(rules, batch, TurnedOver, rules.reveal)
    phase = batch.state.phase
    revealed = phase.face_up if isinstance(phase, RevealPhase) else ()
    discards = batch.state.discard_pile
    swept = 0
    while swept < len(discards) and discards[-swept - 1] in revealed:
        swept += 1
    if swept:
        batch.add(Swept(command.player, discards[: -swept - 1 : -1]))
    batch.add(FaceUpBegan(command.player))
    return batch.done()


def _face_up(state: State) -> FaceUpPhase:
    assert isinstance(state.phase, FaceUpPhase)  # noqa: S101 - the turn table admits no other phase
    return state.phase


def plant_face_up(rules: Rules, state: State, command: PlantFaceUp) -> tuple[Event, ...]:
    """Plant one face-up bean (DUEL-10)."""
    require_active(state, command, "DUEL-10")
    player, face_up = state.players[command.player], _face_up(state).face_up
    bean = bean_to_plant(rules, player, face_up, command.place, command.field, "DUEL-10")
    return (FaceUpPlanted(command.player, command.place, command.field, bean),)


def leave_rest(rules: Rules, state: State, command: LeaveRest) -> tuple[Event, ...]:
    """Leave the rest to the opponent, draw two, end the turn (DUEL-10, DUEL-11, DUEL-12)."""
    require_active(state, command, "DUEL-10")
    rest = _face_up(state).face_up
    batch = Batch(state, RestLeft(command.player, rest))
    if not is_over(rules, state):
        take(rules, batch, Drew, rules.draw)
    if is_over(rules, batch.state):
        end_game(rules, batch)
    else:
        next_turn(batch, rest)
    return batch.done()


def plant_or_leave(rules: Rules, state: State, player: int) -> list[Command]:
    """List where face-up beans may be planted, and that the rest may be left (DUEL-10)."""
    if player != state.active_player:
        return []
    return [*face_up_choices(rules, state, player, _face_up(state).face_up), LeaveRest(player)]


TABLE: TurnTable = {
    LeftoversPhase: PhaseRow(
        commands={
            **ANY_TIME,
            PlantLeftover: plant_leftover,
            DiscardLeftover: discard_leftover,
        },
        choices=leftover_choices,
        waiting=active_player,
        next=(PlantPhase,),
    ),
    PlantPhase: PhaseRow(
        commands={
            **ANY_TIME,
            Plant: plant,
            DiscardFromHand: discard_from_hand,
            KeepHand: keep_hand,
        },
        choices=plant_or_discard,
        waiting=active_player,
        next=(RevealPhase,),
    ),
    RevealPhase: PhaseRow(
        commands={
            **ANY_TIME,
            Reveal: reveal,
        },
        choices=reveal_choices,
        waiting=active_player,
        next=(FaceUpPhase,),
    ),
    FaceUpPhase: PhaseRow(
        commands={
            **ANY_TIME,
            PlantFaceUp: plant_face_up,
            LeaveRest: leave_rest,
        },
        choices=plant_or_leave,
        waiting=active_player,
        next=(LeftoversPhase, PlantPhase, EndPhase),
    ),
    **END,
}
"""What is not in this table is illegal."""
