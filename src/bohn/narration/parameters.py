"""The kinds of parameters that a sentence may have, and where in an event each finds its value.

A place names a field of an event, a dot leads into it: ``offer.maker``. A plus puts the cards of two places
together: ``offer.hand+offer.face_up``. Nothing here reads an event; that is what the interpreters do.
"""

from __future__ import annotations

from msgspec import Struct

Place = str
"""The place of a value in an event."""


class Parameter(Struct, frozen=True, array_like=True):
    """The base of all kinds of parameters."""


# who


class IsYou(Parameter, frozen=True, tag="is-you"):
    """``yes`` if the seat is the viewer's, else ``no``: by this a sentence chooses its verb."""

    seat: Place


class Name(Parameter, frozen=True, tag="name"):
    """What everybody calls a seat, its owner too."""

    seat: Place


class Called(Parameter, frozen=True, tag="called"):
    """What the viewer calls a seat: "you" or its name."""

    seat: Place


class Seats(Parameter, frozen=True, tag="seats"):
    """Seats as a list."""

    seats: Place


class Group(Parameter, frozen=True, tag="group"):
    """Seats as a list, or "everybody" for all but one."""

    seats: Place


class IsUser(Parameter, frozen=True, tag="is-user"):
    """``yes`` if the user is the one who reads, else ``no``."""

    user: Place


class UserName(Parameter, frozen=True, tag="user-name"):
    """What a user is called."""

    user: Place


# beans and cards


class BeanKind(Parameter, frozen=True, tag="bean"):
    """The name of a kind."""

    bean: Place


class Beans(Parameter, frozen=True, tag="beans"):
    """Beans counted by kind: "2 soy beans and 1 red bean"."""

    cards: Place


class Some(Parameter, frozen=True, tag="some"):
    """A number of beans of one kind, one bean if the number is not there."""

    bean: Place
    count: Place


class DealKind(Parameter, frozen=True, tag="deal-kind"):
    """``trade``, ``gift`` where nothing is wanted, ``ask`` where nothing is given."""

    gives: Place
    wants: Place


class BonusCard(Parameter, frozen=True, tag="bonus"):
    """A bonus card with its pattern and worth."""

    card: Place


# numbers and words


class Number(Parameter, frozen=True, tag="number"):
    """A number as it is."""

    number: Place


class Length(Parameter, frozen=True, tag="length"):
    """How many there are of something."""

    items: Place


class Price(Parameter, frozen=True, tag="price"):
    """How many coins are paid: cards, and a number of coins of a head start, if it is there."""

    coins: Place
    tokens: Place


class FieldNumber(Parameter, frozen=True, tag="field"):
    """The number of a field, counted from 0 in the terminal and from 1 on the page."""

    field: Place


class Word(Parameter, frozen=True, tag="word"):
    """A word of the protocol that a pattern chooses by; ``-`` becomes ``_``."""

    word: Place


class Flag(Parameter, frozen=True, tag="flag"):
    """``yes`` or ``no``."""

    flag: Place


class First(Parameter, frozen=True, tag="first"):
    """The place that holds something, by its name: the one, else the other, else ``nothing``."""

    one: Place
    other: Place


AnyParameter = (
    IsYou | Name | Called | Seats | Group | IsUser | UserName | BeanKind | Beans | Some | DealKind | BonusCard
    | Number | Length | Price | FieldNumber | Word | Flag | First
)  # fmt: skip
"""Every kind of parameter, as one tagged union."""

Parameters = dict[str, AnyParameter]
"""The parameters of a sentence by the names that patterns know them by; no name has an underscore.

Behind an underscore a pattern names a form: ``{bean_acc}``, ``{to_dat}``, ``{to_is}`` (docs/narration.md).
"""


class Side(Struct, frozen=True):
    """One side of an exchange: the places of its seat and of the cards that it gave."""

    seat: Place
    gave: Place


class SentenceEntry(Struct, frozen=True, omit_defaults=True):
    """The sentence of one kind of event: the text ``event.<tag>`` with these parameters.

    With ``sides`` an exchange is described from the viewer's side, else from that of a seat that gave
    something; its values are at ``giver``, ``taker``, ``gives`` and ``takes``. If there is nothing at the
    place that it ``needs``, there is no sentence.
    """

    params: Parameters = {}
    sides: tuple[Side, Side] | None = None
    needs: Place | None = None
