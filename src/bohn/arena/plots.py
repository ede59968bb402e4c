"""Plots as inline SVG: no script, no font and no address, colours by the style sheet of the page.

Every text that comes from outside is escaped here, where it is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import isfinite, log2

from bohn.arena.statistics import Mean

WIDTH = 720
LABEL = 230
ROW = 30
TOP = 26


def percent(value: float) -> str:
    """Return a share as a text."""
    return f"{100 * value:.1f} %"


def _svg(height: float, title: str, body: str, width: float = WIDTH) -> str:
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" style="max-width:{width:g}px" role="img" '
        f'aria-label="{escape(title)}"><title>{escape(title)}</title>{body}</svg>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x: float, y: float, text: str, anchor: str = "start", kind: str = "") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def bars(title: str, rows: Sequence[tuple[str, Mean]], marks: Mapping[str, float]) -> str:
    """Return bars of shares with their intervals, from 0 to 100 %, and named lines across them."""
    height = TOP + ROW * len(rows) + 8
    room = WIDTH - LABEL - 70

    def place(share: float) -> float:
        return LABEL + room * min(1.0, max(0.0, share))

    parts = []
    for name, value in marks.items():
        parts.append(_line(place(value), TOP - 4, place(value), height - 4, "mark"))
        parts.append(_text(place(value), 12, name, "middle", "soft"))
    for number, (name, mean) in enumerate(rows):
        middle = TOP + ROW * number + ROW / 2
        bar = place(mean.mean) - LABEL
        parts.append(_text(LABEL - 10, middle + 4, _cut(name, 32), "end"))
        parts.append(
            f'<rect class="bar" x="{LABEL}" y="{middle - 8:.1f}" width="{bar:.1f}" height="16" rx="3">'
        )
        parts.append(f"<title>{escape(name)}: {percent(mean.mean)}</title></rect>")
        if mean.plus_minus is not None:
            parts.append(_line(place(mean.low), middle, place(mean.high), middle, "whisker"))
            parts += [
                _line(place(end), middle - 5, place(end), middle + 5, "whisker")
                for end in (mean.low, mean.high)
            ]
        parts.append(_text(WIDTH - 62, middle + 4, percent(mean.mean)))
    return _svg(height, title, "".join(parts))


def heat_map(
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    values: Mapping[tuple[str, str], float],
    fair: float,
) -> str:
    """Return a cross play: the share of the row against copies of the column, coloured by how fair it is."""
    size, left = 62, 150
    head = 30 + 6 * max((len(_cut(name, 14)) for name in columns), default=0)
    parts = []
    for number, column in enumerate(columns):
        x, y = left + size * number + size / 2, head - 8
        turned = f'transform="rotate(-40 {x:.1f} {y:.1f})"'
        parts.append(f'<text x="{x:.1f}" y="{y:.1f}" {turned}>{escape(_cut(column, 14))}</text>')
    for down, row in enumerate(rows):
        y = head + 36 * down
        parts.append(_text(left - 10, y + 22, _cut(row, 20), "end"))
        for across, column in enumerate(columns):
            value = values.get((row, column))
            if value is not None:
                parts.append(_tile(left + size * across, y, size, value, fair, f"{row} vs {column}"))
    return _svg(head + 36 * len(rows) + 6, title, "".join(parts), max(320, left + size * len(columns) + 60))


def _tile(x: float, y: float, size: float, value: float, fair: float, name: str) -> str:
    away = (value - fair) / ((1 - fair) if value > fair else fair)
    kind = "more" if away >= 0 else "less"
    return (
        f'<rect class="{kind}" x="{x + 1:.1f}" y="{y + 1:.1f}" width="{size - 2:.1f}" height="34" rx="3" '
        f'fill-opacity="{0.06 + 0.64 * abs(away):.2f}"><title>{escape(name)}: {percent(value)}</title></rect>'
        + _text(x + size / 2, y + 22, f"{100 * value:.1f}", "middle")
    )


def curve(title: str, points: Sequence[tuple[int, Mean]], goal: float | None) -> str:
    """Return the share over the number of deals (each step doubles), with the interval at each look."""
    left, right, top, bottom = 60.0, 20.0, 16.0, 34.0
    height = 220.0
    first, last = log2(points[0][0]), log2(points[-1][0])

    def across(deals: int) -> float:
        part = (log2(deals) - first) / (last - first) if last > first else 0.5
        return left + (WIDTH - left - right) * part

    def up(share: float) -> float:
        return top + (height - top - bottom) * (1 - min(1.0, max(0.0, share)))

    parts = [_line(left, up(tick / 4), WIDTH - right, up(tick / 4), "grid") for tick in range(5)]
    parts += [_text(left - 8, up(tick / 4) + 4, f"{25 * tick} %", "end", "soft") for tick in range(5)]
    if goal is not None:
        parts.append(_line(left, up(goal), WIDTH - right, up(goal), "mark"))
    shown = [(across(deals), mean) for deals, mean in points if isfinite(mean.low)]
    band = [f"{x:.1f},{up(m.low):.1f}" for x, m in shown] + [
        f"{x:.1f},{up(m.high):.1f}" for x, m in shown[::-1]
    ]
    parts.append(f'<polygon class="band" points="{" ".join(band)}"/>')
    path = " ".join(f"{across(deals):.1f},{up(mean.mean):.1f}" for deals, mean in points)
    parts.append(f'<polyline class="path" points="{path}"/>')
    for deals, mean in points:
        parts.append(f'<circle class="bar" cx="{across(deals):.1f}" cy="{up(mean.mean):.1f}" r="4">')
        parts.append(f"<title>{deals}: {percent(mean.mean)}</title></circle>")
        parts.append(_text(across(deals), height - 12, str(deals), "middle", "soft"))
    return _svg(height, title, "".join(parts))
