"""States of all games, as the frames with which a server would show them: reached by playing without one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cache

import msgspec
from msgspec import Struct

from bohn.bots import PLAYERS
from bohn.notation.records import read_record, replay
from bohn.play.floor import BRISK, FloorGame
from bohn.protocol import frames
from bohn.protocol.room import LastCall, Options, Room, Seat
from bohn.rules.commands import AnyCommand, MakeOffer
from bohn.rules.deal import opening
from bohn.rules.decide import decide
from bohn.rules.errors import IllegalCommand
from bohn.rules.events import Event
from bohn.rules.evolve import fold
from bohn.rules.folds.course import EMPTY
from bohn.rules.legal import legal_commands, waiting
from bohn.rules.resolve import resolve
from bohn.rules.ruleset import Rules
from bohn.rules.shuffle import seed_from
from bohn.rules.state import EndPhase, State, TradePhase
from bohn.rules.trading import offer_from
from bohn.server.tables.snapshot import Snapshot
from bohn.server.tables.viewpoint import ENCODER, Viewpoint
from bohn.views.preview import consequences
from bohn.views.view import offer_view, view
from bohn.views.visible import visible
from tests.tables import COVERING
from tests.web.support.moments import BOT, seven_players

TABLE = "walked"
ADA = "ada"
SEEDS = (2, 7)
"""Two games of each table: enough that every phase is met in its usual forms."""

TOLD = 6
"""Batches of the log that are shown with a state."""

BESIDE = {
    "set-wish", "make-promise", "withdraw-promise", "make-offer", "edit-offer", "decline-offer",
    "withdraw-offer", "harvest", "buy-field",
}  # fmt: skip
"""What may be done in so many states that it tells none from another."""

BETWEEN = (3, 4, 5, 6)
"""Sizes of a table at which little but the seats of the others is drawn otherwise than at the largest."""


class Still(Struct, frozen=True):
    """One state from one seat (``None`` watches), with what happened before it; ``name`` tells which."""

    name: str
    rules: Rules
    state: State
    seat: int | None
    told: tuple[tuple[Event, ...], ...] = ()
    last_call: bool = False
    quiet: int = 0
    """Seconds in which nothing has moved; where there are any, people without clocks sit at the table."""

    def sent(self, seq: int, now: int) -> Iterator[bytes]:
        """Yield the frames that show it: a welcome, and the batches before it for the log."""
        yield ENCODER.encode(self._welcome(seq, now))
        for at, events in enumerate(self.told):
            shown = tuple(one for event in events if (one := visible(event, self.seat)) is not None)
            if shown:
                yield ENCODER.encode(frames.Batch(seq=seq - len(self.told) + at, at=now, events=shown))

    def _welcome(self, seq: int, now: int) -> frames.Welcome:
        point = Viewpoint(self.seat, self._snapshot(seq, now), view(self.rules, self.state, None))
        return frames.Welcome(
            protocol=frames.PROTOCOL,
            table=TABLE,
            seq=seq,
            now=now,
            user=ADA,
            seat=self.seat,
            room=self._room(now),
            people={ADA: frames.Person("Ada")},
            game=point.game,
            choices=point.choices,
            worth=point.worth,
            present=(0,),
        )

    def _snapshot(self, seq: int, now: int) -> Snapshot:
        return Snapshot(seq, now, self._room(now), self.rules, self.state)

    def _room(self, now: int) -> Room:
        others = tuple(
            Seat(user=f"guest{seat}") if self.quiet > 0 else Seat(bot=BOT)
            for seat in range(1, self.rules.players)
        )
        return Room(
            id=TABLE,
            options=Options(self.rules.edition, self.rules.players),
            host=ADA,
            seats=(Seat(user=ADA), *others),
            commitment="",
            opened=now,
            status="finished" if isinstance(self.state.phase, EndPhase) else "playing",
            quiet_since=now - 1_000 * self.quiet,
            last_call=LastCall(self.state.turn, now + 3_600_000) if self.last_call else None,
        )

    def answer(self, sent: bytes) -> bytes | None:
        """Return what a server would answer to a frame of the page, as far as what is drawn needs it."""
        frame = msgspec.json.decode(sent, type=frames.AnyClientFrame)
        if isinstance(frame, frames.Draft):
            return self._previewed(frame)
        if isinstance(frame, frames.Check):
            return self._checked(frame)
        return None

    def _previewed(self, draft: frames.Draft) -> bytes:
        seat = self.seat or 0
        revision = self.state.players[seat].hand_revision
        made = MakeOffer(seat, draft.to, draft.hand, draft.face_up, draft.want, hand_revision=revision)
        offer = offer_view(offer_from(self.rules, self.state, made, 0, 1))
        preview = consequences(self.rules, view(self.rules, self.state, seat), offer)
        return ENCODER.encode(frames.Previewed(draft.id, preview))

    def _checked(self, check: frames.Check) -> bytes:
        refused = None
        try:
            decide(self.rules, self.state, check.command)
        except IllegalCommand as error:
            refused = frames.Refused(None, error.reason.value, error.clause, dict(error.params))
        return ENCODER.encode(frames.Checked(check.id, refused))


# -- finding them -----------------------------------------------------------------------------------------


def _deeds(rules: Rules, state: State, seat: int) -> str:
    """Return what a seat may do, as far as that changes what is drawn."""
    return " ".join(sorted({_tag(command) for command in legal_commands(rules, state, seat)} - BESIDE))


def _tag(command: object) -> str:
    return str(getattr(command.__struct_config__, "tag", ""))  # type: ignore[attr-defined]  # - every struct has one


def _kind_of(rules: Rules, state: State, seat: int | None) -> str:
    """Return what makes it another state for the page: game, size, phase, whose turn, what may be done."""
    phase = str(state.phase.__struct_config__.tag)
    size = f"{rules.players}p" if rules.game == "main" else ""
    parts = [rules.game, size, phase]
    if rules.game == "main" and rules.players in BETWEEN and "pass" not in _deeds(rules, state, 0):
        return " ".join(parts)
    if seat is None:
        return " ".join(part for part in (*parts, "watched") if part)
    parts += ["mine" if state.active_player == seat else "theirs"]
    parts += ["waits"] * (seat in waiting(rules, state))
    return " ".join(part for part in (*parts, _deeds(rules, state, seat)) if part)


def _fullness(state: State, seat: int | None) -> int:
    """Return how much lies before a viewer."""
    own = state.players[seat or 0]
    offers = len(state.phase.offers) if isinstance(state.phase, TradePhase) else 0
    return len(own.hand) + 2 * len(own.set_aside) + 2 * offers + sum(map(len, own.fields))


def _played(
    edition: str, players: int, seed: int
) -> Iterator[tuple[Rules, State, tuple[tuple[Event, ...], ...]]]:
    """Yield the states of a whole game, each with the last batches before it."""
    rules = resolve(edition, players)
    events = opening(rules, seed_from(seed))
    state = fold(events, EMPTY)
    table = FloorGame(rules, state, [PLAYERS[BOT](seat) for seat in range(players)], BRISK)
    table.moves = []
    table.play()
    told: deque[tuple[Event, ...]] = deque([events], TOLD)
    yield rules, state, tuple(told)
    for move in table.moves:
        state = fold(move.events, state)
        told.append(move.events)
        yield rules, state, tuple(told)


def fullest() -> Still:
    """Return the market of seven players with eight offers and twelve cards in hand."""
    moment = seven_players()
    record = read_record(moment.record)
    rules = record.header.rules if hasattr(record.header, "rules") else resolve("full", 7, "starter=seat:3")
    state = replay(record)
    for command in moment.then:
        decoded = msgspec.convert(command, AnyCommand)
        state = fold(decide(rules, state, decoded), state)
    return Still("main 7p fullest", rules, state, 0)


@cache
def stills() -> tuple[Still, ...]:
    """Return the fullest state of every kind, of all tables that show something of their own."""
    tables = [still for edition, players in COVERING for still in fullest_of(edition, players, SEEDS)]
    return (fullest(), *tables)


def whole_game(edition: str, players: int, seed: int) -> Iterator[Still]:
    """Yield every state of a game as seat 0 sees it, each with what happened before it."""
    for at, (rules, state, told) in enumerate(_played(edition, players, seed)):
        yield Still(f"{_kind_of(rules, state, 0)} at {at}", rules, state, 0, told)


@cache
def fullest_of(edition: str, players: int, seeds: tuple[int, ...]) -> tuple[Still, ...]:
    """Return the fullest state of every kind in these games of one table."""
    found: dict[str, Still] = {}
    best: dict[str, int] = {}
    for seed in seeds:
        for rules, state, told in _played(edition, players, seed):
            for seat in (0, None):
                name = _kind_of(rules, state, seat)
                full = _fullness(state, seat)
                if full > best.get(name, -1):
                    best[name] = full
                    found[name] = Still(name, rules, state, seat, told)
    return tuple(found.values())
