"""Look-alike games: two deals and one script of commands, alike for one viewer in all that he may ever see.

The script is played once with every card labelled by where it lay in the deal. A card that the viewer has
not seen when the script ends may have been any other such card: in the look-alike deal these are exchanged
among one another. At its end the script has a coda in which the two games differ on purpose in what only
others know: from which place a card was given, and who of two has declined.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from msgspec.structs import replace

from bohn.rules import commands as c
from bohn.rules import events as e
from bohn.rules.beans import Bean
from bohn.rules.deal import opening
from bohn.rules.decide import decide, is_legal
from bohn.rules.evolve import fold
from bohn.rules.ruleset import Rules
from bohn.rules.shuffle import seed_from
from bohn.rules.state import Copies, Copy, EndPhase, State, TradePhase
from tests.properties.lookalikes import named_places
from tests.properties.strategies import played, proposal, talked, trading_command

Label = int


class Tracker:
    """Where every labelled card lies, and who has seen it; labels are places in the deal, hands first."""

    def __init__(self, dealt: e.Dealt) -> None:
        """Label all cards of a deal."""
        self.beans: list[Bean] = [bean for hand in dealt.hands for bean in hand] + list(dealt.draw_pile)
        labels = iter(range(len(self.beans)))
        self.hands: list[list[Label]] = [[next(labels) for _ in hand] for hand in dealt.hands]
        self.pile: list[Label] = list(labels)
        self.public: set[Label] = set()
        self.seen_by: list[set[Label]] = [set(hand) for hand in self.hands]

    def take(self, event: e.Event) -> None:
        """Follow the cards of one event."""
        match event:
            case e.Planted(player=player):
                self.public.add(self.hands[player].pop(0))
            case e.TurnedOver(beans=beans):
                self.public.update(self._drawn(len(beans)))
            case e.Drew(player=player, beans=beans):
                drawn = self._drawn(len(beans))
                self.hands[player] += drawn
                self.seen_by[player].update(drawn)
            case e.OfferMade(offer=offer) | e.OfferEdited(offer=offer):
                self._show(offer.maker, offer.hand)
            case e.OfferClaimed(player=player, hand=copies):
                self._show(player, copies)
            case e.Traded():
                self._leave(event.maker, event.maker_hand)
                self._leave(event.partner, event.partner_hand)
            case e.Reshuffled():
                msg = "the script runs into a reshuffle"
                raise ValueError(msg)
            case _:
                pass

    def _drawn(self, number: int) -> list[Label]:
        return [self.pile.pop() for _ in range(number)]

    def _show(self, player: int, copies: Copies) -> None:
        self.public.update(self.hands[player][copy.place] for copy in copies)

    def _leave(self, player: int, copies: Copies) -> None:
        self._show(player, copies)
        gone = {copy.place for copy in copies}
        self.hands[player] = [label for place, label in enumerate(self.hands[player]) if place not in gone]

    def unseen(self, viewer: int | None) -> list[Label]:
        """Return the labels whose beans this viewer cannot know."""
        known = self.public | (self.seen_by[viewer] if viewer is not None else set())
        return [label for label in range(len(self.beans)) if label not in known]


@dataclass
class Script:
    """A game up to some moment: its deal, and what is asked of the server, step by step.

    ``lookalike`` holds, by number of the step, the command that stands there in the look-alike; ``fixed`` are
    labels that must stay as they are, beside those that are seen.
    """

    rules: Rules
    dealt: e.Dealt
    began: tuple[e.Event, ...]
    steps: list[c.Command] = field(default_factory=list)
    lookalike: dict[int, c.Command] = field(default_factory=dict)
    fixed: set[Label] = field(default_factory=set)
    tracker: Tracker = field(init=False)
    state: State = field(init=False)
    trades: int = 0

    def __post_init__(self) -> None:
        """Begin behind the deal."""
        self.tracker = Tracker(self.dealt)
        self.state = fold((self.dealt, *self.began))

    def do(self, command: c.Command, instead: c.Command | None = None) -> None:
        """Add a step; ``instead`` is done in the look-alike."""
        for event in decide(self.rules, self.state, command):
            self.tracker.take(event)
            self.trades += isinstance(event, e.Traded)
            self.state = fold((event,), self.state)
        if instead is not None:
            self.lookalike[len(self.steps)] = instead
        self.steps.append(command)

    def deals(self, viewer: int | None, rng: Random) -> tuple[e.Dealt, int]:
        """Return the look-alike deal for a viewer, and how many cards in it are others."""
        unseen = [label for label in self.tracker.unseen(viewer) if label not in self.fixed]
        beans = list(self.tracker.beans)
        shuffled = [beans[label] for label in unseen]
        rng.shuffle(shuffled)
        for label, bean in zip(unseen, shuffled, strict=True):
            beans[label] = bean
        changed = sum(a != b for a, b in zip(beans, self.tracker.beans, strict=True))
        rest = iter(beans)
        hands = tuple(tuple(next(rest) for _ in hand) for hand in self.dealt.hands)
        return replace(self.dealt, seed=rng.randbytes(32), hands=hands, draw_pile=tuple(rest)), changed


def script(rules: Rules, seed: int, trades: int) -> Script:
    """Play until a number of trades were made, at most two a turn, and the next trading has begun."""
    dealt, *rest = opening(rules, seed_from(seed))
    assert isinstance(dealt, e.Dealt)
    found, rng = Script(rules, dealt, tuple(rest)), Random(seed)
    enough: dict[int, int] = {}
    while found.trades < trades or not fresh_trading(found.state):
        turn, before = found.state.turn, found.trades
        command = next_command(rng, found, trading=enough.get(turn, 0) < 2)
        if is_legal(rules, found.state, command) is None:
            found.do(command)
        enough[turn] = enough.get(turn, 0) + found.trades - before
        assert not isinstance(found.state.phase, EndPhase), f"seed {seed}: too few trades"
    return found


def fresh_trading(state: State) -> bool:
    """Whether beans may be traded and nobody has made an offer yet."""
    return isinstance(state.phase, TradePhase) and not state.phase.offers


def next_command(rng: Random, found: Script, *, trading: bool) -> c.Command:
    """Draw a command: now and then talk, trading as long as it is wanted, else whatever is listed."""
    rules, state = found.rules, found.state
    if rng.random() < 0.05:
        return talked(rng, rules, state)
    if isinstance(state.phase, TradePhase):
        if trading and rng.random() < 0.9:
            return trading_command(rng, rules, state)
        return c.EndTrading(state.active_player) if rules.closing == "active" else passing(rng, state)
    return played(rng, rules, state)


def passing(rng: Random, state: State) -> c.Command:
    """Draw somebody who wants no more trade."""
    return c.Pass(rng.randrange(len(state.players)))


def coda(found: Script, viewer: int | None, rng: Random) -> int:
    """Add steps in which the two games differ in what the viewer may not see; return how many.

    Another player gives away one of two equal cards, the one here and the other in the look-alike. A card is
    asked for from two others, and one declines here, the other in the look-alike.
    """
    number = sum(_other_place(found, player) for player in range(found.rules.players) if player != viewer)
    return number + _other_refusal(found, viewer, rng)


def _other_place(found: Script, player: int) -> int:
    """Let a player give one of two equal hand cards, if he has such."""
    state, active = found.state, found.state.active_player
    hand, named = state.players[player].hand, named_places(state, player)
    free = [place for place in range(len(hand)) if place not in named]
    pairs = [(a, b) for a in free for b in free if a < b and hand[a] == hand[b]]
    if not pairs or _slots(found, player) < 1:
        return 0
    one, two = pairs[-1]
    found.fixed |= {found.tracker.hands[player][one], found.tracker.hands[player][two]}
    partner = (player + 1) % found.rules.players if player == active else active
    revision = state.players[player].hand_revision
    offers = [
        c.MakeOffer(player, (partner,), (Copy(place, hand[place]),), hand_revision=revision)
        for place in (one, two)
    ]
    found.do(*offers)
    phase = found.state.phase
    assert isinstance(phase, TradePhase)
    found.do(c.AcceptOffer(partner, phase.offers[-1].id, phase.offers[-1].revision))
    return 2


def _slots(found: Script, player: int) -> int:
    phase = found.state.phase
    assert isinstance(phase, TradePhase)
    return found.rules.offers_a_maker - sum(offer.maker == player for offer in phase.offers)


def _other_refusal(found: Script, viewer: int | None, rng: Random) -> int:
    """Let the active player ask two others, of whom one declines here and the other in the look-alike."""
    active = found.state.active_player
    others = [player for player in range(found.rules.players) if player not in {active, viewer}]
    if active == viewer or len(others) < 2 or not _slots(found, active):
        return 0
    found.do(c.MakeOffer(active, tuple(others), want=(rng.choice(found.rules.kinds),)))
    phase = found.state.phase
    assert isinstance(phase, TradePhase)
    offer = phase.offers[-1]
    found.do(*[c.DeclineOffer(player, offer.id, offer.revision) for player in others[:2]])
    return 2


def probes(found: Script, viewer: int, rng: Random) -> list[c.Command]:
    """Return commands that a viewer might try in the last position, most of them to be refused."""
    rules, state = found.rules, found.state
    own = state.players[viewer]
    tried: list[c.Command] = [proposal(rng, rules, state, viewer), c.Plant(viewer, 0), c.Reveal(viewer)]
    for offer in getattr(state.phase, "offers", ()):
        copies = tuple(Copy(place, bean) for place, bean in enumerate(own.hand))[: len(offer.want)]
        tried += [
            c.AcceptOffer(viewer, offer.id, offer.revision, copies, (), own.hand_revision),
            c.Claim(viewer, offer.id, offer.revision, copies, own.hand_revision),
            c.DeclineOffer(viewer, offer.id, offer.revision),
            c.WithdrawOffer(viewer, offer.id),
            *(c.Pick(viewer, offer.id, offer.revision, player) for player in range(rules.players)),
        ]
    return tried
