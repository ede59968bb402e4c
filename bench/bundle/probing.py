"""Commands to try in a position: a fixed row of them, most of which must be refused, and others by chance."""

from __future__ import annotations

import random
from collections.abc import Iterator

# the bundle
from bench.bundle.writing import plain

# the rules
from bohn.rules import BEANS, Rules, State, offer_space
from bohn.rules import commands as c
from bohn.rules.decide import decide
from bohn.rules.errors import IllegalCommand
from bohn.rules.state import Copy, GiftPhase, Offer, TradePhase


def refusal_of(rules: Rules, state: State, command: c.Command) -> str:
    """Return why a command is refused, with clause and parameters, or ``legal``."""
    try:
        decide(rules, state, command)
    except IllegalCommand as refused:
        return f"{refused.reason.value} {refused.clause} {plain(refused.params)}"
    return "legal"


def probes(rules: Rules, state: State) -> Iterator[c.Command]:
    """Yield the same row of commands in every position, for the active player and for another."""
    other = (state.active_player + 1) % rules.players
    for player in (state.active_player, other):
        yield from _plain(rules, state, player)
        yield from _terms(rules, state, player)
        yield from _bluffs(rules, state, player)
    for player in (-1, rules.players):
        yield c.Reveal(player)


def _plain(rules: Rules, state: State, player: int) -> Iterator[c.Command]:
    fields = rules.fields + 2
    hand = state.players[player].hand
    front = hand[0] if hand else BEANS[0]
    yield from (c.Harvest(player, field) for field in range(-1, fields))
    yield from (c.Plant(player, field) for field in range(-1, fields))
    yield from (c.PlantGift(player, field) for field in range(fields))
    for kind in (c.PlantSetAside, c.PlantLeftover, c.PlantFaceUp):
        yield from (kind(player, place, field) for place in (0, 9) for field in (0, 1, 9))
    yield c.BuyField(player)
    yield c.BuyField(player, (BEANS[0],) * 3)
    yield from (
        c.Reveal(player),
        c.EndTrading(player),
        c.Pass(player),
        c.KeepHand(player),
        c.LeaveRest(player),
    )
    yield from (c.DiscardLeftover(player, place) for place in (0, 9))
    yield c.DiscardFromHand(player, Copy(0, front), state.players[player].hand_revision)
    yield c.DiscardFromHand(player, Copy(99, front), state.players[player].hand_revision)
    yield from (c.TakeGift(player), c.RefillBonus(player))
    yield from (kind(player, bonus) for kind in (c.ClaimBonus, c.DiscardBonus) for bonus in (0, 99))
    yield from (c.NameGift(player, bean) for bean in BEANS[:4])
    yield c.NameGift(player, front, (Copy(0, front),), state.players[player].hand_revision + 1)
    yield c.SetWish(player, BEANS[0], "none")
    yield c.SetWish(player, BEANS[-1], "want")
    yield c.MakePromise(player, player, (front,))
    yield c.MakePromise(player, (player + 1) % rules.players)
    yield c.WithdrawPromise(player, 99)


def _terms(rules: Rules, state: State, player: int) -> Iterator[c.Command]:
    """Yield offers, most of which cannot be made."""
    own = state.players[player]
    kinds, revision = rules.kinds, own.hand_revision
    copies = tuple(Copy(place, bean) for place, bean in enumerate(own.hand))
    phase = state.phase
    face_up = tuple(Copy(place, bean) for place, bean in enumerate(getattr(phase, "face_up", ()) or ()))
    to = (state.active_player if player != state.active_player else (player + 1) % rules.players,)
    yield c.MakeOffer(player, to, want=kinds[:1], hand_revision=revision)
    yield c.MakeOffer(player, (), want=kinds[:1], hand_revision=revision)
    yield c.MakeOffer(player, (player,), want=kinds[:1], hand_revision=revision)
    yield c.MakeOffer(player, (99,), want=kinds[:1], hand_revision=revision)
    yield c.MakeOffer(player, tuple(range(rules.players)), want=kinds[:1], hand_revision=revision)
    yield c.MakeOffer(player, to, hand_revision=revision)
    yield c.MakeOffer(player, to, copies[:1], face_up[:1], kinds[:2], True, revision)
    yield c.MakeOffer(player, to, copies[:2], (), (), False, revision + 1)
    yield c.MakeOffer(player, to, copies[:1] * 2, (), (), False, revision)
    yield c.MakeOffer(player, to, (Copy(99, kinds[0]),), (), (), False, revision)
    yield c.MakeOffer(player, to, (), (Copy(0, kinds[-1]),), (), False, revision)
    yield c.MakeOffer(player, to, (), (), kinds[:1] * 25, False, revision)


def _bluffs(rules: Rules, state: State, player: int) -> Iterator[c.Command]:
    """Yield answers to every offer, and to one that is not there."""
    own = state.players[player]
    copies = tuple(Copy(place, bean) for place, bean in enumerate(own.hand))
    standing = [(offer.id, offer.revision, offer.want) for offer in _offers(state)[:3]]
    for number, revision, want in [*standing, (99, 0, ())]:
        named = copies[: len(want)]
        yield c.AcceptOffer(player, number, revision, named, (), own.hand_revision)
        yield c.AcceptOffer(player, number, revision + 1, named, (), own.hand_revision)
        yield c.Claim(player, number, revision, named, own.hand_revision)
        yield from (c.Pick(player, number, revision, seat) for seat in range(rules.players))
        yield c.DeclineOffer(player, number, revision)
        yield c.WithdrawOffer(player, number)
        yield c.EditOffer(player, number, revision, (0, 1), (), (), rules.kinds[:1], False, own.hand_revision)


def _offers(state: State) -> tuple[Offer, ...]:
    return state.phase.offers if isinstance(state.phase, TradePhase) else ()


def drawn(chance: random.Random, rules: Rules, state: State) -> list[c.Command]:
    """Draw offers, edits, talk, passes and bluffs, some of which are refused."""
    found: list[c.Command] = []
    for seat in range(rules.players):
        space = offer_space(rules, state, seat)
        if not space.partners or chance.random() < 0.6:
            continue
        to = tuple(sorted(chance.sample(space.partners, chance.randint(1, len(space.partners)))))
        hand = tuple(copy for copy in space.hand if chance.random() < 0.3)
        face_up = tuple(copy for copy in space.face_up if chance.random() < 0.4)
        want = tuple(chance.choice(space.kinds) for _ in range(chance.randint(0, 2)))
        terms = (to, hand, face_up, want, space.may_be_open and chance.random() < 0.6, space.hand_revision)
        found.append(c.MakeOffer(seat, *terms))
        found += [
            c.EditOffer(seat, offer.id, offer.revision, *terms)
            for offer in _offers(state)
            if offer.maker == seat
        ]
    if chance.random() < 0.2:
        seat, bean = chance.randrange(rules.players), chance.choice(BEANS)
        to_seat = chance.randrange(rules.players)
        found.append(c.SetWish(seat, bean, chance.choice(("want", "spare", "none"))))
        found.append(c.MakePromise(seat, to_seat, (bean,) * chance.randint(0, 2), (bean,), "next-turn"))
        found.append(c.Pass(seat))
        found += [c.WithdrawPromise(promise.player, promise.id) for promise in state.talk.promises[:1]]
    phase = state.phase
    if isinstance(phase, GiftPhase) and state.players[phase.word].hand:
        own = state.players[phase.word]
        place = chance.randrange(len(own.hand))
        named = Copy(place, own.hand[place])
        found.append(c.NameGift(phase.word, named.bean, (named,), own.hand_revision))
    return found
