"""States of the games for two."""

from __future__ import annotations

from collections.abc import Sequence

from bohn.rules.beans import Bean
from bohn.rules.state import GiftPhase
from tests.web.support.states import Still, fullest_of, stills

MORE_SEEDS = (2, 3, 5, 7)
"""Games of Das Duell in which a bonus card is complete when cards may be discarded."""


def duels(*, mine: bool = False) -> Sequence[Still]:
    """Return the states of the games for two, or those of Das Duell that wait for the viewer."""
    games = ("das-duell",) if mine else ("das-duell", "bean-duel")
    found = [still for still in stills() if still.name.startswith(games) and " end " not in f"{still.name} "]
    return [still for still in found if not mine or " waits" in still.name]


def many(name: str) -> Still:
    """Return a state of Das Duell that is met in more games only."""
    found = fullest_of("das-duell", 2, MORE_SEEDS)
    return next(one for one in found if one.name == f"das-duell {name}")


def named(name: str) -> Still:
    """Return a state of Das Duell that waits for the viewer."""
    return next(one for one in duels(mine=True) if one.name == f"das-duell {name}")


def pair(still: Still) -> Bean | None:
    """Return a kind that the viewer may name and has two cards of."""
    phase, hand = still.state.phase, still.state.players[0].hand
    if not isinstance(phase, GiftPhase) or "name-gift" not in still.name:
        return None
    free = set(hand) - {named.bean for named in phase.named}
    return next((bean for bean in sorted(free) if hand.count(bean) > 1), None)
