"""Counts the cards that a position names, and places all others, so that every card is there once."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from bohn.notation.beans import format_bean
from bohn.notation.errors import NotationError
from bohn.notation.keys import BEANS_OF_A_PHASE
from bohn.rules.beans import BEANS, Bean, Pile
from bohn.rules.deal import cards_of
from bohn.rules.ruleset import Rules
from bohn.rules.shuffle import shuffled
from bohn.rules.state import BonusPiles, State


def cards_in(state: State) -> Counter[Bean]:
    """Count the cards of a state, wherever they lie."""
    found: Counter[Bean] = Counter(state.draw_pile + state.discard_pile + state.box)
    for place in BEANS_OF_A_PHASE:
        found.update(getattr(state.phase, place, ()))
    for player in state.players:
        found.update(player.hand + player.treasury + player.set_aside + player.face_down)
        for field in player.fields:
            found.update(field)
    return found


def require_cards(rules: Rules, state: State) -> None:
    """Refuse more cards of a kind than there are, and kinds that were put away, except in the box.

    Raises :class:`NotationError`.
    """
    named, in_box = cards_in(state), Counter(state.box)
    for bean in BEANS:
        played, boxed = rules.deck[bean], rules.boxed[bean]
        if boxed and not played:
            named[bean] -= in_box[bean]
        if named[bean] > played or in_box[bean] > played + boxed:
            count = max(named[bean], in_box[bean])
            msg = f"position: expected at most {played} {format_bean(bean)} in this game, not {count}"
            raise NotationError(msg)


def require_bonus_cards(rules: Rules, state: State) -> None:
    """Refuse bonus cards that the game does not have, or that lie in two places.

    Raises :class:`NotationError`.
    """
    named = list(state.bonus.draw + state.bonus.discard)
    for player in state.players:
        named += player.bonus.hand + player.bonus.claimed
    for card, count in Counter(named).items():
        if card >= len(rules.bonus_cards) or count > 1:
            msg = f"position: expected bonus cards below {len(rules.bonus_cards)}, each once, not {card}"
            raise NotationError(msg)


def fill(rules: Rules, state: State, rest: str, *, bonus_pile: bool) -> State:
    """Return the state with all cards: those not named below the pile ``rest``, those put away in the box."""
    named, in_box = cards_in(state), Counter(state.box)
    left: Pile = cards_of(tuple(max(0, rules.deck[bean] - named[bean]) for bean in BEANS))
    put_away = cards_of(tuple(
        0 if rules.deck[bean] else rules.boxed[bean] - in_box[bean] for bean in BEANS
    ))  # fmt: skip
    state = replace(state, box=put_away + state.box)
    if rest == "draw_pile":
        state = replace(state, draw_pile=shuffled(left, state.seed, 0) + state.draw_pile)
    elif rest == "discard_pile":
        state = replace(state, discard_pile=left + state.discard_pile)
    else:
        state = replace(state, box=put_away + left + state.box[len(put_away) :])
    return _with_bonus_pile(rules, state) if bonus_pile else state


def _with_bonus_pile(rules: Rules, state: State) -> State:
    """Shuffle the bonus cards that are not named into the bonus pile."""
    held = {card for player in state.players for card in player.bonus.hand + player.bonus.claimed}
    held.update(state.bonus.discard)
    left = tuple(card for card in range(len(rules.bonus_cards)) if card not in held)
    return replace(state, bonus=BonusPiles(shuffled(left, state.seed, 0, "bonus"), state.bonus.discard))


def boxed_first(rules: Rules, box: Pile) -> Pile:
    """Return a box without what was put away before the game, if that lies there first and alone."""
    put_away = cards_of(tuple(0 if rules.deck[bean] else rules.boxed[bean] for bean in BEANS))
    rest = box[len(put_away) :]
    alone = box[: len(put_away)] == put_away and not set(put_away) & set(rest)
    return rest if alone else box
