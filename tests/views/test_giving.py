"""The own cards that a seat is shown as its to give or discard, compared with what the rules accept."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from msgspec.structs import replace

from bohn.rules import commands as c
from bohn.rules import events as e
from bohn.rules.decide import decide, is_legal
from bohn.rules.evolve import fold
from bohn.rules.legal import legal_commands
from bohn.rules.ruleset import Rules
from bohn.rules.state import Copies, Copy, GiftPhase, State, TradePhase
from bohn.views import OfferView, answer, discards, gift_ways, view
from bohn.views.view import TradeView
from tests.effort import examples
from tests.properties.strategies import GROUPS, Walk, walks

TRADING_SHARES = (0.6, 0.85)


def own_cards(state: State, seat: int) -> tuple[tuple[str, Copy], ...]:
    """Return every card that a seat might give: from its hand, and face up."""
    hand = [("hand", Copy(place, bean)) for place, bean in enumerate(state.players[seat].hand)]
    assert isinstance(state.phase, TradePhase)
    return (*hand, *(("face-up", Copy(place, bean)) for place, bean in enumerate(state.phase.face_up)))


def accepted(rules: Rules, state: State, seat: int, offer: OfferView) -> set[tuple[Copies, Copies]]:
    """Return all hand and face-up copies with which the rules let a seat answer an offer."""
    found = set()
    revision = state.players[seat].hand_revision
    wanted = [pair for pair in own_cards(state, seat) if pair[1].bean in offer.want]
    for chosen in combinations(wanted, len(offer.want)):
        hand = tuple(copy for source, copy in chosen if source == "hand")
        lying = tuple(copy for source, copy in chosen if source != "hand")
        command = (
            c.Claim(seat, offer.id, offer.revision, hand, revision)
            if offer.open
            else c.AcceptOffer(seat, offer.id, offer.revision, hand, lying, revision)
        )
        if not (offer.open and lying) and is_legal(rules, state, command) is None:
            found.add((hand, lying))
    return found


def unanswered(state: State, seat: int) -> State:
    """Return a state in which a seat has claimed nothing."""
    assert isinstance(state.phase, TradePhase)
    offers = tuple(
        replace(offer, claims=tuple(claim for claim in offer.claims if claim.player != seat))
        for offer in state.phase.offers
    )
    return replace(state, phase=replace(state.phase, offers=offers))


@examples(40)
@given(walks(trading=TRADING_SHARES))
def test_answers_are_those_the_rules_take(walk: Walk) -> None:
    """The copies of an answer are accepted where any are, and there is a choice where others are too."""
    for before in walk.sample(12):
        if not isinstance(before.phase, TradePhase):
            continue
        for seat in range(len(before.players)):
            state = unanswered(before, seat)
            seen = view(walk.rules, state, seat)
            assert isinstance(seen.phase, TradeView)
            for offer in seen.phase.offers:
                found = answer(seen, offer)
                taken = accepted(walk.rules, state, seat, offer)
                if found is None:
                    assert not taken
                elif taken:
                    assert (found.choice, by_place(found.hand, found.face_up) in taken) == (
                        len(taken) > 1,
                        True,
                    )


def _place(copy: Copy) -> int:
    return copy.place


def by_place(hand: Copies, face_up: Copies) -> tuple[Copies, Copies]:
    """Return copies in the order of their places."""
    return tuple(sorted(hand, key=_place)), tuple(sorted(face_up, key=_place))


@examples(40)
@given(walks(trading=TRADING_SHARES))
def test_answers_name_the_copies_of_the_legal_list(walk: Walk) -> None:
    """What would be given is what the listed acceptance or claim gives (OFFER-12)."""
    for state in walk.sample(20):
        for seat in range(len(state.players)):
            seen = view(walk.rules, state, seat)
            for command in legal_commands(walk.rules, state, seat):
                if not isinstance(command, c.AcceptOffer | c.Claim):
                    continue
                assert isinstance(seen.phase, TradeView)
                [offer] = [offer for offer in seen.phase.offers if offer.id == command.offer]
                found = answer(seen, offer)
                lying = command.face_up if isinstance(command, c.AcceptOffer) else ()
                assert found is not None
                assert (found.hand, found.face_up) == (command.hand, lying)


@examples(40)
@given(walks(GROUPS["das-duell"]))
def test_gift_ways_are_what_is_delivered(walk: Walk) -> None:
    """A kind with ways is delivered the first way, or the named copy; one without is a bluff (DD-9)."""
    for state in walk.sample(30):
        phase = state.phase
        if not isinstance(phase, GiftPhase):
            continue
        ways = {kind.bean: kind.ways for kind in gift_ways(view(walk.rules, state, phase.word))}
        for command in legal_commands(walk.rules, state, phase.word):
            if isinstance(command, c.NameGift) and is_legal(walk.rules, state, command) is None:
                usual = taken(walk.rules, state, command)
                found = ways.get(command.bean, ())
                assert usual == ((found[0].source, found[0].place) if found else None)
                for way in found:
                    revision = state.players[phase.word].hand_revision
                    named = replace(command, hand=way.hand, hand_revision=revision)
                    assert taken(walk.rules, state, named) == (way.source, way.place)


def taken(rules: Rules, state: State, command: c.NameGift) -> tuple[str, int] | None:
    """Return source and place of what the other one gets if he takes the named kind; ``None`` for a bluff."""
    after = fold(decide(rules, state, command), state)
    assert isinstance(after.phase, GiftPhase)
    events = decide(rules, after, c.TakeGift(after.phase.word))
    [delivered] = [event for event in events if isinstance(event, e.GiftTaken | e.BluffCaught)]
    return (delivered.source, delivered.place) if isinstance(delivered, e.GiftTaken) else None


@examples(40)
@given(walks(GROUPS["duel"]))
def test_discards_are_those_the_rules_take(walk: Walk) -> None:
    """Exactly the cards that are sent may be discarded (DUEL-7)."""
    for state in walk.sample(30):
        for seat, own in enumerate(state.players):
            copies = [Copy(place, bean) for place, bean in enumerate(own.hand)]
            commands = [c.DiscardFromHand(seat, copy, own.hand_revision) for copy in copies]
            legal = tuple(x.copy for x in commands if is_legal(walk.rules, state, x) is None)
            listed = legal_commands(walk.rules, state, seat)
            assert discards(view(walk.rules, state, seat), listed) == legal
