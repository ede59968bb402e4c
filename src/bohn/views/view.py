"""The view of one seat, or of a spectator: a type with no place for what may not be seen.

Seats are absolute. The only private part is ``View.own``; other hands are numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from msgspec import UNSET, Struct, UnsetType

from bohn.rules.beans import Bean, Field, Hand, Pile
from bohn.rules.ruleset import Rules
from bohn.rules.scoring import PENNIES_A_COIN, claimable, pennies
from bohn.rules.state import (
    BonusPhase,
    Copies,
    EndPhase,
    FaceUpPhase,
    GiftPhase,
    LeftoversPhase,
    Offer,
    Phase,
    PlantGiftPhase,
    PlantPhase,
    PlantTradedPhase,
    RevealPhase,
    State,
    Talk,
    TradePhase,
)
from bohn.rules.turns import TURNS
from bohn.rules.turns.steps import Steps, steps_of
from bohn.views.exhaustive import require_complete


class PlayerView(Struct, frozen=True, gc=False):
    """What everybody sees of a player.

    ``coins`` counts all coins; ``treasury`` shows the beans of those that were seen when
    they were earned, newest last. ``fields`` oldest bean first. Bonus cards: how many in hand, which claimed.
    ``tokens`` are the coins of a head start that are left; unset without any.
    """

    hand_size: int
    fields: tuple[Field, ...]
    coins: int
    treasury: Pile
    set_aside: tuple[Bean, ...]
    bonus_hand: int = 0
    bonus_claimed: tuple[int, ...] = ()
    tokens: int | UnsetType = UNSET

    @property
    def tokens_left(self) -> int:
        """The coins of a head start that have not been spent (HOUSE-7)."""
        return 0 if self.tokens is UNSET else self.tokens


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
    """What only the maker knows of his offer: which cards he named, and which seats declined (OFFER-8)."""

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

    Both piles are numbers of cards; ``discard_top`` is empty or has the top discard. The
    box is what lies out of play, by bean. ``steps`` are those of every turn, in their order, and ``waiting``
    the seats the game waits for, in the order of play. ``totals`` are the coins and pennies that coins and
    claimed bonus cards make together, by seat; nothing in games without bonus cards.
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
    steps: Steps = ()
    waiting: tuple[int, ...] = ()
    totals: tuple[tuple[int, int], ...] = ()


def view(rules: Rules, state: State, viewer: int | None) -> View:
    """Return what a seat may see now; ``None`` is a spectator.

    Raises ``ValueError`` for a seat that is not at the table.
    """
    if viewer is not None and not 0 <= viewer < len(state.players):
        msg = f"expected a seat from 0 to {len(state.players) - 1}, or None, not {viewer}"
        raise ValueError(msg)
    own = None if viewer is None else own_hand(state, viewer)
    discards = state.discard_pile
    phase: Any = state.phase
    shown = _PHASES[type(phase)]
    return View(
        rules,
        viewer,
        own,
        _players(state),
        state.active_player,
        phase if shown is None else shown(phase),
        len(state.draw_pile),
        len(discards),
        discards[-1:],
        state.exhaustions,
        state.turn,
        state.starter,
        state.talk,
        state.box,
        (len(state.bonus.draw), len(state.bonus.discard)),
        steps_of(rules),
        TURNS[rules.game][type(phase)].waiting(rules, state),
        _totals(rules, state) if rules.bonus_cards else (),
    )


def _totals(rules: Rules, state: State) -> tuple[tuple[int, int], ...]:
    """Return what coins and claimed bonus cards are worth together, by seat, in coins and pennies (DD-16)."""
    return tuple([divmod(pennies(rules, player), PENNIES_A_COIN) for player in state.players])


def _players(state: State) -> tuple[PlayerView, ...]:
    return tuple(
        [
            PlayerView(
                len(player.hand),
                player.fields,
                player.coins,
                player.treasury,
                player.set_aside,
                len(player.bonus.hand),
                player.bonus.claimed,
                player.tokens,
            )
            for player in state.players
        ]
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


def _trade_view(phase: TradePhase) -> TradeView:
    offers = tuple([offer_view(offer) for offer in phase.offers]) if phase.offers else ()
    return TradeView(phase.face_up, offers, phase.passes)


def _gift_view(phase: GiftPhase) -> GiftView:
    named = tuple((naming.player, naming.bean) for naming in phase.named)
    return GiftView(phase.face_up, named, phase.word, phase.open)


EVERYBODY = None
"""In the table of phases: the phase itself is shown, because everybody may see all of it."""

_PHASES: dict[type[Phase], Callable[[Any], PhaseView] | None] = {
    TradePhase: _trade_view,
    GiftPhase: _gift_view,
    PlantPhase: EVERYBODY,
    RevealPhase: EVERYBODY,
    PlantTradedPhase: EVERYBODY,
    LeftoversPhase: EVERYBODY,
    FaceUpPhase: EVERYBODY,
    PlantGiftPhase: EVERYBODY,
    BonusPhase: EVERYBODY,
    EndPhase: EVERYBODY,
}
"""How each phase is shown to everybody; what only one player may see of it is in :class:`OwnHand`."""

require_complete("phase", get_args(Phase), _PHASES)
