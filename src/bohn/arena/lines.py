"""Bots as programs: one JSON object a line goes in, one line comes out (`docs/arena.md`).

A program is asked over its standard input and answers on its standard output, so it can be written in any
language. It runs without a shell, with the rights of whoever started the arena.
"""

from __future__ import annotations

import contextlib
import io
import os
import queue
import shlex
import subprocess
import tempfile
import threading
from typing import IO, Any, NoReturn

import msgspec
from msgspec import Struct

from bohn.arena.family import MARK, end_family, new_mark
from bohn.arena.plan import Limits, Reason
from bohn.play.seat import Choices
from bohn.rules.commands import AnyCommand, Command
from bohn.rules.errors import BohnError
from bohn.rules.ruleset import Rules
from bohn.views.knowledge import Knowledge
from bohn.views.view import View

PROTOCOL = 1
"""The version of the protocol of lines."""

LONGEST = 1 << 20
"""The most bytes of an answer: no command is longer."""

WATCH = 0.2
"""Seconds after which a reader who cannot hand on a line looks whether anybody still wants it."""

LAST_WORDS = 1.0
"""Seconds in which the reader of a program that was ended should have come to the end."""

_SEEN = tuple(name for name in View.__struct_fields__ if name != "rules")
_ANSWER = msgspec.json.Decoder(AnyCommand | None)


class LineError(BohnError):
    """A program broke the protocol; ``reason`` is the one given in the result."""

    def __init__(self, reason: Reason, detail: str) -> None:
        """Keep the reason beside the message."""
        super().__init__(detail)
        self.reason = reason


class ProgramTraits(Struct, frozen=True, forbid_unknown_fields=True):
    """What a program may say at the beginning of a game: whether it is asked in trading, and off its turn."""

    trades: bool = True
    off_turn: bool = False


_TRAITS = msgspec.json.Decoder(ProgramTraits | None)


class Program:
    """A running program of one seat.

    Who else holds the other end of its pipes, such as a process that it has started, is never waited for.
    """

    def __init__(self, command: str, limits: Limits) -> None:
        """Start it.

        Raises :class:`LineError` if there is no such program.
        """
        self._patience = limits.seconds + limits.grace
        self._mark = new_mark()
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by close()
        try:
            self._process = subprocess.Popen(  # noqa: S603 - running what the user names is the purpose
                shlex.split(command),
                bufsize=0,  # so that closing has nothing left to write, for which it would wait
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env={**os.environ, MARK: self._mark},
            )
        except (OSError, ValueError, IndexError) as error:
            self._errors.close()
            raise LineError("crash", f"{command!r} cannot be started: {error}") from error
        self._lines: queue.Queue[bytes] = queue.Queue(maxsize=2)
        self._over = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        """Hand over every line, and an empty one at the end; nobody else closes what is read."""
        pipe = self._process.stdout
        assert isinstance(pipe, io.FileIO)  # noqa: S101 - a pipe without a buffer
        with io.BufferedReader(pipe) as stream, contextlib.suppress(OSError):
            while (line := stream.readline(LONGEST)) and self._hand_over(line):
                pass
        self._hand_over(b"")

    def _hand_over(self, line: bytes) -> bool:
        """Queue a line, and tell whether more are wanted."""
        while not self._over.is_set():
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=WATCH)
                return True
        return False

    def _send(self, line: bytes) -> None:
        """Write a whole line."""
        stream = self._process.stdin
        assert stream is not None  # noqa: S101 - it is a pipe
        rest = memoryview(line)
        while rest:
            rest = rest[stream.write(rest) :]

    def exchange(self, message: object) -> bytes:
        """Send one line and return the answer.

        Raises :class:`LineError` if none comes in time, the program ends, or it has spoken unasked.
        """
        if not self._lines.empty() and self._process.poll() is None:
            raise LineError("illegal", f"said {self._lines.get()[:80]!r} without being asked")
        try:
            self._send(msgspec.json.encode(message) + b"\n")
            line = self._lines.get(timeout=self._patience)
        except queue.Empty:
            raise LineError("hang", f"no answer in {self._patience:g} s") from None
        except OSError:
            self._ended()
        if not line:
            self._ended()
        return line

    def _ended(self) -> NoReturn:
        """Tell how the program ended, and the last line of what it complained about."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self._errors.seek(0)
        last = self._errors.read()[-400:].decode(errors="replace").strip().rpartition("\n")[2]
        raise LineError("crash", f"ended with {self._process.poll()}" + (f": {last}" if last else ""))

    def close(self) -> None:
        """End the program, and what it has started."""
        self._over.set()
        end_family(self._process.pid if self._process.poll() is None else None, self._mark)
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._errors):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self._reader.join(LAST_WORDS)


class LineBot:
    """A seat that asks a program."""

    uses_knowledge = False

    def __init__(self, name: str, program: Program, begin: dict[str, Any]) -> None:
        """Begin a game with it."""
        self.name = name
        self._program = program
        answer = program.exchange({"type": "begin", "protocol": PROTOCOL, **begin})
        manners = _decoded(_TRAITS, answer) or ProgramTraits()
        self.trades = manners.trades
        self.off_turn = manners.off_turn

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - the protocol of bots
        """Ask the program."""
        message = {
            "type": "decide",
            "view": {name: getattr(view, name) for name in _SEEN},
            "legal": choices.legal,
            "offers": choices.offers,
            "tries": choices.tries,
        }
        answer: Command | None = _decoded(_ANSWER, self._program.exchange(message))
        return answer


def _decoded(decoder: msgspec.json.Decoder[Any], line: bytes) -> Any:
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise LineError("illegal", f"answered {line[:80]!r}: {error}") from error


class Programs:
    """The programs of one chunk: one process for each seat and command line, used again from game to game."""

    def __init__(self, limits: Limits) -> None:
        """Start nothing yet."""
        self._limits = limits
        self._running: dict[tuple[str, int], Program] = {}

    def sit(self, name: str, command: str, seat: int, seed: int, rules: Rules, setting: str) -> LineBot:
        """Return the bot of a seat for one game."""
        key = (command, seat)
        if key not in self._running:
            self._running[key] = Program(command, self._limits)
        begin = {
            "seat": seat,
            "players": rules.players,
            "edition": rules.edition,
            "setting": setting,
            "seed": seed,
            "rules": rules,
        }
        return LineBot(name, self._running[key], begin)

    def drop(self, command: str, seat: int) -> None:
        """End a program that broke its contract; the next game begins with a new one."""
        program = self._running.pop((command, seat), None)
        if program is not None:
            program.close()

    def close(self) -> None:
        """End all programs."""
        for command, seat in tuple(self._running):
            self.drop(command, seat)
