"""Games of computer players are written down in words."""

from __future__ import annotations

from io import StringIO

from bench.reading import Story
from bohn.bots import PLAYERS
from bohn.play.floor import BRISK, play_game
from bohn.rules import resolve


def test_game_is_written_turn_by_turn_with_all_hands() -> None:
    """Each turn has its number, what everybody has when trading begins, and what happens in sentences."""
    rules, out = resolve("full", 3), StringIO()
    story = Story(out, rules, ("Person", "Anna", "Ben"), frozenset({0}))
    result = play_game(rules, 1, [PLAYERS["pk"](seat) for seat in range(3)], BRISK, watch=story.watch)
    told = out.getvalue()

    assert told.count("== turn ") >= result.turns - 1
    assert told.count("[Anna: fields: ") == told.count("[Ben: fields: ") >= result.turns - 1
    assert "Ben plants a " in told
    assert "for" in told.partition("gives Anna")[2]


def test_reason_is_written_once_beside_what_it_explains() -> None:
    """What a computer player says to the person stands below the move, and not below the next one."""
    rules, out = resolve("full", 3), StringIO()
    bots = [PLAYERS["pk"](0), PLAYERS["gentle-2"](1), PLAYERS["gentle-2"](2)]
    story = Story(out, rules, ("Person", "Anna", "Ben"), frozenset({0}))

    def watch(before: object, command: object, events: object, after: object) -> None:
        player = getattr(command, "player", 0)
        story.reason = bots[player].reason() if player else None  # type: ignore[attr-defined]  # - traders have it
        story.watch(before, command, events, after)  # type: ignore[arg-type]  # - as the floor calls it

    play_game(rules, 1, bots, BRISK, watch=watch)
    lines = out.getvalue().splitlines()

    assert any(line.startswith('      "') for line in lines)
    assert story.reason is None
