"""Sanctions as clients see them: what somebody may not do, until when and why."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from bohn.protocol.refusals import Problem

SanctionKind = Literal["mute", "suspend", "ban"]
"""A muted person does not write, a suspended one only looks on, a banned one is not let in."""

GRAVITY: dict[SanctionKind, int] = {"mute": 1, "suspend": 2, "ban": 3}
"""The graver one includes the others."""

PROBLEMS: dict[SanctionKind, Problem] = {
    "mute": Problem.MUTED,
    "suspend": Problem.SUSPENDED,
    "ban": Problem.BANNED,
}
"""How each is told to whom it meets."""


class Standing(Struct, frozen=True):
    """The gravest sanction that holds for somebody; ``until`` is its end (ms since 1970), if it has one."""

    sanction: SanctionKind
    reason: str
    until: int | None
