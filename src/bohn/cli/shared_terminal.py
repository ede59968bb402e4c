"""The screen and keyboard that several people share: shows the table, and what is new to each of them."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, RenderableType
from rich.markup import escape
from rich.table import Table as Grid
from rich.text import Text

from bohn.bots.voices import Saying
from bohn.cli.board import board
from bohn.cli.keyboard import Keyboard
from bohn.cli.keyboard_player import KeyboardPlayer
from bohn.narration.sentences import remark_line, sentence
from bohn.narration.words import Words
from bohn.play.floor import FloorGame
from bohn.rules.events import Event, TurnBegan
from bohn.rules.state import State
from bohn.views import View, visible
from bohn.views.visible import OfferShown, Shown

FORGET_SCROLLBACK = "\x1b[3J"
"""Deletes the lines that have scrolled off the screen, which could show a hand too."""

LogEntry = Shown | Saying
"""An entry of a person's log: an event as he may see it, or what a computer player said."""

LOG_LINES = 200
"""Entries stored in the log of each person."""


class SharedTerminal:
    """Shows the game to the people at one keyboard, and hides each one's hand from the others."""

    def __init__(self, console: Console, keyboard: Keyboard, words: Words) -> None:
        self.console = console
        self.keyboard = keyboard
        self.words = words
        self.table: FloorGame | None = None
        self.save_path = ""
        self.people: list[KeyboardPlayer] = []
        self._at: int | None = None
        self._log: dict[int | None, list[LogEntry]] = {}
        self._shown_count: dict[int | None, int] = {}

    def seat(self, person: KeyboardPlayer) -> None:
        """Add a person to this terminal."""
        self.people.append(person)
        self._log[person.seat] = []

    @property
    def state(self) -> State:
        """The position on the table."""
        return self.floor.state

    @property
    def floor(self) -> FloorGame:
        """The table that asks the seats of this terminal."""
        assert self.table is not None  # noqa: S101 - set before the first question
        return self.table

    # what happens

    def note(self, events: Iterable[Event]) -> None:
        """Add to everybody's log the events that he may see."""
        for event in events:
            for seat, log in self._log.items():
                shown = visible(event, seat)
                if shown is not None:
                    log.append(shown)

    def hear(self, sayings: Iterable[Saying]) -> None:
        """Add to everybody's log what computer players said to him."""
        for saying in sayings:
            for seat, log in self._log.items():
                if saying.to in (None, seat):
                    log.append(saying)

    def log(self, seat: int | None, last: int) -> list[str]:
        """Return the last sentences of what a seat has seen."""
        words = self.words.seen_by(seat)
        return [in_words(words, entry) for entry in self._log.get(seat, [])[-last:]]

    def news(self, seat: int | None) -> list[str]:
        """Return the sentences a seat has not been shown yet."""
        log = self._log.get(seat, [])
        fresh = log[self._shown_count.get(seat, 0) :]
        self._log[seat] = log[-LOG_LINES:]
        self._shown_count[seat] = len(self._log[seat])
        words = self.words.seen_by(seat)
        return [in_words(words, entry) for entry in without_old_offers(fresh)]

    def watch(self, events: Iterable[Event]) -> None:
        """Print events as a spectator may see them."""
        shown = [visible(event, None) for event in events]
        self.lines(sentence(self.words, event) for event in shown if event is not None)

    # asking

    def turn_to(self, person: KeyboardPlayer) -> None:
        """Ask this person from now on; with several at the keyboard, hide what the one before saw."""
        if len(self.people) > 1 and self._at != person.seat:
            self._hand_over(person)
        self._at = person.seat

    def pause(self) -> None:
        """Wait for Enter."""
        self.keyboard.read(self.words.say("desk.press-enter") + " ", lambda _: ())

    def _hand_over(self, person: KeyboardPlayer) -> None:
        """Clear the screen between two people, so that neither sees the other's hand."""
        self.clear(always=True)
        if self.console.is_terminal:
            self.console.file.write(FORGET_SCROLLBACK)
        self.line(self.words.say("desk.pass-keyboard", player=person.name), "bold")
        self.pause()
        self.clear(always=True)

    # showing

    def clear(self, *, always: bool = False) -> None:
        """Clear a terminal's screen; elsewhere leave a gap if it must look cleared."""
        if self.console.is_terminal:
            self.console.clear()
        elif always:
            self.console.print("\n" * 3)

    def line(self, text: str, style: str = "") -> None:
        """Write one line of words, none of which is markup."""
        self.console.print(escape(text), style=style, highlight=False)

    def lines(self, texts: Iterable[str], style: str = "") -> None:
        """Write lines of words."""
        for text in texts:
            self.line(text, style)

    def show(self, seat: int, view: View, below: RenderableType | None = None) -> None:
        """Show the news, the table and what comes below it, as much news as fits."""
        words = self.words.seen_by(seat)
        picture = board(words, view)
        news = self.news(seat)
        room = self._room(picture, below) if self.console.is_terminal else len(news)
        self.clear()
        if len(news) > room:
            self.line(words.say("desk.more-news", count=len(news) - room + 1), "dim")
            news = news[len(news) - room + 1 :]
        self.lines(news, "italic")
        if news:
            self.line("")
        self.console.print(picture, highlight=False)
        if below is not None:
            self.console.print(below, highlight=False)

    def _room(self, picture: RenderableType, below: RenderableType | None) -> int:
        """Return how many lines of news fit above the table."""
        used = self._height(picture) + (self._height(below) if below is not None else 0)
        return max(4, self.console.height - used - 4)

    def _height(self, picture: RenderableType) -> int:
        return len(self.console.render_lines(picture, pad=False))

    def numbered(self, texts: list[str], first: int = 1) -> RenderableType:
        """Return texts with numbers before them, in two columns where they fit."""
        cells = [
            Text(f"{first + index:>2} ", "bold cyan").append(text, "not bold default")
            for index, text in enumerate(texts)
        ]
        half = (len(cells) + 1) // 2
        widest = max((cell.cell_len for cell in cells), default=0)
        grid = Grid.grid(padding=(0, 3, 0, 0))
        if widest * 2 + 4 > self.console.width or len(cells) < 4:
            half = len(cells)
        for row in range(half):
            grid.add_row(*(cells[place] for place in (row, row + half) if place < len(cells)))
        return grid


def in_words(words: Words, entry: LogEntry) -> str:
    """Return what happened, or was said, in words."""
    return remark_line(words, entry) if isinstance(entry, Saying) else sentence(words, entry)


def without_old_offers(events: list[LogEntry]) -> list[LogEntry]:
    """Return the events without offers that were changed again later in the same turn."""
    remaining: list[LogEntry] = []
    changed: set[int] = set()
    for event in reversed(events):
        if isinstance(event, TurnBegan):
            changed.clear()
        if isinstance(event, Saying) and event.offer in changed:
            continue
        if isinstance(event, OfferShown):
            if event.offer.id in changed:
                continue
            changed.add(event.offer.id)
        remaining.append(event)
    return remaining[::-1]
