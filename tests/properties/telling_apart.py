"""Tells states apart: compares all that one viewer is shown of two look-alikes, before and after commands.

A look-alike of a state (`lookalikes.py`) has other hidden cards, and everything that the viewer may know is
the same. So nothing that he is shown may differ, in three steps:

1. Before any command: his view, what he remembers, what he may do, and how offers are previewed for him.
2. After the same command in both states: whether it is refused and with what words, and what he sees of its
   events. Commands of others that themselves name something hidden (``SECRET``) are not tried: in the look-
   alike they would be other commands.
3. After it, his view and memory again.

Some commands rightly bring hidden cards to light: a reshuffle, cards turned over or drawn for the viewer, a
bluff that is caught. Of those events only the outline must be equal (``outline``), whatever follows from
the new cards (``depends_on_news``) is left out, and the third step is not made. Whoever adds an event that
shows hidden cards names it in ``shows_news``; otherwise the properties in `test_secrecy.py` fail, as they
do for a leak.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from bohn.rules import commands as c
from bohn.rules import events as e
from bohn.rules.decide import is_legal
from bohn.rules.legal import legal_commands, may_act, offer_space
from bohn.rules.ruleset import Rules
from bohn.rules.state import Copy, EndPhase, GiftPhase, Offer, State, TradePhase
from bohn.views import answer, consequences, discards, gift_ways, know, learn, visible
from bohn.views.view import view as view_of
from bohn.views.visible import Shown
from tests.properties.lookalikes import lookalike
from tests.properties.strategies import Step, broken, proposal, taken, talked, trading_command

BROKEN_COMMANDS = 6
"""Commands that mostly are refused, tried for the viewer at each pair of states."""

SECRET = (
    c.Claim,  # names hand cards
    c.Plant,  # shows the front card
    c.DiscardFromHand,  # names a hand card
    c.ClaimBonus,  # names a bonus card in the hand
    c.DiscardBonus,  # the same
    c.DeclineOffer,  # whether it is legal depends on who has declined already
    c.Pick,  # carries out a claim, which names hand cards
)
"""Commands of others that name or depend on something hidden, so that look-alikes do not share them."""


class Difference(NamedTuple):
    """Something by which a viewer could tell two states apart: where it shows, and both sides."""

    where: str | c.Command
    left: Any
    right: Any


# -- what one seat is shown ----------------------------------------------------------------------------


def seat_facts(rules: Rules, state: State, viewer: int | None) -> dict[str, Any]:
    """Return everything that a seat is shown of a position, by what it is."""
    seen = view_of(rules, state, viewer)
    offers = getattr(seen.phase, "offers", ())
    facts: dict[str, Any] = {
        "view": seen,
        "knowledge": know(seen),
        "may act": may_act(rules, state),
        "previews": [consequences(rules, seen, offer) for offer in offers],
    }
    if viewer is not None:
        legal = facts["legal"] = legal_commands(rules, state, viewer)
        facts["answers"] = [answer(seen, offer) for offer in offers]
        facts["gifts"] = gift_ways(seen)
        facts["discards"] = discards(seen, legal)
        facts["offer space"] = offer_space(rules, state, viewer)
    return facts


def refusal_shown(step: Step) -> tuple[Any, ...] | None:
    """Return what a player is shown of the refusal of his command."""
    refusal = step.refusal
    return None if refusal is None else (refusal.reason, refusal.clause, refusal.params, str(refusal))


def public_commands(rules: Rules, state: State, player: int, viewer: int | None) -> Iterator[c.Command]:
    """Yield the legal commands of another player that name nothing hidden and depend on nothing hidden."""
    phase = state.phase
    names_viewers_card = isinstance(phase, GiftPhase) and phase.open and phase.named[-1].player == viewer
    for command in legal_commands(rules, state, player):
        if isinstance(command, c.TakeGift):
            public = names_viewers_card
        elif isinstance(command, c.AcceptOffer):
            public = not command.hand
        else:
            public = not isinstance(command, SECRET)
        if public:
            yield command


def own_commands(
    rules: Rules, state: State, viewer: int, rng: Random, broken_ones: int
) -> Iterator[c.Command]:
    """Yield what the viewer might say: all listed commands, an offer, talk, and broken ones."""
    yield from legal_commands(rules, state, viewer)
    if isinstance(state.phase, TradePhase):
        yield proposal(rng, rules, state, viewer)
    yield replace(talked(rng, rules, state), player=viewer)
    for offer in getattr(state.phase, "offers", ()):
        yield from probes(rng, state, viewer, offer)
    for _ in range(broken_ones):
        yield replace(broken(rng, rules, state), player=viewer)


def probes(rng: Random, state: State, viewer: int, offer: Offer) -> Iterator[c.Command]:
    """Yield answers to an offer that might be refused, to compare what the refusals tell."""
    revision = state.players[viewer].hand_revision
    copies = tuple(Copy(place, bean) for place, bean in enumerate(state.players[viewer].hand))
    some = tuple(rng.sample(copies, min(len(copies), len(offer.want))))
    yield c.Pick(viewer, offer.id, offer.revision, rng.randrange(-1, len(state.players)))
    yield c.Pick(viewer, offer.id, offer.revision, viewer)
    yield c.AcceptOffer(viewer, offer.id, offer.revision, some, (), revision)
    yield c.Claim(viewer, offer.id, offer.revision, some, revision)
    yield c.Claim(viewer, offer.id, offer.revision - 1, some, revision)
    yield c.DeclineOffer(viewer, offer.id, offer.revision)


def command_from_hand(rng: Random, rules: Rules, state: State, player: int) -> c.Command | None:
    """Draw a legal command of a player that names hand cards of his, or plants one, if there is any."""
    found: list[c.Command] = [
        command for command in legal_commands(rules, state, player)
        if isinstance(command, c.DiscardFromHand | c.AcceptOffer | c.Claim | c.Plant)
    ]  # fmt: skip
    own = state.players[player]
    if isinstance(state.phase, TradePhase):
        found += [proposal(rng, rules, state, player), trading_command(rng, rules, state)]
    if isinstance(state.phase, GiftPhase):
        copies = [Copy(place, bean) for place, bean in enumerate(own.hand)]
        found += [c.NameGift(player, copy.bean, (copy,), own.hand_revision) for copy in copies]
    found = [one for one in found if one.player == player and not isinstance(one, c.DeclineOffer)]
    found = [one for one in found if is_legal(rules, state, one) is None]
    return rng.choice(found) if found else None


# -- comparing -----------------------------------------------------------------------------------------


def differences(
    rules: Rules, left: State, right: State, viewer: int | None, rng: Random, *, same_draws: bool
) -> list[Difference]:
    """Return everything by which the viewer could tell two states apart; empty if nothing.

    ``same_draws`` says that even the next cards of the draw pile are the same, so that commands which turn
    cards over can be compared as well.
    """
    found: list[Difference] = []
    one, two = seat_facts(rules, left, viewer), seat_facts(rules, right, viewer)
    found += [Difference(name, one[name], two[name]) for name in one if one[name] != two[name]]
    if isinstance(left.phase, EndPhase):
        return found
    commands: list[c.Command] = []
    for player in range(len(left.players)):
        if player == viewer:
            commands += own_commands(rules, left, player, rng, BROKEN_COMMANDS)
        else:
            commands += public_commands(rules, left, player, viewer)
    for command in commands:
        found += shown_differently(
            rules, taken(rules, left, command), taken(rules, right, command), viewer, same_draws=same_draws
        )
    return found


def copies_shown_differently(rules: Rules, state: State, viewer: int | None, rng: Random) -> list[Difference]:
    """Return what would show a viewer *which copy* of a kind another player used."""
    found: list[Difference] = []
    for player in range(len(state.players)):
        command = None if player == viewer else command_from_hand(rng, rules, state, player)
        if command is not None:
            other, same = lookalike(rules, state, viewer, rng, len(state.draw_pile), command)
            assert same is not None
            steps = taken(rules, state, command), taken(rules, other, same)
            assert steps[1].refusal is None
            found += shown_differently(rules, *steps, viewer, same_draws=True)
    return found


def shown_differently(
    rules: Rules, one: Step, two: Step, viewer: int | None, *, same_draws: bool
) -> list[Difference]:
    """Return what shows the viewer in which of two states he is, after the same command in both."""
    command = one.command
    if isinstance(command, c.TakeGift) and reveals(one, two):
        return []
    if refusal_shown(one) != refusal_shown(two):
        # ALREADY_DECLINED tells the decliner only
        secret = isinstance(command, c.DeclineOffer) and command.player != viewer
        return [] if secret else [Difference(command, refusal_shown(one), refusal_shown(two))]
    news = shows_news(one, viewer, same_draws=same_draws) or shows_news(two, viewer, same_draws=same_draws)
    shown = [shown_to(step, viewer) for step in (one, two)]
    if news:
        shown = [[outline(event) for event in events if not depends_on_news(event)] for events in shown]
    if shown[0] != shown[1]:
        return [Difference(command, *shown)]
    if news:
        return []
    memories = [know(view_of(rules, step.before, viewer)) for step in (one, two)]
    for i, events in enumerate(shown):
        for event in events:
            memories[i] = learn(memories[i], event)
    after = [
        (seat_facts(rules, step.after, viewer), memory)
        for step, memory in zip((one, two), memories, strict=True)
    ]
    return [Difference(command, *after)] if after[0] != after[1] else []


def shown_to(step: Step, viewer: int | None) -> list[Shown]:
    """Return the events of a step as the viewer sees them; what he does not see has no place."""
    return [shown for event in step.events if (shown := visible(event, viewer)) is not None]


def shows_news(step: Step, viewer: int | None, *, same_draws: bool) -> bool:
    """Tell whether a batch rightly shows the viewer cards that differ between the two states."""
    for event in step.events:
        match event:
            case e.Reshuffled() | e.GameEnded():
                return True
            case e.BonusRefilled(player=player) if player == viewer:
                return True
            case e.TurnedOver() if not same_draws:
                return True
            case e.Drew(player=player) if player == viewer and not same_draws:
                return True
            case _:
                pass
    return False


def outline(event: Shown) -> Any:
    """Return an event without the cards that it brings to light: how many they are stays."""
    match event:
        case e.TurnedOver(player=player, beans=cards) | e.Drew(player=player, beans=cards):
            return type(event), player, len(cards)
        case e.BonusRefilled(player=player, cards=cards):
            return type(event), player, len(cards)
        case e.GameEnded(result=result):
            return type(event), result.hand_cards
        case _:
            return event


def depends_on_news(event: Shown) -> bool:
    """Tell whether an event follows from cards that came to light in its batch."""
    return isinstance(event, e.Swept | e.BonusStood | e.BonusClaimed)


def reveals(one: Step, two: Step) -> bool:
    """Tell whether taking a gift rightly shows a difference: held or not held, or the card a bluff costs."""
    kinds = [[type(event) for event in step.events] for step in (one, two)]
    caught = [any(kind is e.BluffCaught for kind in found) for found in kinds]
    paid = any(
        isinstance(event, e.BluffPaid) and event.from_hand for step in (one, two) for event in step.events
    )
    return caught[0] != caught[1] or paid
