"""A run: plays the chunks of a plan, stops cells that are decided, and says what came of it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from random import Random

from msgspec import Struct

from bohn.arena.engine import ChunkResult, Engine, Game
from bohn.arena.executor import Executor
from bohn.arena.figures import CellResult, End, Games, Look, cell_result, end_at, levels_of, looks_of
from bohn.arena.overall import Overall, overalls
from bohn.arena.plan import Cell, Chunk, Fault, Plan, chunks_of
from bohn.arena.ratings import ABSENT, MOST_GAMES, Rated, Rating, ratings
from bohn.arena.seating import arrangements
from bohn.arena.store import Store, readable, write_whole

FAULTS_LISTED = 200
"""Faults that a result lists one by one; all are counted, and are found in the chunks."""


class FaultCount(Struct, frozen=True):
    """How often a player broke its contract in one way."""

    player: str
    reason: str
    games: int


class Result(Struct, frozen=True):
    """Everything a run has found that does not depend on the machine."""

    plan: Plan
    cells: tuple[CellResult, ...]
    overall: tuple[Overall, ...]
    ratings: tuple[Rating, ...]
    ratings_note: str
    fault_counts: tuple[FaultCount, ...]
    faults: tuple[Fault, ...]
    format: int = 1


class Progress(Struct, frozen=True):
    """How far a run is: games played, and how many there are at most; cells that are over."""

    games: int
    most: int
    cells_over: int
    cells: int


Watcher = Callable[[Progress], None]


class _CellProgress:
    """How far a cell is: its games, faults and looks so far."""

    def __init__(self, plan: Plan, cell: Cell) -> None:
        self.cell = cell
        self.arrangements = len(arrangements(cell.line_up, plan.seed))
        self.steps = tuple(zip(looks_of(plan, cell), levels_of(plan, cell), strict=True))
        self.looks: list[Look] = []
        self.end: End | None = None
        self.results: list[ChunkResult] = []

    def games(self) -> list[Game]:
        return list(chain.from_iterable(result.games for result in self.results))

    def faults(self) -> list[Fault]:
        return [fault for result in self.results for fault in result.faults]


class Match:
    """Plays a plan in its folder."""

    def __init__(
        self, store: Store, engine: Engine, executor: Executor, watcher: Watcher | None = None
    ) -> None:
        """Take the folder, which is entered already."""
        self._store = store
        self._plan = store.plan
        self._engine = engine
        self._executor = executor
        self._watcher = watcher
        self._courses = [_CellProgress(store.plan, cell) for cell in store.plan.cells]
        self._games = 0

    def play(self) -> Result:
        """Play what is not played yet, write the result into the folder, and return it."""
        while any(course.end is None for course in self._courses):
            self._round()
        result = self._result()
        write_whole(self._store.folder / "result.json", readable(result))
        return result

    def _round(self) -> None:
        """Play every cell that is not over up to its next look."""
        live = [course for course in self._courses if course.end is None]
        wanted: list[tuple[_CellProgress, tuple[Chunk, ...]]] = []
        for course in live:
            done = course.looks[-1].deals if course.looks else 0
            wanted.append(
                (course, chunks_of(self._plan, course.cell, done, course.steps[len(course.looks)][0]))
            )
        missing = [chunk for _, chunks in wanted for chunk in chunks if not self._is_there(chunk)]
        for result in self._executor.run(self._engine, missing):
            self._store.keep(result)
            self._report_progress(len(result.games))
        for course, chunks in wanted:
            self._look(course, chunks)
        self._report_progress(0)

    def _is_there(self, chunk: Chunk) -> bool:
        found = self._store.load(chunk)
        if found is not None:
            self._report_progress(len(found.games))
        return found is not None

    def _look(self, course: _CellProgress, chunks: tuple[Chunk, ...]) -> None:
        """Read what was played, and decide whether the cell goes on."""
        for chunk in chunks:
            result = self._store.load(chunk)
            assert result is not None  # noqa: S101 - it has just been kept
            course.results.append(result)
        deals, level = course.steps[len(course.looks)]
        share = Games(self._plan, course.cell, course.games()).share(deals, level)
        course.looks.append(Look(deals, share))
        course.end = end_at(self._plan.stopping, share, last=len(course.looks) == len(course.steps))

    def _report_progress(self, games: int) -> None:
        self._games += games
        if self._watcher is not None:
            over = sum(course.end is not None for course in self._courses)
            self._watcher(Progress(self._games, self._most(), over, len(self._courses)))

    def _most(self) -> int:
        """Return how many games there are at most, now that some cells are over."""
        deals = ((c, c.looks[-1].deals if c.end is not None else c.cell.deals) for c in self._courses)
        return sum(number * c.arrangements for c, number in deals)

    def _result(self) -> Result:
        cells: list[CellResult] = []
        rated: list[Rated] = []
        faults: list[Fault] = []
        shares: dict[str, list[list[float]]] = {}
        each = -(-MOST_GAMES // len(self._courses))
        for course in self._courses:
            games, found = course.games(), course.faults()
            end: End = course.end or "all deals played"
            cells.append(cell_result(self._plan, course.cell, games, end, course.looks, len(found)))
            if len(set(course.cell.line_up)) > 1:
                by_deal = Games(self._plan, course.cell, games).shares()
                shares.setdefault(course.cell.candidate, []).append(by_deal)
            line_ups = arrangements(course.cell.line_up, self._plan.seed)
            chosen = Random(f"rated/{self._plan.seed}").sample(games, min(each, len(games)))
            rated += [Rated(line_ups[game.arrangement], game.shares, game.coins) for game in chosen]
            faults += found
        found_ratings = ratings(rated, self._plan.seed)
        return Result(
            self._plan,
            tuple(cells),
            overalls(shares),
            found_ratings or (),
            ABSENT if found_ratings is None else "",
            _counted(faults),
            tuple(faults[:FAULTS_LISTED]),
        )


def _counted(faults: list[Fault]) -> tuple[FaultCount, ...]:
    keys = [(fault.player, fault.reason) for fault in faults]
    return tuple(
        FaultCount(player, reason, keys.count((player, reason))) for player, reason in sorted(set(keys))
    )
