"""The duellist: plays Das Duell by what fields, bonus cards and gifts are worth."""

from __future__ import annotations

from bohn.bots.api import (
    BonusPhase,
    Choices,
    Command,
    GiftView,
    Knowledge,
    PlantGiftPhase,
    PlantPhase,
    View,
)
from bohn.bots.duelling.haggling import Haggle, Side, speak
from bohn.bots.duelling.learned import OTHER_TURN, OWN_TURN, PLANTED, LearnedOutlook
from bohn.bots.duelling.manners import MANNERS, Manner
from bohn.bots.duelling.opponent import OpponentModel
from bohn.bots.duelling.outlook import Counts, Outlook, prize
from bohn.bots.duelling.planning import QUICK, WIDE, Planner, Step
from bohn.bots.farming import Farmer, fields, hand, harvests, seat, worth
from bohn.rules.commands import (
    ClaimBonus,
    DiscardBonus,
    DiscardLeftover,
    Harvest,
    NameGift,
    Pass,
    Plant,
    PlantFaceUp,
    PlantGift,
    RefillBonus,
    Reveal,
    TakeGift,
)
from bohn.rules.policies import MAY_DISCARD_REST
from bohn.views.knowledge import unseen

GAME = "das-duell"


class Duellist(Farmer):
    """Weighs fields, bonus cards and gifts in Das Duell; in other games, and without a manner, it farms."""

    name = "duellist"
    trades = False
    uses_knowledge = True

    def __init__(self, seed: int = 0, manner: Manner | None = None) -> None:
        """Begin without any memory; the manner is that of the name unless another is given."""
        super().__init__(seed)
        self._manner = MANNERS.get(self.name) if manner is None else manner
        self._opponent = OpponentModel(self._manner or Manner())
        self._moment: tuple[object, tuple[Side, Side]] | None = None

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Return the next command."""
        manner, phase = self._manner, view.phase
        if manner is None or view.rules.game != GAME or view.players[seat(view)].set_aside:
            return super().decide(view, choices, knowledge)
        if (
            not isinstance(phase, PlantPhase | GiftView | PlantGiftPhase | BonusPhase)
            or view.viewer not in view.waiting
        ):
            return super().decide(view, choices, knowledge)
        self._opponent.look(view)
        claim = self._claim(view)
        if claim is not None:
            return claim
        if manner.eager and not isinstance(phase, GiftView):
            return self._ripe(view, choices) or super().decide(view, choices, knowledge)
        if isinstance(phase, BonusPhase):
            return self._exchange(view, phase, choices, knowledge, manner)
        left = unseen(view, knowledge)
        if isinstance(phase, GiftView):
            return self._speak(view, phase, left, manner)
        outlook = own_outlook(view, left, manner)
        if isinstance(phase, PlantPhase):
            return self._from_hand(view, phase, outlook)
        return self._received(view, phase, outlook)

    def _ripe(self, view: View, choices: Choices) -> Command | None:
        """Sell a field that brings a coin; nothing if there is none."""
        beds = fields(view)
        ripe = next((field for field in harvests(choices) if worth(view.rules, beds[field])), None)
        return None if ripe is None else Harvest(seat(view), ripe)

    # bonus cards

    def _claim(self, view: View) -> Command | None:
        """Claim what may be claimed, the dearest first: nothing is gained by waiting (DD-14, DD-16)."""
        own = view.own
        if own is None or not own.claimable:
            return None
        return ClaimBonus(seat(view), max(own.claimable, key=lambda card: (prize(view.rules, card), -card)))

    def _exchange(
        self, view: View, phase: BonusPhase, choices: Choices, knowledge: Knowledge, manner: Manner
    ) -> Command:
        """Discard the worst card if a new one is likely to be better, and always refill (DD-17)."""
        me = seat(view)
        if me not in phase.discarding:
            return RefillBonus(me)
        assert view.own is not None  # noqa: S101 - the floor asks seats only
        held = view.own.bonus
        pool = unknown(view)
        if not held or not pool or not sum(view.bonus_piles) or not manner.bonus:
            return Pass(me)
        outlook = own_outlook(view, unseen(view, knowledge), manner, held + pool)
        worths = outlook.bonus_worths(fields(view))
        mean = sum(worths[len(held) :]) / len(pool)
        worst = min(range(len(held)), key=lambda place: (worths[place], held[place]))
        discard = DiscardBonus(me, held[worst])
        return discard if worths[worst] < manner.bonus * mean and discard in choices.legal else Pass(me)

    # planting

    def _from_hand(self, view: View, phase: PlantPhase, outlook: Outlook) -> Command:
        """Plant the first hand card, and the second if that is worth it (PLANT-1, PLANT-3)."""
        me, cards = seat(view), hand(view)
        still = cards[: max(0, 2 - phase.planted)]
        planner = Planner(outlook, cards[len(still) :], ordered=True)
        plan = planner.best(fields(view), still, free=phase.planted > 0 or not cards)
        return _command(view, plan.step) or Reveal(me)

    def _received(self, view: View, phase: PlantGiftPhase, outlook: Outlook) -> Command | None:
        """Plant the gift and the face-up beans, in the best order (DD-9, DD-12)."""
        me = seat(view)
        beans = phase.gift if phase.receiver == me else ()
        if me == view.active_player:
            beans += phase.face_up
        drops = MAY_DISCARD_REST[view.rules.rest] and not (phase.gift and phase.receiver == me)
        planner = Planner(outlook, hand(view), drops=drops)
        plan = planner.best(fields(view), tuple(sorted(beans)), free=phase.planted > 0)
        return _command(view, plan.step)

    # the gift

    def _speak(self, view: View, phase: GiftView, left: Counts, manner: Manner) -> Command:
        """Take, or name a kind; what was worked out at the last word counts on while nothing has moved."""
        me = seat(view)
        sides = (left, view.turn, phase.face_up, view.own, [player.fields for player in view.players])
        if self._moment is None or self._moment[0] != sides:
            self._moment = sides, sides_of(view, phase, left, manner)
        moment = moment_of(view, phase, *self._moment[1], left, manner)
        choice = speak(moment, manner, self._opponent, self.rand)
        if choice.bean is None:
            self._opponent.take(view, phase)
            return TakeGift(me)
        self._opponent.name(view, phase, choice.gain)
        return NameGift(me, choice.bean)


def _command(view: View, step: Step) -> Command | None:
    """Return the command of a step; ``None`` stops."""
    me, phase = seat(view), view.phase
    if step.do == "stop":
        return None
    if step.do == "sell":
        return Harvest(me, step.field)
    if isinstance(phase, PlantPhase):
        return Plant(me, step.field)
    assert isinstance(phase, PlantGiftPhase)  # noqa: S101 - nothing else is planted
    assert step.bean is not None  # noqa: S101 - as above
    if step.do == "plant" and phase.receiver == me and step.bean in phase.gift:
        return PlantGift(me, step.field)
    place = phase.face_up.index(step.bean)
    return PlantFaceUp(me, place, step.field) if step.do == "plant" else DiscardLeftover(me, place)


def turns_left(view: View, player: int) -> tuple[int, bool]:
    """Return how often a player will turn beans over and plant them, and whether one more hand card follows.

    Each turn takes five cards off the pile, and the game ends when the last is turned over (DD-5, DD-13,
    DD-19).
    """
    rules, pile = view.rules, view.draw_pile
    a_turn = rules.reveal + rules.draw
    if isinstance(view.phase, GiftView | PlantGiftPhase):
        pile -= rules.draw
    whole = max(0, (pile - 1) // a_turn)
    mine = player == view.active_player
    if isinstance(view.phase, PlantPhase):
        return (whole + mine) // 2, whole > 0 and mine == (whole % 2 == 0)
    return (whole + (not mine)) // 2, mine == (whole % 2 == 1)


def moment_for(view: View, player: int) -> int:
    """Return the moment at which a plan of a player is judged: what he plants now has then been planted."""
    if player != view.active_player:
        return OTHER_TURN
    return PLANTED if isinstance(view.phase, PlantPhase) else OWN_TURN


def unknown(view: View) -> tuple[int, ...]:
    """Return the bonus cards that lie in the piles or in the other's hand, as far as one knows."""
    known = set(view.own.bonus) if view.own is not None else set()
    known.update(card for player in view.players for card in player.bonus_claimed)
    return tuple(card for card in range(len(view.rules.bonus_cards)) if card not in known)


def own_outlook(view: View, left: Counts, manner: Manner, bonus: tuple[int, ...] | None = None) -> Outlook:
    """Return how the own seat judges positions; ``bonus`` are the cards in hand unless others are given."""
    me = seat(view)
    turns, half = turns_left(view, me)
    if bonus is None:
        bonus = view.own.bonus if view.own is not None else ()
    theirs = tuple(field for player in range(len(view.players)) if player != me
                   for field in view.players[player].fields)  # fmt: skip
    if manner.learned:
        return LearnedOutlook(
            view.rules, left, turns, manner.expected, bonus, unknown(view), theirs,
            moment=moment_for(view, me), hand=hand(view), half=half,
        )  # fmt: skip
    return Outlook(
        view.rules, left, turns, manner.expected, bonus, unknown(view), theirs, weight=manner.bonus, half=half
    )


def other_outlook(view: View, left: Counts, manner: Manner, player: int) -> Outlook:
    """Return how the other seat is thought to judge: its hand and its bonus cards are not known."""
    turns, half = turns_left(view, player)
    if manner.learned:
        moment = moment_for(view, player)
        return LearnedOutlook(
            view.rules, left, turns, manner.expected, (), unknown(view), moment=moment, half=half
        )
    return Outlook(
        view.rules, left, turns, manner.expected, (), unknown(view), weight=manner.bonus, half=half
    )


def sides_of(view: View, phase: GiftView, left: Counts, manner: Manner) -> tuple[Side, Side]:
    """Return both sides of the haggling, the own first: the active player must plant what lies face up."""
    me, other = seat(view), 1 - seat(view)
    lying = tuple(sorted(phase.face_up))
    active = me == view.active_player
    our_width, their_width = (QUICK, 0) if manner.learned else (WIDE, WIDE)
    ours = Planner(own_outlook(view, left, manner), hand(view), wide=our_width)
    theirs = Planner(other_outlook(view, left, manner, other), wide=their_width)
    return (
        Side(ours, fields(view), lying if active else (), manner.learned),
        Side(theirs, view.players[other].fields, () if active else lying, manner.learned),
    )


def moment_of(view: View, phase: GiftView, mine: Side, his: Side, left: Counts, manner: Manner) -> Haggle:
    """Return the haggling as the own seat sees it."""
    me, other = seat(view), 1 - seat(view)
    named = [bean for _, bean in phase.named]
    poor = 0.5  # about what a bonus card in hand is worth
    return Haggle(
        mine, his, hand(view), view.players[other].hand_size, left,
        tuple(bean for bean in view.rules.kinds if bean not in named),
        named[-1] if phase.open else None,
        sum(player == other for player, _ in phase.named),
        1 + manner.spite if view.players[other].coins else poor,
        1 + manner.spite if view.players[me].coins else poor,
    )  # fmt: skip
