"""Look-alike games on the real application: if only hidden things differ, a viewer gets the same bytes."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from bohn.rules import resolve
from bohn.rules.decide import is_legal
from bohn.rules.events import OfferDeclined, OfferMade
from bohn.rules.ruleset import Rules
from bohn.rules.state import State
from bohn.server.tables import shown as rows_shown
from bohn.server.tables import viewpoint
from bohn.views.view import View, view
from bohn.views.visible import visible
from tests.server.support.lookalike_games import coda, probes, script
from tests.server.support.stage_play import differences, performed

TRADES = 5
CHANGED = 20
GAMES = (("full", 4, 2), ("classic-ja", 4, 2), ("full", 3, 1), ("classic", 5, 4))
"""Edition, players and the number of a game: closed by one or by all, with hidden things to differ in."""

VIEWERS = [(*game, viewer) for game in GAMES for viewer in (None, *range(game[1]))]


def differences_of(
    edition: str, players: int, seed: int, viewer: int | None
) -> list[tuple[str, bytes, bytes]]:
    """Return by what a viewer could tell two worlds apart."""
    rules = resolve(edition, players)
    played = script(rules, seed, TRADES)
    assert coda(played, viewer, Random(1))
    deal, changed = played.deals(viewer, Random(2))
    assert played.trades >= TRADES
    assert changed >= CHANGED
    tried = probes(played, viewer or 0, Random(3))
    assert any(is_legal(rules, played.state, command) for command in tried)
    one, two = performed(played, viewer, tried), performed(played, viewer, tried, deal)
    assert len(one) > len(played.steps)
    return differences(one, two)


@pytest.mark.parametrize(("edition", "players", "seed", "viewer"), VIEWERS)
def test_lookalike_games_tell_a_viewer_the_same(
    edition: str, players: int, seed: int, viewer: int | None
) -> None:
    """Other hands, draw pile, secret, places and refusals differ; frames, answers and headers do not."""
    assert differences_of(edition, players, seed, viewer) == []


def test_two_performances_of_one_world_are_the_same() -> None:
    """Nothing else differs between two runs, so that what differs in look-alikes would be a leak."""
    played = script(resolve("full", 4), 2, TRADES)
    assert differences(performed(played, 1, []), performed(played, 1, [])) == []


# -- the test of the test ----------------------------------------------------------------------------------


def test_lookalike_games_differ_where_declines_are_shown_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal that everybody is told of is found."""

    def shown(event: Any, seat: int | None) -> Any:
        return event if isinstance(event, OfferDeclined) else visible(event, seat)

    monkeypatch.setattr(rows_shown, "visible", shown)
    assert differences_of("full", 4, 2, None)


def test_lookalike_games_differ_where_places_are_shown_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """An offer that is shown with the places of its cards is found."""

    def shown(event: Any, seat: int | None) -> Any:
        return event if isinstance(event, OfferMade) else visible(event, seat)

    monkeypatch.setattr(rows_shown, "visible", shown)
    assert differences_of("full", 4, 2, None)


@pytest.mark.parametrize("viewer", [None, 0, 1, 2, 3])
def test_lookalike_games_differ_where_the_draw_pile_leaks(
    monkeypatch: pytest.MonkeyPatch, viewer: int | None
) -> None:
    """The top of the draw pile in the place of the top discard is found by every viewer."""

    def leaking(rules: Rules, state: State, seat: int | None) -> View:
        return replace(view(rules, state, seat), discard_top=state.draw_pile[-1:])

    monkeypatch.setattr(viewpoint, "view", leaking)
    assert differences_of("full", 4, 2, viewer)
