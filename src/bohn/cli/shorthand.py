"""Expands commands as people type them, with names of seats and beans, into strict notation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bohn.notation.beans import parse_bean
from bohn.notation.errors import NotationError
from bohn.rules.beans import Bean
from bohn.views import View
from bohn.views.view import TradeView

EVERYBODY = ("all", "everybody")
SHORT = {
    word[0]: word
    for word in ("plant", "harvest", "offer", "accept", "decline", "claim", "reveal", "buy", "wish")
}
"""Single letters for the commands of every turn."""

OFFERS = ("offer", "edit")
"""Commands that give beans, before ``for``."""

_NUMBERED = ("accept", "claim", "decline", "pick", "edit")


def expanded(text: str, view: View, names: Sequence[str]) -> str:
    """Return a line in strict notation; parts that are strict already stay."""
    words = text.split()
    if not words:
        return text
    words[0] = SHORT.get(words[0].lower(), words[0].lower())
    if words[0] in _NUMBERED:
        words = _with_revision(words, view)
    if words[0] in OFFERS:
        words = _with_places(_plain_beans(words), view)
        words = _with_seats(words, view, names)
    elif words[0] == "promise" and len(words) > 1:
        words[1] = _seat(words[1], names)
    elif words[0] == "pick" and len(words) > 2:
        words[2] = _seat(words[2], names)
    return " ".join(words)


def lacking(strict: str, view: View) -> tuple[Bean, int] | None:
    """Return the first bean of which an expanded offer gives more than the viewer has, and what he has."""
    words = strict.split()
    if words[:1] not in (["offer"], ["edit"]):
        return None
    start, end = _given(words)
    bean = next((bean for word in words[start:end] for bean in _beans(word)), None)
    return None if bean is None else (bean, sum(cards.count(bean) for _, cards in _cards(view)))


def _seat(word: str, names: Sequence[str]) -> str:
    """Return the number of a seat that is named, or the word itself."""
    lower = [name.lower() for name in names]
    return str(lower.index(word.lower())) if word.lower() in lower else word


def _with_seats(words: list[str], view: View, names: Sequence[str]) -> list[str]:
    """Replace names after ``to`` by seat numbers; without ``to`` the offer goes to everybody allowed."""
    if "to" not in words:
        end = next((i for i, word in enumerate(words) if word == "open" or word.startswith("@")), len(words))
        words = [*words[:end], "to", "all", *words[end:]]
    place = words.index("to") + 1
    if place == len(words):
        return words
    if words[place].lower() in EVERYBODY:
        words[place] = ",".join(map(str, _partners(view)))
    else:
        words[place] = ",".join(_seat(name, names) for name in words[place].split(","))
    return words


def _partners(view: View) -> list[int]:
    """Return the seats with which the viewer may trade."""
    if view.viewer != view.active_player:
        return [view.active_player]
    return [seat for seat in range(len(view.players)) if seat != view.viewer]


def _with_revision(words: list[str], view: View) -> list[str]:
    """Complete the number of an offer; without one, the only offer it can be is meant."""
    offers = view.phase.offers if isinstance(view.phase, TradeView) else ()
    mine = [o for o in offers if (o.maker == view.viewer) == (words[0] in ("pick", "edit"))]
    if len(words) == 1 or words[1] == "with":
        open_to_me = [offer for offer in mine if offer.maker == view.viewer or view.viewer in offer.to]
        if len(open_to_me) == 1:
            words = [words[0], f"{open_to_me[0].id}.{open_to_me[0].revision}", *words[1:]]
        return words
    if words[1].isdecimal():
        revision = next((offer.revision for offer in offers if words[1] == str(offer.id)), 1)
        words[1] = f"{words[1]}.{revision}"
    return words


def _plain_beans(words: list[str]) -> list[str]:
    """Return words with ``2 soy, black-eyed`` as ``soy*2 black_eyed``; what follows ``to`` stays."""
    end = words.index("to") if "to" in words else len(words)
    split = [part for word in words[:end] for part in word.split(",") if part and part != "and"]
    made: list[str] = []
    for word in split:
        beans = _beans(word)
        if beans and made and re.fullmatch(r"[1-9][0-9]?", made[-1], re.ASCII):
            made[-1] = f"{beans[0].name.lower()}*{made[-1]}"
        elif beans:
            made.append(word.lower().replace("-", "_"))
        else:
            made.append(word)
    return made + words[end:]


def _with_places(words: list[str], view: View) -> list[str]:
    """Replace beans by cards: the first face-up one of the viewer's, else the front-most in hand."""
    start, end = _given(words)
    taken: set[str] = set(words[start:end])
    given: list[str] = []
    for word in words[start:end]:
        beans = _beans(word)
        given += [_place(bean, view, taken) for bean in beans] if beans else [word]
    return words[:start] + given + words[end:]


def _given(words: list[str]) -> tuple[int, int]:
    """Return where the words of what is given begin and end."""
    start = 2 if words[0] == "edit" else 1
    ends = (i for i, word in enumerate(words) if i >= start and word in ("for", "to", "open"))
    return start, next(ends, len(words))


def _beans(word: str) -> list[Bean]:
    """Return the beans that a word such as ``soy*2`` means, or none."""
    name, _, count = word.lower().replace("-", "_").partition("*")
    if not re.fullmatch(r"[a-z_]+", name, re.ASCII) or not re.fullmatch(r"[1-9]?[0-9]?", count, re.ASCII):
        return []
    try:
        return [parse_bean(name)] * int(count or 1)
    except NotationError:
        return []


def _place(bean: Bean, view: View, taken: set[str]) -> str:
    """Return the card that a bean stands for."""
    for where, cards in _cards(view):
        for place, held in enumerate(cards):
            name = f"{where}:{place}"
            if held == bean and name not in taken:
                taken.add(name)
                return name
    return bean.name.lower()


def _cards(view: View) -> tuple[tuple[str, tuple[Bean, ...]], ...]:
    """Return what the viewer may give, those that lie face up first."""
    trades = isinstance(view.phase, TradeView) and view.viewer == view.active_player
    lying = tuple(view.phase.face_up) if isinstance(view.phase, TradeView) and trades else ()
    hand = tuple(view.own.hand) if view.own is not None else ()
    return (("face", lying), ("hand", hand))
