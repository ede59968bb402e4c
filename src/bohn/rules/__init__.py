"""The rules of the game as pure functions over frozen data: decide commands, fold events, list legal ones."""

from bohn.rules.beans import BEANS, Bean, coins_for
from bohn.rules.deal import opening
from bohn.rules.decide import decide, is_legal
from bohn.rules.errors import BohnError, IllegalCommand, Reason, UnknownEdition
from bohn.rules.evolve import evolve, fold
from bohn.rules.legal import OfferSpace, legal_commands, may_act, offer_space, waiting
from bohn.rules.resolve import house_rules_for, resolve
from bohn.rules.ruleset import BonusCard, Rules
from bohn.rules.shuffle import seed_from
from bohn.rules.state import Player, State

__all__ = [
    "BEANS",
    "Bean",
    "BohnError",
    "BonusCard",
    "IllegalCommand",
    "OfferSpace",
    "Player",
    "Reason",
    "Rules",
    "State",
    "UnknownEdition",
    "coins_for",
    "decide",
    "evolve",
    "fold",
    "house_rules_for",
    "is_legal",
    "legal_commands",
    "may_act",
    "offer_space",
    "opening",
    "resolve",
    "seed_from",
    "waiting",
]
