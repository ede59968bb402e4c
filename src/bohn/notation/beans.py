"""Beans in text: ``soy blue*2 wax``, and ``-`` for none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from bohn.notation.errors import NotationError, shorten
from bohn.rules.beans import BEANS, Bean

NONE = "-"
"""The empty list."""

MOST_BEANS = 500
"""Beans a list may have: no game has more cards, and a longer list is refused before it is built."""

_NAMES = {bean.name.lower(): bean for bean in BEANS}
_SOME = re.compile(r"([a-z_]+)(?:\*([1-9][0-9]{0,2}))?")


def format_bean(bean: Bean) -> str:
    """Return the name of a bean, such as ``black_eyed``."""
    return bean.name.lower()


def parse_bean(text: str, where: str = "bean") -> Bean:
    """Return the bean of a name. Raises :class:`NotationError` and lists the names there are."""
    if text not in _NAMES:
        msg = f"{where}: expected a bean ({', '.join(_NAMES)}), not {shorten(text)}"
        raise NotationError(msg)
    return _NAMES[text]


def format_beans(beans: Sequence[Bean]) -> str:
    """Return a list of beans in their order, neighbours of one kind as ``blue*2``."""
    runs = ((bean, len(tuple(run))) for bean, run in groupby(beans))
    words = [format_bean(bean) + (f"*{count}" if count > 1 else "") for bean, count in runs]
    return " ".join(words) or NONE


def parse_beans(text: str, where: str = "beans") -> tuple[Bean, ...]:
    """Return the beans of a list such as ``soy blue*2 wax``; ``-`` is the empty list."""
    words = text.split()
    if words == [NONE]:
        return ()
    if not words:
        msg = f"{where}: expected beans such as 'soy blue*2', or '{NONE}' for none"
        raise NotationError(msg)
    beans: list[Bean] = []
    for word in words:
        beans += _some(word, where)
        if len(beans) > MOST_BEANS:
            msg = f"{where}: expected at most {MOST_BEANS} beans"
            raise NotationError(msg)
    return tuple(beans)


def _some(word: str, where: str) -> list[Bean]:
    """Return the beans of one word, ``soy`` or ``soy*3``."""
    match = _SOME.fullmatch(word)
    if match is None:
        msg = f"{where}: expected a bean, or some as in 'soy*3', not {shorten(word)}"
        raise NotationError(msg)
    return [parse_bean(match[1], where)] * int(match[2] or 1)
