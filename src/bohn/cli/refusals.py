"""Refusals in words: the reason, the clause behind it and its text."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from bohn.i18n import Inflected, Param
from bohn.narration.words import Words
from bohn.rulebook import clauses
from bohn.rules.beans import Bean
from bohn.rules.errors import IllegalCommand, Reason

_SEATS = ("active", "word", "maker")
TALK = ("set-wish", "make-promise", "withdraw-promise")
"""Always possible, so not worth a mention."""

_RULE = re.compile(r"\b([a-z_]+)=([a-z_0-9:]+)")
"""A house rule by its key."""

_LISTS_OF_SEATS = frozenset({Reason.UNKNOWN_ADDRESSEE, Reason.NO_SUCH_CLAIM})


def reason_text(words: Words, refusal: IllegalCommand) -> str:
    """Return why a command is refused, and what would work."""
    return words.say(f"reason.{refusal.reason.value}", **reason_params(words, refusal))


def refusal_lines(words: Words, refusal: IllegalCommand) -> list[str]:
    """Return the reason, and the clause with its short text if it is known."""
    lines = [reason_text(words, refusal)]
    clause = clauses(words.catalog.lang).get(refusal.clause)
    lines.append(f"{refusal.clause}: {in_words(words, clause.text)}" if clause else f"({refusal.clause})")
    return lines


def in_words(words: Words, text: str) -> str:
    """Return the text of a clause with the words of a house rule where it names one by its key."""

    def said(rule: re.Match[str]) -> str:
        policy = f"policy.{rule[1]}.{rule[2]}"
        return words.say("reader.rule", rule=words.say(policy)) if policy in words.catalog else rule[0]

    return _RULE.sub(said, text)


def reason_params(words: Words, refusal: IllegalCommand) -> dict[str, Param | Inflected]:
    """Return the parameters of a refusal as words and numbers."""
    made: dict[str, Param | Inflected] = {}
    for key, value in refusal.params.items():
        made[key] = _WRITERS[key](words, value) if key in _WRITERS else _plain(value)
    expected = refusal.params.get("expected")
    if isinstance(expected, tuple):
        made["expected"] = partial(_expected, words, refusal.reason, expected)
        made["count"] = len(expected)
    return made


def _plain(value: Any) -> Param:
    return value if isinstance(value, int | str) else str(value)


def _expected(words: Words, reason: Reason, expected: tuple[Any, ...], form: str) -> str:
    if reason is Reason.NOT_IN_THIS_PHASE:
        return words.listed([words.say(f"command.{tag}") for tag in expected if tag not in TALK], "or")
    if reason is Reason.KIND_NAMED_ALREADY:
        return words.listed([words.bean(Bean[name.upper()], form) for name in expected], "or")
    if reason in _LISTS_OF_SEATS:
        return words.listed([words.name(seat) for seat in expected], "or")
    return ", ".join(map(str, expected))


def _seat(words: Words, player: int) -> str:
    return words.name(player)


_WRITERS: dict[str, Callable[[Words, Any], Param | Inflected]] = {
    **dict.fromkeys(_SEATS, _seat),
    "bean": lambda words, name: partial(words.bean, Bean[name.upper()]),
    "want": lambda words, names: partial(words.beans, [Bean[name.upper()] for name in names]),
    "to": lambda words, seats: partial(words.seats, seats),
    "phase": lambda words, tag: words.say(f"phase.{tag}"),
    "command": lambda words, tag: words.say(f"command.{tag}"),
}
