"""What computer players do about face-up beans that would cost them a row, before their trading ends."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from bohn.bots import LEVELS, PLAYERS
from bohn.bots.reasons import Reason
from bohn.rules.beans import Bean
from bohn.rules.commands import DeclineOffer, EditOffer, MakeOffer, SetWish
from bohn.rules.state import State
from bohn.server.bots.common_sense import enriches, harmful, is_senseless
from bohn.server.bots.messages import Terms, terms_of
from bohn.server.bots.parting import partings
from bohn.server.bots.worker import BotCache
from bohn.views.view import view
from tests.server.bots.test_common_sense import (
    BLUE,
    CHILI,
    GARDEN,
    GENTLE,
    GREEN,
    RED,
    RULES,
    SOY,
    STINK,
    STRONG,
    WAX,
    Beds,
    accepts,
    after,
    asked,
    given,
    market,
    refuses,
    terms,
)


def offers(state: State) -> list[tuple[int, tuple[Bean, ...], tuple[Bean, ...]]]:
    """Return whom seat 0 would offer its face-up beans, with what it gives and wants."""
    found = partings(view(RULES, state, 0))
    return [(one.to[0], tuple(copy.bean for copy in one.face_up), one.want) for one in found]


def test_bean_that_costs_a_row_goes_to_who_grows_it() -> None:
    """Who grows most of it first, for what the player grows, and at last for nothing."""
    state = market(
        [[BLUE] * 3, [WAX] * 2], [[SOY], [RED]], [[SOY] * 3, [RED]], [[RED], [GREEN]], face_up=[SOY]
    )

    assert offers(state) == [
        (2, (SOY,), (BLUE,)), (2, (SOY,), (WAX,)), (1, (SOY,), (BLUE,)), (1, (SOY,), (WAX,)),
        (2, (SOY,), ()), (1, (SOY,), ()),
    ]  # fmt: skip


def test_nothing_is_parted_with_that_does_no_harm() -> None:
    """A bean stays that joins a row, finds an empty field or takes the place of a row at its top price."""
    assert offers(market([[BLUE] * 3, [WAX] * 2], [[SOY]], face_up=[BLUE])) == []
    assert offers(market([[BLUE] * 3], [[SOY]], face_up=[SOY])) == []
    assert harmful(view(RULES, market([[CHILI] * 3, [WAX] * 11], [[SOY]], face_up=[SOY]), 0)) == []
    assert harmful(view(RULES, market([[CHILI] * 3, [WAX] * 4], [[SOY]], face_up=[SOY]), 0)) == [SOY]


def test_bean_that_brings_somebody_much_is_no_gift() -> None:
    """A third garden bean makes a coin at once: who asks for it pays, and nobody gives it for nothing."""
    state = market(
        [[BLUE] * 3, [WAX] * 2], [[GARDEN] * 2, [STINK]], [[STINK], [RED]], [[STINK], [RED]], face_up=[GARDEN]
    )

    assert enriches(view(RULES, state, 0), 1, [GARDEN])
    assert not enriches(view(RULES, market([], [[GREEN] * 2]), 0), 1, [GREEN])
    assert (1, (GARDEN,), ()) not in offers(state)
    for bot in (GENTLE, STRONG):
        assert refuses(given(state, None, GARDEN), bot) == DeclineOffer(0, 1, 1)
        assert accepts(given(state, None, GARDEN), bot) == DeclineOffer(0, 1, 1)
        assert is_senseless(asked(state, bot), terms([GARDEN], []))
        assert not is_senseless(asked(state, bot), terms([STINK], []))


def test_gift_goes_first_to_who_wished_for_it_and_last_to_who_has_room() -> None:
    """Not to somebody who leads."""
    fields: list[Beds] = [[[BLUE] * 3, [WAX] * 2], [[RED], [GREEN]], [], [[STINK], [CHILI]]]
    wished = after(market(*fields, face_up=[SOY]), SetWish(3, SOY, "want"))
    rich = market(*fields, face_up=[SOY], coins=[0, 0, 9, 0])

    assert offers(wished) == [(3, (SOY,), ()), (2, (SOY,), ())]
    assert offers(rich) == []


def test_only_the_active_player_parts_with_anything() -> None:
    """The others have nothing face up."""
    state = replace(market([[BLUE] * 3, [WAX] * 2], [[SOY]], face_up=[SOY]), active_player=1)

    assert offers(state) == []


@pytest.mark.parametrize("level", ["beginner", "gentle", "fair", "strong"])
def test_bot_parts_before_it_ruins_its_row(level: str) -> None:
    """With its last offers of a turn it offers the bean to who grows it; without people it does not."""
    state = market([[BLUE] * 3, [WAX] * 2], [[SOY] * 2, [RED]], face_up=[SOY], hands=[[CHILI]])
    cache, bot = BotCache(PLAYERS), LEVELS[level]
    made: list[Terms] = []
    reasons = []
    for tries in (2, 1):
        answer: Any = cache.reply(asked(state, bot, tries=tries, made=tuple(made)))
        assert isinstance(answer.command, MakeOffer | EditOffer)
        made.append(terms_of(answer.command))
        reasons.append(answer.reason)

    assert all(one.to == (1,) and one.give == (SOY,) for one in made)
    assert made[0].want
    assert made[1].want == ()  # the last one is a gift
    assert reasons[1] == Reason("says.homeless", {"bean": SOY})
