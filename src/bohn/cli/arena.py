"""`bohn arena`: matches between computer players, resumable, with intervals that can be trusted.

It is a tool of the laboratory and speaks English: its words are those of `docs/arena.md`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from rich.console import Group, RenderableType
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from bohn.arena.build import Bots, Order, budgets_of, matrix_cells, plan_of, run_cells
from bohn.arena.engine import ENGINES, engine_named
from bohn.arena.figures import CellResult
from bohn.arena.league import league_table, write_between
from bohn.arena.match import Match, Result, Watcher
from bohn.arena.match import Progress as Done
from bohn.arena.plan import Limits, Plan, Stopping
from bohn.arena.reading import read_run
from bohn.arena.report import report
from bohn.arena.statistics import Mean
from bohn.arena.store import Store, digest, readable, times_in, write_whole
from bohn.arena.where import POOL, read_where
from bohn.bots import FORMER, LEVELS, PLAYERS
from bohn.cli.console import Sheet, output
from bohn.cli.errors import UsageError
from bohn.cli.seats import usual_players
from bohn.i18n import Catalog
from bohn.play.floor import FLOOR_SETTINGS, FREE
from bohn.rules.editions import DEFAULT_EDITION, EDITIONS

MOST_DEALS = 1_000_000

LINE_EVERY = 10.0
"""Seconds between two lines of progress where stderr is no terminal."""


# -- what it understands ---------------------------------------------------------------------------------


def add_arguments(parser: argparse.ArgumentParser, catalog: Catalog) -> None:  # noqa: ARG001 - one signature
    """Declare what `bohn arena` understands."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    run = actions.add_parser("run", help="one candidate against others", description=_ABOUT_RUN)
    run.add_argument("candidate", metavar="PLAYER", help=_PLAYER)
    run.add_argument(
        "--against", action="append", required=True, metavar="LIST",
        help="one player, who fills all other seats, or one for each of them, as b3,b4,b6; may be repeated",
    )  # fmt: skip
    _common(run)
    matrix = actions.add_parser("matrix", help="cross play", description=_ABOUT_MATRIX)
    matrix.add_argument("rows", metavar="LIST", help="players with commas, each of whom is a candidate")
    matrix.add_argument("--columns", metavar="LIST", help="against copies of these (default: the same)")
    _common(matrix)
    league = actions.add_parser("league", help="the standing table", description=_ABOUT_LEAGUE)
    league.add_argument("--bots", metavar="LIST", help="only these players (default: all)")
    league.add_argument(
        "--budget", action="append", default=[], metavar="NAME=DEALS",
        help="at most so many deals where this player sits; may be repeated",
    )  # fmt: skip
    league.add_argument(
        "--from", dest="source", type=Path, metavar="RESULT", help="take a result, play nothing"
    )
    league.add_argument(
        "--write", type=Path, metavar="FILE", help="write the table between the file's markers"
    )
    _common(league)
    page = actions.add_parser("report", help="one HTML page of a run", description="Write the page of a run.")
    page.add_argument("source", type=Path, metavar="FOLDER", help="the folder of a run, or its result.json")
    page.add_argument(
        "--out", type=Path, metavar="FILE", help="the page to write (default: report.html beside it)"
    )


_PLAYER = "a player of `bohn players`, a name given with --bot, cmd:COMMAND LINE, or py:MODULE:MAKER"
_ABOUT_RUN = "Let a candidate play against others, on the same deals in every arrangement of the seats."
_ABOUT_MATRIX = "Let each player play against copies of each other."
_ABOUT_LEAGUE = "Let all computer players play against each other, and write the standing table."


def _common(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--edition",
        default=DEFAULT_EDITION,
        help=f"which rules: {', '.join(EDITIONS)} (default: {DEFAULT_EDITION})",
    )
    add("--players", type=int, metavar="N", help="how many players (default: 4, or what the edition has)")
    add("--house", action="append", default=[], metavar="KEY=VALUE", help="a house rule; may be repeated")
    add(
        "--floor",
        choices=list(FLOOR_SETTINGS),
        default=FREE.name,
        help="how long a table may trade (default: free)",
    )
    add("--deals", type=int, default=100, metavar="N", help="at most so many deals a cell (default: 100)")
    add(
        "--seed",
        default="0",
        metavar="TEXT",
        help="seed of the deals and of the players' chance (default: 0)",
    )
    add(
        "--bot",
        action="append",
        default=[],
        metavar="NAME=PLAYER",
        help="give a player a name; may be repeated",
    )
    add(
        "--engine",
        choices=[*ENGINES, "auto"],
        default="auto",
        help="what plays (default: the fastest that can)",
    )
    add("--goal", type=float, metavar="PERCENT", help="stop a cell once its share is above or below this")
    add("--half-width", type=float, metavar="POINTS", help="stop a cell once its interval is so narrow")
    add("--first-look", type=int, default=0, metavar="DEALS", help="look after so many deals first")
    add(
        "--limit", type=float, default=10.0, metavar="SECONDS", help="a slower decision is late (default: 10)"
    )
    add("--on-fault", choices=["replace", "forfeit"], default="replace", help="what befalls a faulty bot")
    add("--chunk", type=int, metavar="DEALS", help="deals of one piece of work (default: by the engine)")
    add(
        "--executor",
        default=POOL,
        metavar="WHERE",
        help="where it is played: in processes here (pool, the default), by Ray here (ray), or by a running"
        " cluster of Ray (ray:ADDRESS, such as ray:auto)",
    )
    add("--workers", type=int, metavar="N", help="how many processes (default: as many as there are cores)")
    add("--out", type=Path, metavar="DIR", help="the run's folder (default: arena-ACTION-DIGEST)")
    add("--json", action="store_true", help="print the result as JSON")


# -- what it does ----------------------------------------------------------------------------------------


def run(options: argparse.Namespace, catalog: Catalog) -> int:  # noqa: ARG001 - one signature for all sub-commands
    """Play, or write what was played."""
    if options.action == "report":
        return _report(options)
    if options.action == "league" and options.source is not None:
        result, _ = read_run(options.source)
        return _league(options, result)
    folder, result = _played(options)
    write_whole(folder / "report.html", report(result, times_in(folder)).encode())
    if options.json:
        sys.stdout.write(readable(result).decode())
    else:
        console = output(highlight=False)
        console.print(as_tables(result))
        console.print(Text(f"Result, report and chunks: {folder}", "dim"))
    return _league(options, result) if options.action == "league" else 0


def _report(options: argparse.Namespace) -> int:
    result, folder = read_run(options.source)
    out = options.out or folder / "report.html"
    write_whole(out, report(result, times_in(folder)).encode())
    print(out)
    return 0


def _league(options: argparse.Namespace, result: Result) -> int:
    if options.write is not None:
        write_between(options.write, league_table(result))
    elif not options.json:
        print(league_table(result))
    return 0


def _played(options: argparse.Namespace) -> tuple[Path, Result]:
    """Play what is asked for, in its folder."""
    plan = _plan(options)
    folder: Path = options.out or Path(f"arena-{plan.kind}-{digest(plan)}")
    with (
        Store(folder, plan) as store,
        closing(read_where(options.executor, options.workers).executor()) as executor,
        _progress() as watcher,
    ):
        return folder, Match(store, engine_named(plan.engine), executor, watcher).play()


def _plan(options: argparse.Namespace) -> Plan:
    bots = Bots(options.bot)
    order = _order(options)
    if options.action == "run":
        (candidate, *more) = bots.line(options.candidate)
        if more:
            raise UsageError(
                f"{options.candidate[:40]!r}: expected one candidate; `bohn arena matrix` takes more"
            )
        return plan_of("run", run_cells(candidate, map(bots.line, options.against), order), bots, order)
    if options.action == "matrix":
        rows = bots.line(options.rows)
        columns = rows if options.columns is None else bots.line(options.columns)
        return plan_of("matrix", matrix_cells(rows, columns, order), bots, order)
    rows = tuple(PLAYERS) if options.bots is None else bots.line(options.bots)
    return plan_of("league", matrix_cells(rows, rows, order), bots, order)


def _order(options: argparse.Namespace) -> Order:
    deals = _within(options.deals, 1, MOST_DEALS, "--deals")
    chunk = options.chunk if options.chunk is None else _within(options.chunk, 1, MOST_DEALS, "--chunk")
    named = [text.partition("=")[0] for text in options.bot]
    budgets = budgets_of(getattr(options, "budget", []), dict.fromkeys([*PLAYERS, *FORMER, *LEVELS, *named]))
    return Order(
        options.edition,
        usual_players(options.edition) if options.players is None else options.players,
        tuple(options.house),
        options.floor,
        options.seed,
        options.engine,
        deals,
        budgets,
        chunk,
        Stopping(
            _percent(options.half_width, "--half-width"),
            _percent(options.goal, "--goal"),
            _within(options.first_look, 0, deals, "--first-look"),
        ),
        Limits(seconds=_seconds(options.limit), on_fault=options.on_fault),
    )


def _within(number: int, least: int, most: int, what: str) -> int:
    if not least <= number <= most:
        raise UsageError(f"{what} {number}: expected a number from {least} to {most}")
    return number


def _percent(number: float | None, what: str) -> float | None:
    if number is not None and not 0 < number < 100:
        raise UsageError(f"{what} {number:g}: expected a number above 0 and below 100")
    return None if number is None else number / 100


def _seconds(number: float) -> float:
    if not 0 < number <= 3600:
        raise UsageError(f"--limit {number:g}: expected seconds above 0, at most 3600")
    return number


# -- what it shows ---------------------------------------------------------------------------------------


@contextmanager
def _progress() -> Iterator[Watcher]:
    """Show how far it is on stderr: a bar in a terminal, else a line now and then."""
    if not sys.stderr.isatty():
        yield _lines()
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=output(stderr=True), transient=True) as bar:
        task = bar.add_task("")
        yield lambda done: bar.update(task, description=_far(done), completed=done.games, total=done.most)


def _lines() -> Callable[[Done], None]:
    last = [time.monotonic()]

    def tell(done: Done) -> None:
        if time.monotonic() - last[0] >= LINE_EVERY:
            last[0] = time.monotonic()
            print(_far(done), file=sys.stderr, flush=True)

    return tell


def _far(done: Done) -> str:
    return f"{done.games} of at most {done.most} games, {done.cells_over} of {done.cells} cells over"


def as_tables(result: Result) -> Group:
    """Return the result for people."""
    plan = result.plan
    rules = " ".join([plan.edition, *plan.house_rules])
    title = f"{rules}, {plan.players} players, floor {plan.setting}, engine {plan.engine}, seed {plan.seed}"
    parts: list[RenderableType] = [Text(title, "bold"), _cells(result.cells)]
    parts.append(
        Text("± is half the interval over deals: 95 %, for a stopped cell all its looks together.", "dim")
    )
    if result.ratings:
        parts.append(_ratings(result))
    if result.ratings_note:
        parts.append(Text(result.ratings_note, "dim"))
    parts += [
        Text(f"{one.player}: {one.reason} in {one.games} games ({plan.limits.on_fault})", "red")
        for one in result.fault_counts
    ]
    return Group(*parts)


def _cells(cells: tuple[CellResult, ...]) -> Sheet:
    table = Sheet(box=None, padding=(0, 3, 0, 0), header_style="dim")
    table.add_column("cell")
    for name in ("wins", "margin", "coins", "rank", "deals", "games"):
        table.add_column(name, justify="right")
    table.add_column("ended")
    for cell in cells:
        row = cell.rows[0]
        table.add_row(
            cell.name, _mean(row.share, 100, " %"), _mean(row.margin), _mean(row.coins),
            f"{row.rank.mean:.2f}", str(cell.deals), str(cell.games), cell.end,
        )  # fmt: skip
    return table


def _ratings(result: Result) -> Sheet:
    table = Sheet(box=None, padding=(0, 3, 0, 0), header_style="dim")
    table.add_column("rating")
    table.add_column("mu ± sigma", justify="right")
    for one in result.ratings:
        table.add_row(one.player, f"{one.mu:.1f} ± {one.sigma:.1f}")
    return table


def _mean(mean: Mean, factor: int = 1, unit: str = "") -> str:
    half = "?" if mean.plus_minus is None else f"{mean.plus_minus * factor:.1f}"
    return f"{mean.mean * factor:.1f} ± {half}{unit}"
