"""The editions as data: for each name the resolved rules by number of players."""

from bohn.rules.editions.classic import CLASSIC, CLASSIC_JA, CLASSIC_SV
from bohn.rules.editions.duel import DAS_DUELL, DAS_DUELL_JA
from bohn.rules.editions.full import FULL, FULL_IS, FULL_IT, FULL_RU
from bohn.rules.ruleset import Rules

EDITIONS: dict[str, dict[int, Rules]] = {
    "full": FULL,
    "full-ru": FULL_RU,
    "full-is": FULL_IS,
    "full-it": FULL_IT,
    "classic": CLASSIC,
    "classic-ja": CLASSIC_JA,
    "classic-sv": CLASSIC_SV,
    "das-duell": DAS_DUELL,
    "das-duell-ja": DAS_DUELL_JA,
}
"""Every edition by its name."""

DEFAULT_EDITION = "full"
"""What is played if no edition is named."""
