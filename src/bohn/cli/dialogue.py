"""Asks one person for a command: reads lines until there is a legal command or a pass."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from functools import partial

from rich.console import Group
from rich.text import Text

from bohn.bots import DEFAULT, PLAYERS
from bohn.cli.board import numbered
from bohn.cli.help import EXTRAS, FORMS, about, overview
from bohn.cli.keyboard_player import KeyboardPlayer
from bohn.cli.refusals import refusal_lines
from bohn.cli.shared_terminal import SharedTerminal
from bohn.cli.shorthand import OFFERS, expanded, lacking
from bohn.cli.suggest import ordered, sensible_offers, suggestion
from bohn.notation.commands import format_command, parse_command
from bohn.notation.errors import NotationError
from bohn.play.seat import Choices
from bohn.rules.beans import BEANS
from bohn.rules.commands import Command, EditOffer, Harvest, MakeOffer, MakePromise, SetWish, WithdrawPromise
from bohn.rules.decide import decide
from bohn.rules.errors import BohnError, IllegalCommand
from bohn.views import Knowledge, View, field_worth, know
from bohn.views import view as view_of
from bohn.views.view import TradeView

SHOWN = 9
"""Suggestions shown at once; `more` shows all."""

TIPS = ("turn", "trade", "surplus", "front", "gift")


class Quit(Exception):  # noqa: N818 - a request, not an error
    """Somebody leaves the game, which is saved already."""


class Dialogue:
    """Reads what a person types; nothing changes until it is a legal command."""

    def __init__(
        self,
        terminal: SharedTerminal,
        save_path: str,
        person: KeyboardPlayer,
        view: View,
        choices: Choices,
        knowledge: Knowledge,
        *,
        must: bool,
    ) -> None:
        self._terminal = terminal
        self._save_path = save_path
        self._person = person
        self._view = view
        self._choices = choices
        self._knowledge = knowledge
        self._must = must
        self._words = terminal.words.seen_by(person.seat)
        self._commands: list[Command] = []
        self._asked_again: Command | None = None
        self._numbers = 0

    def run(self) -> Command | None:
        """Show the table and read until there is a decision; ``None`` passes."""
        self._show()
        while True:
            try:
                text = self._terminal.keyboard.read(f"{self._person.name}> ", self._completions).strip()
            except (EOFError, KeyboardInterrupt):
                raise Quit from None
            if not text:
                if not self._must:
                    return None
                self._say(self._words.say("ask.must"))
                continue
            command = self._line(text)
            if command is not None:
                return command

    # -- showing

    def _show(self, *, everything: bool = False) -> None:
        view = self._view
        self._commands = ordered(view, self._choices.legal)
        self._commands += sensible_offers(view, self._choices.offers)
        shown = self._commands if everything else self._commands[:SHOWN]
        self._numbers = len(shown)
        texts = [suggestion(self._words, view, command) for command in shown]
        below = [Text(), Text(self._invitation(), "bold"), numbered(texts, self._terminal.console.width)]
        if len(shown) < len(self._commands):
            below.append(Text(self._more_line(), "dim"))
        self._terminal.show(self._person.seat, view, Group(*below))
        self._terminal.keyboard.forget()  # a number means what stands beside it now

    def _more_line(self) -> str:
        return self._words.say("ask.more", count=len(self._commands) - self._numbers)

    def _invitation(self) -> str:
        if self._must:
            return self._words.say("ask.move")
        active = self._words.name(self._view.active_player)
        if not isinstance(self._view.phase, TradeView):
            return self._words.say("ask.moment")
        mine = self._words.is_you(self._view.active_player)
        return self._words.say("ask.trade", you=mine, player=active)

    def _say(self, *lines: str) -> None:
        self._terminal.lines(lines)

    # -- reading

    def _line(self, text: str) -> Command | None:
        """Return the command of a line; run anything else, such as `help`, at once."""
        if text.isdecimal() and text.isascii():
            return self._numbered(int(text[:6]))
        word, _, rest = text.partition(" ")
        extra = self._OTHER_COMMANDS.get(word.lower())
        if extra is not None:
            extra(self, rest.strip())
            return None
        return self._typed(text)

    def _numbered(self, number: int) -> Command | None:
        """Return the command that was printed with a number; what was not printed has none."""
        if not 1 <= number <= self._numbers:
            more = [self._more_line()] if self._numbers < len(self._commands) else []
            self._say(self._words.say("ask.number", count=self._numbers), *more)
            return None
        return self._legal(self._commands[number - 1])

    def _read(self, text: str) -> Command | None:
        """Return the command that a text means, or print what was expected."""
        strict = expanded(text, self._view, self._words.names)
        try:
            return parse_command(strict, self._person.seat, self._terminal.state)
        except NotationError as error:
            self._not_understood(strict, error)
            return None

    def _not_understood(self, strict: str, error: NotationError) -> None:
        """Print what was expected: for a known command its form, else the nearest commands."""
        verb = strict.partition(" ")[0]
        if verb in FORMS:
            short = lacking(strict, self._view)
            if short is None:
                self._say(self._words.say("ask.not-understood", problem=str(error)))
            else:
                bean, have = short
                self._say(self._words.say("ask.not-that-many", have=partial(self._words.some, bean, have)))
            self._say(self._words.say("help.form", form=FORMS[verb][0]))
            if verb in OFFERS:
                self._say(self._words.say("help.example"))
            return
        close = get_close_matches(verb, [*FORMS, *EXTRAS], n=3)
        near = self._words.listed(close, "or")
        self._say(self._words.say("ask.no-such-command", word=verb[:20], count=len(close), near=near))

    def _typed(self, text: str) -> Command | None:
        command = self._read(text)
        return None if command is None else self._legal(command)

    def _legal(self, command: Command) -> Command | None:
        """Return the command if it is legal; else print why not."""
        try:
            decide(self._terminal.floor.rules, self._terminal.state, command)
        except IllegalCommand as refusal:
            self._say(*refusal_lines(self._words, refusal))
            return None
        if isinstance(command, MakeOffer | EditOffer) and self._choices.tries <= 0:
            self._say(self._words.say("ask.no-offers-left", setting=self._terminal.floor.setting.name))
            return None
        if isinstance(command, SetWish | MakePromise | WithdrawPromise):
            self._talk(command)
            return None
        if command != self._asked_again and self._brings_nothing(command):
            self._asked_again = command
            self._say(self._words.say("ask.for-nothing"))
            return None
        return command

    def _brings_nothing(self, command: Command) -> bool:
        """Tell whether a command sells a field for no coins, which is asked again: it cannot be undone."""
        if not isinstance(command, Harvest):
            return False
        worth = field_worth(self._view.rules, self._view.players[command.player].fields[command.field])
        return worth is not None and worth.coins == 0

    def _talk(self, command: Command) -> None:
        """Apply a wish or promise at once, and ask again: talk is no decision."""
        self._terminal.floor.apply(command)
        self._view = view_of(self._terminal.floor.rules, self._terminal.state, self._person.seat)
        self._say(*self._terminal.take_news(self._person.seat))

    # -- what may be typed beside commands

    def _help(self, topic: str) -> None:
        self._say(*(about(self._words, topic.lower()) if topic else overview(self._words)))

    def _why(self, text: str) -> None:
        """Explain why a command is refused."""
        if not text:
            self._say(self._words.say("ask.why-what"))
            return
        command = self._read(text)
        if command is None:
            return
        try:
            decide(self._terminal.floor.rules, self._terminal.state, command)
        except IllegalCommand as refusal:
            self._say(*refusal_lines(self._words, refusal))
        else:
            self._say(self._words.say("ask.legal", command=format_command(command)))

    def _hint(self, _: str) -> None:
        """Print what a computer player would do, and a tip from the rule documents."""
        advisor = PLAYERS[DEFAULT](self._view.turn)
        knowledge = self._knowledge if self._knowledge.shown else know(self._view)
        try:
            command = advisor.decide(self._view, self._choices, knowledge)
        except BohnError:
            command = None
        if command is None:
            self._say(self._words.say("hint.pass"))
        else:
            text = suggestion(self._words, self._view, command)
            self._say(self._words.say("hint.do", command=text, notation=format_command(command)))
        tip = TIPS[(self._view.turn + len(self._commands)) % len(TIPS)]
        self._say(self._words.say(f"hint.{tip}"))

    def _look(self, _: str) -> None:
        self._show()

    def _more(self, _: str) -> None:
        self._show(everything=True)

    def _log(self, _: str) -> None:
        self._say(*self._terminal.log(self._person.seat, 40))

    def _undo(self, _: str) -> None:
        self._say(self._words.say("ask.undo"))

    def _save(self, _: str) -> None:
        self._say(self._words.say("desk.saved", path=self._save_path))

    def _ask(self, _: str) -> None:
        """Switch between being asked at every moment and only when something is new."""
        self._person.ask_all = not self._person.ask_all
        self._say(self._words.say("ask.ask", all="yes" if self._person.ask_all else "no"))

    def _quit(self, _: str) -> None:
        raise Quit

    _OTHER_COMMANDS = {  # noqa: RUF012 - a table of methods, filled once
        "?": _help,
        "help": _help,
        "why": _why,
        "hint": _hint,
        "view": _look,
        "more": _more,
        "log": _log,
        "undo": _undo,
        "save": _save,
        "ask": _ask,
        "quit": _quit,
        "exit": _quit,
    }

    def _completions(self, text: str) -> Sequence[str]:
        """Return words that may come next."""
        if " " not in text:
            return [*FORMS, *EXTRAS]
        hand = self._view.own.hand if self._view.own is not None else ()
        face_up = getattr(self._view.phase, "face_up", ())
        offers = self._view.phase.offers if isinstance(self._view.phase, TradeView) else ()
        words = ["for", "to", "open", "with", "all", *self._words.names, *FORMS]
        words += [bean.name.lower() for bean in BEANS]
        words += [f"hand:{place}" for place in range(len(hand))] + [
            f"face:{place}" for place in range(len(face_up))
        ]
        return words + [f"{offer.id}.{offer.revision}" for offer in offers]


def converse(
    terminal: SharedTerminal,
    save_path: str,
    person: KeyboardPlayer,
    view: View,
    choices: Choices,
    knowledge: Knowledge,
    *,
    must: bool,
) -> Command | None:
    """Ask one person at a terminal until there is a decision; ``None`` passes."""
    terminal.turn_to(person)
    return Dialogue(terminal, save_path, person, view, choices, knowledge, must=must).run()
