"""The keyboard: lines with completion from a terminal, plain lines from anything else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

LONGEST_LINE = 100_000
"""In characters; what is longer is read in pieces, each of which is no command."""


class Keyboard(Protocol):
    """Where lines come from. Raises ``EOFError`` at the end and ``KeyboardInterrupt`` on Ctrl-C."""

    terminal: bool

    def read(self, prompt: str, completions: Callable[[str], Sequence[str]]) -> str:
        """Return the next line; ``completions`` names words that may follow a text."""
        ...

    def forget(self) -> None:
        """Drop what was typed before it was asked for: it answers what is no longer on the screen."""
        ...


class Pipe:
    """Lines of standard input that is no terminal, for scripts and tests."""

    terminal = False

    def read(self, prompt: str, completions: Callable[[str], Sequence[str]]) -> str:  # noqa: ARG002 - no completion in a pipe
        """Return the next line."""
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline(LONGEST_LINE)
        if not line:
            raise EOFError
        sys.stdout.write("\n")
        return line.rstrip("\r\n")

    def forget(self) -> None:
        """Do nothing: a script writes all its lines beforehand."""


class Terminal:
    """A terminal with completion, and a history for each prompt, so that nobody scrolls through another's."""

    terminal = True

    def __init__(self) -> None:
        self._sessions: dict[str, PromptSession[str]] = {}

    def read(self, prompt: str, completions: Callable[[str], Sequence[str]]) -> str:
        """Return the next line."""
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import CompleteEvent, Completer, Completion
        from prompt_toolkit.document import Document

        class Words(Completer):
            """Completes the last word from what the game knows."""

            def get_completions(
                self,
                document: Document,
                complete_event: CompleteEvent,  # noqa: ARG002 - the signature of prompt_toolkit
            ) -> Iterable[Completion]:
                """Yield what may follow."""
                text = document.text_before_cursor
                last = text.rpartition(" ")[2]
                for word in completions(text):
                    if word.startswith(last):
                        yield Completion(word, start_position=-len(last))

        if prompt not in self._sessions:
            self._sessions[prompt] = PromptSession()
        return self._sessions[prompt].prompt(prompt, completer=Words(), complete_while_typing=False)

    def forget(self) -> None:
        """Drop what the terminal has not handed out yet, and what was read together with the last line."""
        from prompt_toolkit.input.typeahead import clear_typeahead

        for session in self._sessions.values():
            clear_typeahead(session.input)
        if sys.platform == "win32":
            import msvcrt

            while msvcrt.kbhit():
                msvcrt.getwch()
        else:
            import termios

            with suppress(termios.error, OSError, ValueError):  # no terminal any more
                termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


def keyboard() -> Keyboard:
    """Return the keyboard that standard input is."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        return Terminal()
    return Pipe()
