"""Policies: the small functions in which editions behave differently.

Each table maps the values of one field of :class:`~bohn.rules.ruleset.Rules` to a plain
function, so that nothing else in the core asks which edition is played. Policies that only choose between
two ways through a turn map to whether one of them is taken; they are looked up where the ways part. A value
that a table does not have raises ``ValueError`` where it is read.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any, Literal, NoReturn, TypeVar

from bohn.rules.beans import Bean, Field, Pile
from bohn.rules.errors import IllegalCommand, Reason
from bohn.rules.state import Player

Fields = tuple[Field, ...]
T = TypeVar("T")


class Policy(dict[str, T]):
    """What each value of one field of the rules means."""

    def __init__(self, name: str, values: dict[str, T]) -> None:
        """Store the name of the field and its values."""
        super().__init__(values)
        self.name = name

    def __missing__(self, value: Any) -> NoReturn:
        """Raise ``ValueError``, naming the policy and the values it has."""
        msg = f"there is no {self.name}={value!r}; expected one of: {', '.join(self)}"
        raise ValueError(msg)


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


FITS: Policy[Callable[[Fields, int, Bean], Reason | None]] = Policy(
    "same_kind",
    {"may_split": fits_its_kind, "must_join": fits_and_joins, "next_higher": fits_next_higher},
)


FIT_CLAUSES = {"may_split": "PLANT-2", "must_join": "FIELD-3", "next_higher": "DD-3"}
"""The clause behind each value."""


# -- which single beans are protected: Rules.singles ---------------------------------


def protected_while_another_has_two(fields: Fields, index: int) -> bool:
    """Protect a single bean while another own field has two or more (HARVEST-4)."""
    return len(fields[index]) == 1 < max(map(len, fields))


def protected_unless_all_single(fields: Fields, index: int) -> bool:
    """Protect a single bean unless all own fields hold exactly one (HARVEST-5)."""
    return len(fields[index]) == 1 and set(map(len, fields)) != {1}


PROTECTED: Policy[Callable[[Fields, int], bool]] = Policy(
    "singles",
    {
        "while_another_has_two": protected_while_another_has_two,
        "all_single": protected_unless_all_single,
    },
)


PROTECTION_CLAUSES = {"while_another_has_two": "HARVEST-4", "all_single": "HARVEST-5"}
"""The clause behind each value."""


# -- when a player may harvest: Rules.harvest ----------------------------------------


def harvest_any_time(player: int, active_player: int) -> bool:  # noqa: ARG001 - one signature per table
    """Allow everybody at any time (HARVEST-1)."""
    return True


def harvest_own_turn(player: int, active_player: int) -> bool:
    """Allow only the active player (DUEL-2)."""
    return player == active_player


MAY_HARVEST: Policy[Callable[[int, int], bool]] = Policy(
    "harvest", {"any_time": harvest_any_time, "own_turn": harvest_own_turn}
)


# -- which coins pay: Rules.payment ---------------------------------------------------


def pay_topmost(player: Player, price: int, named: Pile) -> Pile:
    """Return the topmost coins, newest first (BUY-3); naming others is refused.

    Coins of a head start lie below all others, and make up what is missing (HOUSE-7).
    """
    coins = player.treasury[-1 : -price - 1 : -1]
    if named and named != coins:
        raise IllegalCommand(Reason.WRONG_PAYMENT, "BUY-3", price=price)
    return coins


def pay_chosen(player: Player, price: int, named: Pile) -> Pile:
    """Return the coins the payer named, in his order (BUY-4); none named means the topmost.

    Coins of a head start make up what is missing (HOUSE-7).
    """
    coins = named or player.treasury[-1 : -price - 1 : -1]
    held = all(player.treasury.count(bean) >= coins.count(bean) for bean in coins)
    if not price - player.tokens_left <= len(coins) <= price or not held:
        raise IllegalCommand(Reason.WRONG_PAYMENT, "BUY-4", price=price)
    return coins


PAY: Policy[Callable[[Player, int, Pile], Pile]] = Policy(
    "payment", {"topmost": pay_topmost, "chosen": pay_chosen}
)

CHOOSES_COINS = Policy("payment", {"topmost": False, "chosen": True})
"""Whether the payer names the coins (BUY-4)."""


# -- who wins a tie: Rules.tie --------------------------------------------------------


def winners_most_hand_cards(scores: tuple[int, ...], hand_cards: tuple[int, ...]) -> tuple[int, ...]:
    """Return those with most coins and, among them, most hand cards (TIE-1, TIE-2)."""
    best = max(zip(scores, hand_cards, strict=True))
    return tuple(i for i, pair in enumerate(zip(scores, hand_cards, strict=True)) if pair == best)


def winners_shared(scores: tuple[int, ...], hand_cards: tuple[int, ...]) -> tuple[int, ...]:  # noqa: ARG001 - one signature
    """Return all with most coins (TIE-3)."""
    best = max(scores)
    return tuple(i for i, score in enumerate(scores) if score == best)


WINNERS: Policy[Callable[[tuple[int, ...], tuple[int, ...]], tuple[int, ...]]] = Policy(
    "tie", {"most_hand_cards": winners_most_hand_cards, "shared": winners_shared}
)


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


MATCHES: Policy[Callable[[Field, tuple[int, ...]], bool]] = Policy(
    "match", {"whole_field": matches_whole_field, "contiguous_part": matches_contiguous_part}
)


# -- two ways through a turn ------------------------------------------------------------

RESHUFFLES_AT_ONCE = Policy("reshuffle", {"eager": True, "when_needed": False})
"""Whether an empty draw pile is made anew at once: Rules.reshuffle (RESHUFFLE-2)."""

ALL_MUST_PASS = Policy("closing", {"active": False, "unanimous": True})
"""Whether the trading ends when everybody wants no more: Rules.closing (TRADE-11, TRADE-12)."""

ENDS_AT_ONCE = Policy("end", {"after_planting": False, "at_once": True, "plant_first": False})
"""Whether the last card turned over ends the game: Rules.end (END-4)."""

PLANTS_FIRST = Policy("end", {"after_planting": False, "at_once": False, "plant_first": True})
"""Whether after the last card turned over nothing is traded any more: Rules.end (END-2)."""

MAY_DISCARD_REST = Policy("rest", {"must_plant": False, "may_discard": True})
"""Whether revealed beans may be discarded once one is planted: Rules.rest (DD-23)."""

BLUFF_ENDS = Policy("bluff", {"ends": True, "continues": False})
"""Whether a caught bluff ends the haggling: Rules.bluff (DD-10, DD-23)."""

TRADES_AS_WELL = Policy("trading", {"no": False, "also": True})
"""Whether there is trading beside the gift: Rules.trading (DD-23)."""

COINS_TO: Policy[Literal["discard", "box"]] = Policy("coins_to", {"discard": "discard", "box": "box"})
"""Where spent coins go, as events name it: Rules.coins_to (BUY-5)."""
