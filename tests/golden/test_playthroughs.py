"""The golden playthroughs: whatever changes in a game shows here as a difference one can read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from bohn.notation.commands import parse_command
from bohn.notation.playthrough import playthrough
from bohn.rules import decide, fold, opening, resolve, seed_from
from bohn.rules.commands import Command
from bohn.rules.editions import EDITIONS
from bohn.rules.events import Event
from tests.golden.regenerate import ALIKE, PLAYTHROUGHS, SEED, expected

GAMES = [(edition, players) for edition, by_players in EDITIONS.items() for players in by_players]


def commands_in(text: str) -> Iterator[Command]:
    """Yield the commands of a playthrough, in order."""
    for line in text.splitlines():
        number, _, said = line.partition(" ")
        seat, _, words = said.partition(": ")
        if number.startswith("#") and seat.isdecimal():
            yield parse_command(words, int(seat))


@pytest.mark.parametrize(("edition", "players"), GAMES)
def test_playthrough_is_unchanged(edition: str, players: int) -> None:
    """The commands of the golden game still lead to the very same game, to its end."""
    text = expected(edition, players)
    rules = resolve(edition, players)
    begun = opening(rules, seed_from(SEED))
    state = fold(begun)
    batches: list[tuple[Command | None, tuple[Event, ...]]] = [(None, begun)]
    for command in commands_in(text):
        events = decide(rules, state, command)
        state = fold(events, state)
        batches.append((command, events))

    assert "  > game-ended " in text
    assert text == playthrough(rules, batches)


def test_playthrough_files_are_those_of_tables_that_do_not_play_alike() -> None:
    """No file is missing, none is left over."""
    files = {f"{edition}-{players}p.txt" for edition, players in GAMES if (edition, players) not in ALIKE}

    assert files == {path.name for path in PLAYTHROUGHS.iterdir()}


@pytest.mark.parametrize(("edition", "players"), ALIKE)
def test_tables_that_play_alike_differ_in_what_is_told_of_them_only(edition: str, players: int) -> None:
    """With the name and the named rules of the one, the other is the same, and so is its playthrough."""
    edition_alike, others = ALIKE[edition, players]
    rules = resolve(edition, players)

    assert replace(resolve(edition_alike, players), edition=edition, **dict(others)) == rules
