"""What a host may choose for a table."""

from __future__ import annotations

from msgspec.structs import replace

from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import HOURS, Hours, Options
from bohn.rules import resolve
from bohn.rules.editions import EDITIONS
from bohn.rules.errors import UnknownEdition
from bohn.rules.resolve import HEAD_START, house_rules_for
from bohn.rules.ruleset import Rules
from bohn.server.zones import is_long_enough, is_zone

LONGEST_DELAY = 3_600
"""Seconds by which spectators may see a game later."""

UNANIMOUS = "closing=unanimous"
"""The house rule by which the trading ends when everybody has passed."""


def check_options(options: Options) -> Rules:
    """Return the rules that the options name.

    Raises :class:`Refusal` (``options-not-valid``), where ``what`` is ``edition``, ``players``,
    ``house-rules``, ``delay`` or ``hours``.
    """
    if not 0 <= options.delay <= LONGEST_DELAY:
        raise Refusal(Problem.OPTIONS_NOT_VALID, what="delay")
    if options.hours and (options.clock not in HOURS or not _playable(options.hours)):
        raise Refusal(Problem.OPTIONS_NOT_VALID, what="hours")
    if options.edition not in EDITIONS:
        raise Refusal(Problem.OPTIONS_NOT_VALID, what="edition")
    if options.players not in EDITIONS[options.edition]:
        raise Refusal(Problem.OPTIONS_NOT_VALID, what="players")
    try:
        return resolve(options.edition, options.players, *options.house_rules)
    except UnknownEdition:
        raise Refusal(Problem.OPTIONS_NOT_VALID, what="house-rules") from None


def has_head_start(options: Options, seat: int) -> bool:
    """Whether whoever sits there begins with a head start."""
    return options != without_head_start(options, seat)


def without_head_start(options: Options, seat: int) -> Options:
    """Return the options after somebody has left a seat: its head start was his (HOUSE-7)."""
    left = tuple(rule for rule in options.house_rules if not rule.startswith(f"{HEAD_START}={seat}:"))
    return replace(options, house_rules=left)


def _playable(hours: Hours) -> bool:
    return is_zone(hours.zone) and is_long_enough(hours)


def over_days(options: Options, rules: Rules) -> Options:
    """Return the options of a table with these ``rules``; over days all end the trading by themselves.

    People come by one after the other: the active player, or a computer player, would close a market before
    most have seen it. What everybody passes stands in the log, so it holds when nobody looks.
    """
    chosen = any(rule.startswith("closing=") for rule in options.house_rules)
    if options.clock not in HOURS or chosen or UNANIMOUS not in house_rules_for(rules):
        return options
    return replace(options, house_rules=(*options.house_rules, UNANIMOUS))
