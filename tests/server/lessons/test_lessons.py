"""Every lesson is a game like any other, with a story that can be told in it."""

from __future__ import annotations

import tomllib
from importlib.resources import files

import msgspec
import pytest

from bohn.bots import PLAYERS as ORDINARY
from bohn.notation.errors import NotationError
from bohn.notation.records import Record, header_of, read_record, verify
from bohn.notation.records import format_record as text_of
from bohn.rules.errors import UnknownEdition
from bohn.rules.resolve import resolve
from bohn.server.lessons import LESSONS, PLAYERS, Lesson
from bohn.server.lessons.lesson import read_lesson

FILE = (files("bohn.server.lessons") / "first-game.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_lesson_begins_with_a_deal_that_verifies(lesson: Lesson) -> None:
    """Its cards come from a seed, as everybody's do."""
    seed = lesson.entries[0].events[0].seed  # type: ignore[union-attr]  # - the deal
    header = header_of(lesson.rules, lesson.names, seed, "test")

    verify(read_record(text_of(Record(header, lesson.entries))))


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_lesson_has_a_learner_and_bots_with_names(lesson: Lesson) -> None:
    """One seat is the learner's; the others have bots of that lesson, who do what the story says."""
    story, seats = lesson.story, range(lesson.rules.players)

    assert len(lesson.names) == lesson.rules.players
    assert [name == "" for name in lesson.names] == [seat == lesson.seat for seat in seats]
    assert lesson.rules == resolve(lesson.rules.edition, lesson.rules.players, *lesson.rules.house_rules)
    for offer in story.offers:
        assert offer.by != lesson.seat
        assert offer.by not in offer.to
        assert 1 <= offer.turn <= story.turns
    assert {taste.by for taste in story.tastes} <= set(seats) - {lesson.seat}


def test_bots_of_lessons_are_beside_the_ordinary_ones() -> None:
    """None takes the name of another."""
    assert ORDINARY.items() <= PLAYERS.items()
    assert set(PLAYERS) - set(ORDINARY) == set(LESSONS)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (("seed = 345887", 'seed = "x"'), msgspec.ValidationError),
        (("names = ", "titles = "), msgspec.ValidationError),
        (('give = "red"', 'give = "purple"'), NotationError),
        (("players = 3", "players = 9"), UnknownEdition),
        (("seat = 0", "seat ="), tomllib.TOMLDecodeError),
    ],
)
def test_lesson_with_a_mistake_is_refused(change: tuple[str, str], error: type[Exception]) -> None:
    """When the server starts, and not when somebody wants to learn."""
    assert change[0] in FILE

    with pytest.raises(error):
        read_lesson(FILE.replace(*change, 1))
