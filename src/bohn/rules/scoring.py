"""The end of the game: final harvest, bonus cards, winners (END, SCORE, TIE)."""

from __future__ import annotations

from bohn.rules.batch import Batch
from bohn.rules.beans import Field, Pile, coins_for
from bohn.rules.events import BonusClaimed, GameEnded, Harvested
from bohn.rules.policies import WINNERS
from bohn.rules.ruleset import Rules
from bohn.rules.state import Player, Result, State, clockwise

PENNIES_A_COIN = 100  # JP "ボーナスカード使用方法" §3
"""Pennies that a coin is worth where bonus cards are counted."""


def coins_and_discards(rules: Rules, field: Field) -> tuple[Pile, Pile]:
    """Return which beans of a field become coins and which are discarded (HARVEST-3, DD-4).

    The newest bean prices the field; the oldest beans become the coins.
    """
    coins = coins_for(rules.beanometers[field[-1]], len(field))
    return field[:coins], field[coins:]


def harvested(rules: Rules, state: State, player: int, field: int) -> Harvested:
    """Return the event of selling one field (HARVEST-2, HARVEST-3)."""
    coins, discards = coins_and_discards(rules, state.players[player].fields[field])
    return Harvested(player, field, coins, discards)


def pennies(rules: Rules, player: Player) -> int:
    """Return the worth of a player's coins and claimed bonus cards in pennies (DD-16)."""
    cards = sum(PENNIES_A_COIN + rules.bonus_cards[card].pennies for card in player.bonus.claimed)
    return PENNIES_A_COIN * player.coins + cards


def claimable(state: State, player: int) -> tuple[int, ...]:
    """Return the bonus cards a player may claim now: their pattern stood this turn or the last (DD-15)."""
    bonus = state.players[player].bonus
    return tuple(
        card
        for card, turn in zip(bonus.hand, bonus.stood, strict=True)
        if turn >= 0 and state.turn - turn <= 1
    )


def result(rules: Rules, state: State) -> Result:
    """Return coins, pennies, hand cards and winners of a position after the final harvest (GOAL-1, TIE-1)."""
    worth = tuple(pennies(rules, player) for player in state.players)
    hand_cards = tuple(len(player.hand) for player in state.players)
    return Result(
        coins=tuple(value // PENNIES_A_COIN for value in worth),
        pennies=tuple(value % PENNIES_A_COIN for value in worth),
        hand_cards=hand_cards,
        winners=WINNERS[rules.tie](worth, hand_cards),
    )


def end_game(rules: Rules, batch: Batch) -> None:
    """Sell every field, claim what may still be claimed, and end the game (SCORE-2, DD-20)."""
    for player in clockwise(batch.state.active_player, len(batch.state.players)):
        for card in claimable(batch.state, player):
            batch.add(BonusClaimed(player, card))
        for field, beans in enumerate(batch.state.players[player].fields):
            if beans:
                batch.add(harvested(rules, batch.state, player, field))
    batch.add(GameEnded(result(rules, batch.state)))
