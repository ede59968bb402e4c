"""Reading lessons: each is a TOML file of this folder, checked when the server starts."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from bohn.notation.beans import parse_beans
from bohn.notation.records import Entry, entry_of
from bohn.rules.beans import Bean, coins_for
from bohn.rules.commands import SetWish
from bohn.rules.deal import opening
from bohn.rules.decide import decide
from bohn.rules.evolve import fold
from bohn.rules.resolve import resolve
from bohn.rules.ruleset import Rules
from bohn.rules.shuffle import seed_from
from bohn.rules.state import State, TradePhase
from bohn.server.lessons.story import Scripted, Story, Taste

SUFFIX = ".toml"


class _Wish(Struct, frozen=True, forbid_unknown_fields=True):
    by: int
    want: str


class _Offer(Struct, frozen=True, forbid_unknown_fields=True):
    turn: int
    by: int
    to: tuple[int, ...]
    give: str
    want: str


class _Taste(Struct, frozen=True, forbid_unknown_fields=True):
    by: int
    take: str
    give: str


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    edition: str
    players: int
    house_rules: tuple[str, ...]
    seed: int
    seat: int
    names: tuple[str, ...]
    turns: int
    answer: int
    harvest: int
    wish: tuple[_Wish, ...] = ()
    offer: tuple[_Offer, ...] = ()
    taste: tuple[_Taste, ...] = ()


class Lesson(Struct, frozen=True):
    """A game that teaches: the learner has ``seat``, bots of these ``names`` the others.

    ``entries`` are how it begins: the deal, and the wishes that stand from the beginning.
    """

    name: str
    rules: Rules
    seat: int
    names: tuple[str, ...]
    entries: tuple[Entry, ...]
    story: Story

    def patience(self, state: State, seat: int, people: frozenset[int]) -> int:
        """Return how long (ms) a bot keeps its trading open for the people at the table; 0 if it need not."""
        phase = state.phase
        if state.turn > self.story.turns or not isinstance(phase, TradePhase):
            return 0
        asked = (set(offer.to) - set(offer.declined) for offer in phase.offers if offer.maker == seat)
        if any(unanswered & people for unanswered in asked):
            return self.story.answer
        full = any(
            _cannot_earn_more(self.rules, field) for one in people for field in state.players[one].fields
        )
        return self.story.harvest if full else 0


def _cannot_earn_more(rules: Rules, field: tuple[Bean, ...]) -> bool:
    """Tell whether a field earns all it can ever earn."""
    meter = rules.beanometers[field[-1]] if field else ()
    return bool(meter) and coins_for(meter, len(field)) == meter[-1][1]


def load() -> dict[str, Lesson]:
    """Return every lesson there is, by name."""
    texts = (
        one.read_text(encoding="utf-8") for one in files(__package__).iterdir() if one.name.endswith(SUFFIX)
    )
    lessons = (read_lesson(text) for text in texts)
    return {lesson.name: lesson for lesson in sorted(lessons, key=lambda lesson: lesson.name)}


def read_lesson(text: str) -> Lesson:
    """Return the lesson a file holds. Raises what msgspec, the notation or the rules say is wrong with it."""
    file = msgspec.convert(tomllib.loads(text), _File)
    rules = resolve(file.edition, file.players, *file.house_rules)
    story = Story(
        file.turns,
        tuple(Scripted(o.turn, o.by, o.to, parse_beans(o.give), parse_beans(o.want)) for o in file.offer),
        tuple(Taste(t.by, parse_beans(t.take), parse_beans(t.give)) for t in file.taste),
        file.answer * 1000,
        file.harvest * 1000,
    )
    return Lesson(file.name, rules, file.seat, file.names, _beginning(rules, file), story)


def _beginning(rules: Rules, file: _File) -> tuple[Entry, ...]:
    events: Any = opening(rules, seed_from(file.seed))
    state = fold(events)
    entries = [entry_of(0, "host", None, events, state)]
    for wish in file.wish:
        for bean in parse_beans(wish.want):
            command = SetWish(wish.by, bean, "want")
            events = decide(rules, state, command)
            state = fold(events, state)
            entries.append(entry_of(len(entries), "bot", command, events, state))
    return tuple(entries)
