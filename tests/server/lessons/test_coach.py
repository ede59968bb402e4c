"""The coach of the first game says nothing that the table contradicts, whatever the learner does."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import Struct

import hatch_build
from bohn.bots.random_players import RandomTrader
from bohn.notation.beans import parse_beans
from bohn.play.seat import Choices
from bohn.protocol.refusals import Refusal
from bohn.rules.beans import Bean
from bohn.rules.commands import (
    AcceptOffer,
    Claim,
    Command,
    EndTrading,
    Harvest,
    MakeOffer,
    Pick,
    Plant,
    PlantSetAside,
    Reveal,
)
from bohn.rules.errors import IllegalCommand
from bohn.rules.events import Traded
from bohn.rules.legal import legal_commands, offer_space
from bohn.rules.resolve import resolve
from bohn.rules.state import Copy, Offer, State, TradePhase
from bohn.server.lessons import LESSONS
from bohn.views.knowledge import know
from bohn.views.view import view
from bohn.views.worth import worth
from tests.server.support.lesson import Class, taught

ROOT = Path(__file__).parents[3]
RED, CHILI, BLUE, GREEN, STINK = parse_beans("red chili blue green stink")
ANNA, BERT = 1, 2
TAUGHT: tuple[tuple[Bean, tuple[Bean, ...]], ...] = ((BLUE, ()), (GREEN, (CHILI,)))
"""What the coach proposes to offer in the first turn, and for what."""
STILL = 6
"""Looks at one position: as many sentences may be read in it, one after the other."""
RULES = LESSONS["first-game"].rules
LARGER = resolve(RULES.edition, RULES.players + 1)


class Moment(Struct, frozen=True):
    """A position of the lesson, and how often the learner has traded in his first turn."""

    state: State
    trades: int


class Line(Struct, frozen=True):
    """What the coach says, with what counts in it, and beside which things."""

    step: str
    text: str
    params: dict[str, int | str]
    at: list[str]
    words: str


def random_learner(seed: int) -> tuple[Moment, ...]:
    """Return what lay on the table while somebody did whatever came to his mind, up to his second turn."""
    moments: list[Moment] = []

    async def story(room: Class) -> None:
        rand, bot = Random(seed), RandomTrader(seed)
        for _ in range(400):
            state = await room.state()
            if state.turn > 5:
                break
            trades = sum(isinstance(one, Traded) for row in await room.log() for one in row.events)
            if [moment.state for moment in moments[-STILL:]] != [state] * STILL:
                moments.append(Moment(state, trades))
            command = careful(rand, state) if seed % 2 else chosen(rand, bot, state)
            if command is not None:
                with suppress(IllegalCommand, Refusal):
                    await room.learner(command)
            await room.clock.advance(400)

    taught(story)
    return tuple(moments)


def offering(state: State, bean: Bean, want: tuple[Bean, ...]) -> Command:
    """Return an offer of a bean of the hand, whose taker the learner picks."""
    own = state.players[0]
    copy = Copy(own.hand.index(bean), bean)
    return MakeOffer(0, (ANNA, BERT), (copy,), (), want, open=True, hand_revision=own.hand_revision)


def careful(rand: Random, state: State) -> Command | None:
    """Return what a learner does who mostly follows the coach: he takes offers, and plants like to like."""
    legal = legal_commands(RULES, state, 0)
    if not legal or rand.random() < 0.8:
        return None
    deeds: list[Command] = [one for one in legal if isinstance(one, AcceptOffer | Pick)]
    if isinstance(state.phase, TradePhase) and state.turn == 1:
        mine = {copy.bean for offer in state.phase.offers if offer.maker == 0 for copy in offer.hand}
        deeds += [
            offering(state, bean, want) for bean, want in TAUGHT if bean in set(state.players[0].hand) - mine
        ]
    planting = [one for one in legal if isinstance(one, Plant | PlantSetAside)]
    own = state.players[0]
    for one in planting:
        bean = own.hand[0] if isinstance(one, Plant) else own.set_aside[one.place]
        if own.fields[one.field][:1] == (bean,):
            deeds.append(one)
    if not deeds and state.turn == 3:
        deeds += [one for one in legal if isinstance(one, Harvest)][:1]
    free = [one for one in planting if not own.fields[one.field]]
    onward = [one for one in legal if isinstance(one, Reveal | EndTrading)]
    harvests = [one for one in legal if isinstance(one, Harvest)] if planting else []
    choices = next((some for some in (deeds, free, onward, harvests) if some), [])
    if choices is onward and rand.random() < 0.7:
        return None
    return rand.choice(choices) if choices else None


def chosen(rand: Random, bot: RandomTrader, state: State) -> Command | None:
    """Return one legal command, or an offer; nothing in every other moment."""
    legal = legal_commands(RULES, state, 0)
    if not legal or rand.random() < 0.4:
        return None
    taken = [one for one in legal if isinstance(one, AcceptOffer)]
    if taken and rand.random() < 0.5:
        return rand.choice(taken)
    if isinstance(state.phase, TradePhase) and rand.random() < 0.5:
        seen = view(RULES, state, 0)
        command: Any = bot.decide(seen, Choices(legal, offer_space(RULES, state, 0)), know(seen))
        return None if isinstance(command, EndTrading) and rand.random() < 0.7 else command
    rare = [one for one in legal if not isinstance(one, Harvest | EndTrading)]
    return rand.choice(rare if rare and rand.random() < 0.8 else legal)


def coach(games: list[tuple[Moment, ...]]) -> list[list[Line | None]]:
    """Return what the page says in each moment of these games; skips where there is no Node for it."""
    larger = {"players": LARGER.players, "fields": LARGER.fields, "price": LARGER.field_price}
    seen = [[view(RULES, moment.state, 0) for moment in game] for game in games]
    told = [
        {
            "lesson": "first-game",
            "larger": larger,
            "moments": [{"view": one, "seat": 0, "worth": worth(one)} for one in game],
        }
        for game in seen
    ]
    done = subprocess.run(  # noqa: S603 - the Node of `make web`
        [sys.executable, ROOT / "hatch_build.py", "npm", "run", "--silent", "coach"],
        input=msgspec.json.encode(told),
        capture_output=True,
        check=False,
    )
    if done.returncode and not hatch_build.is_installed(ROOT / hatch_build.WEB):
        pytest.skip("the modules of web/ are not there: make web")
    assert done.returncode == 0, done.stderr.decode()
    return msgspec.json.decode(done.stdout, type=list[list[Line | None]])


# -- what each sentence claims


def pointed(line: Line, what: str) -> int:
    """Return the number of the thing the first selector names."""
    return int(line.at[0].split(f'[{what}="')[1].split('"')[0])


def offer_of(moment: Moment, line: Line) -> Offer:
    """Return the offer beside which a line is said."""
    phase = moment.state.phase
    assert isinstance(phase, TradePhase)
    return next(one for one in phase.offers if one.id == pointed(line, "data-offer"))


def gives(offer: Offer) -> list[Any]:
    """Return the kinds an offer gives."""
    return [copy.bean for copy in (*offer.hand, *offer.face_up)]


def fields(moment: Moment) -> tuple[tuple[Any, ...], ...]:
    """Return the learner's fields."""
    return moment.state.players[0].fields


def hand(moment: Moment) -> tuple[Any, ...]:
    """Return the learner's hand."""
    return moment.state.players[0].hand


def aside(moment: Moment) -> set[Any]:
    """Return the kinds that the learner has received."""
    return set(moment.state.players[0].set_aside)


def grows(moment: Moment, bean: Any) -> bool:
    """Tell whether a kind grows on a field of the learner."""
    return any(field and field[0] == bean for field in fields(moment))


def takes(moment: Moment, bean: Any) -> bool:
    """Tell whether a kind could be planted without a harvest."""
    return grows(moment, bean) or () in fields(moment)


def may_harvest(moment: Moment, field: int) -> bool:
    """Tell whether the learner may harvest a field."""
    return Harvest(0, field) in legal_commands(RULES, moment.state, 0)


def wishes(moment: Moment, seat: int, bean: Any) -> bool:
    """Tell whether a seat has a wish for a kind."""
    return bean in moment.state.talk.wishes[seat].want


def is_ripe(moment: Moment, line: Line) -> bool:
    """Tell whether the field pointed at earns what is said, and no more."""
    field = pointed(line, "data-harvest")
    value = worth(view(RULES, moment.state, 0))[0][field]
    assert value is not None
    said = (line.params["count"], line.params["coins"], 0)
    return (len(fields(moment)[field]), value.coins, value.more) == said and may_harvest(moment, field)


def earns(moment: Moment) -> list[int]:
    """Return what each field of the learner would bring now."""
    values = worth(view(RULES, moment.state, 0))[0]
    return [0 if value is None else value.coins for value in values]


def earns_most(moment: Moment, line: Line) -> bool:
    """Tell whether the field pointed at earns what is said, as much as any, and may be harvested."""
    field = pointed(line, "data-harvest")
    said = line.params["coins"]
    return said == earns(moment)[field] == max(earns(moment)) != 0 and may_harvest(moment, field)


def is_alone(moment: Moment, line: Line) -> bool:
    """Tell whether a bean is alone on the field pointed at, which may not be harvested for that."""
    field = pointed(line, "data-field")
    bigger = any(len(other) > 1 for other in fields(moment))
    return len(fields(moment)[field]) == 1 and bigger and not may_harvest(moment, field)


def is_mine(moment: Moment, line: Line) -> bool:
    """Tell whether an own offer is spoken of, which not everybody has declined."""
    offer = offer_of(moment, line)
    return offer.maker == 0 and set(offer.declined) < set(offer.to)


def drew(moment: Moment) -> bool:
    """Tell whether the last cards of the hand are the three of the first turn, and Anna's turn is on."""
    return hand(moment)[-3:] == (BLUE, BLUE, STINK) and moment.state.active_player == ANNA


def is_annas(moment: Moment, line: Line, give: Any, want: list[Any]) -> bool:
    """Tell whether Anna's offer of one bean for others is spoken of."""
    offer = offer_of(moment, line)
    return offer.maker == ANNA and gives(offer) == [give] and list(offer.want) == want and 0 in offer.to


def may_take(moment: Moment, line: Line) -> bool:
    """Tell whether the rules let the learner take the offer that a line points to."""
    offer = offer_of(moment, line)
    return any(
        isinstance(command, AcceptOffer | Claim) and command.offer == offer.id
        for command in legal_commands(RULES, moment.state, 0)
    )


def own_trading(moment: Moment, _: Line) -> bool:
    """Tell whether the learner's trading is open."""
    return moment.state.active_player == 0 and isinstance(moment.state.phase, TradePhase)


CLAIMS: dict[str, Callable[[Moment, Line], bool]] = {
    "hand": lambda now, _: now.state.turn == 1,
    "plant": lambda now, _: hand(now)[0] == RED and now.state.active_player == 0,
    "second": lambda now, line: hand(now)[0] == RED == fields(now)[pointed(line, "data-field")][0],
    "second-any": lambda now, _: bool(hand(now)),
    "number": lambda now, line: (
        hand(now)[pointed(line, "data-card")] == BLUE
        and line.params == {"blue": RULES.deck[BLUE], "red": RULES.deck[RED]}
    ),
    "reveal": lambda now, _: now.state.active_player == 0 and now.state.turn == 1,
    "market": lambda now, _: isinstance(now.state.phase, TradePhase) and len(now.state.phase.face_up) == 2,
    "accept": lambda now, line: (
        is_annas(now, line, RED, [STINK])
        and grows(now, RED)
        and wishes(now, ANNA, STINK)
        and may_take(now, line)
    ),
    "offered": lambda now, line: may_take(now, line) and bool(offer_of(now, line).want),
    "gift": lambda now, line: hand(now)[pointed(line, "data-card")] == BLUE and wishes(now, BERT, BLUE),
    "gift-pick": lambda now, line: BERT in [claim.player for claim in offer_of(now, line).claims],
    "offer-pick": lambda now, line: BERT in [claim.player for claim in offer_of(now, line).claims],
    "pick-any": lambda now, line: bool(offer_of(now, line).claims),
    "wait": is_mine,
    "offer": lambda now, line: (
        hand(now)[0] == CHILI
        and CHILI in now.state.players[BERT].hand
        and hand(now)[pointed(line, "data-card")] == GREEN
    ),
    "offer-kept": lambda now, line: (
        CHILI in hand(now)
        and CHILI in now.state.players[BERT].hand
        and hand(now)[pointed(line, "data-card")] == GREEN
    ),
    "end": lambda now, line: own_trading(now, line) and now.trades > 0,
    "end-plain": lambda now, line: own_trading(now, line) and now.trades == 0,
    "received": lambda now, _: (
        aside(now) == {RED, CHILI} and grows(now, RED) and not grows(now, CHILI) and () in fields(now)
    ),
    "again": lambda now, _: aside(now) == {RED, CHILI} and grows(now, RED) and grows(now, CHILI),
    "received-same": lambda now, _: all(grows(now, bean) for bean in aside(now)),
    "received-any": lambda now, _: any(takes(now, bean) for bean in aside(now)),
    "no-room": lambda now, _: not any(takes(now, bean) for bean in aside(now)),
    "drawn": lambda now, _: drew(now),
    "single": is_alone,
    "theirs": lambda now, line: (
        is_annas(now, line, RED, [STINK])
        and STINK in hand(now)
        and line.params["count"] == 1 + max(len(field) for field in fields(now) if field[:1] == (RED,))
    ),
    "present": lambda now, line: is_annas(now, line, CHILI, []) and grows(now, CHILI),
    "present-any": lambda now, line: 0 in offer_of(now, line).to and not offer_of(now, line).want,
    "harvest": lambda now, line: (
        is_ripe(now, line) and set(fields(now)[pointed(line, "data-harvest")]) == {RED}
    ),
    "harvest-any": is_ripe,
    "harvest-earns": earns_most,
    "grow": lambda now, _: now.state.players[0].coins == 0 == max(earns(now)),
    "coins": lambda now, line: now.state.players[0].coins == line.params["count"] != 0,
    "fields-price": lambda now, line: (
        line.params
        == {
            "here": len(fields(now)),
            "players": LARGER.players,
            "fields": LARGER.fields,
            "price": LARGER.field_price,
        }
    ),
    "goodbye": lambda now, _: now.state.active_player == 0,
    "goodbye-plain": lambda now, _: now.state.active_player != 0,
}
"""What must be so when a sentence is said, by its key."""


def test_coach_says_nothing_that_is_not_so() -> None:
    """In the games of random learners each sentence is true of the table at the moment it is said."""
    games = [random_learner(seed) for seed in range(16)]
    wrong, said = [], set()
    for seed, (game, lines) in enumerate(zip(games, coach(games), strict=True)):
        for moment, line in zip(game, lines, strict=True):
            if line is None:
                continue
            key = line.text.removeprefix("lesson.")
            said.add(key)
            if not CLAIMS[key](moment, line):
                wrong.append((seed, moment.state.turn, key, line.words))

    assert wrong == []
    assert len(said) >= 28, sorted(said)


def test_lesson_has_the_rules_that_its_coach_explains() -> None:
    """Three fields for all, fewer at a larger table; rare beans earn sooner, single beans are protected."""
    assert RULES.fields == RULES.max_fields == 3
    assert (LARGER.fields, LARGER.max_fields) == (2, 3)
    assert RULES.singles == "while_another_has_two"
    assert RULES.beanometers[RED][0][0] < RULES.beanometers[BLUE][0][0]
    assert RULES.deck[RED] < RULES.deck[BLUE]
