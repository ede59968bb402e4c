"""A view module does not import while its table lacks an event or a phase."""

from __future__ import annotations

import subprocess
import sys
from typing import get_args

import pytest

from bohn.rules.events import AnyEvent, Event
from bohn.views.exhaustive import require_complete

UNSEEN_TYPES = {
    "visible": "from bohn.rules import events as e\nclass Whispered(e.Event, frozen=True, tag='w'): ...",
    "view": (
        "import msgspec\nfrom bohn.rules import state as s\n"
        "class Whispered(msgspec.Struct, frozen=True, tag_field='phase', tag='w'): ...\n"
        "s.Phase = s.Phase | Whispered"
    ),
}
"""For each module, code that adds a type of which no table says who sees it."""


@pytest.mark.parametrize(("module", "what"), [("visible", "event"), ("view", "phase")])
def test_import_fails_while_a_type_is_missing_from_its_table(module: str, what: str) -> None:
    """With an event or a phase of which the table says nothing, the module does not import, and names it."""
    code = f"{UNSEEN_TYPES[module]}\nimport runpy\nrunpy.run_module('bohn.views.{module}')"
    # -W ignore: runpy warns that the package has imported the module already
    program = [sys.executable, "-W", "ignore", "-c", code]
    result = subprocess.run(program, capture_output=True, text=True, check=False)  # noqa: S603 - the interpreter itself

    assert result.stderr.splitlines()[-1] == f"TypeError: who sees this {what}? Whispered"


def test_complete_table_passes() -> None:
    """A table with every type raises nothing, and may have more."""
    require_complete("event", (int, str), {int, str, bytes})


def test_missing_types_are_named() -> None:
    """All that a table lacks stand in the message, in the order in which they were asked for."""
    with pytest.raises(TypeError, match=r"^who sees this event\? str, bytes$"):
        require_complete("event", (int, str, bytes), {int})


def test_all_events_are_in_the_union() -> None:
    """`AnyEvent` names every event class of its module."""
    own = {kind for kind in Event.__subclasses__() if kind.__module__ == Event.__module__}

    assert own == set(get_args(AnyEvent))
