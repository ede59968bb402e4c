"""Commands in text: ``plant 0``, ``offer hand:1 for red to 2``, ``accept 1.1``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, get_args

from msgspec import Struct

from bohn.notation.beans import NONE, format_bean, format_beans, parse_bean, parse_beans
from bohn.notation.errors import NotationError, shorten
from bohn.notation.offers import (
    NOWHERE,
    Cards,
    format_copies,
    format_promise_terms,
    format_seats,
    format_terms,
    hand_copies,
    parse_copies,
    parse_offer_revision,
    parse_promise_terms,
    parse_seats,
)
from bohn.notation.reading import digits, sections
from bohn.rules import commands as c
from bohn.rules.decide import tag
from bohn.rules.errors import IllegalCommand
from bohn.rules.expected import expected_commands
from bohn.rules.giving import front_copies
from bohn.rules.ruleset import Rules
from bohn.rules.state import Copies, Copy, Offer, State, TradePhase
from bohn.rules.trading import copies_for
from bohn.rules.turns import TURNS
from bohn.rules.turns.steps import steps_of

LONGEST_COMMAND = 2_000
"""Characters a command may have; the longest sensible offer has some hundred."""

MARKS: tuple[c.Mark, ...] = get_args(c.Mark)

NUMBERED: dict[str, type[c.Command]] = {
    "plant": c.Plant,
    "reveal": c.Reveal,
    "end": c.EndTrading,
    "pass": c.Pass,
    "harvest": c.Harvest,
    "plant-set-aside": c.PlantSetAside,
    "withdraw": c.WithdrawOffer,
    "plant-leftover": c.PlantLeftover,
    "discard-leftover": c.DiscardLeftover,
    "keep": c.KeepHand,
    "plant-face-up": c.PlantFaceUp,
    "leave": c.LeaveRest,
    "take": c.TakeGift,
    "plant-gift": c.PlantGift,
    "claim-bonus": c.ClaimBonus,
    "discard-bonus": c.DiscardBonus,
    "refill": c.RefillBonus,
    "unpromise": c.WithdrawPromise,
}
"""Commands that are a word and numbers, in the order of the command's fields."""

_WORDS = {kind: word for word, kind in NUMBERED.items()}

COMMAND_WORDS: dict[type[c.Command], str] = {
    **_WORDS,
    c.BuyField: "buy",
    c.MakeOffer: "offer",
    c.EditOffer: "edit",
    c.AcceptOffer: "accept",
    c.Claim: "claim",
    c.Pick: "pick",
    c.DeclineOffer: "decline",
    c.DiscardFromHand: "discard",
    c.NameGift: "name",
    c.SetWish: "wish",
    c.MakePromise: "promise",
}
"""The word with which each command begins."""

_WORDS_BY_TAG = {tag(kind): word for kind, word in COMMAND_WORDS.items()}


class Line(Struct, frozen=True):
    """A command being read: its player, the words after the first, and the position if there is one."""

    player: int
    words: tuple[str, ...]
    where: str
    state: State | None

    @property
    def cards(self) -> Cards:
        """The cards with which short forms are completed."""
        if self.state is None:
            return NOWHERE
        return Cards(tuple(p.hand for p in self.state.players), getattr(self.state.phase, "face_up", ()))

    def error(self, expected: str) -> NotationError:
        """Return an error that says what was expected in this line."""
        msg = f"{self.where}: expected {expected}, not {shorten(' '.join(self.words) or 'nothing')}"
        return NotationError(msg)


def parse_command(
    text: str, player: int, state: State | None = None, rules: Rules | None = None
) -> c.Command:
    """Return the command that a text stands for.

    With a state, short forms are completed: the bean at a place, the current hand revision, and
    the front-most cards for ``accept`` and ``claim`` (face-up ones first). Raises :class:`NotationError`;
    with rules, its message names the commands of their game only.
    """
    words = text.split() if len(text) <= LONGEST_COMMAND else []
    if not words:
        msg = f"command: expected 1 to {LONGEST_COMMAND} characters, not {len(text)}"
        raise NotationError(msg)
    line = Line(player, tuple(words[1:]), words[0], state)
    if words[0] in NUMBERED:
        return _numbered(line, NUMBERED[words[0]])
    if words[0] not in _READERS:
        kinds = COMMAND_WORDS if rules is None else commands_of(rules)
        known = ", ".join(sorted(COMMAND_WORDS[kind] for kind in kinds))
        msg = f"command: expected one of: {known}; not {shorten(words[0])}"
        raise NotationError(msg)
    return _READERS[words[0]](line)


def format_command(command: c.Command) -> str:
    """Return a command in full, so that it can be read without a position; its player is not in the text."""
    kind = type(command)
    if kind in _WORDS:
        return " ".join([_WORDS[kind], *(str(getattr(command, name)) for name in kind.__struct_fields__[1:])])
    return " ".join(_WRITERS[kind](command))


def commands_of(rules: Rules) -> frozenset[type[c.Command]]:
    """Return the commands that the phases of a turn take under these rules."""
    steps = {step.phase for step in steps_of(rules)}
    phases = (phase for phase in TURNS[rules.game] if tag(phase) in steps)
    return frozenset(command for phase in phases for command in expected_commands(rules, phase))


def format_refusal(refusal: IllegalCommand) -> str:
    """Return a refusal as text, with commands in the words of the notation."""
    params = dict(refusal.params)
    if "command" in params:  # then the parameters name commands by their tags, as the protocol does
        params["command"] = _WORDS_BY_TAG[params["command"]]
        params["expected"] = tuple(sorted(_WORDS_BY_TAG[tag] for tag in params["expected"]))
    return str(type(refusal)(refusal.reason, refusal.clause, **params))


# -- reading -----------------------------------------------------------------------------------------


def _numbered(line: Line, kind: type[c.Command]) -> c.Command:
    names = kind.__struct_fields__[1:]
    if len(line.words) != len(names):
        raise line.error(" and ".join(f"a number ({name})" for name in names) or "nothing more")
    return kind(line.player, *(digits(word, line.where) for word in line.words))


def _split_revision(line: Line, words: Sequence[str]) -> tuple[Sequence[str], int | None]:
    """Return the words before a hand revision such as ``@3`` at their end, and the revision or ``None``."""
    if words and words[-1].startswith("@"):
        return words[:-1], digits(words[-1][1:], line.where)
    return words, None


def _revision(line: Line, hand: Copies, said: int | None) -> int:
    """Return the revision of the hand that copies are named for: the one written, or the current one."""
    if said is not None or not hand:
        return said or 0
    if line.state is None or not 0 <= line.player < len(line.state.players):
        raise line.error("the hand revision as in @3, as there is no hand to look it up in")
    return line.state.players[line.player].hand_revision


def _hand(line: Line, words: Sequence[str]) -> tuple[Copies, int]:
    """Return the hand copies that words name, and the revision of the hand they are named for."""
    words, said = _split_revision(line, words)
    hand = hand_copies(words, line.cards, line.player, line.where)
    return hand, _revision(line, hand, said)


def _buy(line: Line) -> c.BuyField:
    if line.words[:1] not in ((), ("with",)):
        raise line.error("nothing, or coins such as 'with red*2 soy'")
    return c.BuyField(line.player, parse_beans(" ".join(line.words[1:]), line.where) if line.words else ())


def _terms(line: Line, words: Sequence[str]) -> dict[str, Any]:
    """Return the parts of an offer."""
    words, said = _split_revision(line, words)
    parts = sections(words, ("for", "to", "open"), line.where)
    if parts.get("open") or "to" not in parts:
        raise line.error("cards, 'for' beans, 'to' seats, and perhaps 'open'")
    hand, face_up = parse_copies(parts[""], line.cards, line.player, line.where)
    return {
        "to": parse_seats(parts["to"], line.where),
        "hand": hand,
        "face_up": face_up,
        "want": parse_beans(" ".join(parts["for"]), line.where) if "for" in parts else (),
        "open": "open" in parts,
        "hand_revision": _revision(line, hand, said),
    }


def _offer(line: Line) -> c.MakeOffer:
    return c.MakeOffer(line.player, **_terms(line, line.words))


def _edit(line: Line) -> c.EditOffer:
    offer, revision = _offer_revision(line)
    return c.EditOffer(line.player, offer, revision, **_terms(line, line.words[1:]))


def _offer_revision(line: Line) -> tuple[int, int]:
    """Return the offer and revision that the first word names."""
    if not line.words:
        raise line.error("an offer with its revision such as 1.1")
    return parse_offer_revision(line.words[0], line.where)


def _standing_offer(line: Line, number: int) -> Offer | None:
    """Return the offer of this number, if the position has it."""
    phase = line.state.phase if line.state is not None else None
    offers = phase.offers if isinstance(phase, TradePhase) else ()
    return next((offer for offer in offers if offer.id == number), None)


def _answer_cards(line: Line) -> Sequence[str] | None:
    """Return the words that name the cards of an answer, or ``None`` if it leaves them out."""
    words = line.words[1:]
    if not words:
        return None
    if words[0] != "with" or len(words) == 1:
        raise line.error("'with' and cards, or 'with -' for none")
    return words[2:] if words[1] == NONE else words[1:]


def _accept(line: Line) -> c.AcceptOffer:
    offer, revision = _offer_revision(line)
    words = _answer_cards(line)
    if words is None:
        hand, face_up = _front_most(line, offer)
        return c.AcceptOffer(line.player, offer, revision, hand, face_up, _current_revision(line, hand))
    words, said = _split_revision(line, words)
    hand, face_up = parse_copies(words, line.cards, line.player, line.where)
    return c.AcceptOffer(line.player, offer, revision, hand, face_up, _revision(line, hand, said))


def _claim(line: Line) -> c.Claim:
    offer, revision = _offer_revision(line)
    words = _answer_cards(line)
    if words is None:
        hand = _front_most_of_hand(line, offer)
        return c.Claim(line.player, offer, revision, hand, _current_revision(line, hand))
    return c.Claim(line.player, offer, revision, *_hand(line, words))


def _state_with_player(line: Line) -> State | None:
    """Return the position if the player has a seat in it; for any other the rules refuse the command."""
    state = line.state
    if state is None:
        raise line.error("'with' and cards, as there is no position to find them in")
    return state if 0 <= line.player < len(state.players) else None


def _front_most(line: Line, number: int) -> tuple[Copies, Copies]:
    """Return the copies that serve an offer, face-up ones first; none if it cannot be served."""
    state, offer = _state_with_player(line), _standing_offer(line, number)
    found = copies_for(state, line.player, offer.want) if state is not None and offer is not None else None
    return found or ((), ())


def _front_most_of_hand(line: Line, number: int) -> Copies:
    state, offer = _state_with_player(line), _standing_offer(line, number)
    if state is None or offer is None:
        return ()
    hand = state.players[line.player].hand
    return tuple(Copy(place, hand[place]) for place in front_copies(hand, offer.want) or ())


def _current_revision(line: Line, hand: Copies) -> int:
    return line.state.players[line.player].hand_revision if hand and line.state is not None else 0


def _pick(line: Line) -> c.Pick:
    offer, revision = _offer_revision(line)
    if len(line.words) != 2:
        raise line.error("an offer and a seat such as '1.1 2'")
    return c.Pick(line.player, offer, revision, digits(line.words[1], line.where))


def _decline(line: Line) -> c.DeclineOffer:
    offer, revision = _offer_revision(line)
    if len(line.words) != 1:
        raise line.error("an offer with its revision such as 1.1")
    return c.DeclineOffer(line.player, offer, revision)


def _discard(line: Line) -> c.DiscardFromHand:
    hand, revision = _hand(line, line.words)
    if len(hand) != 1:
        raise line.error("one hand card such as hand:2")
    return c.DiscardFromHand(line.player, hand[0], revision)


def _name(line: Line) -> c.NameGift:
    if not line.words:
        raise line.error("a bean, and perhaps a hand card")
    hand, revision = _hand(line, line.words[1:])
    return c.NameGift(line.player, parse_bean(line.words[0], line.where), hand, revision)


def _wish(line: Line) -> c.SetWish:
    said: dict[str, c.Mark] = {mark: mark for mark in MARKS}
    if len(line.words) != 2 or line.words[0] not in said:
        raise line.error("want, spare, keep or none, and a bean")
    return c.SetWish(line.player, parse_bean(line.words[1], line.where), said[line.words[0]])


def _promise(line: Line) -> c.MakePromise:
    if not line.words:
        raise line.error("a seat, and what is promised")
    give, get, due = parse_promise_terms(line.words[1:], line.where)
    return c.MakePromise(line.player, digits(line.words[0], line.where), give, get, due)


_READERS: dict[str, Callable[[Line], c.Command]] = {
    "buy": _buy,
    "offer": _offer,
    "edit": _edit,
    "accept": _accept,
    "claim": _claim,
    "pick": _pick,
    "decline": _decline,
    "discard": _discard,
    "name": _name,
    "wish": _wish,
    "promise": _promise,
}


# -- writing -----------------------------------------------------------------------------------------


def _at(hand: Copies, revision: int) -> list[str]:
    """Return the hand revision where it matters or is not the default."""
    return [f"@{revision}"] if hand or revision else []


def _offer_words(command: c.MakeOffer | c.EditOffer) -> list[str]:
    words = format_terms(command.hand, command.face_up, command.want)
    words += ["to", format_seats(command.to)]
    return words + (["open"] if command.open else []) + _at(command.hand, command.hand_revision)


def _answer_words(command: c.AcceptOffer | c.Claim, face_up: Copies) -> list[str]:
    copies = format_copies(command.hand, "hand") + format_copies(face_up, "face")
    start = [f"{command.offer}.{command.revision}", "with"]
    return start + (copies or [NONE]) + _at(command.hand, command.hand_revision)


_WRITERS: dict[type[c.Command], Callable[[Any], list[str]]] = {
    c.BuyField: lambda it: ["buy", "with", format_beans(it.coins)] if it.coins else ["buy"],
    c.MakeOffer: lambda it: ["offer", *_offer_words(it)],
    c.EditOffer: lambda it: ["edit", f"{it.offer}.{it.revision}", *_offer_words(it)],
    c.AcceptOffer: lambda it: ["accept", *_answer_words(it, it.face_up)],
    c.Claim: lambda it: ["claim", *_answer_words(it, ())],
    c.Pick: lambda it: ["pick", f"{it.offer}.{it.revision}", str(it.claimer)],
    c.DeclineOffer: lambda it: ["decline", f"{it.offer}.{it.revision}"],
    c.DiscardFromHand: lambda it: [
        "discard", *format_copies((it.copy,), "hand"), *_at((it.copy,), it.hand_revision)
    ],
    c.NameGift: lambda it: [
        "name", format_bean(it.bean), *format_copies(it.hand, "hand"), *_at(it.hand, it.hand_revision)
    ],
    c.SetWish: lambda it: ["wish", it.mark, format_bean(it.bean)],
    c.MakePromise: lambda it: ["promise", str(it.to), *format_promise_terms(it.give, it.get, it.due)],
}  # fmt: skip
