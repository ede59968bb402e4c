"""A new event or phase stops the import until the tables of the views say who sees it."""

from __future__ import annotations

import subprocess
import sys
from typing import get_args

import pytest

from bohn.rules.events import AnyEvent, Event
from bohn.views.exhaustive import require_complete

PLANTED = {
    "visible": "from bohn.rules import events as e\nclass Whispered(e.Event, frozen=True, tag='w'): ...",
    "view": (
        "from bohn.rules import state as s\n"
        "class Whispered(s.Struct, frozen=True, tag_field='phase', tag='w'): ...\n"
        "s.Phase = s.Phase | Whispered"
    ),
}


@pytest.mark.parametrize(("module", "what"), [("visible", "event"), ("view", "phase")])
def test_new_type_stops_the_import_until_it_says_who_sees_it(module: str, what: str) -> None:
    """With an event or a phase of which the table says nothing, the module does not import, and names it."""
    code = f"{PLANTED[module]}\nimport runpy\nrunpy.run_module('bohn.views.{module}')"
    program = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(program, capture_output=True, text=True, check=False)  # noqa: S603 - the interpreter itself

    assert done.stderr.splitlines()[-1] == f"TypeError: who sees this {what}? Whispered"


def test_complete_table_passes() -> None:
    """A table with every type raises nothing, and may have more."""
    require_complete("event", (int, str), {int, str, bytes})


def test_all_events_are_in_the_union() -> None:
    """The events that are checked are those of the union of all events."""
    own = {kind for kind in Event.__subclasses__() if kind.__module__ == Event.__module__}

    assert own == set(get_args(AnyEvent))
