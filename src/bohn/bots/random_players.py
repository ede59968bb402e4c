"""Players that choose at random: the weakest opponent, and one that tries everything for the tests."""

from __future__ import annotations

from bohn.bots.api import Choices, Command, ComputerPlayer, Knowledge, TradeView, View
from bohn.bots.farming import seat
from bohn.rules.beans import Bean
from bohn.rules.commands import (
    AcceptOffer,
    BuyField,
    Claim,
    DeclineOffer,
    EditOffer,
    EndTrading,
    Harvest,
    MakeOffer,
    MakePromise,
    Pass,
    Pick,
    SetWish,
    WithdrawOffer,
)

_AT_WILL = (Harvest, BuyField)

AT_WILL = 0.2
"""How often the random farmer counts harvests and purchases among its moves; fitted to a measured one."""


class RandomFarmer(ComputerPlayer):
    """Plants at random in its own turn, one time in five harvests or buys as readily; never trades."""

    name = "random"
    trades = False

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - one signature
        """Return any legal command."""
        if isinstance(view.phase, TradeView):
            return None
        moves = [command for command in choices.legal if not isinstance(command, _AT_WILL)]
        anything = not moves or self.rand.random() < AT_WILL
        return self.rand.choice(choices.legal if anything else moves)


class RandomTrader(ComputerPlayer):
    """Plays any legal command, and trades at random in every way the rules know; made for tests."""

    name = "random-trader"

    def __init__(self, seed: int = 0) -> None:
        """Let one in three watch the others' turns: to ask every seat after every event takes time."""
        super().__init__(seed)
        self.off_turn = seed % 3 == 0

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - one signature
        """Return any legal command, any offer, or now and then a word."""
        chance = self.rand.random
        if isinstance(view.phase, TradeView):
            return self._trade(view, view.phase, choices)
        legal = choices.legal
        moves = [command for command in legal if not isinstance(command, _AT_WILL)]
        if not moves:
            return self.rand.choice(legal) if view.viewer in view.waiting or chance() < 0.02 else None
        if chance() < 0.01:
            return self._talk(view)
        if len(moves) < len(legal) and chance() < 0.1:
            return self.rand.choice(legal)
        return self.rand.choice(moves)

    def _trade(self, view: View, phase: TradeView, choices: Choices) -> Command | None:
        chance = self.rand.random
        roll = chance()
        if phase.offers and roll < 0.8:
            answer = self._answer(choices)
            if answer is not None:
                return answer
        if choices.tries > 0 and chance() < 0.25:
            return self._offer(view, phase, choices)
        if roll > 0.98:
            return self._talk(view)
        if roll > 0.96:
            return self._at_will(choices)
        return None

    def _answer(self, choices: Choices) -> Command | None:
        """Answer any offer: to accept is likelier than to refuse."""
        answers = [
            command
            for command in choices.legal
            if isinstance(command, AcceptOffer | Claim | Pick | DeclineOffer | WithdrawOffer)
        ]
        if not answers:
            return None
        welcome = [c for c in answers if isinstance(c, AcceptOffer | Claim | Pick)]
        if welcome and self.rand.random() < 0.7:
            return self.rand.choice(welcome)
        command = self.rand.choice(answers)
        return None if isinstance(command, WithdrawOffer) and self.rand.random() < 0.7 else command

    def _at_will(self, choices: Choices) -> Command | None:
        possible = [c for c in choices.legal if isinstance(c, (*_AT_WILL, EndTrading, Pass))]
        return self.rand.choice(possible) if possible else None

    def _offer(self, view: View, phase: TradeView, choices: Choices) -> Command | None:
        """Return an offer of up to two cards for up to two kinds, new or as an edit of an own one."""
        rand, me, space = self.rand, seat(view), choices.offers
        cards = tuple(rand.sample(space.hand, min(len(space.hand), rand.choice((0, 1, 1, 1, 2)))))
        lying = tuple(rand.sample(space.face_up, min(len(space.face_up), rand.choice((0, 0, 1, 2)))))
        want: tuple[Bean, ...] = tuple(rand.sample(space.kinds, rand.choice((0, 1, 1, 2))))
        if not cards and not lying and not want:
            return None
        several = len(space.partners) > 1 and rand.random() < 0.5
        to = space.partners if several else (rand.choice(space.partners),)
        open_ = space.may_be_open and rand.random() < 0.4
        revision = space.hand_revision if cards else 0
        own = [offer for offer in phase.offers if offer.maker == me]
        if own and (not space.slots or rand.random() < 0.3):
            offer = rand.choice(own)
            return EditOffer(me, offer.id, offer.revision, to, cards, lying, want, open_, revision)
        return MakeOffer(me, to, cards, lying, want, open_, revision)

    def _talk(self, view: View) -> Command | None:
        rand, me = self.rand, seat(view)
        bean = rand.choice(view.rules.kinds)
        if rand.random() < 0.5:
            wishes = view.talk.wishes[me]
            marked = wishes.mark_of(bean) != "none"
            return SetWish(me, bean, "none" if marked else rand.choice(("want", "spare")))
        if sum(promise.player == me for promise in view.talk.promises) >= view.rules.promises_a_player:
            return None
        others = [player for player in range(len(view.players)) if player != me]
        return MakePromise(me, rand.choice(others), (bean,), (), "some-time")
