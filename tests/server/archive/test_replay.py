"""A replay is what a seat saw, entry by entry, and nothing of what was hidden from it."""

from __future__ import annotations

import gzip
from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from bohn.notation.records import Record
from bohn.protocol.replay import ReplayEntry, ReplayStart
from bohn.rules import BEANS
from bohn.rules.evolve import fold
from bohn.rules.state import State
from bohn.server.tables.archive import replay as module
from bohn.server.tables.archive.replay import TooLong, frames_of, replay
from bohn.server.tables.past_game import PastGame, named_seats
from bohn.views.view import view
from bohn.views.worth import worth
from tests.server.support.mirror import patched
from tests.server.support.past import past_game

KINDS = [("full", 4, ()), ("full", 2, ()), ("das-duell", 2, ()), ("classic", 5, ("closing=unanimous",))]


def split(game: PastGame, seat: int | None, *, hands: bool = False) -> tuple[ReplayStart, list[ReplayEntry]]:
    """Return the first frame and the entries of a replay."""
    start, *entries = frames_of(game, seat, hands=hands)
    assert isinstance(start, ReplayStart)
    return start, [entry for entry in entries if isinstance(entry, ReplayEntry)]


def states(game: PastGame) -> list[State]:
    """Return the position after every entry."""
    found: list[State] = []
    for entry in game.entries:
        found.append(fold(entry.events, found[-1]) if found else fold(entry.events))
    return found


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize(("edition", "players", "house_rules"), KINDS)
def test_merged_entries_are_the_views_of_the_game(
    edition: str, players: int, house_rules: tuple[str, ...], whole: bool
) -> None:
    """For every seat and for everybody: what a page merges is what the rules would show, at every entry."""
    game = past_game(edition, players, house_rules, whole=whole)
    reached = states(game)
    for seat in (None, *range(players)):
        start, entries = split(game, seat, hands=True)
        shown, value, hands = start.game, dict(enumerate(start.worth)), list(start.open_hands or ())
        assert start.entries == len(entries) == len(reached)
        for entry, state in zip(entries, reached, strict=True):
            if entry.view is not UNSET:
                shown = patched(shown, entry.view)
            value |= {} if entry.worth is UNSET else entry.worth
            for place, hand in ({} if entry.open_hands is UNSET else entry.open_hands).items():
                hands[place] = hand
            assert shown == view(game.rules, state, seat)
            assert tuple(value[place] for place in range(players)) == worth(shown)
            assert hands == [player.hand for player in state.players]


def test_first_line_tells_whose_game_it_was() -> None:
    """Names, bots and result stand before the entries; the first of them changes nothing."""
    game = replace(past_game(), table="t9", times=tuple(range(100, 5_000)))
    start, entries = split(game, 1)

    assert (start.table, start.record, start.seat, start.at) == ("t9", None, 1, 100)
    assert (start.names, start.bots) == (("Ada", "Beanie", "Bot2"), (None, "b3", "pk"))
    assert start.result == game.result
    assert start.result is not None
    assert start.open_hands is None
    assert (entries[0].seq, entries[0].view, entries[0].worth) == (0, UNSET, UNSET)
    assert [event.__struct_config__.tag for event in entries[0].events] == ["dealt-shown", "turn-began"]
    assert (entries[7].at, entries[7].by, entries[7].cause) == (107, game.entries[7].actor, "player")


def test_record_has_no_times() -> None:
    """What a record does not know is left out."""
    start, entries = split(replace(past_game(whole=False), record_id="r1"), None)

    assert (start.at, start.record, start.result) == (None, "r1", None)
    assert {entry.at for entry in entries} == {UNSET}


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_replay_shows_nothing_that_was_hidden(seat: int | None) -> None:
    """Two games that differ only in what a seat could not see have the same replay."""
    game = past_game("full", 4)
    reached = states(game)[0]
    other = next(place for place in range(4) if place != seat)
    hand, pile = reached.players[other].hand, reached.draw_pile
    place = next(i for i in range(len(pile)) if pile[i] != hand[-1])
    swapped = (*pile[:place], hand[-1], *pile[place + 1 :])
    dealt, began = game.entries[0].events
    hands = tuple(
        (*held[:-1], pile[place]) if who == other else held
        for who, held in enumerate(player.hand for player in reached.players)
    )
    other_deal = msgspec.structs.replace(dealt, hands=hands, draw_pile=swapped)
    first = replace(game.entries[0], events=(other_deal, began))
    opening = PastGame(Record(game.record.header, (game.entries[0],)))
    changed = PastGame(Record(game.record.header, (first,)))

    assert replay(opening, seat) == replay(changed, seat)
    assert replay(opening, seat, hands=True) != replay(changed, seat, hands=True)


@pytest.mark.parametrize("hands", [False, True])
def test_replay_holds_neither_seed_nor_piles(hands: bool) -> None:
    """However it is asked for."""
    game = past_game("das-duell", 2)
    text = gzip.decompress(replay(game, None, hands=hands))

    assert game.record.header.seed.encode() not in text
    for name in (b'"seed"', b'"hands"', b'"order"', b'"stood"', b'"face_down"'):
        assert name not in text
    assert not any(isinstance(line["game"][pile], list) for line in _starts(text) for pile in ("draw_pile",))


def _starts(text: bytes) -> list[dict[str, Any]]:
    lines = [msgspec.json.decode(line) for line in text.splitlines()]
    return [line for line in lines if line["type"] == "replay"]


def test_open_hands_come_with_open_events() -> None:
    """Who looks into all hands is told what was drawn, and what was declined."""
    game = past_game("full", 4, whole=False)
    closed = [tag for entry in split(game, None)[1] for tag in _tags(entry)]
    opened = [tag for entry in split(game, None, hands=True)[1] for tag in _tags(entry)]

    assert "drew-hidden" in closed
    assert "offer-declined" not in closed
    assert {"drew", "offer-made", "offer-declined", "traded-shown"} <= set(opened)
    assert {"dealt", "reshuffled", "traded", "drew-hidden"} & set(opened) == set()


def _tags(entry: ReplayEntry) -> list[str]:
    return [event.__struct_config__.tag for event in entry.events]


def test_replay_is_lines_that_end() -> None:
    """One frame a line, gzipped the same every time."""
    game = past_game()
    data = replay(game, 0)
    lines = gzip.decompress(data).split(b"\n")

    assert data == replay(game, 0)
    assert lines[-1] == b""
    assert len(lines) == len(game.entries) + 2
    assert msgspec.json.decode(lines[0])["type"] == "replay"


def test_replay_that_grows_without_bounds_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record may be made so that little text has a large replay."""
    monkeypatch.setattr(module, "LARGEST", 20_000)

    with pytest.raises(TooLong, match="at most 20000 bytes"):
        replay(past_game(), None)


def test_seats_are_names_and_bots() -> None:
    """As the server and the command line write them; a long name is cut."""
    assert named_seats(("Ada", "Bot1:pk", "b3", "Eve:gone", "x" * 80)) == (
        ("Ada", None), ("Bot1", "pk"), ("b3", "b3"), ("Eve", "gone"), ("x" * 48, None),
    )  # fmt: skip


def test_all_beans_stay_numbers() -> None:
    """A page knows beans by number."""
    start, _ = split(past_game(), 0)

    assert start.game.own is not None
    assert set(start.game.own.hand) <= set(BEANS)
