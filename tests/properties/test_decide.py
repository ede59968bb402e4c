"""`decide` answers every command, repeatably, and changes nothing."""

from __future__ import annotations

from itertools import combinations, permutations
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bohn.rules import commands as c
from bohn.rules import events as e
from bohn.rules.beans import BEANS
from bohn.rules.decide import decide, is_legal
from bohn.rules.errors import IllegalCommand
from bohn.rules.evolve import evolve, fold
from bohn.rules.legal import legal_commands, may_act, offer_space
from bohn.rules.ruleset import Rules
from bohn.rules.state import (
    Copies,
    Copy,
    EndPhase,
    Offer,
    PlantGiftPhase,
    PlantTradedPhase,
    State,
    TradePhase,
)
from tests.effort import examples
from tests.properties.strategies import (
    ANSWERS,
    COMMANDS,
    EVENTS,
    GAMES,
    GROUPS,
    OFFERS,
    TALK,
    Step,
    Walk,
    arbitrary,
    broken,
    played,
    taken,
    talked,
    trading_command,
    walks,
)

NOISY = (0.5, 0.8)


# -- purity ------------------------------------------------------------------------------------


@examples(60)
@given(walks(noise=NOISY))
def test_decide_gives_equal_answers_to_equal_questions(walk: Walk) -> None:
    """The same command in an equal state, decoded from text, has equal events or the same refusal."""
    for step in walk.steps():
        again = taken(step.rules, msgspec.convert(msgspec.to_builtins(step.before), State), step.command)
        assert again.events == step.events
        assert again.after == step.after
        assert facts(again) == facts(step)


def facts(step: Step) -> tuple[Any, ...] | None:
    """Return a refusal as data."""
    refusal = step.refusal
    return None if refusal is None else (refusal.reason, refusal.clause, refusal.params)


@examples(60)
@given(walks(noise=NOISY))
def test_decide_leaves_the_state_as_it_was(walk: Walk) -> None:
    """No command, accepted or refused, changes the state it is put to."""
    for step in walk.steps():
        before = msgspec.json.encode(step.before)
        taken(step.rules, step.before, step.command)
        assert msgspec.json.encode(step.before) == before


@examples(150)
@given(walks(noise=(0.8, 1.0)))
def test_decide_answers_every_command_with_events_or_a_refusal(walk: Walk) -> None:
    """Whatever is asked, by whoever, in whatever numbers, the answer is a batch of events or a refusal."""
    for step in walk.steps():
        assert (step.refusal is None) == bool(step.events)


@examples(40)
@given(walks(noise=NOISY))
def test_refusals_are_plain_data(walk: Walk) -> None:
    """Reason, clause and parameters of a refusal go through JSON; the reason is a code, the clause an id."""
    for step in walk.steps():
        if step.refusal is not None:
            code = step.refusal.reason.value
            assert code == code.lower()
            assert step.refusal.clause.rpartition("-")[2].isdecimal()
            msgspec.json.decode(msgspec.json.encode(step.refusal.params))


# -- text forms ----------------------------------------------------------------------------------


def through_json(value: object, kind: Any) -> object:
    """Write a value as JSON and read it back."""
    return msgspec.json.decode(msgspec.json.encode(value), type=kind)


@examples(40)
@given(walks())
def test_states_come_back_from_json(walk: Walk) -> None:
    """A state written as JSON and read back is the same state."""
    for state in walk.states():
        assert through_json(state, State) == state


@examples(40)
@given(walks(noise=NOISY))
def test_commands_come_back_from_json(walk: Walk) -> None:
    """A command written as JSON and read back by the tagged union is the same command."""
    for step in walk.steps():
        assert through_json(step.command, c.AnyCommand) == step.command


@examples(40)
@given(walks())
def test_events_come_back_from_json(walk: Walk) -> None:
    """An event written as JSON and read back by the tagged union is the same event."""
    for event in [*walk.opening(), *(event for step in walk.steps() for event in step.events)]:
        assert through_json(event, e.AnyEvent) == event


@examples(20)
@given(walks(length=0))
def test_rules_come_back_from_json(walk: Walk) -> None:
    """Resolved rules written as JSON and read back are the same rules."""
    assert through_json(walk.rules, Rules) == walk.rules


@pytest.mark.parametrize("kind", COMMANDS)
def test_random_commands_of_each_kind_come_back_from_json(kind: type[c.Command]) -> None:
    """Every kind of command has a JSON form that reads back, whatever numbers it carries."""
    state = Walk("full", 4, length=40).last()
    rng = Random(kind.__name__)
    for _ in range(50):
        command = arbitrary(rng, state, kind)
        assert through_json(command, c.AnyCommand) == command


# -- what is legal ---------------------------------------------------------------------------------


@examples(80)
@given(walks())
def test_listed_commands_are_all_accepted(walk: Walk) -> None:
    """Every command that legal_commands lists is legal, belongs to its player, and is listed once."""
    for state in walk.sample(20):
        for player in range(-1, len(state.players) + 1):
            listed = legal_commands(walk.rules, state, player)
            assert len(set(listed)) == len(listed)
            for command in listed:
                assert command.player == player
                assert is_legal(walk.rules, state, command) is None


def candidates(rules: Rules, state: State, player: int) -> list[c.Command]:
    """Return every command of a player that can be enumerated: all but offers, edits and talk."""
    return [*simple(state, player), *duels(state, player), *trading(rules, state, player)]


def simple(state: State, player: int) -> list[c.Command]:
    """Return the candidates that carry nothing, a field, or a place and a field."""
    fields, places, bonus = range(-1, 5), range(-1, 9), range(-1, 34)
    found: list[c.Command] = [
        kind(player)
        for kind in (
            c.Reveal,
            c.EndTrading,
            c.Pass,
            c.KeepHand,
            c.LeaveRest,
            c.TakeGift,
            c.RefillBonus,
            c.BuyField,
        )
    ]
    found += [kind(player, field) for kind in (c.Plant, c.Harvest, c.PlantGift) for field in fields]
    found += [
        kind(player, place, field)
        for kind in (c.PlantSetAside, c.PlantLeftover, c.PlantFaceUp)
        for place in places
        for field in fields
    ]
    found += [c.DiscardLeftover(player, place) for place in places]
    found += [kind(player, card) for kind in (c.ClaimBonus, c.DiscardBonus) for card in bonus]
    if 0 <= player < len(state.players):
        treasury = sorted(state.players[player].treasury)[:6]
        found += [c.BuyField(player, coins) for n in (1, 2, 3, 4) for coins in set(combinations(treasury, n))]
    return found


def duels(state: State, player: int) -> list[c.Command]:
    """Return the candidates with one hand card or one kind."""
    found: list[c.Command] = [c.NameGift(player, bean) for bean in BEANS]
    if 0 <= player < len(state.players):
        own = state.players[player]
        found += [
            c.DiscardFromHand(player, Copy(place, bean), own.hand_revision)
            for place, bean in enumerate(own.hand)
        ]
    return found


def trading(rules: Rules, state: State, player: int) -> list[c.Command]:
    """Return the candidates that answer an offer, with every choice of copies where the offer wants few."""
    offers = state.phase.offers if isinstance(state.phase, TradePhase) else ()
    found: list[c.Command] = [c.WithdrawOffer(player, number) for number in range(-1, 12)]
    for offer in offers:
        for revision in range(offer.revision + 2):
            found.append(c.DeclineOffer(player, offer.id, revision))
            found += [c.Pick(player, offer.id, revision, claimer) for claimer in range(-1, rules.players + 1)]
        if 0 <= player < len(state.players):
            found += answers(state, player, offer)
    return found


def choices(cards: list[Copy], size: int) -> list[Copies]:
    """Return every choice of a number of copies, in every order."""
    return list(permutations(cards, size))


def answers(state: State, player: int, offer: Offer) -> list[c.Command]:
    """Return acceptances and claims with every choice of as many copies as the offer wants, at most two."""
    size = len(offer.want)
    if size > 2:
        return []
    own = state.players[player]
    hand = [Copy(place, bean) for place, bean in enumerate(own.hand)]
    lying = [Copy(place, bean) for place, bean in enumerate(getattr(state.phase, "face_up", ()))]
    found: list[c.Command] = []
    for from_hand in range(size + 1):
        for copies in choices(hand, from_hand):
            revision = own.hand_revision if copies else 0
            found.append(c.Claim(player, offer.id, offer.revision, copies, revision))
            found += [
                c.AcceptOffer(player, offer.id, offer.revision, copies, face_up, revision)
                for face_up in choices(lying, size - from_hand)
            ]
    return found


def same_but_copies(command: c.Command) -> c.Command:
    """Return a command without what legal_commands chooses on behalf of the player."""
    if isinstance(command, c.Claim):
        return replace(command, hand=(), hand_revision=0)
    if isinstance(command, c.AcceptOffer):
        return replace(command, hand=(), face_up=(), hand_revision=0)
    if isinstance(command, c.DiscardFromHand):
        return replace(command, copy=Copy(0, command.copy.bean))
    if isinstance(command, c.BuyField):
        return replace(command, coins=())
    return command


@pytest.mark.parametrize("group", GROUPS)
@examples(12)
@given(st.data())
def test_commands_not_listed_are_refused(group: str, data: st.DataObject) -> None:
    """Of all commands that can be enumerated, the legal ones are the listed ones.

    Exceptions, by design: other copies than the front-most in answers and discards, other
    coins than the listed ones (the topmost where they must be; a choice in any order where it is free).
    """
    walk = data.draw(walks(GROUPS[group], trading=(0.85, 0.95)))
    for state in walk.sample(30 if group == "das-duell" else 6):
        for player in {-1, state.active_player, (state.active_player + 1) % walk.players, walk.players}:
            listed = set(legal_commands(walk.rules, state, player))
            known = listed | {same_but_copies(command) for command in listed}
            for command in candidates(walk.rules, state, player):
                legal = is_legal(walk.rules, state, command) is None
                assert legal == (command in listed) or (legal and same_but_copies(command) in known)


@examples(60)
@given(walks())
def test_listed_copies_are_the_front_most(walk: Walk) -> None:
    """A listed answer or discard takes the first copies in the hand, after the face-up beans."""
    for state in walk.sample(20):
        for player, own in enumerate(state.players):
            for command in legal_commands(walk.rules, state, player):
                if isinstance(command, c.DiscardFromHand):
                    assert command.copy.place == own.hand.index(command.copy.bean)
                if isinstance(command, c.AcceptOffer | c.Claim):
                    for bean in BEANS:
                        places = sorted(copy.place for copy in command.hand if copy.bean == bean)
                        held = [place for place, card in enumerate(own.hand) if card == bean]
                        assert places == held[: len(places)]


@examples(60)
@given(walks(trading=(0.85,)))
def test_offers_within_the_space_are_accepted(walk: Walk) -> None:
    """Any offer made of what offer_space lists is legal while it has a slot, and refused without one."""
    rng = Random(walk.seed)
    for state in walk.sample(30):
        if not isinstance(state.phase, TradePhase):
            continue
        command = trading_command(rng, walk.rules, replace(state, phase=replace(state.phase, offers=())))
        slots = offer_space(walk.rules, state, command.player).slots
        assert (is_legal(walk.rules, state, command) is None) == (slots > 0)


@examples(40)
@given(walks())
def test_may_act_names_whoever_has_a_command(walk: Walk) -> None:
    """may_act holds whoever has a listed command, and others only as far as that is public.

    In the trading all may offer; whoever has bonus cards in hand might claim one.
    """
    for state in walk.sample(20):
        listed = {p for p in range(len(state.players)) if legal_commands(walk.rules, state, p)}
        found = may_act(walk.rules, state)
        assert listed <= found
        with_bonus = {p for p, player in enumerate(state.players) if player.bonus.hand}
        assert isinstance(state.phase, TradePhase) or found <= listed | with_bonus


# -- progress -----------------------------------------------------------------------------------------


PROGRESS = (
    c.Plant, c.Reveal, c.EndTrading, c.Pass, c.PlantSetAside, c.PlantLeftover, c.DiscardLeftover, c.KeepHand,
    c.DiscardFromHand, c.PlantFaceUp, c.LeaveRest, c.NameGift, c.TakeGift, c.PlantGift, c.DiscardBonus,
    c.RefillBonus,
)  # fmt: skip


def progresses(rules: Rules, state: State, player: int) -> bool:
    """Tell whether a player can go on now."""
    return any(isinstance(command, PROGRESS) for command in legal_commands(rules, state, player))


def can_go_on(rules: Rules, state: State, player: int) -> bool:
    """Tell whether a player can go on now, or after he has harvested a field."""
    return progresses(rules, state, player) or any(
        progresses(rules, fold(decide(rules, state, command), state), player)
        for command in legal_commands(rules, state, player)
        if isinstance(command, c.Harvest)
    )


@examples(100)
@given(walks())
def test_somebody_can_always_go_on(walk: Walk) -> None:
    """Until the end somebody has a command that moves the game on, or a harvest and then such a command."""
    for state in walk.states():
        if not isinstance(state.phase, EndPhase):
            assert any(can_go_on(walk.rules, state, player) for player in range(len(state.players)))


@examples(100)
@given(walks())
def test_beans_that_must_be_planted_always_find_a_field(walk: Walk) -> None:
    """Whoever has beans to plant in phase 3 can plant one at once or after one harvest."""
    for state in walk.states():
        for player, own in enumerate(state.players):
            if own.set_aside and isinstance(state.phase, PlantTradedPhase | PlantGiftPhase):
                assert can_go_on(walk.rules, state, player)


@examples(60)
@given(walks(GAMES))
def test_random_games_end(walk: Walk) -> None:
    """A game of listed commands and a bounded number of offers ends within 10,000 other commands."""
    rules, rng = walk.rules, Random(walk.seed)
    state, counted, offers, phase = fold(walk.opening()), 0, 0, None
    while not isinstance(state.phase, EndPhase):
        offers = offers if phase == (type(state.phase), state.turn) else 0
        phase = (type(state.phase), state.turn)
        command = played(rng, rules, state)
        if isinstance(state.phase, TradePhase) and offers < 10 and rng.random() < walk.trading:
            command = trading_command(rng, rules, state)
            offers += isinstance(command, OFFERS)
        step = taken(rules, state, command)
        counted += step.refusal is None and not isinstance(command, OFFERS + ANSWERS + TALK)
        state = step.after
        assert counted <= 10_000


def test_edits_do_not_keep_the_trading_open_for_ever() -> None:
    """When all others have passed or been heard, the active player's pass ends the trading."""
    rules, state = Walk("classic-sv", 3).rules, fold(Walk("classic-sv", 3, seed=1).opening())
    active = state.active_player
    other, third = (active + 1) % 3, (active + 2) % 3
    gift = (Copy(0, state.players[other].hand[0]),)
    commands: list[c.Command] = [
        c.Plant(active, 0),
        c.Reveal(active),
        c.MakeOffer(other, (active,), gift),
        c.Pass(active),
        c.Pass(third),
        c.EditOffer(other, 1, 1, (active,), gift),
        c.DeclineOffer(active, 1, 2),
        c.EditOffer(other, 1, 2, (active,), gift),
    ]
    for command in commands:
        state = taken(rules, state, command).after
        assert isinstance(state.phase, TradePhase) or isinstance(command, c.Plant)
    assert not isinstance(taken(rules, state, c.Pass(active)).after.phase, TradePhase)


# -- talk ------------------------------------------------------------------------------------------------


@examples(60)
@given(walks(talk=(0.0,)), st.integers(0, 2**32))
def test_talk_changes_no_rule(walk: Walk, seed: int) -> None:
    """A game with wishes and promises in between goes as the same game without: only State.talk differs."""
    rng, rules = Random(seed), walk.rules
    state = fold(walk.opening())
    for step in walk.steps():
        for _ in range(rng.randint(0, 2)):
            state = taken(rules, state, talked(rng, rules, state)).after
        again = taken(rules, state, step.command)
        if not isinstance(step.command, TALK):
            assert (again.events, facts(again)) == (step.events, facts(step))
        state = again.after
        assert replace(state, talk=step.after.talk) == step.after
        for player in range(len(state.players)):
            assert legal_commands(rules, state, player) == legal_commands(rules, step.after, player)
            assert offer_space(rules, state, player) == offer_space(rules, step.after, player)


# -- evolve is total -----------------------------------------------------------------------------------


def names_what_exists(state: State, event: e.Event) -> bool:
    """Tell whether the players, fields, coins and bonus cards of an event exist in a state.

    Nothing is asked of the phase, the piles, the hands, places, offers or claims.
    """
    seats = len(state.players)
    players = [getattr(event, name, 0) for name in ("player", "giver", "maker", "partner", "starter")]
    if any(not 0 <= player < seats for player in players if isinstance(player, int)):
        return False
    player = getattr(event, "player", 0)
    owner = state.players[player] if isinstance(player, int) else state.players[0]
    match event:
        case e.FieldBought(coins=coins):
            return all(owner.treasury.count(coin) >= coins.count(coin) for coin in coins)
        case e.BluffPaid(giver=giver, bonus=bonus, from_hand=True):
            return set(bonus) <= set(state.players[giver].bonus.hand)
        case e.BonusClaimed(bonus=bonus) | e.BonusDiscarded(bonus=bonus):
            return bonus in owner.bonus.hand
        case _:
            return 0 <= getattr(event, "field", 0) < len(owner.fields)


@examples(60)
@given(walks(), walks())
def test_evolve_takes_any_event_in_any_state(walk: Walk, other: Walk) -> None:
    """An event of one game folds onto any state of another without an error if it names what exists there."""
    events = [*walk.opening(), *(event for step in walk.steps() for event in step.events)]
    for state in other.sample(6):
        for event in events:
            if names_what_exists(state, event):
                assert isinstance(evolve(state, event), State)


def test_evolve_has_a_fold_for_every_event() -> None:
    """Each kind of event in the union has a fold, and no other has one."""
    from bohn.rules.evolve import FOLDS

    assert set(FOLDS) == set(EVENTS)


@examples(40)
@given(walks())
def test_events_of_a_refusal_do_not_exist(walk: Walk) -> None:
    """A command that is_legal refuses raises the same reason in decide."""
    rng = Random(walk.seed)
    for state in walk.sample(20):
        command = broken(rng, walk.rules, state)
        reason = is_legal(walk.rules, state, command)
        if reason is None:
            assert decide(walk.rules, state, command)
        else:
            with pytest.raises(IllegalCommand) as refused:
                decide(walk.rules, state, command)
            assert refused.value.reason is reason
