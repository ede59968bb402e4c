"""Makes look-alikes: states that one viewer must not be able to tell from a given one."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from bohn.rules import commands as c
from bohn.rules.beans import Bean
from bohn.rules.ruleset import Rules
from bohn.rules.state import (
    BonusHand,
    BonusPiles,
    Copies,
    Copy,
    GiftPhase,
    Naming,
    Offer,
    Phase,
    Player,
    StandingClaim,
    State,
    TradePhase,
)
from bohn.rules.turns.bonus import newly_standing

Moves = dict[int, int]
"""From the old hand place of a named card to its place in the look-alike."""


def named_places(state: State, player: int) -> set[int]:
    """Return the hand places that a player's offers, claims and namings point at."""
    phase = state.phase
    places: set[int] = set()
    if isinstance(phase, TradePhase):
        for offer in phase.offers:
            if offer.maker == player:
                places.update(copy.place for copy in offer.hand)
            places.update(
                copy.place for claim in offer.claims if claim.player == player for copy in claim.hand
            )
    if isinstance(phase, GiftPhase):
        places.update(copy.place for naming in phase.named if naming.player == player for copy in naming.hand)
    return places


def lookalike(
    rules: Rules,
    state: State,
    viewer: int | None,
    rng: Random,
    same_top_cards: int,
    deed_by_other: c.Command | None = None,
) -> tuple[State, c.Command | None]:
    """Return another state that the viewer cannot tell from this one.

    Other hands, the draw pile below its top ``same_top_cards``, face-down coins, bonus piles and bonus hands
    are dealt anew among one another; cards that are named to the table keep their kind but not their place;
    the seed changes too and, where it decides nothing, who declined whose offer. ``deed_by_other`` is another
    player's command; it comes back with its copies at the places where its cards are in the look-alike.
    """
    others = [player for player in range(len(state.players)) if player != viewer]
    fixed = {player: named_places(state, player) for player in others}
    if deed_by_other is not None:
        fixed[deed_by_other.player].update(copy.place for copy in hand_copies(deed_by_other))
    planting = deed_by_other.player if isinstance(deed_by_other, c.Plant) else None
    if planting is not None:
        fixed[planting].add(0)
    top_cards = state.draw_pile[len(state.draw_pile) - same_top_cards :] if same_top_cards else ()
    pool = list(state.draw_pile[: len(state.draw_pile) - len(top_cards)])
    for owner in state.players:
        pool += owner.face_down
    for player in others:
        hand = state.players[player].hand
        pool += [bean for place, bean in enumerate(hand) if place not in fixed[player]]
    rng.shuffle(pool)
    moved: dict[int, Moves] = {}
    players = list(state.players)
    for index, owner in enumerate(players):
        hand = owner.hand
        if index in others:
            hand, moved[index] = new_hand(owner.hand, fixed[index], pool, rng, front=index == planting)
        face_down = tuple(pool.pop() for _ in owner.face_down)
        players[index] = replace(owner, hand=hand, face_down=face_down)
    seed = rng.randbytes(32)
    draw = tuple(pool) + top_cards
    new = replace(
        state,
        players=tuple(players),
        draw_pile=draw,
        seed=seed,
        phase=new_phase(rules, state, viewer, moved, rng),
    )
    new = with_bonus(rules, new, others, rng)
    if deed_by_other is None:
        return new, None
    return new, with_copies(deed_by_other, moved[deed_by_other.player])


def new_hand(
    hand: tuple[Bean, ...], fixed: set[int], pool: list[Bean], rng: Random, *, front: bool
) -> tuple[tuple[Bean, ...], Moves]:
    """Return a hand of the same size from the pool, with the fixed cards moved, save the front one."""
    moving = sorted(fixed - {0}) if front else sorted(fixed)
    moves = dict(zip(moving, rng.sample(range(int(front), len(hand)), len(moving)), strict=True))
    moves |= {0: 0} if front else {}
    back = {new: old for old, new in moves.items()}
    return tuple(hand[back[place]] if place in back else pool.pop() for place in range(len(hand))), moves


def re_aimed(copies: Copies, moves: Moves) -> Copies:
    """Return copies at the places to which their cards have moved."""
    return tuple(Copy(moves[copy.place], copy.bean) for copy in copies)


def new_phase(rules: Rules, state: State, viewer: int | None, moved: dict[int, Moves], rng: Random) -> Phase:
    """Return the phase with others' cards at their new places, and other decliners where they are secret."""
    phase = state.phase
    if isinstance(phase, TradePhase):
        # with closing=unanimous, declining can end the trading, so it is not secret
        declining_is_secret = rules.closing == "active"
        offers = tuple(
            new_offer(offer, viewer, moved, rng, declining_is_secret=declining_is_secret)
            for offer in phase.offers
        )
        return replace(phase, offers=offers)
    if isinstance(phase, GiftPhase):
        named = tuple(
            naming if naming.player == viewer else
            Naming(naming.player, naming.bean, re_aimed(naming.hand, moved[naming.player]))
            for naming in phase.named
        )  # fmt: skip
        return replace(phase, named=named)
    return phase


def new_offer(
    offer: Offer, viewer: int | None, moved: dict[int, Moves], rng: Random, *, declining_is_secret: bool
) -> Offer:
    """Return an offer as it stands in the look-alike."""
    claims = tuple(
        claim
        if claim.player == viewer
        else StandingClaim(claim.player, re_aimed(claim.hand, moved[claim.player]))
        for claim in offer.claims
    )
    if offer.maker == viewer:
        return replace(offer, claims=claims)
    declined = offer.declined
    if declining_is_secret:
        hidden = [player for player in offer.to if player != viewer and rng.random() < 0.5]
        declined = tuple(player for player in declined if player == viewer) + tuple(hidden)
    hand = re_aimed(offer.hand, moved[offer.maker])
    return replace(offer, hand=tuple(rng.sample(hand, len(hand))), claims=claims, declined=declined)


def with_bonus(rules: Rules, state: State, others: list[int], rng: Random) -> State:
    """Deal the bonus cards anew that the viewer does not hold; what stands now is noted as it must be."""
    piles = state.bonus
    pool = [*piles.draw, *piles.discard]
    for player in others:
        pool += state.players[player].bonus.hand
    if not pool:
        return state
    rng.shuffle(pool)
    players: list[Player] = list(state.players)
    for player in others:
        bonus = players[player].bonus
        hand = tuple(pool.pop() for _ in bonus.hand)
        stood = tuple(rng.choice((-1, state.turn - 1, state.turn)) for _ in hand)
        players[player] = replace(players[player], bonus=BonusHand(hand, stood, bonus.claimed))
    split = len(piles.draw)
    new = replace(state, players=tuple(players), bonus=BonusPiles(tuple(pool[:split]), tuple(pool[split:])))
    for player in others:
        bonus = new.players[player].bonus
        now = newly_standing(rules, new, player)
        stood = tuple(
            state.turn if card in now else turn for card, turn in zip(bonus.hand, bonus.stood, strict=True)
        )
        players[player] = replace(players[player], bonus=BonusHand(bonus.hand, stood, bonus.claimed))
    return replace(new, players=tuple(players))


def hand_copies(command: c.Command) -> Copies:
    """Return the hand cards that a command names."""
    copies: Copies = getattr(command, "hand", ())
    return (command.copy,) if isinstance(command, c.DiscardFromHand) else copies


def with_copies(command: c.Command, moves: Moves) -> c.Command:
    """Return a command that names the same cards at their new places."""
    if isinstance(command, c.DiscardFromHand):
        return replace(command, copy=re_aimed((command.copy,), moves)[0])
    if hand_copies(command):
        return replace(command, hand=re_aimed(hand_copies(command), moves))
    return command
