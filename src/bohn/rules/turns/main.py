"""The main game, three to seven players: the turn is the table at the end of this file."""

from __future__ import annotations

from bohn.rules.batch import Batch
from bohn.rules.commands import (
    AcceptOffer,
    Claim,
    Command,
    DeclineOffer,
    EditOffer,
    EndTrading,
    MakeOffer,
    Pass,
    Pick,
    Plant,
    PlantSetAside,
    Reveal,
    WithdrawOffer,
)
from bohn.rules.errors import IllegalCommand, Reason
from bohn.rules.events import (
    Drew,
    Event,
    OfferDeclined,
    OfferWithdrawn,
    Passed,
    SetAsidePlanted,
    Traded,
    TradingBegan,
    TradingClosed,
    TurnedOver,
)
from bohn.rules.farming import bean_to_plant, require_active
from bohn.rules.piles import is_over, take
from bohn.rules.policies import ALL_MUST_PASS, ENDS_AT_ONCE, PLANTS_FIRST
from bohn.rules.ruleset import Rules
from bohn.rules.scoring import end_game
from bohn.rules.state import EndPhase, PlantPhase, PlantTradedPhase, State, TradePhase, in_order
from bohn.rules.trading import (
    accept_offer,
    claim,
    decline_offer,
    edit_offer,
    make_offer,
    pick,
    trade_choices,
    trade_phase,
    who_trades,
    withdraw_offer,
)
from bohn.rules.turns.row import END, Handler, PhaseRow, TurnTable, active_player
from bohn.rules.turns.shared import (
    ANY_TIME,
    NUMBERS,
    POLICIES,
    next_turn,
    plant,
    plant_or_reveal,
    require_reveal,
    set_aside_choices,
)

NAME = "main"

HOUSE_RULES: dict[str, tuple[str, ...]] = {
    **POLICIES,
    "reshuffle": ("eager", "when_needed"),
    "closing": ("active", "unanimous"),
    "end": ("after_planting", "at_once", "plant_first"),  # HOUSE-3
    **NUMBERS,
    "exhaustions": ("1", "2", "3"),  # HOUSE-4
    "kinds": ("eight",),  # HOUSE-5
}
"""What a house may change in this game: the key of the rule and its values."""


# -- phase 2: reveal, trade, give ---------------------------------------------------------


def reveal(rules: Rules, state: State, command: Reveal) -> tuple[Event, ...]:
    """Turn two beans over and begin the trading (REVEAL-1, REVEAL-3, END-2, END-4)."""
    require_reveal(state, command)
    batch = Batch(state)
    take(rules, batch, TurnedOver, rules.reveal)
    if is_over(rules, batch.state) and ENDS_AT_ONCE[rules.end]:
        end_game(rules, batch)
        return batch.done()
    batch.add(TradingBegan(command.player))
    if is_over(rules, batch.state) and PLANTS_FIRST[rules.end]:
        close(rules, batch)
    return batch.done()


def close(rules: Rules, batch: Batch) -> None:
    """End the trading; with nothing to plant, phase 3 is over at once (TRADE-11, OFFER-13)."""
    batch.add(TradingClosed(batch.state.active_player))
    finish_planting(rules, batch)


def end_trading(rules: Rules, state: State, command: EndTrading) -> tuple[Event, ...]:
    """Let the active player end the trading (TRADE-11)."""
    require_active(state, command, "TRADE-11")
    if ALL_MUST_PASS[rules.closing]:
        raise IllegalCommand(Reason.ALL_MUST_PASS, "TRADE-12")
    batch = Batch(state)
    close(rules, batch)
    return batch.done()


def pass_trading(rules: Rules, state: State, command: Pass) -> tuple[Event, ...]:
    """Want no more trade; the trading ends when everybody does (TRADE-12)."""
    if not ALL_MUST_PASS[rules.closing]:
        raise IllegalCommand(Reason.ACTIVE_PLAYER_CLOSES, "TRADE-11", active=state.active_player)
    if command.player in trade_phase(state).passes:
        raise IllegalCommand(Reason.ALREADY_PASSED, "TRADE-12")
    batch = Batch(state, Passed(command.player))
    close_if_unanimous(rules, batch)
    return batch.done()


def close_if_unanimous(rules: Rules, batch: Batch) -> None:
    """End the trading when nobody wants more (TRADE-12).

    That is when every pass stands; when each other player has had a later offer answered since the
    active player's pass; or when the active player's pass stands and each other has passed or been heard.
    """
    state = batch.state
    phase = trade_phase(state)
    others = set(range(len(state.players))) - {state.active_player}
    all_heard = others <= set(phase.heard)
    all_done = state.active_player in phase.passes and others <= {*phase.passes, *phase.heard}
    if all_heard or all_done:
        close(rules, batch)


_ANSWERED = (Traded, OfferDeclined, OfferWithdrawn)


def closing_when_answered(handler: Handler) -> Handler:
    """Return a handler that also ends the trading if an answer leaves nobody wanting more (TRADE-12)."""

    def handle(rules: Rules, state: State, command: Command) -> tuple[Event, ...]:
        events = handler(rules, state, command)
        if not ALL_MUST_PASS[rules.closing] or not isinstance(events[0], _ANSWERED):
            return events
        batch = Batch(state, *events)
        close_if_unanimous(rules, batch)
        return batch.done()

    return handle


# -- phases 3 and 4: plant what was set aside, draw ----------------------------------------


def plant_set_aside(rules: Rules, state: State, command: PlantSetAside) -> tuple[Event, ...]:
    """Plant one set-aside bean; each player chooses his own order (SETASIDE-1..SETASIDE-4)."""
    player = state.players[command.player]
    bean = bean_to_plant(rules, player, player.set_aside, command.place, command.field, "SETASIDE-1")
    planted = SetAsidePlanted(command.player, command.place, command.field, bean)
    if len(player.set_aside) > 1:
        return (planted,)
    batch = Batch(state, planted)
    finish_planting(rules, batch)
    return batch.done()


def finish_planting(rules: Rules, batch: Batch) -> None:
    """When the last set-aside bean is planted: draw, or end the game (SETASIDE-4, DRAW-1, END-2)."""
    for player in batch.state.players:
        if player.set_aside:
            return
    if not is_over(rules, batch.state):
        take(rules, batch, Drew, rules.draw)
    if is_over(rules, batch.state):
        end_game(rules, batch)
    else:
        next_turn(batch)


def who_plants(rules: Rules, state: State) -> tuple[int, ...]:  # noqa: ARG001 - one signature
    """Wait for everybody who has set-aside beans (SETASIDE-1)."""
    return tuple([seat for seat in in_order(state) if state.players[seat].set_aside])


TABLE: TurnTable = {
    PlantPhase: PhaseRow(
        commands={
            **ANY_TIME,
            Plant: plant,
            Reveal: reveal,
        },
        choices=plant_or_reveal,
        waiting=active_player,
        next=(TradePhase, PlantTradedPhase, EndPhase),
    ),
    TradePhase: PhaseRow(
        commands={
            **ANY_TIME,
            MakeOffer: make_offer,
            EditOffer: edit_offer,
            WithdrawOffer: closing_when_answered(withdraw_offer),
            AcceptOffer: closing_when_answered(accept_offer),
            DeclineOffer: closing_when_answered(decline_offer),
            Claim: claim,
            Pick: closing_when_answered(pick),
            EndTrading: end_trading,
            Pass: pass_trading,
        },
        choices=trade_choices,
        waiting=who_trades,
        next=(PlantTradedPhase, PlantPhase, EndPhase),
    ),
    PlantTradedPhase: PhaseRow(
        commands={
            **ANY_TIME,
            PlantSetAside: plant_set_aside,
        },
        choices=set_aside_choices,
        waiting=who_plants,
        next=(PlantPhase, EndPhase),
    ),
    **END,
}
"""What is not in this table is illegal."""
