"""`bohn play`: a game in the terminal, against computer players or with friends at one keyboard."""

from __future__ import annotations

import argparse
import os
import secrets
from functools import partial
from pathlib import Path

from rich.console import Console

import bohn
from bohn.bots import PLAYERS, digests_of, level_of
from bohn.bots.reasons import reason_of
from bohn.bots.voices import Voices
from bohn.cli.console import output
from bohn.cli.dialogue import Quit, converse
from bohn.cli.ending import ending
from bohn.cli.errors import UsageError
from bohn.cli.keyboard import keyboard
from bohn.cli.keyboard_player import KeyboardPlayer
from bohn.cli.saving import RecordFile, RecordInUse, new_default, newest
from bohn.cli.seats import Seat, default_seats, parse_seats, read_seats, usual_players
from bohn.cli.shared_terminal import SharedTerminal
from bohn.i18n import Catalog
from bohn.lab.compile_cache import INTERPRET, is_cache_complete
from bohn.narration.words import Words
from bohn.notation.records import Entry, Header, Record, entry_of, header_of
from bohn.notation.tally import Tally
from bohn.play.floor import BRISK, FLOOR_SETTINGS, FloorGame, FloorSetting
from bohn.play.seat import Bot
from bohn.rules.commands import Command
from bohn.rules.deal import opening
from bohn.rules.editions import DEFAULT_EDITION, EDITIONS
from bohn.rules.events import Event
from bohn.rules.evolve import fold
from bohn.rules.resolve import resolve
from bohn.rules.ruleset import Rules
from bohn.rules.shuffle import seed_from
from bohn.rules.state import EndPhase, State

NEWEST = "newest"


def add_arguments(parser: argparse.ArgumentParser, catalog: Catalog) -> None:
    """Declare what `bohn play` understands."""
    say = catalog.text
    parser.add_argument(
        "--edition", default=DEFAULT_EDITION, help=say("arg.edition", known=", ".join(EDITIONS))
    )
    parser.add_argument("--players", type=int, metavar="N", help=say("arg.players"))
    parser.add_argument("--seats", metavar="LIST", help=say("arg.seats"))
    parser.add_argument("--seed", help=say("arg.seed"))
    parser.add_argument("--house", action="append", default=[], metavar="KEY=VALUE", help=say("arg.house"))
    parser.add_argument("--floor", choices=list(FLOOR_SETTINGS), default=BRISK.name, help=say("arg.floor"))
    parser.add_argument("--record", type=Path, metavar="FILE", help=say("arg.record"))
    parser.add_argument("--resume", nargs="?", const=NEWEST, metavar="FILE", help=say("arg.resume"))
    parser.add_argument("--no-color", action="store_true", help=say("arg.no-color"))


def run(options: argparse.Namespace, catalog: Catalog) -> int:
    """Deal a game, or go on with one, and play it to the end or until somebody leaves."""
    if not is_cache_complete():  # nobody at a terminal waits for a compiler
        os.environ.setdefault(INTERPRET, "1")
    console = output(no_color=True if options.no_color else None, highlight=False)
    try:
        game = _resumed(options, catalog) if options.resume else _dealt(options, catalog)
    except RecordInUse as refused:
        raise UsageError(catalog.text("play.in-use", file=str(refused.path))) from None
    playing = TerminalGame(console, catalog, game, FLOOR_SETTINGS[options.floor])
    try:
        return playing.run()
    finally:
        game.save.close()


class SavedGame:
    """A game with its record: rules, seats, position, and what was already played."""

    def __init__(
        self,
        rules: Rules,
        seats: tuple[Seat, ...],
        state: State,
        save: RecordFile,
        entries: tuple[Entry, ...],
    ) -> None:
        self.rules = rules
        self.seats = seats
        self.state = state
        self.save = save
        self.entries = entries


def _dealt(options: argparse.Namespace, catalog: Catalog) -> SavedGame:
    """Return a new game that has just been dealt and saved."""
    seats = _seats(options, catalog.text("words.your-name"))
    rules = resolve(options.edition, len(seats), *options.house)
    seed = seed_from(_seed(options.seed))
    header = header_of(
        rules,
        [seat.written() for seat in seats],
        seed,
        f"bohn {bohn.__version__}",
        bots=digests_of(seat.bot for seat in seats if seat.bot is not None),
    )
    save = RecordFile.new(options.record, header) if options.record else new_default(header)
    return _opened(header, seats, save)


def _opened(header: Header, seats: tuple[Seat, ...], save: RecordFile) -> SavedGame:
    events = opening(header.rules, bytes.fromhex(header.seed))
    state = fold(events)
    entry = entry_of(0, "host", None, events, state)
    save.append(entry)
    return SavedGame(header.rules, seats, state, save, (entry,))


def _seats(options: argparse.Namespace, you: str) -> tuple[Seat, ...]:
    """Return the seats that were asked for."""
    if options.seats is None:
        players = options.players if options.players is not None else usual_players(options.edition)
        resolve(options.edition, players)  # says which numbers there are
        return default_seats(players, you)
    seats = parse_seats(options.seats, you)
    if options.players not in (None, len(seats)):
        msg = f"--players says {options.players}, --seats names {len(seats)}; expected the same number"
        raise UsageError(msg)
    return seats


def _seed(text: str | None) -> bytes | str | int:
    """Return what the deal comes from; chance if nothing is named."""
    if text is None:
        return secrets.token_bytes(32)
    try:
        text.encode()
    except UnicodeEncodeError:
        msg = "--seed: expected a number or a text, not bytes that are no UTF-8"
        raise UsageError(msg) from None
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 20 else text


def _resumed(options: argparse.Namespace, catalog: Catalog) -> SavedGame:
    """Return a game as its record left it, even one that was cut in the middle of a line."""
    if options.record:
        msg = "--resume goes on in its own file; leave --record out"
        raise UsageError(msg)
    path = newest() if options.resume == NEWEST else Path(options.resume)
    save = RecordFile.opened(path)
    try:
        record, state, whole = save.read()
        _require_goes_on(path, record, state, catalog)
        save.go_on(whole, len(record.entries))
        seats = read_seats(record.header.seats)
        if state is None:
            return _opened(record.header, seats, save)
    except BaseException:
        save.close()
        raise
    return SavedGame(record.header.rules, seats, state, save, record.entries)


def _require_goes_on(path: Path, record: Record, state: State | None, catalog: Catalog) -> None:
    """Say that a game is finished instead of going on with it."""
    if state is not None and isinstance(state.phase, EndPhase):
        names = [seat.name for seat in read_seats(record.header.seats)]
        words = Words(catalog, record.header.rules, names)
        winners = words.listed([words.name(seat) for seat in state.phase.result.winners])
        raise UsageError(words.say("play.finished", file=str(path), players=winners))


class TerminalGame:
    """A game that is being played at a terminal, and saved command by command."""

    def __init__(self, console: Console, catalog: Catalog, game: SavedGame, setting: FloorSetting) -> None:
        self._game = game
        self._console = console
        names = [seat.name for seat in game.seats]
        words = Words(catalog, game.rules, names)
        self._terminal = SharedTerminal(console, keyboard(), words)
        bots = [self._sit(number, seat) for number, seat in enumerate(game.seats)]
        self._bots = bots
        self._voices = Voices()
        self._tally = Tally(len(names))
        for entry in game.entries:
            self._tally.count(entry.events)
            self._terminal.add_events(entry.events)
        if not self._terminal.people:
            self._terminal.print_events(game.entries[-1].events if len(game.entries) == 1 else ())
        self._floor = FloorGame(game.rules, game.state, bots, setting, self._watch)
        self._terminal.attach(self._floor)

    def _sit(self, number: int, seat: Seat) -> Bot:
        """Return who plays a seat."""
        if seat.bot is None:
            terminal, save_path = self._terminal, str(self._game.save.path)
            person = KeyboardPlayer(seat.name, number, partial(converse, terminal, save_path))
            terminal.add_person(person)
            return person
        return PLAYERS[seat.bot](secrets.randbits(32))

    def _watch(self, before: State, command: Command, events: tuple[Event, ...], after: State) -> None:  # noqa: ARG002 - the floor's signature
        """Record a move, then add it to everybody's log."""
        people = [seat.seat for seat in self._terminal.people]
        person = command.player in people
        save = self._game.save
        save.append(entry_of(save.seq, "player" if person else "bot", command, events, after))
        self._tally.count(events)
        self._terminal.add_events(events)
        if not people:
            self._terminal.print_events(events)
            return
        reason = None if person else reason_of(self._bots[command.player])
        self._terminal.add_sayings(self._voices.sayings(after.turn, command, events, reason, people))

    def run(self) -> int:
        """Play until the end, or until somebody leaves."""
        say = self._terminal.words.say
        self._welcome()
        try:
            self._floor.play()
        except (Quit, KeyboardInterrupt, EOFError):
            path = self._game.save.path
            self._terminal.lines(["", say("play.goodbye", file=str(path)), f"  bohn play --resume {path}"])
            return 0
        self._show_result()
        return 0

    def _playing(self, bot: str) -> str:
        """Return how a computer player plays, in a word; its name where there is none."""
        key = f"bot.{level_of(bot)}"
        return self._terminal.words.say(key) if key in self._terminal.words.catalog else bot

    def _welcome(self) -> None:
        """Say who sits where, and how to find help."""
        words, seats = self._terminal.words, self._game.seats
        said = [f"{seat.name} ({self._playing(seat.bot)})" if seat.bot else seat.name for seat in seats]
        edition = words.say(f"edition.{self._game.rules.edition}")
        self._terminal.line(words.say("play.welcome", edition=edition, players=words.listed(said)), "bold")
        self._terminal.line(words.say("play.help"))
        self._terminal.line(words.say("desk.saved", path=str(self._game.save.path)), "dim")
        self._terminal.line("")
        if self._terminal.keyboard.terminal and self._terminal.people:
            self._terminal.pause()

    def _show_result(self) -> None:
        phase = self._floor.state.phase
        people = self._terminal.people
        words = self._terminal.words.seen_by(people[0].seat if len(people) == 1 else None)
        if len(people) == 1:
            self._terminal.lines(self._terminal.take_news(people[0].seat)[-12:])
        if isinstance(phase, EndPhase):
            self._console.print(ending(words, phase.result, self._tally), highlight=False)
        self._terminal.lines(["", words.say("desk.saved", path=str(self._game.save.path))])
