"""Events: what has happened, in the past tense.

``evolve`` folds them into states and needs no rules, so an old game replays under
new code. An event carries every card it moves.
"""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from bohn.rules.beans import Bean, Hand, Pile
from bohn.rules.commands import Mark
from bohn.rules.state import Copies, Offer, Promise, Result


class Event(Struct, frozen=True, gc=False, tag_field="event"):
    """The base of all events."""


# the course of the game


class Dealt(Event, frozen=True, gc=False, tag="dealt"):
    """The game was set up: everything by seat, piles top last (SETUP-1..SETUP-5).

    ``tokens`` are the coins of head starts, unset where nobody has any (HOUSE-7).
    """

    seed: bytes
    starter: int
    fields: int
    hands: tuple[Hand, ...]
    draw_pile: Pile
    box: Pile
    face_down: tuple[Pile, ...] = ()
    bonus_hands: tuple[tuple[int, ...], ...] = ()
    bonus_pile: tuple[int, ...] = ()
    tokens: tuple[int, ...] | UnsetType = UNSET


class TurnBegan(Event, frozen=True, gc=False, tag="turn-began"):
    """A player's turn began, with what the opponent left him, if anything (TURN-1, DUEL-5)."""

    player: int
    leftovers: tuple[Bean, ...] = ()


class TurnedOver(Event, frozen=True, gc=False, tag="turned-over"):
    """Beans from the top of the draw pile were laid face up, in this order (REVEAL-1)."""

    player: int
    beans: tuple[Bean, ...]


class Swept(Event, frozen=True, gc=False, tag="swept"):
    """Matching beans from the top of the discard pile joined the face-up ones (DUEL-9)."""

    player: int
    beans: tuple[Bean, ...]


class TradingBegan(Event, frozen=True, gc=False, tag="trading-began"):
    """Phase 2 began (TURN-1)."""

    player: int


class FaceUpBegan(Event, frozen=True, gc=False, tag="face-up-began"):
    """Bean duel: the active player may plant what lies face up (DUEL-10)."""

    player: int


class HagglingBegan(Event, frozen=True, gc=False, tag="haggling-began"):
    """Das Duell: the haggling over a gift began (DD-6)."""

    player: int


class Drew(Event, frozen=True, gc=False, tag="drew"):
    """Beans were drawn one by one to the back of the hand (DRAW-1)."""

    player: int
    beans: tuple[Bean, ...]


class Exhausted(Event, frozen=True, gc=False, tag="exhausted"):
    """The draw pile ran out for the ``count``-th time (END-5, DRAW-3)."""

    count: int


class Reshuffled(Event, frozen=True, gc=False, tag="reshuffled"):
    """The discard pile became the draw pile in this order, top last (RESHUFFLE-1)."""

    order: Pile


class GameEnded(Event, frozen=True, gc=False, tag="game-ended"):
    """The game is over (END-1..END-5)."""

    result: Result


# planting, harvest, purchase


class Planted(Event, frozen=True, gc=False, tag="planted"):
    """The front hand card was planted (PLANT-1)."""

    player: int
    field: int
    bean: Bean


class SetAsidePlanted(Event, frozen=True, gc=False, tag="set-aside-planted"):
    """A set-aside bean was planted (SETASIDE-1)."""

    player: int
    place: int
    field: int
    bean: Bean


class Harvested(Event, frozen=True, gc=False, tag="harvested"):
    """A whole field was sold: which beans became coins, which were discarded (HARVEST-3)."""

    player: int
    field: int
    coins: Pile
    discards: Pile


class FieldBought(Event, frozen=True, gc=False, tag="field-bought"):
    """A field was bought; the coins, newest first, went to the discard pile or the box (BUY-3).

    ``tokens`` counts the coins of a head start among the price, which went out of the game (HOUSE-7).
    """

    player: int
    coins: Pile
    to: Literal["discard", "box"] = "discard"
    tokens: int | UnsetType = UNSET


# trading


class OfferMade(Event, frozen=True, gc=False, tag="offer-made"):
    """A new offer stands (OFFER-1)."""

    offer: Offer


class OfferEdited(Event, frozen=True, gc=False, tag="offer-edited"):
    """An offer has a new revision and no claims (OFFER-6)."""

    offer: Offer


class OfferWithdrawn(Event, frozen=True, gc=False, tag="offer-withdrawn"):
    """The maker took an offer back (OFFER-7)."""

    offer: int


class OfferDeclined(Event, frozen=True, gc=False, tag="offer-declined"):
    """An addressee said no; only he and the maker know (OFFER-8)."""

    offer: int
    revision: int
    maker: int
    player: int


class OfferClaimed(Event, frozen=True, gc=False, tag="offer-claimed"):
    """A player asks to be picked; only he knows his copies (OFFER-4)."""

    offer: int
    revision: int
    player: int
    hand: Copies = ()


class ClaimWithdrawn(Event, frozen=True, gc=False, tag="claim-withdrawn"):
    """A claim was taken back (OFFER-4)."""

    offer: int
    player: int


class ClaimVoided(Event, frozen=True, gc=False, tag="claim-voided"):
    """A claim fell because one of its copies has moved (OFFER-10)."""

    offer: int
    player: int


class Traded(Event, frozen=True, gc=False, tag="traded"):
    """An offer was executed, both sides at once; received beans are set aside (TRADE-5, TRADE-6)."""

    offer: int
    maker: int
    partner: int
    maker_hand: Copies = ()
    maker_face_up: Copies = ()
    partner_hand: Copies = ()
    partner_face_up: Copies = ()


class OfferVoided(Event, frozen=True, gc=False, tag="offer-voided"):
    """An offer fell because a card its maker named has moved (OFFER-9)."""

    offer: int


class Passed(Event, frozen=True, gc=False, tag="passed"):
    """A player wants no more: trade (TRADE-12) or bonus cards (DD-17)."""

    player: int


class TradingClosed(Event, frozen=True, gc=False, tag="trading-closed"):
    """Phase 2 is over; what is still face up is set aside by the active player (OFFER-13)."""

    player: int


# the bean duel


class LeftoverPlanted(Event, frozen=True, gc=False, tag="leftover-planted"):
    """A leftover was planted (DUEL-5)."""

    player: int
    place: int
    field: int
    bean: Bean


class LeftoverDiscarded(Event, frozen=True, gc=False, tag="leftover-discarded"):
    """A leftover was discarded (DUEL-5); in Das Duell a revealed bean (DD-23)."""

    player: int
    place: int
    bean: Bean


class LeftoversDone(Event, frozen=True, gc=False, tag="leftovers-done"):
    """No leftover remains: the planting from the hand begins (DUEL-6)."""

    player: int


class HandDiscarded(Event, frozen=True, gc=False, tag="hand-discarded"):
    """A card from anywhere in the hand was discarded; the planting is over (DUEL-7)."""

    player: int
    place: int
    bean: Bean


class HandKept(Event, frozen=True, gc=False, tag="hand-kept"):
    """The planting is over without a discard (DUEL-7)."""

    player: int


class FaceUpPlanted(Event, frozen=True, gc=False, tag="face-up-planted"):
    """A face-up bean was planted (DUEL-10, DD-12)."""

    player: int
    place: int
    field: int
    bean: Bean


class RestLeft(Event, frozen=True, gc=False, tag="rest-left"):
    """What was still face up is left to the opponent (DUEL-10)."""

    player: int
    beans: tuple[Bean, ...]


# Das Duell


class GiftNamed(Event, frozen=True, gc=False, tag="gift-named"):
    """A kind was named; only the namer knows the copy he prefers (DD-6, DD-7)."""

    player: int
    bean: Bean
    hand: Copies = ()


class GiftTaken(Event, frozen=True, gc=False, tag="gift-taken"):
    """The named bean was delivered, from the face-up ones or from the giver's hand (DD-9)."""

    player: int
    giver: int
    bean: Bean
    source: Literal["face-up", "hand"]
    place: int


class BluffCaught(Event, frozen=True, gc=False, tag="bluff-caught"):
    """The namer had nothing to give (DD-10)."""

    player: int
    giver: int
    bean: Bean


class BluffPaid(Event, frozen=True, gc=False, tag="bluff-paid"):
    """What a caught bluff cost (DD-10, DD-11).

    ``bonus`` is empty or one bonus card: claimed, from the hand into the other's hand, or
    from the hand onto the bonus discards if the other's hand is full.
    """

    giver: int
    player: int
    coin: Literal["", "treasury", "face-down", "token"] = ""
    bonus: tuple[int, ...] = ()
    from_hand: bool = False
    discarded: bool = False


class HagglingClosed(Event, frozen=True, gc=False, tag="haggling-closed"):
    """The haggling is over; gift and revealed beans are planted next (DD-12)."""

    player: int


class GiftPlanted(Event, frozen=True, gc=False, tag="gift-planted"):
    """The receiver planted the gift (DD-9)."""

    player: int
    field: int
    bean: Bean


class BonusBegan(Event, frozen=True, gc=False, tag="bonus-began"):
    """Bonus cards may be discarded and refilled by these players, in this order (DD-17)."""

    discarding: tuple[int, ...]
    refilling: tuple[int, ...]


class BonusStood(Event, frozen=True, gc=False, tag="bonus-stood"):
    """The pattern of a bonus card in hand stands this turn; only its owner knows (DD-15)."""

    player: int
    bonus: int


class BonusClaimed(Event, frozen=True, gc=False, tag="bonus-claimed"):
    """A bonus card was claimed (DD-14)."""

    player: int
    bonus: int


class BonusDiscarded(Event, frozen=True, gc=False, tag="bonus-discarded"):
    """A bonus card was laid face down on the bonus discards; only its owner knows which (DD-17)."""

    player: int
    bonus: int


class BonusRefilled(Event, frozen=True, gc=False, tag="bonus-refilled"):
    """Bonus cards were drawn; only the player knows which (DD-17)."""

    player: int
    cards: tuple[int, ...]


class BonusReshuffled(Event, frozen=True, gc=False, tag="bonus-reshuffled"):
    """The bonus discards became the bonus pile in this order, top last (DD-18)."""

    order: tuple[int, ...]


# talk


class WishSet(Event, frozen=True, gc=False, tag="wish-set"):
    """A player marked a kind (TALK-1)."""

    player: int
    bean: Bean
    mark: Mark


class PromiseMade(Event, frozen=True, gc=False, tag="promise-made"):
    """A promise was given (TALK-2)."""

    promise: Promise


class PromiseWithdrawn(Event, frozen=True, gc=False, tag="promise-withdrawn"):
    """A promise was taken back (TALK-2)."""

    promise: int


AnyEvent = (
    Dealt
    | TurnBegan
    | TurnedOver
    | Swept
    | TradingBegan
    | FaceUpBegan
    | HagglingBegan
    | Drew
    | Exhausted
    | Reshuffled
    | GameEnded
    | Planted
    | SetAsidePlanted
    | Harvested
    | FieldBought
    | OfferMade
    | OfferEdited
    | OfferWithdrawn
    | OfferDeclined
    | OfferClaimed
    | ClaimWithdrawn
    | ClaimVoided
    | Traded
    | OfferVoided
    | Passed
    | TradingClosed
    | LeftoverPlanted
    | LeftoverDiscarded
    | LeftoversDone
    | HandDiscarded
    | HandKept
    | FaceUpPlanted
    | RestLeft
    | GiftNamed
    | GiftTaken
    | BluffCaught
    | BluffPaid
    | HagglingClosed
    | GiftPlanted
    | BonusBegan
    | BonusStood
    | BonusClaimed
    | BonusDiscarded
    | BonusRefilled
    | BonusReshuffled
    | WishSet
    | PromiseMade
    | PromiseWithdrawn
)
"""Every event, as one tagged union."""
