"""What each player did in a game, counted from its events, and how the players ranked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from bohn.rules import events as e
from bohn.rules.beans import BEANS, Bean
from bohn.rules.state import Result


class BestHarvest(Struct, frozen=True):
    """A player's best harvest: its batch, the bean that priced the field, its numbers of beans and coins."""

    batch: int
    bean: Bean
    beans: int
    coins: int


class PlayerTally:
    """Counts of what one player did.

    ``trades`` are exchanges in which both sides gave something, gifts those in which one did. ``taken``
    counts his own offers that were carried out, ``accepted`` those of others that he accepted. ``best`` is
    his best harvest, the first of equals; ``coins`` are those of all his harvests, by bean.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.trades = self.gifts_given = self.gifts_received = 0
        self.beans_given = self.beans_received = 0
        self.offers = self.taken = self.accepted = self.declined = 0
        self.planted = self.harvests = self.bought = 0
        self.best: BestHarvest | None = None
        self.coins = [0] * len(BEANS)


class Tally:
    """Counts by seat what happens in the batches of a game."""

    def __init__(self, seats: int) -> None:
        """Begin before the game."""
        self.players = tuple(PlayerTally() for _ in range(seats))
        self.turns = 0

    def count(self, events: Iterable[e.Event], batch: int = 0) -> None:
        """Count the events of a batch; ``batch`` is its number, for the best harvest."""
        for event in events:
            if isinstance(event, e.TurnBegan):
                self.turns += 1
            elif isinstance(event, e.Harvested):
                _harvested(self.players[event.player], event, batch)
            elif type(event) in _COUNTS:
                _COUNTS[type(event)](self.players, event)


Players = tuple[PlayerTally, ...]


def _harvested(player: PlayerTally, event: e.Harvested, batch: int) -> None:
    beans = event.coins + event.discards
    found = BestHarvest(batch, beans[-1], len(beans), len(event.coins))
    player.harvests += 1
    player.coins[found.bean] += found.coins
    if player.best is None or found.coins > player.best.coins:
        player.best = found


def _planted(players: Players, event: Any) -> None:
    players[event.player].planted += 1


def _bought(players: Players, event: e.FieldBought) -> None:
    players[event.player].bought += 1


def _offered(players: Players, event: e.OfferMade) -> None:
    players[event.offer.maker].offers += 1


def _declined(players: Players, event: e.OfferDeclined) -> None:
    players[event.player].declined += 1


def _traded(players: Players, event: e.Traded) -> None:
    maker, partner = players[event.maker], players[event.partner]
    maker.taken += 1
    partner.accepted += 1
    gave = len(event.maker_hand) + len(event.maker_face_up)
    took = len(event.partner_hand) + len(event.partner_face_up)
    for one, given, received in ((maker, gave, took), (partner, took, gave)):
        one.beans_given += given
        one.beans_received += received
        one.trades += bool(given and received)
        one.gifts_given += not received
        one.gifts_received += not given


def _gift_taken(players: Players, event: e.GiftTaken) -> None:
    giver, player = players[event.giver], players[event.player]
    giver.gifts_given += 1
    giver.beans_given += 1
    player.gifts_received += 1
    player.beans_received += 1


_COUNTS: dict[type[e.Event], Callable[[Players, Any], None]] = {
    e.Planted: _planted,
    e.SetAsidePlanted: _planted,
    e.LeftoverPlanted: _planted,
    e.FaceUpPlanted: _planted,
    e.GiftPlanted: _planted,
    e.FieldBought: _bought,
    e.OfferMade: _offered,
    e.OfferDeclined: _declined,
    e.Traded: _traded,
    e.GiftTaken: _gift_taken,
}
"""The events that count for one or two seats; turns and harvests are counted beside them."""


def ranks(result: Result) -> tuple[int, ...]:
    """Return the rank of each seat, from 1 on; all winners have rank 1, and equals the same."""
    scores = list(zip(result.coins, result.pennies, result.hand_cards, strict=True))
    keys = [(1, 0, 0, 0) if seat in result.winners else (0, *score) for seat, score in enumerate(scores)]
    return tuple(1 + sum(other > key for other in keys) for key in keys)
