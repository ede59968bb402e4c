"""The set-up of a game: shuffling, dealing, and which seat begins (SETUP-1..SETUP-5, DD-1, HOUSE-7)."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from bohn.rules.beans import BEANS, Bean, Pile
from bohn.rules.events import Dealt, Event, TurnBegan
from bohn.rules.ruleset import Rules
from bohn.rules.shuffle import drawn_starter, shuffled
from bohn.rules.state import clockwise


def opening(rules: Rules, seed: bytes) -> tuple[Event, ...]:
    """Return the first batch of a game: the deal and the first turn.

    Shuffle 0 orders the beans. Coins lie face down first, then the hands are dealt one
    card at a time clockwise from the starter (SETUP-2), and then the cards of head starts in the same way
    (HOUSE-7).
    """
    starter = begins(rules, seed)
    pile = list(shuffled(cards_of(rules.deck), seed, 0))
    seats = clockwise(starter, rules.players)
    face_down: list[Pile] = [()] * rules.players
    for seat in seats:
        face_down[seat] = tuple(pile.pop() for _ in range(rules.starting_coins))
    hands: list[Pile] = [()] * rules.players
    for card in range(max(rules.deal)):
        for seat, size in zip(seats, rules.deal, strict=True):
            if card < size:
                hands[seat] = (*hands[seat], pile.pop())
    _deal_head_starts(rules, seats, hands, pile)
    bonus_pile = list(shuffled(tuple(range(len(rules.bonus_cards))), seed, 0, "bonus"))
    bonus_hands: list[tuple[int, ...]] = [()] * rules.players
    for seat in seats:
        bonus_hands[seat] = tuple(bonus_pile.pop() for _ in range(rules.bonus_hand))
    dealt = Dealt(
        seed, starter, rules.fields, tuple(hands), tuple(pile), cards_of(rules.boxed),
        tuple(face_down), tuple(bonus_hands), tuple(bonus_pile), _tokens(rules),
    )  # fmt: skip
    return (dealt, TurnBegan(starter))


def _deal_head_starts(rules: Rules, seats: tuple[int, ...], hands: list[Pile], pile: list[Bean]) -> None:
    """Deal the cards of head starts, one at a time clockwise from the starter (HOUSE-7)."""
    more = [rules.head_start_of(seat).cards for seat in range(rules.players)]
    for card in range(max(more)):
        for seat in seats:
            if card < more[seat]:
                hands[seat] = (*hands[seat], pile.pop())


def _tokens(rules: Rules) -> tuple[int, ...] | UnsetType:
    """Return the coins of head starts by seat; unset where nobody has any (HOUSE-7)."""
    tokens = tuple(rules.head_start_of(seat).coins for seat in range(rules.players))
    return tokens if any(tokens) else UNSET


def cards_of(counts: tuple[int, ...]) -> Pile:
    """Return a pile of cards, rarest at the bottom; ``counts`` is the number of cards by bean."""
    return tuple(bean for bean in BEANS for _ in range(counts[bean]))


def begins(rules: Rules, seed: bytes) -> int:
    """Return the seat that begins: drawn from the seed, or named by a house rule (SETUP-5, HOUSE-6)."""
    if rules.starter == "drawn":
        return drawn_starter(seed, rules.players)
    return int(rules.starter.removeprefix("seat:"))
