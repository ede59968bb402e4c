"""A bot that breaks its contract is named, a plain player plays on, and the game is not lost."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from bohn.arena import guard
from bohn.arena.core import CoreEngine, barred, forfeited
from bohn.arena.errors import ArenaError
from bohn.arena.executor import PoolExecutor
from bohn.arena.plan import Fault, Plan, chunks_of
from bohn.bots import PLAYERS
from bohn.rules import resolve
from tests.arena.faulty import CLOCK
from tests.arena.support import faulty, plan, play, whole

RULES = resolve("full", 3)


@pytest.mark.parametrize(
    ("name", "reason", "asked", "detail"),
    [
        ("Passer", "illegal", 3, "passed, but the game waits for it"),
        ("Cheat", "illegal", 3, "no-such-field"),
        ("Raiser", "crash", 3, "ZeroDivisionError: one by zero"),
        ("Sleeper", "late", 3, "0.4 s are allowed"),
        ("Unborn", "crash", 0, "ValueError: no weights"),
        ("Stranger", "illegal", 3, "'harvest 1'"),
    ],
)
def test_faulty_bot_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, reason: str, asked: int, detail: str
) -> None:
    """Who, where, when and why stand in the result of every game it spoilt."""
    monkeypatch.setattr(guard, "perf_counter", CLOCK)
    found = CoreEngine().play(whole(faulty(name, seconds=0.4 if reason == "late" else 10)))

    assert [(one.player, one.reason, one.asked) for one in found.faults] == [(name, reason, asked)] * 3
    assert [(one.deal, one.arrangement) for one in found.faults] == [(0, 0), (0, 1), (0, 2)]
    assert [found.faults[turn].seat for turn in range(3)] == [0, 1, 2]
    assert detail in found.faults[0].detail
    assert len(found.games) == 3


def test_replaced_bot_keeps_what_its_seat_wins() -> None:
    """By the rule `replace` the seat plays on, and its result counts."""
    games = CoreEngine().play(whole(faulty("Cheat", on_fault="replace"))).games

    assert all(sum(one.shares) == pytest.approx(1) for one in games)
    assert any(one.shares[one.arrangement] > 0 for one in games)


def test_forfeiting_bot_has_neither_share_nor_coins() -> None:
    """By the rule `forfeit` the others compare among themselves."""
    games = CoreEngine().play(whole(faulty("Cheat", on_fault="forfeit"))).games

    assert all(one.shares[one.arrangement] == 0 == one.coins[one.arrangement] for one in games)
    assert all(sum(one.shares) == pytest.approx(1) for one in games)


@pytest.mark.parametrize(
    ("out", "expected"), [({0}, (0, 0.5, 0.5)), ({0, 1}, (0, 0, 1)), ({0, 1, 2}, (0, 0, 0)), ({2}, (1, 0, 0))]
)
def test_forfeited_shares_go_to_the_best_of_the_others(out: set[int], expected: tuple[float, ...]) -> None:
    """Equal coins and hands share; where nobody is left, nobody has won."""
    assert forfeited(RULES, (9, 5, 5), (2, 2, 2), out) == expected


def test_faults_are_counted_in_the_result(tmp_path: Path) -> None:
    """A run says how often each player was at fault, and for what."""
    result = play(faulty("Cheat", deals=2), tmp_path)

    assert [(one.player, one.reason, one.games) for one in result.fault_counts] == [("Cheat", "illegal", 6)]
    assert result.cells[0].faults == 6


def pooled(wanted: Plan, skip: int = 0) -> list[tuple[str, str, int]]:
    """Return the faults that a pool of one worker finds in the games of one deal, all of which are played."""
    pool = PoolExecutor(1)
    try:
        (chunk,) = chunks_of(wanted, wanted.cells[0], 0, 1)
        found = list(pool.run(CoreEngine(), [replace(chunk, skip=skip)]))
    finally:
        pool.close()
    games = sorted((one.deal, one.arrangement) for result in found for one in result.games)
    assert games == [(0, turn) for turn in range(skip, 3)]
    return [(fault.player, fault.reason, fault.asked) for result in found for fault in result.faults]


def test_watchdog_ends_an_endless_loop() -> None:
    """A bot that never comes back, and catches everything, is ended with its process and named."""
    assert pooled(faulty("Looper", seconds=3, grace=0.5), skip=2) == [("Looper", "hang", 3)]


def test_bot_that_hangs_again_and_again_is_asked_no_more() -> None:
    """Three games of a chunk are waited for; in the others it is named before it is asked."""
    known = [Fault("a", "cell", 0, turn, 0, 3, "hang", "") for turn in range(3)]

    assert barred(known, 0, 2) == frozenset()
    assert barred(known, 1, 0) == {"a"}
    assert barred([*known[:2], known[0]], 1, 0) == frozenset()


def test_bot_that_is_asked_no_more_is_replaced_and_named() -> None:
    """Its seat is played from the beginning by the replacement."""
    wanted = replace(
        whole(faulty("Looper", deals=2)),
        skip=3,
        known=tuple(Fault("Looper", "cell", 0, turn, 0, 3, "hang", "") for turn in range(3)),
    )
    found = CoreEngine().play(wanted).faults

    assert [(one.deal, one.reason, one.asked) for one in found] == [(1, "hang", 0)] * 3


def test_watchdog_survives_a_process_that_ends() -> None:
    """A bot that takes its process along costs no game that was played before."""
    assert pooled(faulty("Killer")) == [("Killer", "crash", 3)] * 3


def test_pool_that_met_an_error_plays_on() -> None:
    """The process that was playing is ended, else the next run would wait for its answer for ever."""
    pool, (chunk, other) = PoolExecutor(2), chunks_of(wanted := plan(), wanted.cells[0], 0, 4)
    engine = CoreEngine()
    with closing(pool):
        with pytest.raises(ArenaError, match="UnknownEdition"):
            list(pool.run(engine, [replace(chunk, edition="none"), other]))
        (found,) = pool.run(engine, [other])
    assert found.first == other.first


def test_pool_that_is_left_early_answers_only_what_is_asked_next() -> None:
    """What was under way when nobody wanted it any more is no part of the next run."""
    pool, (chunk, other) = PoolExecutor(2), chunks_of(wanted := plan(), wanted.cells[0], 0, 4)
    engine = CoreEngine()
    with closing(pool):
        results = pool.run(engine, [chunk, other, chunk, other])
        next(results)
        results.close()  # type: ignore[attr-defined] # - a generator is more than the iterator it is called
        assert [one.first for one in pool.run(engine, [other])] == [other.first]


def test_pool_plays_by_the_engine_of_each_run() -> None:
    """Processes have the engine with which they began, so another one needs others."""
    pool, chunk = PoolExecutor(1), whole(plan(("mine", "random", "random"), 1, chunk=1))
    with closing(pool):
        for factory in (PLAYERS["random"], PLAYERS["no-trade"]):
            engine = CoreEngine({"mine": factory})
            (found,) = pool.run(engine, [chunk])
            assert found.games == engine.play(chunk).games
