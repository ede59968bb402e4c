"""Twin states: two worlds that one viewer must not be able to tell apart."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from bohn.rules import commands as c
from bohn.rules import events as e
from bohn.rules.beans import Bean
from bohn.rules.decide import is_legal
from bohn.rules.legal import legal_commands, may_act, offer_space
from bohn.rules.ruleset import Rules
from bohn.rules.state import (
    BonusHand,
    BonusPiles,
    Copies,
    Copy,
    EndPhase,
    GiftPhase,
    Naming,
    Offer,
    Player,
    StandingClaim,
    State,
    TradePhase,
)
from bohn.rules.turns.bonus import newly_standing
from bohn.views import answer, consequences, discards, gift_ways, know, learn, visible
from bohn.views import view as views
from tests.properties.strategies import Step, broken, haggled, proposal, taken, talked

Places = dict[int, int]
"""Where the cards of a hand that something open names have moved."""


# -- making a twin -----------------------------------------------------------------------------


def named_places(state: State, player: int) -> set[int]:
    """Return the hand places that a player's open offers, claims and namings point at."""
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


def twin(
    rules: Rules, state: State, viewer: int | None, rng: Random, keep: int, also: c.Command | None = None
) -> tuple[State, c.Command | None]:
    """Return another state that the viewer must take for this one.

    Other hands, the draw pile below its top ``keep`` cards, face-down coins, bonus piles and bonus hands
    are dealt anew among one another; cards that are named to the table keep their kind but not their place;
    who declined whose offer and the seed change too. ``also`` is a command of another player; it comes back
    with its copies at the places where its cards are in the other world.
    """
    others = [player for player in range(len(state.players)) if player != viewer]
    fixed = {player: named_places(state, player) for player in others}
    if also is not None:
        fixed[also.player].update(copy.place for copy in hand_copies(also))
    planting = also.player if isinstance(also, c.Plant) else None
    if planting is not None:
        fixed[planting].add(0)
    top_cards = state.draw_pile[len(state.draw_pile) - keep :] if keep else ()
    pool = list(state.draw_pile[: len(state.draw_pile) - len(top_cards)])
    for owner in state.players:
        pool += owner.face_down
    for player in others:
        hand = state.players[player].hand
        pool += [bean for place, bean in enumerate(hand) if place not in fixed[player]]
    rng.shuffle(pool)
    moved: dict[int, Places] = {}
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
    return with_bonus(rules, new, others, rng), None if also is None else with_copies(
        also, moved[also.player]
    )


def new_hand(
    hand: tuple[Bean, ...], fixed: set[int], pool: list[Bean], rng: Random, *, front: bool
) -> tuple[tuple[Bean, ...], Places]:
    """Return a hand of the same size from the pool, with the fixed cards moved, save the front one."""
    moving = sorted(fixed - {0}) if front else sorted(fixed)
    moves = dict(zip(moving, rng.sample(range(int(front), len(hand)), len(moving)), strict=True))
    moves |= {0: 0} if front else {}
    back = {new: old for old, new in moves.items()}
    return tuple(hand[back[place]] if place in back else pool.pop() for place in range(len(hand))), moves


def re_aimed(copies: Copies, moves: Places) -> Copies:
    """Return copies at the places to which their cards have moved."""
    return tuple(Copy(moves[copy.place], copy.bean) for copy in copies)


def new_phase(rules: Rules, state: State, viewer: int | None, moved: dict[int, Places], rng: Random) -> Any:
    """Return the phase with the cards of others at their new places, and with other secret refusals."""
    phase = state.phase
    if isinstance(phase, TradePhase):
        # whose later offer was answered decides when the trading ends, so refusals stay once that counts
        secret = rules.closing == "active"
        offers = tuple(new_offer(offer, viewer, moved, rng, secret=secret) for offer in phase.offers)
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
    offer: Offer, viewer: int | None, moved: dict[int, Places], rng: Random, *, secret: bool
) -> Offer:
    """Return an offer as it would lie there in the other world."""
    claims = tuple(
        claim
        if claim.player == viewer
        else StandingClaim(claim.player, re_aimed(claim.hand, moved[claim.player]))
        for claim in offer.claims
    )
    if offer.maker == viewer:
        return replace(offer, claims=claims)
    declined = offer.declined
    if secret:
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


def with_copies(command: c.Command, moves: Places) -> c.Command:
    """Return a command that names the same cards at their new places."""
    if isinstance(command, c.DiscardFromHand):
        return replace(command, copy=re_aimed((command.copy,), moves)[0])
    if hand_copies(command):
        return replace(command, hand=re_aimed(hand_copies(command), moves))
    return command


# -- what one seat is told ------------------------------------------------------------------------------


def told(rules: Rules, state: State, viewer: int | None) -> dict[str, Any]:
    """Return everything that a seat is given about a position."""
    seen = views(rules, state, viewer)
    offers = getattr(seen.phase, "offers", ())
    facts: dict[str, Any] = {
        "view": seen,
        "knowledge": know(seen),
        "may act": may_act(rules, state),
        "previews": [consequences(rules, seen, offer) for offer in offers],
    }
    if viewer is not None:
        legal = facts["legal"] = legal_commands(rules, state, viewer)
        facts["answers"] = [answer(seen, offer) for offer in offers]
        facts["gifts"] = gift_ways(seen)
        facts["discards"] = discards(seen, legal)
        facts["offer space"] = offer_space(rules, state, viewer)
    return facts


def answered(step: Step) -> tuple[Any, ...] | None:
    """Return what the actor is told of a refusal."""
    refusal = step.refusal
    return None if refusal is None else (refusal.reason, refusal.clause, refusal.params, str(refusal))


def public_commands(rules: Rules, state: State, player: int, viewer: int | None) -> Iterator[c.Command]:
    """Yield the legal commands of another player that name nothing hidden and turn on nothing hidden."""
    taking = (
        isinstance(state.phase, GiftPhase) and state.phase.open and state.phase.named[-1].player == viewer
    )
    secret = (
        c.AcceptOffer,
        c.Claim,
        c.Plant,
        c.DiscardFromHand,
        c.ClaimBonus,
        c.DiscardBonus,
        c.DeclineOffer,
        c.Pick,
    )
    for command in legal_commands(rules, state, player):
        gift = isinstance(command, c.AcceptOffer) and not command.hand
        if (
            gift
            or (isinstance(command, c.TakeGift) and taking)
            or not isinstance(command, (*secret, c.TakeGift))
        ):
            yield command


def own_commands(
    rules: Rules, state: State, viewer: int, rng: Random, broken_ones: int
) -> Iterator[c.Command]:
    """Yield what the viewer might say: all listed commands, an offer, talk, and broken ones."""
    yield from legal_commands(rules, state, viewer)
    if isinstance(state.phase, TradePhase):
        yield proposal(rng, rules, state, viewer)
    yield replace(talked(rng, rules, state), player=viewer)
    for offer in getattr(state.phase, "offers", ()):
        yield from probes(rng, state, viewer, offer)
    for _ in range(broken_ones):
        yield replace(broken(rng, rules, state), player=viewer)


def probes(rng: Random, state: State, viewer: int, offer: Offer) -> Iterator[c.Command]:
    """Yield answers to an offer that might be refused, to compare what the refusals tell."""
    revision = state.players[viewer].hand_revision
    copies = tuple(Copy(place, bean) for place, bean in enumerate(state.players[viewer].hand))
    some = tuple(rng.sample(copies, min(len(copies), len(offer.want))))
    yield c.Pick(viewer, offer.id, offer.revision, rng.randrange(-1, len(state.players)))
    yield c.Pick(viewer, offer.id, offer.revision, viewer)
    yield c.AcceptOffer(viewer, offer.id, offer.revision, some, (), revision)
    yield c.Claim(viewer, offer.id, offer.revision, some, revision)
    yield c.Claim(viewer, offer.id, offer.revision - 1, some, revision)
    yield c.DeclineOffer(viewer, offer.id, offer.revision)


def deed(rng: Random, rules: Rules, state: State, player: int) -> c.Command | None:
    """Draw a legal command of a player that names hand cards of his, or plants one, if there is any."""
    found: list[c.Command] = [
        command for command in legal_commands(rules, state, player)
        if isinstance(command, c.DiscardFromHand | c.AcceptOffer | c.Claim | c.Plant)
    ]  # fmt: skip
    own = state.players[player]
    if isinstance(state.phase, TradePhase):
        found += [proposal(rng, rules, state, player), haggled(rng, rules, state)]
    if isinstance(state.phase, GiftPhase):
        copies = [Copy(place, bean) for place, bean in enumerate(own.hand)]
        found += [c.NameGift(player, copy.bean, (copy,), own.hand_revision) for copy in copies]
    found = [one for one in found if one.player == player and not isinstance(one, c.DeclineOffer)]
    found = [one for one in found if is_legal(rules, state, one) is None]
    return rng.choice(found) if found else None


# -- comparing -----------------------------------------------------------------------------------------


def differences(
    rules: Rules, left: State, right: State, viewer: int | None, rng: Random, *, whole: bool
) -> list[Any]:
    """Return everything by which the viewer could tell two worlds apart; empty if nothing.

    ``whole`` says that even the next cards of the draw pile are the same, so that commands which turn
    cards over can be compared as well.
    """
    found: list[Any] = []
    one, two = told(rules, left, viewer), told(rules, right, viewer)
    found += [(name, one[name], two[name]) for name in one if one[name] != two[name]]
    if isinstance(left.phase, EndPhase):
        return found
    commands: list[c.Command] = []
    for player in range(len(left.players)):
        if player == viewer:
            commands += own_commands(rules, left, player, rng, 6)
        else:
            commands += public_commands(rules, left, player, viewer)
    for command in commands:
        found += told_differently(
            rules, taken(rules, left, command), taken(rules, right, command), viewer, whole=whole
        )
    return found


def deeds_told_differently(rules: Rules, state: State, viewer: int | None, rng: Random) -> list[Any]:
    """Return by what a viewer could tell from another's deed which of his cards of a kind it was."""
    found: list[Any] = []
    for player in range(len(state.players)):
        command = None if player == viewer else deed(rng, rules, state, player)
        if command is not None:
            other, same = twin(rules, state, viewer, rng, len(state.draw_pile), command)
            assert same is not None
            steps = taken(rules, state, command), taken(rules, other, same)
            assert steps[1].refusal is None
            found += told_differently(rules, *steps, viewer, whole=True)
    return found


def told_differently(rules: Rules, one: Step, two: Step, viewer: int | None, *, whole: bool) -> list[Any]:
    """Return by what the viewer could tell two worlds apart after the same command in both."""
    command = one.command
    if isinstance(command, c.TakeGift) and reveals(one, two):
        return []
    if answered(one) != answered(two):
        secret = isinstance(command, c.DeclineOffer) and command.player != viewer
        return [] if secret else [(command, answered(one), answered(two))]
    news = shows_news(one, viewer, whole=whole) or shows_news(two, viewer, whole=whole)
    shown = [shown_to(step, viewer) for step in (one, two)]
    if news:
        shown = [[outline(event) for event in events if not depends_on_news(event)] for events in shown]
    if shown[0] != shown[1]:
        return [(command, *shown)]
    if news:
        return []
    memories = [know(views(rules, step.before, viewer)) for step in (one, two)]
    for i, events in enumerate(shown):
        for event in events:
            memories[i] = learn(memories[i], event)
    after = [
        (told(rules, step.after, viewer), memory) for step, memory in zip((one, two), memories, strict=True)
    ]
    return [(command, *after)] if after[0] != after[1] else []


def shown_to(step: Step, viewer: int | None) -> list[Any]:
    """Return the events of a step as the viewer sees them; what he does not see has no place."""
    return [shown for event in step.events if (shown := visible(event, viewer)) is not None]


def shows_news(step: Step, viewer: int | None, *, whole: bool) -> bool:
    """Tell whether a batch rightly shows the viewer cards that differ between the worlds."""
    for event in step.events:
        match event:
            case e.Reshuffled() | e.GameEnded():
                return True
            case e.BonusRefilled(player=player) if player == viewer:
                return True
            case e.TurnedOver() if not whole:
                return True
            case e.Drew(player=player) if player == viewer and not whole:
                return True
            case _:
                pass
    return False


def outline(event: Any) -> Any:
    """Return an event without the cards that it brings to light: how many they are stays."""
    match event:
        case e.TurnedOver(player=player, beans=cards) | e.Drew(player=player, beans=cards):
            return type(event), player, len(cards)
        case e.BonusRefilled(player=player, cards=cards):
            return type(event), player, len(cards)
        case e.GameEnded(result=result):
            return type(event), result.hand_cards
        case _:
            return event


def depends_on_news(event: Any) -> bool:
    """Tell whether an event follows from cards that came to light in its batch."""
    return isinstance(event, e.Swept | e.BonusStood | e.BonusClaimed)


def reveals(one: Step, two: Step) -> bool:
    """Tell whether taking a gift rightly shows a difference: held or not held, or the card a bluff costs."""
    kinds = [[type(event) for event in step.events] for step in (one, two)]
    caught = [any(kind is e.BluffCaught for kind in found) for found in kinds]
    paid = any(
        isinstance(event, e.BluffPaid) and event.from_hand for step in (one, two) for event in step.events
    )
    return caught[0] != caught[1] or paid
