"""Random games with offers, bluffs and talk, for the tests of the text forms."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

from bohn.rules import (
    BEANS,
    IllegalCommand,
    Rules,
    State,
    decide,
    fold,
    legal_commands,
    offer_space,
    opening,
    resolve,
    seed_from,
)
from bohn.rules.commands import Command, EditOffer, MakeOffer, MakePromise, NameGift, Pass, SetWish
from bohn.rules.editions import EDITIONS
from bohn.rules.events import Event
from bohn.rules.state import Copy, GiftPhase, TradePhase

GAMES = [(edition, players, ()) for edition in EDITIONS for players in EDITIONS[edition]] + [
    ("das-duell", 2, ("trading=also", "rest=may_discard", "bluff=continues")),
    ("classic", 5, ("payment=chosen", "closing=unanimous", "end=plant_first")),
]
"""Every edition with every number of players, and some house rules."""

Played = tuple[Command | None, tuple[Event, ...], State]


def _offers(chance: random.Random, rules: Rules, state: State) -> Iterator[Command]:
    for seat in range(rules.players):
        space = offer_space(rules, state, seat)
        if not space.partners or chance.random() < 0.6:
            continue
        to = tuple(sorted(chance.sample(space.partners, chance.randint(1, len(space.partners)))))
        hand = tuple(copy for copy in space.hand if chance.random() < 0.3)
        face_up = tuple(copy for copy in space.face_up if chance.random() < 0.4)
        want = tuple(chance.choice(space.kinds) for _ in range(chance.randint(0, 2)))
        terms = (to, hand, face_up, want, space.may_be_open and chance.random() < 0.6, space.hand_revision)
        yield MakeOffer(seat, *terms)
        phase = state.phase
        for offer in phase.offers if isinstance(phase, TradePhase) else ():
            if offer.maker == seat:
                yield EditOffer(seat, offer.id, offer.revision, *terms)


def _others(chance: random.Random, rules: Rules, state: State) -> Iterator[Command]:
    if chance.random() < 0.2:
        seat, bean = chance.randrange(rules.players), chance.choice(BEANS)
        yield SetWish(seat, bean, chance.choice(("want", "spare", "none")))
        yield MakePromise(
            seat, chance.randrange(rules.players), (bean,) * chance.randint(0, 2), (bean,), "next-turn"
        )
        yield Pass(seat)
    if isinstance(state.phase, GiftPhase) and state.players[state.phase.word].hand:
        own = state.players[state.phase.word]
        place = chance.randrange(len(own.hand))
        bean = own.hand[place]
        yield NameGift(state.phase.word, bean, (Copy(place, bean),), own.hand_revision)


@cache
def game(
    edition: str, players: int, house_rules: tuple[str, ...] = (), steps: int = 250
) -> tuple[Rules, list[Played]]:
    """Return the rules and the accepted batches of a random game with the states after them."""
    chance = random.Random(f"{edition} {players} {house_rules}")
    rules = resolve(edition, players, *house_rules)
    events = opening(rules, seed_from(f"{edition} {players}"))
    state = fold(events)
    played: list[Played] = [(None, events, state)]
    while len(played) <= steps:
        commands = [command for seat in range(players) for command in legal_commands(rules, state, seat)]
        if not commands:
            break
        commands += [*_offers(chance, rules, state), *_others(chance, rules, state)]
        command = chance.choice(commands)
        try:
            events = decide(rules, state, command)
        except IllegalCommand:
            continue
        state = fold(events, state)
        played.append((command, events, state))
    return rules, played


@cache
def finished(edition: str, players: int, house_rules: tuple[str, ...] = ()) -> tuple[Rules, list[Played]]:
    """Return the rules and the batches of a whole random game without offers."""
    chance = random.Random(f"{edition} {players} {house_rules}")
    rules = resolve(edition, players, *house_rules)
    events = opening(rules, seed_from(f"{edition} {players}"))
    state = fold(events)
    played: list[Played] = [(None, events, state)]
    while commands := [one for seat in range(players) for one in legal_commands(rules, state, seat)]:
        command = chance.choice(commands)
        events = decide(rules, state, command)
        state = fold(events, state)
        played.append((command, events, state))
    return rules, played
