"""The screen and keyboard that several people share: shows the table, and what is new to each of them."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, RenderableType
from rich.markup import escape

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

LOG_ENTRIES = 200
"""Entries kept for each person after they have been shown, enough for what `log` prints."""


class SharedTerminal:
    """Shows the game to the people at one keyboard, and hides each one's hand from the others."""

    def __init__(self, console: Console, keyboard: Keyboard, words: Words) -> None:
        self.console = console
        self.keyboard = keyboard
        self.words = words
        self.people: list[KeyboardPlayer] = []
        self._floor: FloorGame | None = None
        self._last_asked: int | None = None
        self._log: dict[int, list[LogEntry]] = {}
        self._shown_count: dict[int, int] = {}

    def add_person(self, person: KeyboardPlayer) -> None:
        """Add a person who plays at this terminal."""
        self.people.append(person)
        self._log[person.seat] = []

    def attach(self, floor: FloorGame) -> None:
        """Say which floor runs the game; it needs its players first, and they this terminal."""
        self._floor = floor

    @property
    def state(self) -> State:
        """The state of the game."""
        return self.floor.state

    @property
    def floor(self) -> FloorGame:
        """The floor that runs this game."""
        assert self._floor is not None  # noqa: S101 - attached before the first question
        return self._floor

    # what happens

    def add_events(self, events: Iterable[Event]) -> None:
        """Add to everybody's log the events that he may see."""
        for event in events:
            for seat, log in self._log.items():
                shown = visible(event, seat)
                if shown is not None:
                    log.append(shown)

    def add_sayings(self, sayings: Iterable[Saying]) -> None:
        """Add to everybody's log what computer players said to him."""
        for saying in sayings:
            for seat, log in self._log.items():
                if saying.to in (None, seat):
                    log.append(saying)

    def log(self, seat: int, last: int) -> list[str]:
        """Return the last sentences of a person's log."""
        words = self.words.seen_by(seat)
        return [in_words(words, entry) for entry in self._log[seat][-last:]]

    def take_news(self, seat: int) -> list[str]:
        """Return what a seat has not been shown yet, and mark it as shown; old entries are dropped."""
        log = self._log[seat]
        fresh = log[self._shown_count.get(seat, 0) :]
        self._log[seat] = log[-LOG_ENTRIES:]
        self._shown_count[seat] = len(self._log[seat])
        words = self.words.seen_by(seat)
        return [in_words(words, entry) for entry in without_old_offers(fresh)]

    def print_events(self, events: Iterable[Event]) -> None:
        """Print events as a spectator may see them."""
        shown = [visible(event, None) for event in events]
        self.lines(sentence(self.words, event) for event in shown if event is not None)

    # asking

    def turn_to(self, person: KeyboardPlayer) -> None:
        """Ask this person from now on; with several at the keyboard, hide what the one before saw."""
        if len(self.people) > 1 and self._last_asked != person.seat:
            self._hand_over(person)
        self._last_asked = person.seat

    def pause(self) -> None:
        """Wait for Enter."""
        self.keyboard.forget()
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
        """Clear the screen; where the output is no terminal, print blank lines if ``always``."""
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
        """Clear the screen; show as much news as fits, then the table, then ``below``."""
        words = self.words.seen_by(seat)
        picture = board(words, view)
        news = self.take_news(seat)
        lines_free = self._lines_free(picture, below) if self.console.is_terminal else len(news)
        self.clear()
        if len(news) > lines_free:
            self.line(words.say("desk.more-news", count=len(news) - lines_free + 1), "dim")
            news = news[len(news) - lines_free + 1 :]
        self.lines(news, "italic")
        if news:
            self.line("")
        self.console.print(picture, highlight=False)
        if below is not None:
            self.console.print(below, highlight=False)

    def _lines_free(self, picture: RenderableType, below: RenderableType | None) -> int:
        """Return how many lines of news fit above the table."""
        used = self._height(picture) + (self._height(below) if below is not None else 0)
        return max(4, self.console.height - used - 4)

    def _height(self, picture: RenderableType) -> int:
        return len(self.console.render_lines(picture, pad=False))


def in_words(words: Words, entry: LogEntry) -> str:
    """Return what happened, or was said, in words."""
    return remark_line(words, entry) if isinstance(entry, Saying) else sentence(words, entry)


def without_old_offers(entries: list[LogEntry]) -> list[LogEntry]:
    """Return the entries without superseded revisions of an offer, and what was said of those."""
    remaining: list[LogEntry] = []
    changed: set[int] = set()
    for entry in reversed(entries):
        if isinstance(entry, TurnBegan):
            changed.clear()
        if isinstance(entry, Saying) and entry.offer in changed:
            continue
        if isinstance(entry, OfferShown):
            if entry.offer.id in changed:
                continue
            changed.add(entry.offer.id)
        remaining.append(entry)
    return remaining[::-1]
