"""What the games of a cell come to: shares, margins, ranks and trade, each with its interval over deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

from bohn.arena.engine import Game
from bohn.arena.plan import Cell, Plan, Stopping
from bohn.arena.seating import Arrangement, arrangements, number_of
from bohn.arena.statistics import LEVEL, Mean, look_levels, looks_for, mean_of, ranks, total


class PlayerFigures(Struct, frozen=True):
    """How one name did in a cell; figures are for one seat of that name and a game.

    ``margin`` is coins over the mean of the other seats; ``rank`` is 1 for the best. ``gain`` is what its
    exchanges were worth to it, in coins by the public yardstick, and ``part`` its part of what they were
    worth to both sides.
    """

    player: str
    seats: int
    share: Mean
    margin: Mean
    coins: Mean
    rank: Mean
    offers: float
    acceptances: float
    gain: float | None
    part: float | None


class Look(Struct, frozen=True):
    """The candidate's share after ``deals`` deals, at the level of that look."""

    deals: int
    share: Mean


End = Literal["all deals played", "narrow enough", "above the goal", "below the goal"]


class CellResult(Struct, frozen=True):
    """What came of a cell; ``rows`` begin with the candidate.

    ``arrangements`` of ``possible`` were played of each deal. The interval of the candidate's share has the
    level of the look at which the cell ended; all looks hold together at 95 %.
    """

    name: str
    edition: str
    players: int
    setting: str
    line_up: tuple[str, ...]
    deals: int
    games: int
    arrangements: int
    possible: int
    end: End
    rows: tuple[PlayerFigures, ...]
    looks: tuple[Look, ...]
    turns: float
    trades: float
    gifts: float
    surplus: float | None
    faults: int


def looks_of(plan: Plan, cell: Cell) -> tuple[int, ...]:
    """Return after how many deals a cell is looked at; without a rule for stopping only at the end."""
    if not plan.stopping.looks:
        return (cell.deals,)
    return looks_for(cell.deals, plan.stopping.first or max(1, cell.deals // 8), plan.chunk)


def levels_of(plan: Plan, cell: Cell) -> tuple[float, ...]:
    """Return the level of the interval at each of those looks."""
    looks = looks_of(plan, cell)
    return look_levels(looks) if len(looks) > 1 else (LEVEL,)


def end_at(stopping: Stopping, share: Mean, *, last: bool) -> End | None:
    """Return why a cell ends at a look with this share of its candidate, ``None`` if it goes on."""
    if stopping.goal is not None:
        if share.low > stopping.goal:
            return "above the goal"
        if share.high < stopping.goal:
            return "below the goal"
    narrow = share.plus_minus is not None and stopping.half_width is not None
    if narrow and (share.plus_minus or 0.0) <= (stopping.half_width or 0.0):
        return "narrow enough"
    return "all deals played" if last else None


class Games:
    """The games of a cell, in the order of deals."""

    def __init__(self, plan: Plan, cell: Cell, games: Sequence[Game]) -> None:
        """Take the games of all deals from the first on."""
        self.plan = plan
        self.cell = cell
        self.line_ups: tuple[Arrangement, ...] = arrangements(cell.line_up, plan.seed)
        each = len(self.line_ups)
        self.deals = [games[start : start + each] for start in range(0, len(games), each)]

    def over_deals(self, name: str, value: Callable[[Game, int], float]) -> list[float]:
        """Return for each deal the mean of a value over all games and all seats of a name."""
        seats = [[seat for seat, who in enumerate(line_up) if who == name] for line_up in self.line_ups]
        number = sum(map(len, seats))
        return [
            total(value(game, seat) for game in deal for seat in seats[game.arrangement]) / number
            for deal in self.deals
        ]

    def share(self, deals: int, level: float) -> Mean:
        """Return the candidate's share in the first deals."""
        return self._share(self.shares()[:deals], level)

    def shares(self) -> list[float]:
        """Return the candidate's share in each deal."""
        return self.over_deals(self.cell.candidate, lambda game, seat: game.shares[seat])

    def _share(self, values: Sequence[float], level: float) -> Mean:
        if len(set(self.cell.line_up)) == 1:  # among equals it is known
            return Mean(1 / len(self.cell.line_up), 0.0, level)
        return mean_of(values, level, share=True)

    def row(self, name: str, level: float) -> PlayerFigures:
        """Return the figures of a name."""
        ranked = {id(game): ranks(game.shares, game.coins) for deal in self.deals for game in deal}
        share = self._share(self.over_deals(name, lambda game, seat: game.shares[seat]), level)

        def plain(value: Callable[[Game, int], float]) -> float:
            return total(self.over_deals(name, value)) / len(self.deals)

        gain = part = None
        if all(game.gains is not None for deal in self.deals for game in deal):
            gain = plain(lambda game, seat: (game.gains or ())[seat])
            joint = plain(lambda game, seat: (game.joint or ())[seat])
            part = gain / joint if joint > 0 else None
        return PlayerFigures(
            name,
            self.cell.line_up.count(name),
            share,
            mean_of(self.over_deals(name, _margin)),
            mean_of(self.over_deals(name, lambda game, seat: game.coins[seat])),
            mean_of(self.over_deals(name, lambda game, seat: ranked[id(game)][seat])),
            plain(lambda game, seat: game.offers[seat]),
            plain(lambda game, seat: game.acceptances[seat]),
            gain,
            part,
        )


def _margin(game: Game, seat: int) -> float:
    """Return the coins of a seat over the mean of the others."""
    others = total(game.coins) - game.coins[seat]
    return game.coins[seat] - others / (len(game.coins) - 1)


def cell_result(
    plan: Plan, cell: Cell, games: Sequence[Game], end: End, looks: Sequence[Look], faults: int
) -> CellResult:
    """Return what came of the games of a cell."""
    table = Games(plan, cell, games)
    number = len(games)
    sums = Counter[str]()
    for game in games:
        sums.update(turns=game.turns, trades=game.trades, gifts=game.gifts)
    valued = all(game.joint is not None for game in games)
    # each exchange stands in the joint worth of both of its sides
    surplus = total(total(game.joint or ()) for game in games) / 2 / number if valued else None
    return CellResult(
        cell.name,
        plan.edition,
        plan.players,
        plan.setting,
        cell.line_up,
        len(table.deals),
        number,
        len(table.line_ups),
        number_of(cell.line_up),
        end,
        tuple(table.row(name, looks[-1].share.level) for name in dict.fromkeys(cell.line_up)),
        tuple(looks),
        sums["turns"] / number,
        sums["trades"] / number,
        sums["gifts"] / number,
        surplus,
        faults,
    )
