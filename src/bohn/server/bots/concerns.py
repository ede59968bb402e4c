"""Whom a batch concerns: which bots look at the table after it, and which planned looks it cancels.

Only public facts count. Hands are never read here, and neither is who has declined: the maker of an offer
looks again when its patience ends, whatever the answers. So the moment of a look reveals nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Literal, NamedTuple

from msgspec import Struct

from bohn.protocol.room_events import RoomEvent
from bohn.rules import events as e
from bohn.rules.beans import Bean
from bohn.rules.commands import (
    Command,
    DeclineOffer,
    EditOffer,
    EndTrading,
    MakeOffer,
    Pass,
)
from bohn.rules.events import Event
from bohn.rules.legal import waiting
from bohn.rules.ruleset import Rules
from bohn.rules.state import EndPhase, Offer, Player, State, TradePhase
from bohn.server.bots.deciding import TALK
from bohn.server.bots.messages import Traits
from bohn.server.bots.pace import Pace, PublicOffer, people, public_offer
from bohn.server.bots.table_memory import game_events
from bohn.server.store.protocol import LogRow
from bohn.server.tables.api import Peek
from bohn.views.visible import visible


class LookKey(NamedTuple):
    """Why a seat will look, or act without looking; one pending moment for each key.

    ``must``: the game waits for it. ``watch``: something happened outside the trading. ``fresh``: something
    happened in the trading. ``offer``: this revision of an offer reached it. ``own``: its own offer is out.
    ``among``: the same, and while people sit by it went to bots only. ``pass``, ``end``: it has nothing more
    to do.
    """

    why: Literal["must", "watch", "fresh", "offer", "own", "among", "pass", "end"]
    offer: int = 0
    revision: int = 0


MUST, WATCH, FRESH, OWN, AMONG, PASS, END = (
    LookKey("must"), LookKey("watch"), LookKey("fresh"), LookKey("own"), LookKey("among"), LookKey("pass"),
    LookKey("end"),
)  # fmt: skip

ENGAGING = frozenset({"fresh", "offer", "own"})
"""Looks for which the trading is kept open."""

LOOKS_IN_TRADING = ENGAGING | {"among"}

_TALK_EVENTS = (e.WishSet, e.PromiseMade, e.PromiseWithdrawn)
_STIRRING = (e.Traded, e.Harvested, e.FieldBought)
_CLAIMS = (e.OfferClaimed, e.ClaimWithdrawn, e.ClaimVoided)
_NO_FURTHER_LOOK = (MakeOffer, EditOffer, Pass, EndTrading, *TALK)


class BatchMeaning(Struct, frozen=True):
    """What a batch means to those who might look.

    ``anew``: the trading began (``begun``), or the table has only now come into sight. ``stirred``: an
    exchange, harvest or purchase. ``offers`` are made or edited; ``claimed`` are the makers whose offers
    gained or lost a claim. ``actor`` has openly done something after which it looks again. ``moved``: more
    than talk happened in the game. ``alive``: everybody saw something of it, and it was more than haggling
    among bots.
    """

    anew: bool
    begun: bool = False
    stirred: bool = False
    offers: tuple[PublicOffer, ...] = ()
    claimed: frozenset[int] = frozenset()
    actor: int | None = None
    moved: bool = True
    alive: bool = True


ANEW = BatchMeaning(anew=True)


def meaning_of(peek: Peek, row: LogRow | None) -> BatchMeaning:
    """Return what a batch means; ``None`` is a table that was only now loaded."""
    if row is None or peek.state is None:
        return ANEW
    events = game_events(row.events)
    begun = any(isinstance(event, e.TradingBegan) for event in events)
    return BatchMeaning(
        anew=begun,
        begun=begun,
        stirred=any(isinstance(event, _STIRRING) for event in events),
        offers=tuple([public_offer(o.offer) for o in events if isinstance(o, e.OfferMade | e.OfferEdited)]),
        claimed=frozenset(_claimed(peek.state, events)),
        actor=_actor(row, events),
        moved=any(not isinstance(event, _TALK_EVENTS) for event in events),
        alive=any(_public(event) and not _chatter(peek, row, event) for event in row.events),
    )


def _chatter(peek: Peek, row: LogRow, event: Event | RoomEvent) -> bool:
    """Tell whether a bot says something, or proposes it to bots while people sit by, or takes it back."""
    here = people(peek.room)
    if not here or getattr(row.command, "player", None) in here:
        return False
    if isinstance(event, e.OfferMade | e.OfferEdited):
        return here.isdisjoint(event.offer.to)
    return isinstance(event, (e.OfferWithdrawn, *_TALK_EVENTS))


def _public(event: Event | RoomEvent) -> bool:
    return isinstance(event, RoomEvent) or visible(event, None) is not None


def _claimed(state: State, events: tuple[Event, ...]) -> Iterator[int]:
    if not isinstance(state.phase, TradePhase):
        return
    makers = {offer.id: offer.maker for offer in state.phase.offers}
    for event in events:
        if isinstance(event, _CLAIMS) and event.offer in makers:
            yield makers[event.offer]


def _actor(row: LogRow, events: tuple[Event, ...]) -> int | None:
    command = row.command
    if not isinstance(command, Command) or isinstance(command, _NO_FURTHER_LOOK):
        return None
    return command.player if any(map(_public, events)) else None


def in_secret(state: State, command: Command) -> bool:
    """Tell whether only the maker of an offer hears this: a refusal that takes no claim back."""
    phase = state.phase
    if not isinstance(command, DeclineOffer) or not isinstance(phase, TradePhase):
        return False
    claims = (claim for offer in phase.offers if offer.id == command.offer for claim in offer.claims)
    return all(claim.player != command.player for claim in claims)


def waited_for(peek: Peek, state: State, offer: Offer) -> frozenset[int]:
    """Return the people whose answer to an offer a trading is kept open for, as everybody can see.

    Not for those who have claimed it, have traded enough, or cannot have the beans it wants.
    """
    asked = people(peek.room) & frozenset(offer.to)
    answered = {claim.player for claim in offer.claims}
    return frozenset(
        seat for seat in asked - answered - peek.enough if may_have(peek.rules, state, seat, offer.want)
    )


def may_have(rules: Rules, state: State, seat: int, beans: tuple[Bean, ...]) -> bool:
    """Tell whether a seat may have these beans to give, as far as everybody can see."""
    phase, wanted = state.phase, Counter(beans)
    lying = Counter(phase.face_up if isinstance(phase, TradePhase) and seat == state.active_player else ())
    hidden = (wanted - lying).total()
    seen = Counter(bean for player in state.players for pile in _open_piles(player) for bean in pile)
    left = all(count - lying[bean] <= rules.deck[bean] - seen[bean] for bean, count in wanted.items())
    return hidden <= len(state.players[seat].hand) and left


def _open_piles(player: Player) -> Iterator[tuple[Bean, ...]]:
    yield from player.fields
    yield player.treasury
    yield player.set_aside


def stands(key: LookKey, rules: Rules, state: State, seat: int) -> bool:
    """Tell whether there is still a reason to look."""
    phase = state.phase
    if isinstance(phase, TradePhase):
        if key.why == "offer":
            return any(offer.id == key.offer and offer.revision == key.revision for offer in phase.offers)
        if key.why in ("own", "among"):
            return any(offer.maker == seat for offer in phase.offers)
        return key.why in ("fresh", "pass", "end")
    if key.why == "must":
        return seat in waiting(rules, state)
    return key.why == "watch" and not isinstance(phase, EndPhase)


class PlannedLook(NamedTuple):
    """One look to come, after ``delay`` ms; ``over`` says that it replaces one that is pending."""

    key: LookKey
    delay: float
    over: bool = False


def looks(
    pace: Pace, peek: Peek, seat: int, traits: Traits, meaning: BatchMeaning, pending: Collection[LookKey]
) -> Iterator[PlannedLook]:
    """Yield the looks of a seat that a batch asks for, except that for which the game waits."""
    state = peek.state
    if state is None:
        return
    if isinstance(state.phase, TradePhase):
        if traits.trades or traits.off_turn:
            yield from _in_trading(pace, peek, state.phase, seat, meaning, pending)
    elif (
        traits.off_turn and meaning.moved and seat not in waiting(peek.rules, state) and WATCH not in pending
    ):
        yield PlannedLook(WATCH, pace.move(peek.room, state))


def _in_trading(
    pace: Pace, peek: Peek, phase: TradePhase, seat: int, meaning: BatchMeaning, pending: Collection[LookKey]
) -> Iterator[PlannedLook]:
    concerned = meaning.anew or meaning.stirred or seat in meaning.claimed or seat == meaning.actor
    if concerned and FRESH not in pending:
        first = meaning.begun and peek.state is not None and peek.state.active_player not in people(peek.room)
        yield PlannedLook(FRESH, pace.first_look(peek.room) if first else pace.delay(peek.room))
    for offer in tuple(map(public_offer, phase.offers)) if meaning.anew else meaning.offers:
        if offer.maker == seat:
            here = people(peek.room)
            among = bool(here) and here.isdisjoint(offer.to)
            yield PlannedLook(AMONG if among else OWN, pace.patience(peek.room, offer), over=True)
        elif seat in offer.to:
            key = LookKey("offer", offer.id, offer.revision)
            if key not in pending:
                yield PlannedLook(key, pace.answer(peek.room, offer, seat))
