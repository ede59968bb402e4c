"""The clauses and policies in force in one game, by its edition, number of players and house rules."""

from __future__ import annotations

from bohn.rulebook.clauses import Clause, clauses
from bohn.rules.editions import EDITIONS
from bohn.rules.policies import TRADES_AS_WELL
from bohn.rules.resolve import HEAD_START, house_rules_for
from bohn.rules.ruleset import Rules
from bohn.rules.turns import HOUSE_RULES

POLICIES = (
    "same_kind", "singles", "harvest", "payment", "coins_to", "closing", "reshuffle", "end", "tie",
    "match", "rest", "bluff", "trading",
)  # fmt: skip
"""The policies of an edition, in the order of a turn."""

_ONLY_WITH_BONUS_CARDS = ("match", "rest", "bluff", "trading")
_ONLY_WITH_PURCHASES = ("payment", "coins_to")


def trades(rules: Rules) -> bool:
    """Whether beans are traded in this game."""
    return "closing" in HOUSE_RULES[rules.game] or TRADES_AS_WELL[rules.trading]


def has_effect(rules: Rules, policy: str) -> bool:
    """Whether a policy has an effect in this game."""
    if policy in _ONLY_WITH_BONUS_CARDS:
        return bool(rules.bonus_cards)
    if policy in _ONLY_WITH_PURCHASES:
        return rules.max_fields > rules.fields
    if policy == "closing":
        return trades(rules)
    if policy == "reshuffle":
        return rules.exhaustions > 1  # with the last exhaustion nothing is shuffled (END-5)
    return policy != "end" or policy in HOUSE_RULES[rules.game]


def policies(rules: Rules) -> tuple[str, ...]:
    """Return the policies with an effect in a game, as ``singles=all_single``, in the order of a turn."""
    return tuple(f"{policy}={getattr(rules, policy)}" for policy in POLICIES if has_effect(rules, policy))


def house_rule_choices(rules: Rules) -> dict[str, tuple[str, ...]]:
    """Return by house rule the values it may have in this game, except the one in force."""
    found: dict[str, list[str]] = {}
    for text in house_rules_for(EDITIONS[rules.edition][rules.players]):
        key, _, value = text.partition("=")
        if text not in rules.house_rules and str(getattr(rules, key)) not in (value, _as_seat(value, rules)):
            found.setdefault(key, []).append(value)
    return {key: tuple(values) for key, values in found.items()}


def _as_seat(value: str, rules: Rules) -> str:
    """Return a starter as ``Rules.starter`` names it: ``left-of:1`` is seat 2."""
    word, _, seat = value.partition(":")
    return f"seat:{(int(seat) + 1) % rules.players}" if word == "left-of" else value


# -- clauses -----------------------------------------------------------------------------------------

_BY_POLICY: dict[str, tuple[str, str]] = {
    "FIELD-3": ("same_kind", "may_split must_join"),
    "TRADE-11": ("closing", "active"),
    "TRADE-12": ("closing", "unanimous"),
    "RESHUFFLE-2": ("reshuffle", "eager"),
    "RESHUFFLE-3": ("reshuffle", "when_needed"),
    "HARVEST-1": ("harvest", "any_time"),
    "HARVEST-4": ("singles", "while_another_has_two"),
    "HARVEST-5": ("singles", "all_single"),
    "BUY-3": ("payment", "topmost"),
    "BUY-4": ("payment", "chosen"),
    "END-2": ("end", "after_planting"),
    "END-4": ("end", "at_once plant_first"),
    "TIE-1": ("tie", "most_hand_cards"),
    "TIE-2": ("tie", "most_hand_cards"),
    "TIE-3": ("tie", "shared"),
    "DUEL-2": ("harvest", "own_turn"),
    "DUEL-3": ("coins_to", "box"),
}
"""Clauses in force where a policy has one of these values, whatever edition prints them."""

_BY_PLAYERS: dict[str, tuple[int, ...]] = {
    "PLAYERS-1": (3,),
    "PLAYERS-2": (4, 5),
    "PLAYERS-3": (6, 7),
}

_BY_HOUSE_RULE: dict[str, tuple[str, ...]] = {
    "HOUSE-1": ("fields=",),
    "HOUSE-2": ("field_price=",),
    "HOUSE-3": ("end=",),
    "HOUSE-4": ("exhaustions=",),
    "HOUSE-5": ("kinds=",),
    "HOUSE-6": ("starter=",),
    "HOUSE-7": (f"{HEAD_START}=",),
    "DD-23": ("end=", "trading=", "rest=", "bluff=", "match="),
}
"""Clauses in force where one of these house rules was chosen."""

_GAMES = {"duel": "bean-duel", "dd": "das-duell", "players": "main"}
"""The sections that belong to one game only."""

_TRADING_SECTIONS = ("trade", "gift", "offer", "setaside")
_TWO_FACE_UP = ("REVEAL-1", "REVEAL-2")
_WITH_NOTHING_TO_BUY = ("BUY-1", "BUY-7")


def clauses_in_force(rules: Rules, lang: str = "en") -> tuple[Clause, ...]:
    """Return the clauses that are in force in a game, in their order."""
    return tuple(clause for clause in clauses(lang).values() if is_in_force(clause, rules))


def is_in_force(clause: Clause, rules: Rules) -> bool:
    """Whether a clause is in force in a game."""
    if rules.players not in _BY_PLAYERS.get(clause.id, (rules.players,)) or not _subject(clause, rules):
        return False
    if clause.id in _BY_HOUSE_RULE:
        chosen = any(rule.startswith(_BY_HOUSE_RULE[clause.id]) for rule in rules.house_rules)
        return chosen and clause.belongs_to(rules.edition)
    if clause.id in _BY_POLICY:
        policy, values = _BY_POLICY[clause.id]
        return has_effect(rules, policy) and getattr(rules, policy) in values.split()
    also = clause.section in _TRADING_SECTIONS and trades(rules)  # where the house adds trading to the gift
    return also or clause.belongs_to(rules.edition)


def _subject(clause: Clause, rules: Rules) -> bool:
    """Whether a game has what a clause is about."""
    section = clause.section
    if _GAMES.get(section, rules.game) != rules.game:
        return False
    if section in _TRADING_SECTIONS:
        return trades(rules)
    if clause.id in _TWO_FACE_UP:
        return trades(rules) and not rules.bonus_cards
    if section == "reshuffle":
        return has_effect(rules, "reshuffle")
    if section == "buy" and clause.id not in _WITH_NOTHING_TO_BUY:
        return rules.max_fields > rules.fields
    return True
