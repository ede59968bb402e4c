"""The table of sentences: every event, places that there are, parameters that the texts ask for."""

from __future__ import annotations

import re
from typing import Any, get_type_hints

import pytest

from bohn.bots.reasons import TEXTS
from bohn.i18n import available, catalog
from bohn.narration import REMARK, TABLE
from bohn.narration.parameters import SentenceEntry
from bohn.narration.table import MissingEntry, check
from bohn.rules.decide import tag
from bohn.rules.events import Passed, Planted
from tests.i18n.test_catalog import names

ENTRIES = [(kind, told) for kind, told in TABLE.items() if told is not None]


def places(told: SentenceEntry) -> set[str]:
    """Return where an entry looks for values in the event itself."""
    found = {place for side in told.sides or () for place in (side.seat, *side.gave.split("+"))}
    if told.sides is None:
        for param in told.params.values():
            found |= {place for text in param.__struct_fields__ for place in getattr(param, text).split("+")}
    return found | ({told.needs} if told.needs else set())


def test_an_event_without_an_entry_does_not_import() -> None:
    """The check that the module runs on itself names what is missing."""
    with pytest.raises(MissingEntry, match="differ in Passed"):
        check([Planted], [Planted, Passed])


def test_an_entry_without_an_event_does_not_import() -> None:
    """Nor does an entry for what is no event any more."""
    with pytest.raises(MissingEntry, match="differ in Passed"):
        check([Planted, Passed], [Planted])


@pytest.mark.parametrize(("kind", "told"), ENTRIES, ids=[kind.__name__ for kind, _ in ENTRIES])
def test_every_place_of_an_entry_is_in_its_event(kind: type[Any], told: SentenceEntry) -> None:
    """A place that is not there would be found when somebody is told of it."""
    for place in places(told):
        found: Any = kind
        for name in place.split("."):
            hints = get_type_hints(found)
            assert name in hints
            found = hints[name]


@pytest.mark.parametrize("lang", available())
def test_every_text_names_only_what_its_entry_has(lang: str) -> None:
    """A text may ask for its parameters in any form, and for nothing else."""
    texts = catalog._patterns(lang)
    strange = {
        tag(kind): found
        for kind, told in ENTRIES
        if (found := {name.partition("_")[0] for name in names(texts[f"event.{tag(kind)}"])} - {*told.params})
    }

    assert strange == {}


def test_no_parameter_has_an_underscore() -> None:
    """What stands behind one is a form."""
    found = {name for _, told in ENTRIES for name in told.params} | {*REMARK}

    assert {name for name in found if not re.fullmatch("[a-z]+", name)} == set()


@pytest.mark.parametrize("lang", available())
def test_remarks_name_only_what_they_are_given(lang: str) -> None:
    """What computer players may say has a parameter for each name in its text."""
    texts = catalog._patterns(lang)
    strange = {key: {name.partition("_")[0] for name in names(texts[key])} - {*REMARK} for key in TEXTS}

    assert {key: found for key, found in strange.items() if found} == {}
