"""One HTML page of a run: self-contained, readable in light and dark, every text escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from bohn.arena.engine import Times
from bohn.arena.figures import CellResult
from bohn.arena.league import league_rows
from bohn.arena.match import Result
from bohn.arena.plan import REPLACEMENT
from bohn.arena.plots import bars, curve, heat_map, percent
from bohn.arena.statistics import Mean
from bohn.arena.store import readable
from bohn.arena.timing import times_of
from bohn.bots import recorded_name

STYLE = """
:root { color-scheme: light dark; --ink: #1d2320; --soft: #5d6862; --page: #fbfaf6; --line: #d9d8d0;
  --bar: #3d7a4f; --more: #2f7d5b; --less: #c2622d; --mark: #b3392f; }
@media (prefers-color-scheme: dark) { :root {
  --ink: #e8ebe6; --soft: #a3aea7; --page: #161a18; --line: #353c38;
  --bar: #6fb286; --more: #4fae85; --less: #e08a55; --mark: #ef8377; } }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
p.soft, caption, figcaption { color: var(--soft); font-size: .9rem; text-align: left; }
.wide { overflow-x: auto; } figure { margin: 1rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child, .words td { text-align: left; } th { color: var(--soft); font-weight: 600; }
.words td:last-child { white-space: normal; overflow-wrap: anywhere; }
pre { overflow-x: auto; font-size: .8rem; } svg { width: 100%; height: auto; display: block; }
svg text { fill: var(--ink); font: 13px system-ui, sans-serif; }
svg text.soft { fill: var(--soft); font-size: 12px; }
.bar { fill: var(--bar); } .more { fill: var(--more); } .less { fill: var(--less); }
.whisker { stroke: var(--ink); stroke-width: 1.5; } .mark { stroke: var(--mark); stroke-dasharray: 4 3; }
.grid { stroke: var(--line); } .path { fill: none; stroke: var(--bar); stroke-width: 2; }
.band { fill: var(--bar); fill-opacity: .18; }
"""


def report(result: Result, times: Times) -> str:
    """Return the page of a run; ``times`` are shown beside the result and are no part of it."""
    plan = result.plan
    title = f"{plan.kind}: {plan.edition}, {plan.players} players, floor {plan.setting}"
    parts = (
        f"<h1>{escape(title)}</h1>",
        _about(result),
        _shares(result),
        _matrix(result),
        _league(result),
        _curves(result),
        _cells(result.cells),
        _trade(result.cells),
        _ratings(result),
        _times(times),
        _faults(result),
        _players(result),
        f"<h2>Plan</h2><pre>{escape(readable(plan).decode())}</pre>",
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n<body>\n"
        + "\n".join(part for part in parts if part)
        + "\n</body></html>\n"
    )


def table(head: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """Return a table of texts, all escaped."""
    top = "".join(f"<th>{escape(text)}</th>" for text in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table class="{kind}"><tr>{top}</tr>{body}</table></div>'


def _figure(svg: str, caption: str) -> str:
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


def _mean(mean: Mean, factor: int = 1) -> str:
    half = "?" if mean.plus_minus is None else f"{factor * mean.plus_minus:.2f}"
    return f"{factor * mean.mean:.2f} ± {half}"


def _about(result: Result) -> str:
    plan = result.plan
    games = sum(cell.games for cell in result.cells)
    house = f" with {', '.join(plan.house_rules)}" if plan.house_rules else ""
    text = (
        f"{games:,} games by engine {plan.engine}{house}, seed {plan.seed}, Bohn {plan.version}. Each deal "
        "is played in all arrangements of the seats, or a balanced sample where the table below says so. "
        "Ties are split. Intervals are over deals."
    )
    if plan.stopping.looks:
        text += " Cells end early when their rule is met; the intervals of all looks hold together at 95 %."
    return f'<p class="soft">{escape(text)}</p>'


def _fair(result: Result) -> float:
    return 1 / result.plan.players


def _shares(result: Result) -> str:
    marks = {"fair": _fair(result)}
    if result.plan.stopping.goal is not None:
        marks["goal"] = result.plan.stopping.goal
    rows = [(cell.name, cell.rows[0].share) for cell in result.cells if len(cell.rows) > 1]
    if not rows:
        return ""
    title = "Share of the wins of the candidate"
    return f"<h2>{title}</h2>" + _figure(
        bars(title, rows, marks), "A dashed line marks the fair share and the goal."
    )


def _matrix(result: Result) -> str:
    if result.plan.kind == "run":
        return ""
    pairs = {(cell.line_up[0], cell.line_up[-1]): cell.rows[0].share.mean for cell in result.cells}
    rows, columns = (tuple(dict.fromkeys(pair[side] for pair in pairs)) for side in (0, 1))
    title = "Cross play"
    svg = heat_map(title, rows, columns, pairs, _fair(result))
    caption = f"Share in % of the row against {result.plan.players - 1} copies of the column."
    return f"<h2>{title}</h2>" + _figure(svg, caption)


def _league(result: Result) -> str:
    if result.plan.kind != "league":
        return ""
    rows = [(one.player, one.share) for one in league_rows(result)]
    title = "Standing: mean share over all opponents"
    return f"<h2>{title}</h2>" + _figure(
        bars(title, rows, {"fair": _fair(result)}),
        "Each opponent counts the same; equal deals in several cells count once.",
    )


def _curves(result: Result) -> str:
    shown = [cell for cell in result.cells if len(cell.looks) > 1]
    if not shown:
        return ""
    plots = "".join(
        _figure(
            curve(cell.name, [(look.deals, look.share) for look in cell.looks], result.plan.stopping.goal),
            f"{cell.name}: {cell.end} after {cell.deals} deals",
        )
        for cell in shown
    )
    return f"<h2>Look by look</h2>{plots}"


def _cells(cells: Sequence[CellResult]) -> str:
    head = (
        "cell",
        "player",
        "seats",
        "wins %",
        "coins over others",
        "coins",
        "rank",
        "deals",
        "seatings",
        "ended",
    )
    rows = [
        (
            cell.name if row is cell.rows[0] else "",
            row.player,
            str(row.seats),
            _mean(row.share, 100),
            _mean(row.margin),
            _mean(row.coins),
            _mean(row.rank),
            str(cell.deals),
            f"{cell.arrangements} of {cell.possible}",
            cell.end,
        )
        for cell in cells
        for row in cell.rows
    ]
    return f"<h2>Cells</h2>{table(head, rows)}"


def _trade(cells: Sequence[CellResult]) -> str:
    head = (
        "cell",
        "player",
        "offers",
        "acceptances",
        "gain",
        "part of surplus",
        "trades",
        "gifts",
        "surplus",
        "turns",
    )
    rows = [
        (
            cell.name if row is cell.rows[0] else "",
            row.player,
            f"{row.offers:.1f}",
            f"{row.acceptances:.1f}",
            "-" if row.gain is None else f"{row.gain:.2f}",
            "-" if row.part is None else percent(row.part),
            f"{cell.trades:.1f}",
            f"{cell.gifts:.1f}",
            "-" if cell.surplus is None else f"{cell.surplus:.2f}",
            f"{cell.turns:.1f}",
        )
        for cell in cells
        for row in cell.rows
    ]
    note = (
        "A game: offers, acceptances and gain of one seat; trades, gifts and surplus of the table. Gain and "
        "surplus are coins by a public yardstick: fields after planting, with the part of the way to the "
        "next coin."
    )
    return f'<h2>Trade</h2><p class="soft">{escape(note)}</p>{table(head, rows)}'


def _ratings(result: Result) -> str:
    if result.ratings_note:
        return f'<h2>Ratings</h2><p class="soft">{escape(result.ratings_note)}</p>'
    rows = [(one.player, f"{one.mu:.2f}", f"{one.sigma:.2f}", f"{one.careful:.2f}") for one in result.ratings]
    return "<h2>Ratings</h2>" + table(("player", "mu", "sigma", "mu - 3 sigma"), rows)


def _times(times: Times) -> str:
    rows = [
        (
            one.player,
            str(one.decisions),
            *(f"{1000 * part:.3f}" for part in (one.median, one.p95, one.longest)),
        )
        for one in times_of(times)
        if one.decisions
    ]
    if not rows:
        return ""
    note = "Milliseconds on this machine, all workers busy; no part of the result."
    head = ("player", "decisions", "median", "95 %", "longest")
    return f'<h2>Time for a decision</h2><p class="soft">{escape(note)}</p>{table(head, rows)}'


def _players(result: Result) -> str:
    digests = result.plan.digests
    rows = [(name, spec, digests.get(recorded_name(spec), "-")) for name, spec in result.plan.bots.items()]
    note = "The digest stands for what a player of Bohn does; programs have none."
    return f'<h2>Players</h2><p class="soft">{note}</p>' + table(("name", "player", "digest"), rows, "words")


def _faults(result: Result) -> str:
    if not result.fault_counts:
        return ""
    rule = (
        "The bot is out of that game"
        if result.plan.limits.on_fault == "replace"
        else "The bot has no share and no coins in that game, the others compare among themselves"
    )
    note = f"{rule}; {REPLACEMENT} plays on in its seat. The next game begins with the bot again."
    counts = [(one.player, one.reason, str(one.games)) for one in result.fault_counts]
    rows = [
        (one.player, one.cell, str(one.deal), str(one.seat), one.reason, one.detail) for one in result.faults
    ]
    return (
        f'<h2>Faulty bots</h2><p class="soft">{escape(note)}</p>'
        + table(("player", "reason", "games"), counts)
        + table(("player", "cell", "deal", "seat", "reason", "what"), rows, "words")
    )
