"""How often each bonus card of Das Duell is claimed: ``python -m bench.bonus_cards --games 10000``.

Two ``pk`` players; a card counts once for each time it comes into a hand. The prices of the
reconstructed cards in ``bohn.rules.editions.duel`` rise with the rarity measured here.
"""

from __future__ import annotations

import argparse
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from bohn.bots import PLAYERS
from bohn.play.floor import play_game
from bohn.rules import resolve
from bohn.rules.events import BonusClaimed, BonusRefilled, Dealt

CHUNK = 250


def tally(first: int) -> tuple[Counter[int], Counter[int]]:
    """Return for one chunk of games how often each card was held, and how often claimed."""
    rules = resolve("das-duell", 2)
    held: Counter[int] = Counter()
    claimed: Counter[int] = Counter()
    for seed in range(first, first + CHUNK):
        game = play_game(rules, seed, [PLAYERS["pk"](2 * seed + seat) for seat in range(2)], with_moves=True)
        batches = [game.opening, *(move.events for move in game.moves)]
        for event in (event for batch in batches for event in batch):
            if isinstance(event, Dealt):
                held.update(card for hand in event.bonus_hands for card in hand)
            elif isinstance(event, BonusRefilled):
                held.update(event.cards)
            elif isinstance(event, BonusClaimed):
                claimed[event.bonus] += 1
    return held, claimed


def main() -> None:
    """Print the claim rate of every pattern, most claimed first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    games = parser.parse_args().games
    held: Counter[int] = Counter()
    claimed: Counter[int] = Counter()
    with ProcessPoolExecutor() as pool:
        for some_held, some_claimed in pool.map(tally, range(0, games, CHUNK)):
            held += some_held
            claimed += some_claimed
    cards = resolve("das-duell", 2).bonus_cards
    by_pattern: dict[tuple[int, ...], list[int]] = {}
    for number, card in enumerate(cards):
        row = by_pattern.setdefault(card.runs, [0, 0, 0, card.pennies])
        row[0] += 1
        row[1] += held[number]
        row[2] += claimed[number]
    print("| pattern | cards | pennies | in a hand | claimed | rate |\n|---|--:|--:|--:|--:|--:|")
    rows = sorted(by_pattern.items(), key=lambda item: -item[1][2] / item[1][1])
    for runs, (copies, hands, claims, pennies) in rows:
        pattern = "+".join(map(str, runs))
        print(f"| {pattern} | {copies} | {pennies} | {hands:,} | {claims:,} | {claims / hands:.1%} |")


if __name__ == "__main__":
    main()
