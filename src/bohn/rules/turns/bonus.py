"""Bonus cards of Das Duell: patterns that stand on a field, claims, bluff payments, discards and refills."""

from __future__ import annotations

from typing import Any

from bohn.rules.batch import Batch
from bohn.rules.commands import ClaimBonus, Command, DiscardBonus, Pass, RefillBonus
from bohn.rules.errors import IllegalCommand, Reason
from bohn.rules.events import (
    BluffPaid,
    BonusBegan,
    BonusClaimed,
    BonusDiscarded,
    BonusRefilled,
    BonusReshuffled,
    BonusStood,
    Event,
    FaceUpPlanted,
    GiftPlanted,
    Passed,
    Planted,
    SetAsidePlanted,
    TurnBegan,
)
from bohn.rules.policies import MATCHES
from bohn.rules.ruleset import Rules
from bohn.rules.scoring import claimable
from bohn.rules.shuffle import shuffled
from bohn.rules.state import BonusPhase, State, clockwise
from bohn.rules.turns.row import Handler
from bohn.rules.turns.shared import next_turn

MAY_STAND_AFTER = (Planted, SetAsidePlanted, GiftPlanted, FaceUpPlanted, BonusRefilled, BluffPaid, TurnBegan)
"""Events after which a pattern may stand that did not, or stands in another turn."""


# -- patterns that stand -------------------------------------------------------------------------


def newly_standing(rules: Rules, state: State, player: int) -> tuple[int, ...]:
    """Return the bonus cards in hand whose pattern stands on any field now and was not yet noted (DD-14)."""
    fields = [field for owner in state.players for field in owner.fields if field]
    matches = MATCHES[rules.match]
    bonus = state.players[player].bonus
    return tuple(
        card
        for card, turn in zip(bonus.hand, bonus.stood, strict=True)
        if turn != state.turn and any(matches(field, rules.bonus_cards[card].runs) for field in fields)
    )


class BonusBatch(Batch):
    """A batch that also notes every bonus pattern as soon as it stands on a field (DD-15).

    The note is an event, ``BonusStood``, that only the card's owner sees.
    """

    __slots__ = ("rules",)

    def __init__(self, rules: Rules, state: State, *events: Event) -> None:
        """Begin from a state; ``rules`` carry the patterns."""
        self.rules = rules
        super().__init__(state, *events)

    def add(self, event: Event) -> None:
        """Append an event, and a note for each pattern that stands now."""
        super().add(event)
        if isinstance(event, MAY_STAND_AFTER):
            for player in range(len(self.state.players)):
                for card in newly_standing(self.rules, self.state, player):
                    super().add(BonusStood(player, card))


def with_bonus_notes(handler: Handler) -> Handler:
    """Return a handler of the shared rules that also notes the patterns (DD-15)."""

    def handle(rules: Rules, state: State, command: Any) -> tuple[Event, ...]:
        return BonusBatch(rules, state, *handler(rules, state, command)).done()

    return handle


# -- claims ------------------------------------------------------------------------------------


def claim_bonus(rules: Rules, state: State, command: ClaimBonus) -> tuple[Event, ...]:  # noqa: ARG001 - one signature
    """Claim an own bonus card whose pattern stood this turn or the last (DD-14, DD-15)."""
    bonus = state.players[command.player].bonus
    if command.bonus not in bonus.hand:
        raise IllegalCommand(Reason.NO_SUCH_BONUS, "DD-14", bonus=command.bonus, expected=bonus.hand)
    if command.bonus not in claimable(state, command.player):
        raise IllegalCommand(Reason.PATTERN_NEVER_STOOD, "DD-15", bonus=command.bonus)
    return (BonusClaimed(command.player, command.bonus),)


# -- what a caught bluff costs --------------------------------------------------------------------


def pay_bluff(rules: Rules, batch: Batch, giver: int, player: int) -> None:
    """Pay a coin, else the lowest claimed bonus card, else the lowest in hand, else nothing (DD-11).

    A coin of a head start is paid when there is no other (HOUSE-7).
    """
    payer = batch.state.players[giver]
    if payer.treasury:
        batch.add(BluffPaid(giver, player, "treasury"))
    elif payer.face_down:
        batch.add(BluffPaid(giver, player, "face-down"))
    elif payer.tokens_left:
        batch.add(BluffPaid(giver, player, "token"))
    elif payer.bonus.claimed:
        batch.add(BluffPaid(giver, player, bonus=(_lowest(rules, payer.bonus.claimed),)))
    elif payer.bonus.hand:
        full = len(batch.state.players[player].bonus.hand) >= rules.bonus_hand
        card = _lowest(rules, payer.bonus.hand)
        batch.add(BluffPaid(giver, player, bonus=(card,), from_hand=True, discarded=full))
    else:
        batch.add(BluffPaid(giver, player))


def _lowest(rules: Rules, cards: tuple[int, ...]) -> int:
    return min(cards, key=lambda card: (rules.bonus_cards[card].pennies, card))


# -- phase 4: discard one, refill ------------------------------------------------------------------


def begin_bonus(rules: Rules, batch: Batch) -> bool:
    """Begin the bonus cards' phase if anybody has a choice in it (DD-17)."""
    state = batch.state
    order = clockwise(state.active_player, len(state.players))
    discarding = tuple(p for p in order if state.players[p].bonus.hand)
    if not discarding and not any(_may_refill(rules, state, player) for player in order):
        return False
    batch.add(BonusBegan(discarding, order))
    if not discarding:
        skip_full_hands(rules, batch)
    return True


def _may_refill(rules: Rules, state: State, player: int) -> bool:
    cards = state.bonus.draw or state.bonus.discard
    return bool(cards) and len(state.players[player].bonus.hand) < rules.bonus_hand


def skip_full_hands(rules: Rules, batch: Batch) -> None:
    """Skip the next players in the order who cannot refill; after the last of all, end the turn (DD-17)."""
    phase = batch.state.phase
    assert isinstance(phase, BonusPhase)  # noqa: S101 - the turn table admits no other phase
    if phase.discarding:
        return
    waiting = phase.refilling
    while waiting and not _may_refill(rules, batch.state, waiting[0]):
        waiting = waiting[1:]
    if not waiting:
        next_turn(batch)
    elif waiting != phase.refilling:
        batch.add(BonusBegan((), waiting))


def _finished(rules: Rules, batch: Batch) -> tuple[Event, ...]:
    skip_full_hands(rules, batch)
    return batch.done()


def _phase(state: State) -> BonusPhase:
    assert isinstance(state.phase, BonusPhase)  # noqa: S101 - the turn table admits no other phase
    return state.phase


def discard_bonus(rules: Rules, state: State, command: DiscardBonus) -> tuple[Event, ...]:
    """Discard one bonus card from the hand (DD-17)."""
    phase = _phase(state)
    if command.player not in phase.discarding:
        raise IllegalCommand(Reason.BONUS_ALREADY_DECIDED, "DD-17")
    hand = state.players[command.player].bonus.hand
    if command.bonus not in hand:
        raise IllegalCommand(Reason.NO_SUCH_BONUS, "DD-17", bonus=command.bonus, expected=hand)
    return _finished(rules, BonusBatch(rules, state, BonusDiscarded(command.player, command.bonus)))


def refill_bonus(rules: Rules, state: State, command: RefillBonus) -> tuple[Event, ...]:
    """Draw bonus cards up to the limit, in the order of the seats (DD-17, DD-18)."""
    phase = _phase(state)
    if phase.discarding or phase.refilling[:1] != (command.player,):
        raise IllegalCommand(Reason.NOT_YOUR_WORD, "DD-17", word=(phase.discarding + phase.refilling)[0])
    batch = BonusBatch(rules, state)
    owed = rules.bonus_hand - len(state.players[command.player].bonus.hand)
    if owed > len(state.bonus.draw) and state.bonus.discard:
        order = shuffled(state.bonus.discard, state.seed, state.shuffles, "bonus")
        batch.add(BonusReshuffled(order))
    cards = batch.state.bonus.draw[: -owed - 1 : -1]
    batch.add(BonusRefilled(command.player, cards))
    return _finished(rules, batch)


def pass_bonus(rules: Rules, state: State, command: Pass) -> tuple[Event, ...]:
    """Keep the bonus cards as they are (DD-17)."""
    phase = _phase(state)
    expected = phase.discarding or phase.refilling[:1]
    if command.player not in expected and command.player in phase.refilling and not phase.discarding:
        raise IllegalCommand(Reason.NOT_YOUR_WORD, "DD-17", word=expected[0])
    if command.player not in expected:
        raise IllegalCommand(Reason.BONUS_ALREADY_DECIDED, "DD-17", expected=expected)
    return _finished(rules, BonusBatch(rules, state, Passed(command.player)))


def bonus_choices(rules: Rules, state: State, player: int) -> list[Command]:  # noqa: ARG001 - one signature
    """List the discards, then the drawing, for those who may still decide (DD-17)."""
    phase = _phase(state)
    if player in phase.discarding:
        hand = state.players[player].bonus.hand
        return [*(DiscardBonus(player, card) for card in hand), Pass(player)]
    if not phase.discarding and phase.refilling[0] == player:
        return [RefillBonus(player), Pass(player)]
    return []


def who_exchanges(rules: Rules, state: State) -> tuple[int, ...]:  # noqa: ARG001 - one signature
    """Wait for all who may still discard, in any order, then for the next to draw (DD-17)."""
    phase = _phase(state)
    return phase.discarding or phase.refilling[:1]
