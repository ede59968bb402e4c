"""The phase of a position: read with sensible defaults, and checked against the cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bohn.notation.codecs import BEANS
from bohn.notation.errors import NotationError, shorten
from bohn.notation.keys import PHASE_KEYS, PHASES
from bohn.notation.offers import Cards
from bohn.notation.reading import TomlTable, text_of
from bohn.rules.commands import MakeOffer
from bohn.rules.decide import tag
from bohn.rules.errors import IllegalCommand
from bohn.rules.farming import require_copies
from bohn.rules.policies import WINNERS
from bohn.rules.ruleset import Rules
from bohn.rules.scoring import PENNIES_A_COIN
from bohn.rules.state import (
    BonusPhase,
    EndPhase,
    GiftPhase,
    LeftoversPhase,
    Offer,
    Phase,
    PlantGiftPhase,
    PlantPhase,
    PlantTradedPhase,
    Result,
    State,
    TradePhase,
)
from bohn.rules.trading import offer_from, require_wanted
from bohn.rules.turns import TURNS
from bohn.rules.turns.shared import AT_MOST_PLANTED


def phases_of(rules: Rules) -> tuple[str, ...]:
    """Return the names of the phases that a game has."""
    played = set(map(tag, TURNS[rules.game]))
    return tuple(name for name in PHASES if name in played)


def parse_phase(rules: Rules, table: TomlTable, active: int, hands: Cards) -> Phase:
    """Return the phase that a position names, by default the planting."""
    name = text_of(table.get("phase", "plant"), "position.phase")
    if name not in phases_of(rules):
        expected = ", ".join(phases_of(rules))
        msg = f"position.phase: expected a phase of this game ({expected}), not {shorten(name)}"
        raise NotationError(msg)
    keys = PHASE_KEYS[name]
    face_up = BEANS.read(table.get("face_up", "-"), "position.face_up", hands) if "face_up" in keys else ()
    cards = Cards(hands.hands, face_up)
    values = {key: keys[key].codec.read(table[key], f"position.{key}", cards) for key in keys if key in table}
    build = _BUILD.get(name)
    return build(rules, values, active, cards) if build else PHASES[name](**values)


def _trade(rules: Rules, values: dict[str, Any], active: int, cards: Cards) -> Phase:  # noqa: ARG001 - one signature
    values.setdefault("next_offer", max((offer.id for offer in values.get("offers", ())), default=0) + 1)
    # from the active player's pass on, offers of others are later ones (TRADE-12)
    values.setdefault("final", active in values.get("passes", ()))
    return TradePhase(**values)


def _gift(rules: Rules, values: dict[str, Any], active: int, cards: Cards) -> Phase:  # noqa: ARG001 - one signature
    named = values.get("named", ())
    values.setdefault("word", (named[-1].player + 1) % len(cards.hands) if named else active)
    values.setdefault("open", bool(named))
    return GiftPhase(**values)


def _plant_gift(rules: Rules, values: dict[str, Any], active: int, cards: Cards) -> Phase:  # noqa: ARG001 - one signature
    values.setdefault("receiver", (active + 1) % len(cards.hands) if values.get("gift") else 0)
    return PlantGiftPhase(**values)


def _end(rules: Rules, values: dict[str, Any], active: int, cards: Cards) -> Phase:  # noqa: ARG001 - one signature
    none = (0,) * len(cards.hands)
    coins, pennies = values.get("result", none), values.get("pennies", none)
    hand_cards = values.get("hand_cards", tuple(len(hand) for hand in cards.hands))
    if not len(coins) == len(pennies) == len(hand_cards) == len(none):
        msg = f"position: expected {len(none)} numbers in each of result, pennies and hand_cards"
        raise NotationError(msg)
    worth = tuple(PENNIES_A_COIN * whole + part for whole, part in zip(coins, pennies, strict=True))
    winners = values.get("winners", WINNERS[rules.tie](worth, hand_cards))
    return EndPhase(Result(coins, pennies, hand_cards, winners), values.get("unscored", ()))


_BUILD: dict[str, Callable[[Rules, dict[str, Any], int, Cards], Phase]] = {
    "trade": _trade,
    "gift": _gift,
    "plant-gift": _plant_gift,
    "end": _end,
}


# -- checks ----------------------------------------------------------------------------------


def check_phase(rules: Rules, state: State) -> None:
    """Refuse a phase that no game could have reached with these cards. Raises :class:`NotationError`."""
    check = _CHECKS.get(type(state.phase))
    if check:
        check(rules, state)


def _require(holds: bool, where: str, expected: str) -> None:
    if not holds:
        msg = f"position.{where}: expected {expected}"
        raise NotationError(msg)


def _check_plant(rules: Rules, state: State) -> None:  # noqa: ARG001 - one signature
    planted = getattr(state.phase, "planted", 0)
    _require(planted <= AT_MOST_PLANTED, "planted", f"at most {AT_MOST_PLANTED}")


def _check_leftovers(rules: Rules, state: State) -> None:  # noqa: ARG001 - one signature
    _require(bool(getattr(state.phase, "leftovers", ())), "leftovers", "at least one bean in this phase")


def _check_bonus(rules: Rules, state: State) -> None:  # noqa: ARG001 - one signature
    phase = state.phase
    waiting = isinstance(phase, BonusPhase) and phase.discarding + phase.refilling
    _require(bool(waiting), "refilling", "a seat here or in discarding")


def _check_plant_gift(rules: Rules, state: State) -> None:  # noqa: ARG001 - one signature
    phase = state.phase
    gift: tuple[object, ...] = getattr(phase, "gift", ())
    _require(len(gift) <= 1, "gift", "at most one bean")
    due = gift + getattr(phase, "face_up", ())
    _require(bool(due) or _set_aside(state), "face_up", "a bean to plant, here, as the gift or set aside")


def _check_plant_traded(rules: Rules, state: State) -> None:  # noqa: ARG001 - one signature
    _require(_set_aside(state), "phase", "a set-aside bean in this phase")


def _set_aside(state: State) -> bool:
    return any(player.set_aside for player in state.players)


def _check_trade(rules: Rules, state: State) -> None:
    phase = state.phase
    offers = phase.offers if isinstance(phase, TradePhase) else ()
    numbers = [offer.id for offer in offers]
    following = getattr(phase, "next_offer", 0)
    _require(len(set(numbers)) == len(numbers), "offers", "each number of an offer once")
    _require(following > max(numbers, default=0), "next_offer", "a number above those of all offers")
    later = getattr(phase, "later", ())
    _require(all(0 < offer < following for offer in later), "later", "numbers of offers already made")
    passed = set(getattr(phase, "passes", ()))
    _require(len(passed) < len(state.players), "passes", "a player who has not passed")
    for i, offer in enumerate(offers):
        _check_offer(rules, state, offer, f"offers[{i}]")


def _check_offer(rules: Rules, state: State, offer: Offer, where: str) -> None:
    """Check an offer and its claims with the rules of making offers."""
    seats = range(len(state.players))
    _require(offer.maker in seats, where, f"a maker from 0 to {len(seats) - 1}")
    _require(offer.id > 0 and offer.revision > 0, where, "number and revision from 1")
    revision = state.players[offer.maker].hand_revision
    command = MakeOffer(offer.maker, offer.to, offer.hand, offer.face_up, offer.want, offer.open, revision)
    try:
        offer_from(rules, state, command, offer.id, offer.revision)
        claimers = [claim.player for claim in offer.claims]
        _require(offer.open or not claimers, where, "claims only on an open offer")
        for answered in (claimers, offer.declined):
            right = set(answered) <= set(offer.to) and len(set(answered)) == len(answered)
            _require(right, where, "answers from the seats it is addressed to, each once")
        for claim in offer.claims:
            own = state.players[claim.player]
            require_copies(own, claim.hand, own.hand_revision)
            require_wanted(offer, claim.hand)
    except IllegalCommand as refusal:
        msg = f"position.{where}: expected an offer that the cards allow; {refusal}"
        raise NotationError(msg) from None


def _check_gift(rules: Rules, state: State) -> None:
    phase = state.phase
    assert isinstance(phase, GiftPhase)  # noqa: S101 - the table of checks calls it for no other phase
    _check_haggling(rules, phase)
    for i, naming in enumerate(phase.named):
        where = f"named[{i}]"
        _require(naming.player < len(state.players), where, f"a seat from 0 to {len(state.players) - 1}")
        _require(naming.bean in rules.kinds, where, "a bean of this game")
        right = all(copy.bean == naming.bean for copy in naming.hand) and len(naming.hand) <= 1
        _require(right, where, "at most one hand card, of the kind named")
        own = state.players[naming.player]
        try:
            require_copies(own, naming.hand, own.hand_revision)
        except IllegalCommand as refusal:
            msg = f"position.{where}: expected a card of the hand; {refusal}"
            raise NotationError(msg) from None


def _check_haggling(rules: Rules, phase: GiftPhase) -> None:
    """Refuse a haggling in which no player could speak, or one would answer himself."""
    kinds = [naming.bean for naming in phase.named]
    _require(len(set(kinds)) == len(kinds), "named", "each kind once")
    _require(phase.open or len(kinds) < len(rules.kinds), "open", "true once every kind is named")
    _require(bool(kinds) or not phase.open, "open", "false before a kind is named")
    answers = not phase.open or phase.word != phase.named[-1].player
    _require(answers, "word", "the seat that did not name the last kind")


_CHECKS: dict[type[Phase], Callable[[Rules, State], None]] = {
    PlantPhase: _check_plant,
    TradePhase: _check_trade,
    PlantTradedPhase: _check_plant_traded,
    LeftoversPhase: _check_leftovers,
    GiftPhase: _check_gift,
    PlantGiftPhase: _check_plant_gift,
    BonusPhase: _check_bonus,
}
