"""What bots at a table say, and who hears it."""

from __future__ import annotations

from typing import Any

from bohn.bots.reasons import Reason
from bohn.rules.commands import (
    AcceptOffer,
    AnyCommand,
    DeclineOffer,
    MakeOffer,
    Plant,
    Reveal,
    WithdrawOffer,
)
from bohn.server.bots.messages import Question
from tests.server.bots.actors import ActorHouse, accept, ask_for, decline, gift, staged
from tests.server.support.tables import Ear

NEED = Reason("says.need", {"bean": 8, "count": 2})
USELESS = Reason("says.useless")


def told(ear: Ear) -> list[tuple[int, str, dict[str, int]]]:
    """Return what somebody has heard bots say: seat, key, parameters."""
    return [(frame["seat"], frame["key"], frame["params"]) for frame in ear.of("remark")]


async def ears(house: ActorHouse, *users: str) -> list[Ear]:
    """Let these users watch the table from now on."""
    found = [Ear() for _ in users]
    for user, ear in zip(users, found, strict=True):
        await house.tables.watch(house.table_id, user, ear, None)
    return found


def once(seat: int, command: AnyCommand) -> Any:
    """Return a script in which one seat makes one offer."""

    def says(question: Question) -> AnyCommand | None:
        return command if question.seat == seat and question.tries > 0 and not question.made else None

    return says


def test_reason_of_an_offer_is_heard_by_everybody_behind_it() -> None:
    """Players and spectators hear why a bot offers, after the batch with the offer."""

    async def act(house: ActorHouse) -> None:
        await house.trading("anna", "pk", "pk")
        house.actors.says, house.actors.reason = once(1, ask_for(1, 0)), NEED
        anna, guest = await ears(house, "anna", "guest")
        await house.wait(4_000)

        assert told(anna) == told(guest) == [(1, "says.need", {"bean": 8, "count": 2})]
        kinds = [frame["type"] for frame in anna.frames]
        assert kinds.index("remark") == kinds.index("batch") + 1
        batch, remark = anna.frames[kinds.index("batch")], anna.frames[kinds.index("remark")]
        assert (remark["seq"], remark["at"]) == (batch["seq"], batch["at"])

    staged(act)


def test_reason_of_a_refusal_is_heard_by_the_maker_alone() -> None:
    """That a bot has refused, and why, nobody else learns."""

    async def act(house: ActorHouse) -> None:
        await house.trading("anna", "bert", "pk")
        house.actors.says, house.actors.reason = decline, USELESS
        anna, bert, guest = await ears(house, "anna", "bert", "guest")
        await house.person(ask_for(0, 2))
        await house.wait(10_000)

        assert [kind for _, kind in await house.commands() if isinstance(kind, DeclineOffer)]
        assert told(anna) == [(2, "says.useless", {})]
        assert told(bert) == told(guest) == []

    staged(act)


def test_reason_for_taking_an_offer_back_is_heard_behind_it() -> None:
    """Everybody sees that it goes, so everybody hears why."""

    def says(question: Question) -> AnyCommand | None:
        if question.seat == 1 and not question.made:
            return ask_for(1, 0)
        return next((one for one in question.legal if isinstance(one, WithdrawOffer)), None)

    async def act(house: ActorHouse) -> None:
        await house.trading("anna", "pk", "pk")
        house.actors.says, house.actors.reason = says, USELESS
        (anna,) = await ears(house, "anna")
        await house.wait(10_000)

        assert [kind for _, kind in await house.commands() if isinstance(kind, WithdrawOffer)]
        assert told(anna) == [(1, "says.useless", {})] * 2

    staged(act)


def test_reasons_among_bots_are_not_said() -> None:
    """What bots offer each other while people sit by is offered without a word."""

    async def act(house: ActorHouse) -> None:
        await house.trading("pk", "pk", "anna")
        house.actors.says, house.actors.reason = once(0, ask_for(0, 1)), NEED
        (anna,) = await ears(house, "anna")
        await house.wait(8_000)

        assert [command for _, command in await house.commands() if isinstance(command, MakeOffer)]
        assert told(anna) == []

    staged(act)


def test_exchange_with_a_person_is_thanked_for() -> None:
    """A bot that is given something and has no reason of its own says thanks."""

    async def act(house: ActorHouse) -> None:
        await house.trading("anna", "pk", "pk")
        house.actors.says = accept
        (anna,) = await ears(house, "anna")
        await house.person(gift(await house.phase(), 0, 1))
        await house.wait(8_000)

        assert [kind for _, kind in await house.commands() if isinstance(kind, AcceptOffer)]
        assert told(anna) == [(1, "phrase.thanks", {})]

    staged(act)


def test_reason_that_is_none_is_not_passed_on() -> None:
    """What a bot gives as a reason and is no text of the catalogs is dropped, and what it does is done."""

    async def act(house: ActorHouse) -> None:
        await house.trading("anna", "pk", "pk")
        house.actors.says, house.actors.reason = once(1, ask_for(1, 0)), Reason("event.passed", {"card": 3})
        (anna,) = await ears(house, "anna")
        await house.wait(4_000)

        assert await house.offers()
        assert told(anna) == []

    staged(act)


def test_late_spectators_hear_reasons_late() -> None:
    """A delayed spectator hears what was said when he sees what it was said about."""

    async def act(house: ActorHouse) -> None:
        house.table_id = await house.company("anna", "pk", "pk", house_rules=("starter=seat:0",), delay=30)
        anna, guest = await ears(house, "anna", "guest")
        await house.person(Plant(0, 0))
        house.actors.says, house.actors.reason = once(1, ask_for(1, 0)), NEED
        await house.person(Reveal(0))
        await house.wait(4_000)
        assert (len(told(anna)), len(told(guest))) == (1, 0)
        await house.wait(30_000)
        assert len(told(guest)) == 1

    staged(act)
