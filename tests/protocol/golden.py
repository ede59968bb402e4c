"""Writes ``golden.jsonl``: ``python -m tests.protocol.golden`` adds the examples that are not there yet.

A line that was ever written is never changed while the protocol has its number: clients of that day still
send it or wait for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from bohn.protocol import frames
from bohn.protocol.room import LastCall, Options, Room, Seat
from bohn.protocol.room import Reveal as Revealed
from bohn.protocol.room_commands import AnyRoomCommand
from bohn.protocol.room_events import Started
from bohn.protocol.shown import SHOWN
from bohn.rules.commands import AnyCommand, MakeOffer, Plant, Reveal
from bohn.rules.deal import opening
from bohn.rules.decide import decide
from bohn.rules.evolve import fold
from bohn.rules.legal import legal_commands, offer_space
from bohn.rules.resolve import resolve
from bohn.rules.shuffle import seed_from
from bohn.rules.state import Copy, State
from bohn.views import answer, consequences, gift_ways, view, visible
from bohn.views.view import TradeView
from bohn.views.worth import worth
from tests.protocol.values import sample

GOLDEN = Path(__file__).with_name("golden.jsonl")
AT = 1_790_000_000_000

RULES = resolve("full", 3)
OPENING = opening(RULES, seed_from("golden"))
DEALT = fold(OPENING)

PEOPLE = {"u1": frames.Person("Ada"), "u2": frames.Person("Beanie", bot=True)}
ROOM = Room(
    "t1",
    Options(players=3, clock="slow"),
    "u1",
    (Seat("u1", None, AT, 0, "00ff"), Seat("u2", None, AT, 1, ""), Seat(None, "pk", 0, 0, "")),
    "ab" * 32,
    AT,
)


def to_server() -> Iterator[frames.AnyClientFrame]:
    """Yield what a client may send: every command, and one of each other frame."""
    for number, kind in enumerate((*get_args(AnyCommand), *get_args(AnyRoomCommand))):
        yield frames.Send(f"c{number}", sample(kind))
    yield frames.Check("k1", Plant(0, 1))
    yield frames.Draft("d1", (1, 2), (Copy(2, RULES.kinds[3]),), (), (RULES.kinds[4],))
    yield frames.Say("s1", text="hello")
    yield frames.Say("s2", key="thanks")
    yield frames.GiveSign("g1", "composing")
    yield frames.Ping("p1")


def to_client() -> Iterator[frames.AnyServerFrame]:
    """Yield what a server may send: a table that opens, begins, trades and ends; every event; the rest."""
    playing = replace(ROOM, status="playing", quiet_since=AT)
    yield frames.Welcome(1, "t1", 4, AT, "u1", 0, ROOM, PEOPLE, present=(0,), watching=2)
    yield frames.Batch(
        5, at=AT, by=0, cause="player", events=(Started(), *_shown(OPENING, 0)), room=playing,
        game=view(RULES, DEALT, 0), legal=_legal(DEALT, 0), offers=offer_space(RULES, DEALT, 0),
        clocks=(frames.Clock(DEALT.active_player, AT + 60_000), frames.Clock(None, None, 180_000)),
    )  # fmt: skip
    yield from _trading(playing)
    yield _haggling()
    yield frames.Batch(98, discards=(Copy(0, RULES.kinds[2]), Copy(1, RULES.kinds[3])))
    yield frames.Batch(99)
    yield frames.Batch(100, at=AT, cause="clock", events=tuple(sample(kind) for kind in SHOWN))
    ended = replace(playing, status="finished", reveal=Revealed("01" * 32, "02" * 32, ("00ff", "", "")))
    yield frames.Batch(101, at=AT, cause="host", room=ended, people=PEOPLE)
    yield frames.Clocks(AT, (frames.Clock(None, AT + 60_000),), LastCall(1, AT + 3000))
    yield frames.Batch(102, at=AT, quiet_since=AT)
    yield frames.Ack("c1", 6)
    yield frames.Refused("c2", "hand-changed", "OFFER-1", {"revision": 3})
    yield frames.Refused(None, "not-json")
    yield frames.Checked("k1", None)
    yield frames.Checked("k2", frames.Refused("k2", "field-empty", "HARVEST-1", {"field": 1}))
    yield frames.Presence((0, 2), 3)
    yield frames.Signs((1,), (0, 2))
    yield frames.People(PEOPLE)
    yield frames.Line(1, "u1", AT, text="hello")
    yield frames.Line(2, "u2", AT, key="thanks")
    yield frames.LineDeleted(1)
    yield frames.Remark(2, AT, "says.coins", {"bean": 8, "coins": 1})
    yield frames.Remark(2, AT, "says.field", {}, 103)
    yield frames.Sanctioned("mute", "insults", AT)
    yield frames.Invited("t2", frames.Person("Ada", handle="ada"))
    yield frames.Said("s1", 1)
    yield frames.SignGiven("g1", "composing")
    yield frames.Pong("p1", AT)
    yield frames.Goodbye("server-stopping", 1000)


def _trading(room: Room) -> Iterator[frames.AnyServerFrame]:
    """Yield a batch with an offer as its maker and as another seat sees it, a preview, and a whole view."""
    first = DEALT.active_player
    state = fold(decide(RULES, DEALT, Plant(first, 0)), DEALT)
    state = fold(decide(RULES, state, Reveal(first)), state)
    others = tuple(seat for seat in range(3) if seat != first)
    gift = state.players[first].hand[1]
    made = MakeOffer(first, others, (Copy(1, gift),), (), (RULES.kinds[5],), hand_revision=1)
    events = decide(RULES, state, made)
    after = fold(events, state)
    for seat in (first, others[0]):
        seen = view(RULES, after, seat)
        assert isinstance(seen.phase, TradeView)
        previews = tuple(
            frames.OfferPreview(o.id, consequences(RULES, seen, o), answer(seen, o))
            for o in seen.phase.offers
        )
        choices = frames.Choices(_legal(after, seat), offer_space(RULES, after, seat), previews)
        yield frames.Batch(
            8, at=AT, by=first, cause="player", events=_shown(events, seat), previews=previews,
            view=frames.ViewPatch(phase=seen.phase), legal=choices.legal, offers=choices.offers,
        )  # fmt: skip
        yield frames.Previewed("d1", previews[0].preview)
        calling = replace(room, last_call=LastCall(1, AT + 3000), called=("u2",))
        yield frames.Welcome(1, "t1", 9, AT, None, seat, calling, PEOPLE, False, seen, choices, worth(seen))
    seen = view(RULES, after, 0)
    parts = {name: getattr(seen, name) for name in frames.ViewPatch.__struct_fields__}
    patch = frames.ViewPatch(**{**parts, "players": dict(enumerate(seen.players))})
    yield frames.Batch(10, view=patch, worth=dict(enumerate(worth(seen))))


def _haggling() -> frames.Batch:
    """Return a batch in which a gift is asked for, with the ways to give one."""
    rules = resolve("das-duell", 2)
    state = fold(opening(rules, seed_from(1)))
    first = state.active_player
    for command in (Plant(first, 0), Reveal(first)):
        state = fold(decide(rules, state, command), state)
    seen = view(rules, state, first)
    return frames.Batch(97, game=seen, gifts=gift_ways(seen))


def _shown(events: Any, seat: int) -> tuple[Any, ...]:
    found = (visible(event, seat) for event in events)
    return tuple(event for event in found if event is not None)


def _legal(state: State, seat: int) -> Any:
    return legal_commands(RULES, state, seat)


def examples() -> tuple[bytes, ...]:
    """Return every example as a line."""
    return tuple(msgspec.json.encode(frame) + b"\n" for frame in (*to_server(), *to_client()))


def main() -> None:
    """Add what is missing."""
    written = GOLDEN.read_bytes().splitlines(keepends=True) if GOLDEN.exists() else []
    GOLDEN.write_bytes(b"".join([*written, *(line for line in examples() if line not in written)]))


if __name__ == "__main__":
    main()
