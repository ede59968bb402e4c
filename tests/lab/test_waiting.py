"""Whom the game waits for: the core, the twin and the page say the same of the same positions."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from functools import cache
from itertools import count, islice
from pathlib import Path

import msgspec
import pytest

from bohn.lab.mirror import project
from bohn.lab.mirrored import EVERY_TABLE
from bohn.lab.twin import due_seat, waits_for
from bohn.rules.editions import EDITIONS
from bohn.rules.legal import waiting
from bohn.rules.ruleset import Rules
from bohn.rules.state import EndPhase, State, TradePhase
from bohn.views.view import view
from hatch_build import npm
from tests.properties.strategies import Walk

POSITIONS = 10_000
ROOT = Path(__file__).parents[2]
PAGE = ROOT / "web" / "src" / "table" / "waiting.ts"
GAMES: tuple[tuple[str, int, tuple[str, ...]], ...] = (
    *((edition, players, ()) for edition, by_players in EDITIONS.items() for players in by_players),
    ("das-duell", 2, ("trading=also",)),
    ("das-duell", 2, ("end=after_planting",)),
)

ASKS_THE_PAGE = """
const { waitsFor } = await import(process.argv[1]);
const { createInterface } = await import("node:readline");
for await (const line of createInterface({ input: process.stdin })) {
  const view = JSON.parse(line);
  const seats = view.players.map((_, seat) => seat).filter((seat) => waitsFor(view, seat));
  process.stdout.write(JSON.stringify(seats) + "\\n");
}
"""
"""For each view, one a line, the seats of which the page says that the game waits for them."""


def walked() -> Iterator[tuple[Rules, State]]:
    """Yield positions of every edition in turn, every other game with few cards, without end."""
    for seed in count():
        for edition, players, house in GAMES:
            walk = Walk(edition, players, house, seed, length=120, stock=(None, 12)[seed % 2], noise=0)
            yield from ((walk.rules, state) for state in walk.sample(60))


@cache
def positions() -> tuple[tuple[Rules, State], ...]:
    """Return the positions that are compared."""
    return tuple(islice(walked(), POSITIONS))


@pytest.fixture(scope="module")
def told_by_the_page() -> list[list[int]]:
    """What the page says of all positions, as a spectator sees them."""
    lines = b"\n".join(msgspec.json.encode(view(rules, state, None)) for rules, state in positions())
    program = [npm()[0], "--no-warnings", "--input-type=module", "-e", ASKS_THE_PAGE, PAGE.as_uri()]
    done = subprocess.run(program, input=lines, capture_output=True, check=True)  # noqa: S603 - the Node of the page
    return [msgspec.json.decode(line) for line in done.stdout.splitlines()]


def test_page_waits_for_whom_the_core_waits_for(told_by_the_page: list[list[int]]) -> None:
    """In every phase of all games, the trading and the end too."""
    assert told_by_the_page == [sorted(waiting(rules, state)) for rules, state in positions()]


def test_twin_waits_for_whom_the_core_waits_for() -> None:
    """In every phase but the trading, where its floor asks everybody, in the games that it plays."""
    for rules, state in positions():
        if (rules.edition, rules.players) not in EVERY_TABLE or isinstance(
            state.phase, TradePhase | EndPhase
        ):
            continue
        g = project(rules, state)[0]
        seats = waiting(rules, state)
        assert [seat for seat in range(rules.players) if waits_for(g, seat)] == sorted(seats)
        assert due_seat(g) == seats[0]


def test_positions_are_of_every_game_and_phase() -> None:
    """What is compared is worth comparing."""
    seen = {(rules.game, type(state.phase).__name__) for rules, state in positions()}

    assert len(positions()) == POSITIONS
    assert seen == {
        *(("main", name) for name in ("PlantPhase", "TradePhase", "PlantTradedPhase", "EndPhase")),
        *(
            ("bean-duel", name)
            for name in ("LeftoversPhase", "PlantPhase", "RevealPhase", "FaceUpPhase", "EndPhase")
        ),
        *(
            ("das-duell", name)
            for name in ("PlantPhase", "TradePhase", "GiftPhase", "PlantGiftPhase", "BonusPhase", "EndPhase")
        ),
    }
