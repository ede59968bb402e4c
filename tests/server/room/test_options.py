"""Which options a table may have."""

from __future__ import annotations

import msgspec
import pytest

from bohn.protocol.refusals import Problem, Refusal
from bohn.protocol.room import Options
from bohn.protocol.room_events import AnyRoomEvent, TableOpened
from bohn.rules import resolve
from bohn.rules.ruleset import HeadStart
from bohn.server.room.options import check_options, over_days


def test_options_name_their_rules() -> None:
    """House rules included."""
    options = Options("classic", 3, ("field_price=2", "end=at_once"))

    assert check_options(options) == resolve("classic", 3, "field_price=2", "end=at_once")


def test_options_may_give_head_starts() -> None:
    """Each seat may have one; the house rules name it once, and the rules have it by seat."""
    options = Options("full", 4, ("head_start=2:3:1", "fields=3", "head_start=0:0:2"))

    assert check_options(options).head_starts == (HeadStart(0, 0, 2), HeadStart(2, 3, 1))


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (Options("poker"), "edition"),
        (Options(""), "edition"),
        (Options("full", 2000), "players"),
        (Options("classic", 7), "players"),
        (Options("das-duell", 4), "players"),
        (Options("full", -1), "players"),
        (Options(house_rules=("beans=free",)), "house-rules"),
        (Options(house_rules=("end=at_once", "end=at_once")), "house-rules"),
        (Options(house_rules=("starter=seat:4",)), "house-rules"),
        (Options(house_rules=("head_start=4:1:1",)), "house-rules"),
        (Options(house_rules=("head_start=0:11:0",)), "house-rules"),
        (Options(house_rules=("head_start=0:0:4",)), "house-rules"),
        (Options(house_rules=("head_start=0:0:0",)), "house-rules"),
        (Options(house_rules=("head_start=0:01:0",)), "house-rules"),
        (Options(house_rules=("head_start=0:1",)), "house-rules"),
        (Options(house_rules=("head_start=0:1:1", "head_start=0:2:2")), "house-rules"),
        (Options(delay=-1), "delay"),
        (Options(delay=3_601), "delay"),
    ],
)
def test_options_that_do_not_exist_are_refused(options: Options, what: str) -> None:
    """The refusal names which of them, and no more."""
    with pytest.raises(Refusal) as refusal:
        check_options(options)

    assert (refusal.value.problem, refusal.value.params) == (Problem.OPTIONS_NOT_VALID, {"what": what})


@pytest.mark.parametrize("delay", [0, 3_600])
def test_delay_may_be_up_to_an_hour(delay: int) -> None:
    """Both ends are allowed."""
    check_options(Options(delay=delay))


def test_table_from_before_has_the_normal_pace() -> None:
    """Logs of earlier versions do not name one, and bots there take the usual time."""
    before = (
        b'{"event":"table-opened","table":"t1","host":"anna","commitment":"","at":1,"options":{"players":3}}'
    )
    opened = msgspec.json.decode(before, type=AnyRoomEvent)

    assert isinstance(opened, TableOpened)
    assert opened.options.pace == "normal"


def test_pace_that_does_not_exist_is_refused() -> None:
    """Whoever asks for another one is told which there are."""
    with pytest.raises(msgspec.ValidationError, match="pace"):
        msgspec.json.decode(b'{"pace":"frantic"}', type=Options)


def test_game_over_days_trades_until_everybody_has_passed() -> None:
    """Its people come one after the other; nobody closes a market that another has not seen."""
    options = Options(clock="24h")

    assert over_days(options, check_options(options)).house_rules == ("closing=unanimous",)


@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(clock="slow"),
        Options(clock="24h", house_rules=("closing=active",)),
        Options(clock="48h", edition="das-duell", players=2),
    ],
)
def test_other_tables_trade_as_they_say(options: Options) -> None:
    """Without such a clock, with a rule of their own, or where nothing is traded."""
    assert over_days(options, check_options(options)) == options
