"""The text forms of cards by place, offers, named gifts, wishes and promises."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import get_args

from msgspec import UNSET, Struct

from bohn.notation.beans import format_bean, format_beans, parse_bean, parse_beans
from bohn.notation.errors import NotationError, shorten
from bohn.notation.reading import digits, sections
from bohn.rules.beans import Bean, Hand
from bohn.rules.state import MARKS, Copies, Copy, Due, Naming, Offer, Promise, StandingClaim, Wishes

DUES: tuple[Due, ...] = get_args(Due)

_COPY = re.compile(r"(hand|face):([0-9]{1,6})(?:=([a-z_]+))?", re.ASCII)


class Cards(Struct, frozen=True):
    """The cards a text may refer to: the hands by seat, and the face-up beans."""

    hands: tuple[Hand, ...] = ()
    face_up: tuple[Bean, ...] = ()


NOWHERE = Cards()
"""The cards of no position: every card must be named in full."""


# -- copies ------------------------------------------------------------------------------------


def format_copies(copies: Copies, source: str) -> list[str]:
    """Return words such as ``hand:1=soy``; the source is ``hand`` or ``face``."""
    return [f"{source}:{copy.place}={format_bean(copy.bean)}" for copy in copies]


def parse_copies(words: Sequence[str], cards: Cards, seat: int, where: str) -> tuple[Copies, Copies]:
    """Return the hand and the face-up copies that words name; a bean left out is looked up."""
    hand = cards.hands[seat] if 0 <= seat < len(cards.hands) else ()
    found: dict[str, list[Copy]] = {"hand": [], "face": []}
    for word in words:
        match = _COPY.fullmatch(word)
        if match is None:
            msg = f"{where}: expected a card such as hand:1=soy or face:0=red, not {shorten(word)}"
            raise NotationError(msg)
        source, place = match[1], int(match[2])
        lying = hand if source == "hand" else cards.face_up
        found[source].append(Copy(place, _bean_at(word, match[3], lying, place, where)))
    return tuple(found["hand"]), tuple(found["face"])


def hand_copies(words: Sequence[str], cards: Cards, seat: int, where: str) -> Copies:
    """Return the copies that words name where only hand cards may be named."""
    hand, face_up = parse_copies(words, cards, seat, where)
    if face_up:
        msg = f"{where}: expected hand cards only, not face:{face_up[0].place}"
        raise NotationError(msg)
    return hand


def _bean_at(word: str, name: str | None, lying: tuple[Bean, ...], place: int, where: str) -> Bean:
    if name is not None:
        return parse_bean(name, where)
    if place >= len(lying):
        msg = f"{where}: there are {len(lying)} cards to find {word} among; expected the bean too: {word}=soy"
        raise NotationError(msg)
    return lying[place]


# -- small parts ----------------------------------------------------------------------------------


def format_seats(seats: Sequence[int]) -> str:
    """Return seats as ``2,3``."""
    return ",".join(map(str, seats))


def parse_seats(words: Sequence[str], where: str) -> tuple[int, ...]:
    """Return the seats of one word such as ``2,3``."""
    if len(words) != 1:
        msg = f"{where}: expected seats such as 2 or 2,3, not {shorten(' '.join(words))}"
        raise NotationError(msg)
    return tuple(digits(seat, where) for seat in words[0].split(","))


def parse_offer_revision(word: str, where: str) -> tuple[int, int]:
    """Return number and revision of an offer, written ``1.2``."""
    offer, dot, revision = word.partition(".")
    if not dot:
        msg = f"{where}: expected an offer with its revision such as 1.1, not {shorten(word)}"
        raise NotationError(msg)
    return digits(offer, where), digits(revision, where)


def _from_to(word: str, where: str) -> tuple[int, tuple[int, ...]]:
    """Return a seat and those it addresses, written ``0>2,3``."""
    maker, arrow, to = word.partition(">")
    if not arrow:
        msg = f"{where}: expected seats such as 0>2, not {shorten(word)}"
        raise NotationError(msg)
    return digits(maker, where), parse_seats([to], where)


def _some_beans(parts: dict[str, list[str]], name: str, where: str) -> tuple[Bean, ...]:
    return parse_beans(" ".join(parts[name]), where) if name in parts else ()


# -- offers ---------------------------------------------------------------------------------------


def format_terms(hand: Copies, face_up: Copies, want: tuple[Bean, ...]) -> list[str]:
    """Return what is given and what is wanted, as words."""
    words = format_copies(hand, "hand") + format_copies(face_up, "face")
    return [*words, "for", format_beans(want)] if want else words


def format_offer(offer: Offer) -> str:
    """Return an offer as ``1.1 0>2,3 hand:1=soy for red open claims 2 hand:0=red declined 3``."""
    words = [f"{offer.id}.{offer.revision}", f"{offer.maker}>{format_seats(offer.to)}"]
    words += format_terms(offer.hand, offer.face_up, offer.want)
    if offer.open:
        words.append("open")
    if offer.claims:
        claims = (" ".join([str(c.player), *format_copies(c.hand, "hand")]) for c in offer.claims)
        words += ["claims", "; ".join(claims)]
    if offer.declined:
        words += ["declined", format_seats(offer.declined)]
    return " ".join(words)


def parse_offer(text: str, cards: Cards, where: str) -> Offer:
    """Return the offer that :func:`format_offer` has written; beans left out are looked up."""
    parts = sections(text.replace(";", " ; ").split(), ("for", "open", "claims", "declined"), where)
    if len(parts[""]) < 2 or parts.get("open"):
        msg = f"{where}: expected an offer such as '1.1 0>2 hand:1=soy for red', not {shorten(text)}"
        raise NotationError(msg)
    number, revision = parse_offer_revision(parts[""][0], where)
    maker, to = _from_to(parts[""][1], where)
    hand, face_up = parse_copies(parts[""][2:], cards, maker, where)
    return Offer(
        number, revision, maker, to, hand, face_up,
        tuple(sorted(_some_beans(parts, "for", where))),
        "open" in parts,
        _claims(parts["claims"], cards, where) if "claims" in parts else (),
        parse_seats(parts["declined"], where) if "declined" in parts else (),
    )  # fmt: skip


def _claims(words: list[str], cards: Cards, where: str) -> tuple[StandingClaim, ...]:
    claims = []
    for claim in " ".join(words).split(";"):
        seat, *copies = claim.split() or [""]
        player = digits(seat, where)
        claims.append(StandingClaim(player, hand_copies(copies, cards, player, where)))
    return tuple(claims)


# -- gifts that were named --------------------------------------------------------------------------


def format_naming(naming: Naming) -> str:
    """Return a kind named as a gift, as ``1 red hand:2=red``."""
    return " ".join([str(naming.player), format_bean(naming.bean), *format_copies(naming.hand, "hand")])


def parse_naming(text: str, cards: Cards, where: str) -> Naming:
    """Return what :func:`format_naming` has written."""
    words = text.split()
    if len(words) < 2:
        msg = f"{where}: expected seat and bean such as '1 red', not {shorten(text)}"
        raise NotationError(msg)
    player = digits(words[0], where)
    return Naming(player, parse_bean(words[1], where), hand_copies(words[2:], cards, player, where))


# -- talk ---------------------------------------------------------------------------------------------


def format_wishes(wishes: Sequence[Wishes]) -> list[str]:
    """Return the wishes of all seats, as ``0 want red garden``."""
    return [
        f"{seat} {mark} {format_beans(beans)}"
        for seat, one in enumerate(wishes)
        for mark in MARKS
        if (beans := getattr(one, mark))
    ]


def parse_wishes(texts: Sequence[str], seats: int, where: str) -> tuple[Wishes, ...]:
    """Return the wishes of all seats that :func:`format_wishes` has written."""
    said: dict[tuple[int, str], tuple[Bean, ...]] = {}
    for i, text in enumerate(texts):
        at = f"{where}[{i}]"
        seat, _, rest = text.strip().partition(" ")
        mark, _, beans = rest.strip().partition(" ")
        key = (digits(seat, at), mark)
        if mark not in MARKS or key[0] >= seats or key in said:
            said_so = "with want, spare or keep, as in '0 want red'"
            msg = f"{at}: expected each seat once {said_so}, not {shorten(text)}"
            raise NotationError(msg)
        said[key] = parse_beans(beans, at)
    return tuple(
        Wishes(said.get((seat, "want"), ()), said.get((seat, "spare"), ()), said.get((seat, "keep")) or UNSET)
        for seat in range(seats)
    )


def format_promise_terms(give: tuple[Bean, ...], get: tuple[Bean, ...], due: Due) -> list[str]:
    """Return what a promise says, as words."""
    words = ["give", format_beans(give)] if give else []
    if get:
        words += ["for", format_beans(get)]
    return [*words, due]


def parse_promise_terms(words: Sequence[str], where: str) -> tuple[tuple[Bean, ...], tuple[Bean, ...], Due]:
    """Return what a promise gives and gets, and when; without a word for it, some time."""
    said: dict[str, Due] = {due: due for due in DUES}
    due: Due = "some-time"
    if words and words[-1] in said:
        due, words = said[words[-1]], words[:-1]
    parts = sections(words, ("give", "for"), where)
    if parts[""]:
        msg = f"{where}: expected give, for or one of {', '.join(DUES)}, not {shorten(parts[''][0])}"
        raise NotationError(msg)
    return _some_beans(parts, "give", where), _some_beans(parts, "for", where), due


def format_promise(promise: Promise) -> str:
    """Return a promise as ``1: 0>2 give red for soy next-turn``."""
    words = [f"{promise.id}:", f"{promise.player}>{promise.to}"]
    return " ".join(words + format_promise_terms(promise.give, promise.get, promise.due))


def parse_promise(text: str, where: str) -> Promise:
    """Return what :func:`format_promise` has written."""
    number, colon, rest = text.partition(":")
    words = rest.split()
    if not colon or not words:
        msg = f"{where}: expected a promise such as '1: 0>2 give red for soy next-turn', not {shorten(text)}"
        raise NotationError(msg)
    player, to = _from_to(words[0], where)
    if len(to) != 1:
        msg = f"{where}: expected a promise to one seat, not {shorten(words[0])}"
        raise NotationError(msg)
    give, get, due = parse_promise_terms(words[1:], where)
    return Promise(digits(number.strip(), where), player, to[0], give, get, due)
