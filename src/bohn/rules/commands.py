"""Commands: what a player wants to do, in the imperative.

A command that names hand places carries the ``hand_revision`` of the hand it was made for, and the
bean at each place; a mismatch is refused with ``no-such-place`` (OFFER-1).
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from bohn.rules.beans import Bean, Pile
from bohn.rules.state import Copies, Copy, Due


class Command(Struct, frozen=True, gc=False, tag_field="do", forbid_unknown_fields=True):
    """The base of all commands; ``player`` is the acting seat."""

    player: int


# any time


class Harvest(Command, frozen=True, gc=False, tag="harvest"):
    """Harvest and sell one whole own field (HARVEST-1..HARVEST-7)."""

    field: int


class BuyField(Command, frozen=True, gc=False, tag="buy-field"):
    """Buy the third field; ``coins`` names the beans paid where the payer chooses (BUY-1..BUY-7)."""

    coins: Pile = ()


# the main game


class Plant(Command, frozen=True, gc=False, tag="plant"):
    """Plant the front hand card on a field (PLANT-1..PLANT-6)."""

    field: int


class Reveal(Command, frozen=True, gc=False, tag="reveal"):
    """End the planting and turn beans over (TURN-3, REVEAL-1)."""


class MakeOffer(Command, frozen=True, gc=False, tag="make-offer"):
    """Propose a trade, an ask or a gift (OFFER-1, OFFER-2)."""

    to: tuple[int, ...]
    hand: Copies = ()
    face_up: Copies = ()
    want: tuple[Bean, ...] = ()
    open: bool = False
    hand_revision: int = 0


class EditOffer(Command, frozen=True, gc=False, tag="edit-offer"):
    """Replace an own offer by a new revision (OFFER-6)."""

    offer: int
    revision: int
    to: tuple[int, ...]
    hand: Copies = ()
    face_up: Copies = ()
    want: tuple[Bean, ...] = ()
    open: bool = False
    hand_revision: int = 0


class WithdrawOffer(Command, frozen=True, gc=False, tag="withdraw-offer"):
    """Take an own offer back (OFFER-7)."""

    offer: int


class AcceptOffer(Command, frozen=True, gc=False, tag="accept-offer"):
    """Accept a direct offer, naming the copies that leave (OFFER-3, OFFER-12)."""

    offer: int
    revision: int
    hand: Copies = ()
    face_up: Copies = ()
    hand_revision: int = 0


class Claim(Command, frozen=True, gc=False, tag="claim"):
    """Ask to be picked for an open offer; locks nothing (OFFER-4)."""

    offer: int
    revision: int
    hand: Copies = ()
    hand_revision: int = 0


class Pick(Command, frozen=True, gc=False, tag="pick"):
    """Execute an own open offer with one claimer (OFFER-5)."""

    offer: int
    revision: int
    claimer: int


class DeclineOffer(Command, frozen=True, gc=False, tag="decline-offer"):
    """Say no to this revision of an offer, or take a claim back (OFFER-8, OFFER-4)."""

    offer: int
    revision: int


class EndTrading(Command, frozen=True, gc=False, tag="end-trading"):
    """The active player ends the trading (TRADE-11)."""


class Pass(Command, frozen=True, gc=False, tag="pass"):
    """Want no more trade (TRADE-12); in Das Duell's last phase: no bonus card now (DD-17)."""


class PlantSetAside(Command, frozen=True, gc=False, tag="plant-set-aside"):
    """Plant one set-aside bean, by its place among them (SETASIDE-1..SETASIDE-4)."""

    place: int
    field: int


# the bean duel


class PlantLeftover(Command, frozen=True, gc=False, tag="plant-leftover"):
    """Plant one leftover of the opponent (DUEL-5)."""

    place: int
    field: int


class DiscardLeftover(Command, frozen=True, gc=False, tag="discard-leftover"):
    """Discard one leftover (DUEL-5); in Das Duell, by house rule, a revealed bean (DD-23)."""

    place: int


class DiscardFromHand(Command, frozen=True, gc=False, tag="discard-from-hand"):
    """Discard one card from anywhere in the hand, which ends the planting (DUEL-7)."""

    copy: Copy
    hand_revision: int = 0


class KeepHand(Command, frozen=True, gc=False, tag="keep-hand"):
    """End the planting without discarding (DUEL-7)."""


class PlantFaceUp(Command, frozen=True, gc=False, tag="plant-face-up"):
    """Plant one face-up bean (DUEL-10, DD-12)."""

    place: int
    field: int


class LeaveRest(Command, frozen=True, gc=False, tag="leave-rest"):
    """Leave what is still face up to the opponent (DUEL-10)."""


# Das Duell


class NameGift(Command, frozen=True, gc=False, tag="name-gift"):
    """Name the kind one would give; ``hand`` prefers a hand copy over a face-up one (DD-6, DD-7)."""

    bean: Bean
    hand: Copies = ()
    hand_revision: int = 0


class TakeGift(Command, frozen=True, gc=False, tag="take-gift"):
    """Take what was named last, which calls a bluff (DD-7, DD-10)."""


class PlantGift(Command, frozen=True, gc=False, tag="plant-gift"):
    """Plant the gift one has received (DD-9)."""

    field: int


class ClaimBonus(Command, frozen=True, gc=False, tag="claim-bonus"):
    """Claim an own bonus card whose pattern stood (DD-14, DD-15)."""

    bonus: int


class DiscardBonus(Command, frozen=True, gc=False, tag="discard-bonus"):
    """Discard one bonus card (DD-17)."""

    bonus: int


class RefillBonus(Command, frozen=True, gc=False, tag="refill-bonus"):
    """Draw bonus cards up to the limit of the hand (DD-17)."""


# talk

Mark = Literal["want", "spare", "keep", "none"]


class SetWish(Command, frozen=True, gc=False, tag="set-wish"):
    """Mark a kind as wanted, to spare, to keep, or as none of these (TALK-1)."""

    bean: Bean
    mark: Mark


class MakePromise(Command, frozen=True, gc=False, tag="make-promise"):
    """Make a public promise to another seat (TALK-2)."""

    to: int
    give: tuple[Bean, ...] = ()
    get: tuple[Bean, ...] = ()
    due: Due = "some-time"


class WithdrawPromise(Command, frozen=True, gc=False, tag="withdraw-promise"):
    """Withdraw an own promise (TALK-2)."""

    promise: int


AnyCommand = (
    Plant
    | Reveal
    | MakeOffer
    | EditOffer
    | WithdrawOffer
    | AcceptOffer
    | Claim
    | Pick
    | DeclineOffer
    | EndTrading
    | Pass
    | PlantSetAside
    | Harvest
    | BuyField
    | PlantLeftover
    | DiscardLeftover
    | DiscardFromHand
    | KeepHand
    | PlantFaceUp
    | LeaveRest
    | NameGift
    | TakeGift
    | PlantGift
    | ClaimBonus
    | DiscardBonus
    | RefillBonus
    | SetWish
    | MakePromise
    | WithdrawPromise
)
"""Every command, as one tagged union."""
