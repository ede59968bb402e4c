"""Planting, harvest and purchase: what every game shares (PLANT, HARVEST, BUY)."""

from __future__ import annotations

from msgspec import UNSET

from bohn.rules.beans import Bean
from bohn.rules.commands import BuyField, Command, Harvest
from bohn.rules.errors import IllegalCommand, Reason
from bohn.rules.events import Event, FieldBought, Harvested
from bohn.rules.policies import COINS_TO, FIT_CLAUSES, FITS, MAY_HARVEST, PAY, PROTECTED, PROTECTION_CLAUSES
from bohn.rules.ruleset import Rules
from bohn.rules.scoring import harvested
from bohn.rules.state import Copies, Player, State


def require_active(state: State, command: Command, clause: str) -> None:
    """Refuse anybody but the active player."""
    if command.player != state.active_player:
        raise IllegalCommand(Reason.NOT_ACTIVE_PLAYER, clause, active=state.active_player)


def require_field(player: Player, field: int) -> None:
    """Refuse a field that the player does not have."""
    if not 0 <= field < len(player.fields):
        raise IllegalCommand(Reason.NO_SUCH_FIELD, "FIELD-4", field=field, fields=len(player.fields))


def require_place(cards: tuple[Bean, ...], place: int, clause: str) -> None:
    """Refuse a place where no card lies."""
    if not 0 <= place < len(cards):
        raise IllegalCommand(Reason.NO_SUCH_PLACE, clause, place=place, cards=len(cards))


def require_copies(player: Player, copies: Copies, revision: int) -> None:
    """Refuse hand copies of another revision of the hand, that are not there, or named twice (OFFER-1)."""
    if not copies:
        return
    hand = player.hand
    if revision != player.hand_revision:
        raise IllegalCommand(Reason.HAND_CHANGED, "OFFER-1", revision=player.hand_revision)
    for copy in copies:
        if not 0 <= copy.place < len(hand) or hand[copy.place] != copy.bean:
            raise IllegalCommand(Reason.NO_SUCH_PLACE, "OFFER-1", place=copy.place, cards=len(hand))
    if len(copies) > 1 and len({copy.place for copy in copies}) < len(copies):
        raise IllegalCommand(Reason.SAME_CARD_TWICE, "TRADE-9")


def require_fit(rules: Rules, player: Player, field: int, bean: Bean) -> None:
    """Refuse a bean on a field where it may not grow (PLANT-2, FIELD-3, DD-3)."""
    require_field(player, field)
    reason = FITS[rules.same_kind](player.fields, field, bean)
    if reason is not None:
        raise IllegalCommand(reason, FIT_CLAUSES[rules.same_kind], bean=bean.name.lower(), field=field)


def bean_to_plant(
    rules: Rules, player: Player, cards: tuple[Bean, ...], place: int, field: int, clause: str
) -> Bean:
    """Return the card at a place among ``cards`` that a player may plant on a field, or refuse."""
    require_place(cards, place, clause)
    require_fit(rules, player, field, cards[place])
    return cards[place]


def harvest_refusal(rules: Rules, state: State, player: int, field: int) -> Reason | None:
    """Return why an existing field may not be harvested now, if it may not (HARVEST-1..HARVEST-5, DUEL-2)."""
    fields = state.players[player].fields
    if not fields[field]:
        return Reason.FIELD_EMPTY
    if not MAY_HARVEST[rules.harvest](player, state.active_player):
        return Reason.OWN_TURN_ONLY
    if PROTECTED[rules.singles](fields, field):
        return Reason.SINGLE_BEAN_PROTECTED
    return None


def harvest(rules: Rules, state: State, command: Harvest) -> tuple[Event, ...]:
    """Sell one own field, whole, at any time (HARVEST-1..HARVEST-7)."""
    require_field(state.players[command.player], command.field)
    reason = harvest_refusal(rules, state, command.player, command.field)
    if reason is None:
        event: Harvested = harvested(rules, state, command.player, command.field)
        return (event,)
    clauses = {Reason.OWN_TURN_ONLY: "DUEL-2", Reason.FIELD_EMPTY: "HARVEST-2"}
    raise IllegalCommand(reason, clauses.get(reason, PROTECTION_CLAUSES[rules.singles]), field=command.field)


def purchase_refusal(rules: Rules, player: Player) -> Reason | None:
    """Return why a player may not buy a field now, if he may not (BUY-1, BUY-6, BUY-7)."""
    if rules.max_fields == rules.fields:
        return Reason.NO_FIELD_FOR_SALE
    if len(player.fields) >= rules.max_fields:
        return Reason.FIELD_LIMIT
    if len(player.treasury) + player.tokens_left < rules.field_price:
        return Reason.NOT_ENOUGH_COINS
    return None


def buy_field(rules: Rules, state: State, command: BuyField) -> tuple[Event, ...]:
    """Buy the third field, at any time, with coins that leave the treasury (BUY-1..BUY-7, HOUSE-7)."""
    player = state.players[command.player]
    reason = purchase_refusal(rules, player)
    if reason is not None:
        clause = "BUY-6" if reason is Reason.NOT_ENOUGH_COINS else "BUY-7"
        raise IllegalCommand(reason, clause, price=rules.field_price, coins=player.coins)
    coins = PAY[rules.payment](player, rules.field_price, command.coins)
    tokens = rules.field_price - len(coins) or UNSET
    return (FieldBought(command.player, coins, COINS_TO[rules.coins_to], tokens),)
