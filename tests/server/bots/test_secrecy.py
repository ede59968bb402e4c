"""When bots look tells nothing of what is hidden: in look-alikes all bots wait as long, in the same order."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from bohn.bots import PLAYERS
from bohn.play.floor import BRISK, play_game
from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Options, Room, Seat
from bohn.rules.commands import DeclineOffer
from bohn.rules.events import OfferDeclined
from bohn.rules.evolve import fold
from bohn.rules.resolve import resolve
from bohn.rules.ruleset import Rules
from bohn.rules.state import State, TradePhase
from bohn.server.bots.seats import BotSeats
from bohn.server.settings import Settings, Times
from bohn.server.store.protocol import LogRow
from bohn.server.tables.api import Peek
from tests.properties.lookalikes import lookalike
from tests.server.bots.company import RecordingClock, Scripted, silent
from tests.server.bots.players import WHERE

GAMES = [("full", 4, ()), ("full", 4, ("closing=unanimous",)), ("full", 2, ()), ("das-duell", 2, ())]


def room(players: int, person: int | None) -> Room:
    """Return a room with bots, the odd ones watchful, and perhaps a person."""
    seats = tuple(
        Seat(user="anna") if place == person else Seat(bot=("random-trader", "watchful")[place % 2])
        for place in range(players)
    )
    return Room("t1", Options(players=players), None, seats, "", 0, "playing")


def batches(rules: Rules, seed: int) -> list[tuple[State, LogRow, State]]:
    """Return a game: before, the batch, and after."""
    bots = [PLAYERS["random-trader"](seed + seat) for seat in range(rules.players)]
    game = play_game(rules, seed, bots, BRISK, with_moves=True)
    state = fold(game.opening)
    found = []
    for seq, move in enumerate(game.moves[:-1], 2):
        after = fold(move.events, state)
        found.append((state, batch(seq, move.command, move.events), after))
        state = after
    return found


def batch(seq: int, command: Any, events: Any) -> LogRow:
    """Return a row of the log."""
    return LogRow(
        table="t1", seq=seq, at=seq, actor="bot:0", command_id=str(seq), digest="", cause="bot",
        command=command, events=events,
    )  # fmt: skip


async def moments(rules: Rules, seated: Room, told: list[tuple[State, LogRow | None]]) -> list[Any]:
    """Return how long bots wait after the last batch, who then looks, and when; all of them pass.

    Whatever the batches before it have brought is over by then.
    """
    clock = RecordingClock()
    pool = silent()
    looked: list[Any] = []

    def look(question: Any) -> None:
        looked.append((clock.now(), question.seat))

    pool.script = look
    seats = BotSeats(Nowhere(), Settings(times=Times()), clock, Random(7), players=WHERE, pool=pool)
    for seq, (state, row) in enumerate(told, 1):
        number = seq if row is None else row.seq
        await clock.advance(15_000)
        clock.slept.clear()
        looked.clear()
        seats.noticed(Peek(number, seated, rules, state), row)
    await clock.settle()
    slept = list(clock.slept)
    await clock.advance(9_000)
    await seats.stop()
    return [slept, looked]


class Nowhere:
    """Tables at which everything is refused."""

    async def execute_for_bot(self, *_: Any) -> int:
        """Refuse."""
        raise Refusal(Problem.NOT_SAVED)

    def post(self, *_: Any, **__: Any) -> None:
        """Hear nothing."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


@pytest.mark.parametrize("person", [None, 0])
@pytest.mark.parametrize(("edition", "players", "house"), GAMES)
def test_bots_wait_alike_whatever_is_hidden(
    edition: str, players: int, house: tuple[str, ...], person: int | None
) -> None:
    """After every batch all draw the same delays and look at the same moments in a world of other cards.

    Other hands, other cards in the pile, other refusals, as seen by somebody who only looks on.
    """
    rules = resolve(edition, players, *house)
    rng = Random(players)
    seated = room(players, person)

    async def compare() -> int:
        different = 0
        for before, row, after in rng.sample(batches(rules, 11), 60):
            states = [lookalike(rules, state, None, rng, 0)[0] for state in (before, after)]
            different += any(
                one.hand != two.hand for one, two in zip(after.players, states[1].players, strict=True)
            )
            here = await moments(rules, seated, [(before, None), (after, row)])
            there = await moments(rules, seated, [(states[0], None), (states[1], row)])
            assert here[0] == there[0], row
            if isinstance(after.phase, TradePhase):
                assert here == there, row
        return different

    assert asyncio.run(compare()) > 30


def declining(rules: Rules) -> list[tuple[State, int]]:
    """Return positions in which somebody of several could still decline an offer to all, and its number."""
    found = []
    for before, _, _ in batches(rules, 3):
        if isinstance(before.phase, TradePhase):
            for offer in before.phase.offers:
                if len(offer.to) > 1 and not offer.declined and not offer.claims:
                    found.append((before, offer.id))
                    break
    return found


def test_it_makes_no_difference_who_has_declined() -> None:
    """A refusal makes nobody look, neither its maker nor whoever declined, and delays nothing."""
    rules = resolve("full", 4)
    seated = room(4, 0)

    async def compare() -> None:
        positions = declining(rules)
        assert len(positions) > 10
        for state, number in positions[:25]:
            phase = state.phase
            assert isinstance(phase, TradePhase)
            offer = next(one for one in phase.offers if one.id == number)
            talk = batch(2, None, ())
            worlds: list[list[tuple[State, LogRow | None]]] = [[(state, None), (state, talk)]]
            for seat in offer.to:
                event = OfferDeclined(offer.id, offer.revision, offer.maker, seat)
                row = batch(2, DeclineOffer(seat, offer.id, offer.revision), (event,))
                worlds.append([(state, None), (fold((event,), state), row)])
            seen = [await moments(rules, seated, world) for world in worlds]
            assert all(one == seen[0] for one in seen)

    asyncio.run(compare())


def test_the_cards_of_a_position_are_looked_at_after_the_delay() -> None:
    """What a bot is shown is the table when its time has come, not when its delay was drawn."""
    rules = resolve("full", 3, "starter=seat:0")
    states = [state for state, _, _ in batches(rules, 5)]
    shown: list[int] = []

    async def act() -> None:
        clock = RecordingClock()
        pool = Scripted(lambda question: shown.append(question.view.turn))
        seats = BotSeats(Nowhere(), Settings(), clock, Random(1), players=WHERE, pool=pool)
        seated = room(3, None)
        seats.noticed(Peek(2, seated, rules, states[0]), None)
        await clock.advance(20)
        assert shown == []
        later = next(state for state in states if state.turn == 4 and state.active_player == 0)
        seats.noticed(Peek(3, seated, rules, later), batch(3, None, ()))
        await clock.advance(300)
        await seats.stop()

    asyncio.run(act())

    assert set(shown) == {4}
