"""Figures of a cell from made-up games, and when a cell ends."""

from __future__ import annotations

import pytest

from bohn.arena.figures import Games, Look, cell_result, end_at, levels_of, looks_of
from bohn.arena.plan import Cell, Stopping
from bohn.arena.statistics import Mean, mean_of
from tests.arena.support import game, plan

GOAL = Stopping(goal=0.5)


def test_share_and_margin_follow_the_candidate_through_the_seats() -> None:
    """The candidate sits first, then second, then third; each deal is one observation."""
    wanted = plan(("pk", "b3", "b3"), deals=2)
    games = [
        game(0, 0, (1, 0, 0), (10, 4, 6)),
        game(0, 1, (0, 0.5, 0.5), (4, 8, 8)),
        game(0, 2, (1, 0, 0), (9, 6, 3)),
        game(1, 0, (0, 1, 0), (3, 9, 3)),
        game(1, 1, (0, 1, 0), (2, 8, 4)),
        game(1, 2, (0, 0, 1), (2, 4, 9)),
    ]
    found = cell_result(
        wanted, wanted.cells[0], games, "all deals played", [Look(2, mean_of([0.5, 2 / 3]))], 0
    )
    row = found.rows[0]

    assert row.share.mean == pytest.approx((0.5 + 2 / 3) / 2)
    assert row.margin.mean == pytest.approx(((5 + 2 - 4.5) / 3 + (-3 + 5 + 6) / 3) / 2)
    assert row.rank.mean == pytest.approx(((1 + 1.5 + 3) / 3 + (2.5 + 1 + 1) / 3) / 2)
    assert found.rows[1].share.mean == pytest.approx((1 - row.share.mean) / 2)


def test_interval_is_over_deals() -> None:
    """Six games on two deals are two observations."""
    wanted = plan(("pk", "b3", "b3"), deals=2)
    games = [game(deal, seat, (0.0,) * 3, (0,) * 3) for deal in range(2) for seat in range(3)]

    assert len(Games(wanted, wanted.cells[0], games).deals) == 2


def test_share_among_equals_is_known() -> None:
    """Copies of one player share the wins whatever happens."""
    wanted = plan(("pk", "pk", "pk"), deals=1)
    games = Games(wanted, wanted.cells[0], [game(0, 0, (1, 0, 0), (9, 3, 3))])

    assert games.share(1, 0.95) == Mean(1 / 3, 0.0)


def test_surplus_counts_each_exchange_once() -> None:
    """Joint worth stands at both sides of an exchange, and once in the surplus of the table."""
    wanted = plan(("pk", "b3", "b3"), deals=1)
    none = (0, 0, 0)
    from bohn.arena.engine import Game

    games = [
        Game(0, turn, (1, 0, 0), (1, 0, 0), 9, 1, 0, none, none, (1.0, 0.5, 0.0), (1.5, 1.5, 0.0))
        for turn in range(3)
    ]

    assert (
        cell_result(wanted, wanted.cells[0], games, "all deals played", [Look(1, Mean(1, None))], 0).surplus
        == 1.5
    )


@pytest.mark.parametrize(
    ("stopping", "share", "expected"),
    [
        (GOAL, Mean(0.6, 0.05), "above the goal"),
        (GOAL, Mean(0.4, 0.05), "below the goal"),
        (GOAL, Mean(0.52, 0.05), None),
        (GOAL, Mean(0.9, None), None),
        (Stopping(half_width=0.05), Mean(0.5, 0.05), "narrow enough"),
        (Stopping(half_width=0.05), Mean(0.5, 0.06), None),
    ],
)
def test_cell_ends_when_its_rule_is_met(stopping: Stopping, share: Mean, expected: str | None) -> None:
    """A goal is decided when the interval lies wholly on one side; an interval may be narrow enough."""
    assert end_at(stopping, share, last=False) == expected


def test_cell_ends_with_its_deals() -> None:
    """What is still open at the last look stays open."""
    assert end_at(GOAL, Mean(0.5, 0.1), last=True) == "all deals played"


def test_plan_without_a_rule_has_one_look_at_the_usual_level() -> None:
    """Nobody looks early, so nothing has to be paid for it."""
    wanted = plan(deals=40)

    assert looks_of(wanted, wanted.cells[0]) == (40,)
    assert levels_of(wanted, wanted.cells[0]) == (0.95,)


def test_plan_with_a_goal_looks_a_few_times() -> None:
    """From an eighth of the deals on, each look has twice as many."""
    wanted = plan(deals=64, stopping=GOAL)

    assert looks_of(wanted, Cell("one", ("a",), 64)) == (8, 16, 32, 64)
