"""Turns events into sentences: fills the texts of a catalog as the table says, for one viewer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized
from typing import Any

from bohn.bots.reasons import Reason
from bohn.bots.voices import Saying
from bohn.i18n import Param
from bohn.narration import parameters as p
from bohn.narration.table import GAME, REMARK, TABLE
from bohn.narration.words import ARE, Words
from bohn.protocol.room_events import AnyRoomEvent
from bohn.rules.beans import Bean
from bohn.rules.decide import tag
from bohn.views.visible import Shown


def narrate(words: Words, event: Shown | AnyRoomEvent) -> str | None:
    """Return a sentence that says what happened, ``None`` for an event that has none."""
    entry = TABLE[type(event)]
    if entry is None or (entry.needs is not None and _at(event, entry.needs) is None):
        return None
    return _text(words, entry, event)


def sentence(words: Words, event: Shown) -> str:
    """Return a sentence that says what happened in the game: every event of the game has one."""
    return _text(words, GAME[type(event)], event)


def remark_line(words: Words, saying: Saying) -> str:
    """Return what a computer player says, after its name."""
    return words.say("read.says", name=words.name(saying.seat), text=remark(words, saying.reason))


def remark(words: Words, reason: Reason) -> str:
    """Return the words of what a computer player says."""
    return words.say(reason.key, **filled(words, reason.key, REMARK, reason.params))


def _text(words: Words, entry: p.SentenceEntry, event: Shown | AnyRoomEvent) -> str:
    key = f"event.{tag(type(event))}"
    values = event if entry.sides is None else _sides(words, entry.sides, event)
    return words.say(key, **filled(words, key, entry.params, values))


def filled(words: Words, key: str, params: p.Parameters, values: Any) -> dict[str, Param]:
    """Return the parameters that the text of a key names, each in the grammatical form that it names."""
    found = {}
    for name in words.catalog.names(key):
        plain, _, form = name.partition("_")
        if plain in params:
            found[name] = _written(words, params[plain], values, form)
    return found


def _sides(words: Words, sides: tuple[p.Side, p.Side], event: Any) -> dict[str, Any]:
    """Return an exchange from the viewer's side, else from that of whoever gave something."""
    (giver, gives), (taker, takes) = ((_at(event, side.seat), _cards(event, side.gave)) for side in sides)
    if takes and (not gives or taker == words.viewer):
        giver, gives, taker, takes = taker, takes, giver, gives
    return {"giver": giver, "gives": gives, "taker": taker, "takes": takes}


def _at(values: Any, place: p.Place) -> Any:
    """Return the value at a place, ``None`` where nothing is there."""
    for name in place.split("."):
        values = values.get(name) if isinstance(values, Mapping) else getattr(values, name)
    return values


def _cards(values: Any, places: p.Place) -> tuple[Any, ...]:
    return tuple(card for place in places.split("+") for card in _at(values, place))


def kinds_of(cards: Iterable[Any]) -> tuple[Bean, ...]:
    """Return the kinds of copies, or of beans."""
    return tuple(card if isinstance(card, Bean) else card.bean for card in cards)


def deal_kind(gives: Sized, wants: Sized) -> str:
    """Return what kind of deal it is: a trade, a gift or an ask."""
    return "trade" if gives and wants else "gift" if gives else "ask"


def _written(words: Words, param: p.AnyParameter, values: Any, form: str) -> Param:  # noqa: C901, PLR0912 - a case a kind
    """Return a parameter as a text takes it, in a form."""
    match param:
        case p.IsYou(seat):
            return words.is_you(_at(values, seat))
        case p.Name(seat):
            who = _at(values, seat)
            return words.are((who,)) if form == ARE else words.name(who)
        case p.Called(seat):
            return words.seat(_at(values, seat), form)
        case p.Seats(seats):
            return words.seats(_at(values, seats), form)
        case p.Group(seats):
            return words.group(_at(values, seats), form)
        case p.IsUser(user):
            return words.is_user(_at(values, user))
        case p.UserName(user):
            return words.user_name(_at(values, user))
        case p.BeanKind(bean):
            return words.bean(Bean(_at(values, bean)), form)
        case p.Beans(cards):
            return words.beans(kinds_of(_cards(values, cards)), form)
        case p.Some(bean, count):
            return words.some(Bean(_at(values, bean)), _at(values, count) or 1, form)
        case p.DealKind(gives, wants):
            return deal_kind(_cards(values, gives), _cards(values, wants))
        case p.BonusCard(card):
            return words.bonus(_at(values, card), form)
        case p.Number(number):
            return int(_at(values, number))
        case p.Length(items):
            return len(_cards(values, items))
        case p.Price(coins, tokens):
            return len(_cards(values, coins)) + (_at(values, tokens) or 0)
        case p.FieldNumber(field):
            return words.field(_at(values, field))
        case p.Word(word):
            return str(_at(values, word)).replace("-", "_")
        case p.Flag(flag):
            return "yes" if _at(values, flag) else "no"
        case p.First(one, other):
            return next((place for place in (one, other) if _at(values, place)), "nothing")
