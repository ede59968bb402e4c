"""The main game, three to seven players: the turn is the table at the end of this file."""

from __future__ import annotations

from bohn.rules.batch import Batch
from bohn.rules.commands import (
    AcceptOffer,
    BuyField,
    Claim,
    Command,
    DeclineOffer,
    EditOffer,
    EndTrading,
    Harvest,
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
from bohn.rules.farming import bean_to_plant, buy_field, harvest, require_active
from bohn.rules.piles import is_over, take
from bohn.rules.ruleset import Rules
from bohn.rules.scoring import end_game
from bohn.rules.state import PlantPhase, PlantTradedPhase, State, TradePhase
from bohn.rules.trading import (
    accept_offer,
    claim,
    decline_offer,
    edit_offer,
    make_offer,
    pick,
    trade_phase,
    withdraw_offer,
)
from bohn.rules.turns.shared import (
    NUMBERS,
    POLICIES,
    TALK,
    Handler,
    next_turn,
    plant,
    require_reveal,
    turn_table,
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
    if is_over(rules, batch.state) and rules.end == "at_once":
        end_game(rules, batch)
        return batch.done()
    batch.add(TradingBegan(command.player))
    if is_over(rules, batch.state) and rules.end == "plant_first":
        close(rules, batch)
    return batch.done()


def close(rules: Rules, batch: Batch) -> None:
    """End the trading; with nothing to plant, phase 3 is over at once (TRADE-11, OFFER-13)."""
    batch.add(TradingClosed(batch.state.active_player))
    finish_planting(rules, batch)


def end_trading(rules: Rules, state: State, command: EndTrading) -> tuple[Event, ...]:
    """Let the active player end the trading (TRADE-11)."""
    require_active(state, command, "TRADE-11")
    if rules.closing != "active":
        raise IllegalCommand(Reason.ALL_MUST_PASS, "TRADE-12")
    batch = Batch(state)
    close(rules, batch)
    return batch.done()


def pass_trading(rules: Rules, state: State, command: Pass) -> tuple[Event, ...]:
    """Want no more trade; the trading ends when everybody does (TRADE-12)."""
    if rules.closing != "unanimous":
        raise IllegalCommand(Reason.ACTIVE_PLAYER_CLOSES, "TRADE-11", active=state.active_player)
    if command.player in trade_phase(state).passes:
        raise IllegalCommand(Reason.ALREADY_PASSED, "TRADE-12")
    batch = Batch(state, Passed(command.player))
    close_if_unanimous(rules, batch)
    return batch.done()


def close_if_unanimous(rules: Rules, batch: Batch) -> None:
    """Close when nobody wants more (TRADE-12).

    That is when every pass stands; when each other player has had a later offer answered since the
    active player's pass; or when the active player's pass stands and each other has passed or been heard.
    """
    state = batch.state
    phase = trade_phase(state)
    others = set(range(len(state.players))) - {state.active_player}
    heard = others <= set(phase.heard)
    content = state.active_player in phase.passes and others <= {*phase.passes, *phase.heard}
    if heard or content:
        close(rules, batch)


def answered(handler: Handler) -> Handler:
    """Return a handler after whose answer the trading may be over (TRADE-12)."""

    def handle(rules: Rules, state: State, command: Command) -> tuple[Event, ...]:
        events = handler(rules, state, command)
        if rules.closing != "unanimous" or not isinstance(events[0], Traded | OfferDeclined | OfferWithdrawn):
            return events
        batch = Batch(state, *events)
        close_if_unanimous(rules, batch)
        return batch.done()

    return handle


# -- phases 3 and 4: plant what was set aside, draw ----------------------------------------


def plant_set_aside(rules: Rules, state: State, command: PlantSetAside) -> tuple[Event, ...]:
    """Plant one set-aside bean, each player in his own order (SETASIDE-1..SETASIDE-4)."""
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


TABLE = turn_table(
    {
        PlantPhase: {
            Plant: plant,
            Reveal: reveal,
        },
        TradePhase: {
            MakeOffer: make_offer,
            EditOffer: edit_offer,
            WithdrawOffer: answered(withdraw_offer),
            AcceptOffer: answered(accept_offer),
            DeclineOffer: answered(decline_offer),
            Claim: claim,
            Pick: answered(pick),
            EndTrading: end_trading,
            Pass: pass_trading,
        },
        PlantTradedPhase: {
            PlantSetAside: plant_set_aside,
        },
    },
    any_time={Harvest: harvest, BuyField: buy_field, **TALK},
)
"""What is not in this table is illegal."""
