"""Page and terminal have the same sentences: both read one table, and give the same texts."""

from __future__ import annotations

import re

import pytest

from bohn.narration import TABLE
from bohn.narration.parameters import Length, SentenceEntry
from bohn.protocol.shown import SHOWN
from bohn.rules.decide import tag
from bohn.rules.events import Harvested
from tests.narration.telling import (
    Difference,
    Telling,
    by_page,
    by_terminal,
    differing,
    names,
    of_games,
    of_samples,
)

GAP = re.compile(r"[][{}]|\bundefined\b|\bNaN\b|\bnull\b|\bNone\b")

PAGE_FIELD = 1
"""The number of the first field on the page; that of the terminal is another."""

Pages = list[tuple[Telling, list[str | None]]]
"""Events that viewers are shown, each with the sentences of the page."""


@pytest.fixture(scope="module")
def samples() -> Pages:
    """Return one event of each kind, with what the page says."""
    tellings = list(of_samples())
    return list(zip(tellings, by_page(tellings), strict=True))


def differences(told: Pages, first_field: int = PAGE_FIELD) -> list[Difference]:
    """Return the sentences in which page and terminal differ."""
    return [
        difference
        for telling, page in told
        for difference in differing(telling, page, by_terminal(telling, first_field))
    ]


def test_every_event_of_the_golden_games_is_told_the_same() -> None:
    """Whoever sees an event of a golden game reads one sentence, on the page and in the terminal."""
    tellings = list(of_games())

    assert differences(list(zip(tellings, by_page(tellings), strict=True))) == []


def test_every_kind_of_event_is_told_the_same(samples: Pages) -> None:
    """No event is left to the golden games, which reach not all; nor is what computer players say."""
    reached = {tag(type(event)) for telling, _ in samples for event in telling.events}

    assert reached == {tag(kind) for kind in SHOWN}
    assert differences(samples) == []


def test_no_sentence_has_a_gap(samples: Pages) -> None:
    """A text that lacks something would show its key or a parameter in brackets, or a word for nothing."""
    assert [sentence for _, page in samples for sentence in page if GAP.search(sentence or "")] == []


def test_what_is_no_news_is_not_told(samples: Pages) -> None:
    """The page leaves out what the table leaves out, and a host who is nobody."""
    told = [pair for telling, page in samples for pair in zip(names(telling), page, strict=True)]
    untold = {name for name, sentence in told if sentence is None}

    assert untold == {tag(kind) for kind, told in TABLE.items() if told is None} | {"host-passed"}


def test_fields_differ_by_the_number_of_the_first_alone(samples: Pages) -> None:
    """The terminal counts fields from 0, as its commands do, and the page from 1; nothing else differs."""
    planted = {tag(kind) for kind in SHOWN if "field" in getattr(TABLE[kind], "params", {})}

    assert {name for name, *_ in differences(samples, first_field=0)} == planted


def test_a_difference_is_found(samples: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the terminal counted the discarded beans of a harvest as coins, this would be seen."""
    told = TABLE[Harvested]
    assert told is not None
    planted: dict[type, SentenceEntry | None] = {
        Harvested: SentenceEntry(told.params | {"coins": Length("coins+discards")})
    }
    monkeypatch.setattr("bohn.narration.sentences.TABLE", TABLE | planted)

    assert {name for name, *_ in differences(samples)} == {"harvested"}
