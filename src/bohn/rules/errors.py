"""Refusals as data: a reason code, the clause behind it, and parameters.

The exceptions of the core::

    BohnError
    ├── IllegalCommand     a command that the rules refuse; nothing has changed
    └── UnknownEdition     resolve() was asked for what does not exist
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any


class Reason(StrEnum):
    """Why a command is refused; the code is also the translation key ``reason.<code>``."""

    # any command
    NOT_IN_THIS_PHASE = "not-in-this-phase"
    GAME_OVER = "game-over"
    UNKNOWN_PLAYER = "unknown-player"
    NOT_ACTIVE_PLAYER = "not-active-player"
    NO_SUCH_FIELD = "no-such-field"
    NO_SUCH_PLACE = "no-such-place"
    HAND_CHANGED = "hand-changed"
    SAME_CARD_TWICE = "same-card-twice"
    UNKNOWN_BEAN = "unknown-bean"
    # planting
    HAND_EMPTY = "hand-empty"
    MUST_PLANT_FIRST = "must-plant-first"
    TWO_PLANTED_ALREADY = "two-planted-already"
    DOES_NOT_FIT = "does-not-fit"
    MUST_JOIN = "must-join"
    # harvest and purchase
    FIELD_EMPTY = "field-empty"
    SINGLE_BEAN_PROTECTED = "single-bean-protected"
    OWN_TURN_ONLY = "own-turn-only"
    NO_FIELD_FOR_SALE = "no-field-for-sale"
    FIELD_LIMIT = "field-limit"
    NOT_ENOUGH_COINS = "not-enough-coins"
    WRONG_PAYMENT = "wrong-payment"
    # offers
    NOTHING_FOR_NOTHING = "nothing-for-nothing"
    UNKNOWN_ADDRESSEE = "unknown-addressee"
    ACTIVE_PLAYER_MISSING = "active-player-missing"
    FACE_UP_NOT_YOURS = "face-up-not-yours"
    TOO_MANY_OFFERS = "too-many-offers"
    WANT_TOO_MANY = "want-too-many"
    NO_SUCH_OFFER = "no-such-offer"
    OLD_REVISION = "old-revision"
    NOT_ADDRESSED = "not-addressed"
    NOT_YOUR_OFFER = "not-your-offer"
    OFFER_IS_OPEN = "offer-is-open"
    OFFER_IS_DIRECT = "offer-is-direct"
    WRONG_COPIES = "wrong-copies"
    ALREADY_CLAIMED = "already-claimed"
    NO_SUCH_CLAIM = "no-such-claim"
    ALREADY_DECLINED = "already-declined"
    # closing
    ALREADY_PASSED = "already-passed"
    ACTIVE_PLAYER_CLOSES = "active-player-closes"
    ALL_MUST_PASS = "all-must-pass"  # noqa: S105 - a reason code, not a password
    # bean duel
    DISCARD_BEFORE_PLANTING = "discard-before-planting"
    # das duell
    NOT_YOUR_WORD = "not-your-word"
    KIND_NAMED_ALREADY = "kind-named-already"
    CANNOT_REFUSE_LAST_KIND = "cannot-refuse-last-kind"
    NOTHING_NAMED = "nothing-named"
    NO_GIFT_TO_PLANT = "no-gift-to-plant"
    REST_MUST_BE_PLANTED = "rest-must-be-planted"
    NO_SUCH_BONUS = "no-such-bonus"
    PATTERN_NEVER_STOOD = "pattern-never-stood"
    BONUS_ALREADY_DECIDED = "bonus-already-decided"
    # talk
    WISH_UNCHANGED = "wish-unchanged"
    PROMISE_EMPTY = "promise-empty"
    TOO_MANY_PROMISES = "too-many-promises"
    NO_SUCH_PROMISE = "no-such-promise"


class BohnError(Exception):
    """The base of the library's errors; never raised itself."""


class IllegalCommand(BohnError):  # noqa: N818 - a refusal is no failure of the program
    """A command that the rules refuse; the state is not changed.

    ``reason`` is the code, ``clause`` the rule behind it (``HARVEST-4``), and
    ``params`` name only what the acting player may see.
    """

    def __init__(self, reason: Reason, clause: str, /, **params: Any) -> None:
        """Store reason, clause and parameters as data."""
        self.reason = reason
        self.clause = clause
        self.params: dict[str, Any] = params
        detail = ", ".join(f"{key}={value!r}" for key, value in params.items())
        super().__init__(f"{reason.value} ({clause})" + (f": {detail}" if detail else ""))


class UnknownEdition(BohnError):  # noqa: N818 - reads as a fact beside IllegalCommand
    """An edition, number of players or house rule that does not exist; the message lists what does."""
