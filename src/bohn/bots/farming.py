"""Farming: how the simple players plant and harvest in all three games; trading is each one's own.

A player says with a few hooks where a bean goes, what is harvested when nothing fits, and whether
the second card is planted; the turns of the three games are walked through here.
"""

from __future__ import annotations

from collections.abc import Iterable

from bohn.bots.api import (
    BonusPhase,
    Choices,
    Command,
    ComputerPlayer,
    EndPhase,
    FaceUpPhase,
    GiftView,
    Knowledge,
    LeftoversPhase,
    PlantGiftPhase,
    PlantPhase,
    PlantTradedPhase,
    RevealPhase,
    TradeView,
    View,
)
from bohn.rules.beans import Bean, Field, coins_for
from bohn.rules.commands import (
    BuyField,
    ClaimBonus,
    DiscardFromHand,
    DiscardLeftover,
    Harvest,
    KeepHand,
    LeaveRest,
    NameGift,
    Pass,
    Plant,
    PlantFaceUp,
    PlantGift,
    PlantLeftover,
    PlantSetAside,
    RefillBonus,
    Reveal,
    TakeGift,
)
from bohn.rules.policies import FITS
from bohn.rules.ruleset import Rules


def seat(view: View) -> int:
    """Return the own seat; bots are never spectators."""
    assert view.viewer is not None  # noqa: S101 - the floor asks seats only
    return view.viewer


def hand(view: View) -> tuple[Bean, ...]:
    """Return the own hand, front first."""
    assert view.own is not None  # noqa: S101 - the floor asks seats only
    return view.own.hand


def fields(view: View) -> tuple[Field, ...]:
    """Return the own fields."""
    return view.players[seat(view)].fields


def lying_before(view: View, player: int) -> tuple[Bean, ...]:
    """Return what lies face up before a player: nothing but in his own turn."""
    lying: tuple[Bean, ...] = getattr(view.phase, "face_up", ())
    return lying if player == view.active_player else ()


def coins_ahead(view: View, player: int) -> int:
    """Return by how many coins a player is ahead of everybody else, as all can see; below 0 if he is not."""
    coins = [len(one.treasury) + one.tokens_left for one in view.players]
    return coins[player] - max(coins[:player] + coins[player + 1 :])


def grown(beds: Iterable[Field]) -> set[Bean]:
    """Return the kinds that grow, by the newest bean of each field."""
    return {field[-1] for field in beds if field}


def fitting(rules: Rules, beds: tuple[Field, ...], bean: Bean) -> list[int]:
    """Return the fields on which a bean may be planted."""
    fits = FITS[rules.same_kind]
    return [index for index in range(len(beds)) if fits(beds, index, bean) is None]


def best_fit(rules: Rules, beds: tuple[Field, ...], bean: Bean) -> int | None:
    """Return a field of the kind, else an empty one, else one it may climb on, else ``None``."""
    possible = fitting(rules, beds, bean)
    if not possible:
        return None
    return min(possible, key=lambda index: (_rank(beds[index], bean), index))


def _rank(field: Field, bean: Bean) -> int:
    if not field:
        return 1
    return 0 if field[-1] == bean else 2


def worth(rules: Rules, field: Field) -> int:
    """Return the coins a field would bring now."""
    return coins_for(rules.beanometers[field[-1]], len(field)) if field else 0


def harvests(choices: Choices) -> list[int]:
    """Return the fields that may be harvested now."""
    return [command.field for command in choices.legal if isinstance(command, Harvest)]


def may_buy(view: View) -> bool:
    """Tell whether one could buy a field now."""
    rules, own = view.rules, view.players[seat(view)]
    return rules.max_fields > len(own.fields) and rules.max_fields > rules.fields and (
        len(own.treasury) + own.tokens_left >= rules.field_price
    )  # fmt: skip


def least_regret(view: View, possible: list[int]) -> int:
    """Return the field with most coins that the hand would not raise; of equals the smallest."""
    beds, cards, meters = fields(view), hand(view), view.rules.beanometers

    def regret(index: int) -> tuple[bool, int, int, int]:
        field = beds[index]
        after = coins_for(meters[field[-1]], len(field) + cards.count(field[-1]))
        now = worth(view.rules, field)
        return after > now, -now, len(field), index

    return min(possible, key=regret)


class Farmer(ComputerPlayer):
    """A player that plants what fits, harvests when it must, and does not trade."""

    name = "farmer"

    # what a kind of player decides

    def place(self, view: View, bean: Bean) -> int | None:
        """Return the field for a bean, or ``None`` if nothing fits."""
        return best_fit(view.rules, fields(view), bean)

    def sell(self, view: View, possible: list[int]) -> int:
        """Return the field to harvest when one must: the one with most coins."""
        beds = fields(view)
        return max(possible, key=lambda index: (worth(view.rules, beds[index]), -index))

    def wants_second(self, view: View, bean: Bean) -> bool:
        """Tell whether the second card is planted: on a field of its kind."""
        return bean in grown(fields(view))

    def wants_field(self, view: View, *, forced: bool) -> bool:  # noqa: ARG002 - a hook
        """Tell whether to buy a field now; ``forced`` when otherwise one must be harvested."""
        return False

    def trade(self, view: View, phase: TradeView, choices: Choices) -> Command | None:  # noqa: ARG002 - a hook
        """Answer, propose or pass."""
        return None

    # the walk through the turns

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - one signature
        """Return the next command."""
        phase = view.phase
        if isinstance(phase, TradeView):
            return self.trade(view, phase, choices)
        assert view.own is not None  # noqa: S101 - the floor asks seats only
        if view.own.claimable:
            return ClaimBonus(seat(view), view.own.claimable[0])
        if may_buy(view) and self.wants_field(view, forced=False):
            return BuyField(seat(view))
        return self._in_phase(view, choices)

    def _in_phase(self, view: View, choices: Choices) -> Command | None:
        phase, me = view.phase, seat(view)
        if isinstance(phase, GiftView):
            return self._haggle(view, phase) if phase.word == me else None
        if isinstance(phase, BonusPhase):
            return self._bonus(phase, me)
        if isinstance(phase, PlantTradedPhase):
            return self._plant_set_aside(view, choices)
        if isinstance(phase, PlantGiftPhase):
            return self._plant_gift(view, phase, choices)
        if me != view.active_player or isinstance(phase, EndPhase):
            return None
        if isinstance(phase, PlantPhase):
            return self._plant(view, phase, choices)
        if isinstance(phase, LeftoversPhase):
            return self._leftovers(view, phase)
        if isinstance(phase, FaceUpPhase):
            return self._face_up(view, phase)
        return Reveal(me) if isinstance(phase, RevealPhase) else None

    def _room(self, view: View, choices: Choices) -> Command | None:
        """Make room: buy a field or harvest one."""
        me = seat(view)
        if may_buy(view) and self.wants_field(view, forced=True):
            return BuyField(me)
        possible = harvests(choices)
        return Harvest(me, self.sell(view, possible)) if possible else None

    def _plant(self, view: View, phase: PlantPhase, choices: Choices) -> Command | None:
        me, cards = seat(view), hand(view)
        if cards and not phase.planted:
            field = self.place(view, cards[0])
            return self._room(view, choices) if field is None else Plant(me, field)
        if cards and phase.planted == 1 and self.wants_second(view, cards[0]):
            field = self.place(view, cards[0])
            if field is not None:
                return Plant(me, field)
        return self._end_planting(view, choices)

    def _end_planting(self, view: View, choices: Choices) -> Command:
        """Go on; where a card may be discarded first, discard the front-most that grows nowhere."""
        beds = grown(fields(view))
        spare = next((bean for bean in hand(view) if bean not in beds), None)
        for command in choices.legal:
            if isinstance(command, DiscardFromHand) and command.copy.bean == spare:
                return command
        return next(command for command in choices.legal if isinstance(command, KeepHand | Reveal))

    def _plant_set_aside(self, view: View, choices: Choices) -> Command | None:
        """Plant what fits, a field of the kind before an empty one; else make room."""
        own = view.players[seat(view)]
        if not own.set_aside:
            return None
        place = self._first_to_plant(view, own.set_aside)
        field = self.place(view, own.set_aside[place])
        return self._room(view, choices) if field is None else PlantSetAside(seat(view), place, field)

    def _first_to_plant(self, view: View, beans: tuple[Bean, ...]) -> int:
        """Return the place of the bean to plant next: one that grows already, else the first."""
        beds = grown(fields(view))
        return next((place for place, bean in enumerate(beans) if bean in beds), 0)

    # the bean duel

    def _leftovers(self, view: View, phase: LeftoversPhase) -> Command:
        me, beds = seat(view), fields(view)
        for place, bean in enumerate(phase.leftovers):
            field = best_fit(view.rules, beds, bean)
            if field is not None:
                return PlantLeftover(me, place, field)
        return DiscardLeftover(me, 0)

    def _face_up(self, view: View, phase: FaceUpPhase) -> Command:
        me, beds = seat(view), fields(view)
        growing = grown(beds)
        for place, bean in sorted(enumerate(phase.face_up), key=lambda item: item[1] not in growing):
            field = best_fit(view.rules, beds, bean)
            if field is not None:
                return PlantFaceUp(me, place, field)
        return LeaveRest(me)

    # Das Duell

    def _haggle(self, view: View, phase: GiftView) -> Command:
        """Take what one grows; else name a kind: one held and useless before one held, before any."""
        me, beds = seat(view), grown(fields(view))
        named = {bean for _, bean in phase.named}
        free = [bean for bean in view.rules.kinds if bean not in named]
        if phase.open and (not free or phase.named[-1][1] in beds):
            return TakeGift(me)
        held = hand(view) + (phase.face_up if me == view.active_player else ())
        return NameGift(me, min(free, key=lambda bean: (bean not in held, bean in beds, -bean)))

    def _plant_gift(self, view: View, phase: PlantGiftPhase, choices: Choices) -> Command | None:
        me = seat(view)
        if phase.gift and phase.receiver == me:
            field = self.place(view, phase.gift[0])
            return self._room(view, choices) if field is None else PlantGift(me, field)
        if phase.face_up and view.active_player == me:
            place = self._first_to_plant(view, phase.face_up)
            field = self.place(view, phase.face_up[place])
            return self._room(view, choices) if field is None else PlantFaceUp(me, place, field)
        return self._plant_set_aside(view, choices)

    def _bonus(self, phase: BonusPhase, me: int) -> Command | None:
        if me in phase.discarding:
            return Pass(me)
        return RefillBonus(me) if phase.refilling[:1] == (me,) and not phase.discarding else None


class NoTrade(Farmer):
    """Never trades: plants on its kind, else on an empty field, else harvests the field with most coins."""

    name = "no-trade"
    trades = False
