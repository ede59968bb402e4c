"""The resolved rules of one game: numbers and the names of policies, all data."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from bohn.rules.beans import BEANS, Bean, Beanometer


class BonusCard(Struct, frozen=True, gc=False):
    """A bonus card: the run lengths of its pattern, oldest bean first, and its pennies (DD-16)."""

    runs: tuple[int, ...]
    pennies: int


class HeadStart(Struct, frozen=True, gc=False):
    """What one seat has beyond what the edition gives: coins, and cards in its first hand (HOUSE-7)."""

    seat: int
    coins: int
    cards: int


class Rules(Struct, frozen=True, kw_only=True):
    """Everything that distinguishes one game from another.

    ``deck`` counts the cards in play and ``boxed`` those put away, both by bean;
    ``deal`` gives the hand sizes in cards, by turn order: clockwise from the starter, not by seat. Prices
    and pay-outs are in coins. Policies are named here and looked up in :mod:`bohn.rules.policies`.
    ``head_starts`` is unset where nobody has one: rules are written as they were before there were any.
    """

    edition: str
    players: int
    game: str
    deck: tuple[int, ...]
    boxed: tuple[int, ...]
    beanometers: tuple[Beanometer, ...]
    deal: tuple[int, ...]
    fields: int
    max_fields: int
    field_price: int
    reveal: int
    draw: int
    exhaustions: int
    house_rules: tuple[str, ...] = ()
    starting_coins: int = 0
    offers_a_maker: int = 6
    promises_a_player: int = 12
    starter: str = "drawn"
    reshuffle: Literal["eager", "when_needed"] = "eager"
    singles: Literal["while_another_has_two", "all_single"] = "while_another_has_two"
    same_kind: Literal["may_split", "must_join", "next_higher"] = "may_split"
    harvest: Literal["any_time", "own_turn"] = "any_time"
    closing: Literal["active", "unanimous"] = "active"
    payment: Literal["topmost", "chosen"] = "topmost"
    coins_to: Literal["discard", "box"] = "discard"
    end: Literal["after_planting", "at_once", "plant_first"] = "after_planting"
    tie: Literal["most_hand_cards", "shared"] = "most_hand_cards"
    match: Literal["whole_field", "contiguous_part"] = "whole_field"
    rest: Literal["must_plant", "may_discard"] = "must_plant"
    bluff: Literal["ends", "continues"] = "ends"
    trading: Literal["no", "also"] = "no"
    bonus_cards: tuple[BonusCard, ...] = ()
    bonus_hand: int = 0
    head_starts: tuple[HeadStart, ...] | UnsetType = UNSET

    @property
    def kinds(self) -> tuple[Bean, ...]:
        """The varieties in play, rarest first."""
        return tuple(bean for bean in BEANS if self.deck[bean])

    def head_start_of(self, seat: int) -> HeadStart:
        """Return the head start of a seat; most have one of nothing (HOUSE-7)."""
        given = () if self.head_starts is UNSET else self.head_starts
        return next((one for one in given if one.seat == seat), HeadStart(seat, 0, 0))
