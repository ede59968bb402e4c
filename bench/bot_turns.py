"""How long a turn of a bot takes beside people, in the table's own time: `python -m bench.bot_turns`.

No time passes while it runs: the clock is moved by the program. The person answers nothing (`idle`),
or answers every offer a moment after it came (`prompt`), as the default player would; the own turn is played
at once and left out of the figures.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from statistics import median, quantiles
from typing import Any, NamedTuple, cast

import structlog

from bohn.bots import PLAYERS
from bohn.bots.api import Bot, Choices
from bohn.play.floor import NOTHING_LEARNT
from bohn.protocol.refusals import Refusal
from bohn.rules import events as e
from bohn.rules.commands import AcceptOffer, AnyCommand, Claim, DeclineOffer, EndTrading
from bohn.rules.errors import IllegalCommand
from bohn.rules.legal import NO_OFFERS, legal_commands, waiting
from bohn.rules.state import EndPhase, State, TradePhase
from bohn.server.settings import Times
from bohn.server.store.protocol import LogRow
from bohn.views.view import view
from tests.server.bots.company import BotHouse, HomePool

STEP = 50
"""Milliseconds by which time is moved."""

REACTION = 1_200
"""Milliseconds after which a prompt person answers an offer."""

PERSON = "anna"
TIMES = Times(beat=600_000)


class Sitter:
    """The person in seat 0."""

    def __init__(self, *, prompt: bool) -> None:
        """Sit down; ``prompt`` answers offers."""
        self.prompt = prompt
        self.bot: Bot = PLAYERS["pk"](5)
        self._seen: dict[tuple[int, int], int] = {}

    def next(self, rules: Any, state: State, now: int) -> AnyCommand | None:
        """Return what the person does now, if anything."""
        legal: Any = legal_commands(rules, state, 0)
        if isinstance(state.phase, TradePhase):
            if state.active_player == 0:
                return EndTrading(0)
            return self._answer(rules, state, legal, now) if self.prompt else None
        return self._decided(rules, state, legal) if 0 in waiting(rules, state) else None

    def _decided(self, rules: Any, state: State, legal: tuple[AnyCommand, ...]) -> AnyCommand | None:
        found: Any = self.bot.decide(view(rules, state, 0), Choices(legal, NO_OFFERS, 0), NOTHING_LEARNT)
        return cast("AnyCommand | None", found)

    def _answer(self, rules: Any, state: State, legal: tuple[AnyCommand, ...], now: int) -> AnyCommand | None:
        for offer in getattr(state.phase, "offers", ()):
            known = 0 in offer.declined or any(claim.player == 0 for claim in offer.claims)
            if 0 not in offer.to or known:
                continue
            since = self._seen.setdefault((offer.id, offer.revision), now)
            if now - since >= REACTION:
                mine = tuple(
                    one
                    for one in legal
                    if isinstance(one, AcceptOffer | Claim | DeclineOffer) and one.offer == offer.id
                )
                return self._decided(rules, state, mine) or DeclineOffer(0, offer.id, offer.revision)
        return None


async def game(players: int, seed: int, *, prompt: bool, edition: str) -> tuple[LogRow, ...]:
    """Play a game of a person and bots; return its log."""
    house = await BotHouse(HomePool("bohn.bots:PLAYERS"), TIMES, seed=seed).begin()
    table = await house.company(PERSON, *["pk"] * (players - 1), edition=edition)
    sitter = Sitter(prompt=prompt)
    while True:
        peek = await house.peek(table)
        if peek.state is None or isinstance(peek.state.phase, EndPhase):
            break
        command = sitter.next(peek.rules, peek.state, house.clock.now())
        if command is None:
            await house.clock.advance(STEP)
            continue
        doing = asyncio.ensure_future(house.do(table, PERSON, command))
        await house.clock.advance(0)
        while not doing.done():
            await house.clock.advance(STEP)
        with suppress(IllegalCommand, Refusal):  # the table has moved on meanwhile
            doing.result()
    rows = await house.rows(table)
    await house.end()
    return rows


class Turn(NamedTuple):
    """A turn of a bot: ms in all, up to the trading, and of the trading; and what was done."""

    whole: int
    before: int
    trading: int
    done: Counter[str]


def turns(rows: Sequence[LogRow]) -> list[Turn]:
    """Return the turns of bots."""
    found = []
    begun: tuple[int, int] | None = None
    opened = closed = 0
    done: Counter[str] = Counter()
    for row in rows:
        for event in row.events:
            if isinstance(event, e.TurnBegan | e.Dealt):
                player = event.player if isinstance(event, e.TurnBegan) else event.starter
                if begun is not None and begun[1] != 0:
                    found.append(Turn(row.at - begun[0], opened - begun[0], closed - opened, done))
                begun, opened, closed, done = (row.at, player), row.at, row.at, Counter()
            elif isinstance(event, e.TradingBegan):
                opened = row.at
            elif isinstance(event, e.TradingClosed):
                closed = row.at
            if isinstance(event, e.OfferMade | e.OfferEdited):
                done["own offers" if begun and event.offer.maker == begun[1] else "others' offers"] += 1
            done["exchanges"] += isinstance(event, e.Traded)
    return found


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--edition", default="full")
    options = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    for name, prompt in (("idle", False), ("prompt", True)):
        found = []
        for seed in range(options.games):
            found += turns(asyncio.run(game(options.players, seed, prompt=prompt, edition=options.edition)))
        print_figures(name, found)


def print_figures(name: str, found: Sequence[Turn]) -> None:
    """Print the figures of one kind of person."""
    whole = sorted(turn.whole / 1000 for turn in found)
    ninth = quantiles(whole, n=10)[-1] if len(whole) > 1 else whole[0]
    before = median(turn.before / 1000 for turn in found)
    trading = median(turn.trading / 1000 for turn in found)
    counts = sum((turn.done for turn in found), Counter[str]())
    print(
        f"{name:<7} {len(whole)} turns: median {median(whole):.1f} s, nine of ten within {ninth:.1f} s, "
        f"longest {whole[-1]:.1f} s; up to the trading {before:.1f} s, the trading {trading:.1f} s"
    )
    print(
        "        a turn: " + ", ".join(f"{n / len(found):.1f} {what}" for what, n in sorted(counts.items()))
    )


if __name__ == "__main__":
    main()
