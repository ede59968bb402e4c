"""The state of a game: frozen structs of tuples, without any rules.

The data of a phase is part of the phase: outside :class:`TradePhase` no offers can exist.
"""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import UNSET, Struct, UnsetType

from bohn.rules.beans import Bean, Field, Hand, Pile


class Copy(Struct, frozen=True, array_like=True, gc=False):
    """One particular card: its place (0 is the front of the hand) and its bean."""

    place: int
    bean: Bean


Copies = tuple[Copy, ...]


class StandingClaim(Struct, frozen=True, gc=False):
    """A player's wish to be picked for an open offer, with the copies he would give (OFFER-4)."""

    player: int
    hand: Copies


class Offer(Struct, frozen=True, gc=False):
    """A standing offer; one side is always the active player (OFFER-1, OFFER-2).

    ``hand`` and ``face_up`` are the maker's cards, ``want`` the kinds he asks
    for, sorted. ``open`` offers collect ``claims``; direct ones are executed by the
    first acceptance. ``declined`` lists who said no to this revision.
    """

    id: int
    revision: int
    maker: int
    to: tuple[int, ...]
    hand: Copies
    face_up: Copies
    want: tuple[Bean, ...]
    open: bool = False
    claims: tuple[StandingClaim, ...] = ()
    declined: tuple[int, ...] = ()


class PlantPhase(Struct, frozen=True, gc=False, tag_field="phase", tag="plant"):
    """Phase 1: beans planted from the hand so far (PLANT-1..PLANT-6)."""

    planted: int = 0


class RevealPhase(Struct, frozen=True, gc=False, tag_field="phase", tag="reveal"):
    """Between the planting and the turning over; ``face_up`` fills during the batch (REVEAL-1)."""

    face_up: tuple[Bean, ...] = ()


class TradePhase(Struct, frozen=True, gc=False, tag_field="phase", tag="trade"):
    """Phase 2: face-up beans and standing offers (TRADE-1..TRADE-12).

    ``next_offer`` numbers offers. ``passes`` are the players who want no more trade. ``final`` tells that
    the active player has passed once; ``later`` lists the others' offers made or edited since, and
    ``heard`` the players of whom one such offer has been answered or withdrawn (TRADE-12).
    """

    face_up: tuple[Bean, ...] = ()
    offers: tuple[Offer, ...] = ()
    next_offer: int = 1
    passes: tuple[int, ...] = ()
    final: bool = False
    later: tuple[int, ...] = ()
    heard: tuple[int, ...] = ()


class PlantTradedPhase(Struct, frozen=True, gc=False, tag_field="phase", tag="plant-traded"):
    """Phase 3: everybody plants what he has set aside (SETASIDE-1..SETASIDE-4)."""


class LeftoversPhase(Struct, frozen=True, gc=False, tag_field="phase", tag="leftovers"):
    """Bean duel: the beans that the opponent left, to be planted or discarded (DUEL-5)."""

    leftovers: tuple[Bean, ...] = ()


class FaceUpPhase(Struct, frozen=True, gc=False, tag_field="phase", tag="plant-face-up"):
    """Bean duel: revealed and swept beans, planted or left (DUEL-10)."""

    face_up: tuple[Bean, ...] = ()


class Naming(Struct, frozen=True, gc=False):
    """One kind named as a gift: by whom, and the hand copy he would rather give, if any (DD-6)."""

    player: int
    bean: Bean
    hand: Copies = ()


class GiftPhase(Struct, frozen=True, gc=False, tag_field="phase", tag="gift"):
    """Das Duell: haggling over one gift; ``word`` is the player to speak (DD-6..DD-11)."""

    face_up: tuple[Bean, ...] = ()
    named: tuple[Naming, ...] = ()
    word: int = 0
    open: bool = False


class PlantGiftPhase(Struct, frozen=True, gc=False, tag_field="phase", tag="plant-gift"):
    """Das Duell: the receiver plants the gift, the active player the rest (DD-9, DD-12)."""

    face_up: tuple[Bean, ...] = ()
    gift: tuple[Bean, ...] = ()
    receiver: int = 0
    planted: int = 0


class BonusPhase(Struct, frozen=True, gc=False, tag_field="phase", tag="bonus"):
    """Das Duell: who still may discard a bonus card, then who may still refill, in order (DD-17)."""

    discarding: tuple[int, ...] = ()
    refilling: tuple[int, ...] = ()


class Result(Struct, frozen=True, gc=False):
    """The end of a game: by player, coins, pennies of bonus cards, hand cards; and the winners."""

    coins: tuple[int, ...]
    pennies: tuple[int, ...]
    hand_cards: tuple[int, ...]
    winners: tuple[int, ...]


class EndPhase(Struct, frozen=True, gc=False, tag_field="phase", tag="end"):
    """The game is over (END-1); ``unscored`` are revealed beans that nobody planted (END-4)."""

    result: Result
    unscored: tuple[Bean, ...] = ()


Phase = (
    PlantPhase
    | RevealPhase
    | TradePhase
    | PlantTradedPhase
    | LeftoversPhase
    | FaceUpPhase
    | GiftPhase
    | PlantGiftPhase
    | BonusPhase
    | EndPhase
)


class BonusHand(Struct, frozen=True, gc=False):
    """A player's bonus cards: in hand, the last turn each one's pattern stood (-1: never), claimed.

    ``hand`` and ``stood`` run in parallel; the numbers index ``Rules.bonus_cards`` (DD-14, DD-15).
    """

    hand: tuple[int, ...] = ()
    stood: tuple[int, ...] = ()
    claimed: tuple[int, ...] = ()


NO_BONUS = BonusHand()


class Player(Struct, frozen=True, gc=False):
    """One player's cards. ``hand`` front first, ``treasury`` newest coin last (COIN-2).

    ``hand_revision`` counts removals from the hand. ``face_down`` are coins whose
    beans nobody has seen (DD-1). ``tokens`` are what is left of the coins of a head start, no cards; unset
    while there are none: states are written as they were before there were any (HOUSE-7).
    """

    hand: Hand
    hand_revision: int
    fields: tuple[Field, ...]
    treasury: Pile = ()
    set_aside: tuple[Bean, ...] = ()
    face_down: Pile = ()
    bonus: BonusHand = NO_BONUS
    tokens: int | UnsetType = UNSET

    @property
    def tokens_left(self) -> int:
        """The coins of a head start that have not been spent (HOUSE-7)."""
        return 0 if self.tokens is UNSET else self.tokens

    @property
    def coins(self) -> int:
        """The number of coins, whatever beans they are (COIN-1)."""
        return len(self.treasury) + len(self.face_down) + self.tokens_left


Said = Literal["want", "spare", "keep"]
MARKS: tuple[Said, ...] = get_args(Said)
"""What may be said of a kind, in the order of the fields of :class:`Wishes`."""


class Wishes(Struct, frozen=True, gc=False):
    """What one player says he wants, can spare, and keeps and is not to be asked for (TALK-1).

    ``keep`` is unset while there is nothing, so that states are written as they were before it could be said.
    """

    want: tuple[Bean, ...] = ()
    spare: tuple[Bean, ...] = ()
    keep: tuple[Bean, ...] | UnsetType = UNSET

    @property
    def kept(self) -> tuple[Bean, ...]:
        """The kinds that he keeps, none if he has not said so."""
        return () if self.keep is UNSET else self.keep

    def mark_of(self, bean: Bean) -> Said | Literal["none"]:
        """Return the mark of a kind (TALK-1)."""
        said = zip(MARKS, (self.want, self.spare, self.kept), strict=True)
        return next((mark for mark, kinds in said if bean in kinds), "none")

    def marked(self, bean: Bean, mark: Said | Literal["none"]) -> Wishes:
        """Return these wishes with another mark for a kind, which has one at a time (TALK-1)."""

        def kinds(said: Said, old: tuple[Bean, ...]) -> tuple[Bean, ...]:
            return tuple(sorted({*old, bean} if said == mark else {*old} - {bean}))

        return Wishes(kinds("want", self.want), kinds("spare", self.spare), kinds("keep", self.kept) or UNSET)


Due = Literal["this-turn", "next-turn", "some-time"]


class Promise(Struct, frozen=True, gc=False):
    """A public note between two seats: what one will give and hopes to get, and when (TALK-2)."""

    id: int
    player: int
    to: int
    give: tuple[Bean, ...]
    get: tuple[Bean, ...]
    due: Due = "some-time"


class Talk(Struct, frozen=True, gc=False):
    """Wishes by player, and promises; no rule reads it (TALK-3)."""

    wishes: tuple[Wishes, ...] = ()
    promises: tuple[Promise, ...] = ()
    next_promise: int = 1


NO_TALK = Talk()


def clockwise(first: int, seats: int) -> tuple[int, ...]:
    """Return all seats in the order of play, from one of them (TURN-2)."""
    return tuple((first + step) % seats for step in range(seats))


class BonusPiles(Struct, frozen=True, gc=False):
    """The bonus draw pile and the bonus discards, top last (DD-18)."""

    draw: tuple[int, ...] = ()
    discard: tuple[int, ...] = ()


NO_PILES = BonusPiles()


class State(Struct, frozen=True, gc=False):
    """A whole game at one moment.

    ``exhaustions`` counts how often the draw pile ran out, ``shuffles`` numbers the next
    shuffle, ``turn`` counts from 1. ``seed`` is 32 bytes and known to nobody at the table.
    """

    players: tuple[Player, ...]
    active_player: int
    phase: Phase
    draw_pile: Pile
    discard_pile: Pile
    box: Pile
    exhaustions: int
    shuffles: int
    turn: int
    starter: int
    talk: Talk
    seed: bytes
    bonus: BonusPiles = NO_PILES


def in_order(state: State) -> tuple[int, ...]:
    """Return all seats in the order of play: the active player, then clockwise (TURN-2)."""
    return clockwise(state.active_player, len(state.players))
