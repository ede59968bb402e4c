"""`bohn simulate`: many games between computer players, and what came of them."""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures.process import BrokenProcessPool

import msgspec
from msgspec.structs import replace
from rich.console import Group
from rich.progress import Progress
from rich.text import Text

from bohn.bots import DEFAULT, LEVELS, LOADED_LAZILY, PLAYERS, compile_traders, current_name, digests_of
from bohn.cli.console import Sheet, output
from bohn.cli.errors import UsageError
from bohn.cli.seats import usual_players
from bohn.i18n import Catalog
from bohn.play.floor import FLOOR_SETTINGS, FREE
from bohn.play.simulate import Mean, PlayerResult, Summary, simulate
from bohn.rules.editions import DEFAULT_EDITION, EDITIONS
from bohn.rules.resolve import resolve

MOST_GAMES = 1_000_000
MOST_WORKERS = 256


def add_arguments(parser: argparse.ArgumentParser, catalog: Catalog) -> None:
    """Declare what `bohn simulate` understands."""
    say = catalog.text
    parser.add_argument(
        "--edition", default=DEFAULT_EDITION, help=say("arg.edition", known=", ".join(EDITIONS))
    )
    parser.add_argument("--players", type=int, metavar="N", help=say("arg.players"))
    parser.add_argument("--bots", default=DEFAULT, metavar="LIST", help=say("arg.bots"))
    parser.add_argument("--games", type=int, default=100, metavar="N", help=say("arg.games"))
    parser.add_argument("--seed", type=int, default=0, metavar="N", help=say("arg.first-seed"))
    parser.add_argument("--house", action="append", default=[], metavar="KEY=VALUE", help=say("arg.house"))
    parser.add_argument("--floor", choices=list(FLOOR_SETTINGS), default=FREE.name, help=say("arg.floor"))
    parser.add_argument("--workers", type=int, metavar="N", help=say("arg.workers"))
    parser.add_argument("--json", action="store_true", help=say("arg.json"))


def run(options: argparse.Namespace, catalog: Catalog) -> int:
    """Play the games and print the result."""
    bots = _bots(options)
    games = _within(options.games, 1, MOST_GAMES, "--games")
    usual = min(os.cpu_count() or 1, max(1, games // len(bots)))
    workers = _within(usual if options.workers is None else options.workers, 1, MOST_WORKERS, "--workers")
    summary = _played(options, catalog, bots, games, workers)
    if options.json:
        print(msgspec.json.format(msgspec.json.encode(summary), indent=2).decode())
    else:
        output(highlight=False).print(as_table(catalog, summary))
    return 0


def _played(
    options: argparse.Namespace, catalog: Catalog, bots: tuple[str, ...], games: int, workers: int
) -> Summary:
    """Play with a progress bar on stderr, if somebody looks."""
    console = output(stderr=True)
    with Progress(console=console, transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(catalog.text("simulate.progress"), total=games)
        if workers > 1 and not set(LOADED_LAZILY).isdisjoint(bots):
            compile_traders()  # here once, not in every worker
        try:
            summary = simulate(
                options.edition,
                len(bots),
                bots,
                games,
                options.seed,
                options.floor,
                workers,
                lambda done: bar.update(task, completed=done),
                factories=PLAYERS,
                house_rules=tuple(options.house),
            )
            return replace(summary, digests=digests_of(bots))
        except BrokenProcessPool:
            msg = "a worker was stopped before its games were over; try fewer --workers"
            raise UsageError(msg) from None


def _within(number: int, least: int, most: int, what: str) -> int:
    if not least <= number <= most:
        msg = f"{what} {number}: expected a number from {least} to {most}"
        raise UsageError(msg)
    return number


def _bots(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the computer player of each seat."""
    bots = tuple(current_name(name.strip()) for name in options.bots.split(","))
    for name in bots:
        if name not in PLAYERS:
            msg = f"--bots: expected computer players ({', '.join((*PLAYERS, *LEVELS))}), not {name[:20]!r}"
            raise UsageError(msg)
    if len(bots) == 1:
        players = options.players if options.players is not None else usual_players(options.edition)
        resolve(options.edition, players)  # says which numbers there are
        return bots * players
    if options.players not in (None, len(bots)):
        msg = f"--players says {options.players}, --bots names {len(bots)}; expected the same number"
        raise UsageError(msg)
    return bots


# -- the result ----------------------------------------------------------------------------------------


def as_table(catalog: Catalog, summary: Summary) -> Group:
    """Return the summary for people: each player of the line-up, and equal ones together."""
    say = catalog.text
    title = say(
        "simulate.title",
        edition=" ".join([summary.edition, *summary.house_rules]),
        players=summary.players,
        games=summary.games,
        deals=summary.deals,
        setting=summary.setting,
    )
    table = Sheet(box=None, padding=(0, 3, 0, 0), header_style="dim")
    table.add_column(say("simulate.bot"))
    table.add_column(say("simulate.coins"), justify="right")
    table.add_column(say("simulate.wins"), justify="right")
    for entry in summary.entries:
        table.add_row(*_cells(entry))
    if len({entry.name for entry in summary.entries}) not in (1, len(summary.entries)):
        table.add_section()
        for entry in summary.by_name:
            table.add_row(*_cells(entry), style="bold")
    course = say(
        "simulate.course",
        turns=f"{summary.turns:.1f}",
        offers=f"{summary.stats['offers']:.1f}",
        trades=f"{summary.stats['trades']:.1f}",
        gifts=f"{summary.stats['gifts']:.1f}",
    )
    return Group(Text(title, "bold"), table, Text(course), Text(say("simulate.intervals"), "dim"))


def _cells(entry: PlayerResult) -> tuple[str, str, str]:
    return entry.name, _mean(entry.coins), _mean(entry.share, 100, " %")


def _mean(mean: Mean, factor: int = 1, unit: str = "") -> str:
    return f"{mean.mean * factor:.1f} ± {mean.plus_minus * factor:.1f}{unit}"
