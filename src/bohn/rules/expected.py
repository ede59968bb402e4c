"""Which commands a phase expects under the rules of a game: those of its row that these rules can allow."""

from __future__ import annotations

from collections.abc import Callable

from bohn.rules.commands import BuyField, Command, DiscardLeftover, EndTrading, Pass, PlantSetAside
from bohn.rules.policies import ALL_MUST_PASS, MAY_DISCARD_REST, TRADES_AS_WELL
from bohn.rules.ruleset import Rules
from bohn.rules.state import Phase, PlantGiftPhase, TradePhase
from bohn.rules.turns import TURNS

_ONLY_WHERE: dict[tuple[type[Phase], type[Command]], Callable[[Rules], bool]] = {
    (TradePhase, Pass): lambda rules: ALL_MUST_PASS[rules.closing],  # TRADE-12
    (TradePhase, EndTrading): lambda rules: not ALL_MUST_PASS[rules.closing],  # TRADE-11
    (PlantGiftPhase, DiscardLeftover): lambda rules: MAY_DISCARD_REST[rules.rest],  # DD-12
    (PlantGiftPhase, PlantSetAside): lambda rules: TRADES_AS_WELL[rules.trading],  # DD-6
}
"""Commands of a phase that only some values of a policy allow."""


def expected_commands(rules: Rules, phase: type[Phase]) -> tuple[type[Command], ...]:
    """Return the commands that a phase expects under these rules."""
    return tuple(
        command
        for command in TURNS[rules.game][phase].commands
        if (command is not BuyField or rules.max_fields > rules.fields)  # BUY-7, DD-2
        and _ONLY_WHERE.get((phase, command), _always)(rules)
    )


def _always(rules: Rules) -> bool:  # noqa: ARG001 - one signature per table
    return True
