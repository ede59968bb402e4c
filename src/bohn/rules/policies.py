"""Policies: the small functions in which editions behave differently.

Each table maps the values of one field of :class:`~bohn.rules.ruleset.Rules` to a plain
function, so that nothing else in the core asks which edition is played. Policies that only choose between
two ways through a turn (``reshuffle``, ``end``, ``closing``, ``rest``, ``bluff``, ``trading``) are asked
where the ways part.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from bohn.rules.beans import Bean, Field, Pile
from bohn.rules.errors import IllegalCommand, Reason
from bohn.rules.state import Player

Fields = tuple[Field, ...]


# -- which bean fits which field: Rules.same_kind ------------------------------------


def fits_its_kind(fields: Fields, index: int, bean: Bean) -> Reason | None:
    """Fit an empty field or a field of the kind (PLANT-2, FIELD-3 may_split)."""
    field = fields[index]
    return Reason.DOES_NOT_FIT if field and field[-1] != bean else None


def fits_and_joins(fields: Fields, index: int, bean: Bean) -> Reason | None:
    """Fit as usual, but a kind that grows already must join its field (FIELD-3 must_join)."""
    field = fields[index]
    if field:
        return Reason.DOES_NOT_FIT if field[-1] != bean else None
    grows = any(other and other[-1] == bean for other in fields)
    return Reason.MUST_JOIN if grows else None


def fits_next_higher(fields: Fields, index: int, bean: Bean) -> Reason | None:
    """Fit an empty field, the same number or the next higher one (DD-3)."""
    field = fields[index]
    return Reason.DOES_NOT_FIT if field and bean - field[-1] not in (0, 1) else None


FITS: dict[str, Callable[[Fields, int, Bean], Reason | None]] = {
    "may_split": fits_its_kind,
    "must_join": fits_and_joins,
    "next_higher": fits_next_higher,
}


FIT_CLAUSES = {"may_split": "PLANT-2", "must_join": "FIELD-3", "next_higher": "DD-3"}
"""The clause behind each value."""


# -- which single beans are protected: Rules.singles ---------------------------------


def protected_while_another_has_two(fields: Fields, index: int) -> bool:
    """Protect a single bean while another own field has two or more (HARVEST-4)."""
    return len(fields[index]) == 1 < max(map(len, fields))


def protected_unless_all_single(fields: Fields, index: int) -> bool:
    """Protect a single bean unless all own fields hold exactly one (HARVEST-5)."""
    return len(fields[index]) == 1 and set(map(len, fields)) != {1}


PROTECTED: dict[str, Callable[[Fields, int], bool]] = {
    "while_another_has_two": protected_while_another_has_two,
    "all_single": protected_unless_all_single,
}


PROTECTION_CLAUSES = {"while_another_has_two": "HARVEST-4", "all_single": "HARVEST-5"}
"""The clause behind each value."""


# -- when a player may harvest: Rules.harvest ----------------------------------------


def harvest_any_time(player: int, active_player: int) -> bool:  # noqa: ARG001 - one signature per table
    """Allow everybody at any time (HARVEST-1)."""
    return True


def harvest_own_turn(player: int, active_player: int) -> bool:
    """Allow only the active player (DUEL-2)."""
    return player == active_player


MAY_HARVEST: dict[str, Callable[[int, int], bool]] = {
    "any_time": harvest_any_time,
    "own_turn": harvest_own_turn,
}


# -- which coins pay: Rules.payment ---------------------------------------------------


def pay_topmost(player: Player, price: int, named: Pile) -> Pile:
    """Return the topmost coins, newest first (BUY-3); naming others is refused."""
    coins = player.treasury[-1 : -price - 1 : -1]
    if named and named != coins:
        raise IllegalCommand(Reason.WRONG_PAYMENT, "BUY-3", price=price)
    return coins


def pay_chosen(player: Player, price: int, named: Pile) -> Pile:
    """Return the coins the payer named, in his order (BUY-4); none named means the topmost."""
    coins = named or player.treasury[-1 : -price - 1 : -1]
    held = all(player.treasury.count(bean) >= coins.count(bean) for bean in coins)
    if len(coins) != price or not held:
        raise IllegalCommand(Reason.WRONG_PAYMENT, "BUY-4", price=price)
    return coins


PAY: dict[str, Callable[[Player, int, Pile], Pile]] = {"topmost": pay_topmost, "chosen": pay_chosen}


# -- who wins a tie: Rules.tie --------------------------------------------------------


def winners_most_hand_cards(scores: tuple[int, ...], hand_cards: tuple[int, ...]) -> tuple[int, ...]:
    """Return those with most coins and, among them, most hand cards (TIE-1, TIE-2)."""
    best = max(zip(scores, hand_cards, strict=True))
    return tuple(i for i, pair in enumerate(zip(scores, hand_cards, strict=True)) if pair == best)


def winners_shared(scores: tuple[int, ...], hand_cards: tuple[int, ...]) -> tuple[int, ...]:  # noqa: ARG001 - one signature
    """Return all with most coins (TIE-3)."""
    best = max(scores)
    return tuple(i for i, score in enumerate(scores) if score == best)


WINNERS: dict[str, Callable[[tuple[int, ...], tuple[int, ...]], tuple[int, ...]]] = {
    "most_hand_cards": winners_most_hand_cards,
    "shared": winners_shared,
}


# -- whether a field shows a bonus pattern: Rules.match --------------------------------


def runs_of(field: Field) -> tuple[int, ...]:
    """Return the lengths of the runs of equal beans, oldest first (DD-14)."""
    return tuple(len(tuple(run)) for _, run in groupby(field))


def matches_whole_field(field: Field, runs: tuple[int, ...]) -> bool:
    """Match the pattern with the whole field (DD-21 whole_field)."""
    return runs_of(field) == runs


def matches_contiguous_part(field: Field, runs: tuple[int, ...]) -> bool:
    """Match the pattern with some consecutive beans of the field (DD-21 contiguous_part)."""
    size = sum(runs)
    return any(runs_of(field[start : start + size]) == runs for start in range(len(field) - size + 1))


MATCHES: dict[str, Callable[[Field, tuple[int, ...]], bool]] = {
    "whole_field": matches_whole_field,
    "contiguous_part": matches_contiguous_part,
}
