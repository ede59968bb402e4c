"""Decisions a second of the core: ``full``, four players, random play on the floor with offers.

Every decision counts the legal list of the deciding player, the decision and the fold of its
events; once more with a view per decision. The mix is printed: at least 20 % of decisions are offers
or answers, at least 30 % of offers name two or more cards.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

from bohn.rules import Rules, State, decide, evolve, fold, legal_commands, opening, resolve, seed_from
from bohn.rules.commands import AcceptOffer, Command, DeclineOffer, MakeOffer
from bohn.rules.state import Copy, EndPhase, PlantTradedPhase, TradePhase
from bohn.views import view

PROPOSES = 0.6
ACCEPTS = 0.3
TWO_CARDS = 0.4
RARELY = 0.1
ANSWERS = (AcceptOffer, DeclineOffer)


@dataclass
class Mix:
    """What was decided."""

    decisions: int = 0
    offers: int = 0
    large_offers: int = 0
    answers: int = 0
    trades: int = 0
    games: int = 0


def random_offer(state: State, player: int, chance: Callable[[], float]) -> MakeOffer | None:
    """Return a direct offer of one or two hand cards for none or one kind that the partner grows."""
    own = state.players[player]
    cards = len(own.hand)
    if not cards:
        return None
    first = int(chance() * cards)
    copies: tuple[Copy, ...] = (Copy(first, own.hand[first]),)
    if cards > 1 and chance() < TWO_CARDS:
        second = (first + 1) % cards
        copies += (Copy(second, own.hand[second]),)
    seats = len(state.players)
    active = state.active_player
    to = active if player != active else (player + 1 + int(chance() * (seats - 1))) % seats
    return MakeOffer(player, (to,), copies, (), state.players[to].fields[0][:1], False, own.hand_revision)


def step(rules: Rules, state: State, command: Command) -> State:
    """Return the state after a legal command."""
    for event in decide(rules, state, command):
        state = evolve(state, event)
    return state


def play(rules: Rules, seed: int, chance: Callable[[], float], mix: Mix, *, with_view: bool) -> None:
    """Play one whole game, one decision after another, in the order of the floor."""
    state = fold(opening(rules, seed_from(seed)))
    while not isinstance(state.phase, EndPhase):
        phase = type(state.phase)
        player = state.active_player
        if phase is TradePhase:
            player = (player + int(chance() * rules.players)) % rules.players
        elif phase is PlantTradedPhase:
            while not state.players[player].set_aside:
                player = (player + 1) % rules.players
        legal = legal_commands(rules, state, player)
        if with_view:
            view(rules, state, player)
        mix.decisions += 1
        if phase is TradePhase:
            state = trade(rules, state, player, legal, chance, mix, with_view=with_view)
        else:  # a harvest only where nothing else is legal, or rarely: they come last in the list
            usable = len(legal) if chance() < RARELY else max(1, len(legal) - len(legal) // 2)
            state = step(rules, state, legal[int(chance() * usable)])


def trade(
    rules: Rules, state: State, player: int, legal: tuple[Command, ...], chance: Callable[[], float],
    mix: Mix, *, with_view: bool,
) -> State:  # fmt: skip
    """Make an offer and have it answered, or do something else."""
    offer = random_offer(state, player, chance) if chance() < PROPOSES else None
    if offer is None:
        return step(rules, state, legal[int(chance() * len(legal))]) if legal else state
    state = step(rules, state, offer)
    mix.offers += 1
    mix.large_offers += len(offer.hand) > 1
    answerer = offer.to[0]
    answers = [c for c in legal_commands(rules, state, answerer) if type(c) in ANSWERS]
    if with_view:
        view(rules, state, answerer)
    answer = answers[0] if chance() < ACCEPTS else answers[-1]
    mix.answers += 1
    mix.decisions += 1
    state = step(rules, state, answer)
    if type(answer) is AcceptOffer:
        mix.trades += 1
        return state
    withdraw = legal_commands(rules, state, player)[0]
    if with_view:
        view(rules, state, player)
    mix.decisions += 1
    return step(rules, state, withdraw)


def measure(seconds: float, *, with_view: bool) -> tuple[float, Mix]:
    """Return decisions a second over whole games for about ``seconds``, and the mix."""
    rules = resolve("full", 4)
    rng = random.Random(1)
    mix = Mix()
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        play(rules, mix.games, rng.random, mix, with_view=with_view)
        mix.games += 1
    return mix.decisions / (time.perf_counter() - begin), mix


def main() -> None:
    """Print medians of seven runs."""
    for with_view, goal in ((False, 150_000), (True, 100_000)):
        runs = [measure(2.0, with_view=with_view) for _ in range(7)]
        speed = statistics.median(rate for rate, _ in runs)
        mix = runs[0][1]
        share = (mix.offers + mix.answers) / mix.decisions
        what = "core with a view per decision" if with_view else "core"
        print(f"{what}: {speed:,.0f} decisions/s (goal {goal:,})")
        print(
            f"  {mix.decisions / mix.games:.0f} decisions, {mix.trades / mix.games:.1f} trades a game; "
            f"offers and answers {share:.0%}; offers of two or more {mix.large_offers / mix.offers:.0%}"
        )


if __name__ == "__main__":
    main()
