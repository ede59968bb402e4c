"""Limits that an operator may change while the server runs, and between which values."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from bohn.protocol.refusals import Problem, Refusal
from bohn.server.settings import Limits
from bohn.server.store.operating import SetLimit

CHANGEABLE: dict[str, tuple[float, float]] = {
    "sockets": (1, 100_000),
    "sockets_an_address": (1, 100_000),
    "tables": (1, 100_000),
    "tables_a_user": (1, 1_000),
    "tables_an_address": (1, 100_000),
    "requests_at_once": (1, 100_000),
    "requests_a_second": (0.01, 100_000),
    "guests_at_once": (1, 100_000),
    "guests_a_second": (0.0001, 1_000),
    "sign_ins_at_once": (1, 100_000),
    "sign_ins_a_second": (0.0001, 1_000),
    "commands_at_once": (1, 100_000),
    "commands_a_second": (0.01, 100_000),
    "changes_at_once": (1, 10_000),
    "changes_a_second": (0.01, 1_000),
    "chat_at_once": (1, 1_000),
    "chat_a_second": (0.01, 100),
    "replays_at_once": (1, 10_000),
    "replays_a_second": (0.01, 1_000),
}
"""Each with its least and most: how much is let in. How much is stored and sent stays as it began."""


def checked(name: str, value: float) -> float:
    """Return a value that a limit may have; raises ``not-found`` and ``out-of-range``."""
    least, most = bounds(name)
    if not fits(name, value):
        raise Refusal(Problem.OUT_OF_RANGE, what=name, given=value, least=least, most=most)
    return value


def bounds(name: str) -> tuple[float, float]:
    """Return the least and the most of a limit; raises ``not-found``."""
    if name not in CHANGEABLE:
        raise Refusal(Problem.NOT_FOUND, what=name)
    return CHANGEABLE[name]


def fits(name: str, value: float) -> bool:
    """Tell whether a limit that may be changed may have a value."""
    least, most = CHANGEABLE[name]
    whole = isinstance(getattr(Limits(), name), int)
    return least <= value <= most and (not whole or value == int(value))


def shown(value: float) -> str:
    """Return a value as the log and the terminal show it, with every digit that was given."""
    return f"{value:.12g}"


def over(limits: Limits, set_limits: Iterable[SetLimit]) -> Limits:
    """Return the limits of the settings under those that an operator has set.

    Left out is what this version does not know or allow: the rows may be another's.
    """
    changes = {
        one.name: int(one.value) if isinstance(getattr(limits, one.name), int) else one.value
        for one in set_limits
        if one.name in CHANGEABLE and fits(one.name, one.value)
    }
    return replace(limits, **changes)
