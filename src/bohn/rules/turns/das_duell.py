"""Das Duell, two players with gifts, bluffs and bonus cards: the table is at the end of this file."""

from __future__ import annotations

from bohn.rules.batch import Batch
from bohn.rules.commands import (
    AcceptOffer,
    Claim,
    ClaimBonus,
    Command,
    DeclineOffer,
    DiscardBonus,
    DiscardLeftover,
    EditOffer,
    EndTrading,
    MakeOffer,
    NameGift,
    Pass,
    Pick,
    Plant,
    PlantFaceUp,
    PlantGift,
    PlantSetAside,
    RefillBonus,
    Reveal,
    TakeGift,
    WithdrawOffer,
)
from bohn.rules.errors import IllegalCommand, Reason
from bohn.rules.events import (
    BluffCaught,
    Drew,
    Event,
    FaceUpPlanted,
    GiftNamed,
    GiftPlanted,
    GiftTaken,
    HagglingBegan,
    HagglingClosed,
    LeftoverDiscarded,
    SetAsidePlanted,
    TradingBegan,
    TurnedOver,
)
from bohn.rules.farming import (
    bean_to_plant,
    require_active,
    require_copies,
    require_fit,
    require_place,
)
from bohn.rules.giving import Source, ways_to_give
from bohn.rules.piles import is_over, take
from bohn.rules.policies import BLUFF_ENDS, ENDS_AT_ONCE, MAY_DISCARD_REST, TRADES_AS_WELL
from bohn.rules.ruleset import Rules
from bohn.rules.scoring import end_game
from bohn.rules.state import (
    BonusPhase,
    EndPhase,
    GiftPhase,
    Naming,
    PlantGiftPhase,
    PlantPhase,
    State,
    TradePhase,
    in_order,
)
from bohn.rules.trading import (
    accept_offer,
    claim,
    decline_offer,
    edit_offer,
    make_offer,
    pick,
    trade_choices,
    who_trades,
    withdraw_offer,
)
from bohn.rules.turns.bonus import (
    BonusBatch,
    begin_bonus,
    bonus_choices,
    claim_bonus,
    discard_bonus,
    pass_bonus,
    pay_bluff,
    refill_bonus,
    who_exchanges,
    with_bonus_notes,
)
from bohn.rules.turns.row import END, PhaseRow, TurnTable, active_player
from bohn.rules.turns.shared import (
    ANY_TIME,
    POLICIES,
    face_up_choices,
    fitting,
    next_turn,
    plant,
    plant_or_reveal,
    require_reveal,
    set_aside_choices,
)

NAME = "das-duell"

HOUSE_RULES: dict[str, tuple[str, ...]] = {
    "singles": POLICIES["singles"],
    "tie": POLICIES["tie"],
    "end": ("after_planting", "at_once"),
    "match": ("whole_field", "contiguous_part"),
    "rest": ("must_plant", "may_discard"),
    "bluff": ("ends", "continues"),
    "trading": ("no", "also"),
}
"""What a house may change in this game: the key of the rule and its values (DD-23)."""


# -- phase 2: reveal and haggle ---------------------------------------------------------------


def reveal(rules: Rules, state: State, command: Reveal) -> tuple[Event, ...]:
    """Turn three beans over and begin the haggling (DD-5, DD-19)."""
    require_reveal(state, command)
    batch = BonusBatch(rules, state)
    take(rules, batch, TurnedOver, rules.reveal)
    if is_over(rules, batch.state) and ENDS_AT_ONCE[rules.end]:
        end_game(rules, batch)
    elif TRADES_AS_WELL[rules.trading]:
        batch.add(TradingBegan(command.player))
    else:
        batch.add(HagglingBegan(command.player))
    return batch.done()


def end_trading(rules: Rules, state: State, command: EndTrading) -> tuple[Event, ...]:  # noqa: ARG001 - one signature
    """Go on from trading to the gift, where a house rule has both (DD-23)."""
    require_active(state, command, "TRADE-11")
    return (HagglingBegan(command.player),)


def _gift(state: State) -> GiftPhase:
    assert isinstance(state.phase, GiftPhase)  # noqa: S101 - the turn table admits no other phase
    return state.phase


def require_speaker(state: State, command: Command, clause: str) -> GiftPhase:
    """Refuse a player whose turn to speak it is not in the haggling (DD-6, DD-7)."""
    phase = _gift(state)
    if command.player != phase.word:
        raise IllegalCommand(Reason.NOT_YOUR_WORD, clause, word=phase.word)
    return phase


def name_gift(rules: Rules, state: State, command: NameGift) -> tuple[Event, ...]:
    """Name a kind as a gift, held or not: to begin, or to refuse what was named (DD-6, DD-7, DD-8)."""
    phase = require_speaker(state, command, "DD-7")
    named = tuple(naming.bean for naming in phase.named)
    if not rules.deck[command.bean]:
        raise IllegalCommand(Reason.UNKNOWN_BEAN, "DD-6", bean=command.bean.name.lower())
    if phase.open and len(named) == len(rules.kinds):
        raise IllegalCommand(Reason.CANNOT_REFUSE_LAST_KIND, "DD-8")
    if command.bean in named:
        expected = tuple(bean.name.lower() for bean in rules.kinds if bean not in named)
        raise IllegalCommand(
            Reason.KIND_NAMED_ALREADY, "DD-8", bean=command.bean.name.lower(), expected=expected
        )
    require_copies(state.players[command.player], command.hand, command.hand_revision)
    if len(command.hand) > 1 or any(copy.bean != command.bean for copy in command.hand):
        raise IllegalCommand(Reason.WRONG_COPIES, "DD-6", want=(command.bean.name.lower(),))
    return (GiftNamed(command.player, command.bean, command.hand),)


def delivery(state: State, naming: Naming) -> tuple[Source, int] | None:
    """Return what the namer must deliver, as source and place, or ``None`` for a bluff (DD-9).

    That is the hand copy he named, else the first way to give the kind. Face-up beans belong to the active
    player.
    """
    if naming.hand:
        return "hand", naming.hand[0].place
    face_up = _gift(state).face_up if naming.player == state.active_player else ()
    ways = ways_to_give(state.players[naming.player].hand, face_up, naming.bean)
    return ways[0] if ways else None


def take_gift(rules: Rules, state: State, command: TakeGift) -> tuple[Event, ...]:
    """Take what was named last: it is delivered, or a bluff is caught (DD-7, DD-9, DD-10)."""
    phase = require_speaker(state, command, "DD-7")
    if not phase.open:
        raise IllegalCommand(Reason.NOTHING_NAMED, "DD-6")
    naming = phase.named[-1]
    delivered = delivery(state, naming)
    if delivered is None:
        return _caught(rules, state, command.player, naming)
    source, place = delivered
    taken = GiftTaken(command.player, naming.player, naming.bean, source, place)
    return (taken, HagglingClosed(state.active_player))


def _caught(rules: Rules, state: State, player: int, naming: Naming) -> tuple[Event, ...]:
    """Charge a caught bluffer, and end the haggling unless a house rule continues it (DD-10, DD-11)."""
    batch = BonusBatch(rules, state, BluffCaught(player, naming.player, naming.bean))
    pay_bluff(rules, batch, naming.player, player)
    kinds_left = len(_gift(state).named) < len(rules.kinds)
    if BLUFF_ENDS[rules.bluff] or not kinds_left:
        batch.add(HagglingClosed(state.active_player))
        finish_planting(rules, batch)
    return batch.done()


def gift_choices(rules: Rules, state: State, player: int) -> list[Command]:
    """List the taking of what was named, and the kinds not yet named (DD-6, DD-7, DD-8)."""
    phase = _gift(state)
    found: list[Command] = []
    if player == phase.word:
        if phase.open:
            found.append(TakeGift(player))
        named = [naming.bean for naming in phase.named]
        found += [NameGift(player, bean) for bean in rules.kinds if bean not in named]
    return found


def who_speaks(rules: Rules, state: State) -> tuple[int, ...]:  # noqa: ARG001 - one signature
    """Wait for the player to speak (DD-7)."""
    return (_gift(state).word,)


# -- phase 3: plant gift and revealed beans -----------------------------------------------------


def _planting(state: State) -> PlantGiftPhase:
    assert isinstance(state.phase, PlantGiftPhase)  # noqa: S101 - the turn table admits no other phase
    return state.phase


def plant_gift(rules: Rules, state: State, command: PlantGift) -> tuple[Event, ...]:
    """Plant the gift one has received (DD-9)."""
    phase = _planting(state)
    if not phase.gift or command.player != phase.receiver:
        raise IllegalCommand(Reason.NO_GIFT_TO_PLANT, "DD-9")
    require_fit(rules, state.players[command.player], command.field, phase.gift[0])
    return _finished(rules, state, GiftPlanted(command.player, command.field, phase.gift[0]))


def plant_face_up(rules: Rules, state: State, command: PlantFaceUp) -> tuple[Event, ...]:
    """Plant one revealed bean (DD-12)."""
    require_active(state, command, "DD-12")
    player, face_up = state.players[command.player], _planting(state).face_up
    bean = bean_to_plant(rules, player, face_up, command.place, command.field, "DD-12")
    return _finished(rules, state, FaceUpPlanted(command.player, command.place, command.field, bean))


def discard_face_up(rules: Rules, state: State, command: DiscardLeftover) -> tuple[Event, ...]:
    """Discard a revealed bean after one has been planted, where a house rule allows it (DD-23)."""
    require_active(state, command, "DD-12")
    phase = _planting(state)
    if not MAY_DISCARD_REST[rules.rest] or not phase.planted:
        raise IllegalCommand(Reason.REST_MUST_BE_PLANTED, "DD-12")
    require_place(phase.face_up, command.place, "DD-12")
    return _finished(
        rules, state, LeftoverDiscarded(command.player, command.place, phase.face_up[command.place])
    )


def plant_traded(rules: Rules, state: State, command: PlantSetAside) -> tuple[Event, ...]:
    """Plant a traded bean, where a house rule adds trading (DD-23, SETASIDE-1)."""
    player = state.players[command.player]
    bean = bean_to_plant(rules, player, player.set_aside, command.place, command.field, "SETASIDE-1")
    return _finished(rules, state, SetAsidePlanted(command.player, command.place, command.field, bean))


def _finished(rules: Rules, state: State, event: Event) -> tuple[Event, ...]:
    batch = BonusBatch(rules, state, event)
    finish_planting(rules, batch)
    return batch.done()


def finish_planting(rules: Rules, batch: Batch) -> None:
    """When everything is planted: draw two, then the bonus cards, or the end (DD-13, DD-17, DD-19)."""
    phase = _planting(batch.state)
    if phase.face_up or phase.gift or any(player.set_aside for player in batch.state.players):
        return
    if not is_over(rules, batch.state):
        take(rules, batch, Drew, rules.draw)
    if is_over(rules, batch.state):
        end_game(rules, batch)
    elif not begin_bonus(rules, batch):
        next_turn(batch)


def received_choices(rules: Rules, state: State, player: int) -> list[Command]:
    """List the plantings of traded, revealed and given beans, and the discards (DD-9, DD-12, DD-23)."""
    phase = _planting(state)
    found = set_aside_choices(rules, state, player)
    found += face_up_choices(rules, state, player, phase.face_up)
    if phase.gift and player == phase.receiver:
        found += [PlantGift(player, field) for field in fitting(rules, state, player, phase.gift[0])]
    if MAY_DISCARD_REST[rules.rest] and phase.planted and player == state.active_player:
        found += [DiscardLeftover(player, place) for place in range(len(phase.face_up))]
    return found


def who_plants(rules: Rules, state: State) -> tuple[int, ...]:  # noqa: ARG001 - one signature
    """Wait for whoever has a revealed, given or traded bean to plant (DD-9, DD-12, DD-23)."""
    phase = _planting(state)
    return tuple(
        [
            seat
            for seat in in_order(state)
            if state.players[seat].set_aside
            or (phase.face_up and seat == state.active_player)
            or (phase.gift and seat == phase.receiver)
        ]
    )


TABLE: TurnTable = {
    PlantPhase: PhaseRow(
        commands={
            **ANY_TIME,
            ClaimBonus: claim_bonus,
            Plant: with_bonus_notes(plant),
            Reveal: reveal,
        },
        choices=plant_or_reveal,
        waiting=active_player,
        next=(TradePhase, GiftPhase, EndPhase),
    ),
    TradePhase: PhaseRow(
        commands={
            **ANY_TIME,
            ClaimBonus: claim_bonus,
            MakeOffer: make_offer,
            EditOffer: edit_offer,
            WithdrawOffer: withdraw_offer,
            AcceptOffer: accept_offer,
            DeclineOffer: decline_offer,
            Claim: claim,
            Pick: pick,
            EndTrading: end_trading,
        },
        choices=trade_choices,
        waiting=who_trades,
        next=(GiftPhase,),
    ),
    GiftPhase: PhaseRow(
        commands={
            **ANY_TIME,
            ClaimBonus: claim_bonus,
            NameGift: name_gift,
            TakeGift: take_gift,
        },
        choices=gift_choices,
        waiting=who_speaks,
        next=(PlantGiftPhase, EndPhase),
    ),
    PlantGiftPhase: PhaseRow(
        commands={
            **ANY_TIME,
            ClaimBonus: claim_bonus,
            PlantGift: plant_gift,
            PlantFaceUp: plant_face_up,
            DiscardLeftover: discard_face_up,
            PlantSetAside: plant_traded,
        },
        choices=received_choices,
        waiting=who_plants,
        next=(BonusPhase, PlantPhase, EndPhase),
    ),
    BonusPhase: PhaseRow(
        commands={
            **ANY_TIME,
            ClaimBonus: claim_bonus,
            DiscardBonus: discard_bonus,
            RefillBonus: refill_bonus,
            Pass: pass_bonus,
        },
        choices=bonus_choices,
        waiting=who_exchanges,
        next=(PlantPhase,),
    ),
    **END,
}
"""What is not in this table is illegal."""
