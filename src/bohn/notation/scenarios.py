"""Scenarios: text files that test the rules by a position, steps and what must follow.

``bohn scenarios FILES...`` runs them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from msgspec import Struct

from bohn.notation.commands import format_refusal, parse_command
from bohn.notation.compare import check_outcome_keys, differences
from bohn.notation.errors import NotationError, shorten
from bohn.notation.events import format_event
from bohn.notation.positions import SETUP_KEYS, parse_setup
from bohn.notation.reading import (
    TomlTable,
    known_keys,
    load_toml,
    number,
    table_of,
    tables_of,
    text_of,
    texts_of,
)
from bohn.notation.summary import summary
from bohn.rules.decide import decide
from bohn.rules.errors import IllegalCommand, Reason
from bohn.rules.evolve import fold
from bohn.rules.ruleset import Rules
from bohn.rules.state import State

MOST_STEPS = 1_000
"""Steps a scenario may have, so that a file cannot keep the program busy; most have fewer than ten."""


class Step(Struct, frozen=True):
    """One command and what must come of it: a refusal, or events of which these are the beginning."""

    by: int
    do: str
    refuse: str | None = None
    refuse_clause: str | None = None
    events: tuple[str, ...] = ()


class Scenario(Struct, frozen=True):
    """One case: the clause it shows, where it begins, its steps, and what must hold in the end.

    ``setup`` are the rules and the position, or why they were refused, which is right if ``refuse_setup`` is
    a part of this message.
    """

    clause: str
    title: str
    setup: tuple[Rules, State] | NotationError
    steps: tuple[Step, ...]
    then: dict[str, Any]
    refuse_setup: str | None = None

    def begin(self) -> tuple[Rules, State]:
        """Return the rules and the position. Raises :class:`NotationError` where the set-up is refused."""
        if isinstance(self.setup, NotationError):
            raise self.setup
        return self.setup


class Failure(Struct, frozen=True):
    """What a scenario expected at a step, what was found instead, and the position there."""

    step: str
    expected: str
    found: str
    position: str

    def __str__(self) -> str:
        """Return all of it on one line."""
        return f"{self.step}: expected {self.expected}; found {self.found}; position: {self.position}"


# -- reading ----------------------------------------------------------------------------------------


def load_scenario(text: str | bytes, clauses: Collection[str] = ()) -> Scenario:
    """Return the scenario that a TOML text describes. Raises :class:`NotationError`.

    ``clauses`` are the ids it may cite; without any, none is refused.
    """
    document = load_toml(text)
    known_keys(document, (*SETUP_KEYS, "clause", "title", "refuse_setup", "steps", "then"), "scenario")
    clause, title = text_of(document.get("clause"), "clause"), text_of(document.get("title"), "title")
    require_clause(clause, clauses, "clause")
    if "refuse_setup" in document:
        return _refused(document, clause, title)
    steps = tables_of(document.get("steps", []), "steps")
    if len(steps) > MOST_STEPS:
        msg = f"steps: expected at most {MOST_STEPS}, not {len(steps)}"
        raise NotationError(msg)
    setup = parse_setup(document)
    then = dict(table_of(document.get("then", {}), "then"))
    check_outcome_keys(then, setup[0].players)
    if not steps and not then:
        msg = "scenario: expected [[steps]], or [then], or both"
        raise NotationError(msg)
    read = tuple(_step(step, f"steps[{i}]") for i, step in enumerate(steps))
    for i, step in enumerate(read):
        require_clause(step.refuse_clause, clauses, f"steps[{i}].refuse_clause")
    return Scenario(clause, title, setup, read, then)


def require_clause(clause: str | None, clauses: Collection[str], where: str) -> None:
    """Refuse a clause that is not among those there are."""
    if clause is not None and clauses and clause not in clauses:
        msg = f"{where}: expected a clause of the rules such as HARVEST-4, not {shorten(clause)}"
        raise NotationError(msg)


def _refused(document: TomlTable, clause: str, title: str) -> Scenario:
    """Return a scenario of a set-up that is to be refused, with the error if it is."""
    part = text_of(document["refuse_setup"], "refuse_setup")
    if "steps" in document or "then" in document:
        msg = "scenario: expected refuse_setup without [[steps]] and [then]"
        raise NotationError(msg)
    try:
        setup: tuple[Rules, State] | NotationError = parse_setup(document)
    except NotationError as error:
        setup = error
    return Scenario(clause, title, setup, (), {}, part)


def _step(table: TomlTable, where: str) -> Step:
    known_keys(table, Step.__struct_fields__, where)
    refuse = text_of(table["refuse"], f"{where}.refuse") if "refuse" in table else None
    clause = text_of(table["refuse_clause"], f"{where}.refuse_clause") if "refuse_clause" in table else None
    if refuse is not None and refuse not in set(Reason):
        msg = f"{where}.refuse: expected a reason ({', '.join(Reason)}), not {shorten(refuse)}"
        raise NotationError(msg)
    if (refuse is None and clause is not None) or (refuse is not None and "events" in table):
        msg = f"{where}: expected refuse with or without refuse_clause, or events, or neither"
        raise NotationError(msg)
    by, do = number(table.get("by"), f"{where}.by"), text_of(table.get("do"), f"{where}.do")
    return Step(by, do, refuse, clause, texts_of(table.get("events", []), f"{where}.events"))


# -- running -----------------------------------------------------------------------------------------


def run_scenario(scenario: Scenario) -> list[Failure]:
    """Return the failures of a scenario; none if everything is as it says.

    It ends at the first step that fails, because what follows depends on it.
    """
    if scenario.refuse_setup is not None:
        return _setup_failures(scenario.setup, scenario.refuse_setup)
    rules, state = scenario.begin()
    for i, step in enumerate(scenario.steps):
        try:
            after = _play(rules, state, step)
        except _Unexpected as found:
            where = f"steps[{i}] ({step.by}: {shorten(step.do, 200)})"
            return [Failure(where, found.expected, found.found, " / ".join(summary(rules, state)))]
        state = after
    position = " / ".join(summary(rules, state))
    return [
        Failure(f"then.{key}", expected, found, position)
        for key, expected, found in differences(rules, state, scenario.then)
    ]


def _setup_failures(setup: tuple[Rules, State] | NotationError, part: str) -> list[Failure]:
    """Return the failure of a set-up that is not refused, or not for the reason that was expected."""
    if isinstance(setup, NotationError):
        found, position = str(setup), "none"
    else:
        found, position = "a position", " / ".join(summary(*setup))
    if isinstance(setup, NotationError) and part in found:
        return []
    return [Failure("refuse_setup", f"a refusal with {shorten(part, 200)}", found, position)]


class _Unexpected(Exception):  # noqa: N818 - it never leaves this module
    """A step that came out differently."""

    def __init__(self, expected: str, found: str) -> None:
        super().__init__(expected, found)
        self.expected = expected
        self.found = found


def _play(rules: Rules, state: State, step: Step) -> State:
    """Return the state after a step, or raise what was unexpected about it."""
    try:
        events = decide(rules, state, parse_command(step.do, step.by, state, rules))
    except NotationError as error:
        raise _Unexpected("a command", str(error)) from None
    except IllegalCommand as refusal:
        _require_refusal(step, refusal)
        return state
    texts = [format_event(event) for event in events]
    if step.refuse is not None:
        raise _Unexpected(f"the refusal {step.refuse}", f"events {texts}")
    for i, expected in enumerate(step.events):
        if i >= len(texts) or not _written_out(texts[i]).startswith(_written_out(expected)):
            found = f"events {texts}"
            raise _Unexpected(f"event {i} to begin with {shorten(expected, 200)}", found)
    return fold(events, state)


def _require_refusal(step: Step, refusal: IllegalCommand) -> None:
    if step.refuse is None:
        raise _Unexpected("a legal command", f"the refusal {format_refusal(refusal)}")
    if step.refuse != refusal.reason or step.refuse_clause not in (None, refusal.clause):
        clause = f" ({step.refuse_clause})" if step.refuse_clause else ""
        raise _Unexpected(f"the refusal {step.refuse}{clause}", f"the refusal {format_refusal(refusal)}")


def _written_out(text: str) -> str:
    """Return an event's text with ``red*2`` as ``red red``, so that either form matches the other."""
    return re.sub(
        r"([a-z_]+)\*([0-9]{1,3})\b", lambda match: " ".join([match[1]] * int(match[2])), text.strip()
    )


# -- many at once ------------------------------------------------------------------------------------


def run_texts(texts: Sequence[tuple[str, bytes]], clauses: Collection[str] = ()) -> list[str]:
    """Return a line for each failure of the scenarios, which come with their names.

    ``clauses`` are the ids they may cite, as in :func:`load_scenario`.
    """
    lines: list[str] = []
    for name, text in texts:
        try:
            failures = [str(failure) for failure in run_scenario(load_scenario(text, clauses))]
        except NotationError as error:
            failures = [str(error)]
        lines += [f"{name}: {failure}" for failure in failures]
    return lines
