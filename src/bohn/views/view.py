"""The view of one seat, or of a spectator: a type with no place for what may not be seen.

Seats are absolute. The only private part is ``View.own``; other hands are numbers.
"""

from __future__ import annotations

from msgspec import Struct

from bohn.rules.beans import Bean, Field, Hand, Pile
from bohn.rules.ruleset import Rules
from bohn.rules.scoring import claimable
from bohn.rules.state import (
    BonusPhase,
    Copies,
    EndPhase,
    FaceUpPhase,
    GiftPhase,
    LeftoversPhase,
    Offer,
    PlantGiftPhase,
    PlantPhase,
    PlantTradedPhase,
    Player,
    RevealPhase,
    State,
    Talk,
    TradePhase,
)


class PlayerView(Struct, frozen=True, gc=False):
    """What everybody sees of a player.

    ``coins`` counts all coins; ``treasury`` shows the beans of those that were seen when
    they were earned, newest last. ``fields`` oldest bean first. Bonus cards: how many in hand, which claimed.
    """

    hand_size: int
    fields: tuple[Field, ...]
    coins: int
    treasury: Pile
    set_aside: tuple[Bean, ...]
    bonus_hand: int = 0
    bonus_claimed: tuple[int, ...] = ()


class OfferView(Struct, frozen=True, gc=False):
    """What everybody sees of an offer: kinds from the hand (sorted), not places (OFFER-1)."""

    id: int
    revision: int
    maker: int
    to: tuple[int, ...]
    hand: tuple[Bean, ...]
    face_up: Copies
    want: tuple[Bean, ...]
    open: bool
    claimers: tuple[int, ...] = ()

    @property
    def given(self) -> tuple[Bean, ...]:
        """What the maker gives, by kind: from his hand, then what lies face up."""
        return self.hand + tuple(copy.bean for copy in self.face_up)


class OwnOffer(Struct, frozen=True, gc=False):
    """What only the maker knows of his offer: which cards he named, and who has declined (OFFER-8)."""

    id: int
    hand: Copies
    declined: tuple[int, ...]


class OwnClaim(Struct, frozen=True, gc=False):
    """What only the claimer knows of his claim: which cards he named (OFFER-4)."""

    offer: int
    hand: Copies


class OwnHand(Struct, frozen=True, gc=False):
    """What only the owner sees: his hand, front first, and the places in his offers and claims.

    ``bonus`` are his bonus cards in hand, ``claimable`` those he may claim now; ``refused`` the offers he
    has declined; ``gifts`` the hand copies he prefers for the kinds he has named.
    """

    hand: Hand
    hand_revision: int
    offers: tuple[OwnOffer, ...] = ()
    claims: tuple[OwnClaim, ...] = ()
    refused: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()
    claimable: tuple[int, ...] = ()
    gifts: tuple[Copies, ...] = ()


class TradeView(Struct, frozen=True, gc=False, tag_field="phase", tag="trade"):
    """Phase 2 as everybody sees it."""

    face_up: tuple[Bean, ...]
    offers: tuple[OfferView, ...]
    passes: tuple[int, ...]


class GiftView(Struct, frozen=True, gc=False, tag_field="phase", tag="gift"):
    """The haggling over a gift as everybody sees it: who named which kind, and who is to speak."""

    face_up: tuple[Bean, ...]
    named: tuple[tuple[int, Bean], ...]
    word: int
    open: bool


PhaseView = (
    PlantPhase
    | RevealPhase
    | TradeView
    | PlantTradedPhase
    | LeftoversPhase
    | FaceUpPhase
    | GiftView
    | PlantGiftPhase
    | BonusPhase
    | EndPhase
)


class View(Struct, frozen=True, gc=False):
    """A game as one seat sees it; ``viewer`` and ``own`` are ``None`` for a spectator.

    Both piles are sizes; ``discard_top`` is empty or holds the top discard. The
    box is what lies out of play, by bean.
    """

    rules: Rules
    viewer: int | None
    own: OwnHand | None
    players: tuple[PlayerView, ...]
    active_player: int
    phase: PhaseView
    draw_pile: int
    discard_pile: int
    discard_top: tuple[Bean, ...]
    exhaustions: int
    turn: int
    starter: int
    talk: Talk
    box: Pile
    bonus_piles: tuple[int, int] = (0, 0)


def view(rules: Rules, state: State, viewer: int | None) -> View:
    """Return what a seat may know now; ``None`` is a spectator.

    Raises ``ValueError`` for a seat that is not at the table.
    """
    if viewer is not None and not 0 <= viewer < len(state.players):
        msg = f"expected a seat from 0 to {len(state.players) - 1}, or None, not {viewer}"
        raise ValueError(msg)
    own = None if viewer is None else own_hand(state, viewer)
    discards = state.discard_pile
    return View(
        rules,
        viewer,
        own,
        tuple([_player(player) for player in state.players]),
        state.active_player,
        _phase(state),
        len(state.draw_pile),
        len(discards),
        discards[-1:],
        state.exhaustions,
        state.turn,
        state.starter,
        state.talk,
        state.box,
        (len(state.bonus.draw), len(state.bonus.discard)),
    )


def _player(player: Player) -> PlayerView:
    bonus = player.bonus
    return PlayerView(
        len(player.hand),
        player.fields,
        len(player.treasury) + len(player.face_down),
        player.treasury,
        player.set_aside,
        len(bonus.hand),
        bonus.claimed,
    )


def own_hand(state: State, viewer: int) -> OwnHand:
    """Return the private part of a seat's view: all in which it differs from a spectator's."""
    player = state.players[viewer]
    phase = state.phase
    if isinstance(phase, TradePhase) and phase.offers:
        offers = phase.offers
        return OwnHand(
            player.hand,
            player.hand_revision,
            tuple(OwnOffer(o.id, o.hand, o.declined) for o in offers if o.maker == viewer),
            tuple(OwnClaim(o.id, c.hand) for o in offers for c in o.claims if c.player == viewer),
            tuple(o.id for o in offers if viewer in o.declined),
            player.bonus.hand,
            claimable(state, viewer),
        )
    if not player.bonus.hand and not isinstance(phase, GiftPhase):
        return OwnHand(player.hand, player.hand_revision)
    named = phase.named if isinstance(phase, GiftPhase) else ()
    gifts = tuple(naming.hand for naming in named if naming.player == viewer and naming.hand)
    return OwnHand(
        player.hand, player.hand_revision, (), (), (), player.bonus.hand, claimable(state, viewer), gifts
    )


def _phase(state: State) -> PhaseView:
    phase = state.phase
    if isinstance(phase, TradePhase):
        offers = tuple([offer_view(offer) for offer in phase.offers]) if phase.offers else ()
        return TradeView(phase.face_up, offers, phase.passes)
    if isinstance(phase, GiftPhase):
        named = tuple((naming.player, naming.bean) for naming in phase.named)
        return GiftView(phase.face_up, named, phase.word, phase.open)
    return phase


def offer_view(offer: Offer) -> OfferView:
    """Return what everybody may see of an offer."""
    kinds = tuple(sorted([copy.bean for copy in offer.hand]))
    claimers = tuple([claim.player for claim in offer.claims]) if offer.claims else ()
    return OfferView(
        offer.id,
        offer.revision,
        offer.maker,
        offer.to,
        kinds,
        offer.face_up,
        offer.want,
        offer.open,
        claimers,
    )
