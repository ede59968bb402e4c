"""The page of a run, its plots, and the table of the league."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from msgspec.structs import replace

from bohn.arena.errors import ArenaError
from bohn.arena.figures import Look
from bohn.arena.league import BEGIN, END, league_rows, league_table, write_between
from bohn.arena.match import Result
from bohn.arena.plan import Cell, Fault, Plan
from bohn.arena.plots import bars, curve, heat_map
from bohn.arena.report import report
from bohn.arena.statistics import Mean
from tests.arena.support import play

EVIL = "<script>alert('x')</script>&\""
SPEC = {"no-trade": "no-trade", EVIL: "random"}


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """Return the result of a small league in which one name is hostile."""
    pairs = [(row, column) for row in SPEC for column in SPEC]
    cells = tuple(Cell(f"{row} vs {column}", (row, column, column), 2) for row, column in pairs)
    wanted = Plan("league", "full", 3, (), "brisk", "page", "core", cells, SPEC, 2, version="1")
    found = play(wanted, tmp_path_factory.mktemp("league"))
    looks = (Look(1, Mean(0.5, None)), Look(2, Mean(0.4, 0.2)), Look(4, Mean(0.4, 0.1)))
    fault = Fault(EVIL, EVIL, 0, 0, 0, 1, "crash", EVIL)
    first = replace(found.cells[1], looks=looks)
    return replace(found, cells=(found.cells[0], first, *found.cells[2:]), faults=(fault,))


class Outside(HTMLParser):
    """Notes what a page would load or run, and whether its tags are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note scripts, links, addresses and handlers."""
        strange = [name for name, _ in attrs if name in ("src", "href", "srcset") or name.startswith("on")]
        self.found += strange + [tag] * (tag in ("script", "link", "iframe", "object", "img"))
        if tag not in ("meta", "line", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the last tag."""
        if tag != "line":
            assert self.open.pop() == tag


def test_page_is_self_contained_and_escaped(result: Result) -> None:
    """Nothing is loaded, nothing runs, whatever a bot is called."""
    page = report(result, {EVIL: {100: 3}})
    outside = Outside()
    outside.feed(page)

    assert outside.found == outside.open == []
    assert "&lt;script&gt;" in page
    assert "url(" not in page


def test_page_is_readable_in_light_and_dark(result: Result) -> None:
    """Every colour is a variable that both modes define."""
    page = report(result, {})
    light, dark = re.findall(r":root \{(.*?)\}", page, flags=re.DOTALL)

    assert set(re.findall(r"var\((--\w+)\)", page)) <= set(re.findall(r"(--\w+):", dark))
    assert set(re.findall(r"(--\w+):", dark)) == set(re.findall(r"(--\w+):", light))


def test_page_names_the_setting_and_shows_every_plot(result: Result) -> None:
    """Bars, cross play, standing and the curve of the stopped cell; the floor's setting in the title."""
    page = report(result, {})

    assert "floor brisk" in page
    assert page.count("<svg") == 4


def test_bars_end_inside_the_plot() -> None:
    """An interval that goes below nothing is cut at nothing."""
    svg = bars("shares", [("one", Mean(0.1, 0.5)), ("two", Mean(0.9, None))], {"fair": 0.25})

    assert all(230 <= float(x) <= 650 for x in re.findall(r'x[12]="([\d.]+)"', svg))


def test_heat_map_leaves_out_what_was_not_played() -> None:
    """A cell without a value has no tile."""
    assert heat_map("cross", ["a", "b"], ["a", "b"], {("a", "b"): 1.0}, 0.25).count("<rect") == 1


def test_curve_of_one_look_is_a_point() -> None:
    """A single look is drawn in the middle."""
    assert curve("one", [(8, Mean(0.5, 0.1))], None).count("<circle") == 1


def test_standing_is_the_mean_over_the_others(result: Result) -> None:
    """A player's games among copies of itself count for its coins alone."""
    by_name = {one.player: one for one in league_rows(result)}
    cells = {cell.name: cell for cell in result.cells}
    before = cells[f"no-trade vs {EVIL}"]

    assert by_name["no-trade"].share.mean == pytest.approx(before.rows[0].share.mean)
    assert by_name["no-trade"].coins == cells["no-trade vs no-trade"].rows[0].coins.mean
    assert by_name["no-trade"].deals == (before.deals, before.deals)


def test_league_table_goes_between_the_markers(result: Result, tmp_path: Path) -> None:
    """The rest of the document stays as it is, also the second time."""
    path = tmp_path / "players.md"
    path.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    for _ in range(2):
        write_between(path, league_table(result))
    text = path.read_text(encoding="utf-8")

    assert text.startswith(f"before\n{BEGIN}\n")
    assert text.endswith(f"{END}\nafter\n")
    assert "old" not in text
    assert text.count("| `no-trade` |") == 1


@pytest.mark.parametrize("text", ["", BEGIN, f"{END}{BEGIN}", f"{BEGIN}{END}{BEGIN}{END}"])
def test_document_without_markers_is_refused(text: str, tmp_path: Path) -> None:
    """Where the table belongs must be said once."""
    path = tmp_path / "players.md"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(ArenaError, match="each once"):
        write_between(path, "table")
