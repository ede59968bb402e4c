"""Games in a bundle: records, and what the rules and the views say after every command.

Every edition with every number of players is played by simple players on the floor, and once more at random,
with offers, edits, bluffs, talk and passes of every kind. Most steps are written as digests, one line a step,
so that a difference names game and step; the beginnings of some games are written in full.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

# the bundle
from bench.bundle.probing import drawn, probes, refusal_of
from bench.bundle.writing import Fields, Folder, encoded, short

# the players, and the floor they play on
from bohn.bots import PLAYERS

# text forms
from bohn.notation.commands import format_command
from bohn.notation.events import format_event
from bohn.notation.positions import format_position
from bohn.notation.records import Record, entry_of, format_record, header_of
from bohn.play.floor import BRISK, play_game

# the rules
from bohn.rules import (
    Rules,
    State,
    fold,
    legal_commands,
    may_act,
    offer_space,
    opening,
    resolve,
    seed_from,
)
from bohn.rules.commands import Command
from bohn.rules.decide import decide
from bohn.rules.editions import EDITIONS
from bohn.rules.errors import IllegalCommand
from bohn.rules.events import Event

# whom the game waits for
from bohn.rules.legal import waiting
from bohn.rules.state import TradePhase

# the views
from bohn.views.knowledge import know, learn
from bohn.views.view import view
from bohn.views.visible import visible
from bohn.views.worth import worth

Played = tuple[Command | None, tuple[Event, ...], State]

SIMPLE = ("b3", "random-trader", "pk", "b6", "no-trade", "b3u", "b4", "random")
"""The players: each table takes its own from this row, every table from another place on."""

HOUSE_RULES: tuple[tuple[str, int, tuple[str, ...]], ...] = (
    ("das-duell", 2, ("trading=also", "rest=may_discard", "bluff=continues")),
    ("das-duell", 2, ("trading=also",)),
    ("classic", 5, ("payment=chosen", "closing=unanimous", "end=plant_first")),
    ("full", 4, ("closing=unanimous", "field_price=2", "starter=seat:2")),
    ("full", 3, ("kinds=eight",)),
    ("full", 2, ("starter=left-of:0",)),
)
"""House rules that lead through other phases, as far as the edition knows them."""

RANDOM_STEPS = 160
PROBED_EVERY = 16
FULL_STEPS = 60
IN_FULL = (("full", 3), ("full", 2), ("das-duell", 2), ("classic-ja", 4))
"""Games of which every word is written, up to a step."""


class Game(Struct, frozen=True):
    """One game of the bundle."""

    name: str
    rules: Rules
    played: tuple[Played, ...]
    players: tuple[str, ...]


def tables() -> Iterator[tuple[str, Rules]]:
    """Yield the rules of every table, with a name."""
    for edition, by_players in EDITIONS.items():
        for players in by_players:
            yield f"{edition}-{players}", resolve(edition, players)
    for edition, players, house in HOUSE_RULES:
        yield (
            f"{edition}-{players}-" + "-".join(house).replace("=", ".").replace(":", "."),
            resolve(edition, players, *house),
        )


def on_the_floor(name: str, rules: Rules, shift: int) -> Game:
    """Return a game of simple players."""
    names = tuple(SIMPLE[(seat + shift) % len(SIMPLE)] for seat in range(rules.players))
    bots = [PLAYERS[one](100 * shift + seat) for seat, one in enumerate(names)]
    found = play_game(rules, f"bundle {name}", bots, BRISK, with_moves=True)
    state = fold(found.opening)
    played: list[Played] = [(None, found.opening, state)]
    for move in found.moves:
        state = fold(move.events, state)
        played.append((move.command, move.events, state))
    return Game(f"floor-{name}", rules, tuple(played), names)


def at_random(name: str, rules: Rules, steps: int = RANDOM_STEPS) -> Game:
    """Return the beginning of a game in which everything is tried that can be done."""
    chance = random.Random(f"bundle {name}")
    events = opening(rules, seed_from(f"random {name}"))
    state = fold(events)
    played: list[Played] = [(None, events, state)]
    while len(played) <= steps:
        commands = [
            command for seat in range(rules.players) for command in legal_commands(rules, state, seat)
        ]
        if not commands:
            break
        command = chance.choice([*commands, *drawn(chance, rules, state)])
        try:
            events = decide(rules, state, command)
        except IllegalCommand:
            continue
        state = fold(events, state)
        played.append((command, events, state))
    return Game(f"random-{name}", rules, tuple(played), ("random",) * rules.players)


def record_of(game: Game) -> bytes:
    """Return a game as a record."""
    dealt: Any = game.played[0][1][0]
    header = header_of(
        game.rules, [f"Bot{n}:{one}" for n, one in enumerate(game.players)], dealt.seed, "bohn bundle"
    )
    entries = [
        entry_of(number, "host" if command is None else "player", command, events, state)
        for number, (command, events, state) in enumerate(game.played)
    ]
    return format_record(Record(header, tuple(entries)))


class Witness:
    """Writes down what everybody is sent of a game."""

    def __init__(self, game: Game, full_steps: int = 0) -> None:
        """Begin."""
        self.game = game
        self.full_steps = full_steps
        self.files: dict[str, list[str]] = defaultdict(list)
        self._fields = {"view": Fields(), "offers": Fields(), "knowledge": Fields()}
        self._seats: tuple[int | None, ...] = (*range(game.rules.players), None)
        self._knowledge: dict[int | None, Any] = {}
        self._chance = random.Random(f"probe {game.name}")

    def write(self, folder: Folder) -> None:
        """Write all files of the game."""
        for step in range(len(self.game.played)):
            self._step(step)
        for what, fields in self._fields.items():
            self.files["fields.txt"] += fields.lines(what)
        own = folder.below(self.game.name)
        own.keep("record.bohn", record_of(self.game))
        own.text("end-position.toml", format_position(self.game.rules, self.game.played[-1][2]))
        for name, lines in self.files.items():
            own.lines(name, lines)

    def _write_digest(self, name: str, step: int, seat: int | None, data: bytes) -> None:
        where = f"{step} {'-' if seat is None else seat}"
        self.files[f"{name}.txt"].append(f"{where} {short(data)}")
        if step < self.full_steps:
            self.files[f"{name}-full.txt"].append(f"{where} {data.decode()}")

    def _step(self, step: int) -> None:
        command, events, state = self.game.played[step]
        rules = self.game.rules
        trading, seats = isinstance(state.phase, TradePhase), list(waiting(rules, state))
        self.files["waiting.txt"].append(
            f"{step} {type(state.phase).__name__} acts {sorted(may_act(rules, state))}"
            f" due {[] if trading else seats} waited_for {sorted(seats) if trading else seats}"
        )
        said = "-" if command is None else format_command(command)
        self.files["notation.txt"].append(
            f"{step} {said} | {short(' '.join(map(format_event, events)).encode())}"
        )
        for seat in self._seats:
            self._see(step, seat, events, state)
        for seat in range(rules.players):
            self._write_digest("legal", step, seat, encoded(legal_commands(rules, state, seat)))
            space = encoded(offer_space(rules, state, seat))
            self._write_digest("offers", step, seat, space)
            self._fields["offers"].take(space)
        if step % PROBED_EVERY == 0 or step + 1 == len(self.game.played):
            self._probe(step, state)

    def _see(self, step: int, seat: int | None, events: tuple[Event, ...], state: State) -> None:
        seen = view(self.game.rules, state, seat)
        data = encoded(seen)
        self._write_digest("views", step, seat, data)
        self._fields["view"].take(data)
        self._write_digest("worth", step, seat, encoded(worth(seen)))
        shown = [found for event in events if (found := visible(event, seat)) is not None]
        self._write_digest("events", step, seat, encoded(shown))
        if step == 0:
            self._knowledge[seat] = know(seen)
        for one in shown:
            self._knowledge[seat] = learn(self._knowledge[seat], one)
        known = encoded(self._knowledge[seat])
        self._write_digest("knowledge", step, seat, known)
        self._fields["knowledge"].take(known)

    def _probe(self, step: int, state: State) -> None:
        rules = self.game.rules
        tried = [*probes(rules, state), *drawn(self._chance, rules, state)]
        refused: dict[str, list[Command]] = defaultdict(list)
        for command in tried:
            refused[refusal_of(rules, state, command)].append(command)
        for told, commands in refused.items():
            counted = Counter(type(one).__struct_config__.tag for one in commands)
            named = " ".join(f"{tag}*{number}" for tag, number in counted.items())
            self.files["refusals.txt"].append(f"{step} {told} {named} {short(encoded(commands))}")


def write_games(folder: Folder, only: str | None = None) -> None:
    """Write all games, or those of one table."""
    for shift, (name, rules) in enumerate(tables()):
        if only is not None and name != only:
            continue
        full = FULL_STEPS if (rules.edition, rules.players) in IN_FULL and not rules.house_rules else 0
        for game in (on_the_floor(name, rules, shift), at_random(name, rules)):
            Witness(game, full).write(folder)
