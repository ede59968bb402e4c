"""Walks through games: from an edition, house rules and a number to commands, legal and not.

A walk is a small value that prints as a line to paste into a test; its steps are made anew each time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from random import Random
from typing import Any, get_args, get_type_hints

from hypothesis import strategies as st
from msgspec.structs import fields as struct_fields
from msgspec.structs import replace

from bohn.rules import commands as c
from bohn.rules import events as e
from bohn.rules.beans import BEANS, Bean
from bohn.rules.deal import opening
from bohn.rules.decide import decide
from bohn.rules.editions import EDITIONS
from bohn.rules.errors import IllegalCommand
from bohn.rules.evolve import fold
from bohn.rules.legal import legal_commands, offer_space
from bohn.rules.resolve import MOST_CARDS, MOST_TOKENS, head_start, house_rules_for, resolve
from bohn.rules.ruleset import Rules
from bohn.rules.shuffle import seed_from
from bohn.rules.state import Copies, Copy, EndPhase, Offer, State, TradePhase

COMMANDS: tuple[type[c.Command], ...] = get_args(c.AnyCommand)
EVENTS: tuple[type[e.Event], ...] = get_args(e.AnyEvent)
TALK = (c.SetWish, c.MakePromise, c.WithdrawPromise)
OFFERS = (c.MakeOffer, c.EditOffer)
ANSWERS = (c.WithdrawOffer, c.AcceptOffer, c.Claim, c.Pick, c.DeclineOffer, c.Pass)

GAMES: tuple[tuple[str, int], ...] = tuple(
    (name, n) for name, by_number in EDITIONS.items() for n in by_number
)
# Each edition with two players has a game of its own; without weights they would be rare.
WEIGHTED = GAMES + (("das-duell", 2),) * 7 + (("full", 2),) * 3


GROUPS: dict[str, tuple[tuple[str, int], ...]] = {
    "active closes": tuple(
        game for game in GAMES if game[0] == "classic" or (game[0][:4] == "full" and game[1] > 2)
    ),
    "all must pass": tuple(game for game in GAMES if game[0] in ("classic-ja", "classic-sv")),
    "duel": tuple(game for game in GAMES if game[1] == 2 and game[0][:4] == "full"),
    "das-duell": (("das-duell", 2), ("das-duell-ja", 2)),
}
"""Games that differ in kind, for tests that must see enough of each."""


@dataclass(frozen=True)
class Step:
    """One command of a walk: refused, or with its events and the state they lead to."""

    rules: Rules
    before: State
    command: c.Command
    events: tuple[e.Event, ...]
    after: State
    refusal: IllegalCommand | None = None


@dataclass(frozen=True)
class Walk:
    """A game played by chance.

    ``stock`` is the number of cards left in the draw pile, so that it runs out soon; the others are boxed. It
    leaves half as many bonus cards.
    ``trading`` is the share of offers and answers in the trading, ``noise`` that of broken commands.
    """

    edition: str
    players: int
    house: tuple[str, ...] = ()
    seed: int = 0
    length: int = 100
    stock: int | None = None
    trading: float = 0.6
    noise: float = 0.1
    talk: float = 0.05

    @property
    def rules(self) -> Rules:
        """The resolved rules."""
        return resolve(self.edition, self.players, *self.house)

    def opening(self) -> tuple[e.Event, ...]:
        """Return the first batch."""
        dealt, *rest = opening(self.rules, seed_from(self.seed))
        assert isinstance(dealt, e.Dealt)
        if self.stock is not None:
            cut = max(0, len(dealt.draw_pile) - self.stock)
            pile, box = dealt.draw_pile[cut:], dealt.box + dealt.draw_pile[:cut]
            dealt = replace(dealt, draw_pile=pile, box=box, bonus_pile=dealt.bonus_pile[: self.stock // 2])
        return (dealt, *rest)

    def steps(self) -> Iterator[Step]:
        """Play, and yield every step."""
        rules, rng = self.rules, Random(self.seed)
        state = fold(self.opening())
        for _ in range(self.length):
            if isinstance(state.phase, EndPhase):
                return
            command = self.next_command(rules, state, rng)
            step = taken(rules, state, command)
            yield step
            state = step.after

    def next_command(self, rules: Rules, state: State, rng: Random) -> c.Command:
        """Draw a command: noise, talk, offers and answers, or something legal."""
        chance = rng.random()
        if chance < self.noise:
            return broken(rng, rules, state)
        if chance < self.noise + self.talk:
            return talked(rng, rules, state)
        if isinstance(state.phase, TradePhase) and rng.random() < self.trading:
            return trading_command(rng, rules, state)
        return played(rng, rules, state)

    def states(self) -> Iterator[State]:
        """Yield every state, from the opening on."""
        yield fold(self.opening())
        for step in self.steps():
            if step.refusal is None:
                yield step.after

    def last(self) -> State:
        """Return the state in which the walk stops."""
        *_, state = self.states()
        return state

    def sample(self, number: int) -> list[State]:
        """Return some states, evenly spread and always with the last."""
        states = list(self.states())
        pace = max(1, len(states) // number)
        return list(islice(states[::-1], 0, None, pace))


def taken(rules: Rules, state: State, command: c.Command) -> Step:
    """Return the step of one command, refused or not."""
    try:
        events = decide(rules, state, command)
    except IllegalCommand as refusal:
        return Step(rules, state, command, (), state, refusal)
    return Step(rules, state, command, events, fold(events, state))


@st.composite
def walks(
    draw: st.DrawFn,
    games: tuple[tuple[str, int], ...] = WEIGHTED,
    length: int = 200,
    *,
    trading: tuple[float, ...] = (0.2, 0.6, 0.85),
    noise: tuple[float, ...] = (0.1,),
    talk: tuple[float, ...] = (0.05,),
) -> Walk:
    """Draw a walk over all editions, numbers of players and house rules.

    Hypothesis chooses a number, and a length that it can shrink; the number chooses the rest, because
    choices of Hypothesis's own would mostly be the first ones.
    """
    seed = draw(st.integers(0, 2**64 - 1))
    rng = Random(seed)
    edition, players = rng.choice(games)
    by_key: dict[str, list[str]] = {}
    for text in house_rules_for(resolve(edition, players)):
        by_key.setdefault(text.partition("=")[0], []).append(text)
    keys = rng.sample(sorted(by_key), rng.choice((0, 0, 1, 2, 3, 5)))
    given = rng.sample(range(players), rng.choice((0, 0, 1, players)))
    return Walk(
        edition,
        players,
        (
            *(rng.choice(by_key[key]) for key in keys),
            *(head_start(seat, rng.randint(1, MOST_TOKENS), rng.randint(0, MOST_CARDS)) for seat in given),
        ),
        seed=seed,
        length=draw(st.integers(0, length) | st.just(length) | st.just(length)),
        stock=rng.choice((None, None, None, 0, 1, 2, 4, 7, 12, 20, 30)),
        trading=rng.choice(trading),
        noise=rng.choice(noise),
        talk=rng.choice(talk),
    )


# -- legal by list -----------------------------------------------------------------------------


def played(rng: Random, rules: Rules, state: State) -> c.Command:
    """Draw one of all listed commands, with fewer harvests than plantings."""
    listed = [
        command for player in range(len(state.players)) for command in legal_commands(rules, state, player)
    ]
    calm = [command for command in listed if not isinstance(command, c.Harvest)]
    return rng.choice(calm if calm and rng.random() < 0.92 else listed)


# -- trading -------------------------------------------------------------------------------------


def trading_command(rng: Random, rules: Rules, state: State) -> c.Command:
    """Draw an offer, an edit, an answer with any copies, a pick, or a retreat."""
    phase = state.phase
    assert isinstance(phase, TradePhase)
    if not phase.offers or rng.random() < 0.45:
        return proposal(rng, rules, state, rng.randrange(len(state.players)))
    offer = rng.choice(phase.offers)
    if offer.claims and rng.random() < 0.4:
        return c.Pick(offer.maker, offer.id, offer.revision, rng.choice(offer.claims).player)
    if rng.random() < 0.15:
        new = proposal(rng, rules, state, offer.maker)
        return c.EditOffer(
            offer.maker, offer.id, offer.revision, new.to, new.hand, new.face_up, new.want, new.open,
            new.hand_revision,
        )  # fmt: skip
    if rng.random() < 0.1:
        return c.WithdrawOffer(offer.maker, offer.id)
    return answer(rng, state, offer, rng.choice(offer.to))


def proposal(rng: Random, rules: Rules, state: State, player: int) -> c.MakeOffer:
    """Draw an offer from the player's space, mostly for something that a partner holds."""
    space = offer_space(rules, state, player)
    partners = rng.sample(space.partners, rng.randint(1, len(space.partners)))
    hand = tuple(rng.sample(space.hand, rng.randint(0, min(3, len(space.hand)))))
    face_up = tuple(rng.sample(space.face_up, rng.randint(0, min(2, len(space.face_up)))))
    partner = rng.choice(partners)
    lying = state.phase.face_up if isinstance(state.phase, TradePhase) else ()
    held = state.players[partner].hand + (lying if partner == state.active_player else ())
    want = tuple(rng.sample(held, rng.randint(0, min(3, len(held)))))
    if rng.random() < 0.2 or not (hand or face_up or want):
        want = (rng.choice(space.kinds),)
    opened = space.may_be_open and rng.random() < 0.5
    return c.MakeOffer(player, tuple(partners), hand, face_up, want, opened, space.hand_revision)


def copies_of(rng: Random, state: State, player: int, want: tuple[Bean, ...]) -> tuple[Copies, Copies] | None:
    """Draw hand and face-up copies that serve these kinds, not only the front-most."""
    phase = state.phase
    lying = phase.face_up if isinstance(phase, TradePhase) and player == state.active_player else ()
    cards = [("hand", Copy(place, bean)) for place, bean in enumerate(state.players[player].hand)]
    cards += [("face-up", Copy(place, bean)) for place, bean in enumerate(lying)]
    rng.shuffle(cards)
    chosen: list[tuple[str, Copy]] = []
    for bean in want:
        found = next((card for card in cards if card[1].bean == bean and card not in chosen), None)
        if found is None:
            return None
        chosen.append(found)
    hand = tuple(copy for source, copy in chosen if source == "hand")
    return hand, tuple(copy for source, copy in chosen if source == "face-up")


def answer(rng: Random, state: State, offer: Offer, player: int) -> c.Command:
    """Draw an acceptance, a claim or a refusal."""
    copies = copies_of(rng, state, player, offer.want)
    if copies is None or rng.random() < 0.15:
        return c.DeclineOffer(player, offer.id, offer.revision)
    hand, face_up = copies
    revision = state.players[player].hand_revision
    if offer.open:
        return c.Claim(player, offer.id, offer.revision, hand, revision)
    return c.AcceptOffer(player, offer.id, offer.revision, hand, face_up, revision)


# -- talk ------------------------------------------------------------------------------------------


def talked(rng: Random, rules: Rules, state: State) -> c.Command:
    """Draw a wish, a promise or the end of one."""
    player = rng.randrange(len(state.players))
    own = [promise.id for promise in state.talk.promises if promise.player == player]
    if own and rng.random() < 0.3:
        return c.WithdrawPromise(player, rng.choice(own))
    if rng.random() < 0.6:
        return c.SetWish(player, rng.choice(rules.kinds), rng.choice(("want", "spare", "none")))
    to = rng.choice([p for p in range(len(state.players)) if p != player])
    give = tuple(rng.choices(rules.kinds, k=rng.randint(0, 2)))
    get = tuple(rng.choices(rules.kinds, k=rng.randint(0, 1)))
    return c.MakePromise(player, to, give, get, rng.choice(("this-turn", "next-turn", "some-time")))


# -- broken commands -----------------------------------------------------------------------------


@cache
def hints(kind: type[c.Command]) -> dict[str, Any]:
    """Return the types of a command's parts."""
    return get_type_hints(kind)


def small(rng: Random) -> int:
    """Draw a number that is often a place, a field or a seat, and sometimes absurd."""
    return rng.choice((-1, 0, 0, 1, 1, 2, 2, 3, 4, 5, 7, 31, 32, 99, -(2**40)))


def some_copies(rng: Random, cards: tuple[Bean, ...]) -> Copies:
    """Draw copies of cards: right, wrong, twice, or out of range."""
    right = [Copy(place, bean) for place, bean in enumerate(cards)]
    chosen = rng.sample(right, rng.randint(0, min(3, len(right))))
    if chosen and rng.random() < 0.2:
        chosen.append(chosen[0])
    if rng.random() < 0.2:
        chosen.append(Copy(small(rng), rng.choice(BEANS)))
    return tuple(chosen)


def part(rng: Random, state: State, player: int, name: str) -> Any:  # noqa: C901, PLR0912 - one line for each part
    """Draw a plausible or absurd value for one part of a command, by its name."""
    owner = state.players[player] if 0 <= player < len(state.players) else state.players[0]
    phase = state.phase
    match name:
        case "hand":
            return some_copies(rng, owner.hand)
        case "face_up":
            return some_copies(rng, getattr(phase, "face_up", ()))
        case "copy":
            return (*some_copies(rng, owner.hand), Copy(small(rng), rng.choice(BEANS)))[0]
        case "want" | "give" | "get":
            return tuple(rng.choices(BEANS, k=rng.randint(0, 4))) * rng.choice((1, 1, 1, 9))
        case "coins":
            return tuple(rng.choices(BEANS, k=rng.randint(0, 4)))
        case "to":
            return tuple(rng.choices(range(-1, len(state.players) + 1), k=rng.randint(0, 3)))
        case "bean":
            return rng.choice(BEANS)
        case "open":
            return rng.random() < 0.5
        case "hand_revision":
            return rng.choice(
                (owner.hand_revision, owner.hand_revision, owner.hand_revision - 1, 0, small(rng))
            )
        case "mark":
            return rng.choice(("want", "spare", "none"))
        case "due":
            return rng.choice(("this-turn", "next-turn", "some-time"))
        case "offer" | "revision":
            numbers = [
                getattr(o, "id" if name == "offer" else "revision") for o in getattr(phase, "offers", ())
            ]
            return rng.choice([*numbers, small(rng)])
        case _:
            return small(rng)


def arbitrary(
    rng: Random, state: State, kind: type[c.Command] | None = None, player: int | None = None
) -> c.Command:
    """Draw any command with any parts of the right types."""
    kind = kind or rng.choice(COMMANDS)
    seat = rng.choice([*range(len(state.players)), -1, len(state.players)]) if player is None else player
    names = [field.name for field in struct_fields(kind) if field.name != "player"]
    parts = {name: part(rng, state, seat, name) for name in names}
    if kind is c.MakePromise:
        parts["to"] = small(rng)
    return kind(seat, **parts)


def mutated(rng: Random, state: State, command: c.Command) -> c.Command:
    """Change one part of a command."""
    field = rng.choice(struct_fields(type(command)))
    if field.name == "player":
        return replace(
            command, player=rng.choice((-1, len(state.players), rng.randrange(len(state.players))))
        )
    if isinstance(command, c.MakePromise) and field.name == "to":
        return replace(command, to=small(rng))
    old = getattr(command, field.name)
    if isinstance(old, tuple) and not isinstance(old, Copy) and old and rng.random() < 0.5:
        return replace(command, **{field.name: rng.choice((old + old[:1], old[1:], old[::-1]))})
    return replace(command, **{field.name: part(rng, state, command.player, field.name)})


def broken(rng: Random, rules: Rules, state: State) -> c.Command:
    """Draw a command that is probably wrong: arbitrary, or a sensible one with one part changed."""
    if rng.random() < 0.4 or isinstance(state.phase, EndPhase):
        return arbitrary(rng, state)
    sources: list[Callable[[], c.Command]] = [
        lambda: played(rng, rules, state),
        lambda: talked(rng, rules, state),
    ]
    if isinstance(state.phase, TradePhase):
        sources.append(lambda: trading_command(rng, rules, state))
    return mutated(rng, state, rng.choice(sources)())


# -- counting cards ----------------------------------------------------------------------------------


def lying(state: State) -> tuple[Bean, ...]:
    """Return the beans that belong to the phase: face up, left, given or unscored."""
    found: tuple[Bean, ...] = ()
    for name in ("face_up", "leftovers", "gift", "unscored"):
        found += getattr(state.phase, name, ())
    return found


def cards(state: State) -> Counter[Bean]:
    """Count every card of a state, wherever it lies."""
    count: Counter[Bean] = Counter(state.draw_pile + state.discard_pile + state.box + lying(state))
    for player in state.players:
        count.update(player.hand + player.treasury + player.set_aside + player.face_down)
        for field in player.fields:
            count.update(field)
    return count


def bonus_cards(state: State) -> list[int]:
    """Return every bonus card of a state, sorted."""
    found = [*state.bonus.draw, *state.bonus.discard]
    for player in state.players:
        found += [*player.bonus.hand, *player.bonus.claimed]
    return sorted(found)
