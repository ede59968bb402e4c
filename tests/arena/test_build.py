"""Plans from names, engines by name, and what is refused."""

from __future__ import annotations

import pytest

from bohn.arena.build import Bots, Order, against, budgets_of, matrix_cells, plan_of, run_cells
from bohn.arena.engine import ENGINES, ChunkResult, Entry, choose, engine_named
from bohn.arena.errors import ArenaError
from bohn.arena.plan import Chunk, chunks_of
from bohn.bots import PLAYERS


class Quick:
    """An engine that has one player."""

    name = "quick"

    def players(self) -> tuple[str, ...]:
        """Return it."""
        return ("pk",)

    def play(self, chunk: Chunk) -> ChunkResult:
        """Play nothing."""
        return ChunkResult(chunk.cell, chunk.first, ())


def test_one_opponent_fills_all_other_seats() -> None:
    """The candidate sits against n-1 copies of an anchor, or one player for each seat."""
    assert against("pk", ("b3",), Order()).line_up == ("pk", "b3", "b3", "b3")
    assert against("pk", ("b3", "b4", "b6"), Order()).line_up == ("pk", "b3", "b4", "b6")


def test_wrong_number_of_opponents_is_refused() -> None:
    """Two names for three seats are a mistake."""
    with pytest.raises(ArenaError, match="expected 1 name or 3"):
        against("pk", ("b3", "b4"), Order())


def test_matrix_has_a_cell_for_each_pair() -> None:
    """Every row against every column, itself too, each once."""
    cells = matrix_cells(("pk", "b3", "pk"), ("b3", "pk"), Order())

    assert [cell.name for cell in cells] == ["pk vs b3", "pk vs pk", "b3 vs b3", "b3 vs pk"]


def test_same_table_is_played_once() -> None:
    """Naming an opponent twice does not play it twice."""
    assert len(run_cells("pk", [("b3",), ("b3",)], Order())) == 1


def test_budget_limits_the_deals_of_slow_players() -> None:
    """A cell has the smallest budget of those who sit in it."""
    order = Order(deals=100, budgets=budgets_of(["b6=7"], PLAYERS))

    assert against("pk", ("b6",), order).deals == 7
    assert against("pk", ("b3",), order).deals == 100


@pytest.mark.parametrize("text", ["b6", "b6=", "b6=0", "b6=x", "nobody=3"])
def test_wrong_budget_is_refused(text: str) -> None:
    """A budget names a player and a number."""
    with pytest.raises(ArenaError, match="NAME=DEALS"):
        budgets_of([text], PLAYERS)


def test_bot_of_ones_own_gets_a_name() -> None:
    """A name stands for a program, a maker or another player."""
    bots = Bots(["mine=cmd:python3 bot.py a,b", "also=pk"])

    assert bots.line("mine,pk,also") == ("mine", "pk", "also")
    assert bots.specs(("mine", "pk")) == {"mine": "cmd:python3 bot.py a,b", "pk": "pk"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mine", "expected NAME=PLAYER"),
        ("pk=b3", "new name"),
        ("a b=pk", "expected NAME=PLAYER"),
        ("mine=nobody", "expected a player"),
        ("mine=cmd:", "a program"),
        ("mine=cmd:/nowhere/bot", "a program"),
        ("mine=cmd:'", "expected a command line"),
        ("mine=py:bohn.bots", "expected py:MODULE:MAKER"),
        ("mine=py:nowhere:Bot", "expected py:MODULE:MAKER"),
    ],
)
def test_wrong_bot_is_refused(text: str, message: str) -> None:
    """Each error says what was expected."""
    with pytest.raises(ArenaError, match=message):
        Bots([text])


def test_unknown_player_is_refused() -> None:
    """The names there are stand in the message."""
    with pytest.raises(ArenaError, match="'nobody': expected one of: random"):
        Bots().line("pk,nobody")


def test_unknown_engine_is_refused() -> None:
    """So it is with engines."""
    with pytest.raises(ArenaError, match="expected one of: core"):
        engine_named("steam")


def test_engine_that_cannot_be_loaded_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine may need what is not installed."""
    monkeypatch.setitem(ENGINES, "steam", Entry("bohn.nowhere:Steam", 9))

    with pytest.raises(ArenaError, match="cannot be loaded"):
        engine_named("steam")


def test_auto_takes_the_best_engine_that_has_all_players(monkeypatch: pytest.MonkeyPatch) -> None:
    """One entry adds an engine; what it lacks the core plays."""
    monkeypatch.setitem(ENGINES, "broken", Entry("bohn.nowhere:Steam", 9))
    monkeypatch.setitem(ENGINES, "quick", Entry(f"{__name__}:Quick", 9000))
    monkeypatch.setattr("bohn.arena.engine.import_module", _module)

    assert choose("auto", {"pk": "pk"}).name == "quick"
    assert choose("auto", {"pk": "pk", "random": "random"}).name == "core"
    with pytest.raises(ArenaError, match="'quick' has no player 'b3'; expected one of: pk"):
        choose("quick", {"b3": "b3"})


def _module(name: str) -> object:
    """Return this module by its name, and no other but the core's."""
    import importlib
    import sys

    return sys.modules[name] if name == __name__ else importlib.import_module(name)


def test_chunks_cover_the_deals_and_know_nothing_else() -> None:
    """A chunk carries seeds, line-ups and players; together they are the cell."""
    order = Order(deals=10, chunk=4, players=3)
    wanted = plan_of("run", run_cells("pk", [("b3",)], order), Bots(), order)
    chunks = chunks_of(wanted, wanted.cells[0], 0, 10)

    assert [(chunk.first, len(chunk.seeds)) for chunk in chunks] == [(0, 4), (4, 4), (8, 2)]
    assert chunks[1].seeds == ("0/4", "0/5", "0/6", "0/7")
    assert chunks[0].line_ups == (("pk", "b3", "b3"), ("b3", "pk", "b3"), ("b3", "b3", "pk"))
    assert chunks[0].games == 12
