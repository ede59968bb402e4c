"""What a host may choose for a table."""

from __future__ import annotations

from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Options
from bohn.rules import resolve
from bohn.rules.editions import EDITIONS
from bohn.rules.errors import UnknownEdition
from bohn.rules.ruleset import Rules

LONGEST_DELAY = 3_600
"""Seconds by which spectators may see a game later."""


def check_options(options: Options) -> Rules:
    """Return the rules that the options name.

    Raises :class:`Refusal` (``options-not-valid``), where ``what`` is ``edition``, ``players``,
    ``house-rules`` or ``delay``.
    """
    if not 0 <= options.delay <= LONGEST_DELAY:
        raise Refusal(Problem.OPTIONS_NOT_VALID, what="delay")
    if options.edition not in EDITIONS:
        raise Refusal(Problem.OPTIONS_NOT_VALID, what="edition")
    if options.players not in EDITIONS[options.edition]:
        raise Refusal(Problem.OPTIONS_NOT_VALID, what="players")
    try:
        return resolve(options.edition, options.players, *options.house_rules)
    except UnknownEdition:
        raise Refusal(Problem.OPTIONS_NOT_VALID, what="house-rules") from None
