"""Nobody is shown what is hidden from him, nor can he work it out from what he is shown."""

from __future__ import annotations

import types
from random import Random
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from bohn.rules import commands as c
from bohn.rules import events as e
from bohn.rules.beans import BEANS
from bohn.rules.evolve import fold
from bohn.rules.ruleset import Rules
from bohn.rules.state import Copy, Player, State, TradePhase
from bohn.views import Knowledge, Preview, View, know, learn, unseen, visible
from bohn.views.view import view
from bohn.views.visible import VisibleEvent
from tests.effort import examples
from tests.properties import telling_apart
from tests.properties.lookalikes import lookalike
from tests.properties.strategies import GROUPS, Walk, bonus_cards, cards, taken, walks

TRADING_SHARES = (0.6, 0.85, 0.95)
SAMPLES = {"active closes": 3, "all must pass": 4, "duel": 6, "das-duell": 24}


def viewers(state: State) -> list[int | None]:
    """Return every seat and the spectator."""
    return [None, *range(len(state.players))]


def all_differences(walk: Walk, number: int, *, same_draws: bool) -> list[Any]:
    """Return by what a spectator or one of two seats could tell some states of a walk from look-alikes."""
    rules, rng = walk.rules, Random(walk.seed)
    keep = rules.reveal + rules.draw if same_draws else 0
    found: list[Any] = []
    for state in walk.sample(number):
        for viewer in [None, *rng.sample(range(len(state.players)), 2)]:
            other, _ = lookalike(rules, state, viewer, rng, min(keep, len(state.draw_pile)))
            found += telling_apart.differences(rules, state, other, viewer, rng, same_draws=same_draws)
    return found


# -- look-alikes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("group", GROUPS)
@examples(12)
@given(st.data())
def test_lookalikes_with_other_hidden_cards_show_a_viewer_the_same(group: str, data: st.DataObject) -> None:
    """Whatever lies in other hands, piles, face-down coins and seed, a seat is told the same.

    Compared are view, knowledge, legal list, offer space, previews, refusals of what it might try, and after
    its own and others' public commands the visible events and all of this again.
    """
    assert (
        all_differences(
            data.draw(walks(GROUPS[group], trading=TRADING_SHARES)), SAMPLES[group], same_draws=False
        )
        == []
    )


@pytest.mark.parametrize("group", GROUPS)
@examples(12)
@given(st.data())
def test_lookalikes_with_the_same_next_cards_show_a_viewer_the_same(group: str, data: st.DataObject) -> None:
    """With the next cards of the draw pile alike, revealing and drawing tell nothing of the rest either."""
    assert (
        all_differences(
            data.draw(walks(GROUPS[group], trading=TRADING_SHARES)), SAMPLES[group], same_draws=True
        )
        == []
    )


@pytest.mark.parametrize("group", GROUPS)
@examples(20)
@given(st.data())
def test_lookalikes_in_which_another_copy_was_used_show_a_viewer_the_same(
    group: str, data: st.DataObject
) -> None:
    """From offers, answers, discards and namings of others nobody learns at which place a card was."""
    walk = data.draw(walks(GROUPS[group], trading=TRADING_SHARES))
    rng = Random(walk.seed)
    for state in walk.sample(12):
        for viewer in [None, rng.randrange(len(state.players))]:
            assert telling_apart.copies_shown_differently(walk.rules, state, viewer, rng) == []


@examples(60)
@given(walks(trading=TRADING_SHARES))
def test_views_hide_the_order_in_which_cards_were_named(walk: Walk) -> None:
    """Whether a maker named his second or his first card first, the others see the same offer."""
    for state in walk.states():
        phase = state.phase
        if isinstance(phase, TradePhase):
            offers = tuple(replace(offer, hand=offer.hand[::-1]) for offer in phase.offers)
            other = replace(state, phase=replace(phase, offers=offers))
            assert view(walk.rules, other, None) == view(walk.rules, state, None)


def leaking(rules: Rules, state: State, viewer: int | None) -> View:
    """Return a view with one leak: the front card of the next player in the place of the topmost coins."""
    seen = view(rules, state, viewer)
    index = 0 if viewer is None else (viewer + 1) % len(state.players)
    leaked = replace(seen.players[index], treasury=state.players[index].hand[:1])
    return replace(seen, players=(*seen.players[:index], leaked, *seen.players[index + 1 :]))


def test_lookalikes_differ_where_a_leak_is_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison goes red for every viewer when a view shows one card of another hand."""
    walk = Walk("full", 4, length=60)
    state, rng = walk.last(), Random(1)
    monkeypatch.setattr(telling_apart, "view_of", leaking)
    for viewer in viewers(state):
        found = [
            telling_apart.differences(
                walk.rules,
                state,
                lookalike(walk.rules, state, viewer, rng, 0)[0],
                viewer,
                rng,
                same_draws=False,
            )
            for _ in range(20)
        ]
        assert any(found)


def test_lookalikes_differ_where_an_event_leaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison goes red when an event is shown as it is, instead of its public version."""
    walk = Walk("full", 2, length=60, seed=3)
    rng, found = Random(1), []
    monkeypatch.setattr(telling_apart, "visible", lambda event, _: event)
    for state in walk.states():
        other = lookalike(walk.rules, state, 0, rng, 0)[0]
        found += telling_apart.differences(walk.rules, state, other, 0, rng, same_draws=False)
    assert found


@examples(60)
@given(walks(trading=TRADING_SHARES))
def test_lookalikes_are_states_of_the_same_cards(walk: Walk) -> None:
    """A look-alike has the cards of its state, so that the comparison compares what can be."""
    rng = Random(walk.seed)
    for state in walk.sample(4):
        for viewer in viewers(state):
            other = lookalike(walk.rules, state, viewer, rng, 0)[0]
            assert cards(other) == cards(state)
            assert bonus_cards(other) == bonus_cards(state)


def in_trading() -> tuple[Rules, State, int, int]:
    """Return rules and a state of the trading, with the active player and his left neighbour."""
    rules = Walk("classic-sv", 3).rules
    state = fold(Walk("classic-sv", 3, seed=1).opening())
    active = state.active_player
    for command in (c.Plant(active, 0), c.Reveal(active)):
        state = taken(rules, state, command).after
    return rules, state, active, (active + 1) % 3


def test_exchanges_hide_the_order_in_which_cards_were_named() -> None:
    """What lies set aside after an exchange does not tell in which order its giver named it."""
    rules, state, active, other = in_trading()
    hand = state.players[other].hand
    seen = []
    for order in ((0, 1), (1, 0)):
        offer = c.MakeOffer(other, (active,), tuple(Copy(place, hand[place]) for place in order))
        after = taken(rules, taken(rules, state, offer).after, c.AcceptOffer(active, 1, 1)).after
        seen.append(view(rules, after, None))
    assert hand[0] != hand[1]
    assert seen[0] == seen[1]


# -- types ------------------------------------------------------------------------------------------------


def mentioned(kind: Any, found: set[Any]) -> set[Any]:
    """Collect every type that an annotation mentions, and those that the fields of its structs mention."""
    if kind in found:
        return found
    found.add(kind)
    for part in get_args(kind) if get_origin(kind) is not None or isinstance(kind, types.UnionType) else ():
        if not isinstance(part, str):
            mentioned(part, found)
    if isinstance(kind, type) and issubclass(kind, Struct):
        for part in get_type_hints(kind).values():
            mentioned(part, found)
    return found


SEEN: tuple[type[Struct], ...] = (View, Knowledge, Preview, *VisibleEvent.__subclasses__())


@pytest.mark.parametrize("kind", SEEN)
def test_types_that_are_seen_have_no_place_for_secrets(kind: type[Struct]) -> None:
    """Nothing that a seat is given mentions State, Player or a seed, however deep."""
    found = mentioned(kind, set())
    assert State not in found
    assert Player not in found
    fields = {
        name
        for one in found
        if isinstance(one, type) and issubclass(one, Struct)
        for name in one.__struct_fields__
    }
    assert "seed" not in fields
    assert not fields & {"face_down", "stood"}


def test_type_guard_finds_what_it_looks_for() -> None:
    """The guard sees through unions, tuples and nested structs."""
    assert {State, Player, Rules} <= mentioned(Union[tuple[State, ...], Rules], set())  # noqa: UP007 - both spellings


@examples(40)
@given(walks())
def test_events_with_secrets_are_never_shown_whole(walk: Walk) -> None:
    """No viewer is given a deal, a shuffle or another's draw; a spectator sees no hand copies."""
    events = [*walk.opening(), *(event for step in walk.steps() for event in step.events)]
    for event in events:
        for viewer in (None, *range(walk.players)):
            shown = visible(event, viewer)
            assert not isinstance(shown, e.Dealt | e.Reshuffled | e.BonusReshuffled | e.Traded)
            if isinstance(shown, e.Drew):
                assert shown.player == viewer
            if isinstance(shown, e.OfferMade | e.OfferEdited):
                assert shown.offer.maker == viewer


# -- knowledge -------------------------------------------------------------------------------------------


def remembering(walk: Walk, viewer: int | None) -> list[tuple[State, Knowledge]]:
    """Return every state of a walk with what a seat remembers in it that has watched from the deal."""
    rules = walk.rules
    state = fold(walk.opening())
    memory = know(view(rules, state, viewer))
    found = [(state, memory)]
    for step in walk.steps():
        for event in step.events:
            shown = visible(event, viewer)
            memory = memory if shown is None else learn(memory, shown)
        found.append((step.after, memory))
    return found


@examples(60)
@given(walks(trading=TRADING_SHARES), st.integers(-1, 6))
def test_knowledge_counts_both_piles_right(walk: Walk, seat: int) -> None:
    """A seat that watched from the deal knows the kinds in the discard pile and the size of the draw pile."""
    for state, memory in remembering(walk, seat if 0 <= seat < walk.players else None):
        assert memory.draw_pile == len(state.draw_pile)
        assert memory.discards == tuple(state.discard_pile.count(bean) for bean in BEANS)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("edition", "players"), [("full", 2), ("full", 4), ("classic-sv", 3), ("das-duell", 2)]
)
def test_knowledge_of_fixed_games_is_right(edition: str, players: int, seed: int) -> None:
    """In some fixed games every seat knows the piles, so that each kind of event is seen in every run."""
    walk = Walk(edition, players, seed=seed, length=400, stock=40)
    for viewer in (None, *range(players)):
        for state, memory in remembering(walk, viewer):
            assert memory.draw_pile == len(state.draw_pile)
            assert sum(memory.discards) == len(state.discard_pile)


@examples(60)
@given(walks(trading=TRADING_SHARES), st.integers(-1, 6))
def test_knowledge_of_hands_is_true(walk: Walk, seat: int) -> None:
    """Cards known to be in a hand are in it."""
    for state, memory in remembering(walk, seat if 0 <= seat < walk.players else None):
        for player, counts in zip(state.players, memory.shown, strict=True):
            assert all(player.hand.count(bean) >= count for bean, count in enumerate(counts))


@examples(60)
@given(walks(trading=TRADING_SHARES), st.integers(-1, 6))
def test_unseen_cards_are_those_in_the_draw_pile_other_hands_and_face_down(walk: Walk, seat: int) -> None:
    """What is left after everything a seat has sight of is exactly what lies where it cannot look."""
    viewer = seat if 0 <= seat < walk.players else None
    for state, memory in remembering(walk, viewer):
        hidden = list(state.draw_pile)
        for index, player in enumerate(state.players):
            hidden += player.face_down + (() if index == viewer else player.hand)
        counts = unseen(view(walk.rules, state, viewer), memory)
        assert counts == tuple(hidden.count(bean) for bean in BEANS)


@examples(60)
@given(walks(trading=TRADING_SHARES), st.integers(-1, 6))
def test_knowledge_remembers_the_offers_that_lie_open(walk: Walk, seat: int) -> None:
    """The offers in memory are those of the trading, and none after it."""
    for state, memory in remembering(walk, seat if 0 <= seat < walk.players else None):
        lying = state.phase.offers if isinstance(state.phase, TradePhase) else ()
        assert sorted((offer.id, offer.revision) for offer in memory.open) == sorted(
            (o.id, o.revision) for o in lying
        )


@examples(40)
@given(walks(trading=TRADING_SHARES, talk=(0.3,)))
def test_knowledge_remembers_the_wishes_that_stand(walk: Walk) -> None:
    """The wishes in memory are those of the table."""
    for state, memory in remembering(walk, None):
        assert memory.wishes == state.talk.wishes
