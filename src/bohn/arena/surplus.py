"""What exchanges are worth, by a plain public yardstick, and who offers and accepts how much.

A seat is worth what its fields would earn once it has planted what it must plant (what it has set aside,
and for the active player what lies face up), and of the next coin the part of the way that is gone: three
beans of a kind that pays 1 coin for 2 and 2 for 4 are worth 1.5. What finds no field is worth nothing, nor
is a card in the hand, which nobody else sees. The worth of an exchange to a side is the difference.
"""

from __future__ import annotations

from collections import Counter

from bohn.rules.beans import Bean, on_the_way
from bohn.rules.commands import Command, EditOffer, MakeOffer
from bohn.rules.events import Event, Traded
from bohn.rules.ruleset import Rules
from bohn.rules.state import State


def worth_of_seat(rules: Rules, state: State, seat: int) -> float:
    """Return what a seat's fields would be worth after planting, in coins."""
    player = state.players[seat]
    lying: tuple[Bean, ...] = getattr(state.phase, "face_up", ()) if seat == state.active_player else ()
    coming = Counter(player.set_aside + lying)
    total, empty = 0.0, 0
    for field in player.fields:
        if field:
            total += on_the_way(rules.beanometers[field[-1]], len(field) + coming.pop(field[-1], 0))
        else:
            empty += 1
    found = sorted((on_the_way(rules.beanometers[bean], number) for bean, number in coming.items()))
    return total + sum(found[len(found) - empty :] if empty < len(found) else found)


class Tally:
    """Counts by seat while a game is played; hand :meth:`watch` to the table."""

    def __init__(self, rules: Rules) -> None:
        """Begin with nothing."""
        self.rules = rules
        self.offers = [0] * rules.players
        self.acceptances = [0] * rules.players
        self.gains = [0.0] * rules.players
        self.joint = [0.0] * rules.players

    def watch(self, before: State, command: Command, events: tuple[Event, ...], after: State) -> None:
        """Count one move."""
        if isinstance(command, MakeOffer | EditOffer):
            self.offers[command.player] += 1
        elif isinstance(events[0], Traded):
            self._traded(before, events[0], after)

    def _traded(self, before: State, traded: Traded, after: State) -> None:
        sides = (traded.maker, traded.partner)
        won = [
            worth_of_seat(self.rules, after, seat) - worth_of_seat(self.rules, before, seat) for seat in sides
        ]
        self.acceptances[traded.partner] += 1
        for seat, gain in zip(sides, won, strict=True):
            self.gains[seat] += gain
            self.joint[seat] += sum(won)
