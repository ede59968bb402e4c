"""The table of the league, in Markdown, and its place in a document."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from bohn.arena.errors import ArenaError
from bohn.arena.match import Result
from bohn.arena.overall import Overall
from bohn.arena.statistics import Mean, total
from bohn.arena.store import write_whole


def markers(name: str) -> tuple[str, str]:
    """Return the lines of a document between which the table of that name stands."""
    return f"<!-- {name}:begin -->", f"<!-- {name}:end -->"


NAME = "league"
BEGIN, END = markers(NAME)


class LeagueRow(Struct, frozen=True):
    """How a player stands: its share and coins against others, its coins among equals, its rating.

    ``deals`` are the least and the most of its cells.
    """

    player: str
    share: Mean
    margin: float
    coins: float | None
    rating: tuple[float, float] | None
    deals: tuple[int, int]


def league_rows(result: Result) -> tuple[LeagueRow, ...]:
    """Return all players of a cross play that met others, best first."""
    ratings = {one.player: (one.mu, one.sigma) for one in result.ratings}
    return tuple(_league_row(result, one, ratings.get(one.player)) for one in result.overall)


def _league_row(result: Result, overall: Overall, rating: tuple[float, float] | None) -> LeagueRow:
    own = [cell for cell in result.cells if cell.line_up[0] == overall.player]
    cells = [cell for cell in own if len(cell.rows) > 1]
    alone = [cell.rows[0].coins.mean for cell in own if len(cell.rows) == 1]
    return LeagueRow(
        overall.player,
        overall.share,
        total(cell.rows[0].margin.mean for cell in cells) / len(cells),
        alone[0] if alone else None,
        rating,
        (min(cell.deals for cell in cells), max(cell.deals for cell in cells)),
    )


def league_table(result: Result) -> str:
    """Return the league table as Markdown, with everything that it depends on above it."""
    plan = result.plan
    rules = " ".join([plan.edition, *plan.house_rules])
    games = sum(cell.games for cell in result.cells)
    lines = [
        f"{games:,} games of `{rules}` with {plan.players} players, `{plan.setting}` floor, engine",
        f"`{plan.engine}`, seed `{plan.seed}`, version {plan.version}. Each player plays against",
        f"{plan.players - 1} copies of each other, on the same deals in all arrangements of the seats. The",
        "share is the plain mean over the opponents, ± half its 95 % interval;",
        f"{100 / plan.players:.1f} % is fair.",
        "",
        "| | player | share of the wins | coins over the others | coins among equals | rating | deals |",
        "|--:|---|--:|--:|--:|--:|--:|",
    ]
    for place, one in enumerate(league_rows(result), 1):
        half = "?" if one.share.plus_minus is None else f"{100 * one.share.plus_minus:.1f}"
        deals = "-".join(map(str, dict.fromkeys(one.deals)))
        rating = "-" if one.rating is None else f"{one.rating[0]:.1f} ± {one.rating[1]:.1f}"
        coins = "-" if one.coins is None else f"{one.coins:.1f}"
        lines.append(
            f"| {place} | `{one.player}` | {100 * one.share.mean:.1f} ± {half} % | {one.margin:+.1f} "
            f"| {coins} | {rating} | {deals} |"
        )
    return "\n".join(lines)


def write_between(path: Path, table: str, name: str = NAME) -> None:
    """Write a table between the markers of that name in a document, and leave the rest as it is.

    Raises :class:`ArenaError` if the markers are not there, each once and in order.
    """
    begin, end = markers(name)
    text = path.read_text(encoding="utf-8")
    before, found, rest = text.partition(begin)
    _, ended, after = rest.partition(end)
    if not found or not ended or begin in after or end in before + after:
        raise ArenaError(f"{path}: expected the lines {begin} and {end}, each once and in this order")
    write_whole(path, f"{before}{begin}\n\n{table}\n\n{end}{after}".encode())
