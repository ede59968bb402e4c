"""Trading as a state machine: any order of offers, claims, answers and passes."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bohn.rules import commands as c
from bohn.rules import events as e
from bohn.rules.beans import Bean
from bohn.rules.decide import decide
from bohn.rules.evolve import fold
from bohn.rules.legal import offer_space
from bohn.rules.state import Copies, Copy, Offer, State, TradePhase
from tests.effort import examples
from tests.properties.cards import CardLedger, zones_of
from tests.properties.strategies import Walk


class Trading(RuleBasedStateMachine):
    """One long trading among four, in which Hypothesis chooses every card and every answer."""

    def __init__(self) -> None:
        """Begin with an empty table; the deal follows."""
        super().__init__()
        self.walk = Walk("full", 4)
        self.game_rules = self.walk.rules
        self.state: State
        self.table: CardLedger

    @initialize(seed=st.integers(0, 2**16))
    def deal(self, seed: int) -> None:
        """Deal, plant one bean and turn two over."""
        events = Walk("full", 4, seed=seed).opening()
        dealt = events[0]
        assert isinstance(dealt, e.Dealt)
        self.state, self.table = fold(events), CardLedger(dealt)
        active = self.state.active_player
        self.play(c.Plant(active, 0))
        self.play(c.Reveal(active))

    def play(self, command: c.Command) -> None:
        """Carry out a legal command in both bookkeepings."""
        events = decide(self.game_rules, self.state, command)
        self.state = fold(events, self.state)
        self.table.play(events)

    @property
    def offers(self) -> tuple[Offer, ...]:
        """The offers that stand."""
        phase = self.state.phase
        assert isinstance(phase, TradePhase)
        return phase.offers

    def some(self, data: st.DataObject, copies: Copies, most: int = 3) -> Copies:
        """Draw copies, in any order."""
        if not copies:
            return ()
        return tuple(data.draw(st.lists(st.sampled_from(copies), unique=True, max_size=most)))

    def terms(self, data: st.DataObject, player: int) -> c.MakeOffer | None:
        """Draw an offer for what partners mostly hold."""
        space = offer_space(self.game_rules, self.state, player)
        hand, face_up = self.some(data, space.hand), self.some(data, space.face_up, 2)
        kinds = sorted({bean for p in space.partners for bean in self.state.players[p].hand}) or list(
            space.kinds
        )
        want = tuple(data.draw(st.lists(st.sampled_from(kinds), max_size=2)))
        if not (hand or face_up or want):
            return None
        to = tuple(data.draw(st.lists(st.sampled_from(space.partners), unique=True, min_size=1)))
        opened = space.may_be_open and data.draw(st.booleans())
        return c.MakeOffer(player, to, hand, face_up, want, opened, space.hand_revision)

    @rule(data=st.data(), player=st.integers(0, 3))
    def make(self, data: st.DataObject, player: int) -> None:
        """Make an offer while there is a slot for it."""
        command = self.terms(data, player)
        if command is not None and offer_space(self.game_rules, self.state, player).slots:
            self.play(command)

    @precondition(lambda self: self.offers)
    @rule(data=st.data())
    def edit(self, data: st.DataObject) -> None:
        """Edit a standing offer."""
        offer = data.draw(st.sampled_from(self.offers))
        new = self.terms(data, offer.maker)
        if new is not None:
            self.play(
                c.EditOffer(
                    offer.maker, offer.id, offer.revision, new.to, new.hand, new.face_up, new.want, new.open,
                    new.hand_revision,
                )
            )  # fmt: skip

    @precondition(lambda self: self.offers)
    @rule(data=st.data())
    def withdraw(self, data: st.DataObject) -> None:
        """Withdraw a standing offer."""
        offer = data.draw(st.sampled_from(self.offers))
        self.play(c.WithdrawOffer(offer.maker, offer.id))

    def served(
        self, data: st.DataObject, player: int, want: tuple[Bean, ...]
    ) -> tuple[Copies, Copies] | None:
        """Draw hand and face-up copies that serve an offer, if the player has them."""
        phase = self.state.phase
        assert isinstance(phase, TradePhase)
        hand = [("hand", Copy(i, bean)) for i, bean in enumerate(self.state.players[player].hand)]
        lying = [("lying", Copy(i, bean)) for i, bean in enumerate(phase.face_up)]
        cards = hand + (lying if player == self.state.active_player else [])
        chosen: list[tuple[str, Copy]] = []
        for bean in want:
            fitting = [card for card in cards if card[1].bean == bean and card not in chosen]
            if not fitting:
                return None
            chosen.append(data.draw(st.sampled_from(fitting)))
        return (
            tuple(copy for zone, copy in chosen if zone == "hand"),
            tuple(copy for zone, copy in chosen if zone == "lying"),
        )

    @precondition(lambda self: self.offers)
    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        """Accept or claim an offer with any copies."""
        offer = data.draw(st.sampled_from(self.offers))
        player = data.draw(st.sampled_from(offer.to))
        if any(claim.player == player for claim in offer.claims):
            return
        copies = self.served(data, player, offer.want)
        if copies is None:
            return
        revision = self.state.players[player].hand_revision
        if offer.open:
            self.play(c.Claim(player, offer.id, offer.revision, copies[0], revision))
        else:
            self.play(c.AcceptOffer(player, offer.id, offer.revision, *copies, revision))

    @precondition(lambda self: any(offer.claims for offer in self.offers))
    @rule(data=st.data(), take=st.booleans())
    def settle(self, data: st.DataObject, take: bool) -> None:
        """Pick a claim, or take it back."""
        offer = data.draw(st.sampled_from([offer for offer in self.offers if offer.claims]))
        claimer = data.draw(st.sampled_from(offer.claims)).player
        if take:
            self.play(c.Pick(offer.maker, offer.id, offer.revision, claimer))
        else:
            self.play(c.DeclineOffer(claimer, offer.id, offer.revision))

    @invariant()
    def names_the_same_cards(self) -> None:
        """Offers and claims point at the cards named when they were made."""
        if hasattr(self, "table"):
            assert self.table.aimed(self.state) == self.table.named()

    @invariant()
    def lies_where_it_should(self) -> None:
        """Every card lies where the second bookkeeping has it."""
        if hasattr(self, "table"):
            assert zones_of(self.state) == self.table.zones()


TestTrading = Trading.TestCase
TestTrading.settings = examples(60)
