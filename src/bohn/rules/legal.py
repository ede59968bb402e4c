"""What a player may do: legal commands, whom the game waits for, who may act, and the space of offers."""

from __future__ import annotations

from functools import cache
from itertools import combinations

from msgspec import Struct

from bohn.rules.beans import Bean
from bohn.rules.commands import BuyField, ClaimBonus, Command, Harvest
from bohn.rules.farming import purchase_refusal
from bohn.rules.policies import CHOOSES_COINS, MAY_HARVEST, PROTECTED
from bohn.rules.ruleset import Rules
from bohn.rules.scoring import claimable
from bohn.rules.state import Copies, Copy, EndPhase, State, TradePhase
from bohn.rules.turns import TURNS

# cached, because there are few seats and fields
_harvest_of = cache(Harvest)
_buy_by = cache(BuyField)


def legal_commands(rules: Rules, state: State, player: int) -> tuple[Command, ...]:
    """Return a player's legal commands: all but offers, edits and talk, and one choice among equal cards.

    An acceptance, a claim and a discard of the bean duel name the front-most copies in the hand, the active
    player's acceptance face-up beans before hand cards; a gift is named without a copy. The same commands
    with other copies are legal too (OFFER-12, DUEL-7, DD-9).
    """
    phase = state.phase
    if not 0 <= player < len(state.players):
        return ()
    found = TURNS[rules.game][type(phase)].choices(rules, state, player)
    if not isinstance(phase, EndPhase):
        _any_time(rules, state, player, found)
    return tuple(found)


def _any_time(rules: Rules, state: State, player: int, found: list[Command]) -> None:
    """Add harvests, purchases and bonus claims (HARVEST-1, BUY-1, DD-14).

    The conditions of harvests and purchases are checked one by one, for speed: this runs for every list.
    """
    own = state.players[player]
    if MAY_HARVEST[rules.harvest](player, state.active_player):
        protected = PROTECTED[rules.singles]
        for field, beans in enumerate(own.fields):
            if beans and (len(beans) > 1 or not protected(own.fields, field)):
                found.append(_harvest_of(player, field))
    if (len(own.treasury) >= rules.field_price or own.tokens_left) and purchase_refusal(rules, own) is None:
        found += _purchases(rules, state, player)
    if own.bonus.hand:
        found += [ClaimBonus(player, card) for card in claimable(state, player)]


def _purchases(rules: Rules, state: State, player: int) -> list[Command]:
    """Return one purchase, or one for every choice of coins where the payer chooses (BUY-3, BUY-4)."""
    if not CHOOSES_COINS[rules.payment]:
        return [_buy_by(player)]
    own, price = state.players[player], rules.field_price
    treasury = sorted(own.treasury)
    fewest = max(price - own.tokens_left, min(1, len(treasury)))  # HOUSE-7; naming none means the topmost
    counts = range(fewest, min(price, len(treasury)) + 1)
    choices = {coins for count in counts for coins in combinations(treasury, count)}
    return [BuyField(player, coins) for coins in sorted(choices)]


# -- whom the game waits for ----------------------------------------------------------------------------


def waiting(rules: Rules, state: State) -> tuple[int, ...]:
    """Return the seats the game waits for, in the order of play; nobody after the end.

    While beans are traded: the active player, or everybody who has not passed where all must (TRADE-12).
    """
    return TURNS[rules.game][type(state.phase)].waiting(rules, state)


# -- who may act, and what may be offered ---------------------------------------------------------------


def may_act(rules: Rules, state: State) -> frozenset[int]:
    """Return the players who have any command but talk; anybody may harvest off-turn (HARVEST-1).

    Every player with bonus cards is among them: only he knows whether he may claim one (DD-15).
    """
    if isinstance(state.phase, TradePhase):
        return frozenset(range(len(state.players)))
    if isinstance(state.phase, EndPhase):
        return frozenset()
    return frozenset(
        seat
        for seat, player in enumerate(state.players)
        if player.bonus.hand or legal_commands(rules, state, seat)
    )


class OfferSpace(Struct, frozen=True, gc=False):
    """What a player's offers may be made of, from what he may see (OFFER-1, OFFER-2).

    Every combination of ``hand`` and ``face_up`` copies for any of the ``kinds``, to any of
    ``partners``; ``slots`` more offers may be open at once.
    """

    partners: tuple[int, ...]
    hand: Copies
    face_up: Copies
    kinds: tuple[Bean, ...]
    hand_revision: int
    slots: int
    may_be_open: bool


NO_OFFERS = OfferSpace((), (), (), (), 0, 0, may_be_open=False)


def offer_space(rules: Rules, state: State, player: int) -> OfferSpace:
    """Return what a player's offers may be made of; nothing outside the trading (OFFER-2)."""
    phase = state.phase
    if not isinstance(phase, TradePhase) or not 0 <= player < len(state.players):
        return NO_OFFERS
    own = state.players[player]
    active = player == state.active_player
    partners = (
        tuple(p for p in range(len(state.players)) if p != player) if active else (state.active_player,)
    )
    lying = phase.face_up if active else ()
    return OfferSpace(
        partners,
        tuple([Copy(place, bean) for place, bean in enumerate(own.hand)]),
        tuple([Copy(place, bean) for place, bean in enumerate(lying)]),
        rules.kinds,
        own.hand_revision,
        max(0, rules.offers_a_maker - sum(offer.maker == player for offer in phase.offers)),
        may_be_open=active,
    )
